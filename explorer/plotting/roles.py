"""The colour of a number by its name, and the shades and dashes that distinguish lines of one colour."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

# start of a number's name, which is an estimator or a method compared with it -> its role in every picture
ROLES = {
    "KME": "kme",
    "S-KMSE": "skmse",
    "F-KMSE": "fkmse",
    "S-COSE": "skmse",
    "F-COSE": "fkmse",
    "MKME": "mkme",
    "MMKME": "mmkme",
    "U": "kme",
    "BCD": "monk",
    "Fast": "monkfast",
    "exact": "truth",
    "bound": "harm",
    "remedy": "skmse",
    "true ratio": "truth",
    "kernel PCA": "kme",
    "DICA": "skmse",
    "MONK": "monk",
    "SKMSE": "skmse",
    "FKMSE": "fkmse",
    "SpectralKMSE": "fkmse",
    "MedianOfMeans": "monk",
    "RobustKME": "robust",
    "BayesianKME": "fkmse",
}
DASHES = ("solid", "dashed", "dotted", "dotdash")
PALEST = 0.4  # share of a role's colour in the palest of several shades


def role_of(name: str) -> str:
    """Return the role of a number or of an axis's value: that of the estimator at the start or end of its name.

    "S-KMSE", "F-KMSE, leave-one-out", "loss relative to loss of KME, S-KMSE" and "SKMSE(lam=0.1)" have their
    estimators'
    roles. A name without an estimator has the role of the plain average.

    Parameters
    ----------
    name : str
        The name.

    Returns
    -------
    role : str
        A role such as "skmse".
    """
    for start, role in ROLES.items():
        if name == start or name.startswith((f"{start} ", f"{start},", f"{start}(")):
            return role
    return ROLES.get(re.split(r",? ", name)[-1], "kme")


def names_estimator(name: str) -> bool:
    """Return whether a name is, or begins with, that of an estimator."""
    return role_of(name) != "kme" or name.startswith("KME")


def dash_of(name: str, names: Sequence[str]) -> str:
    """Return the dash of a line: names of one role differ by it.

    Parameters
    ----------
    name : str
        One of the names.
    names : sequence of str
        All names of the picture.

    Returns
    -------
    dash : {"solid", "dashed", "dotted", "dotdash"}
        The dash.
    """
    alike = [other for other in names if role_of(other) == role_of(name)]
    return DASHES[alike.index(name) % len(DASHES)]


def shades(colour: str, count: int) -> list[str]:
    """Return `count` shades of a colour "#RRGGBB", from pale to the colour itself."""
    full = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    shares = np.linspace(PALEST, 1.0, count) if count > 1 else [1.0]
    return [_hex(255 - share * (255 - full)) for share in shares]


def scale(colour: str, count: int = 64) -> list[str]:
    """Return the colours of a heat map, from nearly white to a colour "#RRGGBB"."""
    full = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    return [_hex(255 - share * (255 - full)) for share in np.linspace(0.06, 1.0, count)]


def _hex(parts):
    return "#" + "".join(f"{round(part):02X}" for part in parts)
