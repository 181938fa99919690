"""Explanations of labs: paragraphs in Markdown with formulas in TeX, translated and typeset when a page shows them."""

from __future__ import annotations

import re
import tomllib
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.languages import paragraphs_of, template_of
from explorer.markup import from_library, joined, markup
from explorer.printing import echo, join_list

from .tex_to_mathml import formula

if TYPE_CHECKING:
    from explorer.markup import Markup

SHARED = Path(__file__).with_name("shared_paragraphs.toml")  # paragraphs that several labs have, by name
NAME = re.compile(r"\{(\w+)\}")  # stands for a shared paragraph
TAGS = {"strong": "b", "em": "i"}
FORMULA = re.compile(r"\$([^$]+)\$")


class Explanation:
    """Paragraphs in Markdown that become HTML when they are shown, in the language of that moment.

    Parameters
    ----------
    paragraphs : tuple of str
        The English paragraphs, which are the keys of their translations.

    Examples
    --------
    >>> from explorer.markup import markup
    >>> from explorer.workbench.explanation import Explanation
    >>> print(markup("{}", Explanation(("**The mean** of the *sample*.",))))
    <div class='caption'>
    <p><b>The mean</b> of the <i>sample</i>.</p>
    </div>
    """

    def __init__(self, paragraphs: tuple[str, ...]) -> None:
        self.paragraphs = paragraphs

    def __html__(self) -> str:
        told = (markup("<p>{}</p>", _inline(template_of(each))) for each in self.paragraphs)
        return str(markup("<div class='caption'>\n{}\n</div>", joined(told, "\n")))


def read_explanation(text: str, place: str) -> Explanation:
    """Read and check an explanation. A paragraph {name} stands for a paragraph that several labs have.

    Parameters
    ----------
    text : str
        Markdown.
    place : str
        What messages call the text.

    Returns
    -------
    Explanation
        The explanation.

    Raises
    ------
    Refusal
        If there is no such shared paragraph, or if a formula cannot be read.
    """
    paragraphs = []
    for i, each in enumerate(paragraphs_of(text), 1):
        name, shared = NAME.fullmatch(each), _shared()
        if name and name[1] not in shared:
            raise Refusal(f"{place}, paragraph {i}: {echo(each)} must be {{name}} with one of {join_list(shared)}.")
        paragraphs.append(shared[name[1]] if name else each)
        try:
            for tex in FORMULA.findall(paragraphs[-1]):
                formula(tex)
        except ValueError as error:
            raise Refusal(f"{place}, paragraph {i}: {error}.") from None
    return Explanation(tuple(paragraphs))


@cache
def _shared() -> dict[str, str]:
    return {name: " ".join(text.split()) for name, text in tomllib.loads(SHARED.read_text("utf-8")).items()}


@cache
def _markdown() -> Any:
    """Return the parser; pages that show no explanation do not import it."""
    from .markdown import markdown

    parser = markdown()
    parser.core.ruler.push("tags", _tag)
    return parser


def _tag(state):
    """Give emphases the tags for which the pages' style sheets are made."""
    for token in (each for whole in state.tokens for each in whole.children):
        token.tag = TAGS.get(token.tag, token.tag)


@lru_cache(maxsize=1000)
def _inline(paragraph: str) -> Markup:
    """Return a paragraph as HTML. Results are cached, because each page of a lab shows the same ones."""
    return from_library(_markdown().renderInline(paragraph))
