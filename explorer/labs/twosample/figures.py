"""Pictures of the Two-sample lab: the samples with their witness, MMD² under permuted labels, and smaller ones."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.discrepancy import window
from explorer.kernels import Gaussian
from explorer.languages import translate
from explorer.marks import (
    Axis,
    ReferenceLine,
    SecondaryPicture,
    SliderColumn,
    Sources,
    area,
    bars,
    by,
    curve,
    decades,
    dots,
    nice_ticks,
    rings,
    segments,
    words,
)
from explorer.marks.nulls import DEVIATIONS, NullPicture, deviations_axis, null_words
from explorer.marks.pvalues import P_RANGE, P, PBySlider, level_line, p_marks
from explorer.marks.witness import witness_line, witness_plane
from explorer.types import Matrix, Vector
from explorer.workbench.numbers import format_number
from explorer.workbench.two_samples import ACROSS

from .result import CHECK, SIZES
from .verdict import check_words, what_sizes_find
from .words import strip_kernel

if TYPE_CHECKING:
    from explorer.discrepancy.mmd.convergence import Convergence

    from .ranks import Ranked
    from .result import TwoSampleResult


BANDWIDTH_RANGE, SIZE_RANGE = (0.01, 10.0), (5.0, 5000.0)
BANDWIDTH = Axis("bandwidth, × median distance (log scale)", BANDWIDTH_RANGE, decades(-2, 1, 1), log=True)
FREQUENCY = Axis("frequency × median / √d (log scale)", (0.05, 50.0), decades(-1, 1, 1), log=True)
MOMENTS = Axis("moment", (0.4, 4.6), {1: "mean", 2: "second", 3: "third", 4: "all others"})
PART = Axis("share of the biased MMD²", (0, 1.05), {0: "0", 0.5: "0.5", 1: "1"})
SIZE = Axis("points of P; Q in proportion (log scale)", SIZE_RANGE, decades(1, 3, 1), log=True)
RANK_RANGE = (1.7, 240)
RANK = Axis("rank r (log scale)", RANK_RANGE, {float(r): str(r) for r in (2, 5, 10, 20, 50, 100, 200)}, log=True)
XRAY_TITLES = {  # the key says whether the kernel has a window, the same in all directions
    True: "Difference seen by RBF, by frequency",
    False: "Difference of P and Q by frequency",
}
CHANCE = Axis("power", (0, 1.05), {0: "0", 0.5: "0.5", 0.8: "0.8", 1: "1"})


# The null distribution with the observed MMD².
null = NullPicture(
    title="MMD² under permuted labels",
    height=250,
    x=deviations_axis("MMD² in standard deviations"),
    y=Axis("share of permutations", (0, DEVIATIONS.tops[0])),
    axis=DEVIATIONS,
    description=lambda result: null_words(
        result.test(), result.lab.alpha, translate("permutations of the labels give MMD²")
    ),
)


Small = partial(SecondaryPicture, height=250)  # a picture in the slot below the samples


def bandwidths_words(result: TwoSampleResult) -> str:
    """Return how many bandwidths reject."""
    if result.strip is None:
        return ""
    rejecting = int((result.strip.pvalues <= result.lab.alpha).sum())
    return translate(
        "{} of {} bandwidths of {} reject.", rejecting, len(result.strip.pvalues), strip_kernel(result.lab)
    )


@PBySlider(
    height=250,
    title="p by bandwidth",
    x=BANDWIDTH,
    marks=p_marks(
        "strip",
        "p",
        curve("many", "fkmse", "x", "agg", dash="dashed", label="MMDAgg"),
        curve("many", "shaped", "x", "fuse", dash="dotted", label="MMD-FUSE"),
        pinned="strip",
    ),
    pinned=lambda result: {"strip": strip(result)},
    description=bandwidths_words,
)
def bandwidths(result: TwoSampleResult) -> Sources:
    """Draw p under RBF by bandwidth, and the p of the tests over all bandwidths at once."""
    many = None
    if result.fused is not None:
        lines = {"agg": result.aggregated, "fuse": result.fused}
        many = {"x": np.array(BANDWIDTH_RANGE), **{name: np.full(2, p) for name, p in lines.items()}}
    return {"strip": strip(result), "many": many}


def x_ray_sides(result: TwoSampleResult) -> tuple[Axis, Axis]:
    """Return both axes."""
    return x_ray.x, x_ray.y._replace(range=(0, highest(result)))


@Small(
    "x-ray",
    title=lambda result: XRAY_TITLES[isinstance(result.kernel, Gaussian)],
    when=lambda result: result.moments is None,  # under a polynomial kernel the moments replace it
    deferred="difference",
    x=FREQUENCY,
    y=Axis("squared difference", (0, 1)),
    marks=(
        curve("xray", "harm", "x", "chance", width=2, dash="dashed", label="difference by chance"),
        curve("xray", "truth", "x", "difference", width=2.5, label="difference of P and Q"),
        area("xray", "kme", high="window", fill=0.18, follows_slider=True, label="RBF's spectrum"),
        area("xray", "skmse", high="product", fill=0.6, follows_slider=True, label="part that RBF sees"),
    ),
    sides=x_ray_sides,
)
def x_ray(result: TwoSampleResult) -> Sources:
    """Draw the difference of the characteristic functions by frequency, and its part in the kernel's window."""
    if not result.difference:
        return None
    visible, product = (SliderColumn(each) for each in windows(result))
    unit = result.median / np.sqrt(len(result.samples.names))
    frequencies, difference, chance = result.difference
    drawn = {"x": frequencies * unit, "difference": difference, "chance": chance}
    return {"xray": {**drawn, "window": visible, "product": product}}


