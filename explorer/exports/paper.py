"""Texts around a picture that leaves the page: its title, its legend entries, and a footer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.marks.legend import keys_of
from explorer.marks.roles import FONT, INK, ROLES
from explorer.public_names.help_text import LICENCE, VERSION

if TYPE_CHECKING:
    from explorer.views.bokeh_picture import BokehPicture
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


def picture_texts(picture: BokehPicture, result: Any) -> dict[str, Any]:
    """Return the texts around a picture of a result, drawn by a view: its title, its legend entries, and the footer.

    Parameters
    ----------
    picture : BokehPicture
        The picture.
    result : Result
        The result that it shows.

    Returns
    -------
    dict
        Texts and colours by name.
    """
    keys = keys_of(picture.of, result, picture.data(result))
    return {
        "title": picture.called,
        "keys": [(key.words, key.sign, key.strokes, key.opacity, *_tints(key.role)) for key in keys],
        "foot": foot(result.lab),
        "ink": INK,
        "font": FONT,
    }


def _tints(role):
    """Return the colours of a role on a light and on a dark ground, or twice a colour."""
    return (role, role) if role.startswith("#") else ROLES[role]
