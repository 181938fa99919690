"""The answer of a scan: where rows ordered by time change, and whether chance alone would have them look so."""

from __future__ import annotations

from explorer import checks, drawing
from explorer.discrepancy.result import TestResult
from explorer.printing import filled_fields, listed, number, printed
from explorer.record import record
from explorer.types import Vector

from .neighbours import RowMemory

UNSAID = ("null", "memory", "sought")  # in a repr


@printed
@record(kw_only=True)
class ScanResult(TestResult):
    """The answer of `scan`, a TestResult of the largest standardised MMD² over all splits; str() is a sentence.

    index    the first row after the break, counted from 0: the best split, whatever p
    profile  (n,), the standardised MMD² of the rows [0, t) and [t, n) at index t; nan where fewer than min_size rows
             lie on a side
    breaks   where several were asked for: the first row after each, in order, at level 0.05 over all of them; empty
             where there is none, and where segments=False
    segments, min_size  as they were given
    null     the orders that were taken: "permutation", under which p is exact for exchangeable rows, "shift" or
             "blocks", under which it is about right for stationary rows many times as long as they remember
    memory   the RowMemory that was measured, under null="auto" and "blocks"; else None
    block    about how many rows a block has, of null="blocks"; else None
    too_few  whether the rows are too few for their memory: then no test has a level, and p is 1
    sought   whether several breaks were sought: segments=True, and enough rows for blocks of twice as many

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

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.too_few:
            object.__setattr__(self, "pvalue", 1.0)
        object.__setattr__(self, "profile", checks.read_only(self.profile))

    def _parts(self):
        """What a repr shows: no flag that is off, and not what `resamples` says or has a repr as long as this one."""
        return [(name, each) for name, each in filled_fields(self) if name not in UNSAID and each is not False]

    def _picture(self):
        return drawing.scan(self, str(self))

    def sentence(self, under: str) -> str:
        """The answer in words, with those for its kernel."""
        change = f"change at row {self.index} of {self.n} (counted from 0)"
        how = f"the standardised MMD² of the rows before and after is {self.statistic:.4g}, under {under}"
        best = f"the best split is at row {self.index} of {self.n} (counted from 0), where {how}"
        if self.too_few and self.memory is not None:
            return (
                f"{self.memory.clause()}, and {self.n} rows are too few to tell a change from so long a memory: as few"
                f" as {number(self.memory.independent(self.n))} would be independent. So p is 1, and {best}."
                f"{self._several()}"
            )
        against = f"p = {self.pvalue:.3g} against {len(self.null_distribution)} {self.resamples}"
        opening = f"{self.memory.clause()}, and " if self.memory is not None and self.memory.found else ""
        if self.rejected():
            found = f"{opening}{'t' if opening else 'T'}he rows {change}, {against}: {how}."
        else:
            found = f"{opening}{'n' if opening else 'N'}o change of the rows is found, {against}: {best}."
        return f"{found}{self._several()}"

    def _several(self):
        """The breaks in words, where they were asked for."""
        if not self.segments:
            return ""
        if not self.sought:
            return " Several breaks are not sought: the rows are too few to tell breaks from memory."
        if not self.breaks:
            return " No break is found at level 0.05 over all intervals."
        if len(self.breaks) == 1:
            return f" The one break at level 0.05 over all intervals is at row {self.breaks[0]}."
        rows = listed(map(str, self.breaks), 120)
        return f" At level 0.05 over all intervals there are {len(self.breaks)} breaks, at rows {rows}."
