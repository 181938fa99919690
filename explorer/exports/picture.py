"""Texts that `paper.js` writes around a picture in a file of its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.marks.legend import keys_of
from explorer.marks.roles import FONT, INK, ROLES

from .paper import foot

if TYPE_CHECKING:
    from explorer.views.bokeh_picture import BokehPicture


def picture_texts(picture: BokehPicture, result: Any) -> dict[str, Any]:
    """Return the texts around a picture of a result, drawn by a view: its title, its legend entries, and the footer.

    Parameters
    ----------
    picture : Drawn
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
        "keys": [(words, sign, *ROLES[role]) for words, role, sign in keys],
        "foot": foot(result.lab),
        "ink": INK,
        "font": FONT,
    }
