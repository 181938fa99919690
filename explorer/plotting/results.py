"""The pictures of a lab's result, by their names: those that its page shows, and one of them as an SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal, echo, join_list
from explorer.markup import Markup

from .drawings import Drawing, Panels

if TYPE_CHECKING:
    from explorer.marks.picture import Picture
    from explorer.workbench.result import Result


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


def lab_of(result: Result[Any]) -> str:
    """Return the name of the lab of a result.

    Raises
    ------
    Refusal
        If it is not one of the explorer's labs.
    """
    from explorer.workbench import registry  # imported here, because the picture of a test does not need the labs

    found = (name for name, entry in registry.entries().items() if isinstance(result.lab, entry.lab))
    if (name := next(found, None)) is None:
        raise Refusal(f"plot knows no pictures of {echo(result)}: its lab is not one of {join_list(registry.names())}.")
    return name


def pictures_of(result: Result[Any]) -> tuple[Picture, ...]:
    """Return all pictures of the lab of a result."""
    from explorer.workbench import registry

    return tuple(registry.pictures(lab_of(result)))


def visible_pictures(result: Result[Any]) -> dict[str, Picture]:
    """Return name -> picture for those that the lab's page shows, in its order."""
    from explorer.workbench import registry

    return {each.name: each for each in registry.visible_pictures(lab_of(result), result)}


def picture_named(result: Result[Any], picture: str) -> Picture:
    """Return the picture of a name.

    Raises
    ------
    Refusal
        If the page shows no picture of this name. The message lists those that it shows.
    """
    seen = visible_pictures(result)
    if picture in seen:
        return seen[picture]
    known = picture in {each.name for each in pictures_of(result)}
    why = "which this state of the lab does not show" if known else "unknown"
    raise Refusal(f"picture must be one of {join_list(seen)}, not {echo(picture)}, {why}.")


def lab_picture(result: Result[Any], picture: str | None = None) -> Markup:
    """Return a picture of a lab's result as a standalone SVG: the named one, or the first that its page shows."""
    from explorer.svg import draw_standalone

    return draw_standalone(
        next(iter(visible_pictures(result).values())) if picture is None else picture_named(result, picture), result
    )
