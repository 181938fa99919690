"""The Distributions lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.learning import DistributionRegression
from explorer.markup import markup
from explorer.workbench.formulas import equation, formula
from explorer.workbench.numbers import WAITING, number, percent
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html

from .verdict import bandwidth, drawn, of_own, rows_of

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import DistributionsResult


BADGE = markup(" <span class='badge'>inside the noise</span>")
MACHINE = r"f(P) = \sum_i a_i y_i\,\kappa(\hat\mu_i, \hat\mu_P) + b"
RIDGE = r"f(P) = \sum_i c_i\,\kappa(\hat\mu_i, \hat\mu_P)"
KERNELS = {
    "linear": r"\kappa = \hat\mu_i^\prime \hat\mu_j",
    "gaussian": r"\kappa = e^{-d^2 / (2s^2)}",
    "exponential": r"\kappa = e^{-d / (2s^2)}",
    "cauchy": r"\kappa = \frac{1}{1 + d^2 / s^2}",
    "generalized-t": r"\kappa = \frac{1}{1 + d}",
    "inverse-multiquadric": r"\kappa = \frac{1}{\sqrt{d^2 + s^2}}",
}
EXPLAINS = markup(
    """<div class='caption'>
<p><b>Bags.</b> Each example is a whole sample, a bag of points. A bag becomes one point, its kernel mean, and a kernel
of kernel means compares bags: {}, a support measure machine, or {}, distribution
regression, with d the RKHS distance of two kernel means and s the median of these distances. Only the size of the
sample enters it: the points of a bag are in no order.</p>
<p><b>The ring.</b> One bag, magenta, is stretched about its mean. Drag the ring, or the slider: its value follows the
curve, and where that crosses the dashed line the machine puts it on the other side. Every mark is a bag, at its own
spread and the machine's value of it; a red ring marks a bag on the wrong side. Of entropies the marks are the true
ones, and dotted is what the stretched bag's entropy is.</p>
<p><b>Small pictures.</b> <i>The bags</i> as clouds, class by class. <i>Map</i>: the first two kernel principal
components of the kernel means; the magenta line is the way that the stretched bag takes. <i>Distances</i>: the RKHS
distances, or MMDs, of all pairs of bags, and in the strip above those of the stretched bag. <i>Bag size</i>: the mean
squared error of estimates of a bag's kernel mean, relative to that of the plain average, over the points in a bag;
parameters are chosen on each bag alone. Of a table all rows of a class, or of a bag, count as the truth.</p>
<p><b>New bags.</b> Of known distributions the machine is tried on new bags; of a table each bag is left out in turn,
while bandwidth and s stay.</p>
</div>""",
    formula(MACHINE),
    formula(RIDGE),
)


def headline(result: DistributionsResult, row: int | None = None) -> Markup:
    """What the machine makes of the stretched bag, and below it how good it is."""
    row = result.row if row is None else row
    if result.own:
        return of_own(result, row, "." if result.number else _beside(result))
    spread, value = result.stops[row], float(result.curve[row])
    says = markup("Stretched to a spread of {}, the bag", number(spread))
    if result.number:
        says += markup(" is given the number <b>{}</b>", number(value))
        says += "." if result.true_curve is None else f"; its entropy is {number(float(result.true_curve[row]))} nats."
    else:
        side = result.sides[0 if value >= 0 else 1]
        says += markup(" {} is called <b>{}</b>{}.", _drawn_from(result), side, _border(result))
    return in_html(says, _trust(result))


def in_short(result: DistributionsResult) -> str:
    """What becomes of the stretched bag, for a title; nothing of bags of one's own, whose headline is short."""
    if result.own:
        return ""
    spread, value = number(result.stops[result.row]), float(result.curve[result.row])
    if result.number:
        return f"At spread {spread} the bag is given the number {number(value)}"
    return f"At spread {spread} the bag is classified as {result.sides[0 if value >= 0 else 1]}"


def _drawn_from(result):
    return f"({result.sides[0 if result.y[result.chosen] > 0 else 1]} as it was)"


def _border(result):
    if result.boundary is None:
        return "; no spread changes that"
    return markup("; the boundary lies at <b>{}</b>", number(result.boundary))