def moments_words(result: TwoSampleResult) -> str:
    """Return each order's part of MMD²."""
    moments: Any = result.moments
    parts = ", ".join(translate("order {}: {}", k, format_number(float(part))) for k, part in enumerate(moments, 1))
    return translate("The biased MMD² by moments: {}. It depends on no other moment.", parts)


@Small(
    title="Which moments make up MMD²",
    choice=("x-ray", "moments"),
    when=lambda result: result.moments is not None,
    x=MOMENTS,
    y=PART,
    marks=(bars("moments", "skmse", top="y", label="share"),),
    description=moments_words,
)
def moments(result: TwoSampleResult) -> Sources:
    """Draw each moment's share of MMD² under a polynomial kernel."""
    moments: Any = result.moments
    parts = np.zeros(4)
    parts[: min(len(moments), 3)], parts[3] = moments[:3], moments[3:].sum()
    return {"moments": {"x": np.arange(1.0, 5.0), "y": parts / (moments.sum() or 1.0)}}


def power_words(result: TwoSampleResult) -> str:
    """Return what the power refers to, and the rejection rates."""
    check = check_words(result).strip()
    parts = (_power_words(result), check, translate("Each has {} permutations.", CHECK) if check else "")
    return " ".join(filter(None, parts))


@Small(
    deferred="plan",
    title="Power by sample size",
    x=SIZE,
    y=CHANCE,
    background=(
        ReferenceLine("truth", y=0.8, style={"width": 1.5, "dash": "dotted"}),
        level_line("y"),
    ),
    marks=(
        curve("power", "kme", label="power"),
        dots("plan", "kme", size=11, fill=by("fill"), width=2, label=("these samples", "smallest n with 80 % power")),
        segments("checks", "skmse", width=2, label="95 % interval"),
        dots("checks", "skmse", marker="square", size=10, fill=by("fill"), width=2,
             label=("halves of P rejected", "new samples rejected")),
    ),
    description=power_words,
)  # fmt: skip
def power(result: TwoSampleResult) -> Sources:
    """Draw the power of the test at other sizes, and the rejection rates of the self-check."""
    plan, n = result.plan, len(result.samples.X)
    if plan is None or plan.power is None:
        return {"checks": checks(result)}
    x = np.array([n, plan.needed or np.nan])  # the lab's n, and the first n with the desired power
    drawn = {"x": x, "y": np.interp(x, SIZES, plan.power), "fill": np.array([1.0, 0.0])}
    return {"power": {"x": SIZES, "y": plan.power}, "plan": drawn, "checks": checks(result)}


def _power_words(result):
    """Say which difference the power refers to, or why no power is drawn."""
    plan = result.plan
    if plan is None or result.apart is not None:
        return "" if plan is None else what_sizes_find(result)
    if plan.power is None:
        found = translate("Under this kernel these samples show no difference whose power could be drawn.")
        return f"{found} {what_sizes_find(result)}"
    return translate("The power is for a difference as large as the one observed, which tends to be an overestimate.")


def influence_words(result: TwoSampleResult) -> str:
    """Return p without each of the rows."""
    return " ".join(
        translate(
            "Leaving out {}: MMD² = {} and p = {}.",
            result.samples.rows[one.row],
            format_number(one.statistic),
            format_number(one.pvalue),
        )
        for one in result.influence or ()
    )


