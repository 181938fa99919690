"""Sentences about a treatment: the effect on everybody, and the raw difference between the groups."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.languages import translate
from explorer.markup import joined, markup
from explorer.printing import join_list, short_name, short_names
from explorer.workbench.numbers import WAITING, format_number, length_of
from explorer.workbench.prose import control, named, tries
from explorer.workbench.tex_to_mathml import equation

from .outcomes import DRAWS

if TYPE_CHECKING:
    from explorer.labs.adaptation.result import AdaptationResult
    from explorer.markup import Markup

    from .outcomes import Outcomes


BETA = r"\beta_g = (K_g + \lambda I)^{-1}\,k(X_g, X)\,\frac{1}{n}"


def says(result: AdaptationResult, row: int) -> tuple[str | Markup, str | Markup]:
    """Return the estimated effect of the treatment, and the numbers that it depends on."""
    outcomes = _at(result, row)
    y, (treated, controls) = short_name(result.of_y.name), short_names(outcomes.groups.arm_names)[:2]
    if outcomes.refused:
        return (
            markup(
                "<b>No overlap</b>: no row of one group resembles any of the other; the effect cannot be estimated."
            ),
            translate("Unweighted, the groups differ by {} in mean {}.", _length(result, outcomes.gap), y),
        )
    true = ""
    if (known := outcomes.true_effect) is not None:
        sign = "+" if known > 0 else ""
        true = translate(" (true effect: {}{})", sign, _length(result, known))
    verb, size = "raises" if outcomes.effect >= 0 else "lowers", _length(result, abs(outcomes.effect))
    if result.lab.change:
        everybody = named(translate("Reweighted to everybody"), "skmse")
        first = markup("{}, the treatment {} mean {} by <b>{}</b>{}.", everybody, verb, y, size, true)
    else:
        alike = named(translate("Reweighted to all {}", join_list(map(short_name, result.pair.names[:-1]))), "skmse")
        differ = "above" if outcomes.effect >= 0 else "below"
        first = markup("{}, mean {} of {} is <b>{}</b> {} that of {}.", alike, y, treated, size, differ, controls)
    sizes = markup(
        "Unweighted, the groups differ by {}. Effective sample sizes: <b>{}</b> of {} ({}) and <b>{}</b> of {} ({}).",
        _length(result, outcomes.gap),
        *(part for k in (0, 1) for part in _size(outcomes, k)),
    )
    return first, sizes


def _at(result, row):
    """Return the Outcomes of a row, or of the lab's shift."""
    return result.treatment_rows[row] if result.answers and row is not None else result.outcomes


def _size(outcomes, k):
    group = outcomes.groups.treated if k == 0 else ~outcomes.groups.treated
    return format_number(float(outcomes.sizes[k])), int(group.sum()), short_names(outcomes.groups.arm_names)[k]


def _length(result, value):
    return length_of(result.of_y, value) if not result.lab.change else format_number(value)


def caption(result: AdaptationResult) -> Markup:
    """Return the caption: the weights, the distance between the outcome distributions, the test, and what to try."""
    lab, outcomes = result.lab, result.outcomes
    line = equation(BETA, rf"\quad {len(outcomes.groups.y)}\ \mathrm{{rows}}")
    parts: list[str | Markup] = [line]
    if outcomes.refused:
        parts.append(f"{outcomes.refused[:1].upper()}{outcomes.refused[1:]}")
    else:
        exact = "" if outcomes.true_apart is None else translate(" (exact: {})", format_number(outcomes.true_apart))
        parts.append(
            translate("The RKHS distance of both outcome distributions is {}{}.", format_number(outcomes.apart), exact)
        )
        parts.append(_test(result))
    if lab.change:
        cause = (
            markup(" {} {}.", control("Unmeasured confounder", "hidden"), format_number(lab.hidden))
            if lab.hidden
            else ""
        )
        parts.append(markup("n = {} controls, m = {} treated, seed {}.{}", lab.n, lab.m, lab.seed, cause))
    else:
        parts.append(
            translate("This is a causal effect only if x contains everything that affects both the group and y.")
        )
    return joined(parts, " ") + tries(lab, *_attempts(lab))


def _test(result):
    if result.untested:
        return translate("There is no test of no effect: {}", result.untested)
    if result.pvalue is None:
        return translate("The test of no effect is {}.", translate(WAITING))
    return translate(
        "Test of no effect: p = {}, from {} random treatments given x.", format_number(result.pvalue), DRAWS
    )


def _attempts(lab):
    if not lab.change:
        return (("bandwidth 1", {"bandwidth": 1.0}),)
    if lab.hidden:
        return (("no unmeasured confounder", {"hidden": 0.0}), ("n = 400", {"n": 400, "m": 400}))
    return (("an unmeasured confounder", {"hidden": 1.5}), ("no effect", {"effect": "none"}))


def story_values(result: AdaptationResult) -> dict[str, str]:
    """Return the values of the placeholders in the lab's stories."""
    outcomes: Outcomes | None = result.outcomes
    if outcomes is None:
        return {}
    return {
        "gap": format_number(outcomes.gap),
        "effect": "unknown" if outcomes.refused else format_number(outcomes.effect),
        "true": "unknown" if outcomes.true is None else format_number(outcomes.true_effect),
        "far_apart": "unknown" if outcomes.refused else format_number(outcomes.apart),
        "p": "unknown" if result.pvalue is None else format_number(result.pvalue),
    }
