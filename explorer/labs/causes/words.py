"""Sentences of the causes lab. Every number in them is computed."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from explorer.languages import translate
from explorer.markup import markup
from explorer.printing import short_name, truncate
from explorer.workbench.numbers import WAITING, format_number
from explorer.workbench.prose import control, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .arrows import Allowed
    from .result import CausesResult


KCI = r"T = \frac1n \mathrm{tr}(AB),\quad A = R_z K_{xz} R_z,\quad B = R_z K_y R_z"
DHSIC = r"\mathrm{dHSIC} = \| \hat\mu_{xyz} - \hat\mu_x \otimes \hat\mu_y \otimes \hat\mu_z \|^2"
NOISE = r"y = f(x) + e"
PLAIN = {each: each for each in "xyz"}  # default names of the variables
MOST = 24  # largest number of characters of a name in a sentence
SKELETONS = {  # middle variable of two joined pairs -> the line of three
    "x": "y — x — z",
    "y": "x — y — z",
    "z": "x — z — y",
}


def headline(result: CausesResult, row: int | None = None) -> Markup:
    """Return the verdict of the tests, and the arrows that they allow."""
    look = result.look_in(row)
    says = {"given": _given, "joint": _joint, "direction": _direction}[result.lab.asks](result, look)
    return in_html(says, markup("{}{}", _arrows(result, look), _study(result)))


def _given(result, look):
    kci, gcm, _ = look.pvalues
    alpha = result.lab.alpha
    both = markup("KCI p = {}, GCM p = {}", format_number(kci), format_number(gcm))
    if kci > alpha and gcm > alpha:
        missed = translate(": both tests miss the dependence") if result.holds("KCI") is False else ""
        return markup(
            "Given {z}, <b>no dependence</b> of {x} and {y} is found ({}){}.", both, missed, **variable_names(result)
        )
    wrong = result.holds("KCI")
    if kci <= alpha and gcm <= alpha:
        alarms = translate(": two false alarms") if wrong else ""
        return markup("Given {z}, {x} and {y} look <b>dependent</b> ({}){}.", both, alarms, **variable_names(result))
    one, other = ("KCI", "GCM") if kci <= alpha else ("GCM", "KCI")
    why = {True: translate(": a false alarm"), False: translate(": {} misses the dependence", other), None: ""}[wrong]
    return markup(
        "Given {z}, <b>only {}</b> finds {x} and {y} dependent ({}){}.", one, both, why, **variable_names(result)
    )


def _joint(result, look):
    joint, *pairs = look.pvalues
    alpha = result.lab.alpha
    found = [name for name, p in zip(result.names[1:], pairs, strict=True) if p <= alpha]
    alone, p, names = (
        translate("smallest p of a pair: {}", format_number(min(pairs))),
        format_number(joint),
        variable_names(result),
    )
    if joint > alpha:
        wrong = translate(": it misses the dependence") if result.holds("dHSIC") is False else ""
        return markup("dHSIC finds <b>no dependence</b> of {x}, {y} and {z} (p = {}){}.", p, wrong, **names)
    wrong = translate(": a false alarm") if result.holds("dHSIC") else ""
    if not found:
        return markup(
            "{x}, {y} and {z} look <b>dependent only together</b> (dHSIC p = {}; {}){}.", p, alone, wrong, **names
        )
    return markup("{x}, {y} and {z} look <b>dependent</b> (dHSIC p = {}; {}){}.", p, alone, wrong, **names)


def _direction(result, look):
    forward, backward = look.pvalues
    alpha = result.lab.alpha
    both = markup(
        "p = {} for {x} → {y}, {} for {y} → {x}",
        format_number(forward),
        format_number(backward),
        **variable_names(result),
    )
    if forward > alpha and backward > alpha:
        return markup("The residuals allow <b>both directions</b> ({}).", both)
    if forward <= alpha and backward <= alpha:
        why = translate(": the true direction is rejected too") if result.holds("x → y") else ""
        return markup("The residuals allow <b>neither direction</b> ({}){}.", both, why)
    arrow = "x → y" if forward > alpha else "y → x"
    wrong = translate(", the wrong direction") if result.holds(arrow) is False else ""
    return markup("The residuals allow <b>only {}</b> ({}){}.", by_name(arrow, variable_names(result)), both, wrong)


def _arrows(result, look):
    """Return a sentence with the allowed arrows."""
    found = result.allowed(look)
    if result.lab.asks == "joint":
        return _pairs_of(result, look)
    if result.lab.asks == "direction":
        if found.lines:
            return translate("Neither model is rejected, so the direction remains unknown.")
        if found.arrows:
            return translate("In the other direction the residuals depend on the cause.")
        return translate("Either no additive-noise model holds, or a regression fits badly.")
    if found is None:
        return markup("{} Which arrows the tests allow is {}.", _without(result, look), translate(WAITING))
    return markup("{} {}", _without(result, look), arrows_sentence(found, variable_names(result)))


def _without(result, look):
    p = look.pvalues[2]
    z, told = variable_names(result)["z"], format_number(p)
    if p <= result.lab.alpha:
        return translate("Without {} they look dependent (HSIC p = {}).", z, told)
    return translate("Without {} no dependence is found (HSIC p = {}).", z, told)


def _pairs_of(result, look):
    found = [name for name, p in zip(result.names[1:], look.pvalues[1:], strict=True) if p <= result.lab.alpha]
    found = [by_name(name, variable_names(result)) for name in found]
    if not found:
        return translate("HSIC finds no dependent pair.")
    return translate("HSIC finds dependent pairs: {}.", ", ".join(found))


def arrows_sentence(found: Allowed, names: Mapping[str, str] = PLAIN) -> str:
    """Return a sentence with the arrows that tests of three variables allow; `names` are those of x, y and z."""
    if found.arrows:
        middle = names[found.arrows[0][1]]
        ends = translate(" and ").join(names[arrow[0]] for arrow in found.arrows)
        return translate("If no cause is hidden, the tests allow one graph: {} both act on {}.", ends, middle)
    if not found.lines:
        return translate("The tests allow no arrow.")
    if len(found.lines) == 1:
        a, b = found.lines[0]
        return translate("The tests join only {} and {}; the direction remains unknown.", names[a], names[b])
    if len(found.lines) == 3:
        return translate("The tests join all three; the directions remain unknown.")
    one, two = map(set, found.lines)
    (middle,) = one & two
    skeleton = by_name(SKELETONS[middle], names)
    return translate("The tests allow {}: a chain or a fork, which no test of independence distinguishes.", skeleton)


def variable_names(result: CausesResult) -> dict[str, str]:
    """Return the names of x, y and z in sentences: the names of a table's columns, or their letters."""
    if result.lab.toy:
        return dict(PLAIN)
    return dict(PLAIN) | dict(zip("xyz", (truncate(name, MOST) for name in result.drawn.names), strict=False))


