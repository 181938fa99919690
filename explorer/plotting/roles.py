"""The role of a number by its name, and the shades and dashes that distinguish lines of one colour."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from explorer.checks import Refusal, echo, join_list
from explorer.marks import roles

# start of a number's name, which is an estimator or a method compared with it -> its role in every picture
ESTIMATORS = {
    "KME": "kme",
    "robust KME": "robust",
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
# some readers cannot distinguish the colours, so each estimator has a dash too
OWN_DASHES = {"fkmse": "dashed", "mmkme": "dashed", "mkme": "dotdash", "monkfast": "dotted", "robust": "dotted"}
# roles for names that are not estimators
OTHERS = ("truth", "geometric", "robust", "monkfast", "monk", "mkme", "skmse")
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
    for start, role in ESTIMATORS.items():
        if name == start or name.startswith((f"{start} ", f"{start},", f"{start}(")):
            return role
    return ESTIMATORS.get(re.split(r",? ", name)[-1], "kme")


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


def checked_role(role: str) -> str:
    """Return a role that the user names, or refuse it."""
    if not isinstance(role, str) or role not in roles.ROLES:
        raise Refusal(f"role must be one of {join_list(roles.ROLES)}, not {echo(role)}.")
    return role


def own_dash(role: str) -> str:
    """Return the dash of a role's curve."""
    return OWN_DASHES.get(role, "solid")


def roles_of(labels: Iterable[str]) -> list[str]:
    """Return the roles of names in one picture: an estimator's own, as for "S-KMSE", or a free one."""
    labels = list(labels)
    own = {label: role_of(label) for label in labels if names_estimator(label)}
    free = [role for role in OTHERS if role not in own.values()] or list(OTHERS)
    others = itertools.cycle(free)
    return [own[label] if label in own else next(others) for label in labels]


def role_of_model(label: str) -> str:
    """Return the role of an estimator beside the plain average and the true distribution, by its label.

    An estimator of the user's has a role that neither of them has.

    Parameters
    ----------
    label : str
        The label, such as "S-KMSE".

    Returns
    -------
    role : str
        The role.
    """
    return roles_of(["exact", "KME", label])[-1]


def role_of_kernel(kernel: Any) -> str:
    """Return the role of a kernel's function: "kme", or another one for a kernel of the user's."""
    is_built_in = type(kernel).__module__.partition(".")[0] == __name__.partition(".")[0]
    return "kme" if is_built_in else OTHERS[1]


def shades(colour: str, count: int, palest: float = PALEST) -> list[str]:
    """Return `count` shades of a colour "#RRGGBB", from pale to the colour itself."""
    full = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)])
    shares = np.linspace(palest, 1.0, count) if count > 1 else [1.0]
    return [_hex(255 - share * (255 - full)) for share in shares]


def _hex(parts):
    return "#" + "".join(f"{round(part):02X}" for part in parts)
