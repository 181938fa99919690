"""Sentences of the Shrinkage lab. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from explorer.languages import translate, translate_plural
from explorer.markup import markup
from explorer.printing import short_name
from explorer.workbench.kernels import gram_words
from explorer.workbench.numbers import compared, format_number, percent
from explorer.workbench.prose import attempt, control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.replicates import averaged, beaten
from explorer.workbench.tex_to_mathml import equation, formula
from explorer.workbench.user_points import moved_points

from .bound import bound_words
from .extra_estimator import extra_words
from .functions.words import function_values, function_words
from .objective import objective_words

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import ShrinkageResult


SKMSE, STEIN = named("S-KMSE", "skmse"), named("James-Stein", "truth")


def headline(result: ShrinkageResult, row: int) -> Markup:
    """Return the headline: a sentence on what shrinking does in this state, and a line on how far to trust it."""
    if result.lab.only_stein:
        return in_html(*_of_stein(result))
    lam, other = f"λ = {format_number(result.simple.lams[row])}", result.flexible_words(row)
    is_automatic = row == _auto(result)
    where = "" if is_automatic else translate(", at {}", lam)
    if where and other != lam:
        where = translate(", at {} ({}: {})", lam, result.flexible_name, other)
    error = "squared error" if result.law is not None else "estimated squared error"
    simple, flexible = (compared(result.gain(path, row), error) for path in (result.simple, result.flexible))
    first = SKMSE if result.blob is None else markup("{} towards the target", SKMSE)
    says = markup(
        "Shrinking gives <b>{}</b> {} the plain average ({}) and <b>{}</b> ({}){}.",
        simple.error,
        simple.joint,
        first,
        flexible.share,
        _flexible(result),
        where,
    )
    chosen = translate("λ is chosen by leave-one-out. ") if is_automatic else ""
    return in_html(says, markup("{}{}", chosen, _trust(result, row)))


def _auto(result):
    """Return the row of the leave-one-out choice."""
    return len(result.simple.lams) - 1


def _flexible(result):
    """Return the name of the filter, in the colour of its curve."""
    return named(result.flexible_name, "fkmse")


def _of_stein(result):
    """Return James-Stein's expected squared error, and the distance of the true mean, as a sentence."""
    risk, d = result.stein_risk, result.lab.d
    gain = compared(1 - risk.risk)
    says = markup(
        "Averaged over samples, {} with {} has <b>{}</b> {} the plain average.",
        STEIN,
        translate_plural("{} coordinate", "{} coordinates", d),
        gain.error,
        gain.joint,
    )
    if not risk.theta:
        return says, translate("The true mean is 0.")
    return says, translate("The true mean lies {} standard errors from 0.", format_number(risk.theta))


HELD = {
    "sum-to-one": "With weights that sum to one, S-KMSE is the plain average again.",
    "simplex": "On the simplex F-KMSE is the plain average.",
}
MIXED = " S-KMSE on the simplex is the mixture of points that lies nearest to S-KMSE with free weights."


def _trust(result, row):
    """Return a clause on how far the headline holds."""
    lab = result.lab
    if result.law is None:
        told = "These are leave-one-out estimates: the distribution of {} is unknown."
        return translate(told, short_name(lab.table_name))
    if result.replicates is not None:
        return beaten(result.replicates, row, _names(result))
    if lab.weights in HELD and result.blob is None:
        return translate(HELD[lab.weights])
    if touched := _touched(lab):
        return touched
    lam, average = format_number(result.simple.lams[row]), compared(_average(result, row)).share
    return markup("Averaged over samples, {} with λ = {} has {} squared error.", SKMSE, lam, average)


def _names(result):
    """Return each estimator's name in the colour of its curve: path -> name."""
    return {"simple": SKMSE, "flexible": _flexible(result)}


def _touched(lab):
    """Return the number of outliers and moved points as text, or "" if there are none."""
    moved = len(moved_points(lab.moved)) if lab.moved else 0
    kinds = ((lab.outliers, "is an outlier", "are outliers"), (moved, "was moved by hand", "were moved by hand"))
    told, of = [], translate(" of the {} points", lab.n)
    for count, one, many in kinds:
        if count:
            told.append(f"{count}{of} {translate(one if count == 1 else many)}")
            of = ""
    return f"{translate(' and ').join(told)}." if told else ""


