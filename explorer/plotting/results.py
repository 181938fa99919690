"""The pictures of a lab's result: those that its page shows, each under its own title, over its own axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .drawings import Drawing, Panels
from .lab_picture import picture_named, visible_pictures

if TYPE_CHECKING:
    from explorer.workbench import Result


COLUMNS = 2  # number of pictures side by side


def of_result(result: Result[Any], picture: str | None = None) -> Drawing | Panels:
    """Draw all pictures that a lab's result shows, or the one of a name.

    Parameters
    ----------
    result : Result
        A lab's result. That of `result(wait=True)` also has the stages that take long.
    picture : str or None, default None
        The name of a picture. None draws all that the page shows.

    Returns
    -------
    drawing : Drawing or Panels
        One picture, or several. Data that follow the lab's slider are those of the result.
    """
    if picture is not None:
        return Drawing(picture_named(result, picture), result)
    return Panels([Drawing(each, result) for each in visible_pictures(result).values()], COLUMNS)
