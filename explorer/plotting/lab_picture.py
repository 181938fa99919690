"""The pictures of a lab's result, by their names, and one of them as an SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal, echo, join_list
from explorer.markup import Markup

if TYPE_CHECKING:
    from explorer.marks.picture import Picture
    from explorer.workbench.result import Result


def lab_of(result: Result[Any]) -> str:
    """The name of the lab of a result; a sentence where it is none that the explorer knows."""
    from explorer.workbench import registry  # imported late: a test's picture does without the labs

    found = (name for name, entry in registry.entries().items() if isinstance(result.lab, entry.lab))
    if (name := next(found, None)) is None:
        raise Refusal(f"plot knows no pictures of {echo(result)}: its lab is not one of {join_list(registry.names())}.")
    return name


def pictures_of(result: Result[Any]) -> tuple[type[Picture], ...]:
    """All pictures of the lab of a result."""
    from explorer.workbench import registry

    return registry.role(lab_of(result), "figures").PICTURES


def seen_in(result: Result[Any]) -> dict[str, type[Picture]]:
    """name -> picture, of those that its page shows, the first first."""
    from explorer.workbench import registry

    return {each.name: each for each in registry.visible_pictures(lab_of(result), result)}


def chosen(result: Result[Any], picture: str) -> type[Picture]:
    """The picture of a name; a sentence with the names of all that its page shows where it is none of them."""
    seen = seen_in(result)
    if picture in seen:
        return seen[picture]
    known = picture in {each.name for each in pictures_of(result)}
    why = "which this state of the lab does not show" if known else "unknown"
    raise Refusal(f"picture must be one of {join_list(seen)}, not {echo(picture)}, {why}.")


def lab_picture(result: Result[Any], picture: str | None = None) -> Markup:
    """A picture of a lab's result as an SVG that stands alone; the first that its page shows, unless one is named."""
    from explorer.svg import draw_standalone

    return draw_standalone(next(iter(seen_in(result).values())) if picture is None else chosen(result, picture), result)
