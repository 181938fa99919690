"""Whether rows that follow one another depend on each other, and for how many rows that lasts."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any

import numpy as np

from explorer import checks
from explorer.alignment import aligned
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import centred, permutations
from explorer.discrepancy.results.test_result import TestResult
from explorer.kernels import Kernel
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.linalg import eigh_psd
from explorer.printing import format_number, printed
from explorer.processors import side_by_side
from explorer.record import record
from explorer.rng import seed_of, stream
from explorer.synonyms import explain_wrong_calls
from explorer.types import Matrix, Points, PointsLike, Rng, Rows, Values, Vector

from .points import one_sample
from .splits import FeatureRows, GramRows

# s on a usual core, for an order, a lag and a pair of rows, or a pair of features of a row
PAIR, PRODUCT = 1.5e-9, 1e-10
TAKEN = 4e-9  # s for an order, a lag and a row, within stretches
LONGEST = 5.0  # s that the orders may take by features
FEWEST = 50  # features
LAGS = 5  # of the memory of rows
RESAMPLES = 199  # of the memory of rows
TOGETHER = 50  # orders at a time
STRETCH = 20  # rows, about, in which neighbours are permuted: a break lies in one stretch, a short memory in all
MOST = 1_000  # stretches, evenly apart, of either side: of more rows than these have, others are not looked at
STRETCHES = 8  # whose kernel is computed at once: eight times the values, an eighth of the calls
LEFT_OUT = 0.1  # of the stretches, those whose neighbours are most alike: a break may lie there
FEW = 4  # stretches; of fewer, none is left out
TIES = 1e-9  # standard deviations: statistics that differ by less differ by rounding
FLAT = 1e-12  # of the kernel's values: standard deviations below it are rounding
LANDMARKS, COMPONENTS = 300, 5  # rows that principal components are found on, and how many of these
SURE_LEVEL = 0.01  # for rows that are too few for their memory: chance takes the power of few at this level
STRONG = 3.5  # standard deviations of the null: a long memory of some 100 rows or more reaches more nearly always
WEAK = 2.0  # rows that count as one at most if it does not: what looks like more then is a further break
SURE = 3.0  # standard errors 1/sqrt(n) above which an autocorrelation counts


@printed
@record(kw_only=True)
class RowDependence(TestResult):
    """The answer of `row_dependence`, a TestResult; str() is a sentence.

    lag      how many rows apart the rows are that depend on each other most
    profile  (L,), the statistic at each lag 1 ... L

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
        """The answer in words, with those for its kernel."""
        against = f"p = {self.pvalue:.3g} against {len(self.null_distribution)} {self.resamples}"
        if self.rejected():
            found = f"Neighbouring rows depend on each other, most of all at lag {self.lag}, {against}"
        else:
            found = f"No dependence of neighbouring rows is found, {against}"
        return f"{found}: {self.name} is {self.statistic:.4g}, under {under}, for n = {self.n} rows."


