"""Sentences of the Two-sample lab. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.comparison.verdict import title_of
from explorer.languages import translate
from explorer.markup import markup
from explorer.printing import short_names
from explorer.workbench.kernels import kernel_words, names_of, spoken
from explorer.workbench.numbers import WAITING, adding_up, deviations, format_number, percent
from explorer.workbench.prose import headline as in_html
from explorer.workbench.prose import named, tries
from explorer.workbench.tex_to_mathml import equation, formula

from .result import MOST_PAIRED
from .verdict import alone, changes, check_words, few_rows, how_many, on_tables, the_test

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .lab import TwoSampleLab
    from .result import TwoSampleResult


ENERGY = formula(r"2E\|X - Y\| - E\|X - X'\| - E\|Y - Y'\|")


def headline(result: TwoSampleResult, row: int) -> Markup:
    """Return the verdict in HTML: MMD² and p, then how many permutations reach it, and what would change the verdict.

    On the user's tables the verdict is that of `compare`, and this MMD² comes second.
    """
    test, lab = result.test(row), result.lab
    differ = test.pvalue <= lab.alpha
    draft = markup(" <span class='badge'>draft</span>") if result.draft else ""
    found = (format_number(test.statistic), format_number(test.pvalue), draft)
    if lab.has_verdict:
        verdict = markup("{} {}: MMD² = {}, p = {}.{}", on_tables(result), alone(result), *found)
    else:
        one, other, of = short_names(result.samples.called)
        says = markup("<b>No difference shown</b> between {} and {}{}", one, other, of)
        if differ:
            # a group's label starts the sentence, but the name of a file keeps its first letter
            first = f"Group{one[5:]}" if one.startswith("group ") else one
            says = markup("{} and {}{} <b>differ</b> at the {} level", first, other, of, percent(lab.alpha))
        if differ and result.is_null:
            says = markup("<b>A false alarm</b> at the {} level", percent(lab.alpha))
        verdict = markup("{}: MMD² = {}, <b>p = {}</b>.{}", says, *found)
    trust = " ".join(filter(None, [few_rows(result), how_many(result, row), changes(result, row, differ)]))
    return in_html(verdict, trust)


def in_short(result: TwoSampleResult) -> str:
    """Return the verdict on the user's tables as a title, or "" for other samples and until it is known."""
    return "" if result.verdict is None else title_of(result.verdict)


CALLED = {
    "shift": "P is a standard Gaussian distribution, and Q is P shifted by {size} sd along the first coordinate",
    "spread": "P is a standard Gaussian distribution, and Q has the same mean and {wide} times the standard deviation",
    "moments": (
        "P is a standard Gaussian distribution, and Q has two modes along the first coordinate, with the same mean and"
        " covariance"
    ),
    "equal": "P and Q are the same standard Gaussian distribution",
}


def described(result: TwoSampleResult) -> str:
    """Describe P and Q."""
    lab, (first, second) = result.lab, result.samples.called
    if lab.source in CALLED:
        return translate(CALLED[lab.source], size=format_number(lab.size), wide=format_number(1 + lab.size))
    return translate("P is {} and Q is {}", first, second)


MMD2 = (
    r"\mathrm{MMD}^2 = \|\mu_P - \mu_Q\|^2",
    r"= \role{first}{\bar k_{PP}} + \role{second}{\bar k_{QQ}} - 2\,\bar k_{PQ}",
)


def _equation(result):
    """Return MMD² as the mean of k within both samples minus twice the mean between them, in numbers."""
    lab, total = result.lab, format_number(result.statistic)
    if lab.estimator != "KME" or sum(lab.included) > MOST_PAIRED:
        return equation(MMD2[0], rf"= {total}")
    averages = result.samples.averages(result.kernel, lab.statistic == "unbiased")
    within, other, between = adding_up(averages, result.statistic)
    plus, minus = ("-" if averages[1] < 0 else "+"), ("+" if averages[2] < 0 else "-")
    numbers = rf"= {within} {plus} {other.lstrip('−')} {minus} 2 \cdot {between.lstrip('−')} = {total}"
    return equation(*MMD2, numbers)


