"""Sentences of the density lab. Every number in them is computed."""

from __future__ import annotations

import json
import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate, translate_plural
from explorer.markup import Later, markup, text_of
from explorer.printing import join_list, short_name
from explorer.workbench import registry
from explorer.workbench.links import address
from explorer.workbench.numbers import WAITING, format_number, in_words, percent
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation
from explorer.workbench.user_points import moved_points

from .lab import ESTIMATORS
from .result import SAMPLES

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.prose import Attempt

    from .result import DensityResult


# SVG dash patterns, equal to the legend's
DASHES = dict(zip(ESTIMATORS, ("", "7 4", "2 3 7 3", "2 3", "7 3 2 3"), strict=True))
# relative difference of two RKHS distances below which they count as equal: 100 optimiser steps leave that much open
ALIKE = 0.01
# a gain of FAR_BETTER nats or more is given as a factor; above HUGE nats exp would overflow
FAR_BETTER, HUGE = math.log(2), 700.0
LEVEL, DIGITS = 0.05, 12  # level of KSDAgg; digits of the mixture's numbers in a link
LACKS = 1e-3  # if the weights of the estimate sum to this much less than 1, the caption mentions the dust bin
BADGE = Later(" <span class='badge'>inside the noise</span>")
J = r"\|\hat\mu - \mu_Q\|^2 = π^\prime G π - 2\,π^\prime h + \|\hat\mu\|^2"
FAMILY = r"\text{log }p = t\,(\hat\mu - \mu_p) - \text{log }Z"


def headline(result: DensityResult, row: int | None = None) -> Markup:
    """Return the verdict on whether the mixture fits new points better than its start, and the numbers behind it."""
    row = result.row if row is None else row
    says = _even(result) if result.lab.picture == "entropy" else _fit(result, row)
    return in_html(says, _trust(result, row))


def _fit(result, row):
    gain, step = result.gain(row), int(result.steps[row])
    if result.rival is not None:
        return _from_hand(result, row)
    if result.lab.shown_moved:
        best = float(result.fit.history_[-1]) ** 0.5
        return markup(
            "With {}, the RKHS distance is <b>{}</b> that of the fit ({}).",
            _moved(result),
            _times(result.distance[row], best),
            format_number(best),
        )
    if step == 0:
        return markup("The fit starts at the mixture of <b>k-means</b>. Play the steps to see whether it improves.")
    after = translate_plural("After {} step the mixture", "After {} steps the mixture", step)
    if round(100 * math.expm1(min(abs(gain), 1.0)), 1) == 0:
        return markup("{} <b>fits new points just as k-means does</b>.", after)
    if _in_noise(result, row):
        return markup(
            "{} fits new points <b>about as well as k-means</b>: their typical density is {}, within the noise.",
            after,
            _density(gain),
        )
    verdict = markup("better than k-means") if gain > 0 else markup("<b>worse than k-means</b>")
    return markup("{} fits new points {}: their typical density is {}.", after, verdict, _density(gain))


def _density(gain):
    """Return the ratio of two geometric mean densities in words; `gain` is the mean difference of their logarithms."""
    if gain >= FAR_BETTER:
        return markup("<b>{} times</b> as high", format_number(math.exp(min(gain, HUGE)), 2))
    share = percent(math.expm1(gain) if gain > 0 else -math.expm1(gain))
    return markup("<b>{}</b>", translate("{} higher", share) if gain > 0 else translate("{} lower", share))


def _in_noise(result, row):
    """Return whether there are too few new points to distinguish the mixture from its start."""
    return result.rival is None and result.steps[row] > 0 and abs(result.gain(row)) < 2 * float(result.doubt[row])


def _from_hand(result, row):
    """Compare the fit from the user's centres with the fit from k-means after equally many steps."""
    ours, theirs = float(result.distance[row]), float(result.rival_course.distance[row])
    if row == 0:
        begun = markup("Your centres, where the fit starts, have RKHS distance <b>{}</b>", format_number(ours))
        return markup("{}; k-means has <b>{}</b>.", begun, format_number(theirs))
    steps = translate_plural("After {} step", "After {} steps", result.stops[row])
    if abs(ours - theirs) <= ALIKE * max(ours, theirs):
        verdict = markup("both starts end <b>equally close</b>")
    elif ours < theirs:
        verdict = markup("<b>your start is better</b>")
    else:
        verdict = markup("<b>k-means is the better start</b>")
    return markup(
        "{} the RKHS distance is {} from your centres and {} from k-means: {}.",
        steps,
        format_number(ours),
        format_number(theirs),
        verdict,
    )


