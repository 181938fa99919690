"""Sentences of the Marginalized lab on the third estimate."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.languages import translate
from explorer.markup import markup
from explorer.workbench.numbers import compared, format_number
from explorer.workbench.prose import named

if TYPE_CHECKING:
    from explorer.labs.marginalized.result import MarginalizedResult
    from explorer.markup import Markup


NAMES = {
    "full": "full covariance",
    "local": "local covariances",
    "known": "known noise",
    "laplace": "Laplace noise",
    "t": "t noise",
    "uniform": "uniform noise",
}
WHAT = {
    "full": "one covariance for all points, an ellipse with axes of any direction",
    "local": "a covariance for each point, shaped by its {} nearest neighbours",
    "known": "the covariance of the measurement error, which is given and not fitted",
    "laplace": "Laplace noise, Gaussian noise whose variance is exponentially distributed",
    "t": "noise from Student's t distribution with 3 degrees of freedom",
    "uniform": "independent uniform noise in each coordinate",
}


def third_name(result: MarginalizedResult) -> str:
    """Return the name of the third estimate."""
    return translate(NAMES[result.lab.third]) if result.lab.third in NAMES else ""


def third_trust(result: MarginalizedResult, row: int) -> str | Markup:
    """Return the comparison of the third estimate with the plain average, for the line below the headline, or ""."""
    third = result.third
    if third is None:
        return ""
    error = "squared error" if result.law is not None else "estimated squared error"
    gain = compared(result.gain(third.path, row), error)
    given = (
        translate(" (given, not fitted)") if result.lab.third == "known" and row == len(third.path.sigmas) - 1 else ""
    )
    name = named(third_name(result), "shaped")
    return markup(" With {}{} the estimate has {} {} the plain average.", name, given, gain.error, gain.joint)


def third_words(result: MarginalizedResult) -> str | Markup:
    """Return the description of the third estimate's noise, in numbers, or "" if none is chosen."""
    third, lab = result.third, result.lab
    if third is None:
        return ""
    what, sigma = translate(WHAT[lab.third], lab.neighbours), third.path.sigmas[result.row]
    told = markup(" The third estimate has {}, with σ = {} sd of the data.", what, format_number(float(sigma)))
    if third.axes is not None:
        long, across, tilt = third.axes
        told += markup(
            " Its ellipse has axes of {} and {} σ, and the long one is turned by {}°. Drag the ends of its axes.",
            format_number(long),
            format_number(across),
            format_number(float(round(tilt, 1))),
        )
    errors = [
        markup("{} {}", name, compared(result.gain(path, result.row)).share)
        for name, path in (
            (named("MKME", "mkme"), result.mkme),
            (named("MMKME", "mmkme"), result.mmkme),
            (named(third_name(result), "shaped"), third.path),
        )
    ]
    return told + markup(" Squared error relative to the plain average: {}, {}, {}.", *errors)


def third_values(result: MarginalizedResult) -> dict[str, str]:
    """Return the values of the stories' placeholders on the third estimate."""
    third = result.third
    if third is None:
        return {}
    return {"third": compared(result.gain(third.path)).share}
