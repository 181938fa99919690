"""Measured exponents of the times of paper 004's Table 1, and the printed orders next to ours.

An order is an upper bound as N or Q grows without end. The slope of a sum of powers over any range is at most the
largest exponent. So a claim is judged by whether the measured slope is above the printed one: a time that grows more
slowly keeps the bound. If it is below by a whole order, other costs dominate, and the bound is not tested.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from explorer.papers.effect import LEVEL, Case, Measure
from explorer.papers.entry import TableComparison
from explorer.papers.evidence import median, median_error, over_sizes, slope

if TYPE_CHECKING:
    from explorer.papers.effect import Effect
    from explorer.papers.entry import Cell


SIZES = 3  # fewest sizes that show a slope
LETTERS = {"n": "N", "blocks": "Q"}


class Order(NamedTuple):
    """One exponent of a method's time.

    Attributes
    ----------
    name : str
        The method.
    along : {"n", "blocks"}
        The axis.
    printed : int
        The printed exponent, a bound from above.
    letter : str
        The axis's letter in texts; empty for the default one.
    """

    name: str
    along: str
    printed: int
    letter: str = ""

    @property
    def measure(self) -> Measure:
        """The measured exponent; its sign is that of its excess over the printed one."""
        letter = self.letter or LETTERS[self.along]
        return Measure(
            f"the exponent of {letter} in the time of {self.name}",
            self.cases,
            lambda effect: f"The time of {self.name} goes as {letter}^{self.printed + effect.value:.2f}",
            lambda excess: f"{round(self.printed + excess, 2) + 0.0:.2f}",  # no -0.00
            str(self.printed),
        )

    def cases(self, cells: Sequence[Cell]) -> list[Case]:
        """Return a case for each value of the other axis that has enough sizes."""
        return [
            Case(where, lambda confidence, row=row: self.excess(row, confidence))
            for where, row in over_sizes(cells, self.along, SIZES).items()
        ]

    def excess(self, cells: Sequence[Cell], confidence: float) -> Effect:
        """Return the measured slope minus the printed exponent, with its interval."""
        effect = slope(cells, self.name, confidence, self.along)
        value, low, high = (getattr(effect, part) - self.printed for part in ("value", "low", "high"))
        return effect._replace(value=value, low=low, high=high)


class Row(NamedTuple):
    """A row of the table: the method's name as printed, its printed order, and the exponents compared with it."""

    method: str
    order: str
    exponents: tuple[Order, ...]


# The largest exponent of a sum binds: N^3/Q^2 + T N^2/Q falls at least as 1/Q while Q log Q is small in comparison.
ROWS = (
    Row("U-Stat", "N²", (Order("U", "n", 2), Order("U", "blocks", 0))),
    Row(
        "MONK BCD, with Cholesky factors",
        "N³ + T (N² + Q log Q)",
        (Order("BCD, factors", "n", 3), Order("BCD, factors", "blocks", 0)),
    ),
    Row(
        "MONK BCD-Fast, with Cholesky factors",
        "N³/Q² + T (N²/Q + Q log Q)",
        (Order("Fast, factors", "n", 3), Order("Fast, factors", "blocks", -1)),
    ),
    Row(
        "MONK BCD, ours",
        "none; from the code N² + T N²/Q",
        (Order("BCD", "n", 2), Order("BCD", "blocks", 0)),
    ),
    Row(
        "MONK BCD-Fast, ours",
        "none; from the code N² + T N²/Q",
        (Order("Fast", "n", 2), Order("Fast", "blocks", 0)),
    ),
)


def _largest(cells):
    """Return the cells of the largest n."""
    most = max((cell.values["n"] for cell in cells), default=0)
    return [cell for cell in cells if cell.values["n"] == most]


def exponent(name: str, along: str, printed: int, letter: str = "") -> Measure:
    """Return the measure of an exponent of a method's time over the printed one, see `Order`."""
    return Order(name, along, printed, letter).measure


def faster(name: str, rival: str, called: str = "", letter: str = "N") -> Measure:
    """Return the measure of how much faster one method is at the largest n, log10 of a ratio of medians.

    Texts call the method `called`, by default its name, and the axis `letter`.
    """
    called, base = called or name, median_error((name,), rival, f"that of {rival}")
    return base._replace(
        about=f"the median time of {called} over that of {rival}, at the largest {letter},",
        cases=lambda cells: base.cases(_largest(cells)),
        sentence=lambda effect: f"The median time of {called} is {base.show(effect.value)} times that of {rival}",
    )


def compare_with_printed(cells: Sequence[Cell]) -> TableComparison:
    """Return the printed orders next to the measured exponents, each with its interval."""
    rows = []
    for row in ROWS:
        words = [row.method, row.order]
        for order in row.exponents:
            told = [
                f"{order.measure.show(e.value)} ({order.measure.show(e.low)} to {order.measure.show(e.high)})"
                for e in (case.effect(LEVEL) for case in order.cases(cells))
            ]
            words.append("; ".join(told) or "not computed")
        rows.append(tuple(words))
    largest = _largest(cells)
    names = ("U", "BCD, factors", "Fast, factors", "BCD", "Fast")
    spent = ", ".join(f"{name} {1e3 * median(largest[0].table[name]).value:.3g}" for name in names)
    remarks = (
        "An order bounds from above, and a measured exponent may be smaller: in the range of N that is timed, products"
        " and copies of matrices, which go as N², still take a part of the time that N³ will have in the end.",
        f"Milliseconds at N = {largest[0].values['n']}, Q = {largest[0].values['blocks']}: {spent}.",
        "Ours have no factorisation. Both start from the one matrix of differences D = K_xx + K_yy - K_xy - K_yx, N²"
        " whatever Q; of BCD-Fast it is the larger part, so that more blocks save it little.",
        "Printed is a fall with Q between 1/Q and 1/Q². The measured one is less steep at small N: reading the Gram"
        " matrix and, at every shuffle, the rows of D takes N² whatever Q, which the table leaves out.",
        "The printed N³/Q² of BCD-Fast counts the factors of one shuffle; there are T/10 of them (erratum E-19).",
    )
    caption = "Orders as printed, and measured exponents of N (at fixed Q) and of Q (at fixed N), with 95 % intervals."
    return TableComparison(caption, ("method", "printed order", "exponent of N", "exponent of Q"), tuple(rows), remarks)
