"""The two-sample test of files that need not fit into memory: they are read twice, piece by piece.

The first reading counts the rows and keeps some at random, on which scales, bandwidth and landmarks are chosen; the
second sums the features of all rows over random blocks of them, which is what permutations need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import pandas as pd

from explorer.checks import Refusal
from explorer.datasets import read_tables
from explorer.datasets.joint_tables import Tables
from explorer.datasets.treatment import ColumnTreatment
from explorer.discrepancy.mmd import allowed
from explorer.discrepancy.result import TestResult
from explorer.discrepancy.row_blocks import Plan, RowBlocks
from explorer.kernels import Kernel
from explorer.kernels.low_rank.automatic import landmarks_of
from explorer.kernels.low_rank.missing import Missed
from explorer.kernels.selecting import LARGE
from explorer.printing import listed, shown
from explorer.rng import seed_of, stream
from explorer.types import Missing, Points, Rng, Rows, Vector

from .pieces import Piece, numbers_of, pieces_of

KEPT = 32_768  # random rows of either source

Treated: TypeAlias = Sequence[tuple[int, ColumnTreatment]]  # places of the columns that are kept


class Streamed(NamedTuple):
    """The answer, and the tables of the rows that were kept, which say what was done with each column."""

    result: TestResult
    tables: Tables


class Kept(NamedTuple):
    """What a first reading gives: the rows of the smallest random keys, of n rows, and how many were dropped."""

    X: Points
    keys: Vector
    n: int
    dropped: int


def streamed_test(
    sources: Sequence[str],
    kernel: Kernel,
    columns: Sequence[str] | None = None,
    missing: Missing = "refuse",
    scale: Any = "auto",
    n_resamples: int = 999,
    rng: Rng = None,
    names: Sequence[str] | None = None,
    watched: Callable[[Iterator[Piece], str], Iterable[Piece]] = lambda pieces, about: pieces,
) -> Streamed:
    """The test of P = Q by the unbiased MMD² of two files, or folders of them, in bounded memory.

    sources   paths of CSV, TSV or Parquet files, or of folders
    kernel    of the numbers; an automatic bandwidth is chosen on 6000 rows
    columns   of numbers, by name; None is all that both have
    missing, scale, names  as in `read_tables`
    watched   is given the pieces and what is done with them, and yields them: a place for progress

    It is `mmd_test` with approximation="auto", of which the rows come piece by piece. ValueError for columns that are
    not there, fewer than two rows, and what `read_tables` refuses.
    """
    chosen, others = _columns(sources, columns)
    pieces: list[Callable[[], Iterator[Piece]]] = [
        lambda source=source: pieces_of(source, chosen, missing) for source in sources
    ]
    generator = stream(rng, "rows kept")
    kept = [_kept(watched(each(), "reading"), len(chosen), generator) for each in pieces]
    for source, each in zip(sources, kept, strict=True):
        if each.n < 2:
            raise Refusal(f"{source} has too few rows to compare, {each.n}, and the test needs two; give more.")
    n, m = (each.n for each in kept)
    tables = _treatments(kept, chosen, columns, scale)
    extended = replace(tables, columns=tuple(map(_with_others, tables.columns)))
    treated = tuple((chosen.index(column.name), column) for column in extended.kept)
    P, scaled = tables[0].X, [_treated(each.X, treated) for each in kept]
    kernel = extended.product(kernel).select(P[generator.permutation(len(P))[:LARGE]])
    low = landmarks_of(kernel, P, n + m, rng, allowed(1 / n + 1 / m))
    blocks = RowBlocks(low, Plan.of(n, m), low.features(P[:200]).mean(axis=0))
    for each, places in zip(pieces, blocks.plan.places(rng), strict=True):
        blocks.add(_placed(watched(each(), "comparing"), treated, places))
    observed, null, tolerance = blocks.test("unbiased", n_resamples, rng)
    error = Missed(low, scaled, rng).limit("unbiased")
    result = TestResult(
        observed,
        null,
        "the unbiased MMD²",
        kernel,
        n,
        m,
        tolerance,
        blocks.resamples,
        error,
        seed=seed_of(rng),
        approximation=f"nystrom of rank {low.rank}",
    )
    left = tuple(
        ColumnTreatment(name, "left out", why="it holds no plain numbers, and large files are compared by those")
        for name in others
    )
    data = tuple(
        replace(tables[0], name=name, X=X, dropped=each.dropped)
        for name, X, each in zip(sources if names is None else names, scaled, kept, strict=True)
    )
    return Streamed(result, replace(tables, data=data, columns=(*tables.columns, *left), gaps=()))


def _columns(sources, columns):
    """The columns of numbers that both sources have, in the first one's order, and the others that both have."""
    (first, words), (second, also) = map(numbers_of, sources)
    if columns is not None:
        return tuple(columns), ()
    shared = tuple(name for name in first if name in second)
    if not shared:
        raise Refusal(
            f"the files have no column of numbers in common: {listed(map(shown, first))} in one, and"
            f" {listed(map(shown, second))} in the other."
        )
    return shared, tuple(name for name in (*first, *words) if name not in shared and name in (*second, *also))


