"""Where the Independence lab's pairs come from: a shape, columns of a table, or a hand that draws them."""

from __future__ import annotations

import json
import math
from typing import NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.datasets import DataSet, load
from explorer.workbench.moved import apply, places

from .independence_shapes import SHAPES, shape

BUNDLED = ("eckerle4", "wine", "wdbc")
SOURCES = (*SHAPES, "drawn", *BUNDLED, "file")
# what x and y are where nobody has said so; else the first column and the last
USUAL = {"wine": ("flavanoids", "color_intensity"), "wdbc": ("mean_smoothness", "mean_fractal_dimension")}
SAMPLE_FIELDS = ("source", "noise", "waves", "seed", "x", "y", "hash", "columns", "missing", "standardise")
DATA_FIELDS = (*SAMPLE_FIELDS, "n", "moved", "placed")
CANVAS = (
    1.6  # the half side of what is drawn of a shape with little noise; with more, that times a power of the root of 2
)
EDGE = 2.0  # standard deviations of the noise that are drawn beyond a shape


class Pairs(NamedTuple):
    """X (n, d) and Y (n, 1), what their columns and the pairs are called, what they are in words, how many of the last
    were put there by hand, which others were moved, and the centre and half sides (x, y, x, y) of what is drawn. X may
    be empty.
    """

    X: np.ndarray
    Y: np.ndarray
    names: tuple[str, ...]
    rows: tuple[str, ...]
    called: str
    placed: int
    moved: np.ndarray
    frame: tuple[float, float, float, float]

    @property
    def n(self):
        """How many pairs there are."""
        return len(self.X)

    @property
    def drawn(self):
        """How many came from the source."""
        return self.n - self.placed


def placed(text):
    """((x, y), ...) from the words [[x, y], ...]; ValueError where they are none."""
    try:
        found = tuple((float(x), float(y)) for x, y in json.loads(text)) if text else ()
    except (TypeError, ValueError):
        found = ((math.nan, math.nan),)
    if not all(math.isfinite(v) for point in found for v in point):
        raise Refusal(f"placed must be like [[0.5, -1], [2, 0.3]], pairs of numbers, not {text[:60]!r}.")
    return found


def columns_of(table):
    """name -> (n,) of a table's columns of numbers: those of X, and a target of measurements."""
    found = dict(zip(table.names, table.X.T, strict=True))
    if table.name == "eckerle4":
        found["transmittance"] = table.target
    return found


def the_table(lab, table):
    """The table of a lab with all its columns in X, a bundled one or the session's own.

    ValueError where that is not there.
    """
    if lab.source in BUNDLED:
        data = load(lab.source)
        columns = columns_of(data)
        whole = DataSet(data.name, np.column_stack(list(columns.values())), tuple(columns))
        return whole.standardised() if lab.standardise else whole
    if table is None or table.hash != lab.hash:
        asked = f"the table {lab.file} ({lab.rows} rows)" if lab.file else "a table of your own"
        raise Refusal(f"This page shows {asked}, which stays with its owner: choose the file under Your data.")
    return table


def roles(lab, names):
    """The columns that x is, and the one that y is, of a table's; ValueError where they are not there."""
    first, last = USUAL.get(lab.source, (names[0], names[-1]))
    y = lab.y or last
    x = listed(lab.x) or [next((name for name in (first, *names) if name != y), y)]
    for name in (*x, y):
        if name not in names:
            raise Refusal(f"the table has no column '{name}'; it has {', '.join(names[:20])}.")
    if y in x:
        raise Refusal(f"column '{y}' is x and y at once; take two columns, as every column depends on itself.")
    return x, y


def listed(text):
    """The names in the words of `x`; ValueError where they are none."""
    try:
        found = json.loads(text) if text else []
        good = (
            isinstance(found, list) and all(isinstance(name, str) for name in found) and len(set(found)) == len(found)
        )
    except ValueError:
        good = False
    if not good:
        raise Refusal(f'x must be like ["height", "weight"], names of different columns, not {text[:60]!r}.')
    return found


def the_pairs(lab, table):
    """The pairs of a lab, those by hand included; a larger n keeps the ones that were there."""
    points = placed(lab.placed)
    X, Y, names, rows, called, frame = (
        _of_hand if lab.source == "drawn" else _of_shape if lab.source in SHAPES else _of_table
    )(lab, table)
    if points and X.shape[1] > 1:
        raise Refusal(f"a click gives x one number, and x has {X.shape[1]} columns here; take one column for x.")
    both = apply(np.column_stack([X[:, :1], Y]), lab.moved)
    X, Y = np.column_stack([both[:, :1], X[:, 1:]]), both[:, 1:]
    drawn = len(X)
    if points:
        more = np.array(points)
        X, Y = np.concatenate([X, more[:, :1]]), np.concatenate([Y, more[:, 1:]])
    rows = (*rows, *(f"point {i + 1} by hand" for i in range(len(points))))
    moved = np.array(sorted(row for row in places(lab.moved) if row < drawn), dtype=int)
    return Pairs(X, Y, names, rows, called, len(points), moved, frame)


CALLED = {
    "ring": "Pairs on a circle",
    "cross": "Pairs on two crossing lines",
    "sine": "Pairs on a sine with {waves} waves",
    "fan": "Pairs whose spread in y grows with x and whose mean does not",
    "line": "Pairs on a line",
    "none": "Independent pairs, x uniform and y uniform",
}


def _of_shape(lab, table):
    X, Y = shape(lab.source, lab.n, lab.noise, lab.waves, lab.seed)
    reach = 1 + EDGE * lab.noise
    half = CANVAS * math.sqrt(2) ** max(0, math.ceil(2 * math.log2(reach / CANVAS)))
    rows = tuple(f"pair {i + 1}" for i in range(lab.n))
    wide = half if lab.source == "ring" else CANVAS / 1.25
    return X, Y, ("x", "y"), rows, CALLED[lab.source].format(waves=lab.waves), (0.0, 0.0, wide, half)


def _of_hand(lab, table):
    return (*np.zeros((2, 0, 1)), ("x", "y"), (), "Pairs that were drawn by hand", (0.0, 0.0, CANVAS, CANVAS))


def _of_table(lab, table):
    table = the_table(lab, table)
    x, y = roles(lab, table.names)
    if lab.n > table.n:
        raise Refusal(f"n = {lab.n} is more than the {table.n} rows of {table.name}; take n of at most {table.n}.")
    order = DataSet(table.name, np.arange(table.n)[:, None], ("row",)).sample(lab.n, lab.seed)[:, 0].astype(int)
    X, Y = (table.X[order][:, [table.names.index(name) for name in names]] for names in (x, [y]))
    low, high = np.quantile(np.column_stack([X[:, 0], Y[:, 0]]), [0.01, 0.99], axis=0)
    centre, half = (low + high) / 2, 0.65 * (high - low) + 1e-9
    of = f"{x[0]}" if len(x) == 1 else f"{len(x)} columns"
    rows = tuple(f"row {i + 1}" for i in order)
    return X, Y, (*x, y), rows, f"{of} and {y} of {table.name}", (*map(float, centre), *map(float, half))
