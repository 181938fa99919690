"""The Shrinkage lab's pictures once more, as tables and as sentences."""

from __future__ import annotations

import numpy as np

from .numbers import number, percent
from .replicates import BANDS

# a filter's name in a file
FILES = {"tikhonov": "fkmse", "iterated-tikhonov": "iterated", "landweber": "landweber", "nu": "nu", "tsvd": "tsvd"}


def numbers(result):
    """Table -> column -> (rows,): the curves over the slider's λ, the sample with its weights, the spectrum with its
    filters.
    """
    paths = {"skmse": result.simple, FILES[result.lab.filter]: result.flexible}
    curves = {"lam": result.simple.lams[:-1]}
    for name, path in paths.items():
        parts = {"loss": path.loss, "loocv": path.score}
        curves |= {f"{name}_{what}": values[:-1] for what, values in parts.items() if values is not None}
        if result.replicates is not None:
            quantiles = zip(
                BANDS, result.replicates.band("simple" if name == "skmse" else "flexible")[:, :-1], strict=True
            )
            curves |= {f"{name}_loss_q{round(100 * q):02d}": values for q, values in quantiles}
    gamma, row = result.eigenvalues, result.row
    return {
        "curves": curves,
        "sample": {
            **dict(zip(result.names, result.X.T, strict=True)),
            "outlier": (np.arange(len(result.X)) >= result.clean).astype(int),
            "kme_weight": np.full(len(result.X), 1 / len(result.X)),
            "skmse_weight": result.simple_weights[row],
            f"{FILES[result.lab.filter]}_weight": result.weights[row],
        },
        "spectrum": {
            "eigenvalue": gamma[::-1] * result.scale,
            "skmse_keeps": np.full(len(gamma), result.simple_keeps[row]),
            f"{FILES[result.lab.filter]}_keeps": _kept(result)[::-1],
        },
    }


def measures(result):
    """What two states are compared by."""
    what = "loss / loss of KME" if result.law is not None else "estimated loss / loss of KME"
    paths = {"S-KMSE": result.simple, result.flexible_name: result.flexible}
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
    said = [_least(name, path) for name, path in (("S-KMSE", result.simple), (result.flexible_name, result.flexible))]
    return f"{kind.capitalize()} over λ, where the plain average is 1. {' '.join(said)}"


def _least(name, path):
    height, lams = path.height[:-1], path.lams[:-1]
    least = int(np.argmin(height))
    best = (lams[least], height[least]) if path.best is None else (path.best, path.best_loss)
    harm = np.flatnonzero(height > 1 + 1e-9)
    beyond = (
        f", and from λ = {number(lams[harm[0]])} on it does harm" if len(harm) and harm[-1] == len(lams) - 1 else ""
    )
    return (
        f"{name} is lowest at λ = {number(best[0])} with {number(best[1])}; leave-one-out chooses {number(path.chosen)}"
        f" with {number(path.height[-1])}{beyond}."
    )


def _blob(result):
    """The target of S-KMSE."""
    if result.blob is None:
        return ""
    return (
        " S-KMSE is shrunk towards the kernel mean of a normal law around"
        f" ({', '.join(map(number, result.blob.mean[:2]))}) with standard deviation {number(result.blob.spread)}."
    )


def _sample(result):
    n, share = len(result.X), len(result.X) * result.weights[result.row]
    negative = int((share < 0).sum())
    strays = ""
    if result.lab.outliers:
        strays = (
            f" The {result.lab.outliers} outliers carry {number(float(share[result.clean :].sum() / n))} of all weight."
        )
    signs = f", {negative} of them below 0" if negative else ""
    least, most = (number(float(end)) for end in (share.min(), share.max()))
    return (
        f"The sample has {n} points in {result.X.shape[1]} dimensions; KME gives each 1/{n}, and {result.flexible_name}"
        f" from {least} to {most} times as much{signs}.{strays}{_blob(result)}"
    )


def _spectrum(result):
    kept, gamma, keeps = _kept(result), result.eigenvalues, result.simple_keeps[result.row]
    simple = "" if np.isnan(keeps) else f", S-KMSE {percent(keeps)} of every one"
    return (
        f"The Gram matrix has {len(gamma)} eigenvalues, from {number(float(gamma[0]))} to {number(float(gamma[-1]))}"
        f" times the mean of k(x, x). {result.flexible_name} keeps more than half of {int((kept > 0.5).sum())} of their"
        f" directions{simple}."
    )
