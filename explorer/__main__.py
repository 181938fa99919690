"""`python -m explorer`: the command line; each command is a file of `explorer.commands`."""

from __future__ import annotations

import argparse
import os
import sys
import warnings
from collections.abc import Sequence
from concurrent.futures import BrokenExecutor
from contextlib import contextmanager
from importlib import import_module
from types import ModuleType

from explorer.checks import ExplorerWarning, Refusal

COMMANDS = {
    "serve": "serve the labs and open them in a browser",
    "sweep": "run a study over the grid that a TOML file describes",
    "sketch": "summarise the rows of files in a sketch, which test compares without the rows",
    "test": "test whether two tables are samples of one distribution",
    "scan": "find since when the rows of a table have changed, and in which columns",
    "report": "write an HTML report of which columns differ between tables, and by how much",
    "reproduce": "compute the papers' figures and tables, and check their claims",
    "export": "write a state of a lab as one HTML file that needs no server",
    "film": "write what Play shows at a state of a lab as a GIF or an MP4",
    "site": "write essays, reference, lessons and labs as a folder of files for any static host",
    "handout": "copy lessons for students, without solutions and outputs",
    "cite": "print BibTeX of the papers behind names of the library",
    "list": "list labs, kernels, estimators and data sets",
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the command line and run its command.

    The exit code is 0, or 2 with a sentence where it cannot be done, or 1 without one where the reader of the output
    has gone, as in `explorer list | head -1`, and of `explorer report --fail` where tables differ.
    """
    try:
        try:
            with _plain_warnings():
                _obey(arguments)
        finally:
            sys.stdout.flush()
    except BrokenPipeError:
        # what is left to print goes nowhere; else the interpreter would flush it at its end, and complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)


@contextmanager
def _plain_warnings():
    """Ours as sentences, without the line of code that came upon them."""
    usual = warnings.formatwarning

    def told(message, category, *where):
        return f"{message}\n" if issubclass(category, ExplorerWarning) else usual(message, category, *where)

    warnings.formatwarning = told
    try:
        yield
    finally:
        warnings.formatwarning = usual


def _obey(arguments):
    parser = argparse.ArgumentParser(prog="explorer", description="Kernel Mean Explorer")
    commands = parser.add_subparsers(dest="command", required=True)
    for name, about in COMMANDS.items():
        command(name).arguments(commands.add_parser(name, help=about, description=about))
    options = parser.parse_args(arguments)
    try:
        command(options.command).run(options)
    except BrokenPipeError:
        raise
    except (Refusal, OSError, BrokenExecutor) as error:
        notes = "".join(f"\n{note}" for note in getattr(error, "__notes__", ()))
        parser.exit(2, f"explorer {options.command}: {error}{notes}\n")


def command(name: str) -> ModuleType:
    """The module of a command."""
    return import_module(f"explorer.commands.{name}")


if __name__ == "__main__":
    main()
