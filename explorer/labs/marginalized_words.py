"""The Marginalized lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from html import escape

import numpy as np

from explorer.labs.shrinkage.words import NOISE, compared
from explorer.workbench.numbers import number, percent

NAMES = {"mkme": "MKME", "mmkme": "MMKME"}
SHOWN = 3  # coordinates whose noise is listed one by one


def headlines(result):
    """The headline at every row of the σ-tables."""
    return [headline(result, row) for row in range(len(result.mkme.sigmas))]


def headline(result, row):
    """What the noise does here, in HTML: one sentence, and one line that says how far to trust it."""
    gains = [compared(result.gain(path, row)) for path in (result.mkme, result.mmkme)]
    where = f"At σ = {number(result.mkme.sigmas[row])} sd"
    if row == len(result.mkme.sigmas) - 1:
        where = f"Chosen by leave-one-out (σ = {number(result.mkme.chosen)} sd; {noise_said(result, row)})"
    estimated = "" if result.law is not None else "an estimated "
    how, preposition, joint = gains[0]
    says = (
        f"{where}, <span class='name'>MKME</span> is {estimated}<b>{how}</b> {preposition} the true mean {joint} the"
        f" plain average, <span class='name'>MMKME</span> <b>{gains[1][0]}</b>."
    )
    if result.law is None:
        trust = (
            f"Estimated by leaving one out: nobody knows the law behind {escape(result.lab.file or result.lab.source)},"
            " so there is no exact loss here."
        )
    else:
        trust = _trust(result, row) + _wins(result, row)
    return f"<div class='says'>{says}</div><div class='trust'>{trust}</div>"


def noise_said(result, row):
    """MMKME's noise in words: of each coordinate, or from the least to the most."""
    found = result.mmkme.deviations[row] / result.unit
    if len(found) <= SHOWN:
        listed = [number(float(v)) for v in found]
        return f"MMKME {' and '.join(filter(None, (', '.join(listed[:-1]), listed[-1])))}"
    return f"MMKME {number(float(found.min()))} to {number(float(found.max()))}"


def _trust(result, row):
    best = percent(1 - float(result.risk.min()))
    held = "this σ, held," if row == len(result.mkme.sigmas) - 1 else "this σ"
    return (
        f"Squared RKHS distance on this sample. Averaged over samples {held} brings <span class='name'>MKME</span> "
        f"{compared(average(result, row))[0]}; the best σ brings {best}."
    )


def _wins(result, row):
    """In how many further samples each estimator wins, and a badge where that is no more than luck."""
    others = result.replicates
    if others is None:
        return ""
    wins = {name: others.wins(path, row) for path, name in NAMES.items()}
    said = " and ".join(f"<span class='name'>{name}</span> in {count}" for name, count in wins.items())
    mean = " and ".join(compared(others.gain(path, row))[0] for path in NAMES)
    badge = " <span class='badge'>inside the noise</span>" if max(wins.values()) < NOISE * others.count else ""
    return (
        f" Of {others.count} further samples, {said} beat the plain average, on average {mean}; MMKME beats MKME in "
        f"{duels(result, row)}.{badge}"
    )


def duels(result, row):
    """In how many further samples MMKME loses less than MKME."""
    losses = result.replicates.losses
    return int((losses["mmkme"][:, row] < losses["mkme"][:, row]).sum())


def average(result, row):
    """MKME's gain at a row, averaged over samples of the law, exactly."""
    return float(1 - result.risk[row])


def seen_bandwidth(result, row):
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
        " on average: at σ = 0 the exact risk falls, unless the law is a single point, and so does the leave-one-out"
        f" score. Here σ = {number(sigma)} and θ = {number(theta)} in units of x. In a test of two samples MKME is the"
        f" plain test at bandwidth √(θ² + 2σ²) = <b>{number(seen_bandwidth(result, row))}</b>: the same MMD and the"
        " same HSIC up to a factor, with the same p-values. It is not the same estimator, whose loss is measured at θ."
        f" n = {lab.n}, one sample, seed {lab.seed}.{remark}"
    )


def told(result):
    """The words that stories put their numbers in."""
    row = result.row
    words = {
        name: " ".join(compared(result.gain(getattr(result, name)))[:2]).removesuffix(" to").removesuffix(" from")
        for name in NAMES
    }
    words |= {
        "chosen": number(result.mkme.chosen),
        "noise": noise_said(result, row).removeprefix("MMKME "),
        "theta": number(result.kernel.bandwidth),
        "seen": number(seen_bandwidth(result, row)),
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
    small, shown = result.small, result.lab.picture
    words = {word: f"[see {picture}]" for picture, names in TOLD.items() for word in names}
    if shown == "filter":
        words["sum"] = number(float(small.sums[row]))
    if shown == "approximation":
        words |= {
            f"missed_{name}": percent(float(getattr(small, name)[row]))
            for name in ("kme", "projection", "corrected", "printed")
        }
    if shown == "dice":
        words |= {
            "first": percent(float(small.path[0])),
            "last": percent(float(small.path[-1])),
            "copies": str(len(small.path)),
            "expected": percent(float(small.expected[-1])),
        }
    return words


# small picture: the words that only it has numbers for
TOLD = {"filter": ("sum",), "dice": ("first", "last", "copies", "expected"),
        "approximation": ("missed_kme", "missed_projection", "missed_corrected", "missed_printed")}  # fmt: skip
