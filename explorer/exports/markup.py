"""Markup of an exported file: the slider, the pictures, and the page around them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.languages import current_language, name_of, translate
from explorer.markup import Markup, embedded, joined, markup, meant

from .styles import STYLE

if TYPE_CHECKING:
    from explorer.views.bokeh_picture import BokehPicture

# The browser enforces that the file fetches nothing. Bokeh makes functions from scripts, hence 'unsafe-eval'.
ALLOWED = "default-src 'none'; script-src 'unsafe-inline' 'unsafe-eval'; style-src 'unsafe-inline'; img-src data: blob:"
# for a file that shares a script and style sheets with others
SHARED = ALLOWED.replace("script-src", "script-src 'self'").replace("style-src", "style-src 'self'")

NOTHING = markup("")
PAGE = """<!doctype html>
<html lang="{language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="{allowed}"><link rel="icon" href="data:,">
<title>{tab}</title><style>{style}</style>{head}</head><body{ready}>
{bar}<header>{home}<h1>{title}</h1><p>{question}</p>{tongues}</header>
{presets}<main id="main"><div id="headline">{headline}</div><div id="status" class="unseen" role="status"></div>
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


def slider(field: Any, labels: Sequence[str], stop: int, said: str, auto: bool) -> Markup:
    """Return the slider with its name, its ends and Play, at one of its stops.

    `labels` are those of the stops. `auto` puts the thumb below the value that the lab chooses.
    """
    name = f"{field.symbol}, {field.unit or field.doc}"
    ends = markup("min='0' max='{}' step='1' value='{}'", len(labels) - 1, stop)
    texts = markup("aria-label='{}' aria-valuetext='{}'", name, said)
    state = markup("data-auto='{}'", "auto" if auto else "")
    play, pause = (translate(words, field.symbol) for words in ("Play {}", "Pause {}"))
    button = markup(
        "<button id='play' type='button' aria-label='{0}' data-play='{0}' data-pause='{1}'>▶</button>", play, pause
    )
    return markup(
        "<div id='slider'><input id='stop' type='range' {} {} {}><div class='ends'><span>{}</span>"
        "<span class='what'>{}<i>{}</i></span><span>{}</span></div></div>",
        ends, texts, state, labels[0], button, name, labels[-1],
    )  # fmt: skip


class SiteFiles(NamedTuple):
    """Files of a site next to an exported one, and what its pages have in common.

    Attributes
    ----------
    script : str
        Address of the shared script.
    home : str
        Address of the page that lists the files.
    tongues : dict
        {code of a language: file in it}, for languages other than the file's own.
    head, bar : Markup
        Style sheets and scripts of the site's pages, and their bar.
    presets : sequence of (str, str)
        Names of the lab's presets and their files; the file of this one is "".
    """

    script: str
    home: str
    tongues: Mapping[str, str] = MappingProxyType({})
    head: Markup = NOTHING
    bar: Markup = NOTHING
    presets: Sequence[tuple[str, str]] = ()


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
    site = site or SiteFiles("", "")
    home = markup("<a href='{}'>{}</a>", site.home, name) if site.home else name
    parts = {
        "language": current_language(),
        "main": meant(main),
        "side": meant(side),
        "scripts": meant(scripts),
        **html,
    }
    parts["tongues"] = joined(
        markup("<a class='tongue' href='{}' lang='{}' hreflang='{}'>{}</a>", file, code, code, name_of(code))
        for code, file in site.tongues.items()
    )
    parts["in_words"], parts["in_python"] = (
        translate("The pictures in words"),
        translate("The Python that computes these numbers"),
    )
    parts["whole"] = translate("The whole lab, by its server and at this address:")
    ready = markup(" class='ready'") if still else ""
    allowed = SHARED if site.script else ALLOWED
    return markup(
        PAGE, style=embedded(STYLE), allowed=allowed, tab=tab, ready=ready, home="" if site.bar else home, title=title,
        question=question, foot=foot, head=site.head, bar=site.bar, presets=_strip(site.presets, question), **parts,
    )  # fmt: skip


def _strip(presets, label):
    """Return links to a lab's presets, and the name of the one that the file shows."""
    links = joined(markup("<a href='{}'>{}</a>", file, name) if file else _current(name) for name, file in presets)
    return markup("<nav class='presets' aria-label='{}'>{}</nav>", label, links) if presets else ""


def _current(name):
    return markup("<b aria-current='page'>{}</b>", name)
