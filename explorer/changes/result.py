"""The answer of a scan: where rows ordered by time change, and whether chance alone would have them look so."""

from __future__ import annotations

from explorer import checks, drawing
from explorer.discrepancy.result import TestResult
from explorer.printing import listed, printed
from explorer.record import record
from explorer.types import Vector


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

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "profile", checks.read_only(self.profile))

    def _picture(self):
        return drawing.scan(self, str(self))

    def sentence(self, under: str) -> str:
        """The answer in words, with those for its kernel."""
        B = len(self.null_distribution)
        change = f"change at row {self.index} of {self.n} (counted from 0)"
        how = f"the standardised MMD² of the rows before and after is {self.statistic:.4g}, under {under}"
        if self.rejected():
            found = f"The rows {change}, p = {self.pvalue:.3g} against {B} {self.resamples}: {how}."
        else:
            best = f"the best split is at row {self.index} of {self.n} (counted from 0), where {how}"
            found = f"No change of the rows is found, p = {self.pvalue:.3g} against {B} {self.resamples}: {best}."
        return f"{found}{self._several()}"

    def _several(self):
        """The breaks in words, where they were asked for."""
        if not self.segments:
            return ""
        if not self.breaks:
            return " No break is found at level 0.05 over all intervals."
        if len(self.breaks) == 1:
            return f" The one break at level 0.05 over all intervals is at row {self.breaks[0]}."
        rows = listed(map(str, self.breaks), 120)
        return f" At level 0.05 over all intervals there are {len(self.breaks)} breaks, at rows {rows}."