def _times(value, best):
    return translate("{} times", format_number(value / best, 2)) if best > 0 else translate("more than")


def _moved(result):
    count = sum(blob < result.lab.blobs for blob in moved_points(result.lab.placed))
    return translate_plural("one component moved by hand", "{} components moved by hand", count)


def _even(result):
    if result.beyond:
        return markup(
            "The maximum-entropy density is 0 at <b>{} of the {} new points</b>, which lie beyond its grid.",
            result.beyond,
            len(result.held_out),
        )
    gain = float(result.nll[-1]) - result.even_nll
    if abs(gain) < 2 * result.even_doubt:
        return markup(
            "The maximum-entropy density fits new points <b>about as well as the mixture</b>: their typical density is"
            " {}, within the noise.",
            _density(gain),
        )
    return markup(
        "The maximum-entropy density fits new points {} than the mixture: their typical density is {}.",
        translate("better" if gain > 0 else "worse"),
        _density(gain),
    )


def _trust(result, row):
    """Return the log-likelihoods that the headline compares."""
    if result.lab.picture == "entropy":
        even = -result.even_nll
        return markup(
            "Log-likelihood per new point: {} nats, against {} for the mixture.",
            "−∞" if even == -math.inf else format_number(even),
            format_number(-float(result.nll[-1])),
        )
    other = translate("{} for k-means", format_number(-result.start_nll))
    if result.rival is not None:
        other = translate("{} from k-means", format_number(-float(result.rival_course.nll[row])))
    own = translate("Log-likelihood per new point: {} nats", format_number(-float(result.nll[row])))
    if result.rival is None and result.steps[row] == 0 and not result.lab.shown_moved:
        return f"{own}."
    doubt = format_number(float(result.doubt[row]), 2)
    words = translate("{}, against {} (± {} on {} points).", own, other, doubt, len(result.held_out))
    badge = BADGE if _in_noise(result, row) else ""
    return markup("{}{}", words, badge)


def _plain(result):
    """Compare the fit's end with the end of the plain average's fit."""
    if result.plain_nll is None or result.lab.picture == "entropy":
        return ""
    gain = result.plain_nll - float(result.nll[-1])
    verdict = "better" if gain > 0 else "worse"
    return markup(
        " The fit to {} ends {} nats per point {} than the fit to the plain average.",
        _estimator(result),
        format_number(abs(gain)),
        verdict,
    )


def _estimator(result):
    return named(result.lab.estimator, result.role)


def caption(result: DensityResult) -> Markup:
    """Return the equation with this state's numbers, the remarks, and what to try."""
    lab = result.lab
    ending = (
        translate("its last step")
        if result.ended is None
        else translate("step {}, where it ends by itself", result.ended)
    )
    words = markup(
        "{} A mixture of {} is fitted to the {} of {} points (seed {}) under an RBF kernel of {} {}, up to {}.",
        _sample_sentence(result),
        translate_plural("{} component", "{} components", lab.blobs),
        _estimator(result),
        lab.n,
        lab.seed,
        control("bandwidth", "bandwidth"),
        format_number(result.kernel.bandwidth),
        ending,
    )
    remark = f" {result.median[1]}" if result.median[1] else ""
    return (
        _equation(result)
        + words
        + _scored(result)
        + _judged(result)
        + _plain(result)
        + _begun(result)
        + _dust(result)
        + _samples(result)
        + remark
        + tries(lab, *TRIES[lab.picture])
    )


def _scored(result):
    """Return how close the fit is, or the entropy of the maximum-entropy density, and the basis of the likelihoods."""
    if result.lab.picture == "entropy":
        even = result.even
        numbers = translate("The maximum-entropy density has entropy {} nats", format_number(even.entropy_))
    else:
        start, end = float(result.fit.history_[0]) ** 0.5, float(result.distance[result.row])
        numbers = translate("The RKHS distance goes from {} to {}", format_number(start), format_number(end))
    scaled = translate(", in columns scaled to variance 1") if any(each.is_scaled for each in result.quantities) else ""
    return translate(" {}. Likelihoods are means over {} new points{}.", numbers, len(result.held_out), scaled)


def _judged(result):
    """Return whether KSDAgg rejects the mixture on held-out points, with a link to the lab fit."""
    if not result.lab.judges:
        return ""
    if result.judged is None:
        return translate(" The KSDAgg test of the mixture is {}.", translate(WAITING))
    p, count = format_number(result.judged.pvalue), result.judged.n
    verdict = (
        markup("<b>rejects</b> the mixture")
        if result.judged.rejected(LEVEL)
        else translate("finds no misfit of the mixture")
    )
    where = "" if result.law is None else markup(" <a href='{}'>Open it in Fit</a>.", _in_fit(result))
    return markup(" On {} of the new points KSDAgg {} (p = {}).{}", count, verdict, p, where)


