"""Exact sums of random features: a kernel mean from which rows can be subtracted, in any order and any pieces."""

from __future__ import annotations

import math
from functools import partial
from typing import Self, cast

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal, WrongType
from explorer.execution.processors import side_by_side
from explorer.kernels import Kernel
from explorer.kernels.low_rank import FourierFeatures
from explorer.kernels.low_rank.fourier import refuse_other_kernels
from explorer.printing import echo, join_list, plural
from explorer.types import Matrix, Points, PointsLike, Vector

from .embedding import Embedding

FINE = 2.0**30  # features are rounded to 1 / FINE: their sums are whole numbers below 2^63
COARSE = 2.0**16  # factors of products are rounded to 1 / COARSE: a float holds a sum of 2^20 products exactly
MOST = 2**31  # largest number of rows: their sums of products are below 2^63
BLOCK = 2**21  # numbers of a block of features: 16 MB
TAKES = 0.05  # seconds that a full block takes
NEAR = 2**17  # numbers of a part of a block whose waves stay in the processor's cache
FAR = 2.0**32  # largest number of turns of a wave: its phase is off by a millionth of a turn there
SPANNED = 1e-12  # share of the largest eigenvalue: waves that the points cannot distinguish have less
FLAT = 1e-9  # share of the features' squared norm 1: a smaller variance is rounding of the stored sums
REACH = 1e4  # bandwidths over which the points of an embedding lie: waves of similar frequencies differ there


