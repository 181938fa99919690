"""What stands below the verdict: which test it was, and what would change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.discrepancy import detectable_shift, least_pvalue, relabellings
from explorer.markup import markup
from explorer.printing import listed, short
from explorer.workbench.kernels import at_median, kernel_words
from explorer.workbench.numbers import WAITING, number, percent
from explorer.workbench.prose import landmarks_of
from explorer.workbench.two_samples import sizes

from .result import AIM

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import TwoSampleResult


FEW = 20  # rows of a sample: below, the first that is said of a table is that they are few


def few_rows(result: TwoSampleResult) -> str:
    """That a table's rows are few, and what that means; empty where they are not, or where distributions are known."""
    n, m = result.lab.kept
    if result.laws or min(n, m) >= FEW:
        return ""
    said = f"Few rows, {n:,} and {m:,}: {_likely(detectable_shift(n, m, result.lab.alpha, AIM))}"
    least = least_pvalue(n, m)
    if not result.lab.all_pairs or least <= 1 / (1 + result.lab.resamples):
        return f"{said}."
    so = f"p can hardly be below {number(least)}"
    if least > result.lab.alpha:
        so = f"p can hardly be as low as {number(result.lab.alpha)}, whatever the rows"
    return f"{said}, and they can be relabelled in only {relabellings(n, m):,} ways, so {so}."


def _likely(shift):
    """What a test is likely to find."""
    return f"only a difference of about {number(float(f'{shift:.2g}'))} sd or more is likely to be found"


def reached(result: TwoSampleResult, row: int | None = None) -> int:
    """How many permutations reach the observed value."""
    return int(np.count_nonzero(result.test(row).reaching))


def the_test(result: TwoSampleResult, row: int) -> str:
    """What test this was, under which kernel, of how many points."""
    lab, test, count = result.lab, result.test(row), reached(result, row)
    of = "" if lab.estimator == "KME" else f" of {lab.estimator}"
    return (
        f"{count} of {len(test.null_distribution)} permutations of the labels reach{'es' if count == 1 else ''} it."
        f" {_statistic(lab)}{of}, {_kernel(result, row)}, {_compared(result, test)}."
    )


def _compared(result, test):
    """How many points were compared, and of how many rows where they are some of a table's."""
    if result.laws:
        return f"n = {test.n} and m = {test.m}"
    there = sizes(result.lab.the_tables(), result.lab.groups)
    pairs = zip((test.n, test.m), there, strict=True)
    parts = [f"{count:,}" if count == whole else f"{count:,} of {whole:,}" for count, whole in pairs]
    return f"{' and '.join(parts)} rows{' drawn' if there != (test.n, test.m) else ''}"


def of_all(result: TwoSampleResult) -> Markup | str:
    """The end of the verdict and, where only some of a table's rows are drawn, that on all of them."""
    if not result.lab.some_drawn:
        return "."
    rows = " and ".join(f"{count:,}" for count in sizes(result.lab.the_tables(), result.lab.groups))
    test = result.of_all
    if test is None:
        return f" in the rows drawn. All {rows} rows: {WAITING}."
    if isinstance(test, str):
        return markup(" in the rows drawn. All {} rows could not be tested: {}", rows, test)
    verdict = markup("<b>differ</b>") if test.pvalue <= result.lab.alpha else "show no difference"
    return markup(" in the rows drawn. All {} rows {}, <b>p = {}</b>.", rows, verdict, number(test.pvalue))


def how_of_all(result: TwoSampleResult) -> str:
    """Which test that of all rows was; empty where there is none."""
    lab, test = result.lab, result.tested_of_all
    if test is None:
        return ""
    under = f" under the {kernel_words(lab)}{at_median(lab.kernel, test.n + (test.m or 0))}" if result.numbers else ""
    return f"Of all rows, the {lab.of_pairs} MMD² is {number(test.statistic)}{under}{landmarks_of(test)}."


def _statistic(lab):
    if lab.all_pairs:
        return f"{lab.statistic.capitalize()} MMD²"
    return "Linear-time MMD²" if lab.block_size == 2 else f"MMD² in blocks of {lab.block_size}"


def _kernel(result, row):
    words = [short(name) for name in (result.space.levels if result.space else ())]
    halved = f", halved for each that differs of {listed(words)}" if words else ""
    halved = f", halved where {words[0]} differs" if len(words) == 1 else halved
    if not result.numbers:
        return f"kernel 1{halved}"
    called = kernel_words(result.lab)
    if not result.has_bandwidth:
        return called + halved
    times = result.stops[row] if result.answers else result.lab.bandwidth
    return f"{called} at {number(times)} × the median distance ({number(times * result.median)}){halved}"


def changes(result: TwoSampleResult, row: int, differ: bool) -> str:
    """What would change the verdict, where that is known."""
    lab, rows, plan = result.lab, result.influence or (), result.plan
    if plan is None or row != result.row:
        return ""
    turned = [one for one in rows if (one.pvalue <= lab.alpha) != differ]
    if not turned and not differ and plan.power is not None:
        if plan.needed and plan.needed > len(result.samples.X):
            enough = number(float(f"{plan.needed:.2g}"))
            return f"About n = {enough} points like these would give a power of {percent(AIM)}."
        if result.statistic <= 0:
            return "More points like these would not change it."
    return _leaving_out(result, turned, rows[0]) if rows else ""


def _leaving_out(result, turned, first):
    """Whether one row carries the verdict."""
    one = turned[0] if turned else first
    verdict = ", the other verdict" if turned else ""
    return f"Leaving out {result.samples.rows[one.row]}: p = {number(one.pvalue)}{verdict}."


def check_words(result: TwoSampleResult) -> str:
    """What the self-check found, where it was made."""
    if result.checked is None:
        return ""
    equal, fresh = result.checked
    low, high = (round(100 * end) for end in equal.interval())
    halves = (
        f" Self-check: of {equal.count} splits of P's own sample {equal.rejected} were rejected (95 % interval {low}"
        f" to {high} %, where the level is {percent(result.lab.alpha)})."
    )
    return halves if fresh is None else f"{halves} Of {fresh.count} fresh pairs of samples {fresh.rejected} were."
