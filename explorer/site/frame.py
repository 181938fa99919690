"""Frame of a page: the bar of the site, the list of a section's pages, and the list of a page's headings.

The labs' files, which Sphinx does not make, have the same bar.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from explorer.browser import standing
from explorer.markup import Markup, joined, markup, script

from .documents import WIDE

if TYPE_CHECKING:
    from sphinx.application import Sphinx

TITLE = "Kernel Mean Explorer"
# the sections in the order of the bar
SECTIONS = {
    "labs": "Labs", "essays": "Essays", "lessons": "Lessons", "widgets": "Widgets", "gallery": "Gallery",
    "reference": "Reference", "guide": "Guide",
}  # fmt: skip
UNLISTED = ("lessons",)  # sections whose pages lead to the ones before and after instead, and have wide code
# runs before the first paint: a reader who has chosen no theme has the screen's
EARLY = "try { if (localStorage.theme) document.documentElement.dataset.theme = localStorage.theme } catch {}"
HEADINGS = re.compile(r"\A<ul>\s*<li><a [^>]*>.*?</a>(<ul>.*</ul>)\s*</li>\s*</ul>\s*\Z", re.DOTALL)
TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
CODE = '<div class="highlight"><pre>'


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the frame with Sphinx."""
    app.connect("html-page-context", add_frame)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def bar(up: str, current: str = "") -> Markup:
    """Return the bar: the name, the sections, the search, and the button of the theme.

    Parameters
    ----------
    up : str
        The way from the page's folder to the site's, such as "../".
    current : str, default ""
        The section of the page.

    Returns
    -------
    Markup
        The bar, and the link that skips it.
    """
    sections = joined(_section(up, *each, here=each[0] == current) for each in SECTIONS.items())
    return markup(
        "<a class='skip' href='#main'>Skip to the content</a><header class='bar'><a class='home' href='{}index.html'>{}"
        "</a><nav aria-label='Sections'>{}</nav><form role='search' action='{}search.html'><input type='search'"
        " name='q' placeholder='Search' aria-label='Search the site'></form>"
        "<button type='button' hidden>◐</button></header>",
        up, TITLE, sections, up,
    )  # fmt: skip


def _section(up, name, title, here):
    current = markup(" aria-current='true'") if here else ""
    return markup("<a href='{}{}/index.html'{}>{}</a>", up, name, current, title)


def early() -> Markup:
    """Return the script for the head of a page: it sets the theme that the reader has chosen."""
    return script(EARLY)


def head(up: str) -> Markup:
    """Return what the head of a page has that Sphinx does not make: the bar's style and script, and the theme."""
    return markup(
        "<link rel='stylesheet' href='{0}_static/colours.css'><link rel='stylesheet' href='{0}_static/bar.css'>{1}"
        "<script defer src='{0}_static/bar.js'></script>",
        up, early(),
    )  # fmt: skip


def bar_script() -> str:
    """Return the script of the bar."""
    return standing.script("bar")


# what Sphinx makes --------------------------------------------------------------------------------------------------


def add_frame(app: Sphinx, name: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Add the parts of the frame to the context of a page's template; the signature is that of Sphinx's event."""
    section, _, rest = name.partition("/")
    is_wide = any(each in (context.get("meta") or {}) for each in WIDE)
    context["bar"] = bar(context["content_root"], section if rest else "")
    context["early"] = early()
    context["section"] = SECTIONS.get(section, "")
    context["pages"] = "" if is_wide or not rest or section in UNLISTED else _pages(app, name, f"{section}/index")
    headings = HEADINGS.match(context.get("toc") or "")
    context["on_page"] = headings[1] if headings and not is_wide else ""
    if "body" in context:
        context["body"] = _reachable(context["body"])


def _reachable(body: str) -> str:
    """Enable the keyboard to scroll code and tables that are wider than the page."""
    body = body.replace(CODE, CODE.replace("<pre>", '<pre tabindex="0">'))
    return TABLE.sub(r'<div class="across" tabindex="0">\g<0></div>', body)


def _pages(app, name, index):
    """Return the list of a section's pages; those below a page are listed if it is this page or above it."""
    inside = app.env.toctree_includes
    open_, at = {name}, name
    parents = {child: parent for parent, children in inside.items() for child in children}
    while at in parents:
        at = parents[at]
        open_.add(at)

    def listed(place: str) -> Iterator[Markup]:
        for child in inside.get(place, ()):
            current = markup(" aria-current='page'") if child == name else ""
            below = joined(listed(child)) if child in open_ else ""
            below = markup("<ul>{}</ul>", below) if below else ""
            link, title = app.builder.get_relative_uri(name, child), app.env.titles[child].astext()
            yield markup("<li><a href='{}'{}>{}</a>{}</li>", link, current, title, below)

    pages = joined(listed(index))
    return markup("<ul>{}</ul>", pages) if pages else ""
