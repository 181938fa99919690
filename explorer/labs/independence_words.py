"""The Independence lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from html import escape

from explorer.workbench.numbers import deviations, number, percent

from .independence_trials import LEAST

WAITING = "still being computed"

CALLED = {
    "LIN": "linear kernels",
    "POLY2": "quadratic kernels",
    "distance": "distance kernels (the distance covariance)",
}


def headlines(result):
    """The headline at every row of the table."""
    return [headline(result, row) for row in range(len(result.rows))]


def headline(result, row=None):
    """Both verdicts, in HTML: what Pearson's r and what HSIC say, and what test that was."""
    if not result.enough:
        return _few(result)
    trial, r = result.trial(row), result.found.pearson
    p, alpha = trial.test.pvalue, result.lab.alpha
    one, two = (f"<b>{'a dependence' if each <= alpha else 'nothing'}</b>" for each in (r.p, p))
    draft = " <span class='badge'>draft</span>" if result.draft else ""
    says = f"{r_said(result)} and finds {one} (p = {number(r.p)}); HSIC finds {two} (<b>p = {number(p)}</b>).{draft}"
    return f"<div class='says'>{says}</div><div class='trust'>{_test(result, row)}{fresh_said(result, row)}</div>"


def _few(result):
    n = result.pairs.n
    says = (
        f"<b>{n}</b> pair{'s' if n > 1 else ''} so far: draw more."
        if n
        else "The canvas is <b>empty</b>: click to draw pairs."
    )
    return (
        f"<div class='says'>{says}</div><div class='trust'>A test of independence needs at least {LEAST} pairs.</div>"
    )


def r_said(result):
    """The linear coefficient: Pearson's r, or of several columns the RV coefficient."""
    value = result.found.pearson.value
    if result.pairs.X.shape[1] > 1:
        return f"Linear correlation (RV) is {number(value)}"
    return f"Pearson's r is {signed(value)}"


def signed(value):
    """Two digits after the point, with a true minus."""
    return f"{value:.2f}".replace("-0.00", "0.00").replace("-", "−")


def reached(trial):
    """How many shuffles reach the observed value."""
    return round(trial.test.pvalue * (1 + len(trial.test.null_distribution))) - 1


def _test(result, row):
    """What test this was, under which kernels, of how many pairs, against what."""
    trial = result.trial(row)
    test, count = trial.test, reached(trial)
    return (
        f"{count} of {len(test.null_distribution)} shuffles of the pairing reach{'es' if count == 1 else ''} HSIC ="
        f" {number(test.statistic)}, {deviations(result.standardised(row))} their mean; permutation test by the biased"
        f" HSIC, {_kernels(result, row)}, n = {test.n} pairs."
    )


def _kernels(result, row):
    if result.lab.kernel != "RBF":
        return CALLED[result.lab.kernel]
    times, (mx, my) = result.lab.bandwidth, result.medians
    said = (
        f"RBF kernels at {number(times)} × the median distances ({number(times * mx)} in x, {number(times * my)} in y)"
    )
    sigma = result.lab.sigma if row is None else result.stops[row]
    if sigma == 0:
        return said
    if sigma is None:
        a, b = result.own.sigmas
        return (
            f"{said} and σ by leave-one-out ({number(a)} and {number(b)}): the same p as at bandwidths {_pair(result)}"
        )
    return (
        f"{said} and σ = {number(sigma)} ×: the same p as at {number(math.hypot(times, math.sqrt(2) * sigma))} ×"
        " without noise"
    )


def _pair(result):
    return " and ".join(number(kernel.bandwidth) for kernel in result.kernels)


def fresh_said(result, row=None):
    """What fresh samples say, where the page has them for this state."""
    fresh = result.fresh
    if fresh is None or row not in (None, result.row):
        return ""
    none = f"{fresh.none} of {fresh.count} re-paired, independent ones"
    if fresh.kernel is None:
        return f" HSIC finds something in {none}."
    found = f"<b>{fresh.kernel}</b> and Pearson in {fresh.pearson}"
    return f" Of {fresh.count} fresh samples HSIC finds something in {found}; HSIC in {none}."


