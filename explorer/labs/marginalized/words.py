"""Sentences of the Marginalized lab. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.languages import translate
from explorer.markup import markup
from explorer.printing import short_name
from explorer.workbench.numbers import compared, format_number, percent
from explorer.workbench.prose import NOISY_BANDWIDTH, control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.replicates import averaged, beaten
from explorer.workbench.tex_to_mathml import equation

from .extra_estimator.words import third_trust, third_values, third_words

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import MarginalizedResult


NAMES = {"mkme": "MKME", "mmkme": "MMKME"}
MARKED = {role: named(name, role) for role, name in NAMES.items()}
MKME, MMKME = MARKED.values()
SHOWN = 3  # the most coordinates whose noise is listed one by one
# Placeholders by picture: only that picture has the numbers for them.
TOLD: dict[str, tuple[str, ...]] = {"filter": ("sum",), "dice": ("first", "last", "copies", "expected"),
        "approximation": ("missed_kme", "missed_projection", "missed_corrected", "missed_printed")}  # fmt: skip


def headline(result: MarginalizedResult, row: int) -> Markup:
    """Return the headline: a sentence on what the noise does in this state, and a line on how far to trust it."""
    error = "squared error" if result.law is not None else "estimated squared error"
    mkme, mmkme = (compared(result.gain(path, row), error) for path in (result.mkme, result.mmkme))
    is_automatic = row == len(result.mkme.sigmas) - 1
    where = "" if is_automatic else translate(", at σ = {} sd", format_number(result.mkme.sigmas[row]))
    chosen = translate("σ is chosen by leave-one-out. ") if is_automatic else ""
    trust = markup("{}{}{}", chosen, _trust(result, row), third_trust(result, row))
    says = markup(
        "Added noise gives <b>{}</b> {} the plain average ({}) and <b>{}</b> ({}){}.",
        mkme.error,
        mkme.joint,
        MKME,
        mmkme.share,
        MMKME,
        where,
    )
    return in_html(says, trust)


def _capitalised(words):
    return words[:1].upper() + words[1:]


def noise_words(result: MarginalizedResult, row: int) -> str:
    """Return MMKME's noise in the data's sd as text: of each coordinate, or from the least to the most."""
    noise = result.mmkme.deviations[row] / result.unit
    if len(noise) <= SHOWN:
        listed = [format_number(float(v)) for v in noise]
        return translate(" and ").join(filter(None, (", ".join(listed[:-1]), listed[-1])))
    return translate("{} to {}", format_number(float(noise.min())), format_number(float(noise.max())))


def _trust(result, row):
    """Return a clause on how far the headline holds."""
    if result.law is None:
        lab = result.lab
        return translate(
            "These are leave-one-out estimates: the distribution of {} is unknown.", short_name(lab.table_name)
        )
    if result.replicates is not None:
        more = markup("; {} beats {} in {}", MMKME, MKME, duels(result, row))
        return beaten(result.replicates, row, MARKED, more)
    sigma, share = format_number(result.mkme.sigmas[row]), compared(average(result, row)).share
    return markup("Averaged over samples, {} with σ = {} sd has {} squared error.", MKME, sigma, share)


def duels(result: MarginalizedResult, row: int) -> int:
    """Return the number of additional samples in which MMKME loses less than MKME."""
    if result.replicates is None:
        return 0
    losses = result.replicates.losses
    return int((losses["mmkme"][:, row] < losses["mkme"][:, row]).sum())


def average(result: MarginalizedResult, row: int) -> float:
    """Return MKME's exact gain at a row, averaged over samples; nan if the distribution is unknown."""
    return math.nan if result.risk is None else float(1 - result.risk[row])


def plain_bandwidth(result: MarginalizedResult, row: int) -> float:
    """Return √(θ² + 2σ²), the bandwidth at which the plain MMD and HSIC equal MKME's up to a factor."""
    return math.sqrt((result.lab.bandwidth * result.median[0]) ** 2 + 2 * float(result.mkme.deviations[row, 0]) ** 2)


def units(result: MarginalizedResult) -> str:
    """Return the unit of σ and of the bandwidth as text, for data whose unit is not their standard deviation."""
    scaled = any(each.is_scaled for each in result.quantities)
    return translate("in units of the columns scaled to variance 1") if scaled else translate("in units of x")


def _equation(theta, sigma, seen):
    """Return MKME as an average over noise, and the bandwidth at which the plain tests equal its tests, in numbers."""
    return equation(
        r"\role{mkme}{\tilde\mu} = \frac{1}{n} \sum_i \mathrm{E}\,k(x_i + u, \cdot),\;u \sim \mathrm{N}(0, \sigma^2 I)",
        rf"\quad\sqrt{{\theta^2 + 2\sigma^2}} = \sqrt{{{theta}^2 + 2 \cdot {sigma}^2}} = {seen}",
    )