def stein_words(result: ShrinkageResult) -> str | Markup:
    """Return the comparison of James and Stein's loss with the plain average's, or "" if the state has no such loss."""
    stein = result.stein
    if stein is None:
        return ""
    here = compared(1 - stein.loss)
    average = "" if stein.gain is None else translate(", and {} averaged over samples", compared(stein.gain).share)
    return markup(" On this sample {} has {} {} the plain average{}.", STEIN, here.error, here.joint, average)


def caption(result: ShrinkageResult) -> Markup:
    """Return the caption: what shrinking does to the expected loss, in this state's numbers, and remarks."""
    if result.lab.only_stein:
        return (
            _stein_equation(result) + _stein_rule(result) + stein_words(result) + _sample(result) + _stein_tries(result)
        )
    lab = result.lab
    chosen = markup(
        " Leave-one-out chooses {} = {} for {} and {} for {}.",
        control("λ", "lam"),
        format_number(result.simple.chosen),
        SKMSE,
        result.flexible_words(_auto(result)),
        _flexible(result),
    )
    held = f" {translate(HELD[lab.weights])}" if lab.weights in HELD and result.blob is None else ""
    if lab.weights == "simplex":
        held += translate(MIXED)
    return (
        _equation(result)
        + _risk(result)
        + chosen
        + held
        + averaged(result.replicates, result.row, _names(result))
        + stein_words(result)
        + extra_words(result)
        + _sample(result)
        + gram_words(lab)
        + objective_words(result)
        + bound_words(result)
        + function_words(result)
        + (f" {result.remark[0].upper()}{result.remark[1:]}" if result.remark else "")
        + _tries(result)
    )


def _sample(result):
    """Return the description of the sample, with the points that do not come from the distribution."""
    lab = result.lab
    touched = _touched(lab)
    more = translate(" {} The true distribution has no such points.", touched) if touched else ""
    return translate(" This sample has n = {} points and seed {}.{}", lab.n, lab.seed, more)


SHRUNK = r"\role{truth}{\hat\theta} = \left(1 - \frac{d - 2}{n\,\|\bar x\|^2}\right)_+ \bar x"


def _stein_equation(result):
    """Return James and Stein's estimate with the numbers of this sample."""
    lab, square = result.lab, float((result.X.mean(axis=0) ** 2).sum())
    if lab.d <= 2 or square == 0:
        return equation(SHRUNK)
    share = max(1 - (lab.d - 2) / (lab.n * square), 0.0)
    return equation(SHRUNK, rf"\quad = {format_number(share)}\,\bar x")


def _stein_rule(result):
    """Return the sentence on when James and Stein's estimate gains."""
    if result.lab.d <= 2:
        return markup("With one or two coordinates {} is the plain average.", STEIN)
    return markup(
        "With three or more coordinates {} has less expected squared error than the plain average, wherever the true"
        " mean θ lies. The gain fades as |θ| grows.",
        STEIN,
    )


def _stein_tries(result):
    """Return the suggestions to move the mean and to add coordinates."""
    return tries(result.lab, ("mean 1", {"mean": 1.0}), ("d = 10", {"d": 10}), ("d = 3", {"d": 3}))


TARGETS = {"zero": r"\mu", "blob": r"f^\ast - \mu"}  # the vector that shrinks, by target
DELTA = r"\role{kme}{\Delta}"  # the plain average's expected squared error
NOISE = formula(r"(1 - \alpha)^2")


