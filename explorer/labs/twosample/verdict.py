"""Sentences after the verdict: permutations as extreme as the data, the test that was used, what would change it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.comparison import ColumnChange, Comparison
from explorer.comparison.headline import headline_of
from explorer.comparison.table import counted, plural
from explorer.discrepancy import detectable_shift, least_pvalue, relabellings
from explorer.languages import translate
from explorer.markup import joined, markup
from explorer.printing import join_list, short_name
from explorer.workbench.kernels import kernel_words
from explorer.workbench.numbers import WAITING, format_number, percent
from explorer.workbench.two_samples import sizes

from .result import AIM

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import TwoSampleResult


FEW = 20  # if a sample has fewer rows than this, the first remark on a table is about their number


def few_rows(result: TwoSampleResult) -> str:
    """Say what the few rows of a table can show, or "" if there are enough or the distributions are known."""
    n, m = result.lab.included
    if result.laws or min(n, m) >= FEW:
        return ""
    said = translate("With only {:,} and {:,} rows {}", n, m, _likely(detectable_shift(n, m, result.lab.alpha, AIM)))
    least = least_pvalue(n, m)
    if not result.lab.all_pairs or least <= 1 / (1 + result.lab.resamples):
        return f"{said}."
    limit = translate("p can hardly be below {}", format_number(least))
    if least > result.lab.alpha:
        limit = translate("p can hardly reach {}", format_number(result.lab.alpha))
    return translate("{}. There are only {:,} ways to relabel them, so {}.", said, relabellings(n, m), limit)


def _likely(shift):
    """Say which difference a test is likely to detect."""
    return translate("the test is likely to find only a difference of {} sd or more", format_number(shift, 2))


def reached(result: TwoSampleResult, row: int | None = None) -> int:
    """Return the number of permutations that reach the observed value."""
    return int(np.count_nonzero(result.test(row).reaching))


def how_many(result: TwoSampleResult, row: int) -> str:
    """Say how many permutations give an MMD² as large as the observed one."""
    count, total = reached(result, row), len(result.test(row).null_distribution)
    if count == 0:
        return translate("None of {} permutations of the labels gives an MMD² this large.", total)
    if count == 1:
        return translate("Only 1 of {} permutations of the labels gives an MMD² this large.", total)
    return translate("{} of {} permutations of the labels give an MMD² at least this large.", count, total)


def the_test(result: TwoSampleResult, row: int) -> str:
    """Describe the test: its statistic, its kernel and the number of points."""
    lab, test = result.lab, result.test(row)
    of = "" if lab.estimator == "KME" else translate(" of {}", lab.estimator)
    return translate("Here: {}{}, {}, {}", _statistic(lab), of, _kernel(result, row), _compared(result, test))


def _compared(result, test):
    """Say how many points were compared, and out of how many rows if only some of a table's are drawn."""
    if result.laws:
        return translate("n = {} and m = {}", test.n, test.m)
    there = sizes(result.lab.the_tables(), result.lab.groups)
    pairs = zip((test.n, test.m), there, strict=True)
    parts = [f"{count:,}" if count == whole else translate("{:,} of {:,}", count, whole) for count, whole in pairs]
    return translate(
        "{} rows{}", translate(" and ").join(parts), translate(" drawn") if there != (test.n, test.m) else ""
    )


def on_tables(result: TwoSampleResult) -> Markup | str:
    """Return the verdict on the user's tables, over all their rows and columns, or "" for other samples."""
    if not result.lab.has_verdict:
        return ""
    found = result.compared
    if found is None:
        return markup("The verdict on all rows, by all kernels together, is {}.", translate(WAITING))
    if isinstance(found, str) or result.verdict is None:
        return markup("All kernels together could not be tested: {}", found)
    return joined(filter(None, [headline_of(result.verdict), _among_all(result)]), " ")


def _among_all(result):
    """Return the p of the chosen column or pair as in the report on all columns, or ""."""
    line = result.line
    if line is None or not isinstance(result.among, Comparison):
        return ""
    of = counted(result.among)
    if isinstance(line, ColumnChange):
        return markup(
            "Tested alone, {} has p = {}, <b>adjusted p = {}</b> for all {}.",
            short_name(line.name), f"{line.pvalue:.3g}", f"{line.adjusted:.3g}", of,
        )  # fmt: skip
    return markup(
        "The relation between {} and {} has p = {}, <b>adjusted p = {}</b> for all {} of columns.",
        short_name(line.first), short_name(line.second), f"{line.pvalue:.3g}", f"{line.adjusted:.3g}",
        plural(len(result.among.pairs), "pair"),
    )  # fmt: skip


