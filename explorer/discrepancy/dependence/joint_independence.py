"""Joint independence of three or more samples that are paired row by row."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import MOST, SLACK, permutations
from explorer.discrepancy.resampling.tiled_gram import LARGE, select
from explorer.discrepancy.results.test_result import TestResult
from explorer.execution.cancellation import check_cancelled
from explorer.kernels import Kernel, in_prose
from explorer.printing import join_list, plural, printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.rng import seed_of, stream
from explorer.tables.alignment import aligned
from explorer.types import Matrix, PointsLike, Rng, Rows, Values, Vector

from .pairing import one_side

CUSTOMARY = 0.05  # level that the number of rows must allow
STRIP = 32  # number of rows that are gathered at a time, from the diagonal on
GATHERED = 2**14  # number of entries that are gathered at a time, over several orders: 128 KB stay in the cache


@printed
@record
class JointResult(TestResult):
    """TestResult of several samples that share their rows; n counts the rows, and there is a kernel for each sample.

    Attributes
    ----------
    statistic : float
        Observed value.
    null_distribution : ndarray of shape (B,)
        Statistic of each resample, read-only.
    name : str
        Name of the statistic.
    kernel : tuple of Kernel
        Kernel of each sample.
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

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import JointResult, dhsic_test
    >>> signs = np.array([(a, b, a * b) for a in (-1.0, 1.0) for b in (-1.0, 1.0)] * 16)
    >>> result: JointResult = dhsic_test(list(signs.T), n_resamples=99, rng=0)
    >>> float(result.pvalue), len(result.kernel)
    (0.01, 3)
    """

    counted: str | None = "rows"
    kernel: tuple[Kernel, ...]

    def _under(self):
        return join_list(map(in_prose, self.kernel, self.columns or [()] * len(self.kernel)), 400)


@explain_wrong_calls
@aligned("samples")
def dhsic(samples: Sequence[PointsLike], kernels: Kernel | Sequence[Kernel | None] | None = None) -> float:
    r"""Measure the joint dependence of d samples, paired row by row, by dHSIC.

    Use it to measure how far three or more variables are from joint independence. For two use `hsic`, and for a p
    `dhsic_test`.

    dHSIC is the squared distance of d samples from joint independence.

    Parameters
    ----------
    samples : sequence of array_like of shape (n, d_k)
        At least two samples; row i of all is one observation. Numbers, words or DataFrames, as the kernel takes them.
    kernels : Kernel, sequence of Kernel or None, default None
        One kernel for each sample, or one for all; None is ``Gaussian()``. An automatic bandwidth is the median
        heuristic on that sample.

    Returns
    -------
    float
        dHSIC in units of the product of all kernels; never below 0 except for rounding.

    Raises
    ------
    Refusal, TypeError
        If the samples have different numbers of rows or too few, or hold what a kernel does not take.

    Notes
    -----
    dHSIC is :math:`|\hat\mu_P - \hat\mu_1 \otimes \cdots \otimes \hat\mu_d|^2`, the V-statistic over n rows

    .. math::

        \frac{1}{n^2} \sum_{ij} \prod_k K^k_{ij} + \prod_k \frac{1}{n^2} \sum_{ij} K^k_{ij} - \frac2n \sum_i
        \prod_k \frac1n \sum_j K^k_{ij}.

    For two samples it is the biased `hsic`. If the product of the kernels is characteristic, as that of universal ones
    is, it tends to 0 only if the distribution of the rows is the product of its margins; that all pairs are independent
    is not sufficient. The cost is O(d n^2), for at most 6000 rows.

    References
    ----------
    Pfister, Bühlmann, Schölkopf, Peters 2018 (J. R. Stat. Soc. B 80, 5).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import dhsic
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=(2, 100))
    >>> z = np.sign(x * y) * abs(rng.normal(size=100))  # any two of the three are independent
    >>> round(dhsic([x, y, z]), 3), round(dhsic([x, y, rng.permutation(z)]), 3)
    (0.012, 0.003)
    """
    return JointSample(samples, kernels).observed()


@explain_wrong_calls
@aligned("samples")
def dhsic_test(
    samples: Sequence[PointsLike],
    kernels: Kernel | Sequence[Kernel | None] | None = None,
    *,
    n_resamples: int = 999,
    rng: Rng = None,
) -> JointResult:
    """Test whether d samples, paired row by row, are jointly independent, by `dhsic` and random permutations.

    Use it for three or more variables: it also sees dependence that no pair of them shows. For two use `hsic_test`.

    Every sample except the first is put in a random order of its own. All n!^(d-1) orders are equally likely if the
    samples are independent and each has exchangeable rows, so p = (1 + #{null >= observed}) / (1 + B) is exact, P(p <=
    α) <= α for all n, B and kinds of data. For two samples the null distribution is that of `hsic_test` with the same
    rng.

    Parameters
    ----------
    samples : sequence of array_like of shape (n, d_k)
        Samples, as in `dhsic`.
    kernels : Kernel, sequence of Kernel or None, default None
        Kernels, as in `dhsic`, with bandwidths fixed over the orders.
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.

    Returns
    -------
    JointResult
        The test.

    Raises
    ------
    Refusal, TypeError
        As `dhsic`, and if the rows have so few orders that no p can be 0.05.

    Notes
    -----
    The cost is O(B d n^2).

    References
    ----------
    Pfister et al. 2018 (J. R. Stat. Soc. B 80, 5).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import dhsic_test
    >>> rng = np.random.default_rng(0)
    >>> x, y = rng.normal(size=(2, 100))
    >>> z = np.sign(x * y) * abs(rng.normal(size=100))  # any two of the three are independent
    >>> result = dhsic_test([x, y, z], n_resamples=199, rng=0)
    >>> result.pvalue
    0.005
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    sample = JointSample(samples, kernels)
    refuse_few_orders(sample.n, len(sample.kernels))
    return JointResult(
        sample.observed(),
        sample.null(n_resamples, rng),
        f"the dHSIC of {len(sample.kernels)} samples",
        sample.kernels,
        sample.n,
        tolerance=sample.tolerance,
        columns=sample.columns,
        seed=seed_of(rng),
    )


