"""The markup of an exported file: the slider, the pictures, and the page around them."""

from __future__ import annotations

from html import escape

from .look import STYLE

# the file promises that it fetches nothing, and a browser holds it to that; Bokeh makes functions of its scripts
ALLOWED = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"


def place(name):
    """The id of the element that a picture goes into."""
    return f"picture-{name}"


def figure(picture, beside=""):
    """A picture's place under its name, with what stands beside that."""
    inside = f"<figcaption>{escape(picture.called)}{beside}</figcaption><div id='{place(picture.name)}'></div>"
    return f"<figure>{inside}</figure>"


def value(field, label, auto=None):
    """The slider's symbol and value, with the button of what the lab chooses: pressed, not, or None for no button."""
    press = "" if auto is None else f"<button id='auto' type='button' aria-pressed='{str(auto).lower()}'>auto</button>"
    return f"<span class='now'><i>{escape(field.symbol)}</i><span id='value'>{escape(label)}</span>{press}</span>"


def slider(field, stops, stop, said, auto):
    """The slider over so many stops, at one of them, or below what the lab chooses."""
    return (
        f"<div id='slider'><input id='stop' type='range' min='0' max='{stops - 1}' step='1' value='{stop}'"
        f" aria-label='{escape(field.symbol)}, {escape(field.unit or field.doc)}' aria-valuetext='{escape(said)}'"
        f" data-auto='{'auto' if auto else ''}'></div>"
    )


def page(title, question, main, side, foot, scripts, html):
    """The whole file: a title and a question as text, the rest as HTML; `html` is what moves, element -> HTML."""
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{ALLOWED}"><link rel="icon" href="data:,">
<title>{escape(title)} · Kernel Mean Explorer</title><style>{STYLE}</style></head><body>
<header><b>Kernel Mean Explorer</b><h1>{escape(title)}</h1><p>{escape(question)}</p></header>
<main><div id="headline">{html["headline"]}</div><div id="status" class="unseen" role="status"></div>
<div class="body"><div class="main">{main}</div><div class="side">{side}</div>
<div class="text"><p id="caption">{html["caption"]}</p>
<details><summary>The pictures in words</summary><div id="twin">{html["twin"]}</div></details>
<details><summary>The Python that computes these numbers</summary>
<pre id="python" tabindex="0">{html["python"]}</pre></details>
<p class="state">{foot} · <code id="link">{html["link"]}</code></p></div></div></main>
{scripts}</body></html>
"""
