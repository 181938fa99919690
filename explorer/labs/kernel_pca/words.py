"""Sentences of the Kernel PCA lab. Every number is computed; none is typed in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate, translate_plural
from explorer.markup import Later, joined, markup
from explorer.printing import short_name
from explorer.workbench.clouds import CALLED
from explorer.workbench.kernels import gram_words, has_bandwidth, kernel_words
from explorer.workbench.numbers import WAITING, compared, format_number, percent, value_of
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation, formula

from .lab import VARIANTS
from .resampled import TESTED

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import KernelPCAResult


ROLES = {"KPCA": "kme", "S-centred": "skmse", "F-centred": "fkmse", "S-COSE": "skmse", "F-COSE": "fkmse"}
SAME = 1e-9  # relative differences of an error below this are rounding
OPERATOR = r"C = \sum_i \beta_i\,\tilde\phi(x_i) \otimes \tilde\phi(x_i)"
CENTRED = formula(r"\tilde\phi(x) = k(x, \cdot) - m")
SCALED = formula(r"\frac{1}{1 + \lambda}")
RATIO = formula(r"\mathrm{Var}_B f / (\mathrm{Var}_W f + \frac{\lambda}{n} \|f\|^2)")
SCATTER = formula(r"\mathrm{tr}(HKH)")
TENSOR = formula(r"\|C_3\|^2")
LABELS = {
    "apart": Later("Delta, divided by the sizes of the clusters"),
    "row": Later("2 within a cluster and 1 between neighbours in the row, divided by the sizes of the clusters"),
    "ring": Later("2 within a cluster and 1 between neighbours in the ring, divided by the sizes of the clusters"),
}
GROUPS = {"rings": "the rings", "moons": "the moons", "blobs": "one blob from the others"}


def headline(result: KernelPCAResult, row: int | None = None) -> Markup:
    """Return the finding of the selected picture, and below it the basis of the finding."""
    row = result.row if row is None else row
    says = HEADLINES.get(result.lab.picture, _component)
    return in_html(says(result, row), _trust(result, row))


def in_short(result: KernelPCAResult) -> str:
    """Return the finding for a title if the headline is too long for it, or "" for other pictures."""
    lab, found = result.lab, result.clusters
    if lab.picture == "clusters" and lab.between == "apart" and found is not None:
        return translate("{} clusters, n² HSIC {}", lab.clusters, format_number(found.hsic))
    if lab.picture == "errors" and result.study is not None:
        return translate("{}: {} held-out error", VARIANTS[1], _change(result, VARIANTS[1]))
    if result.lab.picture != "denoised" or result.cleaned is None:
        return ""
    count = _first(result, result.look_at(result.row))
    kept = translate_plural("{} component", "{} components", count)
    return translate("{}: {} squared distance", kept, compared(1 - result.cleaned).share)


def _component(result, row):
    look, k = result.look_at(row), result.lab.component
    if k > look.rank:
        if look.rank == 1:
            return translate("There is no component {}: 1 component explains all of the variance.", k)
        return translate("There is no component {}: {} components explain all of the variance.", k, look.rank)
    says = markup("Component {} explains <b>{}</b> of the variance", k, percent(float(look.shares[k - 1])))
    if np.isnan(look.split):
        return markup("{}; the first {} explain {}.", says, _first(result, look), percent(look.kept))
    return markup(
        "{}, and one threshold on it separates {} with <b>{}</b> accuracy.",
        says,
        translate(GROUPS[result.lab.source]),
        percent(look.split),
    )


def _discriminant(result, row):
    told = result.discriminant
    if not result.tells_groups or row != result.row:  # another bandwidth has another discriminant
        return _component(result, row)
    if told is None:
        return translate("Fisher's discriminant is {}.", translate(WAITING))
    return markup(
        "Fisher's discriminant assigns <b>{}</b> of {} new points to the right group, and component {} assigns"
        " <b>{}</b>.",
        percent(told.fresh),
        TESTED,
        min(result.lab.component, result.look.rank),
        percent(told.component),
    )


def _clusters(result, row):
    found, lab = result.clusters, result.lab
    if row != result.row:
        return _component(result, row)
    if found is None:
        return translate("The clusters are {}.", translate(WAITING))
    hsic = format_number(found.hsic)
    if lab.between != "apart":
        where = translate("in a row" if lab.between == "row" else "in a ring")
        return markup("For {} clusters {}, n² HSIC with the labels is <b>{}</b>.", lab.clusters, where, hsic)
    return markup(
        "{} clusters: n² HSIC with the labels is <b>{}</b>, and kernel k-means explains {} − {} = <b>{}</b>.",
        lab.clusters,
        hsic,
        format_number(found.scatter),
        format_number(found.within),
        format_number(found.scatter - found.within),
    )


def _first(result, look):
    return min(result.lab.kept, look.rank)


def _denoised(result, row):
    look = result.look_at(row)
    count = _first(result, look)
    kept = translate_plural("With {} component kept", "With {} components kept", count)
    if result.cleaned is None or row != result.row:
        share = markup("<b>{}</b> of the variance", percent(look.kept))
        without = translate("the noise-free points are unknown")
        if result.cleaned is not None:  # another bandwidth has other pre-images
            without = translate("the distance to the noise-free points is {}", translate(WAITING))
        return markup("{}, {} remains; {}.", kept, share, without)
    change = compared(1 - result.cleaned).share
    return markup("{}, the points have <b>{}</b> squared distance to the noise-free points.", kept, change)


def _errors(result, row):
    if result.study is None:
        return translate("The effect of shrinkage on the held-out error is {}.", translate(WAITING))
    first, *rest = (markup("{} <b>{}</b>", named(v, ROLES[v]), _change(result, v)) for v in VARIANTS[1:])
    changed = [v for v in VARIANTS[1:] if abs(result.study.gain(v, result.lab.kept)) > SAME]
    luck = [v for v in changed if not result.study.certain(v, result.lab.kept)]
    badge = markup(" <span class='badge'>within the noise: {}</span>", ", ".join(luck)) if luck else ""
    return markup("Held-out error relative to plain kernel PCA: {}.{}", joined([first, *rest], ", "), badge)


def _change(result, variant):
    """Return a variant's gain as text, with two significant digits."""
    gain = result.study.gain(variant, result.lab.kept)
    if abs(gain) < SAME:
        return translate("the same")
    share = f"{format_number(float(f'{100 * abs(gain):.2g}'))} %"
    return translate("{} less" if gain > 0 else "{} more", share)


