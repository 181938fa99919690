"""The Density lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.markup import markup
from explorer.printing import listed, short
from explorer.workbench.by_hand import places
from explorer.workbench.formulas import equation, formula
from explorer.workbench.numbers import WAITING, number, percent
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html

from .cost import SAMPLES
from .lab import ESTIMATORS

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.workbench.prose import Attempt

    from .result import DensityResult


DASHES = dict(zip(ESTIMATORS, ("", "7 4", "2 3 7 3", "2 3", "7 3 2 3"), strict=True))  # as in the legend
ALIKE = 0.01  # of two RKHS distances: what 100 steps of an optimiser leave open
LACKS = 1e-3  # of the weights of an estimate: what is missing and speaks of a dust bin
BADGE = markup(" <span class='badge'>inside the noise</span>")
J = r"\|\hat\mu - \mu_Q\|^2 = π^\prime G π - 2\,π^\prime h + \|\hat\mu\|^2"
G = r"G_{jl} = \mathrm{E}\,k(z_j, z_l)"
H = r"h_j = \sum_i \beta_i\,\mathrm{E}\,k(x_i, z_j)"
FAMILY = r"\text{log }p = t\,(\hat\mu - \mu_p) - \text{log }Z"

EXPLAINS = markup(
    """<div class='caption'>
<p><b>The fit.</b> Blobs are Gaussian distributions with one variance in all directions. The optimiser moves their
weights, centres and variances until the kernel mean of the mixture is as near as possible to an estimate of the
sample's: {}, with {} and {} in closed form. It begins at the clusters of k-means. A ring
is one standard deviation of a blob, a disc's area grows with its weight; dotted is the true distribution. Drag a disc
to make a mixture of your own; <i>Fit from my blobs</i> lets the optimiser begin at its centres, with the weights and
widths of k-means, beside the fit from k-means itself: the nearest mixture that an optimiser finds depends on where it
begins.</p>
<p><b>Held-out NLL</b>: the negative log-likelihood, the mean of −log density over points that the fit has not seen, in
nats a point. Lower is better. The fit does not look at it: it may rise while the RKHS distance falls, and then the
start is the better density (erratum 14). Its standard error counts the points held out, not the sample.</p>
<p><b>Small pictures.</b> <i>Progress</i>: both numbers over the steps, for the fit to each estimate; each curve's
distance is to its own estimate. <i>Blobs</i>: weights and standard deviations between their bounds. A shrunk estimate
has weights that sum to less than one, a mixture's cannot; what is missing goes into a blob as wide as the bound, the
dust bin, whose kernel mean is nearly 0 (erratum 34). <i>20 samples</i>: what every fit gains in more samples, over the
start and over the fit to the plain average; diamonds are means, with two standard errors. <i>Maximum entropy</i>: the
most even density on a grid whose kernel mean lies within ε of the estimate: {}. ε counts in the
estimated error of the plain average.</p>
</div>""",
    formula(J),
    formula(G),
    formula(H),
    formula(FAMILY),
)


def headline(result: DensityResult, row: int | None = None) -> Markup:
    """Whether the blobs score better than their start, and below it what that rests on."""
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
            "With {}, the RKHS distance is <b>{}</b> the optimiser's, {}.",
            _moved(result),
            _times(result.distance[row], best),
            number(best),
        )
    if step == 0:
        return markup(
            "The start, k-means, scores points held out with <b>{} nats</b> a point.", number(result.start_nll)
        )
    after = f"After {step} step{'' if step == 1 else 's'}"
    if round(abs(gain), 6) == 0:
        return markup("{} the blobs score <b>as their start</b> does: nothing has moved that one could see.", after)
    verdict = "better" if gain > 0 else "worse"
    if _in_noise(result, row):
        return markup(
            "{} the blobs score points held out <b>about as well as their start</b>: {} nats {}, which is within the"
            " noise.",
            after,
            number(abs(gain)),
            verdict,
        )
    other = "" if gain > 0 else markup(": <b>k-means is the better density</b>")
    return markup(
        "{} the blobs score points held out <b>{} nats {}</b> than their start{}.",
        after,
        number(abs(gain)),
        verdict,
        other,
    )


def _in_noise(result, row):
    """Whether the points held out are too few to tell the blobs from their start."""
    return result.rival is None and result.steps[row] > 0 and abs(result.gain(row)) < 2 * float(result.doubt[row])


def _from_hand(result, row):
    """The fit from the hand's blobs beside that from k-means, after as many steps."""
    ours, theirs = float(result.distance[row]), float(result.rival_course.distance[row])
    if row == 0:
        begun = markup("Your blobs, where the fit begins, have RKHS distance <b>{}</b>", number(ours))
        return markup("{}, k-means <b>{}</b>.", begun, number(theirs))
    steps = f"After {result.stops[row]} step{'' if result.stops[row] == 1 else 's'}"
    if abs(ours - theirs) <= ALIKE * max(ours, theirs):
        verdict = markup("both starts lead <b>equally near</b>")
    elif ours < theirs:
        verdict = markup("<b>your start is better</b>")
    else:
        verdict = markup("<b>k-means is the better start</b>")
    return markup(
        "{} the RKHS distance is {} from your blobs, {} from k-means: {}.", steps, number(ours), number(theirs), verdict
    )


