"""The guide: a page for each subject, kept here as Markdown that reads well in a checkout too, and every command's help."""

from __future__ import annotations

import shutil
from argparse import ArgumentParser, HelpFormatter
from importlib import import_module
from pathlib import Path

from explorer.markup import markup
from explorer.site.documents import contents, document, written

HERE = Path(__file__).parent
PAGES = {  # in the order in which they are listed, with what each is for
    "labs": "what each lab shows, and what all of them do",
    "data": "tables of your own, in the labs and in Python",
    "sharing": "links, files that need no server, widgets, films, downloads",
    "notebooks": "labs in a notebook, the lessons, a class",
    "serving": "the labs for a class or a department",
    "library": "which function answers which question",
    "tests": "whether tables differ, in which columns, and since when",
    "sweeps": "a function over a grid of settings",
    "papers": "the papers' figures and claims, computed again",
    "recipes": "add a kernel, an estimator, models of your own, a lab, a language",
    "contributing": "set up, test, check, release",
    "versions": "of Python and of packages, each with its reason",
    "security": "how to report a weakness, and what is trusted",
    "citing": "the licence, and the papers behind a name",
}
COMMANDS = "commands", "every command with its options"
WIDTH = 100  # of a command's help, in characters


def write(source: Path, fast: bool) -> None:
    """Write the pages, one on the command line, and a list of all with what each is for."""
    place = source / "guide"
    place.mkdir(parents=True, exist_ok=True)
    for name in PAGES:
        shutil.copy(HERE / f"{name}.md", place)
    written(place, f"{COMMANDS[0]}.md", commands())
    all_pages = {**PAGES, COMMANDS[0]: COMMANDS[1]}
    listed = "\n".join(f"- [](./{name}.md): {about}" for name, about in all_pages.items())
    about = "Labs, library, command line, teaching, recipes and releases of Kernel Mean Explorer."
    written(place, "index.md", document("Guide", listed, contents(all_pages), about=about))


def commands() -> str:
    """The page on the command line: the help of each command."""
    line = import_module("explorer.__main__")  # by its name: this room has no other use of it
    parts = []
    for name, about in line.COMMANDS.items():
        parser = ArgumentParser(f"explorer {name}", description=about, formatter_class=_help_of_width)
        line.command(name).arguments(parser)
        parts += [f"## explorer {name}", markup("<pre tabindex='0'>{}</pre>", parser.format_help())]
    return document("The command line", *parts, about="Every command of explorer with its options.")


def _help_of_width(prog):
    return HelpFormatter(prog, width=WIDTH)