@Small(
    deferred="influence",
    title="Most influential rows",
    x=P._replace(label="p without the row (log scale)"),
    y=Axis("", (0.5, 5.9), {}),
    background=(level_line("x"),),
    marks=(
        segments("rows", "kme", "all", "y", "x", "y", width=2, alpha=0.6),
        rings("rows", "kme", "all", size=10, width=2, label="p with all rows"),
        dots("rows", "truth", size=11, label="p without a row"),
        words("named", "truth", P_RANGE[0], text="text", dx=6),
    ),
    description=influence_words,
)
def influence(result: TwoSampleResult) -> Sources:
    """Draw p without each of the rows whose removal changes MMD² most."""
    rows = result.influence or ()
    y = np.arange(len(rows), 0.0, -1.0)
    names = [translate("without {}", result.samples.rows[one.row]) for one in rows]
    x, whole = np.clip([one.pvalue for one in rows], *P_RANGE), np.full(len(rows), result.pvalue)
    return {"rows": {"y": y, "x": x, "all": whole}, "named": {"y": y + 0.42, "text": np.array(names, dtype=object)}}


def rate_title(result: TwoSampleResult) -> str:
    """Return the title of the picture of the rate, with the fitted exponent if it is known."""
    if result.laws is None:
        return "The true MMD of these data is unknown"
    rate = result.rate
    if result.truth is None or rate == ():
        return "The MMD of P and Q has no closed form"
    if not rate:
        return "Error of the MMD in new samples"
    return translate("Error of the MMD; fitted exponent of the rate: {}", format_number(round(rate.power, 2)))


def rate_sides(result: TwoSampleResult, rate: Convergence | tuple[()]) -> tuple[Axis, Axis]:
    """Return both axes."""
    ends = error_range(rate) if rate else (1e-3, 1.0)
    low, high = (round(np.log10(end)) for end in ends)
    return SIZE, Axis("error of the MMD (log scale)", ends, decades(low, high, 1), log=True)


def rate_words(result: TwoSampleResult) -> str:
    """Return the mean errors and the fitted exponent."""
    if not (rate := result.rate):
        return ""
    (first, last), (low, high) = rate.sizes[[0, -1]], (format_number(round(end, 2)) for end in rate.interval())
    errors = [format_number(float(error)) for error in rate.mean[[0, -1]]]
    return translate(
        "In {} pairs of new samples the mean error of the MMD is {} with {} points of P and {} of Q, and {} with"
        " {} and {}. The fitted exponent of the rate is {} (95 % interval {} to {}).",
        len(rate.errors),
        errors[0],
        first[0],
        first[1],
        errors[1],
        last[0],
        last[1],
        format_number(round(rate.power, 2)),
        low,
        high,
    )


@Small(
    stage="rate",
    title=rate_title,
    x=SIZE,
    y=Axis("error of the MMD (log scale)", (1e-3, 1.0), decades(-3, 0, 1), log=True),
    background=(ReferenceLine("truth", x=lambda result: result.lab.n, style={"width": 1.5, "dash": "dotted"}),),
    marks=(
        area("errors", "kme", low="low", high="high", fill=0.2, label="middle half"),
        curve("errors", "kme", "x", "mean", label="mean error"),
        dots("errors", "kme", "x", "mean", size=7),
        curve("errors", "truth", "x", "bound", width=2, dash="dashed", label="bound"),
    ),
    sides=rate_sides,
    description=rate_words,
)
def rate(result: TwoSampleResult, rate: Convergence | tuple[()]) -> Sources:
    """Draw the error of the MMD of samples by their sizes, below the bound that the rate gives."""
    if not rate:
        return None
    (low, high), (floor, _) = np.quantile(rate.errors, (0.25, 0.75), axis=0), error_range(rate)
    heights = {"low": low, "mean": rate.mean, "high": high, "bound": rate.bound}
    return {"errors": {"x": rate.sizes[:, 0].astype(float), **{k: np.maximum(y, floor) for k, y in heights.items()}}}


def rank_sides(result: TwoSampleResult, ranked: Ranked | tuple[()]) -> tuple[Axis, Axis]:
    """Return both axes."""
    if not ranked:
        return RANK, rank.y
    low, high = (ranked.values - ranked.errors).min(), (ranked.values + ranked.errors).max()
    low, high = float(min(low, 0.0)), float(high)
    room = 0.08 * (high - low) or 1.0
    ends = low - room, high + room
    return RANK, Axis("MMD²", ends, nice_ticks(*ends, 4))


def rank_title(result: TwoSampleResult) -> str:
    """Return the title, or why there is nothing to draw."""
    if not result.over_ranks and not result.lab.all_pairs:
        return "Low rank needs a statistic of all pairs"
    return "Only RBF and Laplacian have random features" if result.over_ranks == () else "MMD² by kernels of low rank"


