"""Which pairs of columns go together differently in two samples, whatever each column does by itself."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np

from explorer.printing import minus
from explorer.stopping import go_on
from explorer.types import Matrix, Values

from .dependence import ALIKE, OwnScores, influence_values, own_scores, r_of, strength
from .resamples import Resamples
from .stepdown import adjusted_pvalues, pvalues

MOST = 60  # columns whose pairs a report and JSON tell: 1,770 pairs
HELD = 2**22  # influence values and differences at a time: 32 MB, and what is computed of them
CLEAR = 3  # deviations by which a correlation of distances must change to be told in place of that of ranks

RANK, DISTANCE = range(2)
NUMBERS = {
    (RANK, RANK): "Spearman's rank correlation",
    (RANK, DISTANCE): "correlation of the first's rank with the second's distance from its median",
    (DISTANCE, RANK): "correlation of the first's distance from its median with the second's rank",
    (DISTANCE, DISTANCE): "correlation of distances from the medians",
}
CATEGORY = {RANK: "correlation ratio of ranks", DISTANCE: "correlation ratio of distances from the median"}
CATEGORIES = "Cramér's V"


class PairChange(NamedTuple):
    """How the dependence of two columns differs between two samples.

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
    """Of this pair alone."""
    adjusted: float
    """Over all pairs: where no pair differs, P(any adjusted p <= level) <= level."""
    before: float
    """The dependence in the first sample."""
    after: float
    """And in the second."""
    measure: str
    """What `before` and `after` are.

    Of two numbers Spearman's rank correlation, from -1 to 1; where it is not what changes, a correlation that has
    distances from the median, in ranks, in place of ranks. Of a number and a category the correlation ratio, from 0 to
    1: the root of the share of the variance of ranks that lies between the levels. Of two categories Cramér's V, from
    0 to 1. Rare levels count as one.
    """

    def __str__(self) -> str:
        before, after = (minus(f"{value:.2f}") for value in (self.before, self.after))
        return (
            f"{self.first} and {self.second}: {self.measure} is {before} before and {after} after"
            f" (adjusted p = {self.adjusted:.3g})."
        )


def pair_changes(
    a: Matrix, b: Matrix, levels: Sequence[int], resamples: Resamples, names: Sequence[str | int] | None = None
) -> list[PairChange]:
    """All pairs of columns of a (n, d) and b (m, d), in the order of the columns; see `pair_statistics`."""
    columns = _columns(a, b, levels)
    pairs, statistics = _statistics(columns, resamples)
    labels = range(len(levels)) if names is None else names
    told = (_dependence(columns[i], columns[j], resamples) for i, j in pairs)
    return [
        PairChange(labels[i], labels[j], float(p), float(adjusted), *what)
        for (i, j), p, adjusted, what in zip(
            pairs, pvalues(statistics), adjusted_pvalues(statistics), told, strict=True
        )
    ]


def pair_statistics(
    a: Matrix, b: Matrix, levels: Sequence[int], resamples: Resamples
) -> tuple[list[tuple[int, int]], Matrix]:
    """Pairs of columns of a (n, d) and b (m, d), and a statistic of each in each resample, (B + 1, pairs).

    levels[j] is 0 where column j has numbers, else how many levels its codes 0, 1, ... stand for.

    The statistic is Σ w (r_b - r_a)² / (σ² (1/n + 1/m)) over the correlations r of the scores of the two columns (see
    `own_scores`), with weight w = 1/2 where one of them is of distances from the median, else 1. A resample exchanges
    the rows' influence values z_i = r + ψ_i in place of the rows, and takes the difference of their means, which is r_b
    - r_a itself at the observed split; σ² is the variance of all n + m values. Rows cannot be exchanged as they are:
    the two samples may differ in each column alone, and ranks of mixed samples would show it. Where both samples have
    one copula, the values ψ_i have one distribution in both, up to terms that vanish with 1/n, so that differences of
    the resamples and of the samples have the same normal limit, all pairs together: level and step-down hold for large
    samples, not exactly for small ones. Where a column has ties, its distribution must be the same, too, or n about m.
    (Studentised differences would need neither, but their level was worse at 40 and 200 rows.) Where dependence is
    strong and rows are few, σ² is too large and the test careful.
    A pair without scores has statistic 0, p = 1.

    Permutation of what is only in the limit exchangeable: Chung and Romano 2013 (Exact and asymptotically robust
    permutation tests); of ranks, for copulas: Seo 2021 (Randomization tests for equality in dependence structure).
    """
    return _statistics(_columns(a, b, levels), resamples)


Column = tuple[OwnScores, OwnScores]  # of a and of b


def _columns(a, b, levels) -> list[Column]:
    return [own_scores(x, y, count) for x, y, count in zip(a.T, b.T, levels, strict=True)]


def _statistics(columns: list[Column], resamples: Resamples) -> tuple[list[tuple[int, int]], Matrix]:
    pairs = list(combinations(range(len(columns)), 2))
    statistics = np.zeros((resamples.count + 1, len(pairs)))
    for batch in _batches(pairs, columns, resamples):
        Z = []
        for p, some in batch:
            first, second = (columns[j] for j in pairs[p])
            Z.append(_influence_values((first[0].keep(some), first[1].keep(some)), second))
        squares = np.square(resamples.differences(np.concatenate(Z).T))
        ends = np.cumsum([len(z) for z in Z])
        for (p, _), z, end in zip(batch, Z, ends, strict=True):
            statistics[:, p] += squares[:, end - len(z) : end].sum(axis=1)
    return pairs, statistics / (1 / resamples.n + 1 / resamples.m)


def _batches(pairs, columns, resamples) -> Iterator[list[tuple[int, slice]]]:
    """Numbers of pairs with some scores of their first columns, so many at a time as memory is meant for."""
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
    """Of all rows, a's first, over their deviation and times the root of their weight: (products, n + m)."""
    go_on()
    z = np.concatenate([influence_values(x, y) for x, y in zip(first, second, strict=True)], axis=-1)
    z = z.reshape(-1, z.shape[-1])
    deviations = z.std(axis=1, keepdims=True)
    constant = deviations < ALIKE  # the columns are functions of each other, the same in both samples
    weights = np.minimum.outer(first[0].weights, second[0].weights).reshape(-1, 1)
    return np.where(constant, 0.0, z * (np.sqrt(weights) / np.where(constant, 1.0, deviations)))


def _dependence(first: Column, second: Column, resamples: Resamples) -> tuple[float, float, str]:
    """A pair's dependence before and after, and what measures it."""
    go_on()
    changes = np.abs(r_of(first[1], second[1]) - r_of(first[0], second[0]))
    i, j = RANK, RANK
    if changes.size and changes.max() > CLEAR * np.sqrt(1 / resamples.n + 1 / resamples.m):
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
