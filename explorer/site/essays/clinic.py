"""The made-up clinic, the example of the report's page: its tables, and the differences between them."""

from __future__ import annotations

import io
from dataclasses import replace
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.marks import (
    Axis,
    Picture,
    ReferenceLine,
    Sources,
    dots,
    nice_ticks,
    vertical_lines,
    words,
)
from explorer.marks.samples import Beside, histograms

if TYPE_CHECKING:
    from pandas import DataFrame

    from explorer.comparison import Comparison
    from explorer.comparison.columns import ColumnChange

COLUMN = "pressure"  # the column that the essay tests, in mmHg
SEED, LEVEL = 0, 0.05


@cache
def tables() -> tuple[DataFrame, DataFrame]:
    """Return the readings before and after a new device."""
    import pandas as pd

    from explorer.pages.report.example import example  # loads Panel, so it is imported only when the tables are needed

    given = example()
    files: Any = given.before, given.after
    before, after = (pd.read_csv(io.BytesIO(file.raw)) for file in files)

    return before, after


@cache
def compared() -> Comparison:
    """Return the comparison of both tables by `compare`."""
    from explorer.comparison import compare

    return compare(*tables(), rng=SEED)


def column(name: str = COLUMN) -> ColumnChange:
    """Return how one column differs."""
    return next(each for each in compared().columns if each.name == name)


def all_readings_sides(result: Comparison) -> tuple[Axis, Axis]:
    """Return both axes."""
    shown = beside(result)
    (low, high), top = shown.x.range, 1.25 * shown.y.range[1]
    y = Axis("share of rows", (0.0, top), nice_ticks(0.0, top, 4))
    return Axis("pressure, mmHg", (low, high), nice_ticks(low, high)), y


@Picture(
    "all-readings",
    title="Blood pressure in all rows",
    height=300,
    marks=(
        *(replace(mark, label=called) for mark, called in zip(histograms.marks, ("before", "after"), strict=True)),
        vertical_lines("before", "kme", width=2.5, alpha=1.0),
        vertical_lines("after", dash="dashed", width=2.5, alpha=1.0),
        words("before", "kme", y="y", dx=-6, align="right", bold=True),
        words("after", "truth", y="y", dx=6, bold=True),
    ),
    sides=all_readings_sides,
)
def all_readings(result: Comparison) -> Sources:
    """Draw histograms of the column in both tables, with the medians; the result is the Comparison."""
    shown, medians = beside(result), column().medians or (np.nan, np.nan)
    named = zip(("before", "after"), medians, strict=True)
    at = {name: {"x": np.array([m]), "words": np.array([f"median {m:g}"], dtype=object)} for name, m in named}
    top = shown.y.range[1]
    return {**shown.numbers, **{name: {**each, "y": np.array([1.12 * top])} for name, each in at.items()}}


def beside(result: Comparison) -> Beside:
    """Return both histograms of the column."""
    return histograms.of(*result.values(COLUMN), column().quantity)


def by_column_sides(result: Comparison) -> tuple[Axis, Axis]:
    """Return both axes."""
    names = [each.name for each in result.columns]
    at = dict(zip(range(len(names), 0, -1), names, strict=True))
    return by_column.x, Axis("", (0.4, len(names) + 0.6), at)


@Picture(
    "columns",
    title="Which columns differ",
    height=300,
    x=Axis("adjusted p (log scale)", (7e-4, 1.3),
                             {at: f"{at:g}" for at in (0.001, 0.01, LEVEL, 0.2, 1.0)}, log=True),
    background=(
        ReferenceLine("harm", x=LEVEL, style={"width": 1.5, "dash": "dashed"}, label=f"level {LEVEL:g}"),
    ),
    marks=(
        dots("found", "truth", size=12, label="differs"),
        dots("others", "kme", size=12, fill=0, width=2, inks=("line",), label="no difference found"),
    ),
    sides=by_column_sides,
)  # fmt: skip
def by_column(result: Comparison) -> Sources:
    """Draw the adjusted p-value of each column; the result is the Comparison."""
    p = np.array([each.adjusted for each in result.columns])
    at, found = np.arange(len(p), 0, -1).astype(float), p <= LEVEL
    return {name: {"x": p[rows], "y": at[rows]} for name, rows in (("found", found), ("others", ~found))}