def _in_fit(result):
    """Return the address of the lab fit with the same mixture, points and test."""
    lab, mixture = result.lab, result.mixture
    deviations = np.sqrt(mixture.covariances[:, 0, 0])
    rows = np.column_stack([mixture.weights, deviations, mixture.means]).tolist()
    given = json.dumps([[float(f"{value:.{DIGITS}g}") for value in row] for row in rows], separators=(",", ":"))
    drawn = {"source": lab.source, "d": lab.d, "df": lab.df, "law_seed": lab.law_seed}
    tested = {"n": result.judged.n, "seed": result.judged.seed}
    return address("fit", registry.entry("fit").lab(family="given", given=given, **drawn, **tested))


TRIES: dict[str, tuple[Attempt, ...]] = {
    "progress": (("MKME", {"estimator": "MKME"}), ("n = 20", {"n": 20})),
    "blobs": (("bandwidth 0.1", {"bandwidth": 0.1}), ("S-KMSE", {"estimator": "S-KMSE"})),
    "samples": (("n = 20", {"n": 20}), ("bandwidth 1", {"bandwidth": 1.0})),
    "entropy": (("ε = 4", {"eps": 4.0}), ("one dimension", {"d": 1})),
}


def _sample_sentence(result):
    if result.law is None:
        names = join_list(map(short_name, result.names))
        return translate("Points are rows of {}, and {} rows are held out.", names, len(result.held_out))
    return {
        "mixture": translate("Points come from a mixture of four Gaussians."),
        "student": translate("Points come from Student's t."),
    }[result.lab.source]


def _equation(result):
    colour = result.role
    if result.lab.picture == "entropy":
        even = result.even
        return equation(
            FAMILY,
            rf"\quad t = {format_number(even.multiplier_)},\;\|\hat\mu - \mu_p\| = {format_number(even.distance_)} \le"
            rf" {format_number(even.eps)}",
        )
    square = float(result.distance[result.row]) ** 2
    return equation(J, rf"= \role{{{colour}}}{{{format_number(square)}}}")


def _begun(result):
    """Compare the ends of the fits from the user's centres and from k-means."""
    if result.rival is None:
        return ""
    end, theirs = (float(each) for each in (result.nll[-1], result.rival_course.nll[-1]))
    verdict = "better" if end < theirs else "worse"
    return translate(
        " Every fit starts at your centres, with the weights and widths of k-means. This one ends {} nats per point"
        " {} than the fit from k-means.",
        format_number(abs(end - theirs)),
        verdict,
    )


def _dust(result):
    """Describe the components that end at the upper bound of the width."""
    missing = 1 - float(result.fit.embedding_.weights.sum())
    if not len(result.fit.at_ceiling_):
        return (
            translate(" {} of the weight has the largest width allowed.", percent(result.at_bound))
            if missing > LACKS
            else ""
        )
    return markup(
        " The dust bin, components as wide as the bound, ends with <b>{}</b> of the weight. The weights of the estimate"
        " sum to {} less than one.",
        percent(result.at_bound),
        percent(missing),
    )


def _samples(result):
    """Return the chosen estimator's gains in additional samples, in words."""
    if result.lab.picture != "samples":
        return ""
    if result.endings is None:
        return translate(" The result in {} more samples is {}.", SAMPLES, translate(WAITING))
    start, plain = (each for each in result.endings.differences(result.lab.estimator))
    begun = translate(" from k-means") if result.rival is not None else ""
    words = translate(" In {} more samples the fit{} beats k-means in {}", SAMPLES, begun, int((start > 0).sum()))
    if result.lab.estimator == "KME":
        return f"{words}."
    return translate("{} and beats the fit to the plain average in {}.", words, int((plain > 0).sum()))


STORY_VALUES = ("likelihood", "start", "distance", "end", "before", "plain", "share", "density")


def story_values(result: DensityResult) -> dict[str, str]:
    """Return the values of the placeholders in the lab's stories."""
    numbers = {
        "likelihood": -float(result.nll[result.row]),
        "start": -result.start_nll,
        "distance": float(result.distance[result.row]),
        "end": float(result.fit.history_[-1]) ** 0.5,
        "before": float(result.fit.history_[0]) ** 0.5,
        "plain": None if result.plain_nll is None else abs(result.plain_nll - float(result.nll[-1])),
    }
    return {**in_words(numbers), "share": percent(result.at_bound), "density": text_of(_density(result.gain()))}