def waves(low: FourierFeatures, X: Points) -> Matrix:
    """Compute cos <ω_j, x_i> and sin <ω_j, x_i>, with bits that do not depend on the other rows.

    A matrix product would sum a row's terms in an order that depends on how many rows there are.

    Parameters
    ----------
    low : FourierFeatures
        The frequencies ω_j.
    X : ndarray of shape (n, d)
        The rows.

    Returns
    -------
    ndarray of shape (n, 2J)
        The cosines, then the sines.
    """
    turns, J = low.frequencies / (2 * math.pi), len(low.frequencies)
    F, rows = np.empty((len(X), 2 * J)), max(1, NEAR // J)
    for start in range(0, len(X), rows):
        part = slice(start, start + rows)
        total = _turned(X[part], turns)
        np.cos(total, out=F[part, :J])
        np.sin(total, out=F[part, J:])
    return F


def _turned(X, turns):
    """Compute <ω_j, x_i> as angles of one turn, (n, J)."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = np.multiply.outer(X[:, 0], turns[:, 0])
        each = np.empty_like(total)
        for k in range(1, X.shape[1]):
            total += np.multiply.outer(X[:, k], turns[:, k], out=each)
    if not (np.abs(total) < FAR).all():
        raise Refusal(
            "rows lie so far from 0, compared with the bandwidth, that their features have no digits left; subtract a"
            " point that is common to all rows of all sketches, or give a larger bandwidth."
        )
    total -= np.rint(total, out=each)
    total *= 2 * math.pi
    return total


def _part_sums(low, X):
    """Compute the sums of features and of their products over the rows of a part, whole numbers."""
    F = waves(low, X)
    sums = np.rint(FINE * F).astype(np.int64).sum(axis=0)
    F *= COARSE
    np.rint(F, out=F)
    return sums, (F.T @ F).astype(np.int64)


def refuse_alike(variances: Vector, whose: str) -> None:
    """Refuse sketches whose features have no variance.

    Parameters
    ----------
    variances : ndarray of shape (features,)
        The variances along orthogonal directions.
    whose : str
        What the message calls the rows' owner.

    Raises
    ------
    Refusal
        If the variances sum to less than rounding.
    """
    if variances.sum() < FLAT:
        raise Refusal(
            f"the rows of {whose} lie so near to one another, compared with the bandwidth, that their features are"
            " alike; make sketches with a smaller bandwidth."
        )


class FeatureSums:
    """Sums Σ φ(x_i) and Σ φ(x_i) φ(x_i)' of n rows x_i in whole numbers, for random features φ of a kernel.

    Features are rounded to 2^-30 for the first sum and to 2^-16 for the second, once for each row. Whole numbers add to
    the same bits in any order, and rows that were added can be subtracted again.

    Parameters
    ----------
    kernel : Kernel
        Gaussian or Laplacian, with its bandwidth chosen.
    features : int, default 1000
        Number of features, even: a cosine and a sine for each wave.
    rng : int, default 0
        Seed of the frequencies.
    """

    kernel: Kernel
    features: int
    rng: int
    n: int
    columns: tuple[str, ...] | None  # names of the coordinates; None if the rows had none
    low: FourierFeatures | None  # None until rows say how many coordinates they have

    def __init__(self, kernel: Kernel, features: int = 1000, rng: int = 0) -> None:
        refuse_other_kernels(kernel)
        self.kernel = kernel.chosen()
        self.features, self.rng = checks.whole(features, "features", 2), checks.whole(rng, "rng", 0)
        if self.features % 2:
            raise Refusal(f"features must be an even number, a cosine and a sine for each wave, not {features}.")
        self.n, self.columns, self.low = 0, None, None

    def _begin(self, d):
        """Draw the waves for rows of d coordinates."""
        self.low = FourierFeatures.draw(self.kernel, d, self.features, self.rng)
        self.sums = np.zeros(self.features, np.int64)
        self.products = np.zeros((self.features, self.features), np.int64)

    def update(self, X: PointsLike) -> Self:
        """Add rows, in place, on all cores; a DataFrame's columns are matched by their names.

        Nothing is kept of rows that are refused. O(n features²).

        Parameters
        ----------
        X : array_like of shape (n, d)
            The rows.

        Returns
        -------
        FeatureSums
            The object itself.
        """
        X = frames.in_order(X, self.columns, ("X", "the sketch"))
        names = frames.names_of(X)
        points = self.kernel.points(X, "X")
        if self.low is None:
            self._begin(points.shape[1])
        low = self.finite_rank
        points = low.points(points)
        if self.columns is None and self.n == 0:
            self.columns = names
        if self.n + len(points) > MOST:
            raise Refusal(f"a sketch holds {MOST:,} rows at most; begin another one.")
        rows = max(1, BLOCK // self.features)
        parts = [points[start : start + rows] for start in range(0, len(points), rows)]
        sums, products = self.sums.copy(), self.products.copy()
        seconds = TAKES * len(points) * self.features / BLOCK
        for added, multiplied in side_by_side(partial(_part_sums, low), parts, seconds):
            sums += added
            products += multiplied
        self.n, self.sums, self.products = self.n + len(points), sums, products
        return self

    @property
    def finite_rank(self) -> FourierFeatures:
        """The kernel of finite rank; a Refusal if no row has been added yet."""
        if self.low is None:
            raise Refusal("the sketch has no rows yet; add some by update(X).")
        return self.low

    def refuse_other(self, other: object, doing: str) -> Self:
        """Return `other` if it has sums of the same features, else refuse it and name what differs.

        Parameters
        ----------
        other : object
            What is combined with this object.
        doing : str
            Names the operation in the message.

        Returns
        -------
        FeatureSums
            The other object.
        """
        if not isinstance(other, FeatureSums):
            raise WrongType(f"{doing} takes a second sketch, not {echo(other)}.")
        for name in ("kernel", "features", "rng"):
            mine, theirs = getattr(self, name), getattr(other, name)
            if mine != theirs:
                raise Refusal(
                    f"the two sketches have different features: {name} is {echo(mine)} in one and {echo(theirs)} in"
                    " the other; make both with the same kernel, features and rng."
                )
        if self.low is not None and other.low is not None and self.low != other.low:
            d, e = (each.frequencies.shape[1] for each in (self.low, other.low))
            raise Refusal(
                f"the rows of one sketch have {plural(d, 'coordinate')} and those of the other {e}; both need the same."
            )
        if self.columns and other.columns and self.columns != other.columns:
            raise Refusal(
                f"the rows of one sketch are {join_list(map(echo, self.columns))}, and those of the other"
                f" {join_list(map(echo, other.columns))}; make both of the same columns in one order."
            )
        return cast("Self", other)

    def __add__(self, other: Self) -> Self:
        return self._with(other, 1, "+")

    def __sub__(self, other: Self) -> Self:
        return self._with(other, -1, "-")

    def _with(self, other, sign, doing):
        """Return new sums: of the rows of both or, if the sign is -1, of the first one's rows without the second's."""
        other = self.refuse_other(other, f"a sketch {doing}")
        if self.n + sign * other.n < 0:
            raise Refusal(
                f"{other.n} rows cannot be taken off {self.n}; take off a sketch of some of the first one's rows."
            )
        if self.n + sign * other.n > MOST:
            raise Refusal(f"a sketch holds {MOST:,} rows at most; keep the two apart.")
        made = type(self)(self.kernel, self.features, self.rng)
        made.columns = self.columns or other.columns
        for each, times in ((self, 1), (other, sign)):
            if each.low is not None:
                if made.low is None:
                    made._begin(each.low.frequencies.shape[1])
                made.n += times * each.n
                made.sums += times * each.sums
                made.products += times * each.products
        return made

    def __eq__(self, other: object) -> bool:
        """Return whether all is the same to the last bit; names of columns are compared only if both have them."""
        if not isinstance(other, FeatureSums):
            return NotImplemented
        mine, theirs = ((each.kernel, each.features, each.rng, each.n, each.low) for each in (self, other))
        if mine != theirs or (self.columns and other.columns and self.columns != other.columns):
            return False
        if self.low is None:
            return True
        return np.array_equal(self.sums, other.sums) and np.array_equal(self.products, other.products)

    __hash__ = None  # pyright: ignore[reportAssignmentType], it changes in place

    def copy(self) -> Self:
        """Return another object of the same rows.

        Returns
        -------
        FeatureSums
            The copy.
        """
        return self + type(self)(self.kernel, self.features, self.rng)

    @property
    def mean(self) -> Vector:
        """The mean of φ(x_i), shape (features,), with ``|φ(x)| = 1`` for every x: coordinates of the kernel mean."""
        low = self.finite_rank
        if self.n == 0:
            raise Refusal("the sketch has no rows left, so it has no mean; add some by update(X).")
        return self.sums / (FINE * self.n * math.sqrt(len(low.frequencies)))

    @property
    def covariance(self) -> Matrix:
        """The covariance of φ(x_i), shape (features, features), divided by n."""
        mean = self.mean
        return self.products / (COARSE**2 * self.n * len(self.finite_rank.frequencies)) - np.outer(mean, mean)

    def terms(self, other: Self) -> Vector:
        """Compute the terms of the unbiased MMD² under k̂, one for each feature: their sum is the statistic.

        Parameters
        ----------
        other : FeatureSums
            The second sample.

        Returns
        -------
        ndarray of shape (features,)
            Terms of ``|m_x - m_y|²`` minus ``(1 - |m|²) / (n - 1)`` of either sample, as ``|φ(x)| = 1``.
        """
        other = self.refuse_other(other, "mmd2 of a sketch")
        for each in (self, other):
            if each.n < 2:
                raise Refusal(
                    f"the unbiased MMD² needs two rows of either sample, and a sketch has {each.n}; add rows."
                )
        apart = np.square(self.mean - other.mean)
        return apart - sum((1 / self.features - np.square(each.mean)) / (each.n - 1) for each in (self, other))

    def mmd2(self, other: Self) -> float:
        """Compute the unbiased MMD² of the rows of two sketches, under their features' kernel of finite rank.

        Parameters
        ----------
        other : FeatureSums
            The second sample.

        Returns
        -------
        float
            The statistic.
        """
        return float(self.terms(other).sum())

    def mmd2_error(self, other: Self) -> float:
        r"""Compute the standard error of `mmd2` as an estimate of the unbiased MMD² of the same rows under the kernel.

        Parameters
        ----------
        other : FeatureSums
            The second sample.

        Returns
        -------
        float
            The standard error.

        Raises
        ------
        Refusal
            If there are fewer than four features, which have no spread, or if `mmd2` refuses.

        Notes
        -----
        With t the `terms` and J = features / 2

        .. math:: \text{error} = \frac{\operatorname{sd}_j(J (t_j + t_{J+j}))}{\sqrt J}

        mmd2 is the mean of J independent and identically distributed numbers, one for each wave, whose expectation is
        the kernel's MMD²; this is their spread over √J, exact in the limit of many waves. It needs no rows, and it is
        not a limit: if contributions are rare and of one sign, as those of points that are near compared with the
        bandwidth, the error is too small when mmd2 is. Of 21 kinds of samples of 100 + 100 rows with 1, 3 and 10
        coordinates, the 99 % limit of Student's t by it was passed in 0 to 24 % of 400 draws of 20 features and in 0 to
        9 % of 100.
        """
        return self._spread_over_waves(self.terms(other))

    @property
    def error(self) -> float:
        r"""The standard error of ``|mean|²`` as an estimate of the rows' ``|μ̂|²`` under the kernel itself.

        .. math:: \text{error} = \frac{\operatorname{sd}_j(J (m_j^2 + m_{J+j}^2))}{\sqrt J}

        Here μ̂ is the rows' kernel mean, m its mean of features and J = features / 2. It is computed by the spread over
        waves, as `mmd2_error` is for the MMD² of two sketches.
        """
        return self._spread_over_waves(np.square(self.mean))

    def _spread_over_waves(self, terms):
        """Compute the standard error over waves of a sum of terms (features,), one for each feature."""
        low = self.finite_rank
        count = len(low.frequencies)
        if count < 2:
            raise Refusal(
                f"the error is the spread over waves, and a sketch of {self.features} features has one; make sketches"
                " of 4 features or more."
            )
        return float(np.std(low.by_frequency(terms), ddof=1) / math.sqrt(count))

    def embed(self) -> Embedding:
        """Return the mean of k̂(x_i, .) as an Embedding under k̂, at points that span its features and are not rows.

        Returns
        -------
        Embedding
            The kernel mean. Its `error` is the part of the mean that the points miss.
        """
        low, mean = self.finite_rank, self.mean
        shape = 2 * self.features, low.frequencies.shape[1]
        Z = REACH * cast("float", self.kernel.chosen().length_scale) * np.random.default_rng(0).standard_normal(shape)
        F = low.features(Z)
        values, vectors = np.linalg.eigh(F.T @ F)
        kept = values > SPANNED * values[-1]
        weights = F @ (vectors[:, kept] @ ((vectors[:, kept].T @ mean) / values[kept]))
        return Embedding(low, Z, weights).approximating(float(np.linalg.norm(weights @ F - mean)))
