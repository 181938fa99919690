"""`Comparison`: the difference between two tables, the columns that differ, and the size of each change."""

from __future__ import annotations

from collections import Counter
from functools import cached_property
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.conditional.change import LITTLE
from explorer.datasets.files.encodings import is_encoding_remark
from explorer.discrepancy.resampling.aggregation import AggregatedResult
from explorer.discrepancy.resampling.matched_pairs import MatchedPairs
from explorer.discrepancy.results.answer import Decision
from explorer.discrepancy.results.test_result import TestResult
from explorer.execution.processors import limit_threads_of_methods, side_by_side
from explorer.files.file_endings import refuse_other_than_a_page
from explorer.files.whole_files import writable, write
from explorer.markup import markup, text_of
from explorer.printing import WHOLE, echo, fields_of, join_list, printed, short_name, truncate
from explorer.recipe import Script
from explorer.record import record
from explorer.types import Points, Values, Vector

from .columns import ColumnChange
from .copies import Copies
from .detectable import SOUGHT, Detectable, detectable_change
from .effect_sizes import levels_by_chance
from .headline import headline_of
from .joint import JointTest
from .level_check import ComparisonLevelCheck, check_level
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
from .rows import OutlyingRows, most_unlike, similarity
from .samples import Samples
from .subjects import Subjects
from .successive import Successive, successive_of
from .within import resamples_of

if TYPE_CHECKING:
    import pandas

    from explorer.datasets.common_space import Tables

NAMED, FEW = 4, 2  # so many levels that one sample lacks are all named; if there are more, FEW are examples


