"""Footer of a picture that leaves the page: sizes, seed, version and licence."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.public_names.help_text import LICENCE, VERSION

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab

SIZES = ("n", "m")
SEEDS = ("seed",)


def foot(lab: Lab, moved: str = "") -> str:
    """Return the line under a picture, such as "n = 20, seed 1 · Kernel Mean Explorer VERSION · BSD-3-Clause".

    `moved` is a field that is left out because it has several values.
    """
    fields = {name: field for name, field in type(lab).fields.items() if name != moved}
    sizes = [f"{fields[name].symbol} = {getattr(lab, name):,}" for name in SIZES if name in fields]
    seeds = [f"{name} {getattr(lab, name)}" for name in SEEDS if name in fields]
    return " · ".join(filter(None, [", ".join([*sizes, *seeds]), f"Kernel Mean Explorer {VERSION}", LICENCE]))
