"""`Monitor`: whether the rows of a stream still come from where those of a reference did."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from explorer import frames, inline_pictures
from explorer.checks import Refusal
from explorer.discrepancy.results.answer import checked_level
from explorer.embeddings.feature_sums import FeatureSums
from explorer.kernels import Gaussian, Kernel, in_prose
from explorer.printing import Written, echo, format_number
from explorer.processors import limit_threads_of_methods
from explorer.synonyms import explain_wrong_calls, refuse_other
from explorer.types import PointsLike, Rng, Rows, Vector

from .neighbours import RowMemory
from .ranked import RankedRows
from .summed import PooledSums
from .taken import is_empty

MOST = 709.0  # the logarithm of the largest float


@limit_threads_of_methods
class Monitor(Written):
    """A test that may be looked at after every row of a stream of any length: P(ever an alarm) <= level.

    That is exact if the rows of the reference and of the stream are exchangeable, as independent ones of one
    distribution are, whatever their kind, ties included.

    A quarter of the reference, at random, 500 rows at most, serves to learn K functions of a row: how near it is to
    these rows' kernel mean, and up to 11 of their kernel principal components. The other rows of the reference and all
    of the stream so far, n of them, are ranked by each, and with θ_n uniform

        p_n = (#{j : s_j > s_n} + θ_n #{j : s_j = s_n}) / n.

    Given which n rows there are, any of them is as likely as any other to be the last, so p_n is uniform; and it is
    independent of all later ones, which depend on the rows' set alone. So the p_n of a function are independent and
    uniform, exactly, for any number of rows and however short the reference: no row is used up (Vovk, Nouretdinov and
    Gammerman 2003, Testing exchangeability on-line, ICML 20). Who bets on the next p_n by what the earlier ones
    were (see `betting.Bets`) has a wealth M_n that is a martingale, and by Ville's inequality P(ever M_n >= K / level)
    <= level / K. An alarm is raised at the first row where that happens to one of the K wealths; over all of them its
    probability is at most the level.

    Rows that depend on those before them are not exchangeable. The reference's are tested for it, at level 0.01 (see
    `neighbours.row_memory`), and what was found is `memory` and the first sentence of str(). Then the functions are
    learnt on the reference's first quarter, and of the other rows and of the stream only every `step`-th is ranked,
    twice as many as count as one independent row; of a reference that is too short for that none is, and no alarm is
    raised. The level then is about right: of 300 streams of 500 rows beside references of 200, alarms at level 0.05
    were raised in 1 % for autoregressions with ρ = 0.5 and 0.9, and in 6 % for a cycle of 24 rows with noise. A memory
    that only begins in the stream cannot be seen in the reference: it is a change, and may raise an alarm.

    The p_n of two functions at one row need not be independent, and a mean of martingales each of which knows its own
    past alone is no martingale of them all: hence K / level for each of them in place of 1 / level for the mean.

    Beside a Sketch nothing is kept of a row: batches are sketches, or rows that are summed. Along K directions of the
    features, their mean and up to 11 of their principal components, all of the reference, the mean of m rows less the
    mean of the n rows before them, over its standard error, is about N(0, 1), whatever those before it were, as

        z = (ȳ_m - ȳ_n) / √(s_n² (1/m + 1/n))

    is a recursive residual (Brown, Durbin and Evans 1975, JRSS B 37): the reference is not used up either. `Shifts`
    bets on z, and an alarm is raised where the mean of the K wealths is 1 / level. That its probability is at most the
    level holds in the limit of large batches; small ones are put together until there are enough rows. It asks for
    independent rows: a sketch has forgotten their order, so that their memory is not seen.

    reference  rows (n, d), 4 or more, or a DataFrame of numbers, whose columns the batches' are met with by name; or a
               Sketch
               Rows of a Series or DataFrame of pandas with an index of times (dates, periods, lengths of time) are in
               its order, those of each batch too; rows without a time are left out and counted, `undated`
    kernel     None is Gaussian(), or a sketch's own; an automatic bandwidth is the median heuristic on the rows that
               functions are learnt on
    level      0 < level < 1
    rng        of the choice of these rows and of θ: batches of any sizes come to one wealth

    >>> import numpy as np
    >>> from explorer import Monitor
    >>> rng = np.random.default_rng(0)
    >>> monitor = Monitor(rng.normal(size=(500, 1)), rng=0)
    >>> monitor.update(rng.normal(size=(1000, 1))).alarm
    False
    >>> monitor.update(rng.normal(size=(500, 1)) + 0.5).alarm
    True
    """

    @explain_wrong_calls
    def __init__(
        self,
        reference: PointsLike | FeatureSums,
        kernel: Kernel | None = None,
        level: float = 0.05,
        rng: Rng = None,
    ) -> None:
        given: Kernel = Gaussian() if kernel is None else kernel
        refuse_other(given, Kernel, "kernel", optional=True)
        self.level = float(checked_level(level))
        self._undated, self._moved = 0, False
        reference = self._in_time(reference, "reference")
        if isinstance(reference, FeatureSums):
            if kernel not in (None, reference.kernel):
                raise Refusal(f"kernel is that of the sketch, {echo(reference.kernel)}; leave it out.")
            self._stream: PooledSums | RankedRows = PooledSums(reference)
        else:
            self._stream = RankedRows(reference, given, rng)
        self.kernel, self.size, self.columns = self._stream.kernel, self._stream.size, self._stream.columns
        self._logs: list[Vector] = [np.zeros(1)]
        self._looks: list[Rows] = [np.zeros(1, int)]
        self._n, self._log, self._alarm_at = 0, 0.0, None

    @explain_wrong_calls
    def update(self, batch: PointsLike | FeatureSums) -> Self:
        """Take in the next rows of the stream, (m, d), one or many; none change nothing.

        O(m K (log n + n / 256)) beside the kernel's values. Beside a sketch, rows or a sketch of them in O(features² K)
        for either. Nothing is kept of a batch that is refused: ValueError for rows of other columns or that are not
        finite, and for a sketch of other features, TypeError for what are no rows.
        """
        undated, moved = self._undated, self._moved
        try:
            taken = self._stream.take(self._in_time(batch, "batch"), self.level)
        except ValueError:
            self._undated, self._moved = undated, moved
            raise
        if self._alarm_at is None and taken.alarm.any():
            self._alarm_at = self._n + int(taken.rows[taken.alarm.argmax()]) - 1
        if len(taken.logs):
            self._log = float(taken.logs[-1])
        self._logs.append(taken.logs)
        self._looks.append(self._n + taken.rows)
        self._n += taken.n
        return self

    def _in_time(self, rows, name):
        """Rows in the order of their index of times; rows that have none stay as they are."""
        when = None if is_empty(rows) else frames.in_time_of_index(rows, name)
        if when is None:
            return rows
        self._undated += when.missing
        self._moved = self._moved or when.moved
        return when.table

    @property
    def undated(self) -> int:
        """How many rows of the reference and the stream had no time beside others that had, and were left out."""
        return self._undated

    @property
    def memory(self) -> RowMemory | None:
        """Whether neighbouring rows of the reference are alike; None of a sketch, which has forgotten their order."""
        return self._stream.memory if isinstance(self._stream, RankedRows) else None

    @property
    def step(self) -> int:
        """How many rows of the stream there are to one that is ranked: 1 unless the reference's rows have a memory."""
        return self._stream.step if isinstance(self._stream, RankedRows) else 1

    @property
    def abstains(self) -> bool:
        """Whether no row is ranked and no alarm can be raised, as the reference is too short for its rows' memory."""
        return isinstance(self._stream, RankedRows) and self._stream.abstains

    @property
    def n(self) -> int:
        """Rows of the stream that were seen."""
        return self._n

    @property
    def alarm(self) -> bool:
        """Whether an alarm was ever raised."""
        return self._alarm_at is not None

    @property
    def alarm_at(self) -> int | None:
        """The row of the stream, counted from 0, at which the alarm was raised; None where it was not."""
        return self._alarm_at

    @property
    def wealth(self) -> float:
        """The mean of the K wealths, 1 at the start: at least 1 / level where the alarm is raised."""
        return math.exp(min(self._log, MOST))

    @property
    def path(self) -> Vector:
        """The wealth before the first row and after each, (n + 1,); beside a sketch, after each of the `looks`."""
        return np.exp(np.minimum(np.concatenate(self._logs), MOST))

    @property
    def looks(self) -> Rows:
        """How many rows of the stream had been seen at each value of `path`, as many whole numbers."""
        return np.concatenate(self._looks)

    def __str__(self) -> str:
        under = in_prose(self.kernel, self.columns or ())
        beside = f"beside a reference of {self.size} rows, under {under}{self._together()}"
        opening = self._ordered() + self._remembers()
        if self._alarm_at is not None:
            return (
                f"{opening}Alarm at row {self._alarm_at} of the stream (counted from 0), at level {self.level:g}: after"
                f" {self.n} rows the wealth is {format_number(self.wealth)}, {beside}."
            )
        rows = "1 row" if self.n == 1 else f"{self.n} rows"
        return (
            f"{opening}No alarm after {rows} of the stream, at level {self.level:g}: the wealth is"
            f" {format_number(self.wealth)}, {beside}."
        )

    def _ordered(self):
        """Sentences on rows that were sorted by their times, and on rows without one; "" if there are none."""
        order = "Rows are in order of their index of times. " if self._moved else ""
        rows = "1 row without a time is" if self._undated == 1 else f"{self._undated:,} rows without a time are"
        return f"{order}{rows} left out. " if self._undated else order

    def _remembers(self):
        """A sentence on the memory of the reference's rows, if one was found."""
        if self.memory is None or not self.memory.found:
            return ""
        if self.abstains:
            return (
                f"{self.memory.clause()}, and a reference of {self.size} rows is too short for so long a memory: no"
                " row is ranked, and no alarm can be raised. "
            )
        return f"{self.memory.clause()}, so that one row in {self.step} is ranked. "

    def _together(self):
        """How many rows a look needs, of sketches."""
        unit = self._stream.unit if isinstance(self._stream, PooledSums) else 1
        return f", {unit} rows or more at a look" if unit > 1 else ""

    def _parts(self) -> list[tuple[str, Any]]:
        return [
            ("reference", f"{self.size} rows"), ("kernel", self.kernel), ("level", self.level), ("n", self.n),
            ("wealth", float(f"{self.wealth:.6g}")), ("alarm", self.alarm),
        ]  # fmt: skip

    def _picture(self):
        return inline_pictures.wealth(self, str(self))
