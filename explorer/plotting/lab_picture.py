"""One picture of a lab's result as an SVG, by its name."""

from __future__ import annotations

import sys

from explorer.checks import Refusal, shown
from explorer.markup import Markup
from explorer.printing import listed


def is_lab_result(thing):
    """Whether it is what a lab shows, without importing the labs: nobody has one who has not."""
    results = sys.modules.get("explorer.workbench.result")
    return results is not None and isinstance(thing, results.Result)


def lab_picture(result, picture: str | None = None) -> Markup:
    """A picture of a lab's result as an SVG that stands alone; the first that its page shows, unless one is named.

    A sentence with the names of all that its state shows where there is no such picture.
    """
    from explorer.svg import drawn_alone
    from explorer.workbench import registry

    name = registry.name_of(type(result.lab))
    every = registry.role(name, "figures").PICTURES
    seen = {each.name: each for each in every if each.seen(result)}
    if picture is None:
        picture = next(iter(seen))
    if picture not in seen:
        where = "which this state of the lab does not show" if picture in {each.name for each in every} else "unknown"
        raise Refusal(f"picture must be one of {listed(seen)}, not {shown(picture)}, {where}.")
    # a picture that names its strokes itself has the rest of the legend to itself
    of_first = every[0].named(result) and seen[picture] is not every[0]
    return drawn_alone(seen[picture], result, strokes=() if of_first else registry.role(name, "words").strokes(result))
