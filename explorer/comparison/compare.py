"""`compare`, which tests whether tables differ and measures the change of each column."""

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
from explorer.discrepancy.columns.step_down import holm
from explorer.discrepancy.results.answer import checked_level
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import seed_of, stream
from explorer.types import MissingCells, Points, Rng

from .calls import call_of
from .columns import ColumnTests, changes
from .given import compare_given, given_names, known_names, refuse_given, with_given, with_pooled_columns
from .inputs import CompareOptions, refuse_few, samples_of
from .joint import JointTest
from .precision import is_undecided, repeat_until_decided
from .result import Comparison
from .samples import Samples
from .sketched import of_two, sketches_of
from .sources import apply_queries, batches_of, in_part, keep_pipes
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
    """Test whether tables a and b have the same distribution, and measure how much each column differs.

    Use it for tables with named columns, categories and missing values. For arrays `mmd_test` is enough, and `scan`
    finds the time of a change in one table.

    Names of columns and words in other spellings, units, percent signs and limits of detection are matched as in
    `read_tables`; `Comparison.noted` says how. If the numbers of a column contain up to three different words, such as
    unknown, these are missing values.

    Parameters
    ----------
    a : table
        The reference: the path of a file ("-" for standard input), a DataFrame or anything else that `read_table`
        takes, an array of shape (n,) or (n, d), or data sets of `read_tables`. A Sketch, or its file, can replace a
        table whose rows are not available. It has the joint verdict of `mmd_test`, right in the limit of many rows, and
        no columns.
    b : table, list of tables or None, default None
        The second sample, or several batches, each of which is compared with a. None if `by` splits a.
    columns : sequence of str or int or None, default None
        Columns to compare, by name or by position in a. None compares every column that can be compared: numbers and
        categories that both tables have, as `read_tables` treats them.
    by : str or None, default None
        Name of a column whose values name the groups of b, or of a if b is None. Then the first group, in numerical or
        alphabetical order, is compared with each of the others. "year", "quarter", "month", "week" and "day" group by
        the table's one column of dates, if no column has that name.
    groups : sequence of str or None, default None
        Groups of `by` to compare, by name: the first is compared with each of the others. None compares all. The
        treatment of each column and its scale depend on all rows, so two groups have the same unadjusted p as they have
        among all groups.
    within : str or None, default None
        Name of a column of subjects, such as patients, that were measured in a and in b. Labels are permuted within
        subjects, so differences between subjects do not matter, and changes are those of subjects, see `ColumnChange`.
        The column itself is not compared. Rows whose subject is missing or is not in both samples are left out and
        counted, see `Comparison`. A batch is compared over the subjects that it shares with a.
    reference : object, default None
        The group of `by`, in a single table, that the others are compared with. None is the first one.
    given : str, sequence of str or None, default None
        Names of columns whose own change does not count. The joint p is then that of `conditional_test` of all other
        columns given these, and each column's p is that of its own conditional test, adjusted by `holm`. At most 4,000
        rows together, and no sketches.
    missing : {"value", "drop", "refuse"}, default "value"
        "value" keeps rows with empty cells: each column is tested over its own cells, the number of missing cells is
        tested like the share of a level, see `Comparison.missing`, and the joint kernel compares which cells rows lack.
        "drop" leaves such rows out, "refuse" refuses them.
    placeholders : {"missing", "value"}, default "missing"
        "missing" treats numbers that stand for missing values as empty cells, and says so in `noted`: -999, 99, 99.9,
        -1, 1e20, and the ends of 16, 32 and 64 bits, if they recur and lie farther from all other values than twice the
        range of these, see `datasets.columns.missing_codes`. "value" keeps them.
    order : dict or None, default None
        Maps a column to its words in order, for scales that are not recognised by their words, see `word_scales`. An
        ordered Categorical of pandas has its own order.
    level : float, default 0.05
        Level of the joint verdict, of all columns together, of all batches together, and of the intervals.
    n_resamples : int, default 999
        Number of permutations. If the interval of a p, of confidence .98, contains the level, ten times as many are
        drawn, up to 9,999, so that the verdict rarely depends on the seed; see `precision.repeat_until_decided`, which
        says what this adds to the level: less than 1e-4.
    rng : int, Generator or None, default None
        Seed of the permutations.
    encoding : str or None, default None
        Character encoding of text files, as in `read_table`. None chooses one that decodes the file, and reports it.
    query : str, sequence of str or None, default None
        Query that selects rows of a, b, or both if they are connections to databases, as in `read_table`. A list has
        one query for each connection, or, for a single connection a, the query of a and that of each table b.
    sheet : str, int or None, default None
        Sheet of the files, as in `read_table`. compare("book.xlsx#june", "book.xlsx#july") names one for each.
    table : str, int or None, default None
        Table of the files, as in `read_table`.

    Returns
    -------
    Comparison
        The verdict, and how much each column differs.

    Raises
    ------
    ValueError, TypeError, FileNotFoundError
        If tables cannot be read or have nothing in common.

    Notes
    -----
    The joint verdict combines the p-values of statistics of four kinds, see `evidence`:

    - MMD² at the ten bandwidths of MMDAgg (Schrab et al. 2023), with a kernel of all columns: numbers over common
      scales times equality of categories;
    - the kernels of each column's own ranks or levels, see `number_scores`, `level_scores`, `ManyLevels` and
      `scale_scores`;
    - places, spreads and correlations, see `Moments`;
    - how the most outlying rows are split between the two samples, see `outlying_row_indicators`.

    All of them share the same permutations, and none depends on the order of the rows. So the joint p is exact, P(p <=
    α) <= α for all n, m and B, if all rows are exchangeable (independent rows of one distribution are), whatever their
    columns: tied values, few levels and rare ones included.

    Columns are adjusted by step-down maxima, exact in the same way: if nothing differs, P(any adjusted p <= level) <=
    level. The p of pairs of columns is about right, see `Comparison.pairs`, and intervals of shifts hold for
    independent rows of any two distributions. Batches are adjusted by `holm`.

    Rows that depend on their neighbours are not exchangeable, and then no p of this function holds. With `within` the
    joint p and those of columns are exact if the rows of each subject are exchangeable between a and b, whatever the
    differences between subjects; p of pairs and intervals are right in the limit of many subjects.

    Beyond some thousands of rows, blocks of random rows are permuted, and landmarks approximate the kernels, as in
    `mmd_test` with approximation="auto".

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import compare
    >>> rng = np.random.default_rng(0)
    >>> a, b = rng.normal(0.0, 1.0, (60, 2)), rng.normal([0.0, 1.0], 1.0, (60, 2))
    >>> comparison = compare(a, b, n_resamples=199, rng=0)
    >>> comparison.differ, [column.name for column in comparison.differing]
    (True, ['x2'])
    """
    level, n_resamples = checked_level(level), checks.whole(n_resamples, "n_resamples", 1)
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
    asked = CompareOptions(columns, by, missing, within, reference, order, groups, taken)
    with use_encoding(encoding), keep_pipes(*apply_queries(a, b, query)) as (one, others):
        if sketched := sketches_of([one, *batches_of(others)], missing, of_tables):
            found = _over_all([of_two(sketched[0], batch, *how) for batch in sketched[1:]])
        elif names:
            samples = samples_of(one, others, asked._replace(columns=with_given(columns, names)))
            names = known_names(names, samples)
            refuse_given(samples, names)
            found = _over_all([compare_given(k, samples, names, *how) for k in range(1, len(samples.tables))])
            found = with_pooled_columns(found, samples) if found.batches else found
        else:
            samples = samples_of(one, others, asked)
            found = _over_all(compare_pairs([samples.pair(k) for k in range(1, len(samples.tables))], *how))
            found = _with_columns(found, samples) if found.batches else found
    options = of_tables | {"missing": missing, "placeholders": placeholders, "level": level}
    options |= {"n_resamples": n_resamples, "encoding": encoding}
    options |= {"query": query if query is None or isinstance(query, str) else list(query)}
    return replace(found, python=call_of(compare, a, b, **options, rng=seed))


