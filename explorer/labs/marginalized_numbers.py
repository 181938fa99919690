"""The Marginalized lab's pictures once more, as tables and as sentences."""

from __future__ import annotations

import numpy as np

from explorer.workbench.numbers import number, percent, signed
from explorer.workbench.replicates import BANDS

from .marginalized_words import NAMES, noise_said


def numbers(result):
    """Table -> column -> (rows,): the curves over the slider's σ, the sample, the noise in each coordinate, the small
    picture.
    """
    curves = {"sigma_sd": result.mkme.sigmas[:-1], "sigma": result.mkme.deviations[:-1, 0]}
    for name in NAMES:
        path = getattr(result, name)
        parts = {"loss": path.loss, "loocv": path.score}
        curves |= {f"{name}_{what}": values[:-1] for what, values in parts.items() if values is not None}
        if result.replicates is not None:
            quantiles = zip(BANDS, result.replicates.band(name)[:, :-1], strict=True)
            curves |= {f"{name}_loss_q{round(100 * q):02d}": values for q, values in quantiles}
    if result.risk is not None:
        curves["mkme_risk"] = result.risk[:-1]
    noise = {"coordinate": np.arange(1, result.X.shape[1] + 1)}
    noise |= {f"{name}_sigma": getattr(result, name).deviations[result.row] for name in NAMES}
    return {
        "curves": curves,
        "sample": dict(zip(result.names, result.X.T, strict=True)),
        "noise": noise,
        result.lab.picture: SMALL[result.lab.picture](result),
    }


def _kernel(result):
    small, row = result.small, result.row
    lines = {"mkme_one": small.one, "mkme_both": small.both, "mmkme_first": small.first, "mmkme_second": small.second}
    return {"distance_theta": small.at, "k": small.plain, **{n: v[row] for n, v in lines.items() if v is not None}}


def _filter(result):
    small = result.small
    return {
        "eigenvalue": small.eigenvalues[::-1],
        "kme_share": small.coefficients[::-1],
        "mkme_keeps": small.kept[result.row][::-1],
    }


def _approximation(result):
    small = result.small
    return {
        "sigma_sd": result.mkme.sigmas[:-1],
        **{name: getattr(small, name)[:-1] for name in ("kme", "projection", "corrected", "printed")},
    }


def _dice(result):
    small = result.small
    return {"copies": np.arange(1, len(small.path) + 1), "squared_distance": small.path, "expected": small.expected}


SMALL = {"kernel": _kernel, "filter": _filter, "approximation": _approximation, "dice": _dice}


def measures(result):
    """What two states are compared by."""
    what = "loss / loss of KME" if result.law is not None else "estimated loss / loss of KME"
    said = {f"{what}, {word}": float(getattr(result, name).height[result.row]) for name, word in NAMES.items()}
    said |= {f"σ by leave-one-out, {word}, data sd": getattr(result, name).chosen for name, word in NAMES.items()}
    if result.risk is not None:
        said["expected loss / that of KME, MKME"] = float(result.risk[result.row])
    return said


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    return [_curves(result), _sample(result), SAID[result.lab.picture](result)]


def _curves(result):
    kind = "loss" if result.law is not None else "estimated loss"
    said = [_least(word, getattr(result, name)) for name, word in NAMES.items()]
    return f"{kind.capitalize()} over σ in data sd, where the plain average is 1. {' '.join(said)}"


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
    spread = noise_said(result, result.row).removeprefix("MMKME ")
    where = f"{d} dimension{'' if d == 1 else 's'}"
    return (
        f"The sample has {n} points in {where}, {what}. MMKME's noise is {spread} of the data's sd in its coordinates."
    )


def _said_kernel(result):
    small, row = result.small, result.row
    one, both = (number(float(values[row].max())) for values in (small.one, small.both))
    return (
        f"The kernel of two points is 1 where they coincide; with MKME's noise on one of them it is {one} there, with"
        f" noise on both {both}, and it is wider."
    )


def _said_filter(result):
    kept, share = result.small.kept[result.row], result.small.coefficients
    order = [i for i in np.argsort(-share)[:3] if np.isfinite(kept[i])]
    listed = ", ".join(signed(float(kept[i])) for i in order)
    return (
        f"Projected on the sample, MKME's weights sum to {number(float(result.small.sums[result.row]))}, KME's to 1. Of"
        f" the directions along which KME is longest they keep {listed}."
    )


def _said_approximation(result):
    small, row = result.small, result.row
    share = {name: percent(float(getattr(small, name)[row])) for name in ("kme", "projection", "corrected", "printed")}
    return (
        f"Of the length of MKME's estimate the plain average is {share['kme']} away, the nearest weights "
        f"{share['projection']}, those of second order {share['corrected']}, and as printed {share['printed']}."
    )


def _said_dice(result):
    path = result.small.path
    first, last, expected = (percent(float(v)) for v in (path[0], path[-1], result.small.expected[-1]))
    return (
        f"The average of {len(path)} noisy copies is {last} of the plain average's loss away from MKME, one copy"
        f" {first}; on average the squared distance falls as one over their number, to {expected}."
    )


SAID = {"kernel": _said_kernel, "filter": _said_filter, "approximation": _said_approximation, "dice": _said_dice}