def _ghosts(result, row):
    boot, k = result.boot, result.lab.component
    if boot is None:
        return translate("How much the components vary between resamples is {}.", translate(WAITING))
    steady = boot.steady(k)
    swaps = markup("components 2 and 3 swap in <b>{}</b>", boot.swaps)
    if steady is None or k > result.look.rank:
        return markup("In {} bootstrap resamples, {}.", boot.count, swaps)
    return markup(
        "Component {} keeps its place in <b>{}</b> of {} bootstrap resamples; {}.", k, steady, boot.count, swaps
    )


def _trust(result, row):
    lab, look = result.lab, result.look_at(row)
    width = translate(", bandwidth {} × median", format_number(result.stops[row] if result.answers else lab.bandwidth))
    kernel = f"{kernel_words(lab)}{width if has_bandwidth(result) else ''}"
    if lab.picture == "errors" and result.study is not None:
        study, kept = result.study, min(lab.kept, int(result.study.components[-1]))
        wins = [str(study.wins(v, kept)) for v in VARIANTS[1:]]
        told = "With r = {}, the error is lower in {} and {} of {} samples, in this order ({} points held out; {})."
        return translate(told, kept, ", ".join(wins[:-1]), wins[-1], len(study.errors["KPCA"]), study.tested, kernel)
    if np.isfinite(look.split) and lab.picture == "scores":
        return translate("A random component would reach about {} ({}).", percent(result.chance), kernel)
    return translate("Estimated from {} points ({}).", lab.n, kernel)


HEADLINES: dict[str, Callable[..., Markup | str]] = {
    "errors": _errors,
    "ghosts": _ghosts,
    "denoised": _denoised,
    "discriminant": _discriminant,
    "clusters": _clusters,
}


def _source(result):
    lab = result.lab
    if lab.toy:
        return translate("{}, noise {}", translate(CALLED[lab.toy]), format_number(lab.noise))
    return short_name(lab.table_name)


def caption(result: KernelPCAResult) -> Markup:
    """Return the idea with this state's numbers, and what to try."""
    lab, look, k = result.lab, result.look, min(result.lab.component, result.look.rank)
    value = format_number(float(look.model.eigenvalues_[k - 1]))
    numbers = equation(OPERATOR, rf"\quad C v_{k} = d_{k} v_{k},\; d_{k} = {value}")
    idea = markup(
        "{}The {} are the directions of largest variance of the features {}. With {} of them, the pre-image of the"
        " cross is at ({}). {}, n = {}, seed {}.",
        numbers,
        control("components", "component"),
        CENTRED,
        control(f"r = {result.kept}", "kept"),
        _place(result, result.back),
        _source(result),
        lab.n,
        lab.seed,
    )
    whole = joined(filter(None, (idea, _shrunk(result), _of_picture(result), _third(result), result.median[1])), " ")
    return whole + gram_words(lab) + tries(lab, *_attempts(result))


