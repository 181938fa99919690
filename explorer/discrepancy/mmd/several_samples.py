"""Tests of several samples: whether any two of their distributions differ, and which, at one level over all."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from functools import cache
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.discrepancy.resampling.groups import group_codes
from explorer.discrepancy.resampling.permutation import SLACK, permutations
from explorer.discrepancy.resampling.row_blocks import RowBlocks
from explorer.discrepancy.resampling.tiled_gram import select
from explorer.discrepancy.results.test_result import TestResult, pvalue
from explorer.execution.processors import limit_threads
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.low_rank.automatic import stand_in
from explorer.kernels.low_rank.residual import Residual
from explorer.printing import echo, join_list, printed
from explorer.public_names.synonyms import refuse_other
from explorer.record import record
from explorer.rng import seed_of
from explorer.tables.alignment import pooled
from explorer.types import PointsLike, Rng, Vector, VectorLike

from .mean_differences import gram_of
from .two_samples import allowed_error, exact_seconds, mmd_test, refuse_text_beside_numbers


class PairDifference(NamedTuple):
    """Test of two of several samples, with its p-value adjusted for the number of pairs.

    Attributes
    ----------
    first : int
        Position of the first sample.
    second : int
        Position of the second sample.
    test : TestResult
        `mmd_test` of these two samples.
    adjusted : float
        P-value adjusted for all pairs.

    Examples
    --------
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
    """TestResult of k samples; n is the number of all rows.

    Attributes
    ----------
    statistic : float
        Observed value.
    null_distribution : ndarray of shape (B,)
        Statistic of each resample, read-only.
    name : str
        Name of the statistic.
    kernel : Kernel
        The kernel, chosen.
    n : int
        Size of the first sample, or the number of pairs or rows.
    m : int or None
        Size of the second sample, or None if n counts something else.
    tolerance : float
        Null values that are below the statistic by at most this are ties with it.
    resamples : str
        Name of the resamples that make the null distribution.
    error : float or None
        Distance of the statistic from that of the kernel itself if a low-rank kernel replaced it, else None.
    columns : tuple
        Names of the DataFrame columns that the kernels compare.
    seed : int or None
        Integer rng of the resamples; None for a Generator or fresh entropy.
    approximation : str or None
        Name of what replaced the kernels; None is the kernels themselves.
    counted : str or None
        Name of what n counts if it is neither a sample's points nor pairs.
    sizes : tuple of int
        Number of rows of each sample.
    pairs : tuple of PairDifference
        Tests of every two samples, in their order.

    Examples
    --------
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
        """Return the pairs that differ at the level, which holds over all pairs together; none if p is above it.

        Parameters
        ----------
        level : float, default 0.05
            Level of the test, 0 < level < 1.

        Returns
        -------
        list of PairDifference
            The pairs.
        """
        return [pair for pair in self.pairs if pair.adjusted <= level]

    def sentence(self, under: str) -> str:
        """Return the result as a sentence.

        Parameters
        ----------
        under : str
            Name of the kernel.

        Returns
        -------
        str
            The sentence.
        """
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
    r"""Test whether k samples are of one distribution, and which two are not.

    Use it for three or more groups. For two use `mmd_test`, and for a table with named columns
    `comparison.compare_groups`.

    The p of all samples is by permutations of all rows. It is exact if they are exchangeable (within groups, if these
    are given), for all sizes, B and kinds of data. Each pair has the p of `mmd_test` by permutations of its own rows
    alone, which is exact if these are exchangeable, whatever the other samples are. All pairs together are adjusted as
    in `adjusted_pvalues`: at any level, the probability that one of the pairs whose distributions are equal has an
    adjusted p below it is at most that level.

    Parameters
    ----------
    samples : sequence of array_like of shape (n_a, d)
        Samples of at least two rows, or DataFrames, which are matched by column name as in `mmd_test`.
    kernel : Kernel or None, default None
        One kernel for all samples, chosen on all rows. None is ``Gaussian()``.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.
    groups : array_like of shape (N,) or None, default None
        Labels of all rows, the first sample's first, as in `mmd_test`: permutations stay within a group.
    approximation : {"auto"} or None, default None
        "auto" is exact if that takes at most two seconds, or if groups are given. Otherwise random landmarks
        approximate the kernel and blocks of rows are permuted, as in `mmd_test`.

    Returns
    -------
    SeveralResult
        The test of all samples and of every pair.

    Raises
    ------
    Refusal, TypeError
        If the samples have different dimensions or too few rows, or hold what the kernel does not take.

    Notes
    -----
    The statistic is the dispersion between samples

    .. math:: T = \sum_a n_a |\hat\mu_a - \hat\mu|^2 = \sum_{a<b} \frac{n_a n_b}{N} |\hat\mu_a - \hat\mu_b|^2,

    where N is the number of all rows and μ̂ is their kernel mean. The cost is O(B N^2).

    References
    ----------
    Rizzo and Székely 2010, Ann. Appl. Stat. 4, 1034, for the energy kernel.

    Examples
    --------
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
    """Return the SeveralResult by landmarks and blocks of rows."""
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
        missed = Residual(low, (X, Y), rng)
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
    """Run `mmd_test` of two of the samples by permutations of their own rows."""
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
    """Return T for each order of all rows (B, N): the first sample takes the first positions, and so on. Shape (B,).

    The rows of the centred Gram matrix sum to 0, so that ``n_a |μ̂_a - μ̂|^2`` is s'HKHs / n_a for the indicator s.
    """
    total = np.zeros(len(orders))
    for start, end in zip([0, *ends[:-1]], ends, strict=True):
        S = np.zeros(orders.shape, dtype=bool)
        np.put_along_axis(S, orders[:, start:end], True, axis=1)
        total += gram.forms(S)[0] / (end - start)
    return total


def adjusted_pvalues(pvalues: VectorLike, k: int, joint: float) -> Vector:
    """Adjust the p-values of all k(k-1)/2 pairs of k samples for their number, by Shaffer's method.

    From the least on, each p is multiplied by the largest number of pairs that can still be equal, given that some
    differ and that the pairs before it do. No p is below the one before it or below `joint`. For three samples no p is
    multiplied: if one pair differs, at most one other can be equal.

    Parameters
    ----------
    pvalues : array_like of shape (k(k-1)/2,)
        P-values of the pairs.
    k : int
        Number of samples.
    joint : float
        P-value of the hypothesis that all samples are equal.

    Returns
    -------
    ndarray of shape (k(k-1)/2,)
        The adjusted p-values.

    References
    ----------
    Shaffer 1986, J. Am. Stat. Assoc. 81, 826.

    Examples
    --------
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
    """Return the possible numbers of pairs of k samples with equal distributions.

    They are the sums of g(g-1)/2 over the parts g of all partitions of k.
    """
    if k == 0:
        return frozenset({0})
    return frozenset(g * (g - 1) // 2 + rest for g in range(1, k + 1) for rest in equal_pairs(k - g))
