"""Kernel Fisher discriminant analysis: the functions of x whose class means lie farthest apart."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.estimators.selection import first, regulariser_field
from explorer.kernels import Kernel
from explorer.kernels.base import kernel_field
from explorer.learner import Transformer
from explorer.linalg import eigh_psd
from explorer.parameters import Whole
from explorer.printing import plural
from explorer.svg import inline_pictures
from explorer.types import Gram, Labels, Matrix, PointsLike, Vector, VectorLike

from .covariance import common_kernel, prepare_points

SHARES = np.geomspace(1e2, 1e-8, 21)  # candidates of λ over the largest eigenvalue; ties go to the first
SMALL = 1e-10  # separations below this share of the largest are rounding


class KernelFDA(Transformer):
    """Functions f_k of x with the largest variance between classes (kernel Fisher discriminant analysis).

    Use it to find the functions that separate given classes best. Without classes use `KernelPCA`.

    They maximise Var_between f under Var_within f + (λ/n) |f|² = 1.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``. An automatic bandwidth is the median heuristic on all points.
    n_components : int or None, default None
        The most functions; None is all, at most c - 1.
    lam : float or None, default None
        The λ > 0 in (K + λI), n times the operator's, in units of k. None takes the least leave-one-out error of ridge
        regression of the class indicators, whose fitted values span the same functions (Hastie, Buja and Tibshirani
        1995), of 21 λ from 1e-8 to 100 times the largest eigenvalue of the centred Gram matrix; in a tie the largest.

    Attributes
    ----------
    kernel_ : Kernel
        The chosen kernel.
    X_ : ndarray of shape (n, d)
        The points.
    classes_ : ndarray of shape (c,)
        The labels, sorted.
    lam_ : float
        The λ.
    separations_ : ndarray of shape (r,)
        Var_between of f_k over the denominator that is 1: falling, above 0.
    coefficients_ : ndarray of shape (n, r)
        f_k = Σ_i a_ik k(x_i, .) minus its mean over the sample; each column sums to 0.

    Notes
    -----
    Mika, Rätsch, Weston, Schölkopf and Müller 1999 have two classes, with their regularised within-class scatter; c
    classes have at most c - 1 functions. Var_between is the variance of the class means, weighted by the classes'
    sizes. Var_within is the mean of the classes' own variances, with the same weights. Both sum to the variance over
    the sample. Kernel PCA, in contrast, ignores labels. For λ -> ∞ the function of two classes tends, up to its length,
    to the difference of their kernel means: the witness of their MMD.

    The cost is O(n³). Two classes have one function, whose larger mean is that of the second class.

    References
    ----------
    Mika, Rätsch, Weston, Schölkopf and Müller 1999 (Neural Networks for Signal Processing IX, 41). Hastie, Buja and
    Tibshirani 1995, Ann. Stat. 23, 73.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import KernelFDA
    >>> t = np.linspace(0.0, 2 * np.pi, 20, endpoint=False)
    >>> ring = np.column_stack([np.cos(t), np.sin(t)])
    >>> X, y = np.concatenate([ring, 3 * ring]), np.repeat(["inner", "outer"], 20)
    >>> fda = KernelFDA().fit(X, y)
    >>> f = fda.transform(X)[:, 0]
    >>> bool(f[:20].max() < f[20:].min())  # which no straight line does
    True
    """

    kernel: Kernel | None = kernel_field()
    n_components: int | None = Whole(
        default=None,
        bounds=(1, None),
        softbounds=(1, 10),
        allow_None=True,
        symbol="r",
        doc="how many functions are kept at most; None is all",
    )
    lam: float | None = regulariser_field(
        "how much the functions are held to be smooth", automatic=True, softbounds=(1e-6, 1e2)
    )

    def fit(self, X: PointsLike, y: Any, weights: VectorLike | None = None) -> Self:
        """Learn from points and their labels.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points.
        y : array_like of shape (n,)
            The labels, text or whole numbers.
        weights : array_like of shape (n,), optional
            The number of times that each row counts. Whole numbers act as repeated rows; the leave-one-out
            error leaves one copy out. A row of weight 0 is left out.

        Returns
        -------
        KernelFDA
            The fitted learner itself.

        Raises
        ------
        Refusal
            If there is one class, or as many classes as points, or the points do not vary under the kernel.
        """
        kernel = common_kernel(self.kernel)
        labels = _labels(y, len(kernel.points(X)))
        if weights is not None:
            labels = labels[checks.counts(weights, len(labels)) > 0]
        X, kernel, counts = prepare_points(kernel, X, weights)
        classes, codes = _classes(labels)
        counts = np.ones(len(X)) if counts is None else counts
        n, root, K = counts.sum(), np.sqrt(counts), kernel.contrast(X)(X)
        mean = K @ counts / n
        gamma, U = eigh_psd((K - (mean[:, None] + mean) + counts @ mean / n) * np.outer(root, root))
        kept = gamma > len(X) * np.finfo(float).eps * max(gamma[-1], K.diagonal().max())
        if not kept.any():
            raise Refusal(f"the points do not vary under {checks.echo(kernel)}; take another bandwidth.")
        gamma, U = gamma[kept], U[:, kept]
        sides = _Sides(gamma, U, root[:, None] * np.eye(len(classes))[codes], root)
        lam = self.lam
        if lam is None:
            lam = float(gamma[-1] * SHARES[first(np.array([sides.left_out(each) for each in gamma[-1] * SHARES]))])
        separations, a = sides.discriminants(lam, self.n_components)
        a = root[:, None] * a
        self.X_ = X
        self.kernel_: Kernel = kernel
        self.classes_: Labels = classes
        self.lam_: float = lam
        self.separations_: Vector = checks.read_only(separations)
        self.coefficients_: Matrix = checks.read_only(a - (counts / n)[:, None] * a.sum(axis=0))
        self.offsets_: Vector = checks.read_only(counts @ self._values(X) / n)
        return self

    def fit_transform(self, X: PointsLike, y: Any, weights: VectorLike | None = None) -> Gram:
        """Fit, and return the functions' values at the same points.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The points.
        y : array_like of shape (n,)
            The labels.
        weights : array_like of shape (n,), optional
            The number of times that each row counts, as for `fit`.

        Returns
        -------
        ndarray of shape (n, r)
            The values.
        """
        return self.fit(X, y, weights).transform(X)

    def transform(self, Z: PointsLike) -> Gram:
        """Return the functions' values at points, relative to their means over the sample.

        Parameters
        ----------
        Z : array_like of shape (m, d)
            The points.

        Returns
        -------
        ndarray of shape (m, r)
            The values.
        """
        fitted = self._fitted()
        Z = fitted.kernel_.points(Z, "Z")
        checks.same_dimension(Z, fitted.X_, ("Z", "the sample"))
        return fitted._values(Z) - fitted.offsets_

    @property
    def _n_outputs(self):
        return len(self.separations_)

    def _values(self, Z):
        """Return the values before their means are subtracted."""
        return self.kernel_.contrast(self.X_)(Z, self.X_) @ self.coefficients_

    def _sentence(self):
        if not hasattr(self, "separations_"):
            return super()._sentence()
        return f"The separations of {checks.echo(self)}, for n = {len(self.X_)} points."

    def _picture(self):
        if not hasattr(self, "separations_"):
            return super()._picture()
        return inline_pictures.bars(self.separations_, self._sentence())


def _labels(y, n):
    """Return the checked labels (n,)."""
    labels = checks.labels(y, "y")
    if labels.shape != (n, 1):
        raise Refusal(
            f"y has the shape {labels.shape} and X has {plural(n, 'row')}; give one label for each row, (n,)."
        )
    return labels[:, 0]


def _classes(labels):
    """Return the labels, sorted, and the class of each point (n,)."""
    classes, codes = np.unique(labels, return_inverse=True)
    if len(classes) < 2:
        raise Refusal(f"all labels are {checks.echo(classes[0].item())}; give two classes at least to tell apart.")
    if len(classes) == len(labels):
        raise Refusal(f"all {len(labels)} labels differ, so no class has two points; give classes that points share.")
    return classes, codes


class _Sides(NamedTuple):
    """Both scatter matrices in factors; each row is multiplied by the root of its count, `root` (n,).

    gamma (r,), U (n, r) are the eigenpairs of the centred Gram matrix, and shares (n, c) the indicators of the classes.
    """

    gamma: np.ndarray
    U: np.ndarray
    shares: np.ndarray
    root: np.ndarray

    def left_out(self, lam: float) -> float:
        """Return the sum of squared leave-one-out errors of ridge regression of the indicators at λ.

        One copy of a row is left out, or all of a row that counts less than once.
        """
        gamma, U, shares, root = self
        counts = root**2
        centred = shares - root[:, None] * (root @ shares) / counts.sum()
        keep = gamma / (gamma + lam)
        residual = centred - U @ (keep[:, None] * (U.T @ centred))
        lever = np.minimum(counts, 1.0) * (1 / counts.sum() + U**2 @ keep / counts)
        return float(((residual / (1 - lever)[:, None]) ** 2).sum())

    def discriminants(self, lam: float, most: int | None) -> tuple[Vector, Matrix]:
        """Return the separations (r,) and the coefficients (n, r).

        f = Σ a_i φ~(x_i) with a = U γ^(-1/2) p has the values U γ^(1/2) p and |f|² = |p|². With T = diag(γ)/n for Var
        and B for Var_between, B p = ρ (T + λ/n) p has the eigenvectors of B p = s (T - B + λ/n) p, and s = ρ / (1 - ρ).
        """
        gamma, U, shares, root = self
        n, sizes = (root**2).sum(), root @ shares
        scale = np.sqrt(n / (gamma + lam))  # (T + λ/n)^(-1/2)
        means = U.T @ (shares / np.sqrt(n * sizes))  # γ^(1/2) means means' γ^(1/2) = B
        _, roots, Qt = np.linalg.svd((scale * np.sqrt(gamma))[:, None] * means, full_matrices=False)
        rho = np.minimum(roots**2, 1.0)
        kept = (rho > SMALL * rho[0]) & (np.arange(len(rho)) < min(most or len(rho), shares.shape[1] - 1))
        rho, Q = rho[kept], Qt[kept].T
        within = np.maximum(1 - rho, np.finfo(float).eps)  # the share of the within scatter in p'(T + λ/n)p = 1
        a = U @ ((scale**2)[:, None] * (means @ Q)) / np.sqrt(rho * within)  # divides by no small γ
        last = shares[:, -1] - root * sizes[-1] / n
        values = U @ (gamma[:, None] * (U.T @ a))
        return rho / within, a * np.where(last @ values < 0, -1.0, 1.0)
