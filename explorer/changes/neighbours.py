"""Tests whether successive rows depend on each other, and for how many rows that lasts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import centred, permutations
from explorer.discrepancy.results.test_result import TestResult
from explorer.execution.processors import side_by_side
from explorer.kernels import Kernel
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.linalg import eigh_psd
from explorer.printing import format_number, printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.rng import seed_of, stream
from explorer.tables.alignment import aligned
from explorer.types import Matrix, Points, PointsLike, Rng, Rows, Values, Vector

from .points import one_sample
from .splits import FeatureRows, GramRows

# Seconds on a typical core for an order and a lag, for each pair of rows, or each pair of features of a row.
PAIR, PRODUCT = 1.5e-9, 1e-10
TAKEN = 4e-9  # seconds for an order, a lag and a row, within stretches
LONGEST = 5.0  # most seconds that the orders may take by features
FEWEST = 50  # least number of features
LAGS = 5  # lags of the memory of rows
RESAMPLES = 199  # permutations of the test for memory
TOGETHER = 50  # orders that are computed at a time
STRETCH = 20  # rows, about, of a stretch whose rows are permuted: a break lies in one stretch, a short memory in all
MOST = 1_000  # most stretches on either side, evenly spaced; rows between them are not used
STRETCHES = 8  # stretches whose kernel is computed in one call: eight times the values, an eighth of the calls
LEFT_OUT = 0.1  # share of stretches, those with the most similar neighbours, that are left out: a break may lie there
FEW = 4  # with fewer stretches, none is left out
TIES = 1e-9  # statistics that differ by less than this number of standard deviations differ by rounding
FLAT = 1e-12  # standard deviations below this share of the kernel's values are rounding
LANDMARKS, COMPONENTS = 300, 5  # rows from which principal components are computed, and the number of these
SURE_LEVEL = 0.01  # level for rows that are too few for their memory; at it, chance seldom costs few rows their power
STRONG = 3.5  # standard deviations of the null that a long memory of some 100 rows or more nearly always exceeds
WEAK = 2.0  # largest memory length below STRONG: a longer one then comes from another break
SURE = 3.0  # standard errors 1/sqrt(n) above which an autocorrelation counts


@printed
@record(kw_only=True)
class RowDependence(TestResult):
    """Result of `row_dependence`, a TestResult; str() is a sentence.

    Attributes
    ----------
    lag : int
        Lag, in rows, of the strongest dependence.
    profile : ndarray of shape (L,)
        The statistic at each lag 1 ... L.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import row_dependence
    >>> from explorer.changes import RowDependence
    >>> noise = np.random.default_rng(0).normal(size=101)
    >>> result = row_dependence(noise[1:] + noise[:-1], rng=0)
    >>> isinstance(result, RowDependence), result.lag, result.pvalue
    (True, 1, 0.005)
    """

    __test__ = False

    lag: int
    profile: Vector

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "profile", checks.read_only(self.profile))

    def sentence(self, under: str) -> str:
        """Return the answer as a sentence, with the description `under` of its kernel.

        Parameters
        ----------
        under : str
            Description of the kernel.

        Returns
        -------
        str
            The sentence.
        """
        against = f"p = {self.pvalue:.3g} against {len(self.null_distribution)} {self.resamples}"
        if self.rejected():
            answer = f"Neighbouring rows depend on each other, most of all at lag {self.lag}, {against}"
        else:
            answer = f"No dependence of neighbouring rows is found, {against}"
        return f"{answer}: {self.name} is {self.statistic:.4g}, under {under}, for n = {self.n} rows."


@printed
@record(kw_only=True)
class RowMemory(RowDependence):
    """Result of `row_memory`, a RowDependence: whether neighbouring rows are alike, and for how long.

    Attributes
    ----------
    length : float
        About how many rows count as one independent row: (1 + ρ) / (1 - ρ) if each row is ρ times the one before it
        plus noise, see `memory_length`.
    level : float
        Level at which a memory counts as found.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import scan
    >>> from explorer.changes import RowMemory
    >>> noise = np.random.default_rng(0).normal(size=202)
    >>> memory = scan(noise[2:] + noise[1:-1] + noise[:-2], rng=0).memory
    >>> isinstance(memory, RowMemory), memory.found, memory.lag
    (True, True, 1)
    """

    length: float
    level: float

    @property
    def found(self) -> bool:
        """True if neighbouring rows are alike, p <= level."""
        return self.rejected(self.level)

    def independent(self, n: int) -> float:
        """Return about how many of n rows are independent.

        Parameters
        ----------
        n : int
            Number of rows.

        Returns
        -------
        float
            The number over `length`.
        """
        return n / self.length

    def clause(self) -> str:
        """Return the finding, with lag and p, as the first clause of a sentence.

        Returns
        -------
        str
            The clause.
        """
        rows = self.counted or "rows"
        return (
            f"Neighbouring {rows} are similar (most of all at lag {self.lag}, p = {self.pvalue:.3g}; about"
            f" {format_number(self.length)} {rows} count as one independent {rows.removesuffix('s')})"
        )


@explain_wrong_calls
@aligned("X time")
def row_dependence(
    X: PointsLike,
    kernel: Kernel | None = None,
    lags: int = LAGS,
    n_resamples: int = 199,
    rng: Rng = None,
    *,
    time: Any = None,
) -> RowDependence:
    r"""Test whether the rows of X, in order of time, depend on the rows up to `lags` rows before them.

    Use it before tests that need exchangeable rows, such as `mmd_test` and `hsic_test`. To find when rows have changed,
    use `scan`.

    A small p means that the rows are not exchangeable: they depend on their neighbours, or their distribution changes.
    The dependence need not be linear.

    Parameters
    ----------
    X : array_like of shape (n, d) or DataFrame
        Points in order of time. Words of a DataFrame are compared by equality.
    kernel : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on all rows.
    lags : int, default 5
        Number of lags, 1 to n / 2.
    n_resamples : int, default 199
        Number B of random orders.
    rng : int, Generator or None, default None
        Seed or generator of the orders.
    time : str, array_like of shape (n,) or None, default None
        Column or values that sort the rows. Rows with dates are sorted by them first, as in `scan`.

    Returns
    -------
    RowDependence
        The test, with its profile over the lags.

    Raises
    ------
    ValueError
        If there are fewer than 4 rows, or too many lags.
    TypeError
        If X is not a sample.

    Notes
    -----
    With K the centred Gram matrix, the HSIC of the rows and of those l rows later, on a circle, is

    .. math:: \mathrm{HSIC}_l = \frac1{n^2} \sum_{st} K_{s,t} K_{s+l,t+l}, \quad \text{indices modulo } n,

    `profile` at l = 1 ... `lags`. The statistic is max_l (HSIC_l - m_l) / sd_l, with m_l and sd_l the mean and the
    standard deviation of HSIC_l over the observed order and B random ones together. p = (1 + #{null >= observed}) / (1
    + B) is exact for every n if the rows are exchangeable, ties counted.

    The cost is O(B lags n²). If that takes more than about two seconds, as for more than about 1000 rows, landmarks
    replace the kernel, and `approximation` says so; p stays exact.

    References
    ----------
    HSIC: Gretton, Bousquet, Smola and Schölkopf 2005 (ALT), equation (9).

    HSIC of a series: Chwialkowski and Gretton 2014 (ICML).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import row_dependence
    >>> noise = np.random.default_rng(0).normal(size=201)
    >>> row_dependence(noise, rng=0).rejected(0.05), row_dependence(noise[1:] + noise[:-1], rng=0).rejected(0.05)
    (False, True)
    """
    lags, n_resamples = checks.whole(lags, "lags", 1), checks.whole(n_resamples, "n_resamples", 1)
    kernel, P, columns, *_ = one_sample(X, kernel, 4, time=time, sort=True)
    n = len(P)
    if lags > n // 2:
        raise Refusal(f"lags is {lags}, and the {n} rows of X form a circle; give at most {n // 2}.")
    exact = values_take(kernel, n**2, P.shape[1]) + PAIR * n_resamples * (lags + 1) * n**2
    most = max(FEWEST, int(math.sqrt(LONGEST / (PRODUCT * n_resamples * lags * n))))
    low, name = stand_in(kernel, P, "auto", None, 0 if rng is None else rng, exact, most=most)
    rows = GramRows(kernel, P) if low is None else FeatureRows(low, P)
    orders = chain([np.arange(n)], chain.from_iterable(permutations(n, n_resamples, rng)))
    takes = PAIR * (lags + 1) * n**2 if low is None else PRODUCT * lags * n * low.rank**2
    values = np.array(list(side_by_side(partial(rows.lagged, lags=lags), orders, n_resamples * takes, takes)))
    standard = _standardised(values, FLAT * rows.size**2 / n**2)
    peaks = standard.max(axis=1)
    return RowDependence(
        peaks[0],
        peaks[1:],
        "the largest standardised HSIC of rows and later ones",
        kernel,
        n,
        tolerance=TIES,
        columns=columns,
        seed=seed_of(rng),
        approximation=name,
        counted="rows",
        lag=int(standard[0].argmax()) + 1,
        profile=values[0],
    )


def row_memory(
    kernel: Kernel,
    P: Points,
    level: float,
    split: int | None = None,
    columns: tuple[str, ...] = (),
    rng: Rng = None,
) -> RowMemory:
    r"""Test whether neighbouring rows are more alike than rows that are some rows apart.

    Parameters
    ----------
    kernel : Kernel
        Kernel of the rows.
    P : ndarray of shape (n, d)
        Rows, in order of time.
    level : float
        Level at which a memory counts as found.
    split : int or None, default None
        First row after a break; each side is tested by itself.
    columns : tuple of str, default ()
        Names of the columns.
    rng : int, Generator or None, default None
        Seed or generator of the permutations.

    Returns
    -------
    RowMemory
        The test. `profile` has the standardised sums of each lag over all stretches; `length` is that of
        `memory_length` with the split, and at most 2 if T is no more than 3.5 standard deviations of the null above its
        mean.

    Notes
    -----
    Rows are permuted within consecutive stretches of about 20 rows, none of which crosses the split. If a side has more
    than 1,000 stretches, 1,000 are used, evenly spaced. In each stretch of m rows, with centred Gram matrix K, the
    statistic is

    .. math:: T = \sum_{l=1}^5 2^{1-l} \sum_t K_{t,t+l}

    minus its mean over the observed and all other orders, over its standard deviation. These are summed over all
    stretches except the tenth with the largest values, at least one of four or more stretches: a break inside a stretch
    makes that stretch look like memory, and breaks between stretches change nothing. p is exact if the rows of each
    stretch are exchangeable and the split does not depend on their order; it is about right for the best split of a
    scan.
    """
    n, split = len(P), 0 if split is None else split
    contrast, generator = kernel.contrast(P, 0.0), stream(rng, "memory")
    sides = [side for side in np.split(np.arange(n), [split]) if len(side) >= LAGS] or [np.arange(n)]
    parts = [_local_sums(contrast, P, side[0], len(side), generator) for side in sides]
    values = np.concatenate([part for part, _ in parts], axis=1)
    least = FLAT * max(size for _, size in parts)
    weights, count = 0.5 ** np.arange(LAGS), values.shape[1]
    standard = np.sort(_standardised(values @ weights, least), axis=1)
    included = count - (math.ceil(LEFT_OUT * count) if count >= FEW else 0)
    sums = standard[:, :included].sum(axis=1) / math.sqrt(included)
    profile = _standardised(values, least)[0].sum(axis=0) / math.sqrt(count)
    length, strong = memory_length(kernel, P, split), sums[0] - sums[1:].mean() > STRONG * sums[1:].std()
    length = length if strong else min(length, WEAK)
    return RowMemory(
        sums[0],
        sums[1:],
        "the standardised likeness of neighbouring rows",
        kernel,
        n,
        tolerance=TIES,
        resamples=f"permutations within stretches of about {STRETCH} rows",
        columns=columns,
        seed=seed_of(rng),
        counted="rows",
        lag=int(profile.argmax()) + 1,
        profile=profile,
        length=length,
        level=level,
    )


def memory_length(kernel: Kernel, P: Points, split: int | None = None) -> float:
    """Return about how many rows P (n, d) count as one independent row: (1 + ρ) / (1 - ρ), 1 or more.

    This assumes autoregressions of order 1: ρ = max r_l^(1/l) over the lags l = 1 ... 5 and the leading kernel
    principal components, r_l their autocorrelations (those of l > 1 count as 0 below 3/sqrt(n)), minus their bias of
    -(1 + 3ρ)/n (Kendall 1954, Biometrika 41, 403). The rows on either side of a split are centred by themselves, so
    that one break does not count as memory.
    """
    n = len(P)
    contrast = kernel.contrast(P, 0.0)
    Z = P[np.linspace(0, n - 1, min(n, LANDMARKS)).round().astype(int)]
    values, vectors = eigh_psd(centred(contrast(Z)))
    S = contrast(P, Z) @ vectors[:, -COMPONENTS:][:, values[-COMPONENTS:] > FLAT * values.sum()]
    S = np.concatenate([part - part.mean(axis=0) for part in np.split(S, [split or 0]) if len(part)])
    size = np.square(S).sum(axis=0)
    S, size = S[:, size > 0], size[size > 0]
    largest = 0.0
    for lag in range(1, min(LAGS, n - 1) + 1):
        r = np.einsum("tk,tk->k", S[:-lag], S[lag:]) / size * n / (n - lag)
        top = float(r.max(initial=0.0))
        if top > (0 if lag == 1 else SURE / math.sqrt(n)):
            largest = max(largest, min(top, 1.0) ** (1 / lag))
    rho = min(largest + (1 + 3 * largest) / n if largest else 0.0, 1 - 1 / n)
    return (1 + rho) / (1 - rho)


def _local_sums(contrast, P, start, n, generator):
    """Return sums of neighbours' kernel values in stretches of rows [start, start + n), and the largest value.

    The sums Σ_t K[t, t + l] of each stretch j and each lag l have the shape (B + 1, J, LAGS), for the observed order
    and RESAMPLES others.
    """
    whole = max(1, round(n / STRETCH))
    count, m = min(whole, MOST), n // whole
    starts = start + np.linspace(0, n - m, count).round().astype(int)
    grams = _grams(contrast, P, starts, m)
    flat = np.array([centred(K) for K in grams]).ravel()
    place = np.arange(count)[:, None] * m * m

    def orders() -> Iterator[Rows]:
        for first in range(0, RESAMPLES + 1, TOGETHER):
            order = np.tile(np.arange(m), (min(TOGETHER, RESAMPLES + 1 - first), count, 1))
            order[first == 0 :] = generator.permuted(order[first == 0 :], axis=2)
            yield order

    def sums(order: Rows) -> Values:
        values = np.zeros((len(order), count, LAGS))
        for lag in range(1, min(LAGS, m - 1) + 1):
            values[..., lag - 1] = flat.take(place + order[..., :-lag] * m + order[..., lag:]).sum(axis=2)
        return values

    parts = side_by_side(sums, orders(), TAKEN * RESAMPLES * LAGS * count * m)
    return np.concatenate(list(parts)), float(np.abs(grams).max())


def _grams(contrast, P, starts, m):
    """Return the Gram matrices (J, m, m) of m rows of P from each start on, for numbers several in one call."""
    together = STRETCHES if P.dtype.kind == "f" else 1  # one value of words takes longer than a call of numbers
    grams = np.empty((len(starts), m, m))
    for first in range(0, len(starts), together):
        some = starts[first : first + together]
        K = contrast(P[(some[:, None] + np.arange(m)).ravel()]).reshape(len(some), m, len(some), m)
        grams[first : first + together] = K[np.arange(len(some)), :, np.arange(len(some))]
    return grams


def _standardised(values: Matrix, least: float) -> Matrix:
    """Return values (B + 1, ...) minus their mean, over their standard deviation; 0 if that is at most `least`."""
    spread = values.std(axis=0)
    away = values - values.mean(axis=0)
    return np.divide(away, spread, out=np.zeros_like(away), where=spread > least)
