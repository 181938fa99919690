"""Ranking of a table's columns by HSIC with a target, with p-values adjusted for the number of columns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import permutations
from explorer.discrepancy.results.answer import Answer, checked_level
from explorer.execution.processors import limit_threads
from explorer.frames import columns_of
from explorer.kernels import Kernel
from explorer.printing import printed
from explorer.tables import html_tables
from explorer.tables.alignment import aligned
from explorer.types import Mask, PointsLike, Rng

from .gamma import sum_moments
from .pairing import Pairing
from .permutation_null import sums


@printed
@dataclass(frozen=True)
class ColumnRanking(Answer):
    """Columns from the strongest dependence on the target to the weakest. Arrays (c,) are read-only and in that order.

    Attributes
    ----------
    names : tuple of str
        Names of the columns.
    statistic : ndarray of shape (c,)
        Biased HSIC of each, as `hsic` gives it; comparable if the kernels' scales are.
    correlation : ndarray of shape (c,)
        HSIC(x, y) / sqrt(HSIC(x, x) HSIC(y, y)) of each, from 0 to 1; 0 for a constant column.
    z : ndarray of shape (c,)
        (HSIC - mean) / standard deviation over all orders of the target, exact. The columns are ranked by it.
    pvalue : ndarray of shape (c,)
        (1 + #{orders whose largest z of all columns reaches this one's}) / (1 + B): the probability that the best of
        all columns does as well if none depends on the target.
    alone : ndarray of shape (c,)
        P-value of each column alone, as `hsic_test` gives it. The least of many is not a p-value.
    kernels : tuple of (Kernel, Kernel)
        Kernels of each column and of the target.
    n : int
        Number of rows.
    n_resamples : int
        Number of permutations B.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import ColumnRanking, rank_columns
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(40, 3))
    >>> ranking: ColumnRanking = rank_columns(X, X[:, 1] ** 2, names=["a", "b", "c"], n_resamples=99, rng=0)
    >>> ranking.names, ranking.pvalue.round(2).tolist(), ranking.rejected(0.05).tolist()
    (('b', 'a', 'c'), [0.01, 0.03, 0.79], [True, True, False])
    """

    names: tuple[str, ...]
    statistic: np.ndarray
    correlation: np.ndarray
    z: np.ndarray
    pvalue: np.ndarray
    alone: np.ndarray
    kernels: tuple[tuple[Kernel, Kernel], ...]
    n: int
    n_resamples: int

    def __post_init__(self) -> None:
        for name in ("statistic", "correlation", "z", "pvalue", "alone"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    def rejected(self, level: float = 0.05) -> Mask:
        """Return for which columns independence of the target is rejected at the level: pvalue <= level.

        The probability of any false rejection among them is at most the level.

        Parameters
        ----------
        level : float, default 0.05
            Level of the test, 0 < level < 1.

        Returns
        -------
        ndarray of shape (c,)
            True for the rejected columns.
        """
        return self.pvalue <= checked_level(level)

    def _picture(self):
        columns = (self.names, self.statistic, self.correlation, self.z, self.pvalue)
        return html_tables.table(("column", "HSIC", "correlation", "z", "p"), list(zip(*columns, strict=True)))

    def __str__(self) -> str:
        count = int(np.count_nonzero(self.pvalue <= 0.05))
        best = f"{self.names[0]} leads with HSIC {self.statistic[0]:.4g}, p = {self.pvalue[0]:.3g}"
        return (
            f"{count} of {len(self.names)} columns depend{'s' if count == 1 else ''} on the target at level 0.05, all"
            f" columns counted; {best}; for n = {self.n} rows against {self.n_resamples} permutations."
        )


@limit_threads
@aligned("X y")
def rank_columns(
    X: PointsLike | Mapping[str, Any],
    y: PointsLike,
    kernel_x: Kernel | Mapping[str, Kernel] | None = None,
    kernel_y: Kernel | None = None,
    names: Sequence[str] | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
) -> ColumnRanking:
    """Rank the columns of a table by their HSIC with one target.

    Use it to see on which columns of a table a target depends, each alone. For columns that matter together use
    `bahsic`.

    One set of B = n_resamples orders of the target serves all columns, and each p is by the largest z of all columns in
    every order (Westfall and Young 1993). It is exact if the rows of the target are exchangeable and independent of all
    columns, for all n, B and kinds of data. The probability of any false rejection is at most the level, however the
    columns depend on one another, if those that are independent of the target are so jointly.

    Parameters
    ----------
    X : array_like of shape (n, c), DataFrame or mapping
        Table with n >= 4 rows: numbers, or columns (n,) by name of anything that the kernels take.
    y : array_like of shape (n,) or (n, d)
        Target.
    kernel_x : Kernel, mapping from str to Kernel or None, default None
        One kernel for all columns, or kernels by name for some, such as ``{"sex": Delta()}``. None is ``Gaussian()``
        with each column's own median bandwidth.
    kernel_y : Kernel or None, default None
        Kernel of the target.
    names : sequence of str or None, default None
        Names of the columns; None takes X's own or "column 1" ...
    n_resamples : int, default 999
        Number of resamples B.
    rng : int, Generator or None, default None
        Seed of the resamples.

    Returns
    -------
    ColumnRanking
        The columns in order, with p-values.

    Notes
    -----
    The cost is O(c B n^2).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Delta
    >>> from explorer.discrepancy.dependence import rank_columns
    >>> rng = np.random.default_rng(0)
    >>> table = {"noise": rng.normal(size=40), "group": rng.integers(2, size=40)}
    >>> rank_columns(table, table["group"] + rng.normal(size=40), {"group": Delta()}, n_resamples=99, rng=0).names
    ('group', 'noise')
    """
    columns = columns_by_name(X, names)
    kernels = _kernels(columns, kernel_x)
    n_resamples, n, orders = checks.whole(n_resamples, "n_resamples", 1), 0, None
    rows = []
    for name, column in columns.items():
        try:
            pairing = Pairing(
                column, y, kernels.get(name), kernel_y, "biased", None, at_least=4, purpose="for a variance"
            )
        except (ValueError, TypeError) as error:
            raise type(error)(f"column {checks.echo(name)}: {error}") from error
        if orders is None:
            n = pairing.x.n
            orders = list(permutations(n, n_resamples, rng))
        rows.append(_row(pairing, orders, n_resamples))
    observed, mean, sd, tolerance, correlation = np.array([row[0] for row in rows]).T
    null = np.array([row[1] for row in rows])
    blind = sd <= tolerance  # HSIC is the same in every order, so such a column ties with everything at z = 0
    sd = np.where(blind, np.inf, sd)
    z, null_z = (observed - mean) / sd, (null - mean[:, None]) / sd[:, None]
    tie = (tolerance / sd).max()
    pvalue = (1 + (null_z.max(axis=0)[:, None] + tie >= z).sum(axis=0)) / (1 + n_resamples)
    alone = (1 + (null + tolerance[:, None] >= observed[:, None]).sum(axis=1)) / (1 + n_resamples)
    order = np.argsort(-z, kind="stable")
    labels = list(columns)
    values = ((observed / n**2)[order], np.where(blind, 0.0, correlation)[order], z[order], pvalue[order], alone[order])
    chosen = tuple(rows[i][2] for i in order)
    return ColumnRanking(tuple(labels[i] for i in order), *values, chosen, n, n_resamples)


def _row(pairing, orders, count):
    """Return (whole, mean, sd, tolerance, correlation), the null of `whole` (B,), and the kernels of one column."""
    paired = pairing.paired
    mean, variance = sum_moments(pairing.x, pairing.y, paired.squares)
    size = np.sqrt(paired.squares[0] * paired.squares[1])
    numbers = (paired.whole, mean, variance**0.5, paired.tolerance, paired.whole / size if size > 0 else 0.0)
    return numbers, sums(pairing.x, pairing.y, orders, count)[0], pairing.kernels


def columns_by_name(X: Any, names: Sequence[str] | None) -> dict[str, Any]:
    """Return the columns of a table, or of rows (n, c) and names, by name; raise an error if they do not match."""
    columns = columns_of(X)
    if columns is not None:
        if names is not None:
            raise Refusal("names are given twice, by X itself and by names=; leave names at None.")
    else:
        table = checks.sample(X)
        names = [f"column {i + 1}" for i in range(table.shape[1])] if names is None else [str(name) for name in names]
        if len(names) != table.shape[1] or len(set(names)) < len(names):
            raise Refusal(
                f"names holds {len(set(names))} different names for {table.shape[1]} columns; give each its own."
            )
        columns = dict(zip(names, table.T, strict=True))
    if not columns:
        raise Refusal("X has no columns; give at least one.")
    return columns


def _kernels(columns, kernel_x):
    """Return the kernels by name; raise an error if they do not go with the columns."""
    if kernel_x is None or isinstance(kernel_x, Kernel):
        return dict.fromkeys(columns, kernel_x)
    if not isinstance(kernel_x, Mapping):
        raise TypeError(
            f"kernel_x must be a kernel, a mapping from names to kernels, or None, not {checks.echo(kernel_x)}."
        )
    unknown = [name for name in kernel_x if name not in columns]
    if unknown:
        raise Refusal(
            f"kernel_x has kernels for {checks.join_list(map(checks.echo, unknown))}, which are no columns of X."
        )
    return dict(kernel_x)
