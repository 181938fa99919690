"""What an entry of the list of errata holds."""

from __future__ import annotations

from typing import NamedTuple

PAPERS = {
    "000": "Kernel Mean Estimation by Marginalized Corrupted Distributions",
    "001": "Muandet et al., Kernel Mean Estimation and Stein Effect (2014)",
    "002": "Muandet et al., Kernel Mean Estimation and Stein Effect, the longer version with appendices",
    "003": "Kernel embedding of distributions, the encyclopedia's article",
    "004": "Lerasle et al., MONK (2019)",
}


class Erratum(NamedTuple):
    """One error of a paper.

    number   as docstrings name it: "10", "E-4"
    paper    its number, or several, of PAPERS; place, where in it
    printed  what stands there; right, what is right, and how one sees it
    seen     where this project shows it: names to import, labs as "lab /<name>" or the link of a state, studies as
             "reproduce <name>", lessons as "lesson <number>"
    """

    number: str
    paper: str
    place: str
    printed: str
    right: str
    seen: tuple[str, ...]

    @property
    def where(self) -> str:
        """Where it is seen, in words."""
        return ", ".join(self.seen)

    def __str__(self) -> str:
        return f"Paper {self.paper}, {self.place}. Printed: {self.printed} Right: {self.right} Seen in: {self.where}."
