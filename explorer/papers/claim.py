"""A claim as something declared: whose words it is, what it asks of how many cells, and the errata that it touches."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from .effect import LEVEL, Measure
from .evidence import loss
from .quantifier import FAILS, HOLDS, NOT_SEEN, UNDECIDED, Quantifier
from .standard import Less, Standard
from .verdict import verdict

TIE = 0.005  # of a loss: two lines that differ by half a percent are one line in the papers' pictures
NO_WORSE = 0.01  # of a loss: twice that, the most that "perform as well as" may hide


def anywhere(values: Mapping[str, Any]) -> bool:
    """Whether a claim is about a cell with these values: it is about all of them."""
    return True


class Finding(NamedTuple):
    """A claim, and what was found.

    word     the verdict, as `verdict` has it; said, the reasons
    errata   the numbers of the errata that the claim touches
    quote    the paper's words; empty for a claim that no paper makes
    reading  what the words are taken to ask: the rule of the verdict
    """

    claim: str
    word: str
    said: str
    errata: tuple[str, ...] = ()
    quote: str = ""
    reading: str = ""

    @property
    def source(self) -> str:
        """ "paper" or "ours"."""
        return "paper" if self.quote else "ours"


class Claim(NamedTuple):
    """A claim on numbers that luck moves.

    says        the claim in a sentence
    quantifier  in how many cases: Every, Most, Some or OnAverage
    standard    what a case has to show: Less, More, NoWorse or Near
    measure     the number that it is about
    quote       the paper's words; without them the claim is ours
    errata      numbers of errata; where, the values of the cells that it is about
    endless     the axis along which it speaks of growth without end, such as a rate in n: no size refutes that, and
                where the cells show the contrary the verdict is "not seen up to n = ..."
    """

    says: str
    quantifier: Quantifier
    standard: Standard
    measure: Measure
    quote: str = ""
    errata: tuple[str, ...] = ()
    where: Callable[[Mapping[str, Any]], bool] = anywhere
    endless: str = ""

    def finding(self, cells: Sequence[Any]) -> Finding:
        """What the cells say of it."""
        cells = [cell for cell in cells if self.where(cell.values)]
        found = verdict(self.quantifier, self.standard, self.measure, cells)
        reading = (
            f"{self.measure.about} is {self.standard.words(self.measure)}, {self.quantifier.words}, {LEVEL:.0%} sure"
        )
        word = found.word
        if self.endless:
            reading += f", over these {self.endless}"
            if word == FAILS:
                word = f"{NOT_SEEN} up to {self.endless} = {max(cell.values[self.endless] for cell in cells)}"
        return Finding(self.says, word, found.said, self.errata, self.quote, reading)


class Fact(NamedTuple):
    """A claim that can be looked up: `judge(cells)` gives whether it is so, None for no answer, and why."""

    says: str
    judge: Callable[[Sequence[Any]], tuple[bool | None, str]]
    quote: str = ""
    errata: tuple[str, ...] = ()
    reading: str = "a matter of fact, with no luck in it"

    def finding(self, cells: Sequence[Any]) -> Finding:
        """What the cells say of it."""
        holds, said = self.judge(cells)
        word = {True: HOLDS, False: FAILS, None: UNDECIDED}[holds]
        return Finding(self.says, word, said, self.errata, self.quote, self.reading)


def loses_less(
    says: str,
    quantifier: Quantifier,
    ours: str,
    rivals: Sequence[str],
    quote: str = "",
    errata: tuple[str, ...] = (),
    where: Callable[[Mapping[str, Any]], bool] = anywhere,
) -> Claim:
    """The claim that the mean loss of `ours` is below that of every rival; within half a percent is a tie."""
    return Claim(says, quantifier, Less(tie=TIE), loss(ours, *rivals), quote, errata, where)
