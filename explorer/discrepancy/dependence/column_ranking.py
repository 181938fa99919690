"""Which columns of a table depend on a target: HSIC of each, ranked, with p-values that count how many were tried."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from explorer import checks, tables
from explorer.alignment import aligned
from explorer.checks import Refusal
from explorer.discrepancy.resampling.permutation import permutations
from explorer.discrepancy.results.answer import Answer, checked_level
from explorer.frames import columns_of
from explorer.kernels import Kernel
from explorer.printing import printed
from explorer.processors import limit_threads
from explorer.types import Mask, PointsLike, Rng

from .gamma import sum_moments
from .pairing import Pairing
from .permutation_null import sums


@printed
@dataclass(frozen=True)
class ColumnRanking(Answer):
    """Columns from the strongest dependence on the target to the weakest; arrays (c,), read-only, in that order.

    names         of the columns
    statistic     the biased HSIC of each, as `hsic` gives it: comparable where the kernels' scales are
    correlation   HSIC(x, y) / sqrt(HSIC(x, x) HSIC(y, y)) of each, from 0 to 1; 0 for a constant column
    z             (HSIC - mean) / standard deviation over all orders of the target, exact: by this the columns are
                  ranked
    pvalue        (1 + #{orders whose largest z of all columns reaches this one's}) / (1 + B): the chance that the best
                  of all columns does as well where none depends on the target
    alone         each column's own p-value, as `hsic_test` gives it: the least of many is no p-value

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
        """Of which columns independence of the target is rejected at the level, (c,): pvalue <= level.

        The chance of any false finding among them is at most the level.
        """
        return self.pvalue <= checked_level(level)

    def _picture(self):
        columns = (self.names, self.statistic, self.correlation, self.z, self.pvalue)
        return tables.table(("column", "HSIC", "correlation", "z", "p"), list(zip(*columns, strict=True)))

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
    """HSIC of each column of a table with one target: a ColumnRanking.

    X         (n, c) numbers, or a DataFrame or mapping from names to columns (n,) of anything that the kernels take
    y         (n,) or (n, d), the target
    kernel_x  one kernel for all columns, or a mapping from names to kernels for some, such as {"sex": Delta()}; None is
              Gaussian() with each column's own median bandwidth. kernel_y that of the target
    names     of the columns, None for X's own or "column 1" ...

    One set of B = n_resamples orders of the target serves all columns, and each p is by the largest z of all in every
    order (Westfall and Young 1993). It is exact if the rows of the target are exchangeable and independent of all
    columns, for all n, B and kinds of data; and the chance of any false finding is at most the level, however the
    columns depend on one another, if those that are independent of the target are so together. O(c B n^2), for n >= 4.

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
    blind = sd <= tolerance  # the same in every order: such a column ties with everything at z = 0
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
    """(whole, mean, sd, tolerance, correlation), the null of `whole` (B,), and the kernels of one column."""
    paired = pairing.paired
    mean, variance = sum_moments(pairing.x, pairing.y, paired.squares)
    size = np.sqrt(paired.squares[0] * paired.squares[1])
    numbers = (paired.whole, mean, variance**0.5, paired.tolerance, paired.whole / size if size > 0 else 0.0)
    return numbers, sums(pairing.x, pairing.y, orders, count)[0], pairing.kernels


def columns_by_name(X: Any, names: Sequence[str] | None) -> dict[str, Any]:
    """name -> column of a table, or of rows (n, c) and their names; ValueError for what does not go together."""
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
    """Kernels by name; ValueError, TypeError for what does not go together."""
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
