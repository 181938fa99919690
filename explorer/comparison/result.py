"""Comparison: what differs between two tables, in which columns and how much."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.conditional.change import LITTLE
from explorer.datasets.files.encodings import is_said
from explorer.discrepancy.aggregation import AggregatedResult
from explorer.discrepancy.answer import Decision
from explorer.discrepancy.matched import Matched
from explorer.discrepancy.result import TestResult
from explorer.file_endings import refuse_other_than_a_page
from explorer.markup import text_of
from explorer.printing import WHOLE, echo, fields_of, join_list, printed, short_name, truncate
from explorer.processors import limit_threads_of_methods, side_by_side
from explorer.record import record
from explorer.snippets import NOTHING
from explorer.types import Points, Values, Vector
from explorer.whole_files import writable, write

from .columns import ColumnChange
from .copies import Copies
from .detectable import SOUGHT, Findable, findable
from .effect_sizes import levels_by_chance
from .headline import headline_of
from .joint import JointTest
from .level_check import OwnLevel, level_of
from .pairs import MOST, PairChange, comparable, pair_changes
from .resamples import Resamples
from .robustness import (
    MedianVerdict,
    RowsLeftOut,
    RowsWithstood,
    median_verdict,
    rows_withstood,
    without_influential,
)
from .rows import FarRows, likeness, most_unlike
from .samples import Samples
from .subjects import Subjects
from .successive import Successive, successive_of
from .within import resamples_of

if TYPE_CHECKING:
    import pandas

    from explorer.datasets.common_space import Tables

NAMED, FEW = 4, 2  # levels that one sample lacks, each by its name; and if there are more


@limit_threads_of_methods
@printed
@record(kw_only=True)
class Comparison(Decision):
    """What differs between two tables; str() is the verdict, then the columns that differ.

    differ     whether they differ: pvalue <= level
    pvalue     of the joint test over all bandwidths and columns, see `JointTest`; with batches the least `adjusted`
    columns    a ColumnChange for each column that is compared, in the order of the tables
    ungrouped  how many rows of a table of groups name none, and are left out
    gaps       a ColumnChange of kind "missing" for each column that misses cells, of how many do; see `missing`
    left_out   name -> why a column is not compared, or a group such as "month = 2026-03"
    n, m       rows of a and of b; dropped: rows of either that miss a cell
    level      of the verdict, of all columns together and of the intervals
    joint      `mmdagg_test` of all columns together, `mmd_test` of sketches; None where all rows are equal, and of
               several batches together
    far        the FarRows, those least like all others; None of few rows, of sketches, and of several batches together
    subjects   within subjects, how those of a and b are matched: Subjects with the column's `name`, how many are in
               `both`, and how many that are left out are in either `alone`; else None. See also `unmatched`
    batches    a Comparison of a with each batch, where b has several; then columns are those of a and all batches
    adjusted   of one of several batches: p for all of them together, by `holm`; else pvalue itself
    names      what a and b are called; seed: of the `resamples`, drawn where rng is no int
    held       what was compared: points of one space, and the number that each row has in its own table; None of
               sketches, which keep no rows: then there are no columns and no pairs
    python     what repeats it: files by their paths, other tables as a and b
    given, overlap  the columns that it is given, see `compare`, and how alike the samples are in them, from 0 to 1

    >>> import numpy as np
    >>> from explorer.comparison import Comparison, compare
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(0.0, 1.0, (60, 2)), rng.normal([0.0, 1.0], 1.0, (60, 2))
    >>> comparison: Comparison = compare(a, b, n_resamples=199, rng=0)
    >>> comparison.differ, float(comparison.pvalue)
    (True, 0.005)
    >>> [(column.name, round(float(column.adjusted), 3)) for column in comparison.columns]
    [('x1', 0.42), ('x2', 0.005)]
    """

    pvalue: float
    adjusted: float
    level: float
    n: int
    m: int
    columns: tuple[ColumnChange, ...]
    left_out: dict[str, str]
    dropped: tuple[int, int]
    names: tuple[str, str]
    seed: int
    resamples: int
    held: Samples | None
    gaps: tuple[ColumnChange, ...] = ()
    joint: AggregatedResult | TestResult | None = None
    far: FarRows | None = None
    subjects: Subjects | None = None
    batches: tuple[Comparison, ...] = ()
    python: str = NOTHING
    given: tuple[str, ...] = ()
    overlap: float | None = None

    @property
    def differ(self) -> bool:
        """Whether a and b differ at the level; of one of several batches, at the level over all of them."""
        return self.adjusted <= self.level

    @property
    def differing(self) -> tuple[ColumnChange, ...]:
        """The columns that differ at the level over all columns and gaps, those with the least adjusted p first.

        A column stands there twice if its values differ and how often they are missing does too.
        """
        found = [column for column in (*self.columns, *self.gaps) if column.adjusted <= self.level]
        return tuple(sorted(found, key=lambda column: column.adjusted))

    @property
    def unmatched(self) -> tuple[int, int]:
        """How many subjects are in a alone, and in b alone, whose rows are left out; (0, 0) without `within`."""
        return (0, 0) if self.subjects is None else self.subjects.alone

    @property
    def sizes(self) -> str:
        """The rows of a and b in words, or within subjects how many are compared and what is left out."""
        rows = f"{self.n:,} and {self.m:,} rows"
        return f"{rows}{self.said_of_subjects}{self.said_of_ungrouped}{self.said_of_letters}"

    @property
    def ungrouped(self) -> int:
        """How many rows of a table that is compared by its groups name no group, and are left out."""
        return 0 if self.held is None else self.held.ungrouped

    @property
    def said_of_ungrouped(self) -> str:
        """How many rows have no group and are left out, after a semicolon; "" if all have one."""
        return f"; {ungrouped_in_words(self.ungrouped, self.samples.by)}" if self.ungrouped else ""

    @property
    def said_of_letters(self) -> str:
        """Which encoding files of text are read in, if that is not UTF-8, after a semicolon; "" if all are."""
        if self.held is None:
            return ""
        tables = self.samples.tables
        named = len(tables.remarks) == len(tables)
        letters = [[remark for remark in each if is_said(remark)] for each in tables.remarks]
        said = [
            f"{short_name(tables[k].name)}: {remark}" if named else remark
            for k, each in enumerate(letters)
            for remark in each
        ]
        return "".join(f"; {each}" for each in said)

    @property
    def said_of_subjects(self) -> str:
        """How many subjects are compared and what is left out, after a semicolon; "" without `within`."""
        return "" if self.subjects is None else f"; {self.subjects.sentence(*self.names)}"

    @property
    def missing(self) -> dict[str, tuple[float, float, float]]:
        """Of each column that misses cells: the share of a's rows that do, of b's, and p, adjusted as of `columns`."""
        return {column.name: (*(column.shares or {})["missing"], column.adjusted) for column in self.gaps}

    def rows(self, which: Literal["a", "b"], k: int = 5) -> tuple[int, ...]:
        """Return the numbers of the k rows of a, or of b, that are most unlike the other sample, the most unlike first.

        Rows count from 0 in the table that was given; see `rows.likeness`. If more rows tie for the last places than
        there are places, the choice among them would be arbitrary and none of them is named: fewer than k numbers are
        returned, or none. Raises ValueError if b is several batches: ask one of them.
        """
        if which not in ("a", "b"):
            raise Refusal(f"rows are those of 'a' or of 'b', not of {echo(which)}.")
        a, b = self._two()
        own, X, Y = (0, a, b) if which == "a" else (1, b, a)
        samples = self.samples
        alike = likeness(samples.tables, X, Y, self.seed)
        first = most_unlike(alike, checks.whole(k, "k", 1))
        return tuple(samples.positions(own)[first].tolist())

    @property
    def far_off(self) -> str:
        """Whose the farthest rows are, a sentence after a blank, where that differs at the level; else ""."""
        far = self.far
        return "" if far is None or far.pvalue > self.level else f" {far.sentence(*map(short_name, self.names))}"

    @property
    def beyond_columns(self) -> str:
        """What shows a difference that no column shows alone, pairs and far rows: sentences after a blank."""
        pairs = self.pairs if len(self.columns) <= MOST else ()
        differing = sorted((pair for pair in pairs if pair.adjusted <= self.level), key=lambda pair: pair.adjusted)
        names = [f"{short_name(str(pair.first))} with {short_name(str(pair.second))}" for pair in differing]
        together = f" How columns go together does: {join_list(names, 160)}." if names else ""
        return together + self.far_off

    @property
    def by_blocks(self) -> bool:
        """Whether blocks of random rows were permuted, and landmarks stood for kernels, as of many rows."""
        several = self.batches or (self,)
        return any(one.joint is not None and one.joint.approximation != "exact" for one in several)

    @cached_property
    def pairs(self) -> tuple[PairChange, ...]:
        """A PairChange for every two columns: how differently they go together, whatever each does by itself.

        Adjusted for all pairs. Of several batches it is of all their rows. Ordered scales go by their ranks, as numbers
        do. Every p is about right: in the limit of many independent rows, and measured of few, see `pair_pvalues`. Of
        more than 4096 rows a random part of the larger sample is tested, see `comparable`; `before` and `after` are
        those of all rows. Within subjects all rows are, by permutations within them, and every p is right in the limit
        of many subjects.
        """
        if self.held is None:
            return ()
        tables = self.samples.tables
        a, b = tables[0].X, np.concatenate([one.X for one in tables[1:]])
        compared = {column.name for column in self.columns}
        among = [j for j, column in enumerate(tables.kept) if column.kind != "missing" and column.name in compared]
        a, b = (np.column_stack([_for_pairs(tables, X, j) for j in among] or [X[:, :0]]) for X in (a, b))
        levels = [0 if tables.kept[j].ordered else len(tables.kept[j].levels) for j in among]
        names = [tables.kept[j].name for j in among]
        if (groups := self.samples.groups) is not None:
            resamples = resamples_of(len(a), len(b), self.resamples, self.seed, self.by_blocks, groups)
            return tuple(pair_changes(a, b, levels, resamples, names))
        tested = comparable(a, b, self.seed)
        resamples = Resamples(len(tested[0]), len(tested[1]), self.resamples, self.seed, self.by_blocks)
        return tuple(pair_changes(a, b, levels, resamples, names, tested))

    @cached_property
    def findable(self) -> tuple[Findable, ...]:
        """What the test of each column would have found at these sizes, see `Findable`; a Refusal within subjects."""
        if self.held is None:
            return ()
        self._refuse_subjects("what would have been found")
        tables = self.samples.tables
        P = np.concatenate([one.X for one in tables])
        at = {column.name: j for j, column in enumerate(tables.kept) if column.kind != "missing"}

        def of(change: ColumnChange) -> Findable:
            j = at[change.name]
            n = len(tables.cells(tables[0].X, j))
            return findable(tables.cells(P, j), n, tables.kept[j], change)

        return tuple(side_by_side(of, self.columns, SOUGHT * P.size))

    def without(self, k: int = 3) -> RowsLeftOut:
        """The joint test without the k rows that it rests on most, see `without_influential`; numbers as of `rows`.

        Raises a Refusal within subjects, as `withstood` does.
        """
        self._refuse_subjects("which rows the verdict rests on")
        (a, b), samples = self._two(), self.samples
        tables = samples.tables

        def pvalue(x, y):
            return JointTest.of(tables, x, y, self.resamples, self.seed).pvalue

        found = without_influential(a, b, tables.kernel, k, pvalue, rng=self.seed)
        first, second = samples.positions(0), samples.positions(1)
        rows_a, rows_b = (tuple(int(rows[i]) for i in gone) for rows, gone in ((first, found[0]), (second, found[1])))
        lines = samples.lines(0, rows_a), samples.lines(1, rows_b)
        return RowsLeftOut(rows_a, rows_b, found.pvalue, self.names, found.equal, lines)

    def withstood(self) -> RowsWithstood:
        """Return how many rows could have any other values, and the samples would still differ, see `rows_withstood`.

        Its p is that of one kernel alone, exact for exchangeable rows of any kind.
        """
        self._refuse_subjects("how many rows the verdict withstands")
        a, b = self._two()
        return rows_withstood(a, b, self.samples.tables.kernel, self.level, self.resamples, self.seed)

    def median(self, outliers: int = 3) -> MedianVerdict:
        """Return the test by the median of means, which few rows sway less, see `median_verdict`.

        Its p is exact for exchangeable rows of any kind; within subjects, whose rows are then paired with each other,
        for rows that are exchangeable within subjects.
        """
        a, b = self._two()
        if (groups := self.samples.groups) is not None:
            pairs = Matched.of(groups, len(a), self.seed)
            a, b = a[pairs.a], b[pairs.b]
            return median_verdict(a, b, self.samples.tables.kernel, outliers, self.seed, paired=True)
        return median_verdict(a, b, self.samples.tables.kernel, outliers, self.seed)

    def level_check(self, repetitions: int = 200, n_resamples: int = 199) -> OwnLevel:
        """How often the joint test rejects where these rows are split anew at random, see `level_of`.

        Within subjects each subject's rows are.
        """
        a, b = self._two()
        P, tables, groups = np.concatenate([a, b]), self.samples.tables, self.samples.groups

        def pvalue(first, second, rng):
            seed = int(rng.integers(2**32))
            codes = None if groups is None else groups[np.concatenate([first, second])]
            return JointTest.of(tables, P[first], P[second], n_resamples, seed, codes).pvalue

        return level_of(pvalue, len(a), len(b), repetitions, self.level, self.seed, groups)

    def _refuse_subjects(self, what):
        """Refuse what is known of independent rows only."""
        if self.held is not None and self.held.within:
            raise Refusal(
                f"{what} is known for independent rows only, and these are compared within {echo(self.held.within)};"
                " compare one row of each subject, or leave within out."
            )

    def _two(self):
        """The points of a and of b; a Refusal where b is several batches."""
        if self.batches:
            raise Refusal("rows belong to one of two samples, and b is several batches; ask one of .batches.")
        return tuple(one.X for one in self.samples.tables)

    @property
    def samples(self) -> Samples:
        """What is held; a Refusal where there are sketches alone."""
        if self.held is None:
            raise Refusal("sketches keep no rows, and this is of rows; compare the tables that they were made of.")
        return self.held

    def values(self, column: str) -> tuple[Values, Values]:
        """The values of a column in a and in b, (k,) and (l,), in its own units; of a category its levels as words.

        Cells that are missing have none.
        """
        tables, names = self.samples.tables, [each.name for each in self.columns]
        if column not in names:
            raise Refusal(f"column {echo(column)} is not compared; take one of {join_list(map(echo, names))}.")
        j = tables[0].names.index(column)
        quantity = tables[0].quantities[j]
        a, b = tables.cells(tables[0].X, j), np.concatenate([tables.cells(table.X, j) for table in tables[1:]])
        if not quantity.levels:
            return quantity.to_file_units(a), quantity.to_file_units(b)
        words = np.array(quantity.levels, dtype=object)
        return words[a.astype(int)], words[b.astype(int)]

    @cached_property
    def successive(self) -> Successive | None:
        """Whether successive rows of batches in time depend on each other; None of other batches, and of few rows."""
        return successive_of(self.held, self.seed)

    @property
    def dependence(self) -> str:
        """The sentence that successive rows depend on each other, if they are found to; else ""."""
        return str(self.successive) if self.successive is not None and self.successive.found else ""

    @property
    def grouping(self) -> str:
        """What the groups are where they are periods of dates, such as "month of 'day'"; else ""."""
        return "" if self.held is None else self.samples.grouping

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """The report as one HTML page that needs no network; it is written to a path where one is given.

        The verdict, the columns with pictures of both samples, the rows most unlike, what was done with each column,
        and what repeats it.
        """
        from .report import report

        if path is not None:
            refuse_other_than_a_page(path)
            writable(path)
        page = report(self)
        if path is not None:
            write(path, page)
        return str(page)

    def to_frame(self) -> pandas.DataFrame:
        """A row for each column and each column's gaps: its name, kind, p-values, and how much it differs."""
        import pandas

        rows = [
            {
                "name": each.name,
                "kind": each.kind,
                "pvalue": each.pvalue,
                "adjusted": each.adjusted,
                "before": each.before,
                "after": each.after,
                "change": each.change,
                "beyond": each.beyond,
                "shift": each.shift,
                "low": None if each.interval is None else each.interval[0],
                "high": None if each.interval is None else each.interval[1],
                "superiority": each.superiority,
                "unit": each.unit,
            }
            for each in (*self.columns, *self.gaps)
        ]
        return pandas.DataFrame(rows)

    def to_dict(self) -> dict[str, Any]:
        """What is found, as JSON has it.

        The verdict, its first sentence as headline and all of them; a dict for each column, each pair of columns and
        each batch; of the joint test its statistic, kernels and what stood for them; whose the farthest rows are; what
        names the groups, where there are some. Of more than 60 columns no pairs.
        """
        plain = super().to_dict()
        del plain["held"]
        joint = None if self.joint is None else self.joint.to_dict()
        kept = ("name", "statistic", "kernel", "resamples", "approximation")
        more = {
            "ungrouped": self.ungrouped,
            "differ": self.differ,
            "headline": self.headline,
            "grouping": self.grouping,
            "missing": {},
        }
        more["missing"] = {name: list(each) for name, each in self.missing.items()}
        if self.copies is not None:
            counts = ("rows", "repeats", "copies", "times", "common", "overlap", "columns")
            values = (getattr(self.copies, key) for key in counts)
            more["copies"] = {
                key: list(x) if isinstance(x, tuple) else x for key, x in zip(counts, values, strict=True)
            }
        more["subjects"] = None if self.subjects is None else self.subjects._asdict()
        more["successive"] = None if self.successive is None else self.successive._asdict()
        more |= {"joint": joint and {key: joint[key] for key in kept}, "far": self.far and self.far._asdict()}
        pairs = self.pairs if len(self.columns) <= MOST else ()
        return plain | more | {"pairs": [pair._asdict() | {"sentence": str(pair)} for pair in pairs]}

    def _parts(self):
        return [(name, value) for name, value in fields_of(self) if name not in ("held", "python")]

    def _picture(self):
        from .table import table_in_a_notebook

        return table_in_a_notebook(self) if self.columns else ""

    @property
    def verdict(self) -> str:
        """Whether they differ, and which batches do."""
        return "\n".join([self._verdict(), *self._of_batches()])

    def __str__(self) -> str:
        said = [truncate(self.said_of_copies, 240), self.said_of_levels, self._noted(240), self.rows_dropped]
        lines, out = [self.verdict], list(filter(None, said))
        rest = WHOLE - len("\n".join([*lines, *out])) - 40  # which say how many more there are
        if self.differing:
            lines.append(join_list(map(str, self.differing), max(rest, 60), " "))
        return "\n".join([*lines, *out])[:WHOLE]

    @property
    def headline(self) -> str:
        """The first sentence: whether they differ, p, how much is compared, and what is not."""
        return text_of(headline_of(self))

    def _verdict(self):
        if self.batches or not self.columns:
            return self.headline
        if self.differ:
            alone = "" if self.differing else f" No column alone shows it.{self.beyond_columns}"
        else:
            alone = " Taken one by one, columns differ:" if self.differing else ""
        return f"{self.headline}{alone}"

    @property
    def said_given(self) -> str:
        """The columns that it is given, in words: "age, region and income"; "" if there are none."""
        *others, last = map(short_name, self.given) if self.given else ("",)
        return f"{join_list(others, 160)} and {last}" if others else last

    @property
    def said_overlap(self) -> str:
        """How alike the samples are in the given columns, a sentence; "" if none are given."""
        if self.overlap is None:
            return ""
        if self.overlap >= LITTLE:
            return f"The overlap of {self.said_given} is {self.overlap:.2g} (1 if alike, 0 if apart)."
        return (
            f"They hardly overlap in {self.said_given} ({self.overlap:.2g}; 1 if alike, 0 if apart), so that hardly any"
            " difference could be found."
        )

    @property
    def columns_left_out(self) -> dict[str, str]:
        """Why a column is not compared, by its name: `left_out` without groups."""
        alone = () if self.held is None else self.held.alone
        return {name: why for name, why in self.left_out.items() if name not in alone}

    @property
    def noted(self) -> str:
        """What was done with values that are no plain numbers, and what may be none, a sentence; "" if there are none.

        Limits, units, flags, words that are taken as missing, numbers far from all others that may stand for missing
        ones; and names of subjects, it seems, that are in both tables.
        """
        return self._noted(2000)

    def _noted(self, letters):
        if self.held is None:
            return ""
        repeated = [
            f"{count:,} values of {short_name(name)} are in both: to compare each with itself, compare within {short_name(name)}"
            for name, count in self.samples.repeated
        ]
        noted = [*repeated, *self.samples.respelled, *self.samples.tables.noted]
        return f"Note: {join_list(noted, letters, '; ')}." if noted else ""

    @property
    def compared(self) -> str:
        """How many columns the verdict is about: "8 columns", or "6 of 8 columns" if some are not; "" of sketches."""
        count, left = len(self.columns), len(self.columns_left_out)
        if not count:
            return ""
        return f"{count} of {count + left} columns" if left else f"{count} column{'' if count == 1 else 's'}"

    @property
    def not_compared(self) -> str:
        """The columns, groups and rows that are left out, and why, a sentence; "" if all is compared."""
        found = [*filter(None, [self.left_in_words(2000), self._dropped])]
        return f"Not compared: {'; '.join(found)}." if found else ""

    @property
    def copies(self) -> Copies | None:
        """The copies of rows in a and b and in both, before any were left out; None of sketches and several batches."""
        return None if self.held is None or self.batches or not self.samples.copies else self.samples.copies[0]

    @property
    def said_of_copies(self) -> str:
        """How many rows are copies, and which rows are compared then, sentences; "" if no row is a copy."""
        if self.held is None:
            return ""
        several = self.batches or (self,)
        said = dict.fromkeys(one.copies.sentences(*one.names) for one in several if one.copies is not None)
        compared = self.samples.compared
        words = [*filter(None, said), f"{compared}." if compared else ""]
        return " ".join(filter(None, words))

    @cached_property
    def new_levels(self) -> dict[str, tuple[dict[str, int], dict[str, int]]]:
        """Of each category with levels that one sample lacks: those of b alone and of a alone, and in how many rows."""
        found = {}
        for name, (a, b) in self._level_counts.items():
            new, lost = ({w: one[w] for w in one.keys() - other.keys()} for one, other in ((b, a), (a, b)))
            if new or lost:
                found[name] = (new, lost)
        return found

    @cached_property
    def _level_counts(self) -> dict[str, tuple[Counter[str], Counter[str]]]:
        """How many rows of a and of b each category's levels have."""
        names = [column.name for column in self.columns if column.kind == "category"]
        each = {name: self.values(name) for name in names}
        return {name: (Counter(a.tolist()), Counter(b.tolist())) for name, (a, b) in each.items()}

    @property
    def said_of_levels(self) -> str:
        """Which levels of categories are new in b or gone from it, however rare, sentences; "" if none is.

        Of a category with many of them it is said how many there are, and how many levels one sample would lack if
        rows were exchanged at random.
        """
        words, counts = [], self._level_counts
        for side, about in ((0, f"New in {short_name(self.names[1])}"), (1, f"Not in {short_name(self.names[1])}")):
            each = [
                said
                for name, levels in self.new_levels.items()
                for said in _levels_alone(name, levels[side], counts[name][1 - side], counts[name][side])
            ]
            words += [f"{about}: {join_list(each, 240)}."] if each else []
        return " ".join(words)

    @property
    def rows_dropped(self) -> str:
        """How many rows with missing cells are not compared, a sentence; "" if all are."""
        return f"Not compared: {self._dropped}." if self._dropped else ""

    @property
    def _dropped(self):
        return "rows with missing cells, {:,} and {:,}".format(*self.dropped) if any(self.dropped) else ""

    def left_in_words(self, letters: int) -> str:
        """What is not compared and why, in so many characters; "" if all is."""
        words = [f"{short_name(name)} ({why})" for name, why in self.left_out.items()]
        if self.held is None:
            words.append("columns, as sketches keep no rows")
        return join_list(words, letters) if words else ""

    def _of_batches(self):
        some = [f"{short_name(batch.names[1])} (p = {batch.adjusted:.3g})" for batch in self.batches if batch.differ]
        differing = [f"They are {join_list(some, 200)}."] if some else []
        depend = [self.dependence] if self.dependence else []
        return [*differing, f"Groups: {self.grouping}.", *depend] if self.grouping else differing


