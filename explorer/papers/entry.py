"""A figure or table of a paper as something to reproduce.

Its study, its sizes, and the claims that are held against it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from explorer.discrepancy import rate_interval
from explorer.printing import printed
from explorer.types import Vector

from .claim import Claim, Fact
from .effect import LEVEL
from .evidence import relative_loss
from .shrinkage import Grid

if TYPE_CHECKING:
    from xarray import Dataset

    from .claim import Finding


# whose figures these are
STEIN = "Muandet et al., Kernel Mean Estimation and Stein Effect"
CORRUPTED = "Kernel Mean Estimation by Marginalized Corrupted Distributions"
MONK = "Lerasle et al., MONK"
ARTICLE = "Kernel embedding of distributions, the encyclopedia's article"


class Point(NamedTuple):
    """One number of a picture, and the interval about it."""

    value: float
    low: float
    high: float


class Comparison(NamedTuple):
    """A printed table beside ours: a caption, the columns' names, rows of words, and sentences on what cannot be
    met.
    """

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()


@printed
class Cell(NamedTuple):
    """One cell of a figure: its values on the axes, and name -> number of every replicate."""

    values: Mapping[Any, Any]
    table: Mapping[str, np.ndarray]


@printed
class Entry(NamedTuple):
    """What can be reproduced, or why it cannot.

    name     what it is called on the command line; paper and figure, where it stands; about, what it is of
    study    a function of a cell and a seed; sizes, "fast" and "full" -> grids, one for each picture
    summary  table -> {name: Point}, what a picture shows of a cell; unit, what its axis says; lines, the names drawn
    claims   what is held against its cells: the paper's claims, and ours
    errata   numbers of the errata that touch the figure as a whole
    beside   sentences on the printed numbers
    printed  cells -> a Comparison with the printed table, where there is one
    data     names of the data sets that every size reads; `needs` has those of one size
    lacks    why it is not there; empty where it is
    """

    name: str
    paper: str
    figure: str
    about: str
    study: Callable | None = None
    sizes: Mapping[str, tuple[Grid, ...]] = {}
    summary: Callable | None = None
    unit: str = ""
    lines: tuple[str, ...] = ()
    claims: tuple[Claim | Fact, ...] = ()
    errata: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()
    printed: Callable | None = None
    data: tuple[str, ...] = ()
    lacks: str = ""

    def grids(self, size: str) -> tuple[Grid, ...]:
        """The grids of a size; "smoke" has the fast cells three times each: enough to see that all works."""
        if size != "smoke":
            return self.sizes[size]
        return tuple(grid._replace(replicates=min(3, grid.replicates)) for grid in self.sizes["fast"])

    def needs(self, size: str) -> tuple[str, ...]:
        """The names of the data sets that a size reads: those of the entry, and the values of an axis `data`."""
        along = (name for grid in self.grids(size) for name in grid.axes.get("data", ())) if self.sizes else ()
        return tuple(dict.fromkeys((*self.data, *along)))

    def findings(self, found: Sequence[Cell]) -> list[Finding]:
        """What the cells say of each claim."""
        return [claim.finding(found) for claim in self.claims]


def cells(data: Sequence[Dataset]) -> list[Cell]:
    """The cells of data sets of a sweep, one after the other; a cell that two grids share once."""
    found = {}
    for each in data:
        axes = [name for name in each.dims if name != "replicate"]
        for values in itertools.product(*(each[name].values.tolist() for name in axes)):
            values = dict(zip(axes, values, strict=True))
            here = each.sel(values)
            found.setdefault(
                tuple(sorted(values.items())), Cell(values, {str(k): v.values for k, v in here.data_vars.items()})
            )
    return list(found.values())


# what a picture shows of a cell
# ----------------------------------------------------------------------------------------------


def relative(table: Mapping[str, Vector], to: str = "KME") -> dict[str, Point]:
    """Each mean loss over that of KME, with Student's interval."""
    found = {name: relative_loss(table, name, to) for name in table if name != to}
    return {name: Point(1 + e.value, 1 + e.low, 1 + e.high) for name, e in found.items()}


def rates(table: Mapping[str, Vector], level: float = 0.05) -> dict[str, Point]:
    """The share of p-values of at most `level`, with Clopper and Pearson's interval."""
    found = {name: int((p <= level).sum()) for name, p in table.items()}
    return {name: Point(k / len(table[name]), *rate_interval(k, len(table[name]), LEVEL)) for name, k in found.items()}


def medians(table: Mapping[str, Vector]) -> dict[str, Point]:
    """The median over replicates, and the quartiles."""
    return {name: Point(*np.quantile(numbers, (0.5, 0.25, 0.75)).tolist()) for name, numbers in table.items()}


def means(table: Mapping[str, Vector]) -> dict[str, Point]:
    """The mean over replicates, and twice its standard error on both sides.

    A number that is no matter of luck has none.
    """
    found = {name: (v.mean(), 2 * v.std(ddof=1) / np.sqrt(len(v)) if len(v) > 1 else 0.0) for name, v in table.items()}
    return {name: Point(float(m), float(m - e), float(m + e)) for name, (m, e) in found.items()}
