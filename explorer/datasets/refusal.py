"""A refusal with a way out that each caller can offer in its own terms."""

from __future__ import annotations

import json
from collections.abc import Sequence

from explorer.checks import Refusal


class TableRefusal(Refusal):
    """What a table cannot be read as, and the argument that would let it be.

    problem     what was found, and where
    argument    the argument of the reading function that helps, and its value
    effect      what that does, such as "to leave those rows out"
    rows        how many rows are concerned, 0 where it is not about rows

    str() gives the advice in Python's terms; a command names its own option, and a page has a button.

    >>> from explorer.datasets import TableRefusal, read_table
    >>> try:
    ...     read_table(b"x,y\\n1,2\\n3,\\n5,6\\n", name="points")
    ... except TableRefusal as refusal:
    ...     print(refusal.problem, refusal.argument, refusal.value, refusal.rows, sep=" | ")
    points: 1 cell is missing, in 1 of 3 rows, the first in line 3, column 'y' | missing | drop | 1
    """

    problem: str
    argument: str
    value: bool | str | Sequence[str]
    effect: str
    rows: int

    def __init__(
        self, problem: str, argument: str, value: bool | str | Sequence[str], effect: str, rows: int = 0
    ) -> None:
        self.problem, self.argument, self.value, self.effect, self.rows = problem, argument, value, effect, rows
        written = repr(value) if isinstance(value, bool) else json.dumps(value, ensure_ascii=False)
        super().__init__(f"{problem}; pass {argument}={written} {effect}.")

    @property
    def found(self) -> str:
        """Former name of `problem`."""
        return self.problem
