"""Markup of an exported file: the slider, the pictures, and the page around them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.languages import current_language, name_of, translate
from explorer.markup import Markup, embedded, joined, markup, meant

from .styles import STYLE

if TYPE_CHECKING:
    from explorer.views.bokeh_picture import BokehPicture

# The browser enforces that the file fetches nothing. Bokeh makes functions from scripts, hence 'unsafe-eval'.
ALLOWED = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
SHARED = ALLOWED.replace("script-src", "script-src 'self'")  # for a file that shares a script with others

PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{allowed}"><link rel="icon" href="data:,">
<title>{tab}</title><style>{style}</style></head><body{ready}>
<header>{home}<h1>{title}</h1><p>{question}</p>{tongues}</header>
<main><div id="headline">{headline}</div><div id="status" class="unseen" role="status"></div>
<div class="body"><div class="main">{main}</div><div class="side">{side}</div>
<div class="text"><p id="caption">{caption}</p>
<details><summary>{in_words}</summary><div id="twin">{twin}</div></details>
<details><summary>{in_python}</summary>
<pre id="python" tabindex="0">{python}</pre></details>
<p class="state">{foot}<br>{whole} <code>python -m explorer serve</code>, <code id="link">{link}</code></p>
</div></div></main>
{scripts}</body></html>
"""


def element_id(name: str) -> str:
    """Return the id of the element that contains a picture."""
    return f"picture-{name}"


def figure(picture: BokehPicture, extra: str | Markup = "") -> Markup:
    """Return the element of a picture with its name, followed by `extra`."""
    name = markup("<figcaption>{}{}</figcaption>", picture.called, extra)
    return markup("<figure>{}<div id='{}'></div></figure>", name, element_id(picture.name))


def value(field: Any, label: str, auto: bool | None = None) -> Markup:
    """Return the slider's symbol and value, with the button for the value that the lab chooses.

    The button is pressed, not pressed, or missing if `auto` is None.
    """
    pressed = str(auto).lower()
    button = markup("<button id='auto' type='button' aria-pressed='{}'>auto</button>", pressed)
    press = "" if auto is None else button
    return markup("<span class='now'><i>{}</i><span id='value'>{}</span>{}</span>", field.symbol, label, press)


def slider(field: Any, stops: int, stop: int, said: str, auto: bool) -> Markup:
    """Return the slider with its stops, at one of them, or with its thumb below the value that the lab chooses."""
    ends = markup("min='0' max='{}' step='1' value='{}'", stops - 1, stop)
    labels = markup("aria-label='{}, {}' aria-valuetext='{}'", field.symbol, field.unit or field.doc, said)
    state = markup("data-auto='{}'", "auto" if auto else "")
    return markup("<div id='slider'><input id='stop' type='range' {} {} {}></div>", ends, labels, state)


class SiteFiles(NamedTuple):
    """Files of a site next to an exported one: the script that all files share, and the page that lists them.

    Attributes
    ----------
    script : str
        Address of the shared script.
    home : str
        Address of the page that lists the files.
    tongues : dict
        {code of a language: file in it}, for languages other than the file's own.
    """

    script: str
    home: str
    tongues: Mapping[str, str] = MappingProxyType({})


def page(
    tab: str,
    title: str,
    question: str,
    main: Markup,
    side: Markup,
    foot: str,
    scripts: Markup,
    html: Mapping[str, Markup],
    site: SiteFiles | None = None,
    still: bool = False,
) -> Markup:
    """Return the whole file: a title for its tab, a title above it, a question and a foot as text, the rest as markup.

    `html` maps the elements that change to their contents. `site` are the files that this one shares with others;
    without it, the file needs nothing else. `still` tells whether it needs no script.
    """
    name = markup("<b>Kernel Mean Explorer</b>")
    home = name if site is None else markup("<a href='{}'>{}</a>", site.home, name)
    parts = {
        "language": current_language(),
        "main": meant(main),
        "side": meant(side),
        "scripts": meant(scripts),
        **html,
    }
    tongues = {} if site is None else site.tongues
    parts["tongues"] = joined(
        markup("<a class='tongue' href='{}' lang='{}' hreflang='{}'>{}</a>", file, code, code, name_of(code))
        for code, file in tongues.items()
    )
    parts["in_words"], parts["in_python"] = (
        translate("The pictures in words"),
        translate("The Python that computes these numbers"),
    )
    parts["whole"] = translate("The whole lab, by its server and at this address:")
    ready = markup(" class='ready'") if still else ""
    allowed = ALLOWED if site is None else SHARED
    return markup(
        PAGE, style=embedded(STYLE), allowed=allowed, tab=tab, ready=ready, home=home, title=title, question=question,
        foot=foot, **parts,
    )  # fmt: skip
