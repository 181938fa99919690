"""A lab's state as one HTML file that needs no server and no network: with a working slider, or with pictures alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from bokeh.document import Document
from bokeh.models import ColumnDataSource
from bokeh.resources import Resources

from explorer.browser import REACH, call, call_statement, run, standing
from explorer.browser import script as modules
from explorer.browser.compression import compress_text
from explorer.library_patch import patches_are_on
from explorer.marks.description import describe_picture
from explorer.markup import Markup, joined, json_element, markup, script
from explorer.svg import draw_standalone
from explorer.views import rows
from explorer.views.legend import legend
from explorer.views.view import View
from explorer.views.words import in_words

from .lab_state import LabState, SliderState, is_auto
from .markup import SiteFiles, element_id, figure, page, slider, value
from .styles import style_figures

if TYPE_CHECKING:
    from explorer.views.rows import Tables
    from explorer.views.view import View
    from explorer.workbench.lab import Lab

PLAIN = Resources(mode="inline", components=["bokeh"], log_level="warn")  # without widgets, tables and TeX
THUMB = 20  # width of the slider's thumb in px, as in the style sheet
LARGE = 760.0  # width of the main picture of a page without a slider, in px
WORDS = re.compile(r"<[^>]*>|[^<\s]+|\s+|<")
Pattern: TypeAlias = list["str | list[str]"]  # parts of a text: one for all rows, or that of each row
Packed: TypeAlias = dict[str, Any]


def one_file(lab: Lab, name: str = "", site: SiteFiles | None = None) -> Markup:
    """Return a state of a lab as an HTML page whose slider the browser answers.

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
    state = SliderState.of(lab, name)
    view = View(state.pictures, state.result)
    every = [_texts(view, state, row, result) for row, result in enumerate(state.results)]
    row, auto = state.result.row, is_auto(state.result)
    now = _texts(view, state, row, state.result)  # it may be at a value that has no row
    label = value(state.field, state.labels[row], auto if state.chooses else None)
    main, *others = view.pictures.values()
    keys = view.legends(state.result, view.numbers(state.result))
    legends = {name: legend(keys.get(name, [])) for name in view.pictures}
    return page(
        state.tab,
        state.title,
        state.question,
        main=figure(main, label)
        + slider(state.field, state.labels[: state.stops], state.resting, now["said"], auto)
        + legends[main.name],
        side=joined(figure(each) + legends[each.name] for each in others),
        foot=state.foot,
        scripts=json_element("texts", _pack_texts(every)) + _scripts(view, state, site),
        html=now["html"],
        site=site,
    )


def still_file(lab: Lab, name: str, why: str, site: SiteFiles | None = None) -> Markup:
    """Return a state of a lab as a page without a slider.

    Parameters
    ----------
    lab : Lab
        The state.
    name : str
        Name of the state.
    why : str
        Explanation of the missing slider.
    site : SiteFiles or None, default None
        Files that the page shares with others.

    Returns
    -------
    Markup
        The page.
    """
    state = LabState.of(lab, name)
    main, *others = state.pictures
    twin = in_words(describe_picture(picture, state.result) for picture in state.pictures)
    return page(
        state.tab,
        state.title,
        state.question,
        main=_figure(draw_standalone(main, state.result, LARGE)) + markup("<p class='still'>{}</p>", why),
        side=joined(_figure(draw_standalone(picture, state.result)) for picture in others),
        foot=state.foot,
        scripts=markup(""),
        html=state.texts(state.result, twin),
        site=site,
        still=True,
    )


def shared_script() -> str:
    """Return the script that pages share: Bokeh and this project's modules, packed, and what unpacks them.

    Returns
    -------
    str
        The script. It sets `living`, a promise that they have run.
    """
    packed = compress_text(json.dumps("\n".join([*PLAIN.js_raw, modules()])))
    return f'globalThis.packedScripts = "{packed}";\n{standing.script("living")}'


