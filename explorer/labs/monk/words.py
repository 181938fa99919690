"""Sentences of the MONK lab. Every number is computed; none is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.discrepancy.monk.estimates import PARTITIONS
from explorer.estimators.medianofmeans import blocks_needed, level_of
from explorer.languages import translate, translate_plural
from explorer.markup import markup
from explorer.printing import short_name
from explorer.workbench.numbers import format_number, percent, value_of
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation

from .lab import second_factor
from .means import ETA
from .verdict import METHODS, NAMES, user_headline
from .verdict import plain_verdict as verdict

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import MonkLabResult


PAIRS_OF = {"normals": "Two Gaussian distributions", "paper": "The paper's two Gaussian distributions",
            "pareto": "Pareto's distribution of shape 3, twice"}  # fmt: skip
CALLED = {"KME": "the plain average", "geometric": "the geometric median of means",
          "Huber": "the mean by Huber's loss", "Hampel": "the mean by Hampel's loss"}  # fmt: skip
UNKNOWN = "The true MMD of these pairs is unknown"
NO_VOTE = "With one block MONK uses the plain averages"
HELD, LOST = "outliers cannot decide the median", "outliers can decide the median"
HOW = {
    "direction": "Here f is the best of the directions to the block means, and the value is the median over"
    f" {PARTITIONS} partitions.",
    "bcd": "Here the paper's Algorithm 1 looks for f and permutes the pairs at every iteration. The value is the"
    " mean of the last two thirds of the iterations.",
    "bcd-fast": "Here the paper's Algorithm 2 compares each block only with itself. It stalls once half of the"
    " blocks have been visited, and its value is too small.",
}


def headline(result: MonkLabResult, row: int) -> Markup:
    """Return the headline in HTML: a sentence on both estimates, and a line on the vote and on the errors."""
    if result.sides:
        bad = result.contaminated_blocks(row).any()
        return user_headline(result, row, f"{_pairs(result)} {vote(result, row)}." if bad else "")
    estimate, method = result.estimate_at(row), result.lab.method
    u, again = markup("MMD = <b>{}</b>", format_number(result.u_mmd)), ""
    if result.U < 0:
        u, again = (
            markup("<b>MMD² = {} &lt; 0</b> (no root)", format_number(result.U)),
            translate("MMD = "),
        )
    says = markup(
        "{} The <span class='name kme'>U-statistic</span> estimates {}, <span class='name {}'>{}</span>"
        " with {} {}<b>{}</b>; the truth is <b>{}</b>.",
        _pairs(result),
        u,
        NAMES[method],
        translate(METHODS[method]),
        _blocks(len(estimate.blocks)),
        again,
        format_number(estimate.value),
        format_number(result.truth),
    )
    return in_html(says, _trust(result, row))


def _trust(result, row):
    """Return whether the vote holds, and the errors of the estimates, as text."""
    estimate = result.estimate_at(row)
    monk = translate(
        "{} is off by {}", translate(METHODS[result.lab.method]), format_number(result.error(estimate.value))
    )
    if result.U >= 0:
        return translate("{}: {}, the U-statistic by {}.", vote(result, row), monk, format_number(result.u_error))
    if len(estimate.blocks) > 1 and not result.vote_holds(row):
        return translate("MMD² cannot be negative. {}: {}.", vote(result, row), monk)
    return translate(
        "MMD² cannot be negative. Programs that clip it to 0 would report identical distributions; {}.", monk
    )


def in_short(result: MonkLabResult) -> str:
    """Return the estimates and the truth, for a title, or "" for the user's samples, whose headline is short."""
    if result.sides:
        return ""
    plain = (
        translate("The U-statistic estimates {}", format_number(result.u_mmd))
        if result.U >= 0
        else translate("The U-statistic is negative")
    )
    truth = "" if result.truth is None else translate(", truth {}", format_number(result.truth))
    return translate("{}, MONK {}{}", plain, format_number(result.estimate_at(result.row).value), truth)


