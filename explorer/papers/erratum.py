"""One entry of the list of errata."""

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

    Attributes
    ----------
    number : str
        Number as docstrings give it: "10", "E-4".
    paper : str
        Number of the paper in `PAPERS`, or several numbers.
    place : str
        Where in the paper the error is.
    printed : str
        What is printed.
    right : str
        What is right, and how that can be seen.
    shown_in : tuple of str
        Where this project shows it: names to import, labs as "lab /<name>" or the link of a state, studies as
        "reproduce <name>", lessons as "lesson <number>".
    where : str
        The places of `shown_in`, separated by commas.
    """

    number: str
    paper: str
    place: str
    printed: str
    right: str
    shown_in: tuple[str, ...]

    @property
    def where(self) -> str:
        """The places of `shown_in`, separated by commas."""
        return ", ".join(self.shown_in)

    def __str__(self) -> str:
        return f"Paper {self.paper}, {self.place}. Printed: {self.printed} Right: {self.right} Seen in: {self.where}."
