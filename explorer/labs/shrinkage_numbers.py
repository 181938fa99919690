"""The Shrinkage lab's pictures once more, as tables and as sentences."""

from __future__ import annotations

import numpy as np

from .numbers import number, percent
from .replicates import BANDS

PATHS = {"skmse": "simple", "fkmse": "flexible"}  # an estimator's name in a file, and in a result


def numbers(result):
    """Table -> column -> (rows,): the curves over the slider's λ, the sample with its weights, the spectrum with its filters."""
    paths = {name: getattr(result, path) for name, path in PATHS.items()}
    curves = {"lam": result.simple.lams[:-1]}
    for name, path in paths.items():
        parts = {"loss": path.loss, "loocv": path.score}
        curves |= {f"{name}_{what}": values[:-1] for what, values in parts.items() if values is not None}
        if result.replicates is not None:
            quantiles = zip(BANDS, result.replicates.band(PATHS[name])[:, :-1], strict=True)
            curves |= {f"{name}_loss_q{round(100 * q):02d}": values for q, values in quantiles}
    gamma, row = result.eigenvalues, result.row
    lams = {name: path.lams[row] for name, path in paths.items()}
    return {
        "curves": curves,
        "sample": {
            **dict(zip(result.names, result.X.T, strict=True)),
            "outlier": (np.arange(len(result.X)) >= result.clean).astype(int),
            "kme_weight": np.full(len(result.X), 1 / len(result.X)),
            "skmse_weight": np.full(len(result.X), 1 / (1 + lams["skmse"]) / len(result.X)),
            "fkmse_weight": result.weights[row],
        },
        "spectrum": {
            "eigenvalue": gamma[::-1] * result.scale,
            "skmse_keeps": np.full(len(gamma), 1 / (1 + lams["skmse"])),
            "fkmse_keeps": _kept(result)[::-1],
        },
    }


def measures(result):
    """What two states are compared by."""
    what = "loss / loss of KME" if result.law is not None else "estimated loss / loss of KME"
    paths = {"S-KMSE": result.simple, "F-KMSE": result.flexible}
    said = {f"{what}, {name}": float(path.height[result.row]) for name, path in paths.items()}
    said |= {f"λ by leave-one-out, {name}": path.chosen for name, path in paths.items()}
    return said | {f"best λ, {name}": path.best for name, path in paths.items() if path.best is not None}


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    return [_curves(result), _sample(result), _spectrum(result)]


def _kept(result):
    """F-KMSE's filter at each eigenvalue, at the lab's λ."""
    return result.kept[result.row]


def _curves(result):
    kind = "loss" if result.law is not None else "estimated loss"
    said = [_least(name, path) for name, path in (("S-KMSE", result.simple), ("F-KMSE", result.flexible))]
    return f"{kind.capitalize()} over λ, where the plain average is 1. {' '.join(said)}"


def _least(name, path):
    height, lams = path.height[:-1], path.lams[:-1]
    least = int(np.argmin(height))
    best = (lams[least], height[least]) if path.best is None else (path.best, path.best_loss)
    harm = np.flatnonzero(height > 1 + 1e-9)
    beyond = f", and from λ = {number(lams[harm[0]])} on it does harm" if len(harm) and harm[-1] == len(lams) - 1 else ""
    return (f"{name} is lowest at λ = {number(best[0])} with {number(best[1])}; leave-one-out chooses {number(path.chosen)} "
            f"with {number(path.height[-1])}{beyond}.")  # fmt: skip


def _sample(result):
    n, share = len(result.X), len(result.X) * result.weights[result.row]
    negative = int((share < 0).sum())
    strays = ""
    if result.lab.outliers:
        strays = f" The {result.lab.outliers} outliers carry {number(float(share[result.clean :].sum() / n))} of all weight."
    signs = f", {negative} of them below 0" if negative else ""
    return (f"The sample has {n} points in {result.X.shape[1]} dimensions; KME gives each 1/{n}, and F-KMSE from "
            f"{number(float(share.min()))} to {number(float(share.max()))} times as much{signs}.{strays}")  # fmt: skip


def _spectrum(result):
    kept, gamma = _kept(result), result.eigenvalues
    keep = 1 / (1 + result.simple.lams[result.row])
    return (f"The Gram matrix has {len(gamma)} eigenvalues, from {number(float(gamma[0]))} to {number(float(gamma[-1]))} times "
            f"the mean of k(x, x). F-KMSE keeps more than half of {int((kept > 0.5).sum())} of their directions, "
            f"S-KMSE {percent(keep)} of every one.")  # fmt: skip
