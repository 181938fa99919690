"""Entries of the catalogue: a figure or table of a paper with its study, its sizes and its claims."""

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


# papers, as the catalogue names them
STEIN = "Muandet et al., Kernel Mean Estimation and Stein Effect"
CORRUPTED = "Kernel Mean Estimation by Marginalized Corrupted Distributions"
MONK = "Lerasle et al., MONK"
ARTICLE = "Kernel embedding of distributions, the encyclopedia's article"
NO_PAPER = "Of no paper"


class Point(NamedTuple):
    """One number of a picture, with its interval."""

    value: float
    low: float
    high: float


class TableComparison(NamedTuple):
    """A printed table next to ours: its caption, column names, rows of text, and remarks on what cannot be matched."""

    caption: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    remarks: tuple[str, ...] = ()


@printed
class Cell(NamedTuple):
    """One cell of a figure.

    Attributes
    ----------
    values : mapping of {str: object}
        The cell's values on the axes.
    table : mapping of {str: ndarray of shape (replicates,)}
        The number of every replicate, by name.
    """

    values: Mapping[Any, Any]
    table: Mapping[str, np.ndarray]


@printed
class Entry(NamedTuple):
    """A figure, table or text that can be reproduced, or the reason why it cannot.

    Attributes
    ----------
    name : str
        Name on the command line.
    paper, figure : str
        Where it is printed.
    about : str
        What it shows.
    study : callable or None
        Function of the values of a cell and a seed.
    sizes : mapping of {str: tuple of Grid}
        The grids of the sizes "fast" and "full", one for each picture.
    summary : callable or None
        Maps a table to {name: Point}: what a picture shows of a cell.
    unit : str
        Label of the picture's axis.
    lines : tuple of str
        Names that are drawn.
    claims : tuple of Claim or Fact
        Claims that its cells are compared with: the paper's claims, and ours.
    errata : tuple of str
        Numbers of the errata that touch the figure as a whole.
    remarks : tuple of str
        Sentences on the printed numbers.
    printed : callable or None
        Maps cells to a `TableComparison` with the printed table, or None if no table is printed.
    data : tuple of str
        Names of the data sets that every size reads; `needs` returns those of one size.
    lacks : str
        Why it cannot be reproduced; empty if it can.
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
    remarks: tuple[str, ...] = ()
    printed: Callable | None = None
    data: tuple[str, ...] = ()
    lacks: str = ""

    def grids(self, size: str) -> tuple[Grid, ...]:
        """Return the grids of a size.

        Parameters
        ----------
        size : {"smoke", "fast", "full"}
            "smoke" has the cells of "fast" with three replicates each, which is enough to see that everything runs.

        Returns
        -------
        tuple of Grid
            One grid for each picture.
        """
        if size != "smoke":
            return self.sizes[size]
        return tuple(grid._replace(replicates=min(3, grid.replicates)) for grid in self.sizes["fast"])

    def needs(self, size: str) -> tuple[str, ...]:
        """Return the names of the data sets that a size reads.

        Parameters
        ----------
        size : {"smoke", "fast", "full"}
            The size.

        Returns
        -------
        tuple of str
            The data sets of the entry, and the values of an axis `data`.
        """
        along = (name for grid in self.grids(size) for name in grid.axes.get("data", ())) if self.sizes else ()
        return tuple(dict.fromkeys((*self.data, *along)))

    def findings(self, cells: Sequence[Cell]) -> list[Finding]:
        """Return the finding of the cells on each claim.

        Parameters
        ----------
        cells : sequence of Cell
            The computed cells.

        Returns
        -------
        list of Finding
            One for each of `claims`.
        """
        return [claim.finding(cells) for claim in self.claims]


def cells(data: Sequence[Dataset]) -> list[Cell]:
    """Return the cells of the data sets of a sweep, one after the other; a cell that two grids share appears once.

    Parameters
    ----------
    data : sequence of xarray.Dataset
        One for each grid.

    Returns
    -------
    list of Cell
        The cells without repetitions.
    """
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


# summaries of a cell for its picture
# ----------------------------------------------------------------------------------------------


def relative(table: Mapping[str, Vector], to: str = "KME") -> dict[str, Point]:
    """Return the ratio of each mean loss to that of `to`, with Student's interval."""
    found = {name: relative_loss(table, name, to) for name in table if name != to}
    return {name: Point(1 + e.value, 1 + e.low, 1 + e.high) for name, e in found.items()}


def rates(table: Mapping[str, Vector], level: float = 0.05) -> dict[str, Point]:
    """Return the share of p-values of at most `level`, with Clopper and Pearson's interval."""
    found = {name: int((p <= level).sum()) for name, p in table.items()}
    return {name: Point(k / len(table[name]), *rate_interval(k, len(table[name]), LEVEL)) for name, k in found.items()}


def medians(table: Mapping[str, Vector]) -> dict[str, Point]:
    """Return the median over replicates, and the quartiles."""
    return {name: Point(*np.quantile(numbers, (0.5, 0.25, 0.75)).tolist()) for name, numbers in table.items()}


def means(table: Mapping[str, Vector]) -> dict[str, Point]:
    """Return the mean over replicates, and an interval of twice its standard error on both sides.

    With a single replicate, as for a number without chance, the interval has length 0.
    """
    found = {name: (v.mean(), 2 * v.std(ddof=1) / np.sqrt(len(v)) if len(v) > 1 else 0.0) for name, v in table.items()}
    return {name: Point(float(m), float(m - e), float(m + e)) for name, (m, e) in found.items()}