def _equation(result):
    """Return S-KMSE's expected squared error as noise plus bias, in numbers if they are known."""
    lam = result.simple.lams[result.row]
    square = rf"\|{TARGETS[result.lab.target]}\|^2"
    risk = rf"\role{{skmse}}{{\mathrm{{E}}\|\hat\mu_\lambda - \mu\|^2}} = (1 - \alpha)^2\,{DELTA} + \alpha^2{square}"
    alpha = rf"\quad\alpha = \frac{{\lambda}}{{1 + \lambda}} = {format_number(float(1 - 1 / (1 + lam)))}"
    if (parts := result.risk_parts()) is None:
        return equation(risk, alpha)
    noise, total = (f"{value:.2f}" for value in (parts[0][result.row], sum(part[result.row] for part in parts)))
    added = f"{float(total) - float(noise):.2f}"
    return equation(risk, rf"= {noise}\,{DELTA} + {added}\,{DELTA} = \role{{skmse}}{{{total}}}\,{DELTA}", alpha)


def _risk(result):
    """Return the expected loss in words: the best α, and the λ above which shrinking does harm."""
    square = rf"\|{TARGETS[result.lab.target]}\|^2"
    mixed = markup(
        "{} keeps {} of the plain average's expected squared error {} and adds a squared bias of {}.",
        SKMSE,
        NOISE,
        formula(DELTA),
        formula(rf"\alpha^2{square}"),
    )
    best = result.expected_gain
    if best is None or result.risk_parts() is None:
        return mixed
    rule = formula(rf"\Delta/(\Delta + {square})")
    harm = _harm(best)
    if best < 0.5:
        from_there = 2 * best / (1 - 2 * best)
        lam = attempt(f"λ = {format_number(from_there)}", lam=float(f"{from_there:.3g}"))
        harm = markup("Above {} S-KMSE is worse than the plain average", lam)
    return markup(
        "{} The best α is {} = {}, and so is the gain: <b>{}</b>{}. {}.",
        mixed,
        rule,
        format_number(best),
        percent(best),
        _under_rbf(result),
        harm,
    )


def _tries(result):
    """Return suggestions: more points need less shrinking, and so do points that resemble each other."""
    sizes = [("n = 200", {"n": 200}), ("n = 20", {"n": 20})]
    # With another sample's median there may be no finite loss.
    if result.law is None or result.kernel.growth == math.inf:
        sizes = []
    bounded = result.kernel.has_bandwidth and result.kernel.growth == 0  # unbounded kernels may have no loss there
    widths = [("bandwidth 0.1", {"bandwidth": 0.1})] if bounded else []
    return tries(result.lab, *[each for each in sizes if each[1]["n"] != result.lab.n][:1], *widths)


def _under_rbf(result):
    """Return what the best λ gains under RBF, or "" if that is unknown."""
    return "" if result.rbf_gain is None else translate(" (under RBF {})", percent(result.rbf_gain))


def _harm(best):
    """Return the clause on where shrinking begins to do harm on average, given the best α."""
    if best >= 0.5:
        return translate("No λ makes S-KMSE worse than the plain average")
    return translate("Above λ = {} S-KMSE is worse than the plain average", format_number(2 * best / (1 - 2 * best)))


def _average(result, row):
    """Return S-KMSE's gain at a row, averaged over samples of the distribution."""
    parts = result.risk_parts()
    return 0.0 if parts is None else float(1 - parts[0][row] - parts[1][row])


STORY_VALUES = (
    "simple", "flexible", "chosen", "oracle", "stein", "theta", "best", "harm", "average", "oracle_left", "turning",
    "average_of_f", "inner_of_f", "exact_of_f", "predicted_of_f", "flexible_of_f", "bayes_of_f",
    "covered",
)  # fmt: skip


def story_values(result: ShrinkageResult) -> dict[str, str]:
    """Return the values of the stories' placeholders. A gain is "30 % less", and "squared error" may follow."""
    words = {name: compared(result.gain(getattr(result, name))).share for name in ("simple", "flexible")}
    words |= {"chosen": format_number(result.simple.chosen), "oracle": format_number(result.simple.best)}
    if result.stein is not None and result.stein.gain is not None:
        words["stein"] = compared(result.stein.gain).share
    if result.stein_risk is not None:
        words["theta"] = format_number(result.stein_risk.theta)
    if (best := result.expected_gain) is not None:
        words |= {"best": percent(best), "harm": _harm(best), "average": compared(_average(result, result.row)).share}
    return words | function_values(result)
