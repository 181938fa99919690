"""Several samples: whether any two of their distributions differ, and which, at one level over all."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks, frames
from explorer.alignment import pooled
from explorer.checks import Refusal
from explorer.discrepancy.resampling.groups import group_codes
from explorer.discrepancy.resampling.permutation import SLACK, permutations
from explorer.discrepancy.resampling.row_blocks import RowBlocks
from explorer.discrepancy.resampling.tiled_gram import select
from explorer.discrepancy.results.test_result import TestResult, pvalue
from explorer.elsewhere import refuse_other
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.low_rank.automatic import stand_in
from explorer.kernels.low_rank.missing import Missed
from explorer.printing import echo, join_list, printed
from explorer.processors import limit_threads
from explorer.record import record
from explorer.rng import seed_of
from explorer.types import PointsLike, Rng, Vector, VectorLike

from .two_samples import allowed_error, exact_seconds, gram_of, mmd_test, refuse_text_beside_numbers


class PairDifference(NamedTuple):
    """Two of several samples, by their positions, the `mmd_test` of them alone, and its p adjusted for all pairs.

    >>> import numpy as np
    >>> from explorer.discrepancy import PairDifference, several_test
    >>> rng = np.random.default_rng(0)
    >>> samples = [rng.normal(mean, 1.0, (20, 1)) for mean in (0.0, 0.0, 2.0)]
    >>> result = several_test(samples, n_resamples=99, rng=0)
    >>> last: PairDifference = result.pairs[-1]
    >>> last.first, last.second, float(last.test.pvalue), float(last.adjusted)
    (1, 2, 0.01, 0.01)
    """

    first: int
    second: int
    test: TestResult
    adjusted: float


@printed
@record(kw_only=True)
class SeveralResult(TestResult):
    """A TestResult of k samples; its n is how many rows they have together. Besides what every TestResult has:

    sizes   (k,) how many rows each sample has
    pairs   a PairDifference for every two of them, in their order

    >>> import numpy as np
    >>> from explorer.discrepancy import SeveralResult, several_test
    >>> rng = np.random.default_rng(0)
    >>> samples = [rng.normal(mean, 1.0, (20, 1)) for mean in (0.0, 0.0, 2.0)]
    >>> result: SeveralResult = several_test(samples, n_resamples=99, rng=0)
    >>> float(result.pvalue), [(pair.first, pair.second) for pair in result.differing(0.05)]
    (0.01, [(0, 2), (1, 2)])
    """

    sizes: tuple[int, ...]
    pairs: tuple[PairDifference, ...]

    def differing(self, level: float = 0.05) -> list[PairDifference]:
        """The pairs that differ at the level, which holds over all pairs together; none where p is above it."""
        return [pair for pair in self.pairs if pair.adjusted <= level]

    def sentence(self, under: str) -> str:
        """The answer in words, with those for its kernel."""
        sizes = join_list(map(str, self.sizes), 60)
        return (
            f"{self.name[:1].upper()}{self.name[1:]} is {self.statistic:.4g} with p = {self.pvalue:.3g}, under {under},"
            f" for {sizes} rows against {len(self.null_distribution)} {self.resamples}.{self._caveat()}"
        )


@limit_threads
def several_test(
    samples: Sequence[PointsLike],
    kernel: Kernel | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
    groups: ArrayLike | None = None,
    approximation: Literal["auto"] | None = None,
) -> SeveralResult:
    """The permutation test that k samples, (n_a, d) each, are of one distribution, and which two are not.

    The statistic is the dispersion between samples T = Σ_a n_a |μ̂_a - μ̂|^2 = Σ_{a<b} (n_a n_b / N) |μ̂_a - μ̂_b|^2, N
    the number of all rows and μ̂ their kernel mean (Rizzo and Székely 2010, Ann. Appl. Stat. 4, 1034, have it for the
    energy kernel). Its p is by permutations of all rows, and exact if they are exchangeable (within groups, if these
    are given), for all sizes, B and kinds of data. Each pair has the p of `mmd_test` by permutations of its own rows
    alone, which is exact if these are exchangeable, whatever the other samples are. All pairs together are adjusted as
    `adjusted_pvalues` does: at any level, the probability that one of the pairs whose distributions are equal has an
    adjusted p below it is at most that level.

    samples points, or DataFrames, which meet as those of `mmd_test` do
    kernel  one for all, chosen on all rows; None is Gaussian()
    groups  labels of all rows, the first sample's first, as in `mmd_test`: permutations stay within a group
    approximation  "auto" is exact where that takes two seconds at most, and within groups; else random landmarks stand
            for the kernel and blocks of rows are permuted, as in `mmd_test`

    O(B N^2); samples of two rows and more. Raises ValueError, TypeError for samples that do not go together.

    >>> import numpy as np
    >>> from explorer.discrepancy import several_test
    >>> rng = np.random.default_rng(0)
    >>> result = several_test([rng.normal(shift, 1.0, (30, 1)) for shift in (0.0, 0.0, 1.5)], n_resamples=199, rng=0)
    >>> result.pvalue, [(pair.first, pair.second) for pair in result.differing()]
    (0.005, [(0, 2), (1, 2)])
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    given: Kernel = Gaussian() if kernel is None else kernel
    refuse_other(given, Kernel, "kernel", optional=True)
    names = [f"sample {a + 1}" for a in range(len(samples))]
    groups = pooled(groups, samples, "groups", names)
    samples = frames.together(samples, names)
    columns = next(filter(None, map(frames.names_of, samples)), ())
    if given.space == "numbers" and (found := frames.mixed(samples, names, given)):
        samples, given, columns = found[:3]
    parts = [given.points(sample, name) for sample, name in zip(samples, names, strict=True)]
    _refuse_unlike(parts, names)
    P, sizes = np.concatenate(parts), tuple(map(len, parts))
    ends = np.cumsum(sizes)
    kernel, codes = select(given, P), None if groups is None else group_codes(groups, len(P), "rows of all samples")
    if approximation not in (None, "auto"):
        raise Refusal(f"approximation must be 'auto' or None for the kernel as it is, not {echo(approximation)}.")
    exact = 0.0 if codes is not None else exact_seconds(kernel, P, 2 * n_resamples)
    spread = 2 / min(sizes)
    low, name = stand_in(kernel, P, approximation, None, rng, exact, allowed_error(spread))
    if low is not None:
        return _by_blocks(low, name, kernel, parts, n_resamples, rng, columns)
    gram = gram_of(kernel, P)
    orders = np.concatenate(list(permutations(len(P), n_resamples, rng, codes)))
    observed, *null = _dispersions(gram, np.concatenate([np.arange(len(P))[None], orders]), ends)
    tolerance = SLACK * gram.magnitude / min(sizes)
    both = list(itertools.combinations(range(len(parts)), 2))
    tests = [_test_of_pair(parts, a, b, kernel, n_resamples, rng, codes, ends) for a, b in both]
    joint = float(pvalue(null, observed, tolerance))
    adjusted = adjusted_pvalues([test.pvalue for test in tests], len(parts), joint)
    return SeveralResult(
        observed,
        np.array(null),
        f"the dispersion between {len(parts)} samples",
        kernel,
        len(P),
        tolerance=tolerance,
        resamples="permutations" if codes is None else f"permutations within {codes.max() + 1} groups",
        columns=columns,
        seed=seed_of(rng),
        approximation=name,
        error=None if name is None else 0.0,
        sizes=sizes,
        pairs=tuple(
            PairDifference(a, b, test, p) for (a, b), test, p in zip(both, tests, adjusted.tolist(), strict=True)
        ),
    )


