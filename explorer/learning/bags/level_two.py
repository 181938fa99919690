"""Kernels of the second level: of inner products and distances of kernel means, and so of distributions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Self, TypeAlias

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.model import Model
from explorer.parameters import Choice, LogNumber
from explorer.types import Gram, Matrix, MatrixLike, VectorLike

Kind: TypeAlias = Literal["linear", "gaussian", "exponential", "cauchy", "generalized-t", "inverse-multiquadric"]
KINDS: dict[str, Callable[[Matrix, float], Matrix] | None] = {  # functions of squared distances and the scale
    "linear": None,
    "gaussian": lambda D2, s: np.exp(-D2 / s**2 / 2),
    "exponential": lambda D2, s: np.exp(-np.sqrt(D2) / s**2 / 2),
    "cauchy": lambda D2, s: 1 / (1 + D2 / s**2),
    "generalized-t": lambda D2, s: 1 / (1 + D2 ** (s / 2)),
    "inverse-multiquadric": lambda D2, s: 1 / np.sqrt(D2 + s**2),
}
LARGEST_EXPONENT = 2.0  # the largest exponent at which the generalized t kernel is positive definite


class LevelTwo(Model):
    """Kernel of two distributions by their kernel means μ, ν: of <μ, ν>, or of their RKHS distance d = |μ - ν|.

    Use it as `level_two` of `SupportMeasureMachine`, `OneClassSMM` and `DistributionRegression`; kernels of points are
    a different argument.

    Parameters
    ----------
    kind : {"linear", "gaussian", "exponential", "cauchy", "generalized-t", "inverse-multiquadric"}, default "linear"
        The kernel, see the list below.
    scale : float or None, default None
        The scale s, in units of d, for "exponential" of their root. None takes the median of the distances d of all
        pairs of bags (for "exponential" s² is that median), and for "generalized-t" the exponent 1.

    Notes
    -----
    The kernels are

    * "linear": <μ, ν>;
    * "gaussian": exp(-d² / (2s²));
    * "exponential": exp(-d / (2s²));
    * "cauchy": 1 / (1 + d²/s²);
    * "generalized-t": 1 / (1 + d^s), s an exponent of at most 2: at 4 there are negative eigenvalues;
    * "inverse-multiquadric": 1 / sqrt(d² + s²).

    [muandet2016shrinkage] prints exp(+d²/(2s²)), which is not a kernel (erratum 28). Each of these is positive
    definite, as a completely monotone function of d².

    References
    ----------
    Encyclopedia article, section on distribution regression; Muandet et al. 2016, Kernel Mean Shrinkage Estimators
    ([muandet2016shrinkage]), section 4.2.3.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import LevelTwo
    >>> G = np.array([[1.0, 0.5], [0.5, 1.0]])
    >>> LevelTwo("cauchy", scale=1.0)(G, G.diagonal())
    array([[1. , 0.5],
           [0.5, 1. ]])
    """

    kind: Kind = Choice(default="linear", objects=list(KINDS), doc="which kernel of two kernel means")
    scale: float | None = LogNumber(
        default=None,
        bounds=(1e-150, 1e150),
        softbounds=(1e-2, 1e1),
        allow_None=True,
        symbol="s",
        doc="the distance of kernel means at which similarity fades; of the generalized t its exponent",
    )

    def _check(self):
        if self.kind == "linear" and self.scale is not None:
            raise Refusal(f"the linear kernel has no scale, and scale={self.scale:g} was given; leave it at None.")
        if self.kind == "generalized-t" and self.scale is not None and self.scale > LARGEST_EXPONENT:
            raise Refusal(
                f"the exponent of the generalized t kernel, scale={self.scale:g}, must be at most 2: above that"
                " 1 / (1 + d^s) has negative eigenvalues, so it is no kernel."
            )

    @property
    def of_distances(self) -> bool:
        """True if the kernel is a function of the distance."""
        return self.kind != "linear"

    def __call__(self, inner: MatrixLike, squares: VectorLike, other_squares: VectorLike | None = None) -> Gram:
        """Return the Gram matrix from inner products and squared norms.

        d² = |μ|² + |ν|² - 2 <μ, ν> is clipped at 0, as rounding may make it negative. A scale that is None is chosen on
        these distances if they are those of one set of bags.

        Parameters
        ----------
        inner : array_like of shape (l, l')
            The inner products.
        squares : array_like of shape (l,)
            The squared norms of the first bags.
        other_squares : array_like of shape (l',), optional
            The squared norms of the others; None if they are the same bags.

        Returns
        -------
        ndarray of shape (l, l')
            The Gram matrix.

        Raises
        ------
        Refusal
            If the shapes do not fit, or the scale is None and the bags are not the same.
        """
        inner, squares = checks.numbers(inner, "inner"), checks.numbers(squares, "squares")
        others = squares if other_squares is None else checks.numbers(other_squares, "other_squares")
        if inner.shape != (*squares.shape, *others.shape) or inner.ndim != 2:
            raise Refusal(
                f"inner has shape {inner.shape}, squares {squares.shape} and other_squares {others.shape}; give the"
                " inner products (l, l') of l and l' kernel means and their squared norms (l,) and (l',)."
            )
        if not self.of_distances:
            return inner.copy()
        D2 = np.maximum(squares[:, None] + others - 2 * inner, 0.0)
        return (self.select(D2) if other_squares is None else self).of_squared_distances(D2)

    def select(self, squared_distances: MatrixLike) -> Self:
        """Return this kernel with its scale chosen on the squared distances of bags, or itself if it has one.

        If more than half of the distances are 0, the median of the positive ones is taken, or 1 if all are 0, with a
        warning.

        Parameters
        ----------
        squared_distances : array_like of shape (l, l)
            The squared distances.

        Returns
        -------
        LevelTwo
            The kernel.

        Raises
        ------
        Refusal
            If there is one bag, which has no distances.
        """
        chosen, remark = self.chosen_and_remark(squared_distances)
        if remark:
            checks.warn(remark)
        return chosen

    def chosen_and_remark(self, squared_distances: MatrixLike) -> tuple[Self, str]:
        """Return the result of `select` and its warning.

        Parameters
        ----------
        squared_distances : array_like of shape (l, l)
            The squared distances.

        Returns
        -------
        kernel : LevelTwo
            The kernel with its scale chosen.
        remark : str
            The text of the warning, or "" if there is none.
        """
        if not self.of_distances or self.scale is not None:
            return self, ""
        if self.kind == "generalized-t":
            return self.replace(scale=1.0), ""
        D2 = checks.numbers(squared_distances, "squared_distances")
        if len(D2) < 2:
            raise Refusal(
                f"one bag has no distances to choose the scale of LevelTwo('{self.kind}') on; give its scale."
            )
        distances = np.sqrt(D2[np.triu_indices(len(D2), 1)])
        median, remark = float(np.median(distances)), ""
        if median == 0:
            positive = distances[distances > 0]
            median = float(np.median(positive)) if len(positive) else 1.0
            used = "the median of those above zero" if len(positive) else "the scale 1"
            remark = (
                "more than half of the kernel means of the bags coincide, so the median of their distances is 0;"
                f" {used} is used instead."
            )
        return self.replace(scale=median**0.5 if self.kind == "exponential" else median), remark

    def of_squared_distances(self, squared_distances: MatrixLike) -> Gram:
        """Return the values at squared distances d².

        Parameters
        ----------
        squared_distances : array_like
            The squared distances, of any shape.

        Returns
        -------
        ndarray
            The values, of the same shape.

        Raises
        ------
        Refusal
            If the kernel is "linear", or the scale has not been chosen.
        """
        of = KINDS[self.kind]
        if of is None:
            raise Refusal("the linear kernel is the inner product itself, no function of the distance.")
        if self.scale is None and self.kind != "generalized-t":
            raise Refusal(f"the scale of {checks.echo(self)} is still open; choose it on the bags by select.")
        with np.errstate(over="ignore"):  # the kernel is 0 at distances far beyond the scale
            return of(checks.numbers(squared_distances, "squared_distances"), self.scale or 1.0)
