"""The Two-sample lab's pictures: what permuted labels would give, the samples with their witness, five smaller ones."""

from __future__ import annotations

import numpy as np

from explorer.discrepancy import window
from explorer.kernels import Gaussian
from explorer.marks import (
    Axis,
    Picture,
    Rows,
    Rule,
    Tint,
    area,
    bars,
    by,
    curve,
    decades,
    dots,
    rings,
    strokes,
    uprights,
    words,
)
from explorer.marks.nulls import NullAxis, level_words, null_bars, null_lines, null_words
from explorer.marks.places import nothing
from explorer.marks.witness import WitnessLine, WitnessPlane
from explorer.workbench.numbers import number

from .result import CHECK, SIZES
from .verdict import check_words
from .words import strip_kernel

AXIS = NullAxis(-3.5, 9.0, 50, (0.2, 0.4, 0.7, 1.05))
P_RANGE, BANDWIDTH_RANGE, SIZE_RANGE = (5e-4, 1.6), (0.01, 10.0), (5.0, 5000.0)
DEVIATIONS = Axis(
    "MMD² in standard deviations",
    (AXIS.low, AXIS.high),
    {-2: "−2", 0: "0", 2: "2", 4: "4", 6: "6", 8: "8"},
)
SHARE = Axis("share of the permutations", (0, AXIS.tops[0]))
BANDWIDTH = Axis("bandwidth × median (log scale)", BANDWIDTH_RANGE, decades(-2, 1, 1), log=True)
P = Axis("p (log scale)", P_RANGE, {0.001: "0.001", 0.01: "0.01", 0.05: "0.05", 0.2: "0.2", 1.0: "1"}, log=True)
FREQUENCY = Axis("frequency |ω| × median / √d (log scale)", (0.05, 50.0), decades(-1, 1, 1), log=True)
MOMENTS = Axis("", (0.4, 4.6), {1: "mean", 2: "second", 3: "third", 4: "all others"})
PART = Axis("share of the biased MMD²", (0, 1.05), {0: "0", 0.5: "0.5", 1: "1"})
SIZE = Axis("n points of P, Q in proportion (log scale)", SIZE_RANGE, decades(1, 3, 1), log=True)
XRAY_TITLES = {  # by whether the kernel has a window that is the same in all directions
    True: "Kernel X-ray: the part of the difference in RBF's window",
    False: "Kernel X-ray: the difference of P and Q by frequency",
}
CHANCE = Axis("power: chance of p at most the level", (0, 1.05), {0: "0", 0.5: "0.5", 0.8: "0.8", 1: "1"})


def level(**where):
    """The line of the test's level, in a picture of p or of power."""
    return Rule("harm", **where, style={"width": 1.5, "dash": "dashed"}, called=level_words)


def alpha(result):
    """The test's level."""
    return result.lab.alpha


class Null(Picture):
    """The null distribution with the observed MMD^2."""

    name, title, x, y, height = "null", "MMD² under permuted labels", DEVIATIONS, SHARE, 330
    marks = (
        *null_bars("null", "permuted labels", hatch=("right_diagonal_line", 0.5, 6)),
        *null_lines("observed", "threshold", "observed", "x"),
    )

    @classmethod
    def numbers(cls, result):
        rows = {name: Rows(each) for name, each in AXIS.table(result.tests, result.lab.alpha).items()}
        bars = {"left": AXIS.edges[:-1], "right": AXIS.edges[1:], "top": rows["top"], "tail": rows["tail"]}
        observed = {"y": np.array([0.1]), "x": rows["x"], "beyond": rows["beyond"]}
        return {"null": bars, "observed": observed, "threshold": {"x": rows["limit"]}}

    @classmethod
    def pinned(cls, result):
        return {"observed": {"x": AXIS.inside(np.array([result.standardised]))}}

    @classmethod
    def axes(cls, result):
        return cls.title, cls.x, cls.y._replace(range=(0, AXIS.top(result.test())))

    @classmethod
    def says(cls, result):
        return null_words(result.test(), result.lab.alpha, "permutations of the labels give MMD²")


class Small(Picture):
    """A picture that shares the place below the samples."""

    place, height, legend = "small", 250, False

    @classmethod
    def seen(cls, result):
        return result.picture == cls.name


