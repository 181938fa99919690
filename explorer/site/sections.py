"""Short texts of the site: openings of its sections, in `sections.md`, each below its name."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.printing import echo, join_list

from .prose import Prose

if TYPE_CHECKING:
    from markdown_it.token import Token

    from explorer.markup import Markup

FILE = Path(__file__).with_name("sections.md")


class Sections(Prose):
    """A file of short texts, each below a heading of the second level with its name.

    Parameters
    ----------
    path : Path
        The file.

    Attributes
    ----------
    texts : dict of str to list of list of Token
        The heading and the paragraphs of each text by its name.

    Raises
    ------
    ValueError
        If two texts have one name.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.texts: dict[str, list[list[Token]]] = {}
        name = ""
        for block in self.blocks:
            if block[0].tag == "h2":
                name = block[1].content
                if name in self.texts:
                    raise self.error(block, "", f"two texts are called {echo(name)}")
            if name:
                self.texts.setdefault(name, []).append(block)

    def paragraphs(self, name: str, values: dict[str, Any]) -> list[list[Token]]:
        """Return the paragraphs of a text; ValueError if it is missing, or if its values are others than these."""
        if name not in self.texts:
            raise ValueError(f"{self.path}: no text is called {echo(name)}; the names are {join_list(self.texts)}.")
        self.check(values, self.texts[name])
        return self.texts[name][1:]


@cache
def sections() -> Sections:
    """Return the short texts of the site."""
    return Sections(FILE)


def text(name: str, **values: Any) -> Markup:
    """Return a short text as HTML, with these values in the places of their names."""
    paragraphs = sections().paragraphs(name, values)
    return sections().html([token for block in paragraphs for token in block], values)


def line(name: str, **values: Any) -> Markup:
    """Return a short text of one paragraph as HTML without the tags of the paragraph."""
    ((_, inline, _),) = sections().paragraphs(name, values)
    return sections().html([inline], values)
