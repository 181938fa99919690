"""Result of a scan: where rows ordered by time change, and whether chance alone explains it."""

from __future__ import annotations

from explorer import checks
from explorer.discrepancy.results.test_result import TestResult
from explorer.printing import filled_fields, format_number, join_list, printed, short_name
from explorer.record import record
from explorer.svg import inline_pictures
from explorer.types import Rows, Vector

from .columns import ColumnBreak
from .days import WholeDays
from .neighbours import RowMemory

UNSAID = ("null", "memory", "sought", "days", "changes", "times", "rows", "lines")  # fields that a repr leaves out
LEVEL = 0.05  # level at which columns change
NAMED = 5  # most columns that a sentence names


@printed
@record(kw_only=True)
class ScanResult(TestResult):
    """Result of `scan`, a TestResult of the largest standardised MMD² over all splits; str() is a sentence.

    Attributes
    ----------
    index : int
        First row after the break, counted from 0: the split of largest standardised MMD², whatever p.
    profile : ndarray of shape (n,)
        Standardised MMD² of the rows [0, t) and [t, n) at index t; nan if fewer than min_size rows lie on a side.
    breaks : tuple of int
        With segments=True, the first row after each break, in order, at level 0.05 over all of them; empty if there is
        none.
    segments : bool
        The argument of `scan`.
    min_size : int
        The argument of `scan`.
    null : str
        The orders that were used. p is exact for exchangeable rows with "permutation", and for exchangeable days with
        "days". It is about right with "shift" or "blocks" for stationary rows whose number is many times their memory.
    memory : RowMemory or None
        The memory that was measured, with null="auto" and "blocks".
    block : int or None
        About how many rows a block has, with null="blocks".
    too_few : bool
        Whether the rows are too few for their memory: then no test has a level, and p is 1.
    sought : bool
        Whether several breaks were sought: segments=True, and enough rows for blocks that are longer by half.
    days : WholeDays or None
        The whole days that were put in other orders, with null="days".
    changes : tuple of ColumnBreak
        One for each column, if there are at most 200; `changed` are those that change at the break.
    time : str
        Name of the source of the rows' times; "" if there is none.
    times : tuple of str
        Times of the rows as text, n of them; () if there are none.
    rows : ndarray of shape (n,) or None
        Position of each row in X, from 0, if X was sorted or lost rows.
    lines : ndarray of shape (n,) or None
        Line of each row in a file, if `explorer scan` read one.
    undated : int
        Number of rows without a time, which were left out.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import ScanResult, scan
    >>> rows = np.random.default_rng(0).normal(size=(200, 1))
    >>> rows[120:] += 4
    >>> result = scan(rows, rng=0)
    >>> isinstance(result, ScanResult), result.index, result.pvalue, result.rejected(0.05)
    (True, 120, 0.005, True)
    """

    __test__ = False

    index: int
    profile: Vector
    breaks: tuple[int, ...] = ()
    segments: bool = False
    min_size: int
    null: str = "permutation"
    memory: RowMemory | None = None
    block: int | None = None
    too_few: bool = False
    sought: bool = False
    days: WholeDays | None = None
    changes: tuple[ColumnBreak, ...] = ()
    time: str = ""
    times: tuple[str, ...] = ()
    rows: Rows | None = None
    lines: Rows | None = None
    undated: int = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.too_few:
            object.__setattr__(self, "pvalue", 1.0)
        object.__setattr__(self, "profile", checks.read_only(self.profile))

    def _parts(self):
        """Return the fields of a repr, without flags that are off, empty texts, and fields as long as all rows."""
        unsaid = {*UNSAID, *(name for name in ("time", "undated") if not getattr(self, name))}
        return [(name, each) for name, each in filled_fields(self) if name not in unsaid and each is not False]

    def _picture(self):
        return inline_pictures.scan(self, str(self))

    @property
    def when(self) -> str:
        """Date or time of the first row after the break; "" if the rows have none."""
        return self.times[self.index] if self.times else ""

    @property
    def row(self) -> int:
        """Position in X of the first row after the break, counted from 0."""
        return self.index if self.rows is None else int(self.rows[self.index])

    @property
    def changed(self) -> tuple[ColumnBreak, ...]:
        """Columns that change at the break, the least adjusted p first; none if the rows do not change."""
        if not self.rejected(LEVEL):
            return ()
        significant = [column for column in self.changes if column.adjusted <= LEVEL]
        return tuple(sorted(significant, key=lambda column: column.adjusted))

    def place(self, index: int) -> str:
        """Return the position of a row as text: its number in order of time, or its line, with its date.

        Parameters
        ----------
        index : int
            Number of the row in order of time.

        Returns
        -------
        str
            Text such as "150, 2026-05-01".
        """
        number = index if self.lines is None else int(self.lines[index])
        return f"{number}, {self.times[index]}" if self.times else str(number)

    def sentence(self, under: str) -> str:
        """Return the answer as text, with the description `under` of its kernel.

        Parameters
        ----------
        under : str
            Description of the kernel.

        Returns
        -------
        str
            One or several sentences.
        """
        at = self._at()
        how = f"the standardised MMD² of the rows before and after is {self.statistic:.4g}, under {under}"
        best = f"the best split is {at}, where {how}"
        if self.too_few:
            return f"{self._why_too_few()} So p is 1, and {best}.{self._several()}{self._left_out()}"
        against = f"p = {self.pvalue:.3g} against {len(self.null_distribution)} {self.resamples}"
        remembers = self.memory.clause() if self.memory is not None and self.memory.found else ""
        if self.days is not None:
            remembers = remembers[:1].lower() + remembers[1:]
        opening = " and ".join(each for each in (self._course(), remembers) if each)
        opening = f"{opening}, and " if opening else ""
        if self.rejected():
            answer = f"{opening}{'t' if opening else 'T'}he rows change {at}, {against}: {how}.{self._columns()}"
        else:
            answer = f"{opening}{'n' if opening else 'N'}o change of the rows is found, {against}: {best}."
        return f"{answer}{self._several()}{self._left_out()}"

    def _at(self):
        """Return the place of the split of largest standardised MMD²: in the order of time, in the input, and when."""
        if self.lines is not None:
            return f"at line {self.place(self.index)} (of {self.n} rows)"
        order = f" in order of {short_name(self.time)}" if self.rows is not None and self.time else ""
        given = f", row {self.row} of X" if self.row != self.index else ""
        date = f", {self.when}" if self.when else ""
        return f"at row {self.index} of {self.n}{order} (counted from 0{given}){date}"

    def _course(self):
        """Return a clause on the time of day, if whole days are put in other orders, else ""."""
        days = self.days
        return "" if days is None else f"Rows depend on the time of day (p = {days.pvalue:.3g}; {days.count} days)"

    def _why_too_few(self):
        """Return a sentence that explains why no test of so few rows has a level."""
        memory, units = self.memory, "rows" if self.days is None else "days"
        if memory is not None and memory.found:
            count = self.n if self.days is None else self.days.count
            few = f"{memory.clause()}, and {count} {units} are too few to distinguish a change from this dependence:"
            return f"{few} they are worth {format_number(memory.independent(count))} independent {units}."
        return f"{self._course()}, and these are too few days to distinguish a change from the variation between days."

    def _columns(self):
        """Return a sentence on the columns that change, if there are several columns."""
        if len(self.changes) < 2:
            return ""
        changed = self.changed
        if not changed:
            return " No single column is found to change there."
        each = [f"{short_name(one.name)}, {one.change} (adjusted p = {one.adjusted:.3g})" for one in changed[:NAMED]]
        more = f"; and {len(changed) - NAMED} more" if len(changed) > NAMED else ""
        return f" Columns that change there: {'; '.join(each)}{more}."

    def _left_out(self):
        """Return a sentence on the number of rows without a time, or ""."""
        if not self.undated:
            return ""
        rows = "1 row has" if self.undated == 1 else f"{self.undated} rows have"
        return f" {rows} no {short_name(self.time)} and {'is' if self.undated == 1 else 'are'} left out."

    def _several(self):
        """Return a sentence on the breaks, if several were requested."""
        if not self.segments:
            return ""
        if not self.sought:
            return " More breaks are not searched for: the rows are too few to distinguish breaks from dependence."
        if not self.breaks:
            return " No break is found at level 0.05 over all intervals."
        kind = "row" if self.lines is None else "line"
        if len(self.breaks) == 1:
            return f" The one break at level 0.05 over all intervals is at {kind} {self.place(self.breaks[0])}."
        rows = join_list(map(self.place, self.breaks), 400, "; " if self.times else ", ")
        return f" At level 0.05 over all intervals there are {len(self.breaks)} breaks, at {kind}s {rows}."
