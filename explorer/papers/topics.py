"""Topics that the five texts name in addition to their main results, and where this project treats each one.

`explorer list topics` prints the table. TOPICS["universal"] is a row. A place is written as in the list of errata: a
name to import, "lab /<name>" or the link of a state, "reproduce <name>" for a study, "lesson <number>".
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from explorer.files.toml_rows import read_rows


class Topic(NamedTuple):
    """A row of the table.

    Attributes
    ----------
    name : str
        One word, as the command takes it.
    papers : str
        The texts that name the topic, by their numbers in `erratum.PAPERS`.
    about : str
        What the topic is.
    shown_in : tuple of str
        The places that show it.
    lacks : str
        What is missing here; empty if nothing is.
    """

    name: str
    papers: str
    about: str
    shown_in: tuple[str, ...]
    lacks: str = ""

    def __str__(self) -> str:
        lacks = f" Not here: {self.lacks}." if self.lacks else ""
        return f"{self.about}. Papers {self.papers}. Seen in: {', '.join(self.shown_in)}.{lacks}"


TOPICS: dict[str, Topic] = read_rows(Path(__file__).with_name("topics.toml"), Topic)
