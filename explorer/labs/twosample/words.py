"""The Two-sample lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.markup import markup
from explorer.printing import briefly
from explorer.workbench.formulas import equation, formula
from explorer.workbench.kernels import EXPLAINED, spoken
from explorer.workbench.numbers import WAITING, adding_up, deviations, number, percent
from explorer.workbench.prose import headline as in_html
from explorer.workbench.prose import named, tries

from .result import MOST_PAIRED
from .verdict import changes, check_words, few_rows, how_of_all, of_all, reached, the_test

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .lab import TwoSampleLab
    from .result import TwoSampleResult


SPECTRAL = formula(r"|\phi_P - \phi_Q|^2")
EXPLAINS = markup(
    """<div class='caption'>
<p><b>Permutations.</b> If P and Q were one distribution, the labels P and Q would mean nothing, and any permutation of
them would be as likely as the one observed. The grey bars are MMD² under permuted labels, the black line is the
observed value; the hatched bars are the permutations that reach it, and p is their share, the observed labels counted
among them. To the right of the dashed line p is at most the level. The axis counts in standard deviations of the
permutations; what lies beyond 9 is in the last bar, or marked by a triangle.</p>
<p><b>Statistics.</b> Unbiased and biased MMD² compare all pairs of rows. In blocks, rows are compared with those of
their own block only, and blocks are averaged: cheaper by n over the block's size, and less powerful. Blocks of 2 are
the linear-time statistic. Its permutations exchange row i of P with row i of Q, each by chance, so p is exact too.
Power, influence and the self-check are of the statistics of all pairs.</p>
<p><b>Samples.</b> Discs are P, rings are Q; drag any of them. The background is the witness, the function that
separates the samples: blue where P has more, orange where Q has. Circles mark the two points where it is highest and
lowest. Of more than two coordinates the first two are drawn, the others held at their medians. Crosses are outliers
and points moved by hand.</p>
<p><b>Bandwidths.</b> Each bandwidth has its own p. The least of them is no p-value, because a small one is
found often enough where there is no difference: choose a bandwidth before looking, or use MMDAgg (blue, dashed) or
MMD-FUSE (blue, dotted), which combine many bandwidths and keep their level. The strip shows RBF unless the kernel
is Laplacian; the large dot is the test of the headline.</p>
<p><b>X-ray.</b> The biased MMD² under RBF is the integral of {} (black: the squared
difference of the samples' characteristic functions, averaged over all directions) against the kernel's power spectrum
(grey). So the blue area is MMD²: a kernel misses a difference at frequencies that its window does not reach. Where
black lies on the dashed line, it is what permuted labels give by chance. Polynomial kernels compare only the moments
that are drawn; for the other kernels the black line stands alone.</p>
{}
<p><b>Power.</b> The chance of rejecting at other sample sizes, if P and Q differ as these samples do: a plan, not a
finding. The hollow dot is the least n that has a power of 80 %. The self-check splits P's own sample in two 200 times
(hollow square, which must lie at the level) and, where the distributions are known, draws 200 fresh pairs of samples
(full square), each tested with 199 permutations.</p>
<p><b>Influence.</b> The five rows whose removal changes MMD² most, with the p-value of the test without each: press a
row's button to leave it out. To leave out rows after looking is to choose one's answer; if you do, report it.</p>
<p><b>Rate.</b> How far the biased MMD of fresh samples is from that of P and Q: the mean of several pairs
(line) and the middle half of them (band). It goes with N₁<sup>−1/2</sup> + N₂<sup>−1/2</sup> for N₁ points of P and N₂
of Q, and no estimator does better for every P and Q; the title has the power of that rate which fits the means. The
dashed line is exact: the root mean square errors of both kernel means, added, which no mean error exceeds. Where P and
Q differ, few points make MMD² too large, so that the errors fall faster at first.</p>
</div>""",
    SPECTRAL,
    EXPLAINED,
)


def headline(result: TwoSampleResult, row: int) -> Markup:
    """The verdict, in HTML: effect and p, then the test, the kernel, the sizes, and what would change it."""
    test, lab = result.test(row), result.lab
    differ = test.pvalue <= lab.alpha
    one, other, of = briefly(result.samples.called)
    says = markup("<b>No difference shown</b> between {} and {}{}", one, other, of)
    if differ:
        first = f"Group{one[5:]}" if one.startswith("group ") else one  # a file's name begins as it does
        says = markup("{} and {}{} <b>differ</b> at the {} level", first, other, of, percent(lab.alpha))
    negative = markup(" <span class='badge'>negative</span>") if test.statistic < 0 else ""
    effect = markup(
        "MMD² is {}{}, {} the mean of the permutations", number(test.statistic), negative, deviations(test.standardised)
    )
    draft = markup(" <span class='badge'>draft</span>") if result.draft else ""
    return in_html(
        markup("{}: {}, <b>p = {}</b>{}{}", says, effect, number(test.pvalue), draft, of_all(result)),
        _small_line(result, row, differ),
    )


def _small_line(result, row, differ):
    """What stands below the verdict: of few rows first that they are few, and no plan that rests on them."""
    few, test = few_rows(result), the_test(result, row)
    return f"{few} {test}" if few else f"{test} {changes(result, row, differ)} {how_of_all(result)}".strip()


CALLED = {
    "shift": "P is a standard Gaussian distribution and Q the same, shifted by {size} sd along the first coordinate",
    "spread": "P is a standard Gaussian distribution and Q one with the same mean, {wide} times as wide",
    "moments": (
        "P is a standard Gaussian distribution and Q has two hills along the first coordinate, with the same mean and"
        " covariance"
    ),
    "equal": "P and Q are the same standard Gaussian distribution",
}


def described(result: TwoSampleResult) -> str:
    """What P and Q are."""
    lab, (first, second) = result.lab, result.samples.called
    if lab.source in CALLED:
        return CALLED[lab.source].format(size=number(lab.size), wide=number(1 + lab.size))
    return f"P is {first} and Q is {second}"


MMD2 = (
    r"\mathrm{MMD}^2 = \|\mu_P - \mu_Q\|^2",
    r"= \role{fkmse}{\bar k_{PP}} + \role{fkmse}{\bar k_{QQ}} - 2\,\role{fkmse}{\bar k_{PQ}}",
)


def _equation(result):
    """MMD² as the mean of k within both samples less twice that between them, in numbers."""
    lab, total = result.lab, number(result.statistic)
    if lab.estimator != "KME" or sum(lab.kept) > MOST_PAIRED:
        return equation(MMD2[0], rf"= {total}")
    averages = result.samples.averages(result.kernel, lab.statistic == "unbiased")
    within, other, between = adding_up(averages, result.statistic)
    plus, minus = ("-" if averages[1] < 0 else "+"), ("+" if averages[2] < 0 else "-")
    numbers = rf"= {within} {plus} {other.lstrip('−')} {minus} 2 \cdot {between.lstrip('−')} = {total}"
    return equation(*MMD2, numbers)


def caption(result: TwoSampleResult) -> Markup:
    """The idea, the samples, the extremes of the witness, and what there is to remark."""
    lab, count, total = result.lab, reached(result), len(result.test().null_distribution)
    below = f"all {total}" if count == 0 else f"{total - count} of the {total}"
    high, low = (result.samples.rows[i] for i in result.extremes())
    truth = f"; between the distributions it is {number(_clean(result.truth))}" if result.truth is not None else ""
    negative = ", negative as an unbiased estimate may be" if result.statistic < 0 else ""
    ones = "an outlier" if lab.outliers == 1 else "outliers"
    outliers = f", {lab.outliers} of its rows {ones}" if lab.outliers else ""
    columns = f" {result.treated[1]}" if result.treated and result.treated[1] else ""
    remark = result.middle[1] if result.has_bandwidth else ""
    return markup(
        "{}MMD², the mean of k within P plus that within Q, less twice that between them (seed {}), is"
        " {}{}, larger than <b>{}</b> values under {}{}. {}{}.{} The witness, positive where P has more,"
        " is highest at {} and lowest at {} (ringed).{}{}{}{}",
        _equation(result),
        lab.seed,
        number(result.statistic),
        negative,
        below,
        named("permuted labels", "kme"),
        truth,
        described(result),
        outliers,
        columns,
        high,
        low,
        _many(result),
        check_words(result),
        f" {remark[0].upper()}{remark[1:]}" if remark else "",
        _tries(result),
    )


def _tries(result):
    """Other bandwidths see other differences, and more points see smaller ones."""
    sizes = [("n = m = 200", {"n": 200, "m": 200})] if result.laws else []
    widths = [("bandwidth 0.25", {"bandwidth": 0.25})] if result.has_bandwidth else []
    return tries(result.lab, *widths, *sizes)


def _clean(value):
    """A sum that cancels to rounding is 0."""
    return 0.0 if abs(value) < 1e-12 else value


def strip_kernel(lab: TwoSampleLab) -> str:
    """What the kernel is called whose bandwidths are drawn: beside a Gram matrix it is another one."""
    name = spoken(lab.strip_kernel)
    return f"an {name} kernel of the distances that your Gram matrix gives" if lab.known_by_gram else name


def _many(result):
    if result.picture != "bandwidths" or result.fused is None or math.isnan(result.aggregated):
        return ""
    over = f"bandwidths of {strip_kernel(result.lab)}" if result.lab.known_by_gram else "bandwidths"
    if result.space is not None and result.space.levels:
        over += ", with a column of 0 and 1 for each level of a category,"
    return (
        f" Over all {over} at once, MMDAgg gives p = {number(result.aggregated)} and MMD-FUSE p ="
        f" {number(result.fused)}."
    )


LATE = ("agg", "fuse", "least", "least_at", "most", "rejecting", "row", "without", "needed", "equal", "fresh", "count")


def told(result: TwoSampleResult) -> dict[str, str]:
    """The words that stories put their numbers in."""
    test, plan, rows = result.test(), result.plan, result.influence
    words = dict.fromkeys(LATE, WAITING) | {
        "p": number(test.pvalue),
        "reached": f"{reached(result)} of {len(test.null_distribution)}",
        "mmd": number(test.statistic),
        "z": deviations(test.standardised),
        "level": percent(result.lab.alpha),
        "truth": "unknown" if result.truth is None else number(_clean(result.truth)),
    }
    many = {"agg": result.aggregated, "fuse": result.fused}
    words |= {name: number(p) for name, p in many.items() if p is not None}
    if result.strip is not None:
        pvalues = result.strip.pvalues
        least = int(np.argmin(pvalues))
        words |= {
            "least": number(float(pvalues[least])),
            "least_at": number(result.stops[least]),
            "most": number(float(pvalues.max())),
            "rejecting": f"{int((pvalues <= result.lab.alpha).sum())} of {len(pvalues)}",
        }
    if plan is not None:
        words["needed"] = "more than the curve shows" if plan.needed is None else number(plan.needed)
    if rows:
        words |= {"row": result.samples.rows[rows[0].row], "without": number(rows[0].pvalue)}
    if result.checked:
        equal, fresh = result.checked
        words |= {"equal": str(equal.rejected), "count": str(equal.count), "fresh": str(fresh and fresh.rejected)}
    return words
