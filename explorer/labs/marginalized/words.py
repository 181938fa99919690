"""The Marginalized lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.markup import markup
from explorer.printing import short
from explorer.workbench.formulas import equation
from explorer.workbench.numbers import compared, number, percent
from explorer.workbench.prose import NOISY_BANDWIDTH, beside_average, control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.replicates import beaten

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import MarginalizedResult


EXPLAINS = markup(
    """<div class='caption'>
<p><b>Loss over σ.</b> The loss of an estimate is its squared distance, in the kernel's feature space, to the true
kernel mean, drawn relative to the plain average (KME): below 1 is better, and the tinted zone above 1 is harm. Thick
lines are exact losses on this sample. The dash-dotted line is MKME's expected loss over all samples of this size, in
closed form, at this sample's bandwidth. Dotted lines are leave-one-out scores on the same scale, which is all that one
has in practice. A filled triangle marks the σ that leave-one-out chooses, a hollow one the best σ of the slider. +100
samples draws 100 more samples of the same distribution: the bands hold 50 % and 90 % of their losses.</p>
<p><b>σ</b> is measured in the data's standard deviation: the root mean square over the coordinates of the
distribution, or of the sample where it is a table. Some noise always helps on average: at σ = 0 the exact risk falls,
unless the distribution is a single point, and so does the leave-one-out score.</p>
<p><b>MMKME</b> multiplies σ by its own factor in each coordinate. By default leave-one-out chooses how to divide the
noise between the coordinates, and σ² is the mean of their variances; at MMKME's own choice (the filled triangle) it
chooses the amount as well.</p>
<p><b>Sample.</b> Discs have the radius σ, dashed ellipses MMKME's σ in the two coordinates that are drawn; of many
points only the first 60 have some. The density is the average of Gaussian distributions around the points: MKME is its
exact kernel mean. Dotted ellipses are the components of the true distribution.</p>
<p><b>Small pictures.</b> <i>Kernel</i>: k along a coordinate (grey), its expectation with MKME's noise on one point
(solid) and on both (dotted), with MMKME's noise along its first coordinate (dashed) and its second (dash-dotted).
<i>Filter</i>: MKME projected on the sample, as the share of the plain average that it keeps along each eigendirection
of the Gram matrix. The area of a triangle is the plain average's length there; what lies beyond the axis is drawn at
its end. The dashed line is Σβ, the sum of the projected weights. <i>Approximation</i>: the distance of weighted points
from MKME, as a share of its length: the plain average's (grey), the nearest weights' (solid), those of second order by
Theorem 1 with its errors corrected (dashed), and as printed (dash-dotted). <i>Dice</i>: 50 noisy copies, drawn as
small dots; the squared distance of their average from MKME in units of KME's loss, and its expectation (dotted), which
is exact.</p>
<p><b>Tests.</b> MKME in place of KME turns an MMD or HSIC test at bandwidth θ into the plain test at {}:
the statistic is the same up to a factor, and so is every p-value. Such tests only gain another choice of bandwidth.</p>
</div>""",
    NOISY_BANDWIDTH,
)

NAMES = {"mkme": "MKME", "mmkme": "MMKME"}
MKME, MMKME = (named(name, role) for role, name in NAMES.items())
SHOWN = 3  # coordinates whose noise is listed one by one
# small picture: the words that only it has numbers for
TOLD: dict[str, tuple[str, ...]] = {"filter": ("sum",), "dice": ("first", "last", "copies", "expected"),
        "approximation": ("missed_kme", "missed_projection", "missed_corrected", "missed_printed")}  # fmt: skip


def headline(result: MarginalizedResult, row: int) -> Markup:
    """What the noise does in this state: one sentence, and one line that says how far to trust it."""
    error = "squared error" if result.law is not None else "estimated squared error"
    mkme, mmkme = (compared(result.gain(path, row), error) for path in (result.mkme, result.mmkme))
    where = f"At σ = {number(result.mkme.sigmas[row])} sd, "
    if row == len(result.mkme.sigmas) - 1:
        where = "With σ chosen by leave-one-out, "
    return in_html(where + beside_average((MKME, mkme), (MMKME, mmkme)), _trust(result, row))


def noise_words(result: MarginalizedResult, row: int) -> str:
    """MMKME's noise in the data's sd: of each coordinate, or from the least to the most."""
    noise = result.mmkme.deviations[row] / result.unit
    if len(noise) <= SHOWN:
        listed = [number(float(v)) for v in noise]
        return " and ".join(filter(None, (", ".join(listed[:-1]), listed[-1])))
    return f"{number(float(noise.min()))} to {number(float(noise.max()))}"


def _trust(result, row):
    lab, sigma = result.lab, number(result.mkme.sigmas[row])
    if result.law is None:
        return (
            f"Estimated by leave-one-out at σ = {sigma} sd: the distribution behind {short(lab.file or lab.source)} is"
            " unknown, so there is no exact loss."
        )
    share, best = compared(average(result, row)).share, percent(1 - float(result.risk.min()))
    return markup(
        "This sample: n = {}, seed {}. Over many samples σ = {} sd gives {} {} on average, and the best σ {}.{}",
        lab.n,
        lab.seed,
        sigma,
        MKME,
        share,
        best,
        _wins(result, row),
    )


def _wins(result, row):
    """In how many more samples each estimator wins, and MMKME against MKME."""
    if result.replicates is None:
        return ""
    more = markup("; {} beats {} {} times", MMKME, MKME, duels(result, row))
    return beaten(result.replicates, row, {"mkme": MKME, "mmkme": MMKME}, more)


def duels(result: MarginalizedResult, row: int) -> int:
    """In how many more samples MMKME loses less than MKME."""
    if result.replicates is None:
        return 0
    losses = result.replicates.losses
    return int((losses["mmkme"][:, row] < losses["mkme"][:, row]).sum())


def average(result: MarginalizedResult, row: int) -> float:
    """MKME's gain at a row, averaged over samples, exactly; nan where no distribution is known."""
    return math.nan if result.risk is None else float(1 - result.risk[row])