def _with_others(column):
    """A category with one more level, for what none of the rows that are kept has."""
    return replace(column, levels=(*column.levels, "any other")) if column.kind == "category" else column


def _kept(pieces: Iterable[Piece], d: int, generator: np.random.Generator) -> Kept:
    """Random rows of all pieces, each equally likely to be kept: those of the smallest random keys."""
    X, keys, n, dropped = np.zeros((0, d)), np.zeros(0), 0, 0
    for piece in pieces:
        rows = piece()
        n, dropped = n + len(rows.X), dropped + rows.dropped
        X, keys = np.concatenate([X, rows.X]), np.concatenate([keys, generator.random(len(rows.X))])
        if len(X) > KEPT:
            few = np.argpartition(keys, KEPT)[:KEPT]
            X, keys = X[few], keys[few]
    order = np.argsort(keys)
    return Kept(X[order], keys[order], n, dropped)


def _treatments(kept, names, columns, scale):
    """The Tables of random rows of both sources together, each of all rows equally likely, as labels may not matter.

    What measures nothing, as identifiers do, is left out by the rows of each.
    """
    frames = [pd.DataFrame(each.X, columns=list(names)) for each in kept]
    left: list[ColumnTreatment] = []
    if columns is None:
        apart = read_tables(frames, None, "refuse", "none", names=["one file", "the other"], lenient=True)
        left = [column for column in apart.columns if column.kind == "left out"]
    first = np.argsort(np.concatenate([each.keys for each in kept]))[:KEPT]
    P, gone = pd.concat(frames).iloc[first], {column.name for column in left}
    measured = [name for name in names if name not in gone]
    tables = read_tables([P], measured, "refuse", scale, names=["the files"], lenient=True)
    return replace(tables, columns=(*tables.columns, *left))


def _placed(pieces: Iterable[Piece], treated: Treated, places: Rows) -> Iterator[tuple[Points, Rows]]:
    """The rows of the pieces as the tables have them, with their blocks."""
    start = 0
    for piece in pieces:
        X = _treated(piece().X, treated)
        yield X, places[start : start + len(X)]
        start += len(X)


def _treated(rows: Points, treated: Treated) -> Points:
    """Rows as the tables have them."""
    return np.column_stack([_values(rows[:, j], column) for j, column in treated])


def _values(x, column):
    """A column over its scale; of a category the codes of its levels, the last one for any other value."""
    if column.kind == "number":
        return x / column.scale
    *levels, _ = column.levels
    codes = np.full(len(x), float(len(levels)))
    for code, level in enumerate(levels):
        codes[x == float(level)] = code
    return codes
