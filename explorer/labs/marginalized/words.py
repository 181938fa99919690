"""The Marginalized lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from explorer.workbench.numbers import compared, number, percent, signed
from explorer.workbench.replicates import beaten

EXPLAINS = """<div class='caption'>
<p><b>Left.</b> The loss of an estimate is its squared distance, in the kernel's own space, to the true kernel mean,
drawn relative to the plain average (KME): below 1 is better, and the tinted zone above 1 is harm. Thick lines are exact
losses on this sample. The dash-dotted line is MKME's expected loss over all samples of this size, in closed form, at
this sample's bandwidth. Dotted lines are leave-one-out scores on the same scale, which is all that one has in practice.
A filled triangle is the σ that leave-one-out chooses, a hollow one the best of the slider's. σ counts in the data's
standard deviation: of the distribution's coordinates, their root mean square, or of the sample's where it is a table.
+100 samples draws other samples of the same distribution; the bands hold 50 % and 90 % of their losses.</p>
<p><b>MMKME</b> multiplies σ by another number in each coordinate. Left to itself it divides the noise as
leave-one-out chooses, and σ² is then the mean of its variances; at its own choice (the filled triangle) leave-one-out
chooses how much as well.</p> <p><b>Right.</b> Discs have the radius σ, dashed ellipses MMKME's σ in the two coordinates
that are drawn; of many points the first 60 have some. The density is the average of normal distributions around the
points: MKME is its exact kernel mean. Dotted ellipses are the components of the true distribution.</p>
<p><b>Small pictures.</b> <i>Kernel</i>: k along a coordinate (grey), its expectation with MKME's noise on one point
(solid) and on both (dotted), with MMKME's noise along its first coordinate (dashed) and its second (dash-dotted).
<i>Filter</i>: MKME projected on the sample, along each eigendirection of the Gram matrix: what it keeps of KME there.
The area of a triangle is how long KME is there; what lies beyond the axis stands at its end. The dashed line is Σβ, the
sum of the projected weights. <i>Approximation</i>: how far weights on the points are from MKME, as a share of its
length: the plain average's (grey), the nearest ones (solid), the second-order ones of Theorem 1 with its errors
corrected (dashed), and as printed (dash-dotted). <i>Dice</i>: 50 noisy copies, drawn as small dots; the squared
distance of their average from MKME, in units of KME's loss, and its expectation (dotted), which is exact.</p>
<p><b>Tests.</b> MKME in the place of KME turns an MMD or HSIC test at bandwidth θ into the plain one at √(θ² + 2σ²): a
factor aside, the statistic is the same, and so is every p-value. What such tests gain is a choice of
bandwidth.</p></div>"""

NAMES = {"mkme": "MKME", "mmkme": "MMKME"}
SHOWN = 3  # coordinates whose noise is listed one by one
# small picture: the words that only it has numbers for
TOLD = {"filter": ("sum",), "dice": ("first", "last", "copies", "expected"),
        "approximation": ("missed_kme", "missed_projection", "missed_corrected", "missed_printed")}  # fmt: skip


def strokes(result):
    """What the legend says: (words, role, dash or mark)."""
    return (
        ("KME", "kme", ""),
        ("MKME", "mkme", ""),
        ("MMKME", "mmkme", "7 4"),
        ("expected loss", "truth", "8 3 2 3"),
        ("leave-one-out", "mkme", "2 3"),
        ("its choice", "mkme", "filled"),
        ("best", "mkme", "hollow"),
    )


def headline(result, row):
    """What the noise does here, in HTML: one sentence, and one line that says how far to trust it."""
    gains = [compared(result.gain(path, row)) for path in (result.mkme, result.mmkme)]
    where = f"At σ = {number(result.mkme.sigmas[row])} sd"
    if row == len(result.mkme.sigmas) - 1:
        where = f"Chosen by leave-one-out (σ = {number(result.mkme.chosen)} sd; {noise_words(result, row)})"
    estimated = "" if result.law is not None else "an estimated "
    how, preposition, joint = gains[0]
    says = (
        f"{where}, <span class='name'>MKME</span> is {estimated}<b>{how}</b> {preposition} the true mean {joint} the"
        f" plain average, <span class='name'>MMKME</span> <b>{gains[1][0]}</b>."
    )
    if result.law is None:
        trust = (
            f"Estimated by leaving one out: nobody knows the distribution behind"
            f" {escape(result.lab.file or result.lab.source)}, so there is no exact loss here."
        )
    else:
        trust = _trust(result, row) + _wins(result, row)
    return f"<div class='says'>{says}</div><div class='trust'>{trust}</div>"


def noise_words(result, row):
    """MMKME's noise in words: of each coordinate, or from the least to the most."""
    noise = result.mmkme.deviations[row] / result.unit
    if len(noise) <= SHOWN:
        listed = [number(float(v)) for v in noise]
        return f"MMKME {' and '.join(filter(None, (', '.join(listed[:-1]), listed[-1])))}"
    return f"MMKME {number(float(noise.min()))} to {number(float(noise.max()))}"


def _trust(result, row):
    best = percent(1 - float(result.risk.min()))
    held = "this σ, held," if row == len(result.mkme.sigmas) - 1 else "this σ"
    return (
        f"Squared RKHS distance on this sample. Averaged over samples {held} brings <span class='name'>MKME</span> "
        f"{compared(average(result, row))[0]}; the best σ brings {best}."
    )


def _wins(result, row):
    """In how many further samples each estimator wins, and MMKME against MKME."""
    if result.replicates is None:
        return ""
    return beaten(result.replicates, row, NAMES, f"; MMKME beats MKME in {duels(result, row)}")