def negative(result: MonkLabResult) -> str:
    """Return the text for a negative U-statistic, which has no root."""
    return translate("MMD² = {} < 0: no root", format_number(result.U))


def of_u(result: MonkLabResult) -> str:
    """Return the U-statistic's estimate as text: an MMD if it has a root."""
    if result.U < 0:
        return translate("MMD² = {}, which is below 0 and has no root", format_number(result.U))
    return translate("MMD = {}", format_number(result.u_mmd))


def of_estimates(result: MonkLabResult) -> dict[str, Any]:
    """Return name -> (position on the signed axis, text) of each estimate of the MMD in the picture."""
    if result.rivals is None:
        return {}
    u = negative(result) if result.U < 0 else format_number(result.u_mmd)
    values = {"MONK": result.estimate.value, **result.rivals}
    return {"U-statistic": (result.u_mmd, u), **{name: (value, format_number(value)) for name, value in values.items()}}


def _called():
    """Return the name of each further estimator in a sentence."""
    return {name: translate(words) for name, words in CALLED.items()}


def _blocks(blocks):
    return translate_plural("{} block", "{} blocks", blocks)


def _pairs(result):
    """Return the number of pairs that hold an outlier, as text."""
    count, planted, n = result.outliers, result.lab.outliers, result.lab.n
    if count > planted > 0:
        return translate("{} of {} pairs are contaminated, {} of them planted.", count, n, planted)
    if count:
        return translate_plural("{} of {} pairs is contaminated.", "{} of {} pairs are contaminated.", count, count, n)
    return (
        translate("{} clean pairs.", n)
        if result.distributions
        else translate("{} pairs of {}.", n, result.halves.called)
    )


def clean_share(result: MonkLabResult, row: int) -> str:
    """Return the number of clean blocks, as text."""
    bad = result.contaminated_blocks(row)
    blocks, clean = len(bad), int((~bad).sum())
    if blocks == 1:
        return translate(NO_VOTE)
    if not bad.any() and not result.distributions:
        return translate("Which blocks are clean is unknown")
    counted = {
        0: translate("None of the {} blocks is clean", blocks),
        1: translate("Only 1 of the {} blocks is clean", blocks),
    }
    return {**counted, blocks: translate("All {} blocks are clean", blocks)}.get(
        clean, translate("{} of the {} blocks are clean", clean, blocks)
    )


def vote(result: MonkLabResult, row: int) -> str:
    """Return the number of clean blocks and its consequence, a sentence without its full stop."""
    bad, share = result.contaminated_blocks(row), clean_share(result, row)
    if len(bad) == 1 or not bad.any():
        return share
    return translate("{}, and {}", share, translate(HELD if result.vote_holds(row) else LOST))


def majorities(result: MonkLabResult) -> str:
    """Return the number of partitions in which clean blocks are a majority, as text, or "" if all blocks are clean."""
    bad = result.contaminated_blocks()
    if len(bad) == 1 or not bad.any():
        return ""
    good, of = result.majorities(result.row)
    which = "partitions" if result.lab.method == "direction" else translate("averaged iterations")
    share = translate("all {}", of) if good == of else translate("{} of the {}", good, of)
    return translate(" Clean blocks are a majority in {} {}.", share, which)


def compared(result: MonkLabResult) -> str:
    """Return MONK's error compared with the U-statistic's, in words that follow MONK's name."""
    monk, u = result.monk_error, result.u_error
    if monk is None or u is None:
        return translate("cannot be compared with the U-statistic, because the truth is unknown")
    if not u:
        return (
            translate("has an error, and the U-statistic has none")
            if monk
            else translate("is as exact as the U-statistic")
        )
    if monk > u:
        return translate("has {} times the U-statistic's error", format_number(monk / u, 2))
    return translate("has {} less error than the U-statistic", percent(1 - monk / u))


