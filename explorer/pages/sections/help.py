"""Help of a page: its keys, a map of the screen, and how to read each picture."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, ClassVar

import param

from explorer.browser import component, on_change, sheet
from explorer.languages import message, translate
from explorer.markup import embedded, joined, markup, rewritten
from explorer.pages.layout.theme import STYLE
from explorer.pages.widgets.menus import Dialog

if TYPE_CHECKING:
    from explorer.markup import Later, Markup
    from explorer.pages.widgets.shortcuts import Actions

NAMED_KEYS = {" ": "Space", "ArrowRight": "→", "ArrowLeft": "←", "Escape": "Esc"}
# descriptions of the parts in the map, by name; a picture adds its own title
PARTS = message(
    {
        "headline": "Headline: the result in one sentence, and below it what the result rests on.",
        "slider": "Main slider: drag it, and the pictures and the headline follow.",
        "picture": "Picture:",
        "controls": "Controls: the data, the kernel and the estimators.",
        "caption": "Caption: the result as a formula. Point at a word to see its curve.",
    }
)


class HelpOverlay(Dialog):
    """Help overlay. When it opens, the browser draws a map of the screen from the positions of the page's parts."""

    places: param.List[list[dict[str, Any]]] = param.List(doc="what is on the screen, and where: words, x, y, w, h")

    _esm = component("guide.guide")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "overlay", "guide")]

    def point_at(self, whole: Any, **parts: Any) -> None:
        """Set the parts that the map shows, by name (see PARTS), and `whole`, whose pictures it shows too."""
        there = {name: part for name, part in parts.items() if part is not None}
        words = {name: translate(part) for name, part in PARTS.items()}
        on_change(self, "open", "guide.look", whole=whole, words=words, names=list(there), **there)


def help_html(actions: Actions, explains: Markup | Later) -> Markup:
    """Return the help's content: the keys of `actions`, space for the map, and a fold per title of `explains`."""
    return markup(
        "<style>{}</style><h2>Help</h2><h3>Keys</h3>{}<h3>This screen</h3><div class='plan'></div>"
        "<h3>How to read the pictures</h3>{}",
        embedded(STYLE),
        _keys(actions),
        fold_paragraphs(explains),
    )


def fold_paragraphs(explains: Markup | Later) -> Markup:
    """Return paragraphs that begin in bold as folds, with the bold words as their titles.

    A title that is a complete sentence is not repeated in the fold; one that begins a sentence is.
    """
    titled = rewritten(
        r"(?s)<p><b>([^<]*)\.</b>\s*(.*?)</p>",
        r"<details><summary>\1</summary><p>\2</p></details>",
        markup("{}", explains),
    )
    return rewritten(r"(?s)<p>(<b>([^<]*)</b>.*?)</p>", r"<details><summary>\2</summary><p>\1</p></details>", titled)


def _keys(actions: Mapping[str, Any]):
    rows = (
        markup("<div><dt><kbd>{}</kbd></dt><dd>{}</dd></div>", translate(NAMED_KEYS.get(key, key)), translate(does))
        for key, (does, _) in actions.items()
    )
    return markup("<dl>{}</dl>", joined(rows))
