"""Pairs of columns whose dependence differs between two samples, whatever each column does by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from explorer.discrepancy.columns.step_down import adjusted_pvalues, pvalues
from explorer.execution.cancellation import check_cancelled
from explorer.execution.processors import limit_threads_of_methods, side_by_side
from explorer.printing import minus
from explorer.rng import stream
from explorer.types import Mask, Matrix, Rng, Values, Vector

from .dependence import ALIKE, influence_values, own_scores, r_of, strength
from .reranked import Column, correlations, ranking_of
from .resamples import Resamples

MOST = 60  # most columns whose pairs a report and JSON include: 1,770 pairs
HELD = 2**22  # influence values and differences computed at a time: 32 MB, plus intermediate results
SCORES = 2**21  # scores of resamples computed at a time: 16 MB, plus intermediate results
DIFFERENCES = 2**24  # squared differences of correlations computed at a time: 128 MB
FIRST = 100  # each squared difference is divided by its mean over at least this number of splits
TOGETHER = 16  # most sets of 4096 rows that are ranked anew, if pairs miss cells in different rows
RANKED = 4096  # most rows that are ranked anew in each resample
TIMES = 2  # rows of the larger sample for each row of the smaller one, if there are more than RANKED
CLEAR = 3  # standard deviations by which a correlation of distances must change to be reported instead of that of ranks

# seconds per value on a typical core: for a column's scores, a pair's influence values, and a pair's dependence
SCORED, VALUED, MEASURED = 3e-7, 2e-7, 1e-7

RANK, DISTANCE = range(2)
NUMBERS = {
    (RANK, RANK): "Spearman's rank correlation",
    (RANK, DISTANCE): "correlation of the first's rank with the second's distance from its median",
    (DISTANCE, RANK): "correlation of the first's distance from its median with the second's rank",
    (DISTANCE, DISTANCE): "correlation of distances from the medians",
}
CATEGORY = {RANK: "correlation ratio of ranks", DISTANCE: "correlation ratio of distances from the median"}
CATEGORIES = "Cramér's V"


@limit_threads_of_methods
class PairChange(NamedTuple):
    """Change of the dependence of two columns between two samples.

    Attributes
    ----------
    first : str or int
        The first column.
    second : str or int
        The second column.
    pvalue : float
        p of this pair alone.
    adjusted : float
        p adjusted for all pairs: if no pair differs, P(any adjusted p <= level) <= level.
    before : float
        Dependence in the first sample.
    after : float
        Dependence in the second sample.
    measure : str
        What `before` and `after` are. For two numbers it is Spearman's rank correlation, from -1 to 1; if that does not
        change, a correlation in which the distances of the ranks from the median replace the ranks. For a number and a
        category it is the correlation ratio, from 0 to 1: the root of the share of the variance of ranks that lies
        between the levels. For two categories it is Cramér's V, from 0 to 1. Rare levels count as one.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.comparison import PairChange, compare
    >>> rng = np.random.default_rng(0)
    >>> a, z = rng.normal(size=(80, 2)), rng.normal(size=(80, 1))
    >>> b = z + 0.3 * rng.normal(size=(80, 2))
    >>> pair: PairChange = compare(a, b, n_resamples=199, rng=0).pairs[0]
    >>> pair.first, pair.second, float(pair.adjusted), round(pair.before, 1), round(pair.after, 1)
    ('x1', 'x2', 0.005, 0.1, 0.8)
    """

    first: str | int
    second: str | int
    pvalue: float
    adjusted: float
    before: float
    after: float
    measure: str

    def __str__(self) -> str:
        before, after = (minus(f"{value:.2f}") for value in (self.before, self.after))
        return (
            f"{self.first} and {self.second}: {self.measure} is {before} before and {after} after"
            f" (adjusted p = {self.adjusted:.3g})."
        )


def pair_changes(
    a: Matrix,
    b: Matrix,
    levels: Sequence[int],
    resamples: Resamples,
    names: Sequence[str | int] | None = None,
    tested: tuple[Matrix, Matrix] | None = None,
) -> list[PairChange]:
    """Return the change of each pair of columns of a (n, d) and b (m, d), in the order of the columns.

    Missing cells are NaN; a pair is compared over the rows in which both cells are present. `levels[j]` is 0 if column
    j contains numbers, else the number of levels that its codes 0, 1, ... stand for. The resamples are of the rows of
    `tested`, parts of a and b as `comparable` returns them; None tests all rows. For p see `pair_pvalues`.
    """
    pairs, p, adjusted = pair_pvalues(*(tested or (a, b)), levels, resamples)
    said, labels = _words(a, b, levels, pairs), range(len(levels)) if names is None else names
    return [
        PairChange(labels[i], labels[j], float(p[k]), float(adjusted[k]), *said[k]) for k, (i, j) in enumerate(pairs)
    ]


def _alone(samples, given, pairs, places, levels):
    """Return some pairs as indices into the columns that they use, and these columns over the available rows."""
    used = sorted({j for k in places for j in pairs[k]})
    own = [(used.index(i), used.index(j)) for i, j in (pairs[k] for k in places)]
    x, y = (X[rows][:, used] for X, rows in zip(samples, given, strict=True))
    return own, _columns(x, y, [levels[j] for j in used])


def _words(a, b, levels, pairs) -> list[tuple[float, float, str]]:
    """Return each pair's dependence before and after, and its measure, over all rows that have both cells."""
    found: dict[int, tuple[float, float, str]] = {}
    for given, places in _of_same_rows(a, b, pairs):
        own, columns = _alone((a, b), given, pairs, places, levels)
        sizes = tuple(int(rows.sum()) for rows in given)

        def words(pair: tuple[int, int], columns=columns, sizes=sizes) -> tuple[float, float, str]:
            return _dependence(columns[pair[0]], columns[pair[1]], sizes)

        found |= dict(zip(places, side_by_side(words, own, MEASURED * len(own) * sum(sizes)), strict=True))
    return [found[k] for k in range(len(pairs))]


