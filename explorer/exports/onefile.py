"""One HTML file for a state of a lab whose slider the browser answers: no server, no network, the slider alive."""

from __future__ import annotations

from html import escape

from bokeh.resources import Resources

from explorer.checks import Refusal
from explorer.printing import listed
from explorer.views.legend import legend
from explorer.views.picture import View
from explorer.workbench import registry
from explorer.workbench.cost import refuse_too_much
from explorer.workbench.links import address
from explorer.workbench.numbers import number, word

from .alive import alive, held, place
from .look import STYLE
from .paper import foot

AUTO = "auto"  # the word for a value that the lab chooses by itself
PLAIN = Resources(mode="inline", components=["bokeh"], log_level="warn")  # no widgets, no tables, no TeX
# the file promises that it fetches nothing, and a browser holds it to that; Bokeh makes functions of its scripts
ALLOWED = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"


def exportable():
    """The names of the labs that have a slider which the browser can answer."""
    return tuple(name for name, entry in registry.entries().items() if entry.lab.slider)


def one_file(lab, name=""):
    """A state of a lab as the text of an HTML page; `name` is what it is called, such as that of a preset.

    Refusal where the slider needs a server at this state.
    """
    lab_name = registry.name_of(type(lab))
    entry = registry.entry(lab_name)
    if lab.slider is None:
        raise Refusal(
            f"{entry.title} has no slider that a browser can answer, so a file of it would stand still; these labs"
            f" have one: {listed(exportable())}."
        )
    refuse_too_much(lab.cost)
    result = lab.result(wait=True)
    if not result.answers:
        raise Refusal(
            f"At this state of {entry.title} the slider of {_symbol(lab)} needs a server, so a file of it would stand"
            " still; take a preset, or fewer points."
        )
    figures, words, script = (registry.role(lab_name, role) for role in ("figures", "words", "script"))
    view = View([each for each in figures.PICTURES if each.seen(result) and each.answers], result)
    tables = view.tables(result)
    rows = max(map(len, tables.values()))
    labels = _labels(result, view, rows)
    texts = {"sentences": [words.headline(result, row) for row in range(rows)], "words": labels}
    return _page(
        title=" · ".join(filter(None, (entry.title, name))),
        question=entry.question,
        headline=words.headline(result, result.row),
        pictures=_pictures(result, view, labels, rows > len(result.stops)),
        caption=words.caption(result),
        state=f"{escape(foot(lab))} · <code>{escape(address(lab_name, lab))}</code>",
        twin="".join(f"<p>{escape(sentence)}</p>" for sentence in words.twin(result)),
        python=escape(script.python(result)),
        scripts=f"{held('words', texts)}{_bokeh()}{alive(view, tables, len(result.stops))}",
    )


def _bokeh():
    """Bokeh's scripts; not by `render`, which adds addresses of scripts that other models of the process ask for."""
    return "".join(f"<script>{script}</script>" for script in PLAIN.js_raw)


def _symbol(lab):
    return type(lab).fields[lab.slider].symbol


def _labels(result, view, rows):
    """What the slider says at each row: three digits of its stop, or all where three would read like another's.

    A last one is of what the lab chooses by itself: the number that a picture's line stands at, or that word.
    """
    labels = [number(stop) for stop in result.stops]
    labels = [each if labels.count(each) == 1 else word(stop) for each, stop in zip(labels, result.stops, strict=True)]
    if max(rows, result.row + 1) == len(labels):
        return labels
    if (places := _places(view, result)) is None:
        return [*labels, AUTO]
    *there, chosen = places
    return [*labels, labels[there.index(chosen)] if chosen in there else number(chosen)]


def _places(view, result):
    """Where the line that stands where the slider does is at each row; None where no picture has one."""
    for each in view.pictures.values():
        if each.upright:
            return each.table(result)[each.upright, "x"][:, 0].tolist()
    return None


def _pictures(result, view, labels, back):
    """The main picture with the slider under it and the legend, and the others beside it.

    `back` says whether there is a way back to what the lab chooses by itself.
    """
    strokes = registry.role(registry.name_of(type(result.lab)), "words").strokes(result)
    (main, *others), field = view.pictures.values(), type(result.lab).fields[result.lab.slider]
    is_auto, label = result.row >= len(result.stops), labels[result.row]
    name, said = f"{field.symbol}, {field.unit or field.doc}", f"{label}, {AUTO}" if is_auto else label
    auto = f"<button id='auto' type='button' aria-pressed='{str(is_auto).lower()}'>{AUTO}</button>" if back else ""
    now = f"<span class='now'><i>{escape(field.symbol)}</i><span id='value'>{label}</span>{auto}</span>"
    slider = (
        f"<div id='slider'><input id='stop' type='range' min='0' max='{len(result.stops) - 1}' step='1'"
        f" value='{_stop(result, view)}' aria-label='{escape(name)}' aria-valuetext='{said}'"
        f" data-auto='{AUTO if is_auto else ''}'></div>"
    )
    beside = "".join(_picture(each) for each in others)
    return (
        f"<div class='main'>{_picture(main, now)}{slider}"
        f"{legend(strokes, lambda role: f'var(--{role})')}</div><div class='side'>{beside}</div>"
    )


def _picture(picture, now=""):
    return (
        f"<figure><figcaption>{escape(picture.called)}{now}</figcaption><div id='{place(picture.name)}'></div></figure>"
    )


def _stop(result, view):
    """Where the slider's thumb rests: of a value that the lab chooses at the nearest stop, or in the middle."""
    if result.row < len(result.stops):
        return result.row
    if (places := _places(view, result)) is None:
        return len(result.stops) // 2
    return min(range(len(result.stops)), key=lambda stop: abs(places[stop] - places[-1]))


def _page(title, question, headline, pictures, caption, state, twin, python, scripts):
    """The page of these parts, which are HTML but for the title and the question."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{ALLOWED}"><link rel="icon" href="data:,">
<title>{escape(title)} · Kernel Mean Explorer</title><style>{STYLE}</style></head><body>
<header><b>Kernel Mean Explorer</b><h1>{escape(title)}</h1><p>{escape(question)}</p></header>
<main><div id="headline">{headline}</div><div id="status" class="unseen" role="status"></div>
<div class="body">{pictures}<div class="text"><p class="caption">{caption}</p>
<details><summary>The pictures in words, as this file was saved</summary>{twin}</details>
<details><summary>The Python that computes these numbers</summary><pre tabindex="0">{python}</pre></details>
<p class="state">{state}</p></div></div></main>
{scripts}</body></html>
"""
