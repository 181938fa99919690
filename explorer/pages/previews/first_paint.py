"""First paint: what a page shows before any script has loaded, the bar's name and the headline if it is known."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from explorer.browser import sheet
from explorer.languages import ENGLISH, use_language
from explorer.markup import embedded, markup
from explorer.pages.layout import theme
from explorer.pages.page_title import PRODUCT, title_and_question
from explorer.pages.template import shared_first_result
from explorer.workbench import registry

if TYPE_CHECKING:
    from explorer.markup import Markup

# Laid out like the finished page, which removes it: the bar, then the headline where the body begins.
SHEET = sheet("early", "question", "in_bar")


def first_paint(name: str, words: Mapping[str, str]) -> Markup:
    """Return the HTML that a lab's page shows until its scripts have loaded.

    Parameters
    ----------
    name : str
        The page's name.
    words : mapping of str to str
        The query parameters of its link.

    Returns
    -------
    Markup
        The bar, and the headline if it is known.
    """
    return markup(
        "<div id='early'><style>{}{}{}</style><div class='bar'>{}</div><div class='body'>{}{}</div></div>",
        embedded(_ground(words.get("theme", "system"))),
        embedded(SHEET),
        embedded(theme.STYLE),
        PRODUCT,
        _question(name, words),
        _headline(name, words),
    )


def question_of(name: str) -> Markup:
    """Return a lab's title and question as the page's first heading."""
    title, question = title_and_question(name)
    return markup("<h1 class='question'><b>{}:</b> {}</h1>", title, question)


def _question(name, words):
    """Return the first heading of a lab's page; "" for other pages, which have headings of their own."""
    if name not in registry.names():
        return ""
    with use_language(words.get("lang", ENGLISH)):
        return question_of(name)


def _ground(chosen):
    """Return the CSS variables of a theme: "dark", "system", or light for any other value."""
    light, dark = (
        ":root { " + "; ".join(f"{name}: {value}" for name, value in theme.variables(dark).items()) + " }"
        for dark in (False, True)
    )
    if chosen == "system":
        return f"{light} @media (prefers-color-scheme: dark) {{ {dark} }}"
    return dark if chosen == "dark" else light


def _headline(name, words):
    """Return the headline of a lab's default state if the process knows it; "" for other states and for stories."""
    if name not in registry.names() or set(words) - {"v", "theme", "lang"}:
        return ""
    result = shared_first_result(name).value
    if result is None:
        return ""
    with use_language(words.get("lang", ENGLISH)):
        return registry.role(name, "words").headline(result, result.row)
