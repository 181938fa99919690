"""The list of errata of the papers, by the numbers that docstrings and verdicts name: 1 to 39 and E-1 to E-25.

Papers are named by their numbers: 000 is on marginalized estimators, 001 and 002 are on shrinkage, 003 is the
encyclopedia's article, 004 is MONK. `explorer list errata` prints the list. ERRATA["10"] is an entry, and
explain(FKMSE) returns the entries that a docstring names.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from explorer.files.toml_rows import read_rows
from explorer.public_names.help_text import docstring

from .erratum import Erratum

ERRATA: dict[str, Erratum] = read_rows(Path(__file__).with_name("errata.toml"), Erratum)

_NUMBER = r"(?:E-)?\d+"
_NAMED = re.compile(rf"\b(?:erratum|errata)\s+({_NUMBER}(?:(?:,\s*|\s+and\s+|\s+to\s+){_NUMBER})*)", re.IGNORECASE)


def mentioned(text: str) -> list[str]:
    """Return the numbers that a text names as errata: "errata 1 to 3" names 1, 2 and 3, "errata E-7, E-8" both."""
    found = []
    for names in _NAMED.findall(text):
        numbers = re.findall(rf"(?:(to)\s+)?({_NUMBER})", names)
        for to, number in numbers:
            if to:
                prefix, first, last = number.rstrip("0123456789"), *(int(n.split("-")[-1]) for n in (found[-1], number))
                found += [f"{prefix}{n}" for n in range(first + 1, last + 1)]
            else:
                found.append(number)
    return list(dict.fromkeys(found))


def explain(thing: Any) -> list[Erratum]:
    """Return the list of errata that the docstring of a class, function or module names.

    Raises
    ------
    TypeError
        If `thing` has no docstring.
    """
    text = docstring(thing) if callable(thing) else getattr(thing, "__doc__", None)
    if not text:
        raise TypeError(f"explain takes something that has a docstring, not {thing!r}.")
    return [ERRATA[number] for number in mentioned(text)]
