"""Comparison of sketches, whose rows are no longer available: as a whole only, without columns."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.datasets.files.contents import shorten_name
from explorer.discrepancy.mmd.sketches import sums_test
from explorer.sketches import Sketch, is_sketch
from explorer.types import MissingCells

from .inputs import make_unique
from .result import Comparison
from .sources import letters

PATHS = (str, PathLike)


class Sketched(NamedTuple):
    """A sample as a sketch.

    `dropped` counts the rows with empty cells of a table that was summed here.
    """

    name: str
    sketch: Sketch
    dropped: int = 0


def sketches_of(given: Sequence[Any], missing: MissingCells, options: Mapping[str, Any]) -> list[Sketched]:
    """Return the samples as sketches if one of them is a sketch, or the path of one; or an empty list if none is.

    The rows of tables next to sketches are summed, by the features of the first sketch.

    Raises
    ------
    Refusal
        If sketches have different features, or if there are options for tables, such as columns or groups; and what
        `Sketch.of` refuses.
    """
    loaded = [Sketch.load(each) if _is_file_of_one(each) else each for each in given]
    first = next((each for each in loaded if isinstance(each, Sketch)), None)
    if first is None:
        return []
    for option, value in options.items():
        if value is not None:
            raise Refusal(f"{option}= is for tables, and a sketch keeps no rows; leave it out.")
    if len(given) < 2:
        raise Refusal("there is one sketch, and nothing to compare it with; give a second one, or a table.")
    names = letters(len(given))
    names = [
        shorten_name(Path(each).name) if isinstance(each, PATHS) else name
        for each, name in zip(given, names, strict=True)
    ]
    named = zip(make_unique(names, given), loaded, strict=True)
    found = [
        Sketched(name, each) if isinstance(each, Sketch) else _summed(name, each, first, missing)
        for name, each in named
    ]
    for name, sketch, _ in found:
        first.refuse_other(sketch, "compare")
        if sketch.n < 2:
            rows = "1 row" if sketch.n == 1 else f"{sketch.n} rows"
            raise Refusal(f"{name} has {rows} to compare; give a sketch of two or more.")
    return found


def of_two(a: Sketched, b: Sketched, level: float, n_resamples: int, seed: int) -> Comparison:
    """Return the Comparison of two sketches: `mmd_test` of them is its joint verdict."""
    joint = sums_test(a.sketch, b.sketch, n_resamples, seed)
    return Comparison(
        pvalue=joint.pvalue,
        adjusted=joint.pvalue,
        level=level,
        n=a.sketch.n,
        m=b.sketch.n,
        columns=(),
        left_out={},
        dropped=(a.dropped, b.dropped),
        names=(a.name, b.name),
        seed=seed,
        resamples=n_resamples,
        inputs=None,
        joint=joint,
    )


def _summed(name: str, table: Any, like: Sketch, missing: MissingCells) -> Sketched:
    """Return a sketch of a table with the features and columns of another one; missing cells have no features."""
    from explorer.sketches.chunks import chunks_of  # imported late, since it needs pandas

    if isinstance(table, Mapping):
        import pandas

        table = pandas.DataFrame(dict(table))
    source = np.asarray(table) if isinstance(table, (list, tuple)) else table
    sketch, dropped, policy = like - like, 0, "refuse" if missing == "refuse" else "drop"
    for chunk in chunks_of(source, None if isinstance(source, np.ndarray) else like.columns, policy):
        names, rows, gone = chunk()
        dropped += gone
        sketch.columns = sketch.columns or names
        sketch.update(rows)
    return Sketched(name, sketch, dropped)


def _is_file_of_one(source):
    """Return whether a source is the path of a sketch's file."""
    return isinstance(source, PATHS) and os.path.isfile(source) and is_sketch(source)
