"""The essay "A common cause": dependence that a third column explains, and dependence that a selection creates."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.conditional import ConditionalEmbedding, kci_test
from explorer.datasets import causal
from explorer.discrepancy import hsic_test
from explorer.kernels import Gaussian, Linear, median_bandwidth
from explorer.marks import Axis, dots, words
from explorer.printing import format_number
from explorer.svg import thumbnail

from .essay import Essay, draw
from .pictures import LEVEL, EssayPicture, EssayPlot, Rates, film, text_at

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from explorer.markup import Markup
    from explorer.types import Mask, Rows, Vector

DAYS, FEW, SEED = 300, 100, 1  # days of the diary, those of each of many tables, and the diary's seed
NOISE = 0.5
WARMTH, WARMER = 20.0, 6.0  # mean and standard deviation of the temperature, °C
WINDOWS, REACH = np.linspace(14.0, 24.0, 6), 1.0  # middles of the groups of days, and half their width, °C
SHARES = np.linspace(0.0, 1.0, 10)  # of the regressions that are subtracted
ARROWS = np.array([0.0, 0.2, 0.4])  # sunburn that a unit of ice cream adds
ARROW = float(ARROWS[-1])
WAVES = {"kind": "fork", "n": FEW, "effect": "sine", "frequency": 8.0, "noise": 0.3}  # the lab's "Too wide to follow"
WIDTHS = np.array([0.1, 0.2, 0.4, 1.0])  # × median distance
RESAMPLES, FEWER, SAMPLES = 999, 199, 100
PEOPLE = 300
BARS = np.linspace(-2.4, 1.2, 10)  # least sum of talent and looks on the stage
TICKS = {-2: "−2", 0: "0", 2: "2"}
ENDS, UP = (-3.3, 3.3), (-3.3, 4.6)  # of both axes, with space for text above

# Days or people in a plane, some of them highlighted.
cloud = EssayPlot(
    height=330,
    marks=(
        dots("others", "kme", size=6, fill=0.35, width=0),
        dots("chosen", "first", size=8, fill=0.7, width=0),
        words("said", "truth", px=13, halo=True),
        words("more", "truth", px=13, halo=True),
    ),
)
rate = Rates.of("KCI")


class Diary(NamedTuple):
    """Days: ice cream and sunburn in about one standard deviation each, and the temperature in °C."""

    ice: Vector
    burn: Vector
    heat: Vector


def diary(arrow: float = 0.0, days: int = DAYS, seed: int = SEED, lot: bool = False) -> Diary:
    """Draw days on which the heat acts on both, ice cream on sunburn by an arrow, and a lot perhaps on ice cream."""
    rng = np.random.default_rng(seed)
    z, e, f = rng.normal(size=(3, days))
    ice = 1.2 * np.tanh(1.5 * z) + NOISE * e
    if lot:
        ice = ice[handed_out(days, seed)]
    return Diary(ice, z + 0.35 * (z**2 - 1) + NOISE * f + arrow * ice, WARMTH + WARMER * z)


def handed_out(days: int, seed: int) -> Rows:
    """Return the day whose ice cream each day gets by lot."""
    return np.random.default_rng([seed, 1]).permutation(days)


def correlation(x: Vector, y: Vector) -> float:
    """Return Pearson's r."""
    return float(np.corrcoef(x, y)[0, 1])


def window(middle: float) -> Mask:
    """Return the days of the diary of about one temperature."""
    return np.abs(diary().heat - middle) < REACH


@cache
def residuals() -> tuple[Vector, Vector]:
    """Return ice cream and sunburn of each day minus their kernel regressions on the heat."""
    ice, burn, heat = diary()
    kernel = Gaussian(median_bandwidth(heat[:, None]))
    left = [each - ConditionalEmbedding(kernel, Linear()).fit(heat, each).predict(heat).ravel() for each in (ice, burn)]
    return left[0], left[1]


@cache
def rejections(kind: str) -> Vector:
    """Return the shares of tables in which KCI rejects: "arrow" over ARROWS, "waves" over WIDTHS."""
    found = []
    for at in (ARROWS if kind == "arrow" else WIDTHS).tolist():
        pvalues = [_kci(kind, at, seed).pvalue for seed in range(SAMPLES)]
        found.append(np.mean(np.array(pvalues) <= LEVEL))
    return np.array(found)


def _kci(kind, at, seed):
    if kind == "arrow":
        return kci_test(*diary(at, FEW, seed), n_resamples=FEWER, rng=seed)
    x, y, z = causal(**WAVES, rng=seed).T
    return kci_test(x, y, z, kernel_z=Gaussian(at * median_bandwidth(z[:, None])), n_resamples=FEWER, rng=seed)


def people() -> tuple[Vector, Vector]:
    """Return talent and looks, which are independent."""
    talent, looks = np.random.default_rng([SEED, 2]).normal(size=(2, PEOPLE))
    return talent, looks


def on_stage(bar: float) -> Mask:
    """Return the people whose talent and looks have at least this sum."""
    talent, looks = people()
    return talent + looks >= bar


# the scenes --------------------------------------------------------------------------------------------------------


def _cloud(title, x, y, names, *said, chosen=None):
    chosen = np.ones(len(x), bool) if chosen is None else chosen
    lines = {
        name: text_at(text, ENDS[0] + 0.12, at)
        for name, text, at in zip(("said", "more"), said, (4.2, 3.65), strict=False)
    }
    numbers = {name: {"x": x[which], "y": y[which]} for name, which in (("others", ~chosen), ("chosen", chosen))}
    axes = (Axis(name, ends, TICKS) for name, ends in zip(names, (ENDS, UP), strict=True))
    return EssayPicture(title, {**numbers, **lines}, *axes)


