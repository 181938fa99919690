"""A refusal with a remedy that each caller can offer in its own terms."""

from __future__ import annotations

import json
from collections.abc import Sequence

from explorer.checks import Refusal


class TableRefusal(Refusal):
    r"""Refusal of a table, with the argument that would make it readable.

    str() gives the advice in Python's terms. A command names its own option instead, and a page has a button.

    Parameters
    ----------
    problem : str
        What is wrong, and where.
    argument : str
        The argument of the reading function that helps.
    value : bool, str or sequence of str
        The value of this argument.
    effect : str
        What that does, such as "to leave those rows out".
    rows : int, default 0
        The number of rows concerned; 0 if the problem is not about rows.

    Examples
    --------
    >>> from explorer.datasets import TableRefusal, read_table
    >>> try:
    ...     read_table(b"x,y\n1,2\n3,\n5,6\n", name="points")
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
