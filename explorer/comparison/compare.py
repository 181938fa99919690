"""compare: do these tables differ, in which columns, and how much?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Literal

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.datasets.column_selection import refuse_unknown_policy
from explorer.datasets.columns.word_scales import Order
from explorer.datasets.files.addresses import part_of
from explorer.datasets.files.encodings import use_encoding
from explorer.discrepancy.answer import level_checked
from explorer.rng import seed_of, stream
from explorer.synonyms import explain_wrong_calls
from explorer.types import MissingCells, Points, Rng

from .calls import call_of
from .columns import ColumnTests, changes
from .given import columns_given, compared_given, given_names, known_names, refuse_given, with_given
from .inputs import Asked, refuse_few, samples_of
from .joint import JointTest
from .precision import decided, undecided
from .result import Comparison
from .samples import Samples
from .sketched import of_two, sketches_of
from .sources import batches_of, in_part, pipes_kept, queried
from .stepdown import holm
from .within import resamples_of


@explain_wrong_calls
def compare(
    a: Any,
    b: Any = None,
    *,
    columns: Sequence[str | int] | None = None,
    by: str | None = None,
    groups: Sequence[str] | None = None,
    within: str | None = None,
    reference: Any = None,
    given: str | Sequence[str] | None = None,
    missing: MissingCells = "value",
    placeholders: Literal["missing", "value"] = "missing",
    order: Order = None,
    level: float = 0.05,
    n_resamples: int = 999,
    rng: Rng = None,
    encoding: str | None = None,
    query: str | Sequence[str] | None = None,
    sheet: str | int | None = None,
    table: str | int | None = None,
) -> Comparison:
    """Test whether tables a and b are of one distribution, and in which columns they differ by how much: a Comparison.

    a, b     tables: paths of files ("-" for standard input), DataFrames and what `read_table` takes beside them, arrays
             (n,) or (n, d), data sets of `read_tables`; b may be a list of them, batches that are each compared with a.
             Sketches, or their files, stand for tables that are not at hand: they have the joint verdict of
             `mmd_test`, right in the limit of many rows, and no columns
    columns  by name, or position in a; None is every column that can be compared: those that both tables have, numbers
             and categories, as `read_tables` treats them
    by       the name of a column whose values name the groups of b, or of a where b is None: the first group, in the
             order of numbers or of the alphabet, is then compared with each of the others; "year", "quarter", "month",
             "week" and "day", where no column is called so, are those of the table's one column of dates
    groups   of `by`, by name: these alone are compared, the first with each of the others; None is all. What is done
             with each column, and its scale, is settled by all rows, so that two groups have the p that they have
             among all, unadjusted
    within   the name of a column of subjects, such as patients, that were measured in a and in b: labels are permuted
             within subjects, so that what subjects differ in takes no part, and changes are those of subjects, see
             `ColumnChange`. It is not compared itself. Rows whose subject is not in both, or is missing, are left out
             and counted, see `Comparison`; a batch is compared over the subjects that a and it share
    reference  the group of `by` in a lone table that the others are compared with; None is the first one
    given    names of columns whose own change does not count: the joint p is then that of `conditional_test` of all
             other columns given these, and the p of each column that of its own, adjusted by `holm`. At most 4,000
             rows together, and no sketches
    missing  "value" keeps rows with empty cells: each column is tested over its own cells, how many are missing is
             tested like the share of a level, see `Comparison.missing`, and the joint kernel compares which cells rows
             lack. "drop" leaves such rows out, "refuse" refuses them
    order    column -> its words in order, for scales that are not known by their words, see `word_scales`; a
             Categorical of pandas that is ordered has its own
    placeholders  "missing" takes numbers that stand for missing ones as empty cells, and says so in `noted`: -999, 99,
             99.9, -1, 1e20, the ends of 16, 32 and 64 bits, that recur, and lie farther from all other values than
             twice what these span, see `datasets.stand_ins`; "value" keeps them
    encoding  of the letters of files of text, as in `read_table`; None is what makes words of them, and it is said
    query    what selects rows of a, b, or both that are connections to databases, as in `read_table`; a list has one
             for each of them, or, of a lone connection a, the query of a and that of each table b
    sheet, table  of the files, as in `read_table`: compare("book.xlsx#june", "book.xlsx#july") names one for each
    level    of the joint verdict, of all columns together, of all batches together, and of the intervals

    Up to three different words among the numbers of a column, such as unknown, are missing values. Names in other
    spellings, units, percent signs and limits of detection meet as in `read_tables`; `Comparison.noted` says how.

    The joint verdict combines the p-values of statistics of four kinds, see `evidence`: MMD² at the ten bandwidths of
    MMDAgg (Schrab et al. 2023), of a kernel of all columns, numbers over common scales times equality of categories;
    the kernels of each column's own ranks, or levels, see `number_scores`, `level_scores`, `ManyLevels` and
    `scale_scores`; places, spreads and correlations, see `Moments`; and whose the rows are that lie farthest off, see
    `far_marks`. All of them share the same permutations, and none depends on the order of the rows. So the joint p is
    exact, P(p <= α) <= α for all n, m and B, if all rows are exchangeable (independent rows of one distribution are),
    whatever their columns: tied values, few levels and rare ones included. Columns are adjusted by step-down maxima,
    exact in the same way: if nothing differs, P(any adjusted p <= level) <= level. The p of pairs of columns is about
    right, see `Comparison.pairs`, and intervals of shifts hold for independent rows of any two distributions. Rows that
    depend on their neighbours are not exchangeable, and then no p here holds. With `within` the joint p and those of
    columns are exact if the rows of each subject are exchangeable between a and b, whatever subjects differ in; p of
    pairs and intervals are right in the limit of many subjects. Beyond some thousands of rows blocks of random rows are
    permuted, and landmarks stand for the kernels, as in `mmd_test` with approximation="auto". Batches are adjusted by
    `holm`.

    If the interval of a p of this many permutations, of confidence .98, contains the level, ten times as many are
    drawn, up to 9,999, so that the verdict rarely depends on the seed; see `precision.decided`, which says what this
    adds to the level: less than 1e-4.

    Raises ValueError, TypeError, FileNotFoundError where tables cannot be read or have nothing in common.

    >>> import numpy as np
    >>> from explorer import compare
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(0.0, 1.0, (60, 2)), rng.normal([0.0, 1.0], 1.0, (60, 2))
    >>> comparison = compare(a, b, n_resamples=199, rng=0)
    >>> comparison.differ, [column.name for column in comparison.differing]
    (True, ['x2'])
    """
    level, n_resamples = level_checked(level), checks.whole(n_resamples, "n_resamples", 1)
    refuse_unknown_policy(missing, ("value", "drop", "refuse"))
    a, b = in_part(a, b, part_of(sheet, table))
    taken = taken_as_missing(placeholders)
    if groups is not None and by is None:
        raise Refusal("groups= names groups of one table; give by= the name of the column that they are in.")
    own_seed = seed_of(rng)
    seed = int(stream(rng, "comparison").integers(2**32)) if own_seed is None else own_seed
    how = (level, n_resamples, seed)
    of_tables = {"columns": columns, "by": by, "groups": groups, "within": within, "reference": reference}
    of_tables |= {"order": order, "given": given}
    names = () if given is None else given_names(given, within)
    asked = Asked(columns, by, missing, within, reference, order, groups, taken)
    with use_encoding(encoding), pipes_kept(*queried(a, b, query)) as (one, others):
        if sketched := sketches_of([one, *batches_of(others)], missing, of_tables):
            found = _over_all([of_two(sketched[0], batch, *how) for batch in sketched[1:]])
        elif names:
            samples = samples_of(one, others, asked._replace(columns=with_given(columns, names)))
            names = known_names(names, samples)
            refuse_given(samples, names)
            found = _over_all([compared_given(k, samples, names, *how) for k in range(1, len(samples.tables))])
            found = columns_given(found, samples) if found.batches else found
        else:
            samples = samples_of(one, others, asked)
            found = _over_all(all_compared([samples.pair(k) for k in range(1, len(samples.tables))], *how))
            found = _with_columns(found, samples) if found.batches else found
    options = of_tables | {"missing": missing, "placeholders": placeholders, "level": level}
    options |= {"n_resamples": n_resamples, "encoding": encoding}
    options |= {"query": query if query is None or isinstance(query, str) else list(query)}
    return replace(found, python=call_of(compare, a, b, **options, rng=seed))


def taken_as_missing(placeholders: str) -> bool:
    """Return whether numbers that stand for missing ones are missing cells; a Refusal of what is no choice."""
    if placeholders not in ("missing", "value"):
        raise Refusal(f'placeholders must be "missing" or "value", not {checks.echo(placeholders)}.')
    return placeholders == "missing"


def all_compared(pairs: Sequence[Samples], level: float, n_resamples: int, seed: int) -> list[Comparison]:
    """Return the Comparisons of pairs of samples, with more resamples for those of which a p is open, see `decided`.

    The p of each is compared with the level as `holm` adjusts it for all of them.
    """

    def is_open(comparison: Comparison, count: int, bar: float) -> bool:
        columns = (*comparison.columns, *comparison.gaps)
        return undecided(comparison.pvalue, bar, count) or any(undecided(c.adjusted, level, count) for c in columns)

    found = [_compared(samples, level, n_resamples, seed) for samples in pairs]
    pvalues = np.array([one.pvalue for one in found])
    bars = level * pvalues / holm(pvalues)
    return [
        decided(one, n_resamples, partial(_compared, samples, level, seed=seed), partial(is_open, bar=bar))[0]
        for one, samples, bar in zip(found, pairs, bars, strict=True)
    ]


def _compared(samples: Samples, level: float, n_resamples: int, seed: int) -> Comparison:
    """The Comparison of two samples, of so many resamples."""
    samples = samples.of_subjects()
    tables = samples.tables
    refuse_few(tables)
    a, b = tables[0].X, tables[1].X
    joint = JointTest.of(tables, a, b, n_resamples, seed, samples.groups)
    return Comparison(
        pvalue=joint.pvalue,
        adjusted=joint.pvalue,
        level=level,
        n=len(a),
        m=len(b),
        **_changes(samples, a, b, joint.columns, level),
        dropped=(tables[0].dropped, tables[1].dropped),
        names=(tables[0].name, tables[1].name),
        seed=seed,
        resamples=n_resamples,
        held=samples,
        joint=joint.of_all,
        far=joint.far,
        subjects=samples.matching,
    )


def _over_all(each: list[Comparison]) -> Comparison:
    """The one Comparison, or that of several batches, each adjusted for all of them."""
    adjusted = holm(np.array([comparison.pvalue for comparison in each]))
    batches = tuple(replace(one, adjusted=float(p)) for one, p in zip(each, adjusted, strict=True))
    first, least = batches[0], float(adjusted.min())
    if len(batches) == 1:
        return first
    return replace(
        first,
        pvalue=least,
        adjusted=least,
        m=sum(batch.m for batch in batches),
        dropped=(first.dropped[0], sum(batch.dropped[1] for batch in batches)),
        names=(first.names[0], f"{len(batches)} batches"),
        joint=None,
        far=None,
        batches=batches,
    )


def _with_columns(found: Comparison, samples: Samples) -> Comparison:
    """Several batches with the columns of all their rows."""
    samples = samples.of_subjects()
    tables = samples.tables
    a, b = tables[0].X, np.concatenate([batch.X for batch in tables[1:]])
    resamples = resamples_of(len(a), len(b), found.resamples, found.seed, found.by_blocks, samples.groups)
    tests = ColumnTests.of(np.concatenate([a, b]), tables, resamples)
    return replace(found, held=samples, subjects=samples.matching, **_changes(samples, a, b, tests, found.level))


def _changes(samples: Samples, a: Points, b: Points, tests: ColumnTests, level: float) -> dict[str, Any]:
    """The fields of a Comparison that say how columns differ, how their gaps do, and which columns are not compared."""
    tables = samples.tables
    found = changes(tables, a, b, tests, level, samples.groups)
    columns, gaps = ([each for each in found if (each.kind == "missing") is missing] for missing in (False, True))
    there = {each.name for each in columns}
    empty = [column.name for column in tables.included if column.kind != "missing" and column.name not in there]
    return {
        "columns": tuple(columns),
        "gaps": tuple(gaps),
        "left_out": {**samples.left_out, **dict.fromkeys(empty, "no cell of one of them has a value")},
    }