def taken_as_missing(placeholders: str) -> bool:
    """Return whether numbers that stand for missing values become missing cells.

    Raises
    ------
    Refusal
        If `placeholders` is neither "missing" nor "value".
    """
    if placeholders not in ("missing", "value"):
        raise Refusal(f'placeholders must be "missing" or "value", not {checks.echo(placeholders)}.')
    return placeholders == "missing"


def compare_pairs(pairs: Sequence[Samples], level: float, n_resamples: int, seed: int) -> list[Comparison]:
    """Return the Comparisons of pairs of samples, with more resamples where a p is too close to the level to decide.

    Each p is compared with the level as `holm` adjusts it for all pairs, see `repeat_until_decided`.
    """

    def is_open(comparison: Comparison, count: int, bar: float) -> bool:
        columns = (*comparison.columns, *comparison.gaps)
        return is_undecided(comparison.pvalue, bar, count) or any(
            is_undecided(c.adjusted, level, count) for c in columns
        )

    found = [_compare_two(samples, level, n_resamples, seed) for samples in pairs]
    pvalues = np.array([one.pvalue for one in found])
    bars = level * pvalues / holm(pvalues)
    return [
        repeat_until_decided(
            one, n_resamples, partial(_compare_two, samples, level, seed=seed), partial(is_open, bar=bar)
        )[0]
        for one, samples, bar in zip(found, pairs, bars, strict=True)
    ]


def _compare_two(samples: Samples, level: float, n_resamples: int, seed: int) -> Comparison:
    """Return the Comparison of two samples with this number of resamples."""
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
        inputs=samples,
        joint=joint.of_all,
        far=joint.far,
        subjects=samples.matching,
    )


def _over_all(each: list[Comparison]) -> Comparison:
    """Return the only Comparison, or that of several batches, each adjusted for all of them."""
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
    """Return the Comparison of several batches with the column changes of all their rows."""
    samples = samples.of_subjects()
    tables = samples.tables
    a, b = tables[0].X, np.concatenate([batch.X for batch in tables[1:]])
    resamples = resamples_of(len(a), len(b), found.resamples, found.seed, found.by_blocks, samples.groups)
    tests = ColumnTests.of(np.concatenate([a, b]), tables, resamples)
    return replace(found, inputs=samples, subjects=samples.matching, **_changes(samples, a, b, tests, found.level))


def _changes(samples: Samples, a: Points, b: Points, tests: ColumnTests, level: float) -> dict[str, Any]:
    """Return the fields of a Comparison on columns, on their missing cells, and on columns that are left out."""
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
