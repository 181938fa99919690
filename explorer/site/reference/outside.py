"""Where others document their names: numpy, scipy, scikit-learn, pandas, xarray and Python itself.

`outside.txt` holds the addresses of those that docstrings and signatures name, one a line, so that a site is built
without a network. To make it anew, install Debian's packages python-scipy-doc, python-sklearn-doc, python-pandas-doc,
python-xarray-doc and python3-doc, whose folders html in /usr/share/doc each hold an objects.inv, and write what
`lines` gives of each, such as

    lines("/usr/share/doc/python-scipy-doc/html/objects.inv", "https://docs.scipy.org/doc/scipy/", wanted)

with `wanted` the names that `meant` finds in docstrings and signatures, below the lines of numpy and xarray, whose
classes no such package knows.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from functools import cache
from importlib.resources import files
from pathlib import Path

LIBRARIES = ("numpy", "scipy", "sklearn", "pandas", "xarray")
SHORT = {"np": "numpy", "scikit-learn": "sklearn"}
DOTTED = re.compile(rf"\b(?:np|concurrent|os|{'|'.join(LIBRARIES)})(?:\.\w+)+")
SKLEARN = re.compile(r"\bscikit-learn's `?(\w+)`?")
RAISED = re.compile(r"\b(?:[A-Z]\w+Error|KeyboardInterrupt)\b")
TYPED = re.compile(r"\b[A-Z]\w+\b")  # in a signature


@cache
def addresses() -> dict[str, str]:
    """Names of others -> addresses, by the whole name, and by its last part where that is one name's alone."""
    text = files(__package__ or "").joinpath("outside.txt").read_text(encoding="utf-8")
    found = dict(line.split(" ") for line in text.splitlines())
    ends: dict[str, list[str]] = {}
    for name in found:
        ends.setdefault(name.rpartition(".")[2], []).append(name)
    return found | {end: found[names[0]] for end, names in ends.items() if len(names) == 1}


def address(name: str) -> str | None:
    """Where a name of others is documented, None where that is not known; np is numpy."""
    first, dot, rest = name.partition(".")
    return addresses().get(f"{SHORT.get(first, first)}{dot}{rest}")


def meant(prose: str, signatures: str = "") -> set[str]:
    """The names of others that prose and signatures have: whole ones, and last parts."""
    return {*DOTTED.findall(prose), *SKLEARN.findall(prose), *RAISED.findall(prose), *TYPED.findall(signatures)}


def lines(inventory: str | Path, base: str, wanted: Container[str]) -> Iterator[str]:
    """The lines of `outside.txt` for the names of an inventory that are wanted, whole or by their last part."""
    from sphinx.util.inventory import InventoryFile

    read = InventoryFile.loads(Path(inventory).read_bytes(), uri=base)
    for kind in ("py:class", "py:function", "py:exception", "py:data"):
        for name, item in sorted(read.data.get(kind, {}).items()):
            if name in wanted or name.rpartition(".")[2] in wanted:
                yield f"{name} {item.uri}"