def by_name(words: str, names: Mapping[str, str]) -> str:
    """Replace x, y and z in a text by their names."""
    return re.sub(r"\b[xyz]\b", lambda found: names[found[0]], words)


def _study(result):
    study = result.study
    if study is None:
        return ""
    name, *others = result.names
    first, *rest = study.rejected
    also = "".join(translate(", {} in {}", other, times) for other, times in zip(others, rest, strict=True))
    return translate(" {} rejects in {} of {} more samples{}.", name, first, study.count, also)


def caption(result: CausesResult) -> Markup:
    """Return the statistic with this state's numbers, the meaning of x, y and z, and what to try."""
    look, lab = result.look_in(), result.lab
    line = {"given": _kci_line, "joint": _dhsic_line, "direction": _noise_line}[lab.asks](look)
    words = markup(
        "{} at level {}: {}. {}",
        "Tests" if len(result.names) > 1 else "Test",
        control(lab.level, "level"),
        _listed(result, look),
        _state(result),
    )
    return line + words + tries(lab, *_tries(lab))


def _listed(result, look):
    names = [by_name(name, variable_names(result)) for name in result.names]
    parts = [f"{name} p = {format_number(p)}" for name, p in zip(names, look.pvalues, strict=True)]
    return ", ".join(parts)


def _kci_line(look):
    return equation(*KCI.split(r"\quad"), rf"\quad T = {format_number(look.tests[0].statistic)}")


def _dhsic_line(look):
    return equation(DHSIC, rf"= {format_number(look.tests[0].statistic)}")


def _noise_line(look):
    return equation(NOISE, rf"\quad \mathrm{{HSIC}}(x, e) = {format_number(look.tests[0].statistic)}")


