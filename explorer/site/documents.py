"""Documents for Sphinx in MyST's Markdown: prose, blocks of HTML and reStructuredText, and lists of pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from explorer.markup import Markup

FINISHED = "_extra"  # the folder of files that are copied to the site unchanged
FENCE = "`" * 12  # longer than any fence in the prose
SIGNS = re.compile(r"([\\`*_{}\[\]<>#$|~&])")  # characters that have a meaning in Markdown
WIDE = ("wide", "html_theme.sidebar_secondary.remove")  # read by templates/layout.html, and by the theme


def document(title: str, *parts: str | Markup, about: str = "", wide: bool = False) -> str:
    """Return a document.

    Parameters
    ----------
    title : str
        Its title, as plain text.
    *parts : str or Markup
        Its parts. A `str` is Markdown, `Markup` is HTML.
    about : str, default ""
        A sentence on the page for search engines, in its head.
    wide : bool, default False
        Whether the page has no columns next to its text.

    Returns
    -------
    str
        The text of the document.
    """
    head = [f"myst: {{html_meta: {{description: {json.dumps(about, ensure_ascii=False)}}}}}"] if about else []
    head += [f"{each}: true" for each in WIDE if wide]
    front = ["---\n" + "\n".join(head) + "\n---"] if head else []
    told = (html(part) if isinstance(part, Markup) else part for part in parts)
    return "\n\n".join([*front, f"# {plain(title)}", *told]) + "\n"


def html(inside: Markup) -> str:
    """Return a block of a document with HTML."""
    return "\n".join([f"{FENCE}{{raw}} html", inside, FENCE])


def rst(text: str) -> str:
    """Return a block of a document with reStructuredText, the language of the directives of autodoc."""
    return "\n".join([f"{FENCE}{{eval-rst}}", text, FENCE])


def plain(text: str) -> str:
    """Escape the signs that have a meaning in Markdown, and join the lines."""
    return SIGNS.sub(r"\\\1", " ".join(text.split()))


def contents(names: Iterable[str], hidden: bool = True) -> str:
    """Return the list of the documents below this one, in order; `hidden` shows it in the sidebar alone."""
    flags = ":hidden:\n" if hidden else ""
    return f"```{{toctree}}\n:maxdepth: 1\n{flags}\n" + "\n".join(names) + "\n```"


def write_file(folder: Path, name: str, text: str) -> Path:
    """Write a text file into a folder, which is created if needed, and return its path."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path