def caption(result: TwoSampleResult) -> Markup:
    """Return the idea, this test, P and Q, the witness, and the remarks."""
    lab, test = result.lab, result.test()
    truth = (
        translate("; MMD² of the distributions is {}", format_number(_clean(result.truth)))
        if result.truth is not None
        else ""
    )
    negative = translate(" An unbiased estimate may be negative.") if result.statistic < 0 else ""
    ones = translate("row of Q is an outlier") if lab.outliers == 1 else translate("rows of Q are outliers")
    outliers = f"; {lab.outliers} {ones}" if lab.outliers else ""
    columns = f" {result.treated[1]}" if result.treated and result.treated[1] else ""
    remark = result.middle[1] if result.has_bandwidth else ""
    energy = _energy(result)
    return markup(
        "{}MMD² adds the average k within P and within Q and subtracts twice the average k between them. {},"
        " seed {}. The value lies {} the mean under {}{}.{} {}{}.{} The witness is positive where {} has more points;"
        " rings mark its extremes.{}{}{}{}{}",
        _equation(result),
        the_test(result, result.row),
        lab.seed,
        deviations(test.standardised),
        named(translate("permuted labels"), "kme"),
        truth,
        negative,
        described(result),
        outliers,
        columns,
        named("P", "first"),
        markup(" {}", energy) if energy else "",
        _many(result),
        check_words(result),
        f" {remark[0].upper()}{remark[1:]}" if remark else "",
        _tries(result),
    )


def _energy(result):
    """Compare twice the MMD² with the energy distance by its own formula, or return "" under other kernels."""
    if result.energy is None:
        return ""
    return markup(
        "2 MMD² = {} is the energy distance {} = {}, here from the distances alone.",
        format_number(2 * result.statistic),
        ENERGY,
        format_number(result.energy),
    )


def _tries(result):
    """Offer other bandwidths, which detect other differences, and more points, which detect smaller ones."""
    sizes = [("n = m = 200", {"n": 200, "m": 200})] if result.laws else []
    widths = [("bandwidth 0.25", {"bandwidth": 0.25})] if result.has_bandwidth else []
    return tries(result.lab, *widths, *sizes)


def _clean(value):
    """Return 0 for a sum that cancels up to rounding."""
    return 0.0 if abs(value) < 1e-12 else value


def strip_kernel(lab: TwoSampleLab) -> str:
    """Return the name of the kernel whose bandwidths are drawn: RBF on the distances if the lab has a Gram matrix."""
    name = spoken(lab.kernel if lab.at_every_bandwidth else "RBF")
    if lab.at_every_bandwidth and len(names_of(lab)) > 1:
        return translate("the {}", kernel_words(lab))
    return translate("an {} kernel on the distances of your Gram matrix", name) if lab.known_by_gram else name


def _many(result):
    if result.picture != "bandwidths" or result.fused is None or math.isnan(result.aggregated):
        return ""
    over = translate("bandwidths of {}", strip_kernel(result.lab)) if result.lab.known_by_gram else "bandwidths"
    if result.space is not None and result.space.levels:
        over += translate(", with each level of a category as a column of 0 and 1")
    agg, fuse = format_number(result.aggregated), format_number(result.fused)
    return translate(" Combining all {}, MMDAgg gives p = {} and MMD-FUSE p = {}.", over, agg, fuse)


LATE = ("agg", "fuse", "least", "least_at", "rejecting", "row", "without")


STORY_VALUES = (*LATE, "p", "reached", "z", "truth")


def story_values(result: TwoSampleResult) -> dict[str, str]:
    """Return the values of the placeholders in stories."""
    test, rows = result.test(), result.influence
    words = dict.fromkeys(LATE, translate(WAITING)) | {
        "p": format_number(test.pvalue),
        "reached": how_many(result, result.row),
        "z": deviations(test.standardised),
        "truth": "unknown" if result.truth is None else format_number(_clean(result.truth)),
    }
    many = {"agg": result.aggregated, "fuse": result.fused}
    words |= {name: format_number(p) for name, p in many.items() if p is not None}
    if result.strip is not None:
        pvalues = result.strip.pvalues
        least = int(np.argmin(pvalues))
        words |= {
            "least": format_number(float(pvalues[least])),
            "least_at": format_number(result.stops[least]),
            "rejecting": translate("{} of {}", int((pvalues <= result.lab.alpha).sum()), len(pvalues)),
        }
    if rows:
        words |= {"row": result.samples.rows[rows[0].row], "without": format_number(rows[0].pvalue)}
    return words