class Bandwidths(Small):
    """p under RBF over its bandwidth, and the p of the tests over all bandwidths at once."""

    name, upright, title, x, y = "bandwidths", "here", "p over the bandwidth (blue: all at once)", BANDWIDTH, P
    grounds = (Tint("harm", top=alpha), level(y=alpha))
    marks = (
        curve("strip", "kme", width=6, alpha=0.3, kept=True),
        curve("strip", "kme", width=2, called="p"),
        dots("strip", "kme", size=5),
        curve("many", "skmse", "x", "agg", dash="dashed", called="MMDAgg"),
        curve("many", "skmse", "x", "fuse", dash="dotted", called="MMD-FUSE"),
        uprights("here"),
        dots("here", "truth", size=11, moves=True),
    )

    @classmethod
    def numbers(cls, result):
        many = nothing("x", "agg", "fuse")
        if result.fused is not None:
            lines = {"agg": result.aggregated, "fuse": result.fused}
            many = {"x": np.array(BANDWIDTH_RANGE), **{name: np.full(2, p) for name, p in lines.items()}}
        x = result.stops if result.answers else [result.lab.bandwidth]
        y = np.clip([test.pvalue for test in result.tests], *P_RANGE)
        return {"strip": strip(result), "many": many, "here": {"x": Rows.of(x), "y": Rows.of(y)}}

    @classmethod
    def pinned(cls, result):
        return {"strip": strip(result)}

    @classmethod
    def says(cls, result):
        if result.strip is None:
            return ""
        rejecting = int((result.strip.pvalues <= result.lab.alpha).sum())
        return f"{rejecting} of {len(result.strip.pvalues)} bandwidths of {strip_kernel(result.lab)} reject."


class XRay(Small):
    """The difference of the characteristic functions over frequencies, and the part in the kernel's window."""

    name, late, x, y = "x-ray", "difference", FREQUENCY, Axis("|φ_P − φ_Q|²", (0, 1))
    marks = (
        curve("xray", "harm", "x", "chance", width=2, dash="dashed", called="what chance reaches"),
        curve("xray", "truth", "x", "difference", width=2.5, called="difference of P and Q"),
        area("xray", "kme", high="window", fill=0.18, moves=True, called="RBF's window"),
        area("xray", "skmse", high="product", fill=0.6, moves=True, called="its part of the difference"),
    )

    @classmethod
    def numbers(cls, result):
        visible, product = (Rows(each) for each in windows(result))
        if not result.difference or result.moments is not None:
            return {"xray": {**nothing("x", "difference", "chance"), "window": visible, "product": product}}
        unit = result.median / np.sqrt(len(result.samples.names))
        frequencies, difference, chance = result.difference
        drawn = {"x": frequencies * unit, "difference": difference, "chance": chance}
        return {"xray": {**drawn, "window": visible, "product": product}}

    @classmethod
    def axes(cls, result):
        title = XRAY_TITLES[isinstance(result.kernel, Gaussian)]
        return title, cls.x, cls.y._replace(range=(0, highest(result)))


class Moments(Small):
    """Each moment's part of MMD^2 under a polynomial kernel."""

    name, title, x, y = "moments", "Which moments make up MMD²", MOMENTS, PART
    marks = (bars("moments", "skmse", top="y", called="share"),)

    @classmethod
    def numbers(cls, result):
        if result.moments is None:
            return {"moments": nothing("x", "y")}
        parts = np.append(result.moments, np.zeros(4 - len(result.moments)))
        return {"moments": {"x": np.arange(1.0, 5.0), "y": parts / (result.moments.sum() or 1.0)}}

    @classmethod
    def says(cls, result):
        parts = ", ".join(f"order {k}: {number(float(part))}" for k, part in enumerate(result.moments, 1))
        return f"The biased MMD² by moments: {parts}. It depends on no others."