def _of_same_rows(a, b, pairs) -> list[tuple[tuple[Mask, Mask], list[int]]]:
    """Return the rows of a and b in which both cells of a pair are present, and the pairs that have the same rows."""
    given, groups = [~np.isnan(X) for X in (a, b)], {}
    for k, (i, j) in enumerate(pairs):
        rows = [some[:, i] & some[:, j] for some in given]
        groups.setdefault(b"".join(each.tobytes() for each in rows), (tuple(rows), []))[1].append(k)
    return list(groups.values())


def comparable(a: Matrix, b: Matrix, rng: Rng) -> tuple[Matrix, Matrix]:
    """Return the rows of a (n, d) and b (m, d) whose pairs are tested: all, or a random part of the larger sample.

    The larger sample keeps the rows that make up 4096 with those of the smaller one, or twice as many as the smaller
    one has, if that is more. A correlation of n rows has a bias of about 1/n. If dependence is strong, the bias is not
    small relative to its standard deviation, and it differs if n and m do: all rows of a circle, 2000 + 20,000, were
    declared different in 20 of 150 tests at level .05.
    """
    few = min(len(a), len(b))
    most = max(RANKED - few, TIMES * few)
    generator = stream(rng, "rows whose pairs are tested")
    x, y = (X if len(X) <= most else X[generator.choice(len(X), most, replace=False)] for X in (a, b))
    return x, y