def described(result):
    """What the pairs are."""
    lab, pairs = result.lab, result.pairs
    noise = f", noise {number(lab.noise)}" if lab.source in ("ring", "cross", "sine", "fan", "line", "none") else ""
    hand = f"; {pairs.placed} put by hand" if pairs.placed and lab.source != "drawn" else ""
    moved = f"; {len(pairs.moved)} moved by hand" if len(pairs.moved) else ""
    return f"{escape(pairs.called)}{noise}{hand}{moved}"


def caption(result):
    """The idea, the shape of the dependence, the identity of the marginalized kernels, and what there is to remark."""
    idea = (
        "HSIC = tr(KHLH)/n²: centre both Gram matrices, H takes row and column means off, and average the products of"
        " their entries. It is |Ĉ|², the squared norm of the cross-covariance operator. If the pairing did not matter,"
        " shuffling it would give values like the grey ones"
    )
    if not result.enough:
        return f"{idea}. {described(result)}."
    own, test = result.own, result.test
    count = reached(own)
    total = len(test.null_distribution)
    below = f"all {total}" if count == 0 else f"{total - count} of {total}"
    remarks = zip("xy", result.remarks, strict=True) if result.lab.kernel == "RBF" else ()
    remark = " ".join(f"{side}: {text}" for side, text in remarks if text)
    return (
        f"{idea}; this one, {number(test.statistic)}, is larger than <b>{below}</b>. {described(result)}. "
        f"The leading pair of functions f(x), g(y) has {percent(own.share)} of HSIC and correlates by "
        f"{number(own.together)}. {_marginalized(result)}{_distance(result)} Seed {result.lab.seed}. "
        f"{remark}"
    ).rstrip()


def _marginalized(result):
    """Equation 34 of the paper, and what it is."""
    if result.lab.kernel != "RBF":
        return ""
    return (
        "Marginalized HSIC gives each point noise of standard deviation σ: that is RBF at bandwidth √(θ² + 2σ²), times"
        " a constant that no p-value sees."
    )


def _distance(result):
    if result.found.distance is None:
        return ""
    d, peer = result.found.distance, result.peer
    said = (
        f" The distance covariance is {number(result.found.covariance)}, the distance correlation {number(d.value)} "
        f"(p = {number(d.p)})."
    )
    if peer is None:
        return said
    if peer.trouble:
        return f"{said} {escape(peer.trouble)}"
    apart = abs(peer.covariance - result.found.covariance)
    return f"{said} dcor {peer.version} says {number(peer.covariance)}, {_apart(apart)}."


def _apart(value):
    return "the same to the last digit" if value == 0 else f"{value:.1g} away"


def told(result):
    """The words that stories put their numbers in."""
    late = ("fresh", "pearson_fresh", "none", "count", "dcor", "dcor_p", "column", "column_p", "column_alone")
    words = dict.fromkeys(late, WAITING)
    if not result.enough:
        return {
            **words,
            **dict.fromkeys(("p", "r", "r_p", "z", "share", "together", "reached", "times", "hsic"), "unknown"),
        }
    lab, own, found = result.lab, result.own, result.found
    words |= {
        "p": number(result.pvalue),
        "r": signed(found.pearson.value),
        "r_p": number(found.pearson.p),
        "z": deviations(result.standardised()),
        "share": percent(own.share),
        "together": number(own.together),
        "reached": f"{reached(own)} of {len(own.test.null_distribution)}",
        "hsic": number(own.test.statistic),
        "times": number(math.hypot(lab.bandwidth, math.sqrt(2) * (lab.sigma or 0.0))),
    }
    if found.distance:
        words |= {"dcor": number(found.distance.value), "dcor_p": number(found.distance.p)}
    if result.fresh:
        words |= {
            "fresh": str(result.fresh.kernel),
            "pearson_fresh": str(result.fresh.pearson),
            "none": str(result.fresh.none),
            "count": str(result.fresh.count),
        }
    if result.columns:
        words |= {
            "column": result.columns.names[0],
            "column_p": number(float(result.columns.pvalue[0])),
            "column_alone": number(float(result.columns.alone[0])),
        }
    return words