def duels(result, row):
    """In how many further samples MMKME loses less than MKME."""
    losses = result.replicates.losses
    return int((losses["mmkme"][:, row] < losses["mkme"][:, row]).sum())


def average(result, row):
    """MKME's gain at a row, averaged over samples, exactly."""
    return float(1 - result.risk[row])


def plain_bandwidth(result, row):
    """√(θ² + 2σ²): the bandwidth at which the plain MMD and HSIC are MKME's, up to a factor."""
    return math.sqrt(result.kernel.bandwidth**2 + 2 * float(result.mkme.deviations[row, 0]) ** 2)


def caption(result):
    """What the noise does, with this state's numbers in it, and what there is to remark."""
    lab, row = result.lab, result.row
    theta, sigma = result.kernel.bandwidth, float(result.mkme.deviations[row, 0])
    remark = f" {result.remark[0].upper()}{result.remark[1:]}" if result.remark else ""
    return (
        "Every point is blurred on purpose, by normal noise of standard deviation σ, and the average over that noise"
        " is taken exactly: μ̃ = (1/n) Σ E k(x<sub>i</sub> + u, ·), u ~ N(0, σ²I), paper 000, eq. (7). It is the"
        " kernel mean of a <b>kernel density estimate</b>; MMKME has a σ for each coordinate. Some noise always helps"
        " on average: at σ = 0 the exact risk falls, unless the distribution is a single point, and so does the"
        f" leave-one-out score. Here σ = {number(sigma)} and θ = {number(theta)} in units of x. In a test of two"
        f" samples MKME is the plain test at bandwidth √(θ² + 2σ²) = <b>{number(plain_bandwidth(result, row))}</b>:"
        " the same MMD and the same HSIC up to a factor, with the same p-values. It is not the same estimator, whose"
        " loss is measured at θ."
        f" n = {lab.n}, one sample, seed {lab.seed}.{remark}"
    )


def told(result):
    """The words that stories put their numbers in."""
    row = result.row
    words = {name: compared(result.gain(getattr(result, name)))[0] for name in NAMES}
    words |= {
        "chosen": number(result.mkme.chosen),
        "noise": noise_words(result, row).removeprefix("MMKME "),
        "theta": number(result.kernel.bandwidth),
        "seen": number(plain_bandwidth(result, row)),
        "kernel": number(
            float(np.exp(-0.5 * np.log1p((result.mkme.deviations[row] / result.kernel.bandwidth) ** 2).sum()))
        ),
    }
    if result.risk is not None:
        words |= {
            "average": compared(average(result, row))[0],
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


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    return [_curves(result), _sample(result), SMALL[result.lab.picture](result)]


def _curves(result):
    kind = "loss" if result.law is not None else "estimated loss"
    least = " ".join(_least(word, getattr(result, name)) for name, word in NAMES.items())
    return f"{kind.capitalize()} over σ in data sd, where the plain average is 1. {least}"


def _least(name, path):
    height, sigmas = path.height, path.sigmas
    least = int(np.argmin(height))
    harm = np.flatnonzero(height[:-1] > 1 + 1e-9)
    lasting = len(harm) and harm[-1] == len(sigmas) - 2
    beyond = f", and from σ = {number(float(sigmas[harm[0]]))} on it does harm" if lasting else ""
    return (
        f"{name} is lowest at σ = {number(float(sigmas[least]))} with {number(float(height[least]))}; leave-one-out"
        f" chooses {number(path.chosen)} with {number(float(height[-1]))}{beyond}."
    )


def _sample(result):
    n, d = result.X.shape
    sigma = number(float(result.mkme.deviations[result.row, 0]))
    what = {
        "discs": f"around each a disc of radius σ = {sigma}, in units of x",
        "MKME": f"and under them their kernel density estimate with σ = {sigma}",
        "MMKME": "and under them the density whose kernel mean MMKME is",
    }[result.lab.ground]
    spread = noise_words(result, result.row).removeprefix("MMKME ")
    where = f"{d} dimension{'' if d == 1 else 's'}"
    return (
        f"The sample has {n} points in {where}, {what}. MMKME's noise is {spread} of the data's sd in its coordinates."
    )


def _kernel(result):
    small, row = result.slices, result.row
    one, both = (number(float(values[row].max())) for values in (small.one, small.both))
    return (
        f"The kernel of two points is 1 where they coincide; with MKME's noise on one of them it is {one} there, with"
        f" noise on both {both}, and it is wider."
    )


def _filter(result):
    small = result.projected
    kept, share = small.kept[result.row], small.coefficients
    order = [i for i in np.argsort(-share)[:3] if np.isfinite(kept[i])]
    listed = ", ".join(signed(float(kept[i])) for i in order)
    return (
        f"Projected on the sample, MKME's weights sum to {number(float(small.sums[result.row]))}, KME's to 1. Of"
        f" the directions along which KME is longest they keep {listed}."
    )


def _approximation(result):
    missed, row = result.missed, result.row
    share = {name: percent(float(getattr(missed, name)[row])) for name in ("kme", "projection", "corrected", "printed")}
    return (
        f"Of the length of MKME's estimate the plain average is {share['kme']} away, the nearest weights "
        f"{share['projection']}, those of second order {share['corrected']}, and as printed {share['printed']}."
    )


def _dice(result):
    path = result.thrown.path
    first, last, expected = (percent(float(v)) for v in (path[0], path[-1], result.thrown.expected[-1]))
    return (
        f"The average of {len(path)} noisy copies is {last} of the plain average's loss away from MKME, one copy"
        f" {first}; on average the squared distance falls as one over their number, to {expected}."
    )


SMALL = {"kernel": _kernel, "filter": _filter, "approximation": _approximation, "dice": _dice}