def _times(value, best):
    return f"{number(float(f'{value / best:.2g}'))} times" if best > 0 else "more than"


def _moved(result):
    count = sum(blob < result.lab.blobs for blob in places(result.lab.placed))
    return "one blob moved by hand" if count == 1 else f"{count} blobs moved by hand"


def _even(result):
    end = float(result.nll[-1])
    if result.beyond:
        return markup(
            "The most even density is 0 at <b>{} of the {} points</b> held out, which lie beyond its grid:"
            " its NLL is ∞, the blobs' {}.",
            result.beyond,
            len(result.held),
            number(end),
        )
    gain = end - result.even_nll
    verdict = "better" if gain > 0 else "worse"
    if abs(gain) < 2 * result.even_doubt:
        return markup(
            "The most even density scores points held out <b>about as well as the blobs</b>: {} nats {}, which is"
            " within the noise.",
            number(abs(gain)),
            verdict,
        )
    return markup(
        "The most even density scores points held out <b>{} nats {}</b> than the blobs: {} a point.",
        number(abs(gain)),
        verdict,
        number(result.even_nll),
    )


def _trust(result, row):
    lab = result.lab
    doubt = float(result.doubt[row])
    scaled = " of columns scaled to variance 1" if any(each.is_scaled for each in result.quantities) else ""
    distances = f"{number(float(result.fit.history_[0]) ** 0.5)} → {number(float(result.distance[row]))}"
    beside = ""
    if lab.picture == "entropy":
        beside = f"The blobs: {number(float(result.nll[row]))}. "
    other = f"{number(result.start_nll)} of the start"
    if result.rival is not None:
        other = f"{number(float(result.rival_course.nll[row]))} from k-means"
    words = (
        f"n = {lab.n}, seed {lab.seed}. {beside}NLL {number(float(result.nll[row]))} against {other},"
        f" ± {number(float(f'{doubt:.2g}'))} on {len(result.held)} points{scaled}; RKHS distance {distances}."
    )
    if lab.picture == "entropy":
        even = result.even
        words = (
            f"n = {lab.n}, seed {lab.seed}. ε = {number(even.eps)}, distance {number(even.distance_)}; entropy"
            f" {number(even.entropy_)} nats. The blobs' NLL is {number(float(result.nll[-1]))},"
            f" scored on {len(result.held)} points."
        )
    elif _in_noise(result, row):
        words += BADGE
    return words + _plain(result)


def _plain(result):
    """The fit's end beside that of the plain average's fit."""
    if result.plain_nll is None or result.lab.picture == "entropy":
        return ""
    gain = result.plain_nll - float(result.nll[-1])
    verdict = "better" if gain > 0 else "worse"
    return markup(" {}'s fit ends {} nats {} than the plain average's.", _estimator(result), number(abs(gain)), verdict)


def _estimator(result):
    return named(result.lab.estimator, result.role)


