"""Sentences of the adaptation lab. Every number in them is computed."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from explorer.adaptation.covariate import FAR
from explorer.languages import translate
from explorer.markup import markup
from explorer.printing import join_list, short_name, short_names
from explorer.workbench.numbers import WAITING, compared, format_number, length_of, percent
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation, formula

from .lab import CALLED
from .result import MU
from .treatment import text as of_treatment

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import AdaptationResult


FEW = 10  # effective sample sizes below this are too small for a line
MATCHED = 0.1  # x counts as matched if at most this share of the target mean's norm is left
LEAST = 0.005  # shares of the target mean's norm below this are displayed as 0 %
KMM = r"\|\frac{1}{n}\sum_i b_i\,k(x_i, \cdot) - \frac{1}{m}\sum_j k(z_j, \cdot)\|^2"
DICA = formula(r"b^\prime K P K b")
OVER = formula(r"b^\prime (KQK + K + \lambda I) b")
DOES = {
    "weights of x": "Reweighting the source",
    "weights of y": "Reweighting the classes",
    "maps": "Moving each class",
    "maps and weights": "Moving and reweighting each class",
}
LINES = {
    "weights of x": "weighted line",
    "weights of y": "weighted line",
    "maps": "line after the maps",
    "maps and weights": "line after the maps",
}


def samples_called(result: AdaptationResult) -> tuple[str, str] | tuple[str, ...]:
    """Return the names of source and target."""
    return ("source", "target") if result.lab.change else short_names(result.pair.sample_names)[:2]


def headline(result: AdaptationResult, row: int | None = None) -> Markup:
    """Return the verdict on whether the remedy helps, and the numbers that show how far to trust it."""
    row = result.row if row is None else row
    if result.lab.picture == "domains":
        return in_html(_domains(result), _components(result))
    if result.lab.picture == "treatment":
        return in_html(*of_treatment.says(result, row))
    return in_html(_verdict(result, row), _trust(result, row))


def in_short(result: AdaptationResult) -> str:
    """Return the change of the squared error for a title, or "" if the headline is not about it or already short."""
    if result.lab.picture == "domains" and len(set(result.clouds.of.tolist())) > 1:
        apart, plain = percent(result.clouds.apart), percent(result.clouds.plain)
        return translate("domains make up {} of DICA's variance, {} of kernel PCA's", apart, plain)
    if result.lab.picture in ("domains", "treatment"):
        return ""
    at, gain = result.at_row(result.row), result.gain(result.row)
    if at.unbounded.far > FAR or (result.lab.source == "concept" and gain <= 0):
        return ""
    return translate("{} on the target", compared(gain).error)


def _verdict(result, row):
    at, gain = result.at_row(row), result.gain(row)
    line = markup("{} {} on the target{}.", named(translate(DOES[result.lab.remedy]), "skmse"), *_changed(gain))
    if at.unbounded.far > FAR:
        return markup(
            "<b>No overlap</b>: {} of the target's kernel mean stays unmatched, and the effective sample size is"
            " <b>{}</b> of {}.",
            percent(min(at.fit.far, 1.0)),
            format_number(at.fit.size),
            len(at.fit.weights),
        )
    if gain > 0 or _percent_shown(gain) == 0:
        return line
    if at.fit.far > MATCHED and at.fit is not at.unbounded:
        left = percent(min(at.fit.far, 1.0))
        return markup("{} With this bound <b>{}</b> of the target's kernel mean stays unmatched.", line, left)
    if result.lab.source == "concept" and at.fit.far <= MATCHED:
        return markup("{} The weights match x, but <b>y given x has changed</b>, and x cannot reveal it.", line)
    return markup("{} This remedy does not suit the change, or too few points have weight.", line)


def _percent_shown(gain):
    """Return the gain in percent, rounded as displayed."""
    return round(100 * max(gain, -1e9), 1)


def _changed(gain):
    """Return the change of the line's squared error as two phrases, before and after "on the target"."""
    if _percent_shown(gain) == 0:
        return markup("leaves the line's squared error"), markup(" <b>unchanged</b>")
    if gain <= -1:
        times = format_number(1 - gain, 2)
        return markup("gives the line <b>{} times</b> the squared error", times), ""
    by = markup(" by <b>{}</b>", percent(abs(gain)))
    return (markup("lowers the line's squared error") if gain > 0 else markup("raises the line's squared error")), by


def _trust(result, row):
    """Return the effective number of points, and whether the weighted source matches the target."""
    fit, remedy = result.at_row(row).fit, result.lab.remedy
    far = percent(min(fit.far, 1.0))
    match = (
        translate("matches the target")
        if fit.far < LEAST
        else translate("leaves {} of the target's kernel mean unmatched", far)
    )
    if remedy == "maps":
        return translate("The moved source {}.", match)
    badge = markup(" <span class='badge'>effective size below {}</span>", FEW) if fit.size < FEW else ""
    size = markup("Effective sample size <b>{}</b> of {}", format_number(fit.size), len(fit.weights))
    if result.lab.bounded:
        return markup("{}. The weighted source {}.{}", size, match, badge)
    return markup("{}. The moved source {}.{}", size, match, badge)


def _errors(result):
    """Return the errors before and after with their sample sizes and seed; for a table in the units of y."""
    lab, fit = result.lab, result.fit
    if lab.change:
        best = (
            ""
            if result.best_error is None
            else translate(", {} with the true weights", format_number(result.best_error))
        )
        before, after = format_number(result.before[1]), format_number(fit.error)
        errors = translate("Squared error on the target: {} unweighted, {} after the remedy{}", before, after, best)
    else:
        before, after = (length_of(result.of_y, math.sqrt(error)) for error in (result.before[1], fit.error))
        errors = translate(
            "Root mean square error of {}: {} unweighted, {} after the remedy",
            short_name(result.of_y.name),
            before,
            after,
        )
    return translate(" {} (n = {}, m = {}, seed {}).", errors, lab.n, lab.m, lab.seed)