def plain_bandwidth(result: MarginalizedResult, row: int) -> float:
    """√(θ² + 2σ²): the bandwidth at which the plain MMD and HSIC are MKME's, up to a factor."""
    return math.sqrt((result.lab.bandwidth * result.median[0]) ** 2 + 2 * float(result.mkme.deviations[row, 0]) ** 2)


def units(result: MarginalizedResult) -> str:
    """What σ and the bandwidth count in, beside standard deviations of the data."""
    scaled = any(each.is_scaled for each in result.quantities)
    return "in units of the columns scaled to variance 1" if scaled else "in units of x"


def _equation(theta, sigma, seen):
    """MKME as an average over noise, and the bandwidth at which the plain tests are its own, in numbers."""
    return equation(
        r"\role{mkme}{\tilde\mu} = \frac{1}{n} \sum_i \mathrm{E}\,k(x_i + u, \cdot),\;u \sim \mathrm{N}(0, \sigma^2 I)",
        rf"\quad\sqrt{{\theta^2 + 2\sigma^2}} = \sqrt{{{theta}^2 + 2 \cdot {sigma}^2}} = {seen}",
    )


def caption(result: MarginalizedResult) -> Markup:
    """What the noise does, with this state's numbers, and what there is to remark."""
    row = result.row
    theta, sigma, seen = (
        number(v)
        for v in (result.kernel.bandwidth, float(result.mkme.deviations[row, 0]), plain_bandwidth(result, row))
    )
    remark = f" {result.remark[0].upper()}{result.remark[1:]}" if result.remark else ""
    return markup(
        "{}{} adds Gaussian noise to every point and averages over it exactly: the kernel mean of a"
        " <b>kernel density estimate</b>. {}, {} = {} at the {} θ = {}; {} has a σ for each"
        " coordinate, {} of the data's sd. A two-sample test with {} is the plain test at the bandwidth"
        " {} = <b>{}</b>, with the same p-values.{}{}",
        _equation(theta, sigma, seen),
        MKME,
        units(result).capitalize(),
        control("σ", "sigma"),
        sigma,
        control("bandwidth", "bandwidth"),
        theta,
        MMKME,
        noise_words(result, row),
        MKME,
        NOISY_BANDWIDTH,
        seen,
        remark,
        tries(result.lab, ("σ = 1", {"sigma": 1.0}), ("bandwidth 0.1", {"bandwidth": 0.1})),
    )


def told(result: MarginalizedResult) -> dict[str, str]:
    """The words that stories put their numbers in; a gain is "30 % less", and "squared error" may follow."""
    row = result.row
    words = {name: compared(result.gain(getattr(result, name))).share for name in NAMES}
    words |= {
        "chosen": number(result.mkme.chosen),
        "noise": noise_words(result, row),
        "theta": number(result.kernel.bandwidth),
        "seen": number(plain_bandwidth(result, row)),
        "kernel": number(
            float(np.exp(-0.5 * np.log1p((result.mkme.deviations[row] / result.kernel.bandwidth) ** 2).sum()))
        ),
    }
    if result.risk is not None:
        words |= {
            "average": compared(average(result, row)).share,
            "best": percent(1 - float(result.risk.min())),
            "best_sigma": number(float(result.mkme.sigmas[result.risk.argmin()])),
        }
    return words | _told_of_pictures(result, row)


def _told_of_pictures(result, row):
    """Numbers of the small picture that is shown; for those of the others the name of theirs."""
    projected, missed, thrown = result.projected, result.missed, result.thrown
    words = {word: f"[see {picture}]" for picture, names in TOLD.items() for word in names}
    if projected is not None:
        words["sum"] = number(float(projected.sums[row]))
    if missed is not None:
        words |= {
            f"missed_{name}": percent(float(getattr(missed, name)[row]))
            for name in ("kme", "projection", "corrected", "printed")
        }
    if thrown is not None:
        words |= {
            "first": percent(float(thrown.path[0])),
            "last": percent(float(thrown.path[-1])),
            "copies": str(len(thrown.path)),
            "expected": percent(float(thrown.expected[-1])),
        }
    return words


def missed_words(result: MarginalizedResult) -> str:
    """How far each kind of weights is from MKME at the present σ."""
    missed, row = result.missed, result.row
    share = {name: percent(float(getattr(missed, name)[row])) for name in ("kme", "projection", "corrected", "printed")}
    return (
        f"As a share of MKME's length, the plain average is {share['kme']} away from it, the nearest weights are"
        f" {share['projection']}, those of second order {share['corrected']}, and as printed {share['printed']}."
    )


def thrown_words(result: MarginalizedResult) -> str:
    """How far noisy copies are from MKME, in squared errors of the plain average."""
    path = result.thrown.path
    first, last, expected = (percent(float(v)) for v in (path[0], path[-1], result.thrown.expected[-1]))
    return (
        f"The average of {len(path)} noisy copies is {last} of the plain average's loss away from MKME, one copy"
        f" {first}; on average the squared distance falls as one over their number, to {expected}."
    )