@printed
@record(kw_only=True)
class RowMemory(RowDependence):
    """The answer of `row_memory`, a RowDependence: whether neighbouring rows are alike, and for how long.

    length  about how many rows count as one independent row: (1 + ρ) / (1 - ρ) if each is ρ times the one before it and
            noise, see `memory_length`
    level   the level at which a memory is said to be found

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
        """Whether neighbouring rows are alike, p <= level."""
        return self.rejected(self.level)

    def independent(self, n: int) -> float:
        """How many of n rows would be independent, about."""
        return n / self.length

    def clause(self) -> str:
        """What was found, with lag and p, to begin a sentence with."""
        return (
            f"Neighbouring {self.counted} are alike (most of all at lag {self.lag}, p = {self.pvalue:.3g}; about"
            f" {format_number(self.length)} {self.counted} count as one)"
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
    """Test whether the rows of X (n, d), in order of time, depend on the rows up to `lags` rows before: RowDependence.

    With K the centred Gram matrix, the HSIC of the rows and of those l rows later, on a circle, is

        HSIC_l = (1/n²) Σ_st K[s, t] K[s + l, t + l],   indices modulo n,

    `profile` at l = 1 ... `lags`. The statistic is max_l (HSIC_l - m_l) / sd_l, with m_l and sd_l the mean and the
    standard deviation of HSIC_l over the observed order and B random ones together. p = (1 + #{null >= observed}) /
    (1 + B) is exact for every n if the rows are exchangeable, ties counted. A small p says that they are not: they
    depend on their neighbours, or their distribution changes. The dependence need not be linear. HSIC: Gretton,
    Bousquet, Smola and Schölkopf 2005 (ALT), equation (9); of a series: Chwialkowski and Gretton 2014 (ICML).

    X        points in order of time, or a DataFrame, whose words are compared by equality
    kernel   None is Gaussian(); an automatic bandwidth is the median heuristic on all rows
    lags     1 to n / 2
    time     what sorts the rows; rows with dates are sorted by them first, as in `scan`

    O(B lags n²). If that takes more than about two seconds, as beyond some 1000 rows, landmarks stand for the kernel,
    and `approximation` says so; p stays exact. Raises ValueError for fewer than 4 rows or too many lags, and TypeError
    for what is no sample.

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
        raise Refusal(f"lags is {lags}, and X has {n} rows; on a circle of these, lags beyond {n // 2} come again.")
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
    """Test whether neighbouring rows P (n, d) are more alike than rows some more apart: a RowMemory.

    Rows are permuted within stretches of about 20 that follow one another, of which none goes across the split; where a
    side has more than 1,000, so many are taken, evenly apart. In each stretch of m rows, K its centred Gram matrix, the
    statistic is

        T = Σ_l 2^(1-l) Σ_t K[t, t + l],   l = 1 ... 5,

    less its mean over the observed and all other orders, over its standard deviation. These are summed over all
    stretches but the tenth with the largest ones, one at least of four or more: a break inside a stretch makes that one
    look like memory, and breaks between stretches change nothing. p is exact if the rows of each stretch are
    exchangeable and the split does not depend on their order; it is about right for the best split of a scan.
    `profile` has the standardised sums of each lag over all stretches; `memory_length` takes the split, and
    is 2 at most if T is no more than 3.5 standard deviations of the null above its mean.
    """
    n, split = len(P), 0 if split is None else split
    contrast, generator = kernel.contrast(P, 0.0), stream(rng, "memory")
    sides = [side for side in np.split(np.arange(n), [split]) if len(side) >= LAGS] or [np.arange(n)]
    parts = [_local_sums(contrast, P, side[0], len(side), generator) for side in sides]
    values = np.concatenate([part for part, _ in parts], axis=1)
    least = FLAT * max(size for _, size in parts)
    weights, count = 0.5 ** np.arange(LAGS), values.shape[1]
    standard = np.sort(_standardised(values @ weights, least), axis=1)
    kept = count - (math.ceil(LEFT_OUT * count) if count >= FEW else 0)
    sums = standard[:, :kept].sum(axis=1) / math.sqrt(kept)
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

    As if rows were autoregressions of order 1, ρ = max r_l^(1/l) over the lags l = 1 ... 5 and the leading kernel
    principal components, r_l their autocorrelations, of which those of l > 1 count as 0 below 3/sqrt(n); less their
    bias of -(1 + 3ρ)/n (Kendall 1954, Biometrika 41, 403). The rows on either side of a split are centred by
    themselves, so that one break is no memory.
    """
    n = len(P)
    contrast = kernel.contrast(P, 0.0)
    Z = P[np.linspace(0, n - 1, min(n, LANDMARKS)).round().astype(int)]
    values, vectors = eigh_psd(centred(contrast(Z)))
    S = contrast(P, Z) @ vectors[:, -COMPONENTS:][:, values[-COMPONENTS:] > FLAT * values.sum()]
    S = np.concatenate([part - part.mean(axis=0) for part in np.split(S, [split or 0]) if len(part)])
    size = np.square(S).sum(axis=0)
    S, size = S[:, size > 0], size[size > 0]
    found = 0.0
    for lag in range(1, min(LAGS, n - 1) + 1):
        r = np.einsum("tk,tk->k", S[:-lag], S[lag:]) / size * n / (n - lag)
        top = float(r.max(initial=0.0))
        if top > (0 if lag == 1 else SURE / math.sqrt(n)):
            found = max(found, min(top, 1.0) ** (1 / lag))
    rho = min(found + (1 + 3 * found) / n if found else 0.0, 1 - 1 / n)
    return (1 + rho) / (1 - rho)


def _local_sums(contrast, P, start, n, generator):
    """Σ_t K[t, t + l] of each stretch j of rows [start, start + n) and each lag l, for the observed order and RESAMPLES
    others, (B + 1, J, LAGS), and the largest value of the kernel."""
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
        found = np.zeros((len(order), count, LAGS))
        for lag in range(1, min(LAGS, m - 1) + 1):
            found[..., lag - 1] = flat.take(place + order[..., :-lag] * m + order[..., lag:]).sum(axis=2)
        return found

    parts = side_by_side(sums, orders(), TAKEN * RESAMPLES * LAGS * count * m)
    return np.concatenate(list(parts)), float(np.abs(grams).max())


def _grams(contrast, P, starts, m):
    """The Gram matrices of m rows of P from each start on, (J, m, m): of numbers those of several at a time."""
    together = STRETCHES if P.dtype.kind == "f" else 1  # values of words take longer than a call
    found = np.empty((len(starts), m, m))
    for first in range(0, len(starts), together):
        some = starts[first : first + together]
        K = contrast(P[(some[:, None] + np.arange(m)).ravel()]).reshape(len(some), m, len(some), m)
        found[first : first + together] = K[np.arange(len(some)), :, np.arange(len(some))]
    return found


def _standardised(values: Matrix, least: float) -> Matrix:
    """Values (B + 1, ...) less their mean, over their standard deviation; 0 if that is at most `least`."""
    spread = values.std(axis=0)
    away = values - values.mean(axis=0)
    return np.divide(away, spread, out=np.zeros_like(away), where=spread > least)
