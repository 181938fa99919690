"""One HTML file for a state of a lab whose slider the browser answers: no server, no network, the slider alive."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bokeh.resources import Resources

from explorer.browser import call_statement
from explorer.browser import script as modules
from explorer.languages import translate
from explorer.markup import Markup, joined, json_element, markup, script
from explorer.views.legend import legend
from explorer.views.view import View
from explorer.workbench import registry
from explorer.workbench.titles import titled

from .alive import alive
from .markup import Beside, figure, page, slider, value
from .paper import foot
from .rows import packed
from .sliding import sliding
from .texts import is_auto, labels, places_of_line, resting_stop, texts

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab

PLAIN = Resources(mode="inline", components=["bokeh"], log_level="warn")  # no widgets, no tables, no TeX


def one_file(lab: Lab, name: str = "", beside: Beside | None = None) -> Markup:
    """A state of a lab as an HTML page; `name` is what it is called, such as that of a preset.

    With what is `beside` it, one script serves many such pages, see `shared_script`. Refusal where the slider needs a
    server at this state.
    """
    entry, result, field, pictures = sliding(lab)
    return _page(entry, name, result, field, View(pictures, result), beside)


def shared_script() -> str:
    """The script that pages share: Bokeh, and what the pages do by it."""
    return "\n".join([*PLAIN.js_raw, modules()])


def _page(entry, name, result, field, view, beside):
    """The file of a result whose slider moves a field."""
    stops = len(result.stops)
    tables, places = view.tables(result), places_of_line(view.pictures.values(), result)
    rows = max(map(len, tables.values()))
    values = labels(result, places, rows)
    states = [result.at(stop) for stop in (*result.stops, None)[:rows]]
    every = [texts(view, *each) for each in zip(states, values, strict=False)]
    now = texts(view, result, values[result.row])
    auto = is_auto(result)
    shown = value(field, values[result.row], auto if rows > stops else None)
    main, *others = view.pictures.values()
    return page(
        titled(registry.name_of(entry.lab), result),
        " · ".join(translate(each) for each in (entry.title, name) if each),
        translate(entry.question),
        main=figure(main, shown)
        + slider(field, stops, resting_stop(result, places), now["said"], auto)
        + legend(view.legend(result, view.numbers(result)), lambda role: f"var(--{role})"),
        side=joined(map(figure, others)),
        foot=foot(result.lab),
        scripts=json_element("texts", _packed(every)) + _scripts(view, tables, stops, beside),
        html=now["html"],
        beside=beside,
    )


def _packed(every):
    """What is said at each row, element by element."""
    elements = {name: packed([each["html"][name] for each in every]) for name in every[0]["html"]}
    return {"said": [each["said"] for each in every], "html": elements}


def _scripts(view, tables, stops, beside):
    """Bokeh's scripts and ours; not by `render`, which adds addresses that other models of the process ask for."""
    if beside is None:
        return joined([*map(script, PLAIN.js_raw), alive(view, tables, stops)])
    turn = script(call_statement("exported.turn", dict(beside.tongues))) if beside.tongues else ""
    return markup("<script src='{}'></script>{}", beside.script, turn) + alive(view, tables, stops, call_statement)