class JointSample:
    """Checked samples of n rows, and the Gram matrix of each minus its mean.

    dHSIC is of second order in the variation of the kernels. Write K^k = b_k + U^k, where b_k is the mean of all
    entries, and let g^k be the row means of U^k. The terms of Π_k K^k of order 0 and 1 in U cancel between the three
    sums and are never computed, so no digit is lost if a kernel is nearly constant.

    `means` (d,) are the b_k, `parts` the d matrices U^k (n, n), `margins` the d vectors g^k (n,). `tolerance` is the
    largest difference that rounding may leave between equal values of two orders.
    """

    kernels: tuple[Kernel, ...]
    columns: tuple[tuple[str, ...], ...]
    n: int
    means: list[float]
    parts: list[Matrix]
    margins: list[Vector]
    tolerance: float

    def __init__(self, samples: Sequence[PointsLike], kernels: Kernel | Sequence[Kernel | None] | None) -> None:
        _refuse_no_samples(samples)
        names = [f"sample {k + 1}" for k in range(len(samples))]
        sides = [one_side(*each) for each in zip(samples, _for_each(kernels, len(samples)), names, strict=True)]
        points = [kernel.points(given, name) for (given, kernel, _), name in zip(sides, names, strict=True)]
        self.n = len(points[0])
        for name, P in zip(names, points, strict=True):
            if len(P) != self.n:
                raise Refusal(
                    f"sample 1 has {plural(self.n, 'row')} and {name} has {len(P)}; row i of all samples is one"
                    " observation: give"
                    " equally many of each."
                )
        if self.n > LARGE:
            raise Refusal(f"dHSIC stores a Gram matrix of {self.n} rows for each sample; give at most {LARGE} rows.")
        self.columns = tuple(columns for _, _, columns in sides)
        for name, P, columns in zip(names, points, self.columns, strict=True):
            checks.warn_of_lost_digits(P, name, columns)
        self.kernels = tuple(select(kernel, P, "rows") for (_, kernel, _), P in zip(sides, points, strict=True))
        grams = [kernel(P) for kernel, P in zip(self.kernels, points, strict=True)]
        self.means = [float(K.mean()) for K in grams]
        self.parts = [K - mean for K, mean in zip(grams, self.means, strict=True)]
        self.margins = [U.mean(axis=1) for U in self.parts]
        self.tolerance = self._tolerance(grams)

    def _tolerance(self, grams):
        """Return 64 eps of the magnitudes that are summed, plus the rounding of the entries of the Gram matrices.

        By Hölder's inequality the mean of ``|Π_k U^k|`` over entries is at most the product of their d-th power means,
        in every order of the rows.
        """
        d = len(grams)
        sizes = [_power_mean(U, d) for U in self.parts]
        moved = [size + SLACK * _power_mean(K, d) for size, K in zip(sizes, grams, strict=True)]
        level = [abs(mean) for mean in self.means]
        with np.errstate(over="ignore", invalid="ignore"):
            most, further = second_order(sizes, level), second_order(moved, level)
        if not most < MOST:
            raise Refusal(
                f"the kernels' values at {self.n} rows are so large that their products overflow; divide the"
                " points of each sample by a common number."
            )
        return float(3 * (SLACK * most + further - most))

    def observed(self) -> float:
        """Return dHSIC of the samples."""
        return float(self._of(np.tile(np.arange(self.n), (1, len(self.parts) - 1, 1)))[0])

    def null(self, count: int, rng: Rng) -> Vector:
        """Return dHSIC of `count` random orders of every sample except the first, (count,)."""
        wide = max(1, GATHERED // (self.n * min(self.n, STRIP)))
        parts = (batch[i : i + wide] for batch in self._orders(count, rng) for i in range(0, len(batch), wide))
        return np.concatenate([self._of(orders) for orders in parts])

    def _orders(self, count, rng) -> Iterator[Rows]:
        """Yield batches (b, d - 1, n) of orders: those of `hsic_test` for sample 2, and a stream for each later sample.

        So a larger count only appends, and one more sample does not change the others' orders.
        """
        streams = [rng, *(stream(rng, f"permutation of sample {k}") for k in range(3, len(self.kernels) + 1))]
        batches = zip(*(permutations(self.n, count, each) for each in streams), strict=True)
        return (np.stack(batch, axis=1) for batch in batches)

    def _of(self, orders):
        """Return dHSIC (b,) with all samples except the first in orders (b, d - 1, n), by strips above the diagonal."""
        check_cancelled()
        first = np.broadcast_to(np.arange(self.n), (len(orders), 1, self.n))
        orders = np.concatenate([first, orders], axis=1).swapaxes(0, 1)
        total = np.zeros(orders.shape[1])
        for start in range(0, self.n, STRIP):
            strip, right = slice(start, start + STRIP), slice(start, None)
            at = [self.n * p[:, strip, None] + p[:, None, right] for p in orders]
            entries = second_order([U.take(i) for U, i in zip(self.parts, at, strict=True)], self.means)
            total += 2 * entries.sum(axis=(1, 2)) - entries[:, :, :STRIP].sum(axis=(1, 2))
        margins = [g[p] for g, p in zip(self.margins, orders, strict=True)]
        return total / self.n**2 - 2 * second_order(margins, self.means).mean(axis=1)


def second_order(parts: Sequence[Values | float], means: Sequence[float]) -> Values:
    """Return Π_k (b_k + u_k) minus its terms of order 0 and 1 in u, entry by entry, for b = `means` and u = `parts`."""
    constant, first, rest = means[0], parts[0], 0.0
    for u, b in zip(parts[1:], means[1:], strict=True):
        rest = rest * (b + u) + first * u
        first = first * b + constant * u
        constant *= b
    return np.asarray(rest)


def refuse_few_orders(rows: int, samples: int = 2) -> None:
    """Raise a Refusal if so few rows of some samples are permuted that p is always above 0.05."""
    orders = math.factorial(rows) ** (samples - 1) if rows < 5 else math.inf
    if 1 / orders > CUSTOMARY:
        raise Refusal(
            f"{rows} row{'' if rows == 1 else 's'} of {samples} samples can be put together in {orders}"
            f" way{'' if orders == 1 else 's'} only, so that p is never below {1 / orders:.3g}; give more rows."
        )


def _power_mean(K, power):
    """Return ``(mean |K_ij|^p)^(1/p)``, computed from powers of numbers up to 1."""
    K = np.abs(K)
    largest = float(K.max())
    return largest * float(((K / largest) ** power).mean()) ** (1 / power) if largest > 0 else 0.0


def _refuse_no_samples(samples):
    if isinstance(samples, np.ndarray):
        raise checks.WrongType(
            f"samples is an array of shape {samples.shape}; give a list of samples that share their rows, such as its"
            " columns, list(samples.T)."
        )
    if not isinstance(samples, (list, tuple)):
        raise checks.WrongType(
            f"samples is of type {type(samples).__name__}; give a list of samples that share their rows, [X1, X2, ...]."
        )
    if len(samples) < 2:
        raise Refusal(
            f"samples holds {len(samples)}; give two samples or more, [X1, X2, ...]: one alone is independent of"
            " nothing."
        )


def _for_each(kernels, d):
    """Return a kernel or None for each of d samples."""
    if kernels is None or isinstance(kernels, Kernel):
        return [kernels] * d
    kernels = list(kernels)
    if len(kernels) != d:
        raise Refusal(f"kernels holds {len(kernels)} for {d} samples; give one for each, None among them Gaussian().")
    return kernels