class Power(Small):
    """The power of the test at other sizes, and how often the self-check rejected."""

    name, late, title, x, y = "power", "plan", "Power of the test at other sizes", SIZE, CHANCE
    grounds = (Rule("truth", y=0.8, style={"width": 1.5, "dash": "dotted"}), level(y=alpha))
    marks = (
        curve("power", "kme", called="power"),
        dots("plan", "kme", size=11, fill=by("fill"), width=2, called=("these samples", "first n with 80 % power")),
        strokes("checks", "skmse", width=2, called="95 % interval"),
        dots("checks", "skmse", marker="square", size=10, fill=by("fill"), width=2,
             called=("rejected halves of P", "rejected fresh samples")),
    )  # fmt: skip

    @classmethod
    def numbers(cls, result):
        plan, n = result.plan, len(result.samples.X)
        if plan is None or plan.power is None:
            return {"power": nothing("x", "y"), "plan": nothing("x", "y", "fill"), "checks": checks(result)}
        x = np.array([n, plan.needed or np.nan])  # where the lab is, and the first n that has the power one wants
        drawn = {"x": x, "y": np.interp(x, SIZES, plan.power), "fill": np.array([1.0, 0.0])}
        return {"power": {"x": SIZES, "y": plan.power}, "plan": drawn, "checks": checks(result)}

    @classmethod
    def says(cls, result):
        said = check_words(result).strip()
        return f"{said} Each has {CHECK} permutations." if said else ""


class Influence(Small):
    """p without each of the rows whose removal changes MMD^2 most."""

    name, late, title = "influence", "influence", "Rows that the answer depends on"
    x, y = P._replace(label="p without the row (log scale)"), Axis("", (0.5, 5.9), {})
    grounds = (level(x=alpha),)
    marks = (
        strokes("rows", "kme", "all", "y", "x", "y", width=2, alpha=0.6),
        rings("rows", "kme", "all", size=10, width=2, called="p with all rows"),
        dots("rows", "truth", size=11, called="p without a row"),
        words("named", "truth", P_RANGE[0], text="text", dx=6),
    )

    @classmethod
    def numbers(cls, result):
        rows = result.influence or ()
        y, names = np.arange(len(rows), 0.0, -1.0), [f"without {result.samples.rows[one.row]}" for one in rows]
        x, whole = np.clip([one.pvalue for one in rows], *P_RANGE), np.full(len(rows), result.pvalue)
        return {"rows": {"y": y, "x": x, "all": whole}, "named": {"y": y + 0.42, "text": np.array(names, dtype=object)}}

    @classmethod
    def says(cls, result):
        return " ".join(
            f"Leaving out {result.samples.rows[one.row]}: MMD² = {number(one.statistic)} and p = {number(one.pvalue)}."
            for one in result.influence or ()
        )


PICTURES = (Null, WitnessPlane, WitnessLine, Bandwidths, XRay, Moments, Power, Influence)


def strip(result):
    """p under RBF or Laplacian at every bandwidth, once it is there."""
    if result.strip is None:
        return nothing("x", "y")
    return {"x": np.array(result.stops), "y": np.clip(result.strip.pvalues, *P_RANGE)}


def highest(result):
    """How high the X-ray's axis goes: with the data, not with the bandwidth."""
    if not result.difference:
        return 1.0
    return 1.15 * float(max(result.difference.difference.max(), result.difference.chance.max()))


def windows(result):
    """The kernel's window over the logarithm of the frequency, as high as the axis, and its part of the difference."""
    if not result.difference or result.moments is not None:
        return np.zeros((len(result.tests), 0)), np.zeros((len(result.tests), 0))
    d, w = len(result.samples.names), result.difference.frequencies
    if not isinstance(result.kernel, Gaussian):  # its window, where it has one, depends on the direction
        return np.zeros((len(result.tests), len(w))), np.zeros((len(result.tests), len(w)))
    theta = np.array([kernel.bandwidth for kernel in result.trials.kernels])[:, None]
    peak = window(np.sqrt(d) / theta, theta, d) * np.sqrt(d) / theta
    share = w * window(w, theta, d) / peak
    return share * highest(result) / 1.15, share * result.difference.difference


def checks(result):
    """How often the test rejected halves of P's sample and fresh samples of P and Q; the ends are 95 % intervals."""
    if result.checked is None:
        return nothing("x", "y", "low", "high", "fill")
    n, (equal, fresh) = len(result.samples.X), result.checked
    both = [(max(n // 2, SIZE_RANGE[0]), equal, 0.0), *([(n, fresh, 1.0)] if fresh else [])]
    low, high = np.transpose([check.interval() for _, check, _ in both])
    x, rates, fill = zip(*((float(x), check.rate, fill) for x, check, fill in both), strict=True)
    return {"x": np.array(x), "y": np.array(rates), "low": low, "high": high, "fill": np.array(fill)}
