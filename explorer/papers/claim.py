"""Claims as declarations: the quoted words, what a claim asks of how many cells, and the errata that it touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .effect import LEVEL, Measure
from .quantifier import FAILS, HOLDS, NOT_SEEN, UNDECIDED, Quantifier
from .standard import NoWorse, Standard
from .verdict import verdict

ORDER = 1.0  # an exponent that is so much smaller than its bound is that of other costs, which the bound is not about
UNTESTED = " That is less than the bound by a whole order, so these sizes do not test it."


def anywhere(values: Mapping[str, Any]) -> bool:
    """Return True: a claim without `where` is about all cells, whatever their values."""
    return True


class Finding(NamedTuple):
    """A claim with its verdict.

    Attributes
    ----------
    claim : str
        The claim in a sentence.
    word : str
        The verdict, one of the words of `verdict`.
    explanation : str
        The reasons for the verdict, in sentences.
    errata : tuple of str
        Numbers of the errata that the claim touches.
    quote : str
        The paper's words; empty if no paper makes the claim.
    reading : str
        What the words are taken to ask: the rule of the verdict.
    source : {"paper", "ours"}
        Who makes the claim.
    """

    claim: str
    word: str
    explanation: str
    errata: tuple[str, ...] = ()
    quote: str = ""
    reading: str = ""

    @property
    def source(self) -> str:
        """The source of the claim: "paper" if a paper makes it, else "ours"."""
        return "paper" if self.quote else "ours"


class Claim(NamedTuple):
    """A claim about numbers that vary with the random sample.

    Attributes
    ----------
    says : str
        The claim in a sentence.
    quantifier : Quantifier
        In how many cases it holds: `Every`, `Most`, `Some` or `OnAverage`.
    standard : Standard
        What a case has to show: `Less`, `More`, `NoWorse` or `Near`.
    measure : Measure
        The number that the claim is about.
    quote : str
        The paper's words; without them the claim is ours.
    errata : tuple of str
        Numbers of errata.
    where : callable
        Returns whether the claim is about a cell, given the cell's values.
    endless : str
        The axis along which the claim is about growth without end, such as a rate in n. No size refutes such a claim.
        If the cells show the contrary, the verdict is "not seen up to n = ...". So it is if the claim bounds an
        exponent of n and the measured one is smaller by ORDER in every case: at these sizes it could not fail.
    """

    says: str
    quantifier: Quantifier
    standard: Standard
    measure: Measure
    quote: str = ""
    errata: tuple[str, ...] = ()
    where: Callable[[Mapping[str, Any]], bool] = anywhere
    endless: str = ""

    @property
    def reading(self) -> str:
        """What the claim's words are taken to ask: the rule of the verdict."""
        over = f", over these {self.endless}" if self.endless else ""
        asked = f"{self.measure.about} is {self.standard.words(self.measure)}, {self.quantifier.words}"
        return f"{asked}, {LEVEL:.0%} sure{over}"

    def finding(self, cells: Sequence[Any]) -> Finding:
        """Return the finding of these cells on the claim."""
        cells = [cell for cell in cells if self.where(cell.values)]
        word, explanation = verdict(self.quantifier, self.standard, self.measure, cells)
        if self.endless:
            untested = word == HOLDS and self._is_untested(cells)
            explanation += UNTESTED if untested else ""
            if word == FAILS or untested:
                word = f"{NOT_SEEN} up to {self.endless} = {max(cell.values[self.endless] for cell in cells)}"
        return Finding(self.says, word, explanation, self.errata, self.quote, self.reading)

    def _is_untested(self, cells):
        """Return whether the claim is a bound on growth in n that these cells are all below by ORDER."""
        is_bound = isinstance(self.standard, NoWorse) and self.endless == "n"
        return is_bound and all(case.effect(LEVEL).value < -ORDER for case in self.measure.cases(cells))


class Fact(NamedTuple):
    """A claim decided without chance: `judge(cells)` returns (True, False or None for undecided, the reason)."""

    says: str
    judge: Callable[[Sequence[Any]], tuple[bool | None, str]]
    quote: str = ""
    errata: tuple[str, ...] = ()
    reading: str = "a fact, without chance"

    def finding(self, cells: Sequence[Any]) -> Finding:
        """Return the finding of these cells on the claim."""
        holds, said = self.judge(cells)
        word = {True: HOLDS, False: FAILS, None: UNDECIDED}[holds]
        return Finding(self.says, word, said, self.errata, self.quote, self.reading)
