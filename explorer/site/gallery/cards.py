"""Cards of the gallery: each has a plot of the library, the question that it belongs to, and the lines that make it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from explorer.files.toml_rows import read_rows


class Card(NamedTuple):
    """A plot of the gallery.

    Attributes
    ----------
    title : str
        Its title.
    question : str
        One of `registry.FAMILIES`.
    says : str
        A sentence on it.
    names : tuple of str
        The public names whose pages of the reference it links.
    code : str
        The lines that make it. The value of the last line is drawn: `plot(...)`, or a result as a notebook shows it.
    lab : str
        The lab that shows it interactively, or "" if there is none.
    """

    title: str
    question: str
    says: str
    names: tuple[str, ...]
    code: str
    lab: str = ""


CARDS: tuple[Card, ...] = tuple(read_rows(Path(__file__).with_name("cards.toml"), Card).values())
