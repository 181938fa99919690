"""Two-minute tour: four labs, each with one sentence and one thing to try. A link carries the number of the stop."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from explorer.languages import linked, translate
from explorer.markup import markup
from explorer.workbench import registry

if TYPE_CHECKING:
    from explorer.markup import Markup


class Stop(NamedTuple):
    """Stop of the tour: a lab in its default state. In `do`, {field} stands for the label of that field's control."""

    lab: str
    says: str
    do: str


STOPS = (
    Stop(
        "twosample",
        "Two samples differ if their MMD² (the solid black line) lies beyond the values that chance gives (the bars).",
        "Lower “{size}” to 0.1 and watch the line move into the bars.",
    ),
    Stop(
        "shrinkage",
        "Shrinking the average towards 0 lowers its squared error: the curves dip below the line of the plain average.",
        "Drag the vertical line to the right until shrinking does harm.",
    ),
    Stop(
        "monk",
        "Outliers pull the U-statistic far away, while the median of the blocks stays near the truth.",
        "Raise “{outliers}” by one: now most blocks are contaminated, and the median fails too.",
    ),
    Stop(
        "conditional",
        "The pairs near x carry most of the weight, and the weighted pairs together give the density of y at that x.",
        "Drag the vertical line along the pairs and watch the density follow.",
    ),
)
START = f"{STOPS[0].lab}?tour=1"


def stop_in(word: str, name: str) -> int:
    """Return the stop, counted from 1, that a link's `tour` parameter names for a lab, or 0 if there is none."""
    stop = int(word) if word.isdecimal() and len(word) == 1 else 0
    return stop if 0 < stop <= len(STOPS) and STOPS[stop - 1].lab == name else 0


def address(stop: int) -> str:
    """Return the address of a stop. Before the first and after the last stop it is the home page."""
    return f"{STOPS[stop - 1].lab}?tour={stop}" if 0 < stop <= len(STOPS) else "./"


def bar(stop: int) -> Markup:
    """Return the tour's bar above a lab: the number of the stop, what to see, what to try, and the links onward."""
    here, last = STOPS[stop - 1], stop == len(STOPS)
    return markup(
        "<nav class='tour' aria-label='Tour'><b>Tour: {} of {}</b><p>{} <b>Try it:</b> {}</p><div><a href='{}'>{}</a>"
        "<a class='next' href='{}'>{}</a></div></nav>",
        stop,
        len(STOPS),
        translate(here.says),
        translate(here.do, **labels(here.lab)),
        linked(address(stop - 1)),
        translate("Back" if stop > 1 else "Leave the tour"),
        linked(address(stop + 1)),
        translate("Finish") if last else translate("Next: {}", translate(registry.entry(STOPS[stop].lab).title)),
    )


def labels(name: str) -> dict[str, str]:
    """Return the labels of a lab's controls, by field."""
    return {field: translate(each.label) for field, each in registry.entry(name).lab.labelled().items()}
