"""Sentences of the Fit lab. Every number is computed; none is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.languages import translate, translate_plural
from explorer.markup import markup
from explorer.printing import join_list, short_name
from explorer.workbench.numbers import WAITING, format_number, in_words, value_of
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation
from explorer.workbench.user_points import moved_points

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import FitResult


KSD = r"\mathrm{KSD}^2 = \frac{1}{n(n-1)} \sum_{i ≠ j} h(x_i, x_j)"

MODELS = {
    "gaussian": "a Gaussian",
    "two": "a mixture of two Gaussians",
    "student": "a Student's t distribution",
    "given": "the mixture of the link",
}


def headline(result: FitResult, row: int | None = None) -> Markup:
    """Return the headline: whether the test rejects the model, and a line on KSDAgg and the model's divergence."""
    return in_html(_verdict(result, result.at_row(row).test), markup("{}{}", _aggregated(result), _truth(result)))


def _verdict(result, test):
    p, rejects = format_number(test.pvalue), test.pvalue <= result.lab.alpha
    if rejects and result.is_true:
        return markup("<b>A false alarm</b>: the KSD test rejects the true distribution (p = {}).", p)
    if rejects:
        return markup("The model <b>does not fit</b> the data: KSD² = {}, p = {}.", format_number(test.statistic), p)
    if result.divergence is not None and result.divergence.large:
        return markup("The KSD test <b>misses a wrong model</b> (p = {}).", p)
    return markup("The KSD test finds <b>no misfit</b> (p = {}).", p)


def _aggregated(result):
    found = result.p_aggregated
    p = translate("is {}", translate(WAITING)) if found is None else f"= {format_number(found)}"
    remark = translate(" The model was fitted to these points, so every p is too large.") if result.lab.biased else ""
    return translate("KSDAgg, without a bandwidth to choose: p {}.{}", p, remark)


def _truth(result):
    """Return the model's divergence from the true distribution as text, or "" if that is unknown."""
    if result.divergence is None:
        return ""
    value, error = result.divergence
    if result.is_true:
        return translate(" The model is the true distribution.")
    doubt = format_number(error, 2)
    nats = translate("{} ± {} nats per point", format_number(value), doubt)
    return translate(" Kullback–Leibler divergence from the truth: {}.", nats)


def caption(result: FitResult) -> Markup:
    """Return the caption: the statistic in this state's numbers, the longest witness, and suggestions."""
    test, lab = result.test, result.lab
    line = equation(KSD, rf"= {format_number(test.statistic)}")
    words = markup(
        "From {} on, p is at most {} ({} sign flips). {} ",
        format_number(test.threshold(lab.alpha)),
        control(lab.level, "level"),
        len(test.null_distribution),
        witness_words(result),
    )
    return line + words + _state(result) + _fitted(result) + tries(lab, *_tries(result))


def witness_words(result: FitResult) -> str:
    """Return the sentence on where the Stein witness is longest."""
    place, length = result.worst
    where = ", ".join(map(value_of, result.quantities, place))
    return translate("The Stein witness is longest at ({}), {} standard errors.", where, format_number(length, 2))


def rejecting_words(result: FitResult) -> str:
    """Return the sentence on how many bandwidths reject, or "" until all are computed."""
    if not result.answers:
        return ""
    return translate("{} of {} bandwidths reject the model.", result.rejecting, len(result.tests))


def _state(result):
    """Return two sentences on the points, the model, the kernel and the seed."""
    lab = result.lab
    of = "" if lab.toy else translate(" of {}", join_list(map(short_name, result.names)))
    kernel = "RBF" if lab.kernel == "RBF" else translate("Inverse multiquadric")
    width = "" if lab.width == 1 else translate(", {} times its original width", format_number(lab.width))
    count = sum(row < len(result.home.means) for row in moved_points(lab.moved))
    hand = translate_plural(", {} component moved by hand", ", {} components moved by hand", count) if count else ""
    return markup(
        "{} points{} are tested (seed {}). The {} is {}{}{}. {} kernel, {} {}.",
        lab.n,
        of,
        lab.seed,
        named("model", "skmse"),
        _model(result),
        width,
        hand,
        kernel,
        control("bandwidth", "bandwidth"),
        format_number(result.kernel.bandwidth),
    ) + (f" {result.median[1]}" if result.median[1] else "")


def _model(result):
    lab, count = result.lab, len(result.home.means)
    if lab.family != "fitted":
        return translate(MODELS[lab.family])
    where = translate("these points") if lab.biased else translate("{} other points", lab.beside)
    if count > 1:
        return translate("{} fitted to {}", translate("a mixture of {} Gaussians", count), where)
    return translate("{} of {}", translate("a Gaussian with their mean and covariance").replace("their", "the"), where)


def _fitted(result):
    """Return the warning that a model fitted to the tested points makes the test conservative, or ""."""
    if not result.lab.biased:
        return ""
    return translate(
        " A model fitted to the tested points lies closer to them than the truth does, so the test rejects too"
        " rarely: a large p is weak evidence for this model."
    )


def _tries(result):
    lab = result.lab
    if lab.biased:
        most = lab.n if lab.toy else min(lab.n, result.source.n // 2)
        return (("a fit to other points", {"fitted_on": "other", "n": most}),)
    kernel = ("the inverse multiquadric", {"kernel": "IMQ"}) if lab.kernel == "RBF" else ("RBF", {"kernel": "RBF"})
    if lab.source not in ("gaussian", "student"):
        return (("a fitted Gaussian", {"family": "fitted", "moved": "", "width": 1.0}), kernel)
    truth = {"family": lab.source, "moved": '{"0":[0,0]}', "width": 1.0}
    return (("the true distribution", truth), kernel)


STORY_VALUES = ("p", "ksd", "limit", "many", "longest", "off", "rejecting")


def story_values(result: FitResult) -> dict[str, str]:
    """Return the values of the stories' placeholders."""
    limit = result.test.threshold(result.lab.alpha)
    return {
        **in_words({"p": result.pvalue, "ksd": result.statistic, "limit": limit, "off": result.far_off}),
        **in_words({"many": result.p_aggregated}, WAITING),
        "longest": format_number(result.longest, 2),
        "rejecting": str(result.rejecting),
    }
