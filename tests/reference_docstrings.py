"""Check of the docstrings in the reference: `python tests/reference_docstrings.py [PACKAGE ...]`.

It makes the pages of the reference alone, without pictures, and prints Sphinx's warnings about docstrings by package.
The exit status is 1 if there are any.
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from explorer.site.documents import contents, document, write_file
from explorer.site.reference import write
from explorer.site.theme import pages_of

PLACE = re.compile(r"explorer/(?:(\w+)/)?[\w/]*\.py:docstring of ([\w.]+):")


def docstring_warnings() -> dict[str, list[str]]:
    """Return Sphinx's warnings about docstrings by the package that defines the function or class.

    Returns
    -------
    dict of str to list of str
        Packages without warnings are left out. Modules next to the packages are listed under "explorer".
    """
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder, "source")
        write(source, fast=True)
        write_file(source, "index.md", document("Home", contents(["reference/index"])))
        lines = pages_of(source, Path(folder, "pages"))
    by_package: dict[str, list[str]] = {}
    for line in dict.fromkeys(lines):  # a base class's docstring is on several pages
        if place := PLACE.search(line):
            by_package.setdefault(place[1] or "explorer", []).append(line[line.index("explorer/") :])
    return by_package


def main(*packages: str, say: Callable[..., None] = print) -> int:
    """Print the warnings of some packages, by default of all, and return how many there are."""
    by_package = {name: lines for name, lines in docstring_warnings().items() if not packages or name in packages}
    for name, lines in sorted(by_package.items()):
        say(f"{name}: {len(lines)} warnings", *lines, sep="\n    ")
    count = sum(map(len, by_package.values()))
    say(f"{count} warnings in {len(by_package)} packages")
    return count


if __name__ == "__main__":
    sys.exit(bool(main(*sys.argv[1:])))