def _by_blocks(low, name, kernel, parts, n_resamples, rng, columns):
    """The SeveralResult by landmarks and blocks of rows."""
    blocks = RowBlocks.of(low, parts, rng)
    observed, null, tolerance = blocks.dispersions(n_resamples, rng)
    N, error, tests = sum(map(len, parts)), 0.0, {}
    how: dict[str, Any] = {
        "resamples": blocks.resamples,
        "columns": columns,
        "seed": seed_of(rng),
        "approximation": name,
    }
    for a, b in itertools.combinations(range(len(parts)), 2):
        X, Y = parts[a], parts[b]
        value, values, near = blocks.pair(a, b).test("unbiased", n_resamples, rng)
        missed = Missed(low, (X, Y), rng)
        found = {"tolerance": near, "error": missed.limit("unbiased"), **how}
        tests[a, b] = TestResult(value, values, "the unbiased MMD²", kernel, len(X), len(Y), **found)
        error += len(X) * len(Y) / N * missed.limit("biased")
    joint = float(pvalue(null, observed, tolerance))
    adjusted = adjusted_pvalues([test.pvalue for test in tests.values()], len(parts), joint)
    return SeveralResult(
        observed,
        null,
        f"the dispersion between {len(parts)} samples",
        kernel,
        N,
        tolerance=tolerance,
        error=float(error),
        sizes=tuple(map(len, parts)),
        pairs=tuple(
            PairDifference(a, b, test, p) for ((a, b), test), p in zip(tests.items(), adjusted.tolist(), strict=True)
        ),
        **how,
    )


