"""The Two-sample lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from explorer.workbench.numbers import number, percent

from .twosample_rest import AIM, CHECK

WAITING = "still being computed"


def headlines(result):
    """The headline at every row of the tables."""
    return [headline(result, row) for row in range(len(result.slider))]


def headline(result, row):
    """The verdict, in HTML: one sentence with effect and p, and one with the test, the kernel, the sizes, and what
    would change it."""
    test, lab = result.test(row), result.lab
    p, differ = test.pvalue, test.pvalue <= lab.alpha
    says = (
        f"P and Q <b>differ</b> at the {percent(lab.alpha)} level"
        if differ
        else "<b>No difference shown</b> between P and Q"
    )
    effect = f"MMD² is {number(test.statistic)}, {deviations(result.standardised(row))} the mean of the shuffles"
    draft = " <span class='badge'>draft</span>" if result.draft else ""
    trust = f"{_negative(test.statistic)}{_test(result, row)} {_changes(result, row, differ)}"
    return (
        f"<div class='says'>{says}: {effect}, <b>p = {number(p)}</b>.{draft}</div><div"
        f" class='trust'>{trust.strip()}</div>"
    )


def deviations(z):
    """A standardised value in words."""
    return f"{number(float(f'{abs(z):.2g}'))} standard deviations {'above' if z >= 0 else 'below'}"


def _negative(value):
    if value >= 0:
        return ""
    return "MMD² is negative: the samples lie closer together than two samples of one law do on average. "


def reached(result, row=None):
    """How many shuffles reach the observed value."""
    row = result.of(result.row if row is None else row)
    t = result.trials
    return int(np.count_nonzero(t.null[row] + t.tolerance[row] >= t.observed[row]))


def _test(result, row):
    """What test this was, under which kernel, of how many points."""
    lab, shuffles = result.lab, result.trials.null.shape[1]
    count, n, m = reached(result, row), len(result.samples.X), len(result.samples.Y)
    of = "" if lab.estimator == "KME" else f" of {lab.estimator}"
    return (
        f"{count} of {shuffles} shuffles of the labels reach{'es' if count == 1 else ''} it; permutation test by the "
        f"{lab.statistic} MMD²{of}, {_kernel(result, row)}, n = {n} and m = {m}."
    )


def _kernel(result, row):
    if result.moments is not None:
        return f"kernel {result.lab.kernel}"
    times = result.slider[row] if result.ready else result.lab.bandwidth
    return f"RBF kernel at {number(times)} × the median distance ({number(times * result.median)})"


def _changes(result, row, differ):
    """What would change the verdict, where that is known."""
    here, lab = result.here, result.lab
    if here is None or row != result.row:
        return ""
    turned = [one for one in here.influence if (one.pvalue <= lab.alpha) != differ]
    parts = [_without(turned, here.influence[0])] if here.influence else []
    if here.power is not None and not differ and not turned:
        if here.needed and here.needed > len(result.samples.X):
            enough = number(float(f"{here.needed:.2g}"))
            parts.append(
                f"If P and Q differ as these samples do, about n = {enough} would give a power of {percent(AIM)}."
            )
        elif result.test().statistic <= 0:
            parts.append("More points like these would not change it.")
    return " ".join(parts)


def _without(turned, first):
    """Whether one row carries the verdict."""
    one = turned[0] if turned else first
    return f"Without {escape(one.name)} {'it would turn: ' if turned else ''}p would be {number(one.pvalue)}."


def _check_words(checked, lab):
    if checked is None:
        return ""
    low, high = (round(100 * end) for end in checked.interval(checked.equal))
    said = (
        f" Self-check: of {checked.count} splits of P's own sample {checked.equal} were rejected (95 % interval {low}"
        f" to {high} %, where the level is {percent(lab.alpha)})."
    )
    if checked.fresh is None:
        return said
    return f"{said} Of {checked.count} fresh pairs of samples {checked.fresh} were."


CALLED = {
    "shift": (
        "P is a standard normal law and Q the same law {size} standard deviations further along the first coordinate"
    ),
    "spread": "P is a standard normal law and Q one around the same mean, {wide} times as wide",
    "moments": (
        "P is a standard normal law and Q has two hills along the first coordinate, with the same mean and covariance"
    ),
    "equal": "P and Q are the same standard normal law",
}


def described(result):
    """What P and Q are."""
    lab, (first, second) = result.lab, result.samples.called
    if lab.source in CALLED:
        return CALLED[lab.source].format(size=number(lab.size), wide=number(1 + lab.size))
    return f"P is {escape(first)} and Q is {escape(second)}"


def caption(result):
    """The idea, the three averages, the extremes of the witness, and what there is to remark."""
    test, lab = result.test(), result.lab
    count = reached(result)
    total = result.trials.null.shape[1]
    below = f"all {total}" if count == 0 else f"{total - count} of the {total}"
    high, low = (result.samples.rows[i] for i in result.extremes())
    truth = f" Between the laws themselves MMD² is {number(_clean(result.truth))}." if result.laws else ""
    strays = f" {lab.outliers} of Q's rows are strays." if lab.outliers else ""
    columns = f" {escape(result.samples.treatment)}" if result.samples.treatment else ""
    remark = f" {result.remark[0].upper()}{result.remark[1:]}" if result.remark else ""
    return (
        "MMD² = ‖μ_P − μ_Q‖²: the mean of k within P, plus that within Q, less twice that between them. If the labels"
        f" did not matter, shuffling them would give values like the grey ones; this one, {number(test.statistic)}, is"
        f" larger than <b>{below}</b>. {described(result)}.{columns}{truth}{strays} The witness, which is large where P"
        f" has more, is highest at {escape(high)} and lowest at {escape(low)} (ringed). Seed"
        f" {lab.seed}.{_many(result)}{_check_words(result.checked, lab)}{remark}"
    )


def _clean(value):
    """A sum that cancels to rounding is 0."""
    return 0.0 if abs(value) < 1e-12 else value


def _many(result):
    every = result.every
    if every is None or math.isnan(every.aggregated):
        return ""
    return (
        f" Over all bandwidths at once MMDAgg says p = {number(every.aggregated)} and MMD-FUSE p ="
        f" {number(every.fused)}; the least p of the strip is no p-value."
    )


def told(result):
    """The words that stories put their numbers in."""
    test, every, here = result.test(), result.every, result.here
    words = {
        "p": number(test.pvalue),
        "reached": f"{reached(result)} of {result.trials.null.shape[1]}",
        "mmd": number(test.statistic),
        "z": deviations(result.standardised()),
        "level": percent(result.lab.alpha),
        "truth": number(_clean(result.truth)) if result.laws else "unknown",
    }
    late = (
        "agg",
        "fuse",
        "least",
        "least_at",
        "most",
        "rejecting",
        "row",
        "without",
        "needed",
        "equal",
        "fresh",
        "count",
    )
    words |= dict.fromkeys(late, WAITING)
    if every is not None:
        pvalues = every.trials.pvalues
        least = int(np.argmin(pvalues))
        words |= {
            "agg": number(every.aggregated),
            "fuse": number(every.fused),
            "least": number(float(pvalues[least])),
            "least_at": number(float(every.trials.bandwidths[least])),
            "most": number(float(pvalues.max())),
            "rejecting": f"{int((pvalues <= result.lab.alpha).sum())} of {len(pvalues)}",
        }
    if here is not None:
        words["needed"] = "more than the curve shows" if here.needed is None else number(here.needed)
        if here.influence:
            words |= {"row": here.influence[0].name, "without": number(here.influence[0].pvalue)}
        if result.checked:
            words |= {
                "equal": str(result.checked.equal),
                "count": str(result.checked.count),
                "fresh": str(result.checked.fresh),
            }
    return words


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    test, lab = result.test(), result.lab
    null = test.null_distribution
    limit = test.threshold(lab.alpha)
    edge = f"p is at most {number(lab.alpha)} from {number(limit)} on"
    if math.isinf(limit):
        edge = f"that is too few for p to be at most {number(lab.alpha)}"
    X, Y = result.samples.X, result.samples.Y
    said = [
        (
            f"{len(null)} shuffles of the labels give MMD² between {number(float(null.min()))} and"
            f" {number(float(null.max()))}, on average {number(float(null.mean()))}; {edge}. Observed:"
            f" {number(test.statistic)}, {deviations(result.standardised())} that average."
        ),
        (
            f"P has {len(X)} points and Q {len(Y)}, in {X.shape[1]} dimension{'s' if X.shape[1] > 1 else ''}. The means"
            f" of {result.samples.names[0]} are {number(float(X[:, 0].mean()))} and {number(float(Y[:, 0].mean()))},"
            f" the standard deviations {number(float(X[:, 0].std()))} and {number(float(Y[:, 0].std()))}. The witness"
            f" is highest at {result.samples.rows[result.extremes()[0]]} and lowest at"
            f" {result.samples.rows[result.extremes()[1]]}."
        ),
    ]
    words = told(result)
    if result.moments is not None:
        parts = ", ".join(f"order {k}: {number(float(v))}" for k, v in enumerate(result.moments, 1))
        said.append(f"The biased MMD² by the moments that {lab.kernel} compares: {parts}. It sees no others.")
    if result.every is not None:
        said.append(
            f"Over the bandwidths of RBF p goes from {words['least']}, at {words['least_at']} × the median, to "
            f"{words['most']}; {words['rejecting']} bandwidths reject. MMDAgg: {words['agg']}; MMD-FUSE: "
            f"{words['fuse']}."
        )
    if result.here is not None:
        rows = result.here.influence
        said += [
            f"Without {one.name} MMD² would be {number(one.statistic)} and p {number(one.pvalue)}." for one in rows
        ]
        if result.here.power is not None:
            said.append(
                f"If P and Q differ as these samples do, the first n with a power of {percent(AIM)}: {words['needed']}."
            )
        if result.checked:
            said.append(f"{_check_words(result.checked, lab).strip()} Each has {CHECK} shuffles.")
    return said