def caption(result: MarginalizedResult) -> Markup:
    """Return the caption: what the noise does, in this state's numbers, and remarks."""
    row = result.row
    theta, sigma, seen = (
        format_number(v)
        for v in (result.kernel.bandwidth, float(result.mkme.deviations[row, 0]), plain_bandwidth(result, row))
    )
    remark = f" {result.remark[0].upper()}{result.remark[1:]}" if result.remark else ""
    return markup(
        "{}{} adds Gaussian noise to every point and averages over the noise exactly: it is the kernel mean of a"
        " <b>kernel density estimate</b>. {}, {} is {} and the {} θ is {}. {} has a σ for each coordinate: {} sd of the"
        " data.{} A two-sample test with {} is the plain test at the bandwidth {} = <b>{}</b>, with the same"
        " p-values.{}{} This sample has n = {} points and seed {}.{}{}",
        _equation(theta, sigma, seen),
        MKME,
        _capitalised(units(result)),
        control("σ", "sigma"),
        sigma,
        control("bandwidth", "bandwidth"),
        theta,
        MMKME,
        noise_words(result, row),
        _best(result),
        MKME,
        NOISY_BANDWIDTH,
        seen,
        third_words(result),
        averaged(result.replicates, row, MARKED),
        result.lab.n,
        result.lab.seed,
        remark,
        tries(result.lab, ("σ = 1", {"sigma": 1.0}), ("bandwidth 0.1", {"bandwidth": 0.1})),
    )


def _best(result):
    """Return the σ that is best on average and its gain as text, or "" if the distribution is unknown."""
    if result.risk is None:
        return ""
    sigma, gain = format_number(best_sigma(result)), percent(1 - float(result.risk.min()))
    return markup(" On average the best σ for {} is {} sd, with {} less squared error.", MKME, sigma, gain)


def best_sigma(result: MarginalizedResult) -> float:
    """Return the slider's σ with MKME's least expected loss. The distribution must be known."""
    risk: Any = result.risk
    return float(result.mkme.sigmas[risk.argmin()])


STORY_VALUES = (
    "mkme", "mmkme", "sum", "first", "last", "copies", "expected", "missed_kme", "missed_projection",
    "missed_corrected", "missed_printed", "chosen", "noise", "theta", "seen", "kernel", "average", "best", "best_sigma",
    "third",
)  # fmt: skip


def story_values(result: MarginalizedResult) -> dict[str, str]:
    """Return the values of the stories' placeholders. A gain is "30 % less", and "squared error" may follow."""
    row = result.row
    words = {name: compared(result.gain(getattr(result, name))).share for name in NAMES}
    words |= {
        "chosen": format_number(result.mkme.chosen),
        "noise": noise_words(result, row),
        "theta": format_number(result.kernel.bandwidth),
        "seen": format_number(plain_bandwidth(result, row)),
        "kernel": format_number(
            float(np.exp(-0.5 * np.log1p((result.mkme.deviations[row] / result.kernel.bandwidth) ** 2).sum()))
        ),
    }
    if result.risk is not None:
        words |= {
            "average": compared(average(result, row)).share,
            "best": percent(1 - float(result.risk.min())),
            "best_sigma": format_number(best_sigma(result)),
        }
    return words | third_values(result) | _picture_values(result, row)


def _picture_values(result, row):
    """Return the values for the visible secondary picture, and "[see <picture>]" for those of the other pictures."""
    projected, missed, thrown = result.projected, result.missed, result.thrown
    words = {word: translate("[see {}]", picture) for picture, names in TOLD.items() for word in names}
    if projected is not None:
        words["sum"] = format_number(float(projected.sums[row]))
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
    """Return the sentence on the distance of each kind of weights to MKME at the current σ."""
    missed, row = result.missed, result.row
    share = {name: percent(float(getattr(missed, name)[row])) for name in ("kme", "projection", "corrected", "printed")}
    return translate(
        "The distance to MKME, relative to its length, is {} for the plain average, {} for the nearest weights, {}"
        " for the corrected second-order weights, and {} for the printed ones.",
        share["kme"],
        share["projection"],
        share["corrected"],
        share["printed"],
    )


def thrown_words(result: MarginalizedResult) -> str:
    """Return the sentence on the squared distance of noisy copies to MKME, relative to the plain average's loss."""
    path = result.thrown.path
    first, last, expected = (percent(float(v)) for v in (path[0], path[-1], result.thrown.expected[-1]))
    return translate(
        "The squared distance to MKME, relative to the plain average's loss, is {} for one copy and {} for the"
        " average of {}. Its expected value falls as one over the number of copies, to {}.",
        first,
        last,
        len(path),
        expected,
    )
