"""Paired samples, and the Gram matrix of their pairs' differences."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.mmd.two_samples import mmd2, two_samples
from explorer.discrepancy.resampling.tiled_gram import contrast
from explorer.execution.processors import limit_threads
from explorer.kernels import Kernel
from explorer.linalg import coordinates
from explorer.printing import plural, printed
from explorer.record import record
from explorer.svg import inline_pictures
from explorer.types import Gram, Mask, Matrix, Points, PointsLike, Rows

if TYPE_CHECKING:
    from explorer.discrepancy.mmd.two_samples import TwoSamples


MOST = 64  # number of features beyond which sums over features are no faster than sums over the Gram matrix


def paired(
    X: PointsLike, Y: PointsLike, kernel: Kernel | None = None, at_least: int = 1, purpose: str = "for pairs"
) -> TwoSamples:
    """Check two samples as pairs and choose the kernel.

    Parameters
    ----------
    X : array_like of shape (n, d)
        First side of the pairs.
    Y : array_like of shape (n, d)
        Second side of the pairs.
    kernel : Kernel or None, default None
        None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
    at_least : int, default 1
        Smallest number of pairs.
    purpose : str, default "for pairs"
        What that many pairs are needed for, for messages.

    Returns
    -------
    TwoSamples
        The pooled points and the chosen kernel.

    Raises
    ------
    Refusal
        If the sides have different numbers of rows.
    """
    two = two_samples(X, Y, kernel, at_least, purpose)
    _refuse_unpaired(two.n, two.m)
    return two


def _refuse_unpaired(n, m):
    if n != m:
        raise Refusal(
            f"X has {plural(n, 'row')} and Y has {m}; MONK takes them in pairs (x_i, y_i), so both need the same"
            " number: "
            f"leave out {abs(n - m)} of {'X' if n > m else 'Y'}'s at random, or use mmd2."
        )


@limit_threads
def pair_differences(kernel: Kernel, X: Points, Y: Points) -> Matrix:
    """Compute the Gram matrix of the pairs' differences, D_ij = <ψ_i, ψ_j> with ψ_i = k(x_i, .) - k(y_i, .).

    Parameters
    ----------
    kernel : Kernel
        Kernel, chosen.
    X : array_like of shape (N, d)
        First side of the pairs, or anything that the kernel takes, such as N row numbers of a Precomputed one.
    Y : array_like of shape (N, d)
        Second side of the pairs.

    Returns
    -------
    ndarray of shape (N, N)
        D_ij = k(x_i, x_j) + k(y_i, y_j) - k(x_i, y_j) - k(y_i, x_j).

    Raises
    ------
    Refusal
        If the sides have different numbers of rows.

    Notes
    -----
    MONK needs nothing else of the pooled Gram matrix (2N, 2N). Swapping x_i and y_i changes the sign of row and column
    i. Equal pairs have rows that are equal to the last digit, see `of_equal_pairs`.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Linear
    >>> from explorer.discrepancy.monk import pair_differences
    >>> X, Y = np.array([[3.0], [1.0]]), np.array([[1.0], [4.0]])
    >>> pair_differences(Linear(), X, Y).tolist()
    [[4.0, -6.0], [-6.0, 9.0]]
    """
    X, Y = kernel.points(X), kernel.points(Y, "Y")
    _refuse_unpaired(len(X), len(Y))
    return of_equal_pairs(_pair_differences(kernel, X, Y), X, Y)


def _pair_differences(kernel, X, Y):
    contrasted = contrast(kernel, np.concatenate([X, Y]))
    if contrasted is kernel and (D := kernel.differences(X, Y)) is not None:
        return D
    D, cross = contrasted(X) + contrasted(Y), contrasted(X, Y)
    D -= cross
    D -= cross.T
    return D


@printed
@record
class PairedSample:
    """Pairs and their Gram matrix, the input of MONK's estimates and of the U-statistic.

    Attributes
    ----------
    X : ndarray of shape (n, d)
        First side of the pairs, read-only.
    Y : ndarray of shape (n, d)
        Second side of the pairs, read-only.
    contaminated : ndarray of shape (n,)
        Mask of the pairs that are outliers; all false if unknown.
    kernel : Kernel
        The kernel, chosen.
    D : ndarray of shape (n, n)
        Gram matrix of the pairs' differences, see `pair_differences`.
    U : float
        Unbiased statistic of MMD², signed.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Gaussian
    >>> from explorer.discrepancy.monk import PairedSample
    >>> X, Y = np.array([[0.0], [1.0], [2.0]]), np.array([[0.5], [1.0], [9.0]])
    >>> sample = PairedSample.of(X, Y, Gaussian(1.0), contaminated=[False, False, True])
    >>> sample.D.diagonal().round(3).tolist(), round(sample.U, 4)
    ([0.235, 0.0, 2.0], -0.2125)
    """

    X: np.ndarray
    Y: np.ndarray
    contaminated: np.ndarray
    kernel: Kernel
    D: np.ndarray
    U: float

    def __post_init__(self) -> None:
        for name in ("X", "Y", "contaminated"):  # D is large and has no other reference, so it is not copied
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    @classmethod
    def of(cls, X: Points, Y: Points, kernel: Kernel | None = None, contaminated: Mask | None = None) -> Self:
        """Compute the matrices of two samples.

        Parameters
        ----------
        X : array_like of shape (n, d)
            First side of the pairs, n >= 2.
        Y : array_like of shape (n, d)
            Second side of the pairs.
        kernel : Kernel or None, default None
            None is ``Gaussian()``. An automatic bandwidth is the median heuristic on the pooled sample.
        contaminated : array_like of shape (n,) or None, default None
            Mask of the pairs that are outliers.

        Returns
        -------
        PairedSample
            The pairs.
        """
        two = paired(X, Y, kernel, 2, "for the unbiased statistic")
        kernel, X, Y = two.kernel, two.X, two.Y
        marks = np.zeros(len(X), dtype=bool) if contaminated is None else contaminated
        return cls(X, Y, marks, kernel, pair_differences(kernel, X, Y), mmd2(X, Y, kernel))

    def moved_by_one(self, blocks: int) -> float:
        """Return how far one pair, that of the longest difference ψ, can move the witness's mean over its block.

        Parameters
        ----------
        blocks : int
            Number of blocks.

        Returns
        -------
        float
            The largest change.
        """
        n = len(self.D)
        return math.sqrt(max(float(self.D.diagonal().max()), 0.0)) / (n // min(n, blocks))

    def _sentence(self):
        n, outliers = len(self.X), int(self.contaminated.sum())
        return f"{n} pairs, of which {outliers} {'is an outlier' if outliers == 1 else 'are outliers'}."

    def _picture(self):
        return inline_pictures.points(
            np.concatenate([self.X, self.Y]), np.repeat([1.0, -1.0], len(self.X)), self._sentence()
        )


def of_equal_pairs(D: Matrix, X: Points, Y: Points) -> Matrix:
    """Return D with the row of the first of equal pairs for all of them, with changed sign if the sides are swapped.

    A row is 0 if x_i = y_i. In a matrix product, entries that should be equal differ by rounding. In discrete data only
    this rounding would be left of a block whose pairs cancel, and MONK would divide by it.
    """
    equal = first_equal(np.concatenate([X, Y]))
    if (equal == np.arange(len(equal))).all():
        return D
    x, y = np.split(equal, 2)
    pair, direction = first_equal(np.sort(np.column_stack([x, y]), axis=1)), np.sign(y - x)
    sign = direction * direction[pair]
    if sign.all() and (pair == np.arange(len(pair))).all():
        return D
    return sign[:, None] * D[np.ix_(pair, pair)] * sign


def first_equal(points: Points) -> Rows:
    """Return for each row of points (n, d) the number of the first row that equals it, (n,)."""
    if len(np.unique(points[:, 0])) == len(points):  # measurements usually have no ties
        return np.arange(len(points))
    first = {}
    return np.array([first.setdefault(tuple(row), i) for i, row in enumerate(points.tolist())])


def about_a_medoid(K: Gram) -> Matrix:
    """Return <φ(z_i) - φ(z), φ(z_j) - φ(z)>, (N, N), from the Gram matrix K of all z_i, about their medoid z.

    The medoid has the least median distance to the others. No difference of features changes, and the common part of
    all features is removed before anything is summed. The mean instead of z would not do: one far outlier moves it, and
    takes digits from all other points.
    """
    square = K.diagonal()
    z = int(np.median(square[:, None] + square - 2 * K, axis=1).argmin())
    return K - K[z] - K[:, z, None] + K[z, z]


def features(D: Matrix) -> Matrix | None:
    """Return coordinates ψ (N, r) of the pairs' differences, ψ ψ' = D, r <= 64, or None if D has no such low rank.

    Polynomial(2) in one dimension has r = 2, Gaussian in one dimension about 17; in ten dimensions it has none.
    """
    return coordinates(D, min(MOST, len(D)))
