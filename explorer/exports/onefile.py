"""One HTML file for a state of a lab whose slider the browser answers: no server, no network, the slider alive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bokeh.resources import Resources

from explorer.checks import Refusal
from explorer.markup import Markup, held, joined, script
from explorer.printing import listed
from explorer.views.legend import legend
from explorer.views.view import View
from explorer.workbench import registry
from explorer.workbench.cost import refuse_too_much

from .alive import alive
from .markup import figure, page, slider, value
from .paper import foot
from .texts import is_auto, labels, places_of_line, resting_stop, texts

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab

PLAIN = Resources(mode="inline", components=["bokeh"], log_level="warn")  # no widgets, no tables, no TeX


def exportable() -> tuple[str, ...]:
    """The names of the labs that have a slider which the browser can answer."""
    return tuple(name for name, entry in registry.entries().items() if entry.lab.slider)


def one_file(lab: Lab, name: str = "") -> Markup:
    """A state of a lab as an HTML page; `name` is what it is called, such as that of a preset.

    Refusal where the slider needs a server at this state.
    """
    entry = registry.entry(registry.name_of(type(lab)))
    if not lab.slider:
        raise Refusal(
            f"{entry.title} has no slider that a browser can answer, so a file of it would stand still; these labs"
            f" have one: {listed(exportable())}."
        )
    refuse_too_much(lab.cost)
    result, field = lab.result(wait=True), type(lab).fields[lab.slider]
    if not (result.answers and View(_seen(entry, result), result).targets):
        raise Refusal(
            f"At this state of {entry.title} the slider of {field.symbol} needs a server, so a file of it would stand"
            " still; take a preset, or fewer points."
        )
    return _page(entry, name, result, field)


def _seen(entry, result):
    """The pictures of a state that need no server."""
    return [each for each in registry.seen(registry.name_of(entry.lab), result) if each.answers]


def _page(entry, name, result, field):
    """The file of a result whose slider moves a field."""
    stops = len(result.stops)
    view = View(_seen(entry, result), result)
    tables, places = view.tables(result), places_of_line(view, result)
    rows = max(map(len, tables.values()))
    said = labels(result, places, rows)
    states = [result.at(stop) for stop in (*result.stops, None)[:rows]]
    every = [texts(view, *each) for each in zip(states, said, strict=False)]
    now = texts(view, result, said[result.row])
    auto = is_auto(result)
    shown = value(field, said[result.row], auto if rows > stops else None)
    main, *others = view.pictures.values()
    return page(
        " · ".join(filter(None, (entry.title, name))),
        entry.question,
        main=figure(main, shown)
        + slider(field, stops, resting_stop(result, places), now["said"], auto)
        + legend(view.legend(result, view.numbers(result)), lambda role: f"var(--{role})"),
        side=joined(map(figure, others)),
        foot=foot(result.lab),
        scripts=joined([held("texts", every), _bokeh(), alive(view, tables, stops)]),
        html=now["html"],
    )


def _bokeh():
    """Bokeh's scripts; not by `render`, which adds addresses of scripts that other models of the process ask for."""
    return joined(script(code) for code in PLAIN.js_raw)
