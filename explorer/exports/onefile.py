"""One HTML file for a state of a lab whose slider the browser answers: no server, no network, a working slider."""

from __future__ import annotations

from typing import TYPE_CHECKING

from bokeh.resources import Resources

from explorer.browser import script as modules
from explorer.browser import spoken
from explorer.languages import translate
from explorer.markup import Markup, joined, json_element, markup, script
from explorer.views.legend import legend
from explorer.views.view import View
from explorer.workbench import registry
from explorer.workbench.titles import titled

from .live_scripts import live_scripts
from .markup import SiteFiles, figure, page, slider, value
from .paper import foot
from .rows import pack
from .slider_state import slider_state
from .texts import is_auto, labels, line_positions, resting_stop, texts

if TYPE_CHECKING:
    from explorer.workbench.lab import Lab

PLAIN = Resources(mode="inline", components=["bokeh"], log_level="warn")  # without widgets, tables and TeX


def one_file(lab: Lab, name: str = "", site: SiteFiles | None = None) -> Markup:
    """Return a state of a lab as an HTML page.

    Parameters
    ----------
    lab : Lab
        The state.
    name : str, default ""
        Name of the state, such as that of a preset.
    site : SiteFiles or None, default None
        Files that the page shares with others: one script then serves many pages, see `shared_script`.

    Returns
    -------
    Markup
        The page.

    Raises
    ------
    Refusal
        If the slider needs a server at this state.
    """
    entry, result, field, pictures = slider_state(lab)
    return _page(entry, name, result, field, View(pictures, result), site)


def shared_script() -> str:
    """Return the script that pages share: Bokeh, and this project's modules.

    Returns
    -------
    str
        The script.
    """
    return "\n".join([*PLAIN.js_raw, modules()])


def _page(entry, name, result, field, view, site):
    """Return the page of a result whose slider moves a field."""
    stops = len(result.stops)
    tables, places = view.tables(result), line_positions(view.pictures.values(), result)
    rows = max(map(len, tables.values()))
    values = labels(result, places, rows)
    states = [result.at(stop) for stop in (*result.stops, None)[:rows]]
    every = [texts(view, *each) for each in zip(states, values, strict=False)]
    now = texts(view, result, values[result.row])
    auto = is_auto(result)
    label = value(field, values[result.row], auto if rows > stops else None)
    main, *others = view.pictures.values()
    return page(
        titled(registry.name_of(entry.lab), result),
        " · ".join(translate(each) for each in (entry.title, name) if each),
        translate(entry.question),
        main=figure(main, label)
        + slider(field, stops, resting_stop(result, places), now["said"], auto)
        + legend(view.legend(result, view.numbers(result)), lambda role: f"var(--{role})"),
        side=joined(map(figure, others)),
        foot=foot(result.lab),
        scripts=json_element("texts", _pack_texts(every)) + _scripts(view, tables, stops, site),
        html=now["html"],
        site=site,
    )


def _pack_texts(every):
    """Return the texts of each row, element by element."""
    elements = {name: pack([each["html"][name] for each in every]) for name in every[0]["html"]}
    return {"said": [each["said"] for each in every], "html": elements}


def _scripts(view, tables, stops, site):
    """Return Bokeh's scripts and this project's.

    `render` is not used because it adds the addresses of scripts that other models of the process need.
    """
    if site is None:
        return joined([*map(script, PLAIN.js_raw), live_scripts(view, tables, stops)])
    turn = script(spoken("exported.turn", dict(site.tongues))) if site.tongues else ""
    return markup("<script src='{}'></script>{}", site.script, turn) + live_scripts(view, tables, stops, spoken)
