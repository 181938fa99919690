"""Target shift: weights by label, if a target sample without labels has other proportions of them."""

from __future__ import annotations

from typing import Self

import numpy as np

from explorer import checks
from explorer.kernels import Kernel
from explorer.kernels.base import kernel_field
from explorer.linalg import Ridge
from explorer.parameters import LogNumber
from explorer.svg import inline_pictures
from explorer.types import Gram, Labels, Matrix, Points, PointsLike, Vector, VectorLike

from .box_program import BoxProgram
from .covariate import effective_sample_size
from .inputs import DomainLearner, check_domains, check_labels, overlap_remark, reweight_source


class TargetShift(DomainLearner):
    r"""Weights b of labels y that make a source with labels match a target sample that has no labels.

    Use it to estimate the share of each class in a sample without labels, and to learn for that sample. If p(x) has
    changed and p(y | x) has not, use `CovariateShift`.

    p(x | y) is common to both and p(y) is not.

    Parameters
    ----------
    kernel_x : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on both samples together.
    kernel_y : Kernel or None, default None
        None is Delta() for words, truth values, and whole numbers of at most 12 values, some of them repeated;
        otherwise Gaussian().
    lam : float, default 1e-6
        Regulariser λ > 0, in units of the labels' kernel, as in ConditionalEmbedding.
    bound : float, default 10.0
        The largest weight, at least 1.

    Attributes
    ----------
    kernel_x_, kernel_y_ : Kernel
        The chosen kernels.
    X_, y_ : ndarray
        Points of the source, n of them, and their labels.
    X_target_ : ndarray of shape (m, d)
        Points of the target.
    weights_ : ndarray of shape (n,)
        b, of mean exactly one, equal for equal labels.
    identified_weights_ : ndarray of shape (n,)
        Ωb.
    classes_, proportions_ : ndarray of shape (c,)
        If the labels' kernel is Delta(): the labels, sorted, and their shares of the target.
    effective_sample_size_ : float
        (Σ b)² / Σ b².
    distance_ : float
        Distance of the source's kernel mean under Ωb to the target's.
    remark_ : str
        The warning, or empty.

    Notes
    -----
    With Ω = (L + λI)^-1 L, L the labels' Gram matrix, the mean of x under labels reweighted by b is (1/n) Σ_i (Ωb)_i
    k(x_i, .). b minimises its distance to the target's kernel mean,

    .. math:: \frac{1}{n^2}\, b^\top \Omega^\top K \Omega b - \frac{2}{nm}\, 1^\top K_{zx} \Omega b

    over 0 <= b <= bound, mean b = 1. For classes it is the quadratic programme of their proportions. For numbers, b
    itself is hardly identified, spiky and far from the ratio of densities. Ωb, which is smooth over y, is nearer to it,
    though its mean may be below one. The cost is O(q³) for q different labels, and n² numbers.

    References
    ----------
    Wikipedia, Kernel embedding of distributions, section on domain adaptation.

    Zhang et al. 2013 (Int. Conf. Mach. Learn., 819), eq. 4.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian, TargetShift
    >>> rng = np.random.default_rng(0)
    >>> y = np.repeat(["a", "b"], 100)
    >>> x = np.where(y == "a", -2.0, 2.0) + rng.normal(size=200)
    >>> target = np.where(rng.random(400) < 0.2, -2.0, 2.0) + rng.normal(size=400)
    >>> shift = TargetShift(Gaussian(1.0)).fit(x, y, target)
    >>> shift.proportions_.round(1)
    array([0.2, 0.8])
    """

    kernel_x: Kernel | None = kernel_field("the kernel of x; None is Gaussian()")
    kernel_y: Kernel | None = kernel_field("the kernel of y; None is Delta() or Gaussian()")
    lam: float = LogNumber(
        default=1e-6,
        bounds=(0, None),
        inclusive_bounds=(False, True),
        softbounds=(1e-6, 1e2),
        symbol="λ",
        unit="units of the labels' kernel",
        doc="how much the regression of x on y is shrunk to 0",
    )
    bound: float = LogNumber(
        default=10.0, bounds=(1, None), softbounds=(1, 100), infinite=True, symbol="B", doc="the largest weight"
    )

    def fit(self, X: PointsLike, y: PointsLike, X_target: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn from points with labels, and from a target sample without labels.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points of the source.
        y : array_like of shape (n,) or (n, e)
            Labels of the source.
        X_target : array_like of shape (m, d)
            Points of the target.
        weights : array_like of shape (n,) or None, default None
            How often each row of X counts. Whole numbers act as repeated rows, and a row of weight 0 is left out, of
            `weights_` too.

        Returns
        -------
        TargetShift
            The fitted object itself.

        Raises
        ------
        ValueError
            If X and y do not have equally many rows.

        Warns
        -----
        ExplorerWarning
            If there is one label, so that nothing can be reweighted, or if the distance exceeds the norm of the
            target's kernel mean.
        """
        return self.learn(X, y, X_target, weights)._with_warnings()

    def learn(self, X: PointsLike, y: PointsLike, X_target: PointsLike, weights: VectorLike | None = None) -> Self:
        """Learn as `fit` does, from the same arguments, but leave the warning in `remark_`.

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points of the source.
        y : array_like of shape (n,) or (n, e)
            Labels of the source.
        X_target : array_like of shape (m, d)
            Points of the target.
        weights : array_like of shape (n,) or None, default None
            How often each row of X counts.

        Returns
        -------
        TargetShift
            The fitted object itself.
        """
        data = check_domains(self.kernel_x, X, X_target, ("X", "X_target"), weights)
        n, copies = data.n, None if weights is None else data.counts
        known = check_labels(self.kernel_y, y, data.rows, included=data.included, counts=copies)
        counts = known.counts
        smooth = smoother(known.kernel(known.values), counts, self.lam)
        member = np.equal.outer(known.of_point, np.arange(len(counts))).astype(float)
        spread = member @ smooth  # Ω, of weights that are equal for equal labels
        rows = data.counts[:, None] * spread
        H = rows.T @ data.kernel(data.source) @ rows
        c = n * (data.kernel(data.source, data.target).mean(axis=1) @ rows)
        by_label = BoxProgram((H + H.T) / 2, c, counts, self.bound, n, n).solve()
        b = by_label[known.of_point]
        b = np.minimum(b * (n / (data.counts @ b)), self.bound)  # the mean was one up to rounding, and is now exact
        self.kernel_x_: Kernel = data.kernel
        self.kernel_y_: Kernel = known.kernel
        self.X_ = data.source
        self.X_target_: Points = data.target
        each = known.values[known.of_point]
        self.y_: Labels = checks.read_only(each[:, 0] if checks.flat(y) else each)
        self.weights_: Vector = checks.read_only(b)
        self.identified_weights_: Vector = checks.read_only(spread @ by_label)
        self.effective_sample_size_: float = effective_sample_size(b, data.counts)
        vars(self).pop("classes_", None)
        vars(self).pop("proportions_", None)
        if known.are_classes and known.values.shape[1] == 1:
            self.classes_: Labels = checks.read_only(known.values[:, 0])
            self.proportions_: Vector = checks.read_only(by_label * counts / n)
        match = reweight_source(data, self.identified_weights_)
        self.distance_: float = match.distance
        # Warn beyond the distance of the zero function: half of it is typical for small samples and a narrow kernel.
        self.remark_ = overlap_remark(match, 1.0, "Perhaps p(x | y) has changed, too: see LocationScaleShift.")
        if len(counts) == 1:
            self.remark_: str = (
                "y has one value for all points, and weights that differ need two at least: all weights are 1."
            )
        return self

    def _sentence(self):
        if not hasattr(self, "weights_"):
            return super()._sentence()
        near = f"{self.distance_:.3g} from the target's kernel mean"
        if not hasattr(self, "classes_"):
            return f"Weights of {len(self.weights_)} labels, {near}."
        shares = ", ".join(f"{c} {100 * p:.3g} %" for c, p in zip(self.classes_[:6], self.proportions_, strict=False))
        return f"Labels of the target: {shares}; {near}."

    def _picture(self):
        if not hasattr(self, "weights_"):
            return super()._picture()
        return inline_pictures.bars(np.sort(self.weights_)[::-1], self._sentence())


def smoother(L: Gram, counts: Vector, lam: float) -> Matrix:
    """Return (L + λI)^-1 L of n labels as it acts on weights that are equal for equal labels, shape (q, q).

    L (q, q) is the Gram matrix of the different labels and counts (q,) is how many points have each. With N =
    diag(counts) it is (LN + λI)^-1 LN = N^(-1/2) (S + λI)^-1 S N^(1/2) for S = N^(1/2) L N^(1/2).
    """
    root = np.sqrt(counts)
    S = root[:, None] * L * root
    return Ridge(S, lam)(S) * root / root[:, None]