def _state(result):
    lab = result.lab
    rows = f"n = {lab.n}" if lab.toy else translate("{} of {:,} rows", lab.n, result.total)
    wide = translate("Gaussian kernels, bandwidth {} × median", format_number(lab.bandwidth))
    who = ""
    if not lab.toy:
        names = [
            translate("{} is {}", role, short_name(each.name))
            for role, each in zip("xyz", result.quantities, strict=False)
        ]
        who = f" {', '.join(names)}."
    resamples = len(result.look_in().tests[0].null_distribution)
    return translate(
        "{}; {}; {} resamples; seed {}.{} {}", rows, wide, resamples, lab.seed, who, result.remark
    ).rstrip()


def _tries(lab):
    if lab.asks == "given":
        return (
            ("a wide kernel", {"bandwidth": 1.6}) if lab.bandwidth < 1 else ("a narrow kernel", {"bandwidth": 0.2}),
            ("another seed", {"seed": (lab.seed + 1) % 2**32}),
        )
    if lab.asks == "joint":
        return (("more noise", {"noise": 1.0}), ("50 rows", {"n": 50}))
    return (("uniform noise", {"law": "uniform"}), ("another seed", {"seed": (lab.seed + 1) % 2**32}))


def clouds_words(result: CausesResult) -> str:
    """Return a sentence about the contents of the three clouds."""
    words = {
        "given": translate("x and y over z with their regressions, and the residuals of y over the residuals of x."),
        "joint": translate("Every pair of x, y and z; discs are rows above the median of the third variable."),
        "direction": translate("y over x with both regressions, and the residuals of each over its cause."),
    }
    return by_name(words[result.lab.asks], variable_names(result))


def pvalues_words(result: CausesResult) -> str:
    """Return a sentence with p of every test at this bandwidth."""
    return translate(
        "At bandwidth {} × median: {}.", format_number(result.lab.bandwidth), _listed(result, result.look_in())
    )


def arrows_words(result: CausesResult) -> str:
    """Return a sentence with the arrows that the tests allow."""
    look = result.look_in()
    if result.lab.asks == "given":
        found = result.allowed(look)
        return (
            translate("Which arrows the tests allow is {}.", translate(WAITING))
            if found is None
            else arrows_sentence(found, variable_names(result))
        )
    return str(_joint_words(result, look) if result.lab.asks == "joint" else _direction_words(result, look))


def _joint_words(result, look):
    verdict = "dependent" if look.pvalues[0] <= result.lab.alpha else "independent"
    return translate("dHSIC finds all three jointly {}. {}", verdict, _pairs_of(result, look))


def _direction_words(result, look):
    fits = [name for name, p in zip(result.names, look.pvalues, strict=True) if p > result.lab.alpha]
    fits = [by_name(name, variable_names(result)) for name in fits]
    return translate("The residuals allow {}.", translate(" and ").join(fits) or translate("neither direction"))


def study_words(result: CausesResult) -> str:
    """Return a sentence with the rejection rate of each test in more samples."""
    if result.study is None:
        return (
            translate("No more samples are drawn.")
            if result.lab.toy
            else translate("A table has no more samples of the same kind.")
        )
    parts = [
        translate("{} {} (95 % interval {} to {})", name, format_number(share), format_number(low), format_number(high))
        for name, share, (low, high) in zip(result.names, result.study.shares, result.study.intervals, strict=True)
    ]
    return translate("Shares of samples in which the tests reject: {}.", "; ".join(parts))


STORY_VALUES = (
    "kci", "gcm", "without", "dhsic", "forward", "backward", "count", "least", "kci_of", "gcm_of",
)  # fmt: skip


def story_values(result: CausesResult) -> dict[str, str]:
    """Return the values of the placeholders in the lab's stories."""
    look, study = result.look_in(), result.study
    words = {}
    keys = {"given": ("kci", "gcm", "without"), "joint": ("dhsic",), "direction": ("forward", "backward")}
    for asks, names in keys.items():
        here = asks == result.lab.asks
        for i, name in enumerate(names):
            words[name] = format_number(look.pvalues[i]) if here else "unknown"
    rejected = study.rejected if study and result.lab.asks == "given" else [translate(WAITING)] * 2
    words |= {name: str(rejected[i]) for i, name in enumerate(("kci_of", "gcm_of"))}
    words["count"] = translate(WAITING) if study is None else str(study.count)
    words["least"] = format_number(min(look.pvalues[1:])) if result.lab.asks == "joint" else "unknown"
    return words
