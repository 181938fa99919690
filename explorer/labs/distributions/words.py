"""Sentences of the distributions lab. Every number in them is computed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.languages import translate, translate_plural
from explorer.learning import DistributionRegression
from explorer.markup import Later, joined, markup
from explorer.workbench.numbers import WAITING, compared, format_number, percent
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation

from .verdict import bandwidth, drawn, of_own, rows_of

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import DistributionsResult


BADGE = Later(" <span class='badge'>inside the noise</span>")
MACHINE = r"f(P) = \sum_i a_i y_i\,\kappa(\hat\mu_i, \hat\mu_P) + b"
DETECTOR = r"f(P) = \sum_i a_i\,\kappa(\hat\mu_i, \hat\mu_P) - ρ"
RIDGE = r"f(P) = \sum_i c_i\,\kappa(\hat\mu_i, \hat\mu_P)"
KERNELS = {
    "linear": r"\kappa = \hat\mu_i^\prime \hat\mu_j",
    "gaussian": r"\kappa = e^{-d^2 / (2s^2)}",
    "exponential": r"\kappa = e^{-d / (2s^2)}",
    "cauchy": r"\kappa = \frac{1}{1 + d^2 / s^2}",
    "generalized-t": r"\kappa = \frac{1}{1 + d}",
    "inverse-multiquadric": r"\kappa = \frac{1}{\sqrt{d^2 + s^2}}",
}


def headline(result: DistributionsResult, row: int | None = None) -> Markup:
    """Return the verdict on the stretched bag, and the number of correctly classified bags."""
    row = result.row if row is None else row
    if result.has_user_table:
        plain = None if result.number else _plain(result)
        return of_own(result, row, markup(" Plain averages get {}.{}", *plain) if plain else "")
    spread, value = format_number(result.stops[row]), float(result.curve[row])
    if result.true_curve is not None:
        truth = format_number(float(result.true_curve[row]))
        says = markup(
            "At spread {} the predicted entropy of this bag is <b>{} nats</b>; the true one is {}.",
            spread,
            format_number(value),
            truth,
        )
    else:
        says = markup(
            "At spread {} this bag, drawn from {}, {} <b>{}</b>. {}",
            spread,
            _drawn_from(result),
            translate("lies" if result.detects else "is classified as"),
            result.verdicts[0 if value >= 0 else 1],
            _border(result),
        )
    return in_html(says, _trust(result))


def in_short(result: DistributionsResult) -> str:
    """Return the verdict on the stretched bag for a title; empty for a user's bags, whose headline is short."""
    if result.has_user_table:
        return ""
    spread, value = format_number(result.stops[result.row]), float(result.curve[result.row])
    if result.number:
        return translate("At spread {} the bag is given the number {}", spread, format_number(value))
    verdict = result.verdicts[0 if value >= 0 else 1]
    return translate(
        "At spread {} the bag {} {}", spread, translate("lies" if result.detects else "is classified as"), verdict
    )


def _drawn_from(result):
    side = result.sides[0 if result.y[result.chosen] > 0 else 1]
    return translate("the {} class", side) if result.lab.toy else side


def _border(result):
    if not result.crossings:
        return translate("No spread changes the decision.")
    return markup("The decision changes at {}.", joined(map(_spread, result.crossings), translate(" and ")))


def _spread(crossing):
    return markup("<b>{}</b>", format_number(crossing))


def _outside(result):
    """Return the number of bags outside, by class, and of new bags outside."""
    usual, unusual = result.sides
    outside, held = ~result.right, result.held_out
    new = ""
    if result.lab.toy:
        new = markup(" Of {} new bags: {}.", len(held.values), _parts(held.values < 0, held.targets, usual, unusual))
    return markup(
        "<b>{}</b> of {} bags lie outside (ν = {} allowed): {}.{}",
        int(outside.sum()),
        len(outside),
        percent(result.lab.nu),
        _parts(outside, result.y, usual, unusual),
        new,
    )


def _parts(outside, y, usual, unusual):
    counts = [(int(outside[which].sum()), int(which.sum())) for which in (y < 0, y > 0)]
    return translate(
        "{} of {} ({}) and {} of {} ({})", counts[0][0], counts[0][1], unusual, counts[1][0], counts[1][1], usual
    )


def _trust(result):
    if result.outputs is not None:
        mean, spread = (format_number(float(each)) for each in result.outputs.r2)
        return markup(
            "Two outputs at once: R² is <b>{}</b> for the mean and <b>{}</b> for the log spread.", mean, spread
        )
    if result.detects:
        return _outside(result)
    held = result.held_out
    score = result.score_of(held)
    if result.number:
        if score is None:
            return translate("R² is undefined, as the numbers do not vary.")
        return translate("R² is {} over {} {}.", format_number(score), len(held.values), _new(result))
    count = len(held.values)
    right = round(score * count)
    plain = _plain(result)
    against = markup(", against {} with plain averages.{}", *plain) if plain else "."
    return markup("<b>{}</b> of {} {} are classified correctly{}", right, count, _new(result), against)