NAMES = ("ice cream", "sunburn")


def _r(x, y):
    return f"r = {format_number(correlation(x, y))}"


def together() -> list[Markup]:
    """Draw all days."""
    ice, burn, _ = diary()
    return [draw(cloud, _cloud(f"{DAYS} days", ice, burn, NAMES, _r(ice, burn)))]


def slices() -> list[Markup]:
    """Draw the days of one temperature after the other."""
    ice, burn, _ = diary()
    shown = []
    for middle in WINDOWS.tolist():
        days = window(middle)
        said = f"{middle - REACH:g} to {middle + REACH:g} °C", _r(ice[days], burn[days])
        shown.append(_cloud("Days of about one temperature", ice, burn, NAMES, *said, chosen=days))
    return film(cloud, shown)


def subtract() -> list[Markup]:
    """Draw the days on their way to their residuals."""
    ice, burn, _ = diary()
    shown = []
    for share in SHARES.tolist():
        x, y = (whole + share * (left - whole) for whole, left in zip((ice, burn), residuals(), strict=True))
        shown.append(_cloud("Minus what the heat explains", x, y, NAMES, _r(x, y)))
    return film(cloud, shown)


def arrow() -> list[Markup]:
    """Draw how often KCI finds an arrow."""
    x = Axis("sunburn from one unit of ice cream", (-0.03, 0.43), {float(at): f"{at:g}" for at in ARROWS})
    return rate.film(f"Tables of {FEW} days", x, ARROWS, [rejections("arrow")])


def stiff() -> list[Markup]:
    """Draw the false alarms of KCI, from a wide kernel of the regressions to a narrow one."""
    x = Axis(
        "bandwidth of the regressions, × median distance (log scale)",
        (0.085, 1.18),
        {0.1: "0.1", 0.2: "0.2", 0.4: "0.4", 1.0: "1"},
        log=True,
    )
    return rate.film("x and y share a fast wave of z", x, WIDTHS[::-1], [rejections("waves")[::-1]])


def stage() -> list[Markup]:
    """Draw the people on stage while the bar is raised."""
    talent, looks = people()
    shown = []
    for bar in BARS.tolist():
        chosen = on_stage(bar)
        said = f"{chosen.sum()} on stage", _r(talent[chosen], looks[chosen])
        shown.append(_cloud(f"{PEOPLE} people", talent, looks, ("talent", "looks"), *said, chosen=chosen))
    return film(cloud, shown)


def lot() -> list[Markup]:
    """Draw the days while their ice cream moves to that of the lot; sunburn stays, since no arrow leads to it."""
    ice, burn, _ = diary()
    by_lot = diary(lot=True).ice
    shown = []
    for share in SHARES.tolist():
        x = ice + share * (by_lot - ice)
        shown.append(_cloud("Ice cream by lot", x, burn, NAMES, _r(x, burn)))
    return film(cloud, shown)


def cover() -> Markup:
    """Draw the days of about one temperature among all days."""
    ice, burn, _ = diary()
    picture = _cloud("", ice, burn, NAMES, chosen=window(float(WINDOWS[5])))
    return thumbnail(cloud, picture, "Days of about one temperature among all days")


def _independence(days):
    return hsic_test(days.ice, days.burn, n_resamples=RESAMPLES, rng=SEED).pvalue


def prose_values() -> Mapping[str, Any]:
    """Return the numbers of the essay."""
    days, by_lot, strong = diary(), diary(lot=True), diary(ARROW, lot=True)
    within = [correlation(days.ice[window(at)], days.burn[window(at)]) for at in WINDOWS]
    counts, waves = (np.round(SAMPLES * rejections(kind)).astype(int) for kind in ("arrow", "waves"))
    talent, looks = people()
    actors = on_stage(BARS[-1])
    return {
        "days": DAYS,
        "few": FEW,
        "samples": SAMPLES,
        "level": round(100 * LEVEL),
        "r": correlation(days.ice, days.burn),
        "p": _independence(days),
        "windows": len(WINDOWS),
        "least": min(within),
        "most": max(within),
        "r_last": within[-1],
        "in_last": window(WINDOWS[-1]).sum(),
        "r_left": correlation(*residuals()),
        "kci": kci_test(*days, n_resamples=RESAMPLES, rng=SEED).pvalue,
        "arrow": ARROW,
        "false": counts[0],
        "found": counts[-1],
        "wide": WIDTHS[-1],
        "stiff": waves[-1],
        "narrow": WIDTHS[0],
        "fits": waves[0],
        "people": PEOPLE,
        "r_people": correlation(talent, looks),
        "actors": actors.sum(),
        "r_actors": correlation(talent[actors], looks[actors]),
        "r_lot": correlation(by_lot.ice, by_lot.burn),
        "p_lot": _independence(by_lot),
        "strong": ARROW,
        "p_strong": _independence(strong),
    }


SCENES: Mapping[str, Callable[[], list[Markup]]] = {
    "together": together,
    "slices": slices,
    "subtract": subtract,
    "arrow": arrow,
    "stiff": stiff,
    "stage": stage,
    "lot": lot,
}

ESSAY = Essay(
    Path(__file__).with_name("a-common-cause.md"),
    SCENES,
    cover,
    prose_values,
    lab="causes",
    preset="A fork",
    lesson=8,
    names=("kci_test", "gcm_test", "hsic_test", "ConditionalEmbedding"),
)
