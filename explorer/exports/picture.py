"""What `paper.js` writes around a picture that is a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.marks.legend import keys_of
from explorer.marks.roles import FONT, INK, ROLES

from .paper import foot

if TYPE_CHECKING:
    from explorer.views.bokeh_picture import BokehPicture


def around(picture: BokehPicture, result: Any) -> dict[str, Any]:
    """What is written around a picture of a result, as a view draws it: its title, its keys, and the line below."""
    keys = keys_of(picture.of, result, picture.data(result))
    return {
        "title": picture.called,
        "keys": [(words, sign, *ROLES[role]) for words, role, sign in keys],
        "foot": foot(result.lab),
        "ink": INK,
        "font": FONT,
    }
