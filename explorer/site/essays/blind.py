"""The essay "What a kernel cannot see": moments, scales, and a test that looks at many scales."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.kernels import Gaussian, Linear, Polynomial
from explorer.labs.twosample.figures import x_ray
from explorer.printing import UNBROKEN, format_number
from explorer.svg import thumbnail

from .essay import Essay, Part, Scene, draw, result_of
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
        "narrow_at": _equals("θ", NARROW),
        "narrowest": NARROW,
        "narrow": _at(NARROW),
        "best_at": BEST,
        "best": _at(BEST),
        "wide_at": _equals("θ", WIDE),
        "widest": WIDE,
        "wide": format_number(_at(WIDE)).replace(" ", UNBROKEN),
        "samples": SAMPLES,
        "size": SIZE,
        "level": _percent(LEVEL),
        "modes_best_at": BANDWIDTHS[np.argmax(modes.alone)],
        "modes_best": _percent(modes.alone.max()),
        "shift_best_at": BANDWIDTHS[np.argmax(shift.alone)],
        "shift_best": _percent(shift.alone.max()),
        "modes_there": _percent(modes.alone[np.argmax(shift.alone)]),
        "shift_there": _percent(shift.alone[np.argmax(modes.alone)]),
        "modes_median": _percent(modes.alone[median]),
        "shift_median": _percent(shift.alone[median]),
        "modes_together": _percent(modes.together),
        "shift_together": _percent(shift.together),
        "search": _percent(equal.best_of),
        "equal_together": _percent(equal.together),
        "bandwidths": len(BANDWIDTHS),
        "left": _percent(HIDDEN["share"]),
        "model_left": _percent(0.5),
        "stein": _equals("p", stein.pvalue),
    }


def _percent(share):
    return f"{100 * share:.0f}{UNBROKEN}%"


def _equals(symbol, value):
    """Return a symbol and its value on one line."""
    return f"*{symbol}* = {format_number(float(value))}".replace(" ", UNBROKEN)


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


ESSAY = Essay(
    key="what-a-kernel-cannot-see",
    title="What a kernel cannot see",
    question="Two distributions can differ in many ways. Which of them does a kernel notice?",
    cover=cover,
    prose_values=prose_values,
    lab="twosample",
    preset="The right bandwidth",
    lesson=6,
    names=("Linear", "Polynomial", "Gaussian", "mmd2_of_laws", "mmd_test", "mmdagg_test"),
    parts=(
        Part(
            "Two curves and their difference",
            r"""
A kernel $k(x, y)$ says how similar two points are. It turns a distribution P into a curve, the *kernel mean* $\mu_P$:
its height at $x$ is the average similarity of $x$ to the points of P. To compare P with Q a kernel compares their two
curves. The difference $\mu_P - \mu_Q$ is called the *witness*, and its length, squared, is MMD². Whatever the witness
leaves out, no test with this kernel will find, however large the samples are.

The simplest kernel is the product, $k(x, y) = xy$, the *linear kernel*. Its kernel means are straight lines, as steep
as the distribution's mean is large. [Q lies to the right of P here](#means), by {shift} standard deviations. The two
lines differ in slope, the witness is their difference, and MMD² is {means}.

