"""The markup of an exported file: the slider, the pictures, and the page around them."""

from __future__ import annotations

from explorer.markup import embedded, markup

from .look import STYLE

# the file promises that it fetches nothing, and a browser holds it to that; Bokeh makes functions of its scripts
ALLOWED = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"


def place(name):
    """The id of the element that a picture goes into."""
    return f"picture-{name}"


def figure(picture, beside=""):
    """A picture's place under its name, with what stands beside that."""
    inside = markup("<figcaption>{}{}</figcaption><div id='{}'></div>", picture.called, beside, place(picture.name))
    return markup("<figure>{}</figure>", inside)


def value(field, label, auto=None):
    """The slider's symbol and value, with the button of what the lab chooses: pressed, not, or None for no button."""
    press = (
        ""
        if auto is None
        else markup("<button id='auto' type='button' aria-pressed='{}'>auto</button>", str(auto).lower())
    )
    return markup("<span class='now'><i>{}</i><span id='value'>{}</span>{}</span>", field.symbol, label, press)


def slider(field, stops, stop, said, auto):
    """The slider over so many stops, at one of them, or below what the lab chooses."""
    return markup(
        "<div id='slider'><input id='stop' type='range' min='0' max='{}' step='1' value='{}'"
        " aria-label='{}, {}' aria-valuetext='{}' data-auto='{}'></div>",
        stops - 1,
        stop,
        field.symbol,
        field.unit or field.doc,
        said,
        "auto" if auto else "",
    )


def page(title, question, main, side, foot, scripts, html):
    """The whole file: a title and a question as text, the rest as HTML; `html` is what moves, element -> HTML."""
    return markup(
        """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{}"><link rel="icon" href="data:,">
<title>{} · Kernel Mean Explorer</title><style>{}</style></head><body>
<header><b>Kernel Mean Explorer</b><h1>{}</h1><p>{}</p></header>
<main><div id="headline">{}</div><div id="status" class="unseen" role="status"></div>
<div class="body"><div class="main">{}</div><div class="side">{}</div>
<div class="text"><p id="caption">{}</p>
<details><summary>The pictures in words</summary><div id="twin">{}</div></details>
<details><summary>The Python that computes these numbers</summary>
<pre id="python" tabindex="0">{}</pre></details>
<p class="state">{} · <code id="link">{}</code></p></div></div></main>
{}</body></html>
""",
        ALLOWED,
        title,
        embedded(STYLE),
        title,
        question,
        html["headline"],
        main,
        side,
        html["caption"],
        html["twin"],
        html["python"],
        foot,
        html["link"],
        scripts,
    )
