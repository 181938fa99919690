"""The guide: a page for each subject, stored here as Markdown that a checkout shows too, and the help of the commands.

On the site a public name links to its page of the reference, and a lab to its example files.
"""

from __future__ import annotations

import re
from argparse import ArgumentParser
from functools import partial
from importlib import import_module
from pathlib import Path

from explorer.markup import markup
from explorer.site.documents import contents, document, write_file
from explorer.site.levels import tables

HERE = Path(__file__).parent
PAGES = {  # in the order of the list, with a description of each
    "The labs": {
        "labs": "what each lab shows, and what all of them do",
        "data": "tables of your own, in the labs and in Python",
        "sharing": "links, files that need no server, widgets, films",
        "notebooks": "labs in a notebook, the lessons, a class",
        "serving": "the labs for a class or a department",
    },
    "The library and the command line": {
        "installing": "all of it, or only the mathematics",
        "library": "which function answers which question",
        "arrays": "torch, JAX, CuPy, dask, xarray, sparse and float32: what is converted",
        "tests": "whether tables differ, in which columns, and since when",
        "levels": "what is promised of a p, and the rates that were measured",
        "sweeps": "a function over a grid of settings",
        "figures": "PDF, SVG and PNG of a width in mm, for a paper",
        "papers": "how they are computed again",
        "verdicts": "every claim of the papers, and whether it holds",
        "errata": "what the papers print, and what is right",
        "commands": "every command with its options",
    },
    "The project": {
        "recipes": "add a kernel, an estimator, models of your own, a lab, a language",
        "contributing": "set up, test, check, release",
        "versions": "of Python and of packages, each with its reason",
        "security": "how to report a weakness, and what is trusted",
        "citing": "the papers behind a name, and the software",
    },
}
WIDTH = 100  # width of a command's help, in characters
FENCED = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
LAB = re.compile(r"\*\*(.+?)\*\* \((`/\w+`)\)")  # the title of a lab and its address
NAME = re.compile(r"(?<!\[)`(?:explorer\.)?(\w+)(\([^`]*\))?`")  # the name of a function or a class, or a call of it


def write(source: Path, fast: bool) -> None:
    """Write the pages, one on the command line, and a list of all with a description of each."""
    place = source / "guide"
    write_file(place, "commands.md", commands())
    for path in HERE.glob("*.md"):
        text = path.read_text(encoding="utf-8")
        if path.stem == "levels":
            text += f"\n{tables()}"
        write_file(place, path.name, _linked(text, source))
    groups = {heading: _existing(pages, place) for heading, pages in PAGES.items()}
    names = [name for pages in groups.values() for name in pages]
    parts = [part for heading, pages in groups.items() for part in (f"## {heading}", _listed(pages))]
    about = "Labs, library, command line, teaching, recipes and releases of Kernel Mean Explorer."
    write_file(place, "index.md", document("Guide", *parts, contents(names), about=about))


def _existing(pages, place):
    """Return the pages that have been written: errata and verdicts belong to other sections."""
    return {name: about for name, about in pages.items() if (place / f"{name}.md").exists()}


def _linked(text, source):
    """Link the names in a page to their places in the other sections, as far as these are written."""

    def named(match):
        page = f"reference/{match[1]}.md"
        return f"[{match[0]}](../{page})" if (source / page).exists() else match[0]

    labs = source / "labs" / "index.md"
    listed = labs.read_text(encoding="utf-8") if labs.exists() else ""

    def living(match):
        title, address = match.groups()
        place = title.lower().replace(" ", "-")
        return f"**{title}** ([{address}](../labs/index.md#{place}))" if f"\n## {title}\n" in listed else match[0]

    parts = FENCED.split(LAB.sub(living, text))
    parts[::2] = [NAME.sub(named, part) for part in parts[::2]]
    return "".join(parts)


def _listed(pages):
    return "\n".join(f"- [](./{name}.md): {about}" for name, about in pages.items())


def commands() -> str:
    """Return the page on the command line: the help of each command."""
    line = import_module(
        "explorer.__main__"
    )  # imported by name, because test_imports.py does not let this package import it
    parts = []
    for name, about in line.COMMANDS.items():
        parser = ArgumentParser(
            f"explorer {name}", description=about, formatter_class=partial(line.HelpOfLines, width=WIDTH)
        )
        line.arguments_of(name, parser)
        parts += [f"## explorer {name}", markup("<pre tabindex='0'>{}</pre>", parser.format_help())]
    return document("The command line", *parts, about="Every command of explorer with its options.")