def caption(result: DensityResult) -> Markup:
    """The equation with this state's numbers, what there is to remark, and what to try."""
    lab = result.lab
    ending = "its last step" if result.ended is None else f"step {result.ended}, where it ends by itself"
    estimate = markup(
        "{} of {} points under an RBF kernel of {}", _estimator(result), lab.n, control("bandwidth", "bandwidth")
    )
    words = markup(
        "{} {} {}; {} blobs, shown to {}.",
        _called(result),
        estimate,
        number(result.kernel.bandwidth),
        lab.blobs,
        ending,
    )
    remark = f" {result.median[1]}" if result.median[1] else ""
    return (
        _equation(result)
        + words
        + _begun(result)
        + _dust(result)
        + _samples(result)
        + remark
        + tries(lab, *TRIES[lab.picture])
    )


TRIES: dict[str, tuple[Attempt, ...]] = {
    "progress": (("MKME", {"estimator": "MKME"}), ("n = 20", {"n": 20})),
    "blobs": (("bandwidth 0.1", {"bandwidth": 0.1}), ("S-KMSE", {"estimator": "S-KMSE"})),
    "samples": (("n = 20", {"n": 20}), ("bandwidth 1", {"bandwidth": 1.0})),
    "entropy": (("ε = 4", {"eps": 4.0}), ("one dimension", {"d": 1})),
}


def _called(result):
    if result.law is None:
        return f"{listed(map(short, result.names))}, {len(result.held)} rows held out."
    return {"mixture": "Points of a mixture of four.", "student": "Points of Student's t."}[result.lab.source]


def _equation(result):
    colour = result.role
    if result.lab.picture == "entropy":
        even = result.even
        return equation(
            FAMILY,
            rf"\quad t = {number(even.multiplier_)},\;\|\hat\mu - \mu_p\| = {number(even.distance_)} \le"
            rf" {number(even.eps)}",
        )
    square = float(result.distance[result.row]) ** 2
    return equation(J, rf"= \role{{{colour}}}{{{number(square)}}}")


def _begun(result):
    """Where a fit begins that does not begin at k-means."""
    if result.rival is None:
        return ""
    end, theirs = (float(each) for each in (result.nll[-1], result.rival_course.nll[-1]))
    verdict = "better" if end < theirs else "worse"
    return (
        f" Every fit begins at the centres of your blobs, with the weights and widths of k-means; it ends"
        f" {number(abs(end - theirs))} nats {verdict} on points held out than from k-means."
    )


def _dust(result):
    """The blobs that lie at the bound at the end of the fit."""
    missing = 1 - float(result.fit.embedding_.weights.sum())
    if not len(result.fit.at_ceiling_):
        return f" {percent(result.at_bound)} of the weight lies at the bound." if missing > LACKS else ""
    return markup(
        " Blobs as wide as the bound, the dust bin, have <b>{}</b> of the weight at the end; the"
        " estimate's own weights lack {} of one.",
        percent(result.at_bound),
        percent(missing),
    )


def _samples(result):
    """What the chosen estimator's fit gains in more samples."""
    if result.lab.picture != "samples":
        return ""
    if result.endings is None:
        return f" What {SAMPLES} more samples give is {WAITING}."
    start, plain = (each for each in result.endings.differences(result.lab.estimator))
    begun = " from k-means" if result.rival is not None else ""
    words = f" In {SAMPLES} more samples the fit{begun} beats its start {int((start > 0).sum())} times"
    if result.lab.estimator == "KME":
        return f"{words}."
    return f"{words}, and the plain average's fit {int((plain > 0).sum())} times."


def told(result: DensityResult) -> dict[str, str]:
    """The words that stories put their numbers in."""
    numbers = {
        "gain": abs(result.gain()),
        "nll": float(result.nll[result.row]),
        "start": result.start_nll,
        "distance": float(result.distance[result.row]),
        "before": float(result.fit.history_[0]) ** 0.5,
        "plain": None if result.plain_nll is None else abs(result.plain_nll - float(result.nll[-1])),
        "even": result.even_nll,
    }
    words = {name: "unknown" if value is None else number(value) for name, value in numbers.items()}
    return {**words, "share": percent(result.at_bound)}