def _new(result):
    return translate("new bags") if result.lab.toy else translate("bags, each left out in turn,")


def _plain(result):
    """Return the number of bags that plain averages classify correctly, and a badge if the difference is noise.

    The result is None if the lab's estimates are plain averages. Within the noise, the bags that only one of the two
    gets right may be due to chance.
    """
    if result.held_out_plain is None:
        return None
    ours, theirs = ((held.values >= 0) == (held.targets > 0) for held in (result.held_out, result.held_out_plain))
    gained, lost = int((ours & ~theirs).sum()), int((theirs & ~ours).sum())
    return int(theirs.sum()), BADGE if abs(gained - lost) <= 2 * (gained + lost) ** 0.5 else ""


def caption(result: DistributionsResult) -> Markup:
    """Return the equation with this state's numbers, the remarks, and what to try."""
    lab = result.lab
    scale = result.machine.level_two_.scale
    numbers = "" if scale is None or lab.level_two == "generalized-t" else rf"\quad s = {format_number(float(scale))}"
    of_f = DETECTOR if result.detects else RIDGE if result.number else MACHINE
    line = equation(of_f, rf"\quad {KERNELS[lab.level_two]}", numbers)
    mean = named(lab.estimator, result.role)
    words = markup(
        "{} bags of {} points (seed {}). Each becomes its {} under an RBF kernel of {} {}.",
        len(result.y),
        rows_of(result),
        lab.seed,
        mean,
        control("bandwidth", "bandwidth"),
        bandwidth(result) if result.has_user_table else format_number(result.kernel.bandwidth),
    )
    machine = result.machine
    if isinstance(machine, DistributionRegression):
        words += f" λ = {format_number(float(machine.lam_))}."
    elif result.detects:
        words += translate(" {} of {} bags have a positive weight a.", len(machine.support_), len(result.y))
    else:
        wrong = int((~result.right).sum())
        words += translate(" {} of {} bags are support vectors,", len(machine.support_), len(result.y))
        words += translate_plural(" and {} is on the wrong side.", " and {} are on the wrong side.", wrong)
    remark = "".join(f" {each}" for each in (result.median[1], result.level_two[1]) if each)
    remark += f" {drawn(result)}" if result.has_user_table else ""
    return line + words + _saved(result) + _outputs(result) + remark + tries(lab, *_tries(lab))


def _outputs(result):
    """Return a sentence about the regression of two numbers."""
    if result.outputs is None:
        return ""
    return translate(
        " One regression, λ = {}, predicts both outputs: the mean of the first coordinate and the logarithm of the"
        " spread.",
        format_number(result.outputs.lam),
    )


def _tries(lab):
    if lab.learner == "detector":
        return (("ν = 0.5", {"nu": 0.5}), ("linear", {"level_two": "linear"}))
    if lab.source == "one":
        return (("5 points per bag", {"n": 5}), ("linear, C = 1000", {"level_two": "linear", "C": 1000.0}))
    if lab.picture == "size":
        return (("5 points per bag", {"n": 5}), ("S-KMSE", {"estimator": "S-KMSE"}))
    if lab.source == "entropy":
        return (("200 points per bag", {"n": 200}), ("linear", {"level_two": "linear"}))
    return (("bandwidth 10", {"bandwidth": 10.0}), ("bag sizes", {"picture": "size"}))


def _saved(result):
    """Return the squared error that shrinkage saves at this bag size, in words."""
    if result.lab.picture != "size":
        return ""
    if result.sizes is None:
        return translate(" The errors by bag size are {}.", translate(WAITING))
    name = result.lab.estimator if result.lab.estimator != "KME" else "S-KMSE"
    count = result.lab.n if result.saved() is not None else int(result.sizes.counts[-1])
    gain = compared(result.saved(count))
    return markup(
        " With {} points per bag, {} has <b>{}</b> squared error {} the plain average.",
        count,
        name,
        gain.share,
        gain.joint,
    )


STORY_VALUES = ("border", "saved", "found", "outside", "right", "plain")


def story_values(result: DistributionsResult) -> dict[str, str]:
    """Return the values of the placeholders in the lab's stories."""
    held, saved = result.held_out, result.saved()
    words = {
        "border": "none" if result.boundary is None else format_number(result.boundary),
        "saved": "unknown" if saved is None else compared(saved).share,
    }
    if result.detects:
        words["found"] = _parts(~result.right, result.y, *result.sides)
        words["outside"] = str(int((~result.right).sum()))
    if not result.number:
        words["right"] = translate("{} of {}", round(result.share_of(held) * len(held.values)), len(held.values))
        plain = result.held_out_plain
        words["plain"] = "" if plain is None else f"{round(result.share_of(plain) * len(plain.values))}"
    return words