def pair_pvalues(
    a: Matrix, b: Matrix, levels: Sequence[int], resamples: Resamples
) -> tuple[list[tuple[int, int]], Vector, Vector]:
    """Return the pairs of columns of a (n, d) and b (m, d), their p and the p adjusted for all pairs, (pairs,) each.

    Each p is the larger of two: that of `pair_statistics` and, for at most 4096 rows in all, that of
    `reranked_statistics`. Both hold in the limit of many rows of either sample, if rows are independent and both
    samples have one copula (if a column has ties or levels: and one distribution, or no dependence). For few rows p is
    about right: each of the two rejects too often in cases in which the other does not, the first if sizes are unequal
    and dependence is strong, the second if both samples have few rows.

    Within subjects only the influence values are permuted, see `WithinSubjects`: each p is right in the limit of many
    subjects. All pairs share the resamples. If pairs miss cells, NaN, ranks are recomputed if their rows are few, as
    each set of rows needs resamples of its own; step-down treats these as if they were independent.
    """
    pairs = list(combinations(range(len(levels)), 2))
    statistics, ranked = np.zeros((2, resamples.count + 1, len(pairs))), np.zeros(len(pairs), dtype=bool)
    groups = _of_same_rows(a, b, pairs)
    for given, places in groups:
        own, columns = _alone((a, b), given, pairs, places, levels)
        whole = all(rows.all() for rows in given)
        statistics[0][:, places] = _statistics(columns, own, resamples, None if whole else np.concatenate(given))
        n, m = (int(rows.sum()) for rows in given)
        if resamples.ranked_anew and n + m <= (RANKED if whole else TOGETHER * RANKED // len(groups)):
            apart = resamples if whole else resamples.of_sizes(n, m)
            statistics[1][:, places], ranked[places] = _reranked(columns, own, apart), True
    p, adjusted = np.zeros((2, len(pairs)))
    for some, each in ((np.ones(len(pairs), dtype=bool), statistics[0]), (ranked, statistics[1])):
        if some.any():
            p[some] = np.maximum(p[some], pvalues(each[:, some]))
            adjusted[some] = np.maximum(adjusted[some], adjusted_pvalues(each[:, some]))
    return pairs, p, adjusted


def pair_statistics(
    a: Matrix, b: Matrix, levels: Sequence[int], resamples: Resamples
) -> tuple[list[tuple[int, int]], Matrix]:
    r"""Return the pairs of columns of a (n, d) and b (m, d), and a statistic of each in each resample, (B + 1, pairs).

    The statistic is

    .. math:: \sum w (r_b - r_a)^2 / (\sigma^2 (1/n + 1/m))

    over the correlations r of the scores of the two columns (see `own_scores`), with weight w = 1/2 if one of them is
    of distances from the median, else 1. A resample exchanges the rows' influence values z_i = r + ψ_i instead of the
    rows, and takes the difference of their means, which is r_b - r_a itself at the observed split; σ² is the variance
    of all n + m values. Rows cannot be exchanged themselves: the two samples may differ in each column alone, and ranks
    of mixed samples would show it. If both samples have one copula, the values ψ_i have one distribution in both, up to
    terms that vanish with 1/n, so that differences of the resamples and of the samples have the same normal limit, all
    pairs together: level and step-down hold for large samples, not exactly for small ones. If a column has ties, its
    distribution must be the same, too, or n about m.

    If dependence is strong and rows are few, σ² is too large and the test is conservative if n is about m. If it is
    not, the resamples use the large sample's σ²/n for the variance of the small sample's r, which is larger, and its
    bias of about 1/n is in no resample: `reranked_statistics` has both.

    A pair without scores has statistic 0, p = 1.

    Permutation of what is only in the limit exchangeable: Chung and Romano 2013 (Exact and asymptotically robust
    permutation tests); of ranks, for copulas: Seo 2021 (Randomization tests for equality in dependence structure).
    """
    pairs = list(combinations(range(len(levels)), 2))
    return pairs, _statistics(_columns(a, b, levels), pairs, resamples)


def reranked_statistics(
    a: Matrix, b: Matrix, levels: Sequence[int], resamples: Resamples
) -> tuple[list[tuple[int, int]], Matrix]:
    """Return the pairs of columns, and a statistic of each in each resample, (B + 1, pairs), as `pair_statistics` does.

    Here r is the correlation itself, recomputed from the rows of each group: a resample exchanges the rows' ranks
    within their own samples, which are ranked anew within the group that they come to (see `Ranking`), as Seo 2021
    does. The r of n rows therefore has its bias, its variance and its skewness in the resamples, too, and they are
    right if m is much larger than n. Each (r_b - r_a)² is divided by its mean over the splits, or over the first ones,
    if there are very many.
    """
    pairs = list(combinations(range(len(levels)), 2))
    return pairs, _reranked(_columns(a, b, levels), pairs, resamples)


def _columns(a, b, levels) -> list[Column]:
    """Return the scores of each column in both samples."""
    each = zip(a.T, b.T, levels, strict=True)
    return list(side_by_side(lambda column: own_scores(*column), each, SCORED * len(levels) * (len(a) + len(b))))


def _statistics(columns: list[Column], pairs, resamples, given: Mask | None = None) -> Matrix:
    """Return the statistics of influence values, (B + 1, pairs), over all rows or those in `given` (n + m,)."""
    statistics = np.zeros((resamples.count + 1, len(pairs)))

    def values(one: tuple[int, slice]) -> Values:
        pair, some = one
        first, second = (columns[j] for j in pairs[pair])
        return _influence_values((first[0].keep(some), first[1].keep(some)), second)

    for batch in _batches(pairs, columns, resamples):
        Z = list(side_by_side(values, batch, VALUED * len(batch) * (resamples.n + resamples.m)))
        squares = np.square(resamples.differences(np.concatenate(Z).T, given))
        ends = np.cumsum([len(z) for z in Z])
        for (p, _), z, end in zip(batch, Z, ends, strict=True):
            statistics[:, p] += squares[:, end - len(z) : end].sum(axis=1)
    n, m = resamples.n, resamples.m
    if given is not None:
        n, m = (max(int(some.sum()), 1) for some in (given[:n], given[n:]))
    return statistics / (1 / n + 1 / m)


def _reranked(columns: list[Column], pairs, resamples) -> Matrix:
    """Return the statistics of correlations of each group's own ranks, shape (B + 1, pairs)."""
    statistics = np.zeros((resamples.count + 1, len(pairs)))
    terms = np.array([first.terms for first, _ in columns])
    starts = np.cumsum(terms) - terms
    which = [p for p, (i, j) in enumerate(pairs) if terms[i] and terms[j]]
    if not which:
        return statistics
    rows, others, weights, ends = [], [], [], [0]
    for i, j in (pairs[p] for p in which):
        block = np.indices((int(terms[i]), int(terms[j]))).reshape(2, -1)
        rows.append(starts[i] + block[0])
        others.append(starts[j] + block[1])
        weights.append(np.minimum.outer(columns[i][0].weights, columns[j][0].weights).ravel())
        ends.append(ends[-1] + len(weights[-1]))
    rows, others, weights = (np.concatenate(each) for each in (rows, others, weights))
    some = [column for column in columns if column[0].terms]
    rankings = [ranking_of(column) for column in some]
    step = max(1, SCORES // (int(terms.sum()) * (resamples.n + resamples.m)))
    held = max(FIRST, DIFFERENCES // len(weights))
    for start in range(0, len(statistics), held):
        stop, squares = min(start + held, len(statistics)), []
        for first in range(start, stop, step):
            check_cancelled()
            a, b = correlations(some, rankings, resamples.members(slice(first, min(first + step, stop))))
            squares.append(np.square((b - a)[:, rows, others]))
        squares = np.concatenate(squares)
        if start == 0:
            mean = squares.mean(axis=0)
            weights = np.divide(weights, mean, out=np.zeros_like(weights), where=mean > ALIKE**2)
        statistics[start:stop, which] = np.add.reduceat(squares * weights, ends[:-1], axis=1)
    return statistics


def _batches(pairs, columns, resamples) -> Iterator[list[tuple[int, slice]]]:
    """Yield batches of (pair, some scores of its first column) that fit into memory."""
    batch, held = [], 0
    for p, (i, j) in enumerate(pairs):
        size = columns[j][0].terms * (resamples.n + resamples.m + resamples.count)
        step = max(1, HELD // max(size, 1))
        for k in range(0, columns[i][0].terms if size else 0, step):
            batch.append((p, slice(k, k + step)))
            held += size * min(step, columns[i][0].terms - k)
            if held > HELD:
                yield batch
                batch, held = [], 0
    if batch:
        yield batch


def _influence_values(first: Column, second: Column) -> Values:
    """Return scaled influence values of all rows, a's first, (products, n + m), times the root of their weights."""
    z = np.concatenate([influence_values(x, y) for x, y in zip(first, second, strict=True)], axis=-1)
    z = z.reshape(-1, z.shape[-1])
    deviations = z.std(axis=1, keepdims=True)
    # the columns are functions of each other, and the function is the same in both samples
    constant = deviations < ALIKE
    weights = np.minimum.outer(first[0].weights, second[0].weights).reshape(-1, 1)
    return np.where(constant, 0.0, z * (np.sqrt(weights) / np.where(constant, 1.0, deviations)))


def _dependence(first: Column, second: Column, sizes: tuple[int, int]) -> tuple[float, float, str]:
    """Return a pair's dependence before and after, in samples of these sizes, and what measures it."""
    changes = np.abs(r_of(first[1], second[1]) - r_of(first[0], second[0]))
    i, j = RANK, RANK
    if changes.size and changes.max() > CLEAR * np.sqrt(sum(1 / size for size in sizes)):
        i, j = divmod(int(changes.argmax()), changes.shape[1])
    numbers = first[0].ties is not None, second[0].ties is not None
    curves = [[s.curve(i), t.curve(j)] for s, t in zip(first, second, strict=True)]
    if all(numbers):
        before, after = (float(np.mean(x * y)) for x, y in curves)
        return before, after, NUMBERS[i, j]
    before, after = (strength(x, y) for x, y in curves)
    if any(numbers):
        return before, after, CATEGORY[i if numbers[0] else j]
    return before, after, CATEGORIES