[Now Q is wider than P and has the same mean](#widths). The witness is 0 everywhere, and MMD² is {widths}. To this
kernel P and Q are one distribution.
""",
            (
                Scene(
                    "means",
                    "Q lies to the right of P. The linear kernel sees the difference of the means.",
                    _draws("shift", LINEAR),
                ),
                Scene(
                    "widths",
                    "Q is wider than P. The linear kernel sees nothing: the means are equal.",
                    _draws("spread", LINEAR),
                ),
            ),
        ),
        Part(
            "Squares see the spread",
            r"""
The *quadratic kernel* $(1 + xy)^2$ also compares squares. [It sees that Q is wider](#squares): the witness is a
parabola, and MMD² is {squares}. In several coordinates it sees all means, variances and covariances.

It sees nothing else. [This Q has two modes](#modes) but the mean and the variance of P. Everybody can tell the two
curves above apart. The witness below is 0, and so is MMD²: {modes_squares}. More data would not help, because there is
nothing to find. A polynomial kernel of higher degree sees higher moments, up to its degree. For every degree there are
different distributions that agree in all of them.
""",
            (
                Scene(
                    "squares",
                    "Q is wider than P. The quadratic kernel sees the difference of the variances.",
                    _draws("spread", SQUARES),
                ),
                Scene(
                    "modes",
                    "Q has two modes, and the mean and variance of P. The quadratic kernel sees nothing.",
                    _draws("moments", SQUARES),
                ),
            ),
        ),
        Part(
            "A kernel that misses nothing",
            r"""
The *Gaussian kernel* $\exp(-|x - y|^2 / 2\theta^2)$ gives each point a bump of width $\theta$, its *bandwidth*. [With
it the two modes are seen](#gaussian). The witness is positive in the middle, where P has more, and negative at the two
modes, where Q has more. MMD² is {modes}.

This kernel is called *characteristic*: its MMD is 0 only if P and Q are equal, in whatever way they might differ. That
holds for every bandwidth.
""",
            (
                Scene(
                    "gaussian",
                    "The same P and Q. The Gaussian kernel sees where each of them has more.",
                    _draws("moments", GAUSSIAN),
                ),
            ),
        ),
        Part(
            "But each bandwidth has its scale",
            r"""
Seeing a difference is not the same as seeing it well. Under a narrow kernel a point resembles hardly any other. Both
curves are low, and at {narrow_at} MMD² is {narrow}. [As the bandwidth grows](#grows) to {best_at} the witness grows
too, and MMD² rises to {best}. [Beyond that](#goes-on) the witness fades. Under a wide kernel all points look alike,
both curves are one broad hill, and at {wide_at} MMD² is {wide}.

[Waves explain why](#waves). The difference of P and Q can be split into waves of all frequencies, the line. A Gaussian
kernel lets low frequencies pass, the grey area, up to about $1/\theta$. The blue area is what it sees. One mode and
two modes differ at a frequency that a wide kernel does not let pass.
""",
            (
                Scene(
                    "grows",
                    "The witness as the bandwidth grows from {narrowest} to {best_at}, in one measure.",
                    lambda: _scales(GROWS),
                ),
                Scene(
                    "goes-on",
                    "The witness as the bandwidth grows from {best_at} to {widest}, in the same measure.",
                    lambda: _scales(GOES_ON),
                ),
                Scene(
                    "waves",
                    "The narrower the Gaussian kernel (RBF), the higher the frequencies that it sees.",
                    _waves,
                ),
            ),
        ),
        Part(
            "What one bandwidth misses",
            r"""
A test sees samples, which differ by chance even if P = Q. It rejects if MMD² is larger than chance makes it. How
often it rejects is its *power*. [Here it is](#power) over the bandwidth, at level {level}, in {samples} repeated
samples of {size} points.

Two modes need a narrow kernel. At {modes_best_at} times the median distance between points the test finds them in
{modes_best} of the samples. A shift needs a wide one: at {shift_best_at} times the median distance it is found in
{shift_best}. There the two modes are found in {modes_there}, and a test with this bandwidth is as good as blind to
them. The median distance itself is the usual choice. It finds the shift in {shift_median} of the samples and the two
modes in {modes_median}.

Nor can one try all bandwidths and report the best. If P = Q, at least one of these {bandwidths} tests rejects in
{search} of the samples. MMDAgg, the blue lines, tests many bandwidths and corrects for the search. It finds the shift
in {shift_together} and the two modes in {modes_together}, and where P = Q it rejects in {equal_together}.

Other kernels are blind in other ways. A Stein test asks whether data fit a model, and it knows the model only by the
slope of its log-density. Take two groups far apart. In the data {left} of the points lie in the left group, in the
model {model_left}. The slope near each group does not depend on these weights, and the test finds nothing: {stein}.
Ask of every test what it cannot see before you believe that there is nothing.
""",
            (
                Scene(
                    "power",
                    "How often a test of {size} points finds two modes, and a shift, by bandwidth.",
                    _powers,
                ),
            ),
        ),
    ),
)