@limit_threads_of_methods
@printed
@record(kw_only=True)
class Comparison(Decision):
    """Difference between two tables; str() is the verdict, then the columns that differ.

    Attributes
    ----------
    pvalue : float
        p of the joint test over all bandwidths and columns, see `JointTest`; with several batches the least `adjusted`.
    adjusted : float
        For one of several batches: p adjusted for all of them, by `holm`. Otherwise pvalue itself.
    level : float
        Level of the verdict, of all columns together, and of the intervals.
    n : int
        Number of rows of a.
    m : int
        Number of rows of b.
    columns : tuple of ColumnChange
        One for each compared column, in the order of the tables. With several batches, the changes between a and all
        batches together.
    left_out : dict
        name -> why a column, or a group such as "month = 2026-03", is not compared.
    dropped : tuple of int
        Number of rows of a and of b that miss a cell and were dropped.
    names : tuple of str
        Names of a and b.
    seed : int
        Seed of the resamples, drawn if rng is not an int.
    resamples : int
        Number of resamples.
    inputs : Samples or None
        What was compared: points in one space, and the number of each row in its table. None for sketches, which keep
        no rows: then there are no columns and no pairs.
    gaps : tuple of ColumnChange
        One of kind "missing" for each column with missing cells, on how many are missing; see `missing`.
    joint : AggregatedResult, TestResult or None
        `mmdagg_test` of all columns together, or `mmd_test` of sketches; None if all rows are equal, and for several
        batches together.
    far : OutlyingRows or None
        The rows that are least like all others; None for few rows, for sketches, and for several batches together.
    subjects : Subjects or None
        Within subjects, how those of a and b are matched: the column's `name`, how many subjects are in `both`, and how
        many that are left out are in one `alone`. See also `unmatched`.
    batches : tuple of Comparison
        Comparison of a with each batch, if b has several.
    python : str
        Python code that repeats the comparison: files by their paths, other tables as a and b.
    given : tuple of str
        Columns that the comparison is given, see `compare`.
    overlap : float or None
        How similar the samples are in the given columns, from 0 to 1.
    differ : bool
        Whether they differ: pvalue <= level.
    ungrouped : int
        Number of rows of a table of groups that name none, and are left out.

    Examples
    --------
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
    inputs: Samples | None
    gaps: tuple[ColumnChange, ...] = ()
    joint: AggregatedResult | TestResult | None = None
    far: OutlyingRows | None = None
    subjects: Subjects | None = None
    batches: tuple[Comparison, ...] = ()
    python: str = Script()
    given: tuple[str, ...] = ()
    overlap: float | None = None

    @property
    def differ(self) -> bool:
        """True if a and b differ at the level; for one of several batches, at the level over all of them."""
        return self.adjusted <= self.level

    @property
    def differing(self) -> tuple[ColumnChange, ...]:
        """The columns that differ at the level over all columns and missing cells, least adjusted p first.

        A column occurs twice if both its values and the number of its missing cells differ.
        """
        found = [column for column in (*self.columns, *self.gaps) if column.adjusted <= self.level]
        return tuple(sorted(found, key=lambda column: column.adjusted))

    @property
    def unmatched(self) -> tuple[int, int]:
        """Number of subjects that are only in a, and only in b, whose rows are left out; (0, 0) without `within`."""
        return (0, 0) if self.subjects is None else self.subjects.alone

    @property
    def sizes(self) -> str:
        """Text on the number of rows, or within subjects on the subjects that are compared, and on what is left out."""
        rows = f"{self.n:,} and {self.m:,} rows"
        return f"{rows}{self.subjects_note}{self.ungrouped_note}{self.encodings_note}"

    @property
    def ungrouped(self) -> int:
        """Number of rows without a group, in a table compared by its groups; they are left out."""
        return 0 if self.inputs is None else self.inputs.ungrouped

    @property
    def ungrouped_note(self) -> str:
        """Note on the rows without a group, after a semicolon; "" if all have one."""
        return f"; {ungrouped_text(self.ungrouped, self.samples.by)}" if self.ungrouped else ""

    @property
    def encodings_note(self) -> str:
        """Note on the encoding of text files that are not UTF-8, after a semicolon; "" if all are."""
        if self.inputs is None:
            return ""
        tables = self.samples.tables
        named = len(tables.remarks) == len(tables)
        letters = [[remark for remark in each if is_encoding_remark(remark)] for each in tables.remarks]
        said = [
            f"{short_name(tables[k].name)}: {remark}" if named else remark
            for k, each in enumerate(letters)
            for remark in each
        ]
        return "".join(f"; {each}" for each in said)

    @property
    def subjects_note(self) -> str:
        """Note on the subjects that are compared or left out, after a semicolon; "" without `within`."""
        return "" if self.subjects is None else f"; {self.subjects.sentence(*self.names)}"

    @property
    def missing(self) -> dict[str, tuple[float, float, float]]:
        """Column -> (share of a's rows that miss the cell, share of b's rows, p adjusted as in `columns`)."""
        return {column.name: (*(column.shares or {})["missing"], column.adjusted) for column in self.gaps}

    def rows(self, which: Literal["a", "b"], k: int = 5) -> tuple[int, ...]:
        """Return the numbers of the k rows of a, or of b, that are most unlike the other sample, the most unlike first.

        Rows count from 0 in the table that was passed; see `rows.similarity`. If more rows tie for the last places than
        there are places, the choice among them would be arbitrary and none of them is named: fewer than k numbers are
        returned, or none.

        Parameters
        ----------
        which : {"a", "b"}
            The sample of the rows.
        k : int, default 5
            Number of rows.

        Returns
        -------
        tuple of int
            Row numbers.

        Raises
        ------
        Refusal
            If b is several batches: ask one of `batches`.
        """
        if which not in ("a", "b"):
            raise Refusal(f"rows are those of 'a' or of 'b', not of {echo(which)}.")
        a, b = self._two()
        own, X, Y = (0, a, b) if which == "a" else (1, b, a)
        samples = self.samples
        alike = similarity(samples.tables, X, Y, self.seed)
        first = most_unlike(alike, checks.whole(k, "k", 1))
        return tuple(samples.positions(own)[first].tolist())

    @property
    def outlying_sentence(self) -> str:
        """Sentence on which sample the most outlying rows come from, with a leading space; "" if not significant."""
        far = self.far
        return "" if far is None or far.pvalue > self.level else f" {far.sentence(*map(short_name, self.names))}"

    @property
    def beyond_columns(self) -> str:
        """Sentences on differences that no column shows alone: pairs, outlying rows; with a leading space, or ""."""
        pairs = self.pairs if len(self.columns) <= MOST else ()
        differing = sorted((pair for pair in pairs if pair.adjusted <= self.level), key=lambda pair: pair.adjusted)
        names = [f"{short_name(str(pair.first))} with {short_name(str(pair.second))}" for pair in differing]
        together = f" The dependence between columns does: {join_list(names, 160)}." if names else ""
        return together + self.outlying_sentence

    @property
    def by_blocks(self) -> bool:
        """True if blocks of random rows were permuted and landmarks approximated the kernels, as for many rows."""
        several = self.batches or (self,)
        return any(one.joint is not None and one.joint.approximation != "exact" for one in several)

    @cached_property
    def pairs(self) -> tuple[PairChange, ...]:
        """A PairChange for each pair of columns: how their dependence differs, whatever each column does by itself.

        p is adjusted for all pairs. With several batches it is that of all their rows. Ordered scales are ranked, as
        numbers are. Every p is about right: in the limit of many independent rows, and measured for few, see
        `pair_pvalues`. Of more than 4096 rows a random part of the larger sample is tested, see `comparable`; `before`
        and `after` are those of all rows. Within subjects all rows are tested, by permutations within them, and every p
        is right in the limit of many subjects.
        """
        if self.inputs is None:
            return ()
        tables = self.samples.tables
        a, b = tables[0].X, np.concatenate([one.X for one in tables[1:]])
        compared = {column.name for column in self.columns}
        among = [j for j, column in enumerate(tables.included) if column.kind != "missing" and column.name in compared]
        a, b = (np.column_stack([_for_pairs(tables, X, j) for j in among] or [X[:, :0]]) for X in (a, b))
        levels = [0 if tables.included[j].ordered else len(tables.included[j].levels) for j in among]
        names = [tables.included[j].name for j in among]
        if (groups := self.samples.groups) is not None:
            resamples = resamples_of(len(a), len(b), self.resamples, self.seed, self.by_blocks, groups)
            return tuple(pair_changes(a, b, levels, resamples, names))
        tested = comparable(a, b, self.seed)
        resamples = Resamples(len(tested[0]), len(tested[1]), self.resamples, self.seed, self.by_blocks)
        return tuple(pair_changes(a, b, levels, resamples, names, tested))

    @cached_property
    def detectable(self) -> tuple[Detectable, ...]:
        """Least change that the test of each column detects at these sizes, see `Detectable`; not within subjects."""
        if self.inputs is None:
            return ()
        self._refuse_subjects("the least detectable change")
        tables = self.samples.tables
        P = np.concatenate([one.X for one in tables])
        at = {column.name: j for j, column in enumerate(tables.included) if column.kind != "missing"}

        def of(change: ColumnChange) -> Detectable:
            j = at[change.name]
            n = len(tables.cells(tables[0].X, j))
            return detectable_change(tables.cells(P, j), n, tables.included[j], change)

        return tuple(side_by_side(of, self.columns, SOUGHT * P.size))

    def without_influential_rows(self, k: int = 3) -> RowsLeftOut:
        """Return the joint test without the k rows on which it depends most, see `without_influential`.

        Parameters
        ----------
        k : int, default 3
            Number of rows to leave out.

        Returns
        -------
        RowsLeftOut
            The rows, numbered as in `rows`, and p without them.

        Raises
        ------
        Refusal
            Within subjects, as `rows_withstood` does.
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

    def rows_withstood(self) -> RowsWithstood:
        """Return how many rows could have any other values without changing the verdict.

        See `robustness.rows_withstood`. Its p is that of one kernel alone, exact for exchangeable rows of any kind.

        Returns
        -------
        RowsWithstood
            The number of rows.

        Raises
        ------
        Refusal
            Within subjects, since it is known for independent rows only.
        """
        self._refuse_subjects("how many rows the verdict withstands")
        a, b = self._two()
        return rows_withstood(a, b, self.samples.tables.kernel, self.level, self.resamples, self.seed)

    def median_of_means_test(self, outliers: int = 3) -> MedianVerdict:
        """Return the test by the median of means, which few rows influence less, see `median_verdict`.

        Its p is exact for exchangeable rows of any kind; within subjects, whose rows are then paired with each other,
        for rows that are exchangeable within subjects.

        Parameters
        ----------
        outliers : int, default 3
            Number of rows that most blocks should not contain.

        Returns
        -------
        MedianVerdict
            The p-value and the number of blocks.
        """
        a, b = self._two()
        if (groups := self.samples.groups) is not None:
            pairs = MatchedPairs.of(groups, len(a), self.seed)
            a, b = a[pairs.a], b[pairs.b]
            return median_verdict(a, b, self.samples.tables.kernel, outliers, self.seed, paired=True)
        return median_verdict(a, b, self.samples.tables.kernel, outliers, self.seed)

    def level_check(self, repetitions: int = 200, n_resamples: int = 199) -> ComparisonLevelCheck:
        """Return how often the joint test rejects if these rows are split anew at random, see `check_level`.

        Within subjects the rows of each subject are split.

        Parameters
        ----------
        repetitions : int, default 200
            Number of random splits.
        n_resamples : int, default 199
            Permutations of each test.

        Returns
        -------
        ComparisonLevelCheck
            The p-values and the rate of rejections.
        """
        a, b = self._two()
        P, tables, groups = np.concatenate([a, b]), self.samples.tables, self.samples.groups

        def pvalue(first, second, rng):
            seed = int(rng.integers(2**32))
            codes = None if groups is None else groups[np.concatenate([first, second])]
            return JointTest.of(tables, P[first], P[second], n_resamples, seed, codes).pvalue

        return check_level(pvalue, len(a), len(b), repetitions, self.level, self.seed, groups)

    def _refuse_subjects(self, what):
        """Raise Refusal within subjects, for a method that is known for independent rows only."""
        if self.inputs is not None and self.inputs.within:
            raise Refusal(
                f"{what} is known for independent rows only, and these are compared within {echo(self.inputs.within)};"
                " compare one row of each subject, or leave within out."
            )

    def _two(self):
        """Return the points of a and of b; raise Refusal if b is several batches."""
        if self.batches:
            raise Refusal("rows belong to one of two samples, and b is several batches; ask one of .batches.")
        return tuple(one.X for one in self.samples.tables)

    @property
    def samples(self) -> Samples:
        """The inputs; raises Refusal if only sketches were compared."""
        if self.inputs is None:
            raise Refusal("sketches keep no rows, and this needs rows; compare the tables that they were made of.")
        return self.inputs

    def values(self, column: str) -> tuple[Values, Values]:
        """Return the values of a column in a and in b, in its own units, or the levels of a category as words.

        Missing cells are left out.

        Parameters
        ----------
        column : str
            Name of a compared column.

        Returns
        -------
        a : ndarray of shape (k,)
            Values in a.
        b : ndarray of shape (l,)
            Values in b, or in all batches.

        Raises
        ------
        Refusal
            If the column is not compared.
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
        """Test of the dependence of successive rows of batches in time; None for other batches and for few rows."""
        return successive_of(self.inputs, self.seed)

    @property
    def dependence(self) -> str:
        """Sentence that successive rows depend on each other, if that is significant, or ""."""
        return str(self.successive) if self.successive is not None and self.successive.is_dependent else ""

    @property
    def grouping(self) -> str:
        """Text on the groups if they are periods of dates, such as "month of 'day'", or ""."""
        return "" if self.inputs is None else self.samples.grouping

    def to_html(self, path: str | PathLike[str] | None = None) -> str:
        """Return the report as one HTML page that needs no network; write it to a path if one is given.

        It contains the verdict, the columns with pictures of both samples, the rows most unlike, what was done with
        each column, and the code that repeats it.

        Parameters
        ----------
        path : str, path-like or None, default None
            File to write, with an ending of an HTML page.

        Returns
        -------
        str
            The page.
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
        """Return a row for each column and each column's missing cells: name, kind, p-values, and size of the change.

        Returns
        -------
        pandas.DataFrame
            One row per element of `columns` and `gaps`.
        """
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
        """Return the results in a form that JSON can hold.

        They are the verdict, its first sentence as headline and all sentences; a dict for each column, each pair of
        columns and each batch; the joint test's statistic, kernels and approximation; the most outlying rows; and what
        names the groups, if there are some. Pairs are left out if there are more than 60 columns.

        Returns
        -------
        dict
            Fields by name.
        """
        plain = super().to_dict()
        del plain["inputs"]
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
        return [(name, value) for name, value in fields_of(self) if name not in ("inputs", "python")]

    def _picture(self):
        from .table import table_in_a_notebook

        return table_in_a_notebook(self) if self.columns else markup("")

    @property
    def verdict(self) -> str:
        """Sentences on whether the tables differ, and which batches do."""
        return "\n".join([self._verdict(), *self._of_batches()])

    def __str__(self) -> str:
        said = [truncate(self.copies_sentence, 240), self.new_levels_sentence, self._noted(240), self.rows_dropped]
        lines, out = [self.verdict], list(filter(None, said))
        rest = WHOLE - len("\n".join([*lines, *out])) - 40  # 40 characters say how many more columns there are
        if self.differing:
            lines.append(join_list(map(str, self.differing), max(rest, 60), " "))
        return "\n".join([*lines, *out])[:WHOLE]

    @property
    def headline(self) -> str:
        """The first sentence: the verdict, p, how much is compared, and what is not."""
        return text_of(headline_of(self))

    def _verdict(self):
        if self.batches or not self.columns:
            return self.headline
        if self.differ:
            alone = "" if self.differing else f" No column alone shows it.{self.beyond_columns}"
        else:
            alone = " Tested one by one, columns differ:" if self.differing else ""
        return f"{self.headline}{alone}"

    @property
    def given_text(self) -> str:
        """The given columns as text, such as "age, region and income"; "" if there are none."""
        *others, last = map(short_name, self.given) if self.given else ("",)
        return f"{join_list(others, 160)} and {last}" if others else last

    @property
    def overlap_sentence(self) -> str:
        """Sentence on how similar the samples are in the given columns; "" if none are given."""
        if self.overlap is None:
            return ""
        if self.overlap >= LITTLE:
            return f"The overlap of {self.given_text} is {self.overlap:.2g} (1 if alike, 0 if apart)."
        return (
            f"They hardly overlap in {self.given_text} ({self.overlap:.2g}; 1 if alike, 0 if apart), so hardly any"
            " difference could be detected."
        )

    @property
    def columns_left_out(self) -> dict[str, str]:
        """The columns that are not compared, with reasons: `left_out` without groups."""
        alone = () if self.inputs is None else self.inputs.alone
        return {name: why for name, why in self.left_out.items() if name not in alone}

    @property
    def noted(self) -> str:
        """Sentence on values that are not plain numbers or may be missing, and their treatment; "" if there are none.

        It covers limits, units, flags, words that are treated as missing, numbers far from all others that may stand
        for missing values, and apparent names of subjects that are in both tables.
        """
        return self._noted(2000)

    def _noted(self, letters):
        if self.inputs is None:
            return ""
        repeated = [
            f"{count:,} values of {short_name(name)} are in both: to compare each with itself, compare within"
            f" {short_name(name)}"
            for name, count in self.samples.repeated
        ]
        noted = [*repeated, *self.samples.respelled, *self.samples.tables.noted]
        return f"Note: {join_list(noted, letters, '; ')}." if noted else ""

    @property
    def compared(self) -> str:
        """Number of compared columns as text: "8 columns", "6 of 8 columns" if some are left out; "" for sketches."""
        count, left = len(self.columns), len(self.columns_left_out)
        if not count:
            return ""
        return f"{count} of {count + left} columns" if left else f"{count} column{'' if count == 1 else 's'}"

    @property
    def not_compared(self) -> str:
        """Sentence on the columns, groups and rows that are left out, with reasons; "" if all are compared."""
        found = [*filter(None, [self.left_out_text(2000), self._dropped])]
        return f"Not compared: {'; '.join(found)}." if found else ""

    @property
    def copies(self) -> Copies | None:
        """Copies of rows within and between a and b, before any were removed; None for sketches and several batches."""
        return None if self.inputs is None or self.batches or not self.samples.copies else self.samples.copies[0]

    @property
    def copies_sentence(self) -> str:
        """Sentences on copies of rows, and on the rows that are compared then; "" if no row is a copy."""
        if self.inputs is None:
            return ""
        several = self.batches or (self,)
        said = dict.fromkeys(one.copies.sentences(*one.names) for one in several if one.copies is not None)
        compared = self.samples.compared
        words = [*filter(None, said), f"{compared}." if compared else ""]
        return " ".join(filter(None, words))

    @cached_property
    def new_levels(self) -> dict[str, tuple[dict[str, int], dict[str, int]]]:
        """Category -> (levels that only b has, levels that only a has), if any, each with its number of rows."""
        found = {}
        for name, (a, b) in self._level_counts.items():
            new, lost = ({w: one[w] for w in one.keys() - other.keys()} for one, other in ((b, a), (a, b)))
            if new or lost:
                found[name] = (new, lost)
        return found

    @cached_property
    def _level_counts(self) -> dict[str, tuple[Counter[str], Counter[str]]]:
        """Category -> number of rows of a and of b with each level."""
        names = [column.name for column in self.columns if column.kind == "category"]
        each = {name: self.values(name) for name in names}
        return {name: (Counter(a.tolist()), Counter(b.tolist())) for name, (a, b) in each.items()}

    @property
    def new_levels_sentence(self) -> str:
        """Sentences on levels of categories that are new in b or missing from it, however rare; "" if there are none.

        If a category has many of them, the sentence gives their number, and how many levels one sample would lack if
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
        """Sentence on the rows with missing cells that are not compared; "" if all are."""
        return f"Not compared: {self._dropped}." if self._dropped else ""

    @property
    def _dropped(self):
        return "rows with missing cells, {:,} and {:,}".format(*self.dropped) if any(self.dropped) else ""

    def left_out_text(self, letters: int) -> str:
        """Return text on what is not compared and why; "" if all is compared.

        Parameters
        ----------
        letters : int
            Largest length of the text, in characters.

        Returns
        -------
        str
            A list of names with reasons.
        """
        words = [f"{short_name(name)} ({why})" for name, why in self.left_out.items()]
        if self.inputs is None:
            words.append("columns, as sketches keep no rows")
        return join_list(words, letters) if words else ""

    def _of_batches(self):
        some = [f"{short_name(batch.names[1])} (p = {batch.adjusted:.3g})" for batch in self.batches if batch.differ]
        differing = [f"They are {join_list(some, 200)}."] if some else []
        depend = [self.dependence] if self.dependence else []
        return [*differing, f"Groups: {self.grouping}.", *depend] if self.grouping else differing

    without, withstood, median = without_influential_rows, rows_withstood, median_of_means_test  # earlier names

    @property
    def held(self) -> Samples | None:
        """Earlier name of `inputs`."""
        return self.inputs

    @property
    def far_off(self) -> str:
        """Earlier name of `outlying_sentence`."""
        return self.outlying_sentence

    @property
    def findable(self) -> tuple[Detectable, ...]:
        """Earlier name of `detectable`."""
        return self.detectable


def _for_pairs(tables: Tables, X: Points, j: int) -> Vector:
    """Return column j of points X (n, d), NaN if its cell is missing, or has no place on its ordered scale."""
    x, ordered = tables.with_nan(X, j), tables.included[j].ordered
    return np.where(x < ordered, x, np.nan) if ordered else x


def ungrouped_text(count: int, by: str) -> str:
    """Return text on the number of rows without a group in the column `by`."""
    are = "is" if count == 1 else "are"
    return f"{_rows(count)} without a group ({short_name(by)} is empty) {are} left out"


def _levels_alone(name: str, levels: dict[str, int], own: Counter[str], other: Counter[str]) -> list[str]:
    """Return text on each level that only one sample has, most frequent first; if there are many, on their number.

    `own` and `other` are the numbers of rows that each level has in that sample and in the other one.
    """
    order = sorted(levels.items(), key=lambda item: (-item[1], item[0]))
    if len(order) <= NAMED:
        return [f"{short_name(name)} {short_name(level)} ({_rows(count)})" for level, count in order]
    few = ", ".join(f"{truncate(level, 20)} ({count:,})" for level, count in order[:FEW])
    chance = levels_by_chance(np.array(list((own + other).values())), own.total(), other.total())
    many = f"{len(order):,} levels of {truncate(name, 20)} in {_rows(sum(levels.values()))}"
    return [f"{many} (about {chance:,.0f} by chance), such as {few}"]


def _rows(count: int) -> str:
    """Return "1 row", "2 rows" and so on."""
    return f"{count:,} row{'' if count == 1 else 's'}"
