"""`Monitor`: a test whether the rows of a stream still have the distribution of a reference."""

from __future__ import annotations

import math
from typing import Any, Self

import numpy as np

from explorer import frames
from explorer.checks import Refusal
from explorer.discrepancy.results.answer import checked_level
from explorer.embeddings.feature_sums import FeatureSums
from explorer.execution.processors import limit_threads_of_methods
from explorer.kernels import Gaussian, Kernel, in_prose
from explorer.printing import Written, echo, format_number
from explorer.public_names.synonyms import explain_wrong_calls, refuse_other
from explorer.svg import inline_pictures
from explorer.types import PointsLike, Rng, Rows, Vector

from .looks import is_empty
from .neighbours import RowMemory
from .ranked import RankedRows
from .summed import PooledSums

MOST = 709.0  # logarithm of the largest float


@limit_threads_of_methods
class Monitor(Written):
    r"""Test of a stream that may be looked at after every row, with P(ever a false alarm) <= level.

    Use it to watch whether new rows still have the distribution of a reference. If all rows are there, use `scan`.

    The level is exact if the rows of the reference and of the stream are exchangeable, as independent rows of one
    distribution are, whatever their type, ties included.

    Parameters
    ----------
    reference : array_like of shape (n, d), DataFrame or Sketch
        Rows, 4 or more; or a DataFrame of numbers, whose columns are matched with the batches' by name; or a Sketch.
        Rows of a pandas Series or DataFrame with an index of times (dates, periods, lengths of time) are sorted by it,
        those of each batch too. Rows without a time are left out and counted, see `undated`.
    kernel : Kernel or None, default None
        None is Gaussian(), or a sketch's own kernel. An automatic bandwidth is the median heuristic on the rows from
        which the functions are learnt.
    level : float, default 0.05
        Bound on the probability of ever raising an alarm, 0 < level < 1.
    rng : int, Generator or None, default None
        Seed or generator of the choice of these rows and of the tie-breaking θ. Batches of any sizes lead to the same
        wealth.

    Attributes
    ----------
    kernel : Kernel
        The chosen kernel.
    level : float
        The level.
    size : int
        Number of rows of the reference.
    columns : tuple of str or None
        Names of the reference's columns.

    Notes
    -----
    A random quarter of the reference, 500 rows at most, serves to learn K functions of a row: how near it is to these
    rows' kernel mean, and up to 11 of their kernel principal components. The other rows of the reference and the stream
    so far, n of them, are ranked by each function, and with θ_n uniform

    .. math:: p_n = \frac{\#\{j : s_j > s_n\} + \theta_n \#\{j : s_j = s_n\}}{n}.

    Given which n rows there are, each of them is equally likely to be the last, so p_n is uniform. It is independent of
    all later ones, which depend only on the set of the rows. So the p_n of a function are independent and uniform,
    exactly, for any number of rows and however short the reference: no row is used up (Vovk, Nouretdinov and Gammerman
    2003, Testing exchangeability on-line, ICML 20). A bettor who bets on the next p_n by the earlier ones (see
    `betting.Bets`) has a wealth M_n that is a martingale, and by Ville's inequality P(ever M_n >= K / level) <= level /
    K. An alarm is raised at the first row at which this happens to one of the K wealths; over all of them its
    probability is at most the level.

    Rows that depend on those before them are not exchangeable. The reference's rows are tested for this at level 0.01
    (see `neighbours.row_memory`), and the result is `memory` and the first sentence of str(). If a memory is found, the
    functions are learnt on the reference's first quarter, and of the other rows and of the stream only every `step`-th
    is ranked, with a step of twice as many rows as count as one independent row. If the reference is too short for
    this, no row is ranked and no alarm is raised. The level is then about right: with 300 streams of 500 rows and
    references of 200, alarms at level 0.05 were raised in 1 % for autoregressions with ρ = 0.5 and 0.9, and in 6 % for
    a cycle of 24 rows with noise. A memory that only begins in the stream cannot be seen in the reference: it is a
    change, and may raise an alarm.

    The p_n of two functions at one row need not be independent. A mean of martingales, each of which knows only its own
    past, is not a martingale with respect to all of them: hence K / level for each of them instead of 1 / level for the
    mean.

    With a Sketch as reference no row is stored: batches are sketches, or rows that are summed. The features have K
    directions, their mean and up to 11 of their principal components, all of the reference. Along each, the mean of m
    rows minus the mean of the n rows before them, over its standard error, is about N(0, 1) for any past. This

    .. math:: z = (\bar y_m - \bar y_n) / \sqrt{s_n^2 (\frac1m + \frac1n)}

    is a recursive residual (Brown, Durbin and Evans 1975, JRSS B 37): the reference is not used up either. `Shifts`
    bets on z, and an alarm is raised if the mean of the K wealths reaches 1 / level. Its probability is at most the
    level in the limit of large batches; small ones are merged until there are enough rows. This needs independent rows:
    a sketch has lost their order, so that their memory is not seen.

    Examples
    --------
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
        """Process the next rows of the stream, one or many; an empty batch changes nothing.

        The cost is O(m K (log n + n / 256)) plus the kernel's values. With a sketch as reference, rows or a sketch of
        them cost O(features² K). A batch that is refused changes nothing.

        Parameters
        ----------
        batch : array_like of shape (m, d), DataFrame or Sketch
            The next rows.

        Returns
        -------
        Monitor
            The monitor itself.

        Raises
        ------
        ValueError
            If rows have other columns or are not finite, or a sketch has other features.
        TypeError
            If the batch does not consist of rows.
        """
        undated, moved = self._undated, self._moved
        try:
            looks = self._stream.take(self._in_time(batch, "batch"), self.level)
        except ValueError:
            self._undated, self._moved = undated, moved
            raise
        if self._alarm_at is None and looks.alarm.any():
            self._alarm_at = self._n + int(looks.rows[looks.alarm.argmax()]) - 1
        if len(looks.logs):
            self._log = float(looks.logs[-1])
        self._logs.append(looks.logs)
        self._looks.append(self._n + looks.rows)
        self._n += looks.n
        return self

    def _in_time(self, rows, name):
        """Return rows in the order of their index of times; rows without such an index stay unchanged."""
        when = None if is_empty(rows) else frames.in_time_of_index(rows, name)
        if when is None:
            return rows
        self._undated += when.missing
        self._moved = self._moved or when.moved
        return when.table

    @property
    def undated(self) -> int:
        """Number of rows of the reference and the stream that were left out: they have no time, but others have."""
        return self._undated

    @property
    def memory(self) -> RowMemory | None:
        """Test whether neighbouring rows of the reference are alike; None for a sketch, which has lost their order."""
        return self._stream.memory if isinstance(self._stream, RankedRows) else None

    @property
    def step(self) -> int:
        """Number of rows of the stream for each row that is ranked: 1 unless the reference's rows have a memory."""
        return self._stream.step if isinstance(self._stream, RankedRows) else 1

    @property
    def abstains(self) -> bool:
        """True if no row is ranked and no alarm can be raised, as the reference is too short for its rows' memory."""
        return isinstance(self._stream, RankedRows) and self._stream.abstains

    @property
    def n(self) -> int:
        """Number of rows of the stream so far."""
        return self._n

    @property
    def alarm(self) -> bool:
        """True after an alarm."""
        return self._alarm_at is not None

    @property
    def alarm_at(self) -> int | None:
        """Row of the stream, counted from 0, that raised the alarm, or None without an alarm."""
        return self._alarm_at

    @property
    def wealth(self) -> float:
        """Mean of the K wealths, 1 at the start: at least 1 / level when the alarm is raised."""
        return math.exp(min(self._log, MOST))

    @property
    def path(self) -> Vector:
        """Wealth before the first row and after each, shape (n + 1,); with a sketch, after each of the `looks`."""
        return np.exp(np.minimum(np.concatenate(self._logs), MOST))

    @property
    def looks(self) -> Rows:
        """Number of rows of the stream at each value of `path`, an array of the same length."""
        return np.concatenate(self._looks)

    def __str__(self) -> str:
        under = in_prose(self.kernel, self.columns or ())
        against = f"against a reference of {self.size} rows, under {under}{self._look_size()}"
        opening = self._ordered() + self._remembers()
        if self._alarm_at is not None:
            return (
                f"{opening}Alarm at row {self._alarm_at} of the stream (counted from 0), at level {self.level:g}: after"
                f" {self.n} rows the wealth is {format_number(self.wealth)}, {against}."
            )
        rows = "1 row" if self.n == 1 else f"{self.n} rows"
        return (
            f"{opening}No alarm after {rows} of the stream, at level {self.level:g}: the wealth is"
            f" {format_number(self.wealth)}, {against}."
        )

    def _ordered(self):
        """Return sentences on rows that were sorted by their times, and on rows without one; "" if there are none."""
        order = "Rows are in order of their index of times. " if self._moved else ""
        rows = "1 row without a time is" if self._undated == 1 else f"{self._undated:,} rows without a time are"
        return f"{order}{rows} left out. " if self._undated else order

    def _remembers(self):
        """Return a sentence on the memory of the reference's rows, or "" if none was found."""
        if self.memory is None or not self.memory.found:
            return ""
        if self.abstains:
            return (
                f"{self.memory.clause()}, and a reference of {self.size} rows is too short for this dependence: no"
                " row is ranked, and no alarm can be raised. "
            )
        return f"{self.memory.clause()}, so only one row in {self.step} is ranked. "

    def _look_size(self):
        """Return the number of rows that a look needs, for sketches, as a clause; "" if it is one."""
        unit = self._stream.unit if isinstance(self._stream, PooledSums) else 1
        return f", {unit} rows or more at a look" if unit > 1 else ""

    def _parts(self) -> list[tuple[str, Any]]:
        return [
            ("reference", f"{self.size} rows"), ("kernel", self.kernel), ("level", self.level), ("n", self.n),
            ("wealth", float(f"{self.wealth:.6g}")), ("alarm", self.alarm),
        ]  # fmt: skip

    def _picture(self):
        return inline_pictures.wealth(self, str(self))