def _test_of_pair(parts, a, b, kernel, n_resamples, rng, codes, ends):
    """The `mmd_test` of two of the samples by permutations of their own rows."""
    within = None
    if codes is not None:
        within = np.concatenate([codes[ends[i] - len(parts[i]) : ends[i]] for i in (a, b)])
    try:
        return mmd_test(parts[a], parts[b], kernel, n_resamples=n_resamples, rng=rng, groups=within)
    except Refusal as error:
        raise type(error)(f"samples {a + 1} and {b + 1}: {error}") from error


def _refuse_unlike(parts, names):
    if len(parts) < 2:
        raise Refusal(f"samples holds {len(parts)}; give two samples or more.")
    for part, name in zip(parts, names, strict=True):
        checks.rows(part, name, 2)
        checks.same_dimension(parts[0], part, (names[0], name))
        refuse_text_beside_numbers(parts[0], part, (names[0], name))


def _dispersions(gram, orders, ends):
    """T for each order of all rows (B, N), of which the first sample takes the first places, and so on: (B,).

    The rows of the centred Gram matrix sum to 0, so that n_a |μ̂_a - μ̂|^2 is s'HKHs / n_a for the indicator s.
    """
    total = np.zeros(len(orders))
    for start, end in zip([0, *ends[:-1]], ends, strict=True):
        S = np.zeros(orders.shape, dtype=bool)
        np.put_along_axis(S, orders[:, start:end], True, axis=1)
        total += gram.forms(S)[0] / (end - start)
    return total


def adjusted_pvalues(pvalues: VectorLike, k: int, joint: float) -> Vector:
    """p of all k(k-1)/2 pairs of k samples, adjusted for how many they are; `joint` is the p that all are equal.

    From the least on, each is multiplied by how many pairs can be equal at most: given that some differ, and that the
    pairs before it do (Shaffer 1986, J. Am. Stat. Assoc. 81, 826); none is below the one before it or `joint`. For
    three samples no p is multiplied: where one pair differs, one other can be equal at most.

    >>> from explorer.discrepancy import adjusted_pvalues
    >>> adjusted_pvalues([0.001, 0.03, 0.6], 3, 0.004).tolist()
    [0.004, 0.03, 0.6]
    """
    p = np.asarray(pvalues, dtype=np.float64)
    adjusted, least, most = np.empty(len(p)), joint, (k - 1) * (k - 2) // 2
    for rank, i in enumerate(np.argsort(p, kind="stable")):
        equal = max(count for count in equal_pairs(k) if count <= min(len(p) - rank, most))
        least = max(least, min(1.0, equal * p[i]))
        adjusted[i] = least
    return adjusted


@cache
def equal_pairs(k: int) -> frozenset[int]:
    """How many pairs of k samples can be of equal distributions: the sums of g(g-1)/2 over the parts g of all
    partitions of k.
    """
    if k == 0:
        return frozenset({0})
    return frozenset(g * (g - 1) // 2 + rest for g in range(1, k + 1) for rest in equal_pairs(k - g))