def _trust(result):
    lab, held = result.lab, result.held
    seed = f"{len(result.y)} bags of {rows_of(result)} points, seed {lab.seed}."
    score = result.score_of(held)
    if result.number:
        told = "R² is undefined, as the numbers do not vary" if score is None else f"R² is {number(score)}"
        return f"{seed} Over {_new(result)} {told}."
    right = round(score * len(held.values))
    return markup("{} Of {} <b>{}</b> are on the right side{}", seed, _new(result), right, _beside(result))


def _new(result):
    count = len(result.held.values)
    return f"{count} new bags" if result.lab.toy else f"{count} bags, each left out in turn,"


def _beside(result):
    """How many with plain averages; inside the noise where the bags that only one of the two gets right may be luck."""
    if result.held_plain is None:
        return "."
    ours, theirs = ((held.values >= 0) == (held.targets > 0) for held in (result.held, result.held_plain))
    gained, lost = int((ours & ~theirs).sum()), int((theirs & ~ours).sum())
    noise = BADGE if abs(gained - lost) <= 2 * (gained + lost) ** 0.5 else ""
    return markup(", with plain averages {}.{}", int(theirs.sum()), noise)


def caption(result: DistributionsResult) -> Markup:
    """The equation with this state's numbers, what there is to remark, and what to try."""
    lab = result.lab
    scale = result.machine.level_two_.scale
    numbers = "" if scale is None or lab.level_two == "generalized-t" else rf"\quad s = {number(float(scale))}"
    line = equation(RIDGE if result.number else MACHINE, rf"\quad {KERNELS[lab.level_two]}", numbers)
    mean = named(lab.estimator, result.role)
    words = markup(
        "{} of every bag under an RBF kernel of {} {}.",
        mean,
        control("bandwidth", "bandwidth"),
        bandwidth(result) if result.own else number(result.kernel.bandwidth),
    )
    machine = result.machine
    if isinstance(machine, DistributionRegression):
        words += f" λ = {number(float(machine.lam_))}."
    else:
        wrong = int((~result.right).sum())
        words += f" {len(machine.support_)} of {len(result.y)} bags are supports, and {wrong} {_are(wrong)} on the"
        words += " wrong side."
    remark = "".join(f" {each}" for each in (result.median[1], result.level_two[1]) if each)
    remark += f" {drawn(result)}" if result.own else ""
    return line + words + _saved(result) + remark + tries(lab, *_tries(lab))


def _are(count):
    return "is" if count == 1 else "are"


def _tries(lab):
    if lab.picture == "size":
        return (("5 points a bag", {"n": 5}), ("S-KMSE", {"estimator": "S-KMSE"}))
    if lab.source == "entropy":
        return (("200 points a bag", {"n": 200}), ("linear", {"level_two": "linear"}))
    return (("bandwidth 10", {"bandwidth": 10.0}), ("bag sizes", {"picture": "size"}))


def _saved(result):
    """What shrinking saves at this bag size."""
    if result.lab.picture != "size":
        return ""
    if result.sizes is None:
        return f" What estimates err by over the size of bags is {WAITING}."
    name = result.lab.estimator if result.lab.estimator != "KME" else "S-KMSE"
    count = result.lab.n if result.saved() is not None else int(result.sizes.counts[-1])
    saved = result.saved(count)
    less = "less" if saved >= 0 else "more"
    return markup(
        " With {} points a bag {} has <b>{} {}</b> squared error than the plain average.",
        count,
        name,
        percent(saved),
        less,
    )


def told(result: DistributionsResult) -> dict[str, str]:
    """The words that stories put their numbers in."""
    held, saved = result.held, result.saved()
    words = {
        "value": number(float(result.curve[result.row])),
        "border": "none" if result.boundary is None else number(result.boundary),
        "bandwidth": number(result.kernel.bandwidth),
        "score": number(result.score_of(held)),
        "saved": "unknown" if saved is None else percent(saved),
    }
    if not result.number:
        words["right"] = f"{round(result.share_of(held) * len(held.values))} of {len(held.values)}"
        plain = result.held_plain
        words["plain"] = "" if plain is None else f"{round(result.share_of(plain) * len(plain.values))}"
    return words
