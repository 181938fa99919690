"""Documents as Sphinx reads them, in MyST's Markdown: prose, HTML of ours among it, and lists of what comes below."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from explorer.markup import Markup

FINISHED = "_extra"  # the folder of what comes into the site as it is
FENCE = "`" * 12  # longer than any that stands in the prose
SIGNS = re.compile(r"([\\`*_{}\[\]<>#$|~&])")  # by which Markdown means more than a letter
WIDE = ("wide", "html_theme.sidebar_secondary.remove")  # for our layout.html, and for the theme


def document(title: str, *parts: str | Markup, about: str = "", wide: bool = False) -> str:
    """A document: its title, then parts, of which plain text is Markdown and Markup is HTML.

    about  a sentence for those who find the page elsewhere, in its head
    wide   whether the page has no columns beside its text
    """
    head = [f"myst: {{html_meta: {{description: {json.dumps(about, ensure_ascii=False)}}}}}"] if about else []
    head += [f"{each}: true" for each in WIDE if wide]
    front = ["---\n" + "\n".join(head) + "\n---"] if head else []
    told = (html(part) if isinstance(part, Markup) else part for part in parts)
    return "\n\n".join([*front, f"# {plain(title)}", *told]) + "\n"


def html(inside: Markup) -> str:
    """HTML as a block of a document."""
    return "\n".join([f"{FENCE}{{raw}} html", inside, FENCE])


def rst(text: str) -> str:
    """reStructuredText as a block of a document: the directives of autodoc write it."""
    return "\n".join([f"{FENCE}{{eval-rst}}", text, FENCE])


def plain(text: str) -> str:
    """A text whose signs are letters in Markdown too."""
    return SIGNS.sub(r"\\\1", " ".join(text.split()))


def contents(names: Iterable[str], hidden: bool = True) -> str:
    """The documents below this one, in order, as the columns of pages list them; hidden in the page's own text."""
    flags = ":hidden:\n" if hidden else ""
    return f"```{{toctree}}\n:maxdepth: 1\n{flags}\n" + "\n".join(names) + "\n```"


def write_file(folder: Path, name: str, text: str) -> Path:
    """A document or another file of text, in a folder that is made if need be."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
