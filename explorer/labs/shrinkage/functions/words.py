"""Sentences of the Shrinkage lab on averages of functions, the band of a Gaussian process, and oracles."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from explorer.kernels import Exponential
from explorer.languages import translate
from explorer.workbench.numbers import compared, format_number, percent, value_of

from .values import COVERED, oracle_risks, risks_at, smoothed_density, turning_point

if TYPE_CHECKING:
    from explorer.labs.shrinkage.result import ShrinkageResult


def function_words(result: ShrinkageResult) -> str:
    """Return the caption's sentences on the picture of functions and the posterior, or "" if neither is shown."""
    pictures = {"values": values_words, "fits": fits_words, "oracle": oracle_words}
    told = pictures.get(result.lab.picture, lambda result: "")(result)
    return "".join(f" {each}" for each in (told, bayes_words(result)) if each)


def _at(result, centre):
    """Return the position of t as text, in the units of the first column."""
    return value_of(result.quantities[0], float(centre[0]))


def values_words(result: ShrinkageResult) -> str:
    """Return the three averages of f as text: over the sample, as an inner product, and exactly."""
    values, row = result.values, result.row
    told = translate(
        "For f = k(·, t) at t = {} the average over the sample is {}, and the inner product ⟨f, μ̂⟩ is {}.",
        _at(result, values.centre),
        format_number(float(values.average[-1])),
        format_number(values.inner),
    )
    if values.exact is not None:
        told += translate(" The exact expectation E f(X) is {}.", format_number(float(values.exact[-1])))
    told += translate(
        " S-KMSE gives {}, and {} gives {}.",
        format_number(float(values.simple[row, -1])),
        result.flexible_name,
        format_number(float(values.flexible[row, -1])),
    )
    if isinstance(result.kernel, Exponential):
        scale = result.kernel.scale
        told += translate(
            " Under the exponential kernel the kernel mean is the moment generating function E exp(⟨u, X⟩), u = t/{}.",
            format_number(float(scale)),
        )
    elif smooth := smoothed_density(result.law, result.kernel, values.centre):
        density, factor = smooth
        told += translate(
            " Under RBF the kernel mean is a Weierstrass transform of the density p. At t, p smoothed by N(0, θ²I)"
            " is {}. Multiplied by (2πθ²)^(d/2) = {} this gives {}.",
            format_number(density),
            format_number(factor),
            format_number(density * factor),
        )
    if values.mean is not None and values.deviation is not None:
        told += translate(
            " The posterior mean of Bayesian KME is {} ± {} (1.96 posterior standard deviations).",
            format_number(float(values.mean[-1])),
            format_number(COVERED * float(values.deviation[-1])),
        )
        if values.covered is not None:
            told += translate(" The band covers the exact value at {} of the positions drawn.", percent(values.covered))
    return told


def fits_words(result: ShrinkageResult) -> str:
    """Return F-KMSE's value and the mean of the predictions, which agree, as text."""
    fits, row = result.fits, result.row
    told = translate(
        "From each of the {} points, a conditional embedding predicts f = k(·, t), here with t = {}. The mean of the"
        " predictions is {}, and the inner product ⟨f, {}⟩ is {}.",
        len(fits.values),
        _at(result, fits.centre),
        format_number(float(fits.predicted[row].mean())),
        result.flexible_name,
        format_number(float(fits.flexible[row])),
    )
    told += translate(" The mean of f itself, the plain average, is {}", format_number(float(fits.values.mean())))
    return told + ("." if fits.exact is None else translate(", and E f(X) is {}.", format_number(fits.exact)))


def oracle_words(result: ShrinkageResult) -> str:
    """Return what the best λ does at each distance, and where the current λ begins to do harm."""
    lam, rho = float(result.simple.lams[result.row]), result.remoteness
    told = ""
    if rho is not None:
        here = np.array([rho])
        told = translate(
            "Here the kernel mean lies {} times the plain average's RMSE (root mean squared error) from the target."
            " S-KMSE with λ = {} has {} of the plain average's expected squared error, and with the best λ {}. ",
            format_number(float(rho)),
            format_number(lam),
            percent(float(risks_at(np.array([lam]), here)[0, 0])),
            percent(float(oracle_risks(here)[0])),
        )
    if lam == 0:
        told += translate("With λ = 0 S-KMSE is the plain average.")
    else:
        told += translate(
            "If λ stays the same, S-KMSE is worse than the plain average at distances above {} times that RMSE.",
            format_number(turning_point(lam)) if math.isfinite(lam) else "1",
        )
    return told + translate(
        " The best λ helps at every distance, but it depends on the unknown μ. So the dotted curve shows what an"
        " oracle gains, not that the plain average is inadmissible (erratum 19)."
    )


def bayes_words(result: ShrinkageResult) -> str:
    """Return which shrinkage estimator the posterior mean is, in numbers, and what its evidence cannot do."""
    bayes = result.bayes
    if bayes is None:
        return ""
    middle, kept = len(bayes.keeps) // 2, result.flexible_curve.filter_values[result.row]
    told = translate(
        "Bayesian KME has noise τ² = {}. It keeps γ²/(γ² + nτ²): {} of the direction with the largest eigenvalue γ and"
        " {} of the middle one. {} keeps {} and {}.",
        format_number(bayes.noise),
        percent(float(bayes.keeps[-1])),
        percent(float(bayes.keeps[middle])),
        result.flexible_name,
        percent(float(kept[-1])),
        percent(float(kept[middle])),
    )
    if bayes.loss is not None:
        gain = compared(1 - bayes.loss)
        told += translate(" Bayesian KME has {} {} the plain average.", gain.error, gain.joint)
    if bayes.evidence is not None:
        here, wide = bayes.evidence
        told += translate(
            " The log evidence is {} here and {} at ten times the bandwidth. It grows with the bandwidth for any"
            " data, so it cannot choose the bandwidth.",
            format_number(here),
            format_number(wide),
        )
    return told


def function_values(result: ShrinkageResult) -> dict[str, str]:
    """Return the values of the stories' placeholders on functions, for the picture that is shown."""
    values, fits, bayes, row, words = result.values, result.fits, result.bayes, result.row, {}
    if values is not None:
        words = {"average_of_f": format_number(float(values.average[-1])), "inner_of_f": format_number(values.inner)}
        if values.exact is not None:
            words["exact_of_f"] = format_number(float(values.exact[-1]))
        if values.covered is not None:
            words["covered"] = percent(values.covered)
    if fits is not None:
        words |= {
            "average_of_f": format_number(float(fits.values.mean())),
            "predicted_of_f": format_number(float(fits.predicted[row].mean())),
            "flexible_of_f": format_number(float(fits.flexible[row])),
        }
    if bayes is not None and bayes.loss is not None:
        words["bayes_of_f"] = compared(1 - bayes.loss).share
    if result.remoteness is not None:
        words["oracle_left"] = percent(float(oracle_risks(np.array([result.remoteness]))[0]))
    lam = float(result.simple.lams[row])
    return words | {"turning": format_number(turning_point(lam)) if math.isfinite(lam) else "1"}
