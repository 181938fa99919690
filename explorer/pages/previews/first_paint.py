"""What a page shows before its browser has loaded any script: the bar's name and, where it is known, the headline."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from explorer.browser import sheet
from explorer.languages import ENGLISH, use_language
from explorer.markup import embedded, markup
from explorer.pages.layout import theme
from explorer.pages.summary import PRODUCT
from explorer.pages.template import shared_first_result
from explorer.workbench import registry

if TYPE_CHECKING:
    from explorer.markup import Markup

# as the page has it once it is there: the bar, then the headline where the body begins; it is gone with its style
SHEET = sheet("early")


def first_paint(name: str, words: Mapping[str, str]) -> Markup:
    """The HTML that stands for the page of a lab until it is there; `words` are those of its link."""
    return markup(
        "<div id='early'><style>{}{}{}</style><div class='bar'>{}</div><div class='body'>{}</div></div>",
        embedded(_ground(words.get("theme", "system"))),
        embedded(SHEET),
        embedded(theme.STYLE),
        PRODUCT,
        _headline(name, words),
    )


def _ground(chosen):
    """The colours of the ground that is chosen: "dark", "system", or light."""
    light, dark = (
        ":root { " + "; ".join(f"{name}: {value}" for name, value in theme.variables(dark).items()) + " }"
        for dark in (False, True)
    )
    if chosen == "system":
        return f"{light} @media (prefers-color-scheme: dark) {{ {dark} }}"
    return dark if chosen == "dark" else light


def _headline(name, words):
    """The headline of a lab as it is at first, once the process knows it; "" of any other state, and of a story."""
    if name not in registry.names() or set(words) - {"v", "theme", "lang"}:
        return ""
    result = shared_first_result(name).value
    if result is None:
        return ""
    with use_language(words.get("lang", ENGLISH)):
        return registry.role(name, "words").headline(result, result.row)
