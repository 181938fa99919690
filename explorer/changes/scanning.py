"""`scan`: where rows ordered by time change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Literal, TypeAlias

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.discrepancy.mmd import one_of
from explorer.discrepancy.permutation import permutations
from explorer.elsewhere import explained, refuse_other
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.low_rank import Approximation
from explorer.kernels.low_rank.automatic import stand_in, values_take
from explorer.kernels.selecting import LARGE, select
from explorer.rng import seed_of, stream
from explorer.types import Points, PointsLike, Rng, Rows

from .result import ScanResult
from .segments import breaks
from .splits import FeatureRows, GramRows, standardised

Null: TypeAlias = Literal["permutation", "shift"]

LEVEL = 0.05  # of the breaks
# s on a usual core, for an order and a pair of rows, or for an order and a feature of a row: one break, several
ORDER = {False: 2e-9, True: 4e-8}
FEATURE = {False: 6e-9, True: 1e-7}
LONGEST = 5.0  # s that the orders may take by features
FEWEST = 50  # features


@explained
def scan(
    X: PointsLike,
    kernel: Kernel | None = None,
    *,
    min_size: int = 10,
    segments: bool = False,
    n_resamples: int = 199,
    rng: Rng = None,
    null: Null = "permutation",
    approximation: Approximation | None = "auto",
    rank: int | None = None,
) -> ScanResult:
    """Where the rows of X (n, d), ordered by time, change their distribution, and the test that they do: a ScanResult.

    At every split t the unbiased MMD² U_t of the rows [0, t) and [t, n), divided by its standard deviation over all
    orders of the rows:

        Z_t = U_t / sd(U_t),   sd(U_t)² proportional to 1 / (t (t-1) (n-t) (n-t-1)).

    Its mean is 0 and its variance 1 at every t, exactly (see `splits`), so that the best split is no nearer to an end
    than chance alone has it. All n values take one pass of cumulated sums of the centred Gram matrix. The statistic is
    the largest one, `index` where it is, and p = (1 + #{null >= observed}) / (1 + B) over B orders: exact, ties
    counted. Standardising is the M-statistic's (Li, Xie, Dai and Song 2015, NIPS 28); scans by kernels: Harchaoui,
    Moulines and Bach 2008 (NIPS 21), Arlot, Celisse and Harchaoui 2019 (JMLR 20, 162).

    X         points in order of time, or a DataFrame, whose words are compared by equality
    kernel    None is Gaussian(); an automatic bandwidth is the median heuristic on all rows
    min_size  how many rows lie on either side of a split at least, 2 or more; n >= 2 min_size
    segments  whether several breaks are sought, `breaks`: the best split of all seeded intervals where 95 % of the
              orders have none as high, and then that of the rows on either side under orders of their own, at the
              level times their share of all rows. Where nothing changes, P(any break) <= 0.05, and of the rows between
              two breaks that were found about so too
    null      "permutation" draws orders at random, exact where rows are exchangeable when nothing changes; "shift"
              moves the end of the sequence to its front, for rows that depend on their neighbours: about right where
              the sequence is stationary and many times as long as it remembers, and exact where it closes a circle
    approximation, rank  as in `mmd_test`: "auto" is the kernel itself where that takes some two seconds at most, as it
              does up to some 2000 rows, and else as many landmarks as have the orders take some five seconds at most

    O(B n²), or O(B n rank) by landmarks; several breaks take up to some twenty times as long. Raises ValueError
    for fewer than 2 min_size rows, and beyond 6000 rows without an approximation; TypeError for what is no sample.

    >>> import numpy as np
    >>> from explorer import scan
    >>> rows = np.random.default_rng(0).normal(size=(300, 1))
    >>> rows[100:200] *= 4
    >>> result = scan(rows, segments=True, rng=0)
    >>> result.breaks
    (100, 200)
    """
    min_size, n_resamples = checks.whole(min_size, "min_size", 2), checks.whole(n_resamples, "n_resamples", 1)
    one_of(null, ("permutation", "shift"), "null")
    kernel, P, columns = one_sample(X, kernel, 2 * min_size, f"X, for min_size={min_size} rows on either side,")
    n = len(P)
    segments = bool(segments)
    exact = values_take(kernel, n**2, P.shape[1]) + ORDER[segments] * n_resamples * n**2
    most = max(FEWEST, int(LONGEST / (FEATURE[segments] * n_resamples * n)))
    low, name = stand_in(kernel, P, approximation, rank, 0 if rng is None else rng, exact, most=most)
    if low is None and n > LARGE:
        raise Refusal(
            f"X has {n} rows, and the kernel itself takes a Gram matrix of {8e-9 * n * n:.1f} GB; beyond {LARGE} rows"
            " leave approximation at 'auto'."
        )
    rows = GramRows(kernel, P) if low is None else FeatureRows(low, P)
    observed = np.arange(n)
    profile = standardised(rows, rows.squares(observed), observed, min_size)
    orders = partial(other_orders, rng=rng, null=null)
    peaks = [np.nanmax(standardised(rows, rows.squares(order), order, min_size)) for order in orders(n, n_resamples)]
    return ScanResult(
        np.nanmax(profile),
        np.array(peaks),
        "the largest standardised MMD²",
        kernel,
        n,
        tolerance=rows.tolerance(min_size),
        resamples="permutations" if null == "permutation" else "circular shifts",
        columns=columns,
        seed=seed_of(rng),
        approximation=name,
        index=int(np.nanargmax(profile)),
        profile=profile,
        breaks=breaks(rows, min_size, LEVEL, n_resamples, orders) if segments else (),
        segments=segments,
        min_size=min_size,
    )


def one_sample(
    X: PointsLike, kernel: Kernel | None, at_least: int, name: str = "X"
) -> tuple[Kernel, Points, tuple[str, ...]]:
    """A chosen kernel, the points of X (n, d), and the names of its columns."""
    given: Kernel = Gaussian() if kernel is None else kernel
    refuse_other(given, Kernel, "kernel", optional=True)
    columns = frames.names_of(X) or ()
    if given.space == "numbers" and (found := frames.mixed((X,), ("X",), given)):
        (X,), given, columns = found
    P = given.points(X)
    checks.rows(P, name, at_least)
    checks.warn_of_lost_digits(P, "X", columns)
    return select(given, P, "rows"), P, columns


def other_orders(n: int, count: int, rng: Rng, null: Null) -> Iterator[Rows]:
    """The orders of the null distribution: of shifts, each other one once where `count` reaches their number."""
    if null == "permutation":
        for some in permutations(n, count, rng):
            yield from some
        return
    shifts = stream(rng, "shift").permutation(np.arange(1, n))[:count]
    for shift in shifts:
        yield np.roll(np.arange(n), shift)