def _domains(result):
    clouds = result.clouds
    count = int(clouds.of.max()) + 1
    dica = named("DICA", "skmse")
    if count == 1:
        return markup("With one domain {} is kernel PCA: there is nothing to be invariant to.", dica)
    return markup(
        "Differences between the {} domains make up <b>{}</b> of the variance along {}'s components, and {} along"
        " {}'s.",
        count,
        percent(clouds.apart),
        dica,
        percent(clouds.plain),
        named(translate("kernel PCA"), "kme"),
    )


def _components(result):
    return translate("{} points, with a kernel of size {}.", len(result.clouds.of), format_number(result.lab.size))


def caption(result: AdaptationResult) -> str | Markup:
    """Return the main idea with this state's numbers, and what to try."""
    lab = result.lab
    remark = f" {result.median[1]}" if result.median[1] else ""
    if lab.picture == "domains":
        idea = markup(
            "DICA maximises {} for {} = 1. A larger {} gives the domains' differences more weight. Distributional"
            " variance {}, bandwidth {} × median, seed {}.",
            DICA,
            OVER,
            control("size of the kernel", "size"),
            format_number(result.clouds.variance),
            format_number(lab.bandwidth),
            lab.seed,
        )
        if result.clouds.transfer is not None:
            idea += markup(
                " With λ = μ/4 in squared units of the kernel, μ = {}, n/4 times DICA's leading ratio is <b>{}</b>. The"
                " ratio of transfer component analysis, its limit as the kernel grows, is <b>{}</b>.",
                format_number(MU),
                format_number(result.clouds.ratio),
                format_number(result.clouds.transfer),
            )
        return idea + tries(
            lab, ("size 1", {"size": 1.0}), ("two domains", {"domains": 2}), ("one domain", {"domains": 1})
        )
    if lab.picture == "treatment":
        return of_treatment.caption(result)
    about = f"{translate(CALLED[lab.change])}." if lab.change else _of_table(result)
    if lab.bounded:
        about += markup(" No {} exceeds {}.", control("weight", "bound"), format_number(lab.bound))
    parts = _equation(result) + about + _errors(result) + _maps(result) + _samples(result)
    return parts + remark + tries(lab, *_attempts(lab))


def _equation(result):
    if not result.lab.bounded:
        return ""
    square = format_number(result.fit.distance**2)
    most = f"\\quad 0 \\le b_i \\le {format_number(result.lab.bound)}"
    return equation(
        KMM if result.lab.remedy == "weights of x" else KMM.replace("b_i", r"(\Omega b)_i"), f"= {square}", most
    )


def _of_table(result):
    pair = result.pair
    of, to, both = short_names(pair.sample_names)
    x = join_list(map(short_name, pair.names[:-1]))
    return translate(
        "A line predicts {} from {}; it is learnt from {} and used on {}{}.",
        short_name(pair.names[-1]),
        x,
        of,
        to,
        both,
    )


def _maps(result):
    fit, words = result.fit, ""
    if fit.scale is not None:
        each = [
            f"({format_number(float(w[0]))}, {format_number(float(b[0]))})"
            for w, b in zip(fit.scale, fit.shift, strict=True)
        ]
        words = translate(" Scale and shift of each class: {}.", ", ".join(each[:6]))
    if fit.shares is not None and len(fit.shares) <= 6:
        words += translate(
            " Estimated shares of the classes in the target: {}.", ", ".join(percent(float(s)) for s in fit.shares)
        )
    return words


def _samples(result):
    if result.lab.picture != "samples":
        return ""
    if result.more is None:
        return translate(" The result in more samples is {}.", translate(WAITING))
    gains = result.more.gains[0]
    return translate(" In {} more samples the remedy helps in {}.", len(gains), int((gains > 0).sum()))


def _attempts(lab):
    if lab.source == "covariate":
        return ("shift 2", {"shift": 2.0}), ("B = 3", {"bound": 3.0})
    if lab.source == "target" and lab.remedy == "weights of y":
        return ("weights of x instead", {"remedy": "weights of x"}), ("n = 300", {"n": 300})
    if lab.source == "location-scale" and not lab.bounded:
        return ("weights of x instead", {"remedy": "weights of x"}), ("shift 0", {"shift": 0.0})
    return ("bandwidth 1", {"bandwidth": 1.0}), ("B = 3", {"bound": 3.0})


STORY_VALUES = (
    "size", "gain", "error", "before", "far", "share", "apart", "plain", "gap", "effect", "true", "far_apart", "p",
)  # fmt: skip


def story_values(result: AdaptationResult) -> dict[str, str]:
    """Return the values of the placeholders in the lab's stories."""
    fit = result.fit
    return {
        "gain": compared(result.gain()).share,
        "error": format_number(fit.error),
        "before": format_number(result.before[1]),
        "size": format_number(fit.size),
        "far": percent(min(fit.far, 1.0)),
        "share": "unknown" if fit.shares is None else percent(float(fit.shares[-1])),
        "apart": "unknown" if result.clouds is None else percent(result.clouds.apart),
        "plain": "unknown" if result.clouds is None else percent(result.clouds.plain),
        **of_treatment.story_values(result),
    }
