"""The essay "What a kernel cannot see": moments, scales, and a test that looks at many scales."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels import Gaussian, Linear, Polynomial
from explorer.labs.twosample.figures import x_ray
from explorer.printing import percent
from explorer.svg import thumbnail

from .essay import Essay, draw, result_of
from .witness_and_power import (
    BANDWIDTHS,
    LEVEL,
    PAIRS,
    SAMPLES,
    SIZE,
    DensityPair,
    by_bandwidth,
    power,
    two_densities,
    witness,
)

if TYPE_CHECKING:
    from explorer.markup import Markup

LINEAR, SQUARES, GAUSSIAN = Linear(), Polynomial(2), Gaussian(1.0)
NARROW, BEST, WIDE = 0.03, 0.3, 10.0  # θ, in standard deviations of P
GROWS, GOES_ON = (NARROW, 0.06, 0.1, 0.2, BEST), (BEST, 0.6, 1.0, 2.0, WIDE)
SHARES = (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)  # shares of the difference of P and Q
LETTING = (1.0, 0.8, 0.6, 0.5, 0.4)  # × the median distance, of the picture of frequencies
HIDDEN = {"source": "two", "family": "two", "apart": 10.0, "share": 0.2}  # the state "Wrong weights" of the lab fit


def prose_values() -> Mapping[str, Any]:
    """Return the values that the prose names."""
    modes, shift, equal = (power(name) for name in ("moments", "shift", "equal"))
    median = int(np.argmin(np.abs(np.log(BANDWIDTHS))))  # a bandwidth of 1 × the median distance
    stein = result_of("fit", **HIDDEN)
    return {
        "shift": PAIRS["shift"]["size"],
        "means": _density_pair("shift", LINEAR),
        "widths": _density_pair("spread", LINEAR),
        "squares": _density_pair("spread", SQUARES),
        "modes_squares": _density_pair("moments", SQUARES),
        "modes": _density_pair("moments", GAUSSIAN),
        "narrowest": NARROW,
        "narrow": _at(NARROW),
        "best_at": BEST,
        "best": _at(BEST),
        "widest": WIDE,
        "wide": _at(WIDE),
        "samples": SAMPLES,
        "size": SIZE,
        "level": percent(LEVEL),
        "modes_best_at": BANDWIDTHS[np.argmax(modes.alone)],
        "modes_best": percent(modes.alone.max()),
        "shift_best_at": BANDWIDTHS[np.argmax(shift.alone)],
        "shift_best": percent(shift.alone.max()),
        "modes_there": percent(modes.alone[np.argmax(shift.alone)]),
        "modes_median": percent(modes.alone[median]),
        "shift_median": percent(shift.alone[median]),
        "modes_together": percent(modes.together),
        "shift_together": percent(shift.together),
        "search": percent(equal.best_of),
        "equal_together": percent(equal.together),
        "bandwidths": len(BANDWIDTHS),
        "left": percent(HIDDEN["share"]),
        "model_left": percent(0.5),
        "stein": stein.pvalue,
    }


def _density_pair(name, kernel):
    return DensityPair.of(name, kernel).mmd2


def _at(bandwidth):
    return _density_pair("moments", Gaussian(bandwidth))


def _draws(name, kernel):
    """Draw the witness while P and Q grow apart."""
    return lambda: [draw(two_densities, DensityPair.of(name, kernel, share)) for share in SHARES]


def _scales(bandwidths):
    """Draw the witness of the two modes at some bandwidths, all on the scale of the best one."""
    full = float(np.abs(witness("moments", Gaussian(BEST))).max())
    return [draw(two_densities, DensityPair("moments", Gaussian(each), full)) for each in bandwidths]


def _waves():
    state = {**PAIRS["moments"], "seed": 1, "picture": "x-ray"}
    return [draw(x_ray, result_of("twosample", **state, bandwidth=each)) for each in LETTING]


def _powers():
    """Draw the power at each bandwidth, from the widest to the one that two modes need."""
    both = {name: power(name) for name in ("moments", "shift")}
    narrowest = int(np.argmax(both["moments"].alone))
    return [draw(by_bandwidth, (both, place)) for place in range(len(BANDWIDTHS) - 1, narrowest - 1, -1)]


def cover() -> Markup:
    """Draw two densities and the witness of a Gaussian kernel."""
    return thumbnail(two_densities, DensityPair.of("moments", Gaussian(BEST)), "Two densities and their witness")


SCENES = {
    "means": _draws("shift", LINEAR),
    "widths": _draws("spread", LINEAR),
    "squares": _draws("spread", SQUARES),
    "modes": _draws("moments", SQUARES),
    "gaussian": _draws("moments", GAUSSIAN),
    "grows": lambda: _scales(GROWS),
    "goes-on": lambda: _scales(GOES_ON),
    "waves": _waves,
    "power": _powers,
}

ESSAY = Essay(
    Path(__file__).with_name("what-a-kernel-cannot-see.md"),
    SCENES,
    cover,
    prose_values,
    lab="twosample",
    preset="The right bandwidth",
    lesson=6,
    names=("Linear", "Polynomial", "Gaussian", "mmd2_of_laws", "mmd_test", "mmdagg_test"),
)