def _for_pairs(tables: Tables, X: Points, j: int) -> Vector:
    """Column j of points X (n, d), NaN if its cell is missing, or has no place on its ordered scale."""
    x, ordered = tables.with_nan(X, j), tables.kept[j].ordered
    return np.where(x < ordered, x, np.nan) if ordered else x


def ungrouped_in_words(count: int, by: str) -> str:
    """Say how many rows name no group in a column, without a point."""
    are = "is" if count == 1 else "are"
    return f"{_rows(count)} without a group ({short_name(by)} is empty) {are} left out"


def _levels_alone(name: str, levels: dict[str, int], own: Counter[str], other: Counter[str]) -> list[str]:
    """Name each level that one sample has alone, the most frequent first; of many how many there are, and a few.

    own, other  how many rows of that sample, and of the other one, each level has
    """
    order = sorted(levels.items(), key=lambda item: (-item[1], item[0]))
    if len(order) <= NAMED:
        return [f"{short_name(name)} {short_name(level)} ({_rows(count)})" for level, count in order]
    few = ", ".join(f"{truncate(level, 20)} ({count:,})" for level, count in order[:FEW])
    chance = levels_by_chance(np.array(list((own + other).values())), own.total(), other.total())
    many = f"{len(order):,} levels of {truncate(name, 20)} in {_rows(sum(levels.values()))}"
    return [f"{many} (about {chance:,.0f} by chance), such as {few}"]


def _rows(count: int) -> str:
    return f"{count:,} row{'' if count == 1 else 's'}"