def alone(result: TwoSampleResult) -> Markup | str:
    """Introduce a single kernel's MMD² after the verdict: at this bandwidth, on these rows."""
    lab = result.lab
    what = "bandwidth" if result.has_bandwidth else "kernel"
    rows = []
    if any(table.dropped for table in lab.tables):
        rows.append(translate("without the rows with missing values"))
    if lab.some_drawn:
        rows.append(translate("in the rows drawn"))
    if lab.moved_p or lab.moved_q or lab.outliers:
        rows.append(translate("with points that were moved"))
    if lab.dropped:
        rows.append(translate("with rows left out by hand"))
    return markup("Under this {} alone{}", what, f", {' and '.join(rows)}" if rows else "")


def _statistic(lab):
    if lab.all_pairs:
        return translate("{} MMD²", lab.statistic)
    return translate("linear-time MMD²") if lab.block_size == 2 else translate("MMD² in blocks of {}", lab.block_size)


def _kernel(result, row):
    words = [short_name(name) for name in (result.space.levels if result.space else ())]
    halved = translate(", halved for each difference in {}", join_list(words)) if words else ""
    halved = translate(", halved where {} differs", words[0]) if len(words) == 1 else halved
    if not result.numbers:
        return translate("kernel 1{}", halved)
    called = kernel_words(result.lab)
    if not result.has_bandwidth:
        return called + halved
    times = result.stops[row] if result.answers else result.lab.bandwidth
    return translate(
        "{} at {} × the median distance ({}){}",
        called,
        format_number(times),
        format_number(times * result.median),
        halved,
    )


def changes(result: TwoSampleResult, row: int, differ: bool) -> str:
    """Say what would change the verdict, if that is known, or what a test of these sizes can detect."""
    lab, rows = result.lab, result.influence or ()
    if differ and result.is_null:
        return translate("P and Q are the same distribution.")
    if result.plan is None or row != result.row:
        return ""
    turned = [one for one in rows if (one.pvalue <= lab.alpha) != differ]
    if turned:
        one = turned[0]
        what = translate("the result of this kernel alone") if lab.has_verdict else translate("the verdict")
        return translate(
            "Leaving out {} changes {}: p = {}.", result.samples.rows[one.row], what, format_number(one.pvalue)
        )
    return "" if differ or few_rows(result) else what_sizes_find(result)


def what_sizes_find(result: TwoSampleResult) -> str:
    """Say what samples of this size and of other sizes detect, without taking sampling noise for a difference.

    That needs the distributions. If they are not known, it is the least shift that any test of these sizes can detect.
    """
    lab, plan, (n, m) = result.lab, result.plan, result.lab.included
    if result.apart is None:
        return translate("With n = {:,} and m = {:,} {}.", n, m, _likely(detectable_shift(n, m, lab.alpha, AIM)))
    if lab.source == "equal":
        return translate(
            "P and Q are the same distribution: the test rejects in {} of samples at every n.", percent(lab.alpha)
        )
    if result.apart == 0:
        return translate("Under this kernel P and Q have the same kernel mean: larger samples do not help.")
    if plan is None or not plan.needed:
        return ""
    size = format_number(plan.needed, 2)
    return translate("With about n = {} the test would find this difference in {} of samples.", size, percent(AIM))


def check_words(result: TwoSampleResult) -> str:
    """Report the self-check, or "" if it was not made."""
    if result.checked is None:
        return ""
    equal, fresh = result.checked
    low, high = (round(100 * end) for end in equal.interval())
    halves = translate(
        " Self-check: the test rejected {} of {} splits of P's own sample (95 % interval {} to {} %, level {}).",
        equal.rejected,
        equal.count,
        low,
        high,
        percent(result.lab.alpha),
    )
    return (
        halves
        if fresh is None
        else translate("{} It rejected {} of {} new pairs of samples.", halves, fresh.rejected, fresh.count)
    )
