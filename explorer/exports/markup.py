"""The markup of an exported file: the slider, the pictures, and the page around them."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.languages import NAMES, current_language, translate
from explorer.markup import Markup, embedded, joined, markup, meant

from .look import STYLE

if TYPE_CHECKING:
    from explorer.views.bokeh_picture import BokehPicture

# the file promises that it fetches nothing, and a browser holds it to that; Bokeh makes functions of its scripts
ALLOWED = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
SHARED = ALLOWED.replace("script-src", "script-src 'self'")  # with a script beside it

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


def place(name: str) -> str:
    """The id of the element that a picture goes into."""
    return f"picture-{name}"


def figure(picture: BokehPicture, beside: str | Markup = "") -> Markup:
    """A picture's place under its name, with what stands beside that."""
    name = markup("<figcaption>{}{}</figcaption>", picture.called, beside)
    return markup("<figure>{}<div id='{}'></div></figure>", name, place(picture.name))


def value(field: Any, label: str, auto: bool | None = None) -> Markup:
    """The slider's symbol and value, with the button of what the lab chooses: pressed, not, or None for no button."""
    pressed = str(auto).lower()
    button = markup("<button id='auto' type='button' aria-pressed='{}'>auto</button>", pressed)
    press = "" if auto is None else button
    return markup("<span class='now'><i>{}</i><span id='value'>{}</span>{}</span>", field.symbol, label, press)


def slider(field: Any, stops: int, stop: int, said: str, auto: bool) -> Markup:
    """The slider over so many stops, at one of them, or below what the lab chooses."""
    ends = markup("min='0' max='{}' step='1' value='{}'", stops - 1, stop)
    told = markup("aria-label='{}, {}' aria-valuetext='{}'", field.symbol, field.unit or field.doc, said)
    given = markup("data-auto='{}'", "auto" if auto else "")
    return markup("<div id='slider'><input id='stop' type='range' {} {} {}></div>", ends, told, given)


class Beside(NamedTuple):
    """What a file of a site finds beside it: the script that all files share, the page that lists them, and itself.

    tongues  code of a language -> the file in it, of languages other than the file's own
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
    beside: Beside | None = None,
    still: bool = False,
) -> Markup:
    """The whole file: a title for its tab, one above it, a question and a foot as text, the rest as markup.

    html    what moves, by the element that has it
    beside  what the file shares with others; without it, it needs nothing else
    still   whether it is there without a script
    """
    name = markup("<b>Kernel Mean Explorer</b>")
    home = name if beside is None else markup("<a href='{}'>{}</a>", beside.home, name)
    parts = {
        "language": current_language(),
        "main": meant(main),
        "side": meant(side),
        "scripts": meant(scripts),
        **html,
    }
    tongues = {} if beside is None else beside.tongues
    parts["tongues"] = joined(
        markup("<a class='tongue' href='{}' lang='{}' hreflang='{}'>{}</a>", file, code, code, NAMES[code])
        for code, file in tongues.items()
    )
    parts["in_words"], parts["in_python"] = (
        translate("The pictures in words"),
        translate("The Python that computes these numbers"),
    )
    parts["whole"] = translate("The whole lab, by its server and at this address:")
    ready = markup(" class='ready'") if still else ""
    allowed = ALLOWED if beside is None else SHARED
    return markup(
        PAGE, style=embedded(STYLE), allowed=allowed, tab=tab, ready=ready, home=home, title=title, question=question,
        foot=foot, **parts,
    )  # fmt: skip