def _texts(view, state, row, result):
    """Return the texts of a row and its result: the one for screen readers, and {element of the file: HTML}."""
    twin = in_words(view.words(result, view.numbers(result)).values())
    html = {"value": Markup.escape(state.labels[row]), **state.texts(result, twin)}
    return {"said": state.heard(row), "html": html}


def _pack_texts(every):
    """Return the texts of each row, element by element."""
    elements = {name: pack([each["html"][name] for each in every]) for name in every[0]["html"]}
    return {"said": [each["said"] for each in every], "html": elements}


def pack(texts: Sequence[str]) -> Packed:
    """Return texts as patterns: row i has the pattern `at[i]`, whose lists have a word for each of its rows, in order.

    The texts of many rows differ in a few words, and what they have in common is stored once. Rows with the same number
    of words share a pattern. `exported.js` reads the format.
    """
    words = [WORDS.findall(text) for text in texts]
    counts = list(dict.fromkeys(map(len, words)))
    patterns = [_pattern([row for row in words if len(row) == count]) for count in counts]
    return {"at": [counts.index(len(row)) for row in words], "patterns": patterns}


def _pattern(words: list[list[str]]) -> Pattern:
    """Return the words of rows: common ones as one text, the others as a list with the word of each row."""
    parts: Pattern = []
    for alike, places in groupby(zip(*words, strict=True), key=lambda place: len({*place}) == 1):
        if alike:
            parts.append("".join(place[0] for place in places))
        else:
            parts += map(list, places)
    return parts


def _scripts(view, state, site):
    """Return Bokeh's scripts and this project's.

    `render` is not used because it adds the addresses of scripts that other models of the process need.
    """
    tables = view.tables(state.result)
    if site is None:
        return joined([*map(script, PLAIN.js_raw), _live_scripts(view, tables, state.stops)])
    turn = script(_once_living("exported.turn", dict(site.tongues))) if site.tongues else ""
    live = _live_scripts(view, tables, state.stops, _once_living)
    return markup("<script src='{}'></script>{}", site.script, turn) + live


def _once_living(name, argument):
    """Return a call of a function, once the script that pages share has run."""
    return f"living.then(() => {call_statement(name, argument)})"


def _figure(drawing):
    return markup("<figure>{}</figure>", drawing)


def _live_scripts(view: View, tables: Tables, count: int, begin: Callable[[str, object], str] = run) -> Markup:
    """Return the scripts of a view whose slider has `count` stops, and of its tables.

    `begin` returns the code of a call: with this project's modules, or without them if the page has them already.
    """
    painted, document = style_figures(view), Document()
    for name, picture in view.pictures.items():
        document.add_root(picture.plot)
        if picture.slider_line:
            _let_drag(picture, tables[f"{name}.{picture.slider_line}", "x"][:count, 0])
    view.hero.js_on_change("inner_width", call("exported.align", thumb=THUMB))
    packed = rows.packed(tables)
    args = {
        "table": ColumnDataSource({"flat": packed.flat}),
        "starts": packed.starts,
        "lengths": packed.lengths,
        "sources": list(view.sources.values()),
        "targets": rows.targets(view.sources, view.targets),
        "count": count,
        "painted": painted,
        "shaded": [(mapper, *palettes) for mapper, palettes in view.paint.shaded],
    }
    document.js_on_event("document_ready", call("exported.begin", **args))
    # `components` is not used because it also fetches the scripts of other models of the process, such as Panel's.
    whole = document.to_json(deferred=False)
    roots = {plot.id: element_id(name) for name, plot in view.figures.items()}
    item = {"docid": "lab", "roots": roots, "root_ids": list(roots)}
    file = {"item": item} if patches_are_on() else {"item": item, "unpatched": True}
    return json_element("lab", {**whole, "defs": []}) + script(begin("exported.embed", file))


def _let_drag(picture, places):
    """Connect the dragging of a picture's line to the positions of the slider's stops."""
    line, stops = picture.sources[picture.slider_line], ColumnDataSource({"x": places})
    drag = call("exported.dragLine", line=line, stops=stops, column="x", reach=REACH)
    picture.plot.js_on_change("inner_width", drag)