def _of_picture(result):
    """Describe the discriminant or the clusters with their numbers, or return "" for other pictures."""
    if result.lab.picture == "discriminant" and result.discriminant is not None:
        lam = format_number(result.discriminant.fit.lam_)
        return markup("The discriminant makes {} largest, with λ = {} by leave-one-out.", RATIO, lam)
    if result.lab.picture == "clusters" and result.clusters is not None:
        scatter = format_number(result.clusters.scatter)
        return markup("The labels' kernel is {}. Here {} = {}.", LABELS[result.lab.between], SCATTER, scatter)
    return ""


def _third(result):
    """Return the norm of the covariance tensor of order 3 by the linear kernel and by moments, or ""."""
    if result.third is None or result.lab.picture != "scores":
        return ""
    by_kernel, by_moments = map(format_number, result.third)
    return markup(
        "The tensor of order 3 has {} = {}; the squared third central moments of the coordinates sum to {}.",
        TENSOR,
        by_kernel,
        by_moments,
    )


def _shrunk(result):
    """Say what is shrunk and with which λ, or return "" if nothing is."""
    lab = result.lab
    if lab.own_centre is not None:
        return markup("{} estimates the centre m in place of the plain average.", lab.own_centre.called)
    if not lab.shrinks:
        return ""
    chosen = translate(", chosen by leave-one-out") if lab.lam is None else ""
    return markup("{} Here λ = {}{}.", WHY[lab.variant], format_number(result.look.lam), chosen)


WHY: dict[str, Later] = {
    "S-centred": Later("S-KMSE shrinks the centre m, so less is subtracted from each feature."),
    "F-centred": Later("F-KMSE shrinks the centre m, most strongly in directions of small variance."),
    "S-COSE": Later("S-COSE multiplies C by {}: eigenvalues shrink, components stay (erratum 32).", SCALED),
    "F-COSE": Later("F-COSE changes the points' weights β, and with them the components."),
}


def _attempts(result):
    lab = result.lab
    if lab.picture == "errors":
        return ("n = 15", {"n": 15}), ("r = 20", {"kept": 20})
    if lab.shrinks:
        return ("the effect on the error", {"picture": "errors"}), ("λ = 1", {"lam": 1.0})
    if lab.picture == "discriminant":
        return ("two moons", {"source": "moons"}), ("a linear kernel", {"kernel": "LIN"})
    if lab.picture == "clusters":
        return ("clusters in a row", {"between": "row"}), ("clusters apart", {"between": "apart"})
    if lab.picture == "denoised":
        return ("r = 2", {"kept": 2}), ("r = 8", {"kept": 8})
    if lab.kernel == "LIN":
        return ("the RBF kernel", {"kernel": "RBF"}), ("component 2", {"component": 2})
    return ("component 3 at bandwidth 1", {"component": 3, "bandwidth": 1.0}), ("a linear kernel", {"kernel": "LIN"})


STORY_VALUES = ("share", "first", "split", "less", "steady", "centred", "scose", "fcose")


def story_values(result: KernelPCAResult) -> dict[str, str]:
    """Return the values of the placeholders in stories."""
    study, boot = result.study, result.boot
    words = {
        "share": percent(result.share),
        "first": percent(result.first_share),
        "split": translate("unknown") if result.split is None else percent(result.split),
        "less": translate("unknown") if result.cleaned is None else compared(1 - result.cleaned).share,
        "steady": translate("unknown") if boot is None else str(boot.steady(result.lab.component)),
    }
    for name, variant in (("centred", "S-centred"), ("scose", "S-COSE"), ("fcose", "F-COSE")):
        words[name] = translate("unknown") if study is None else _change(result, variant)
    return words


def _place(result, point):
    """Return the first two coordinates of a point."""
    return ", ".join(map(value_of, result.quantities[:2], point[:2]))


def apart_words(result: KernelPCAResult) -> str:
    """Describe the differences of the variants' errors from plain kernel PCA's, with the components kept."""
    if result.study is None:
        return ""
    kept = min(result.lab.kept, int(result.study.components[-1]))
    apart = ", ".join(f"{variant} {_change(result, variant)}" for variant in VARIANTS[1:])
    return translate("With r = {}, relative to plain kernel PCA: {}.", kept, apart)
