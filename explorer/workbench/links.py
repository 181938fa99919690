"""Links: the fields of a lab as the words of an address."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

VERSION = "1"  # of the links
# words of a link that are no fields of a lab
OF_THE_PAGE = ("v", "theme", "story", "step", "ui", "hide", "data", "tour")


def address(name: str, lab: Any) -> str:
    """Where the page of the lab of a name opens at a state, in as few words as say it."""
    default = type(lab)().flat()
    words = {field: word for field, word in lab.flat().items() if word != default[field] or field == "seed"}
    return f"{name}?{urlencode({'v': VERSION, **words})}"