def rank_words(result: TwoSampleResult) -> str:
    """Return the value and its error at the current rank."""
    here, ranked = result.at_rank, result.over_ranks
    if not here or not ranked:
        return ""
    value, error, exact = (format_number(float(each)) for each in (here.values[0], here.errors[0], here.exact))
    return translate(
        "At rank {} MMD² is {}, stated to be off by at most {}; the kernel itself gives {}. The stated error"
        " holds at {} of {} ranks.",
        result.lab.rank,
        value,
        error,
        exact,
        ranked.ranks_within_error,
        len(ranked.ranks),
    )


@Small(
    stage="over_ranks",
    title=rank_title,
    x=RANK,
    y=Axis("MMD²", (0, 1)),
    marks=(
        area("ranks", "kme", low="low", high="high", fill=0.2, label="stated error"),
        curve("ranks", "kme", "x", "value", label="MMD² at this rank"),
        dots("ranks", "kme", "x", "value", size=6),
        curve("ranks", "truth", "x", "exact", width=2, dash="dashed", label="MMD² of the kernel"),
        segments("here", "first", "x", "low", "x", "high", width=3),
        dots("here", "first", size=11, label="r"),
    ),
    sides=rank_sides,
    description=rank_words,
)
def rank(result: TwoSampleResult, ranked: Ranked | tuple[()]) -> Sources:
    """Draw MMD² by kernels of low rank, over the rank, with the range of its stated error."""
    here = result.at_rank
    own = {}
    if here:
        low, high = here.values - here.errors, here.values + here.errors
        own = {"here": {"x": np.clip(here.ranks, *RANK_RANGE), "y": here.values, "low": low, "high": high}}
    if not ranked:
        return own
    ends = {"low": ranked.values - ranked.errors, "high": ranked.values + ranked.errors}
    lines = {"value": ranked.values, "exact": np.full(len(ranked.ranks), ranked.exact)}
    return {"ranks": {"x": ranked.ranks, **ends, **lines}, **own}


def error_range(rate: Convergence) -> tuple[float, float]:
    """Return an axis range around the errors: powers of ten, at most five decades apart."""
    top = np.ceil(np.log10(rate.bound.max() or 1.0))
    least = np.quantile(rate.errors, 0.25, axis=0).min()
    return 10.0 ** max(np.floor(np.log10(least)) if least > 0 else -np.inf, top - 5), 10.0**top


PICTURES = (witness_plane(ACROSS), witness_line, null, bandwidths, x_ray, moments, power, influence, rate, rank)


def strip(result: TwoSampleResult) -> dict[str, Vector] | None:
    """Return p under RBF or Laplacian at every bandwidth, or None until it is computed."""
    if result.strip is None:
        return None
    return {"x": np.array(result.stops), "y": np.clip(result.strip.pvalues, *P_RANGE)}


def highest(result: TwoSampleResult) -> float:
    """Return the top of the X-ray's axis, which depends on the data and not on the bandwidth."""
    if not result.difference:
        return 1.0
    return 1.15 * float(max(result.difference.difference.max(), result.difference.chance.max()))


def windows(result: TwoSampleResult) -> tuple[Matrix, Matrix]:
    """Return the kernel's window by log frequency, scaled to the axis, and its share of the difference."""
    difference: Any = result.difference
    d, w = len(result.samples.names), difference.frequencies
    # if this kernel has a window at all, the window depends on the direction
    if not isinstance(result.kernel, Gaussian):
        return np.zeros((len(result.tests), len(w))), np.zeros((len(result.tests), len(w)))
    kernels: Any = result.trials.kernels  # these are Gaussian as well, each with its bandwidth
    theta = np.array([kernel.bandwidth for kernel in kernels])[:, None]
    peak = window(np.sqrt(d) / theta, theta, d) * np.sqrt(d) / theta
    share = w * window(w, theta, d) / peak
    return share * highest(result) / 1.15, share * difference.difference


def checks(result: TwoSampleResult) -> dict[str, Vector] | None:
    """Return the rejection rates of halves of P's sample and of fresh samples, with 95 % intervals."""
    if result.checked is None:
        return None
    n, (equal, fresh) = len(result.samples.X), result.checked
    both = [(max(n // 2, SIZE_RANGE[0]), equal, 0.0), *([(n, fresh, 1.0)] if fresh else [])]
    low, high = np.transpose([check.interval() for _, check, _ in both])
    x, rates, fill = zip(*((float(x), check.rate, fill) for x, check, fill in both), strict=True)
    return {"x": np.array(x), "y": np.array(rates), "low": low, "high": high, "fill": np.array(fill)}