def caption(result: MonkLabResult) -> Markup:
    """Return the caption: what the blocks do, in this state's numbers."""
    lab, Q, heavy = result.lab, result.lab.blocks, ""
    survived = translate_plural("survives {} contaminated pair", "survives {} contaminated pairs", (Q - 1) // 2)
    if result.distributions and result.kernel.growth >= result.P.tail:
        heavy = translate(" Under this kernel E k(x, x) is infinite here, so the assumption of the theorem fails.")
    return markup(
        "{}The pairs are cut into {} at random. {} takes the f with the largest <b>median</b> over the blocks"
        " (Lerasle et al. 2019, eq. (6)). A median of {} <b>{}</b>, wherever they fall; {} survives none.{} Theorem 1"
        " holds with probability 1 − η. With {}, η is at least {:.2g}. {} {}{}{}",
        _equation(result),
        control(f"Q = {_blocks(Q)}", "blocks"),
        named(translate(METHODS[lab.method]), NAMES[lab.method]),
        _blocks(Q),
        survived,
        named(translate("the plain average"), "kme"),
        majorities(result),
        _blocks(Q),
        float(level_of(Q)),
        translate(HOW[lab.method]),
        _source(result),
        heavy,
        tries(lab, ("21 blocks", {"blocks": 21}), ("the RBF kernel", {"kernel": "RBF"})),
    )


def _equation(result):
    """Return MONK's MMD as a formula, with its value in this state."""
    role, Q = NAMES[result.lab.method], result.lab.blocks
    return equation(
        rf"\role{{{role}}}{{\mathrm{{MMD}}_Q}} = \sup_{{\|f\| \le 1}} \med_{{q \le {Q}}}",
        r"\left(\mathrm{mean}_{x \in B_q} f(x) - \mathrm{mean}_{y \in B_q} f(y)\right)",
        rf"\approx \role{{{role}}}{{{format_number(result.estimate.value)}}}",
    )


def _source(result):
    """Return the origin of the pairs as text, and how rows of the user's tables became pairs."""
    lab, sides = result.lab, result.sides
    if sides is None:
        return translate("{}, N = {} pairs, seed {}.", translate(PAIRS_OF[lab.laws]), lab.n, lab.seed)
    return translate("N = {} pairs of {}. {}", lab.n, result.halves.called, sides.matched)


STORY_VALUES = ("u", "monk", "truth", "compared", "vote")


def story_values(result: MonkLabResult) -> dict[str, str]:
    """Return the values of the stories' placeholders."""
    return {
        "u": of_u(result),
        "monk": format_number(result.estimate.value),
        "truth": "unknown" if result.truth is None else format_number(result.truth),
        "compared": compared(result),
        "vote": vote(result, result.row),
    }


def canvas_words(result: MonkLabResult) -> str:
    """Return the sentence on the outliers in the pairs, and on whether the vote holds.

    Parameters
    ----------
    result : MonkLabResult
        The result that the picture shows.

    Returns
    -------
    str
        The sentence.
    """
    lab, by_hand = result.lab, result.outliers - result.lab.outliers
    distances = {"P": lab.distance, "Q": second_factor(lab.planted) * lab.distance}
    sides = distances if lab.planted == "both" else (lab.planted,)
    first, names = result.axis, dict(zip("PQ", result.names, strict=True))
    where = translate(" and ").join(
        translate("{} in {}", value_of(first, distances[side]), names[side]) for side in sides
    )
    planted = translate(" {} planted at {}.", lab.outliers, where) if lab.outliers else ""
    hand = translate(" {} placed by hand.", by_hand) if by_hand else ""
    where = "" if result.sides is None else f" {result.sides.matched}"
    first, second = result.names
    along = translate(", along {}", short_name(result.axis.label)) if result.sides else ""
    return translate(
        "Points of {} above those of {}{}. {}{}{}{} {}.",
        first,
        second,
        along,
        _pairs(result),
        where,
        planted,
        hand,
        vote(result, result.row),
    )


def strip_words(result: MonkLabResult) -> str:
    """Return the sentence on the blocks that hold an outlier."""
    estimate, bad = result.estimate, result.contaminated_blocks()
    order = np.argsort(estimate.block_values, kind="stable")
    held = [str(i + 1) for i in np.flatnonzero(bad[order])]
    which = (
        translate_plural("Number {} holds an outlier.", "Numbers {} hold an outlier.", len(held), ", ".join(held))
        if held
        else translate("None of them holds an outlier.")
    )
    return translate("{} in the order of their means. {}", _blocks(len(bad)), which)


def values_words(result: MonkLabResult) -> str:
    """Return the sentence on both estimates and on the truth.

    Parameters
    ----------
    result : MonkLabResult
        The result that the picture shows.

    Returns
    -------
    str
        The sentence.
    """
    monk = translate(
        "{} estimates {}, the U-statistic {}",
        translate(METHODS[result.lab.method]),
        format_number(result.estimate.value),
        of_u(result),
    )
    return f"{monk}. {verdict(result) if result.sides else _truth(result)}."


def _truth(result):
    return translate(UNKNOWN) if result.truth is None else translate("The truth is {}", format_number(result.truth))


def quantiles_words(result: MonkLabResult) -> str:
    """Return the sentence on a quantile of the errors, and on the theorem's bound on it."""
    study = result.quantiles
    if study is None:
        return (
            translate("New samples are being drawn.")
            if result.distributions
            else translate("{}, so no errors are drawn.", translate(UNKNOWN))
        )
    bound = result.promise.at_eta
    promise = translate("bounds this error by {}", format_number(bound))
    if not np.isfinite(bound):
        needed = format_number(float(blocks_needed(ETA)))
        promise = translate("gives no bound: it needs {} blocks and more than twice as many points", needed)
    names = {name: translate("the median of {} means", name) for name in study.errors} | _called()
    far = [
        translate("{} by {}", format_number(float(study.quantile(name, 1 - ETA))), words)
        for name, words in names.items()
    ]
    worse = translate(
        "In {} new samples, the error that one sample in {} exceeds is {}", study.count, round(1 / ETA), ", ".join(far)
    )
    return translate("{}. Theorem 1 {}.", worse, promise)


def steps_words(result: MonkLabResult) -> str:
    """Return the sentence on the medians at the current iteration and after the last one."""
    steps, iteration = result.steps, result.lab.iteration
    if steps is None:
        return ""
    here, last = format_number(steps[iteration - 1].value), format_number(steps[-1].value)
    return translate(
        "The median block mean is {} after iteration {} and {} after all {}.", here, iteration, last, len(steps)
    )


def of_means(result: MonkLabResult) -> dict[str, str]:
    """Return the labels of the kernel means in the picture, by name, with their distances to the true one."""
    called = {name: name for name in result.embeddings.values} | {
        "median": translate("median of {}", result.lab.blocks)
    }
    if result.truth is None:
        called["truth"] = ""
    return called | {name: f"{called[name]} {format_number(error)}" for name, error in result.embeddings.errors.items()}


def embedding_words(result: MonkLabResult) -> str:
    """Return the sentence on the distance of each estimate to the true kernel mean."""
    called = {
        **_called(),
        "plain average": translate(CALLED["KME"]),
        "median": translate("the median of {} means", result.lab.blocks),
    }
    far = [
        translate("{} by {}", format_number(error), called[name]) for name, error in result.embeddings.errors.items()
    ]
    errors = translate(" Distance to the true kernel mean: {}.", ", ".join(far)) if far else ""
    along = short_name(result.axis.label) if result.sides else translate("the first coordinate")
    return translate(
        "The kernel mean of {} by each estimator, as a function of {}.{}", result.names[result.side], along, errors
    )
