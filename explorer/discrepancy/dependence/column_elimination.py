"""Backward elimination of a table's columns by HSIC with a target."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.results.answer import Answer
from explorer.execution.cancellation import check_cancelled
from explorer.execution.processors import limit_threads
from explorer.kernels import Gaussian, Kernel
from explorer.printing import printed
from explorer.tables import html_tables
from explorer.tables.alignment import aligned
from explorer.types import Matrix, Points, PointsLike

from .column_ranking import columns_by_name
from .pairing import Pairing

KernelOf: TypeAlias = Kernel | Callable[[Points], Kernel]  # a kernel, or a function from the remaining columns to one


@printed
@dataclass(frozen=True)
class Elimination(Answer):
    """Columns of a table from the one that stays to the end to the one that leaves first. Arrays (c,) are read-only.

    Attributes
    ----------
    names : tuple of str
        Names of the columns; the best k that elimination finds are names[:k].
    statistic : ndarray of shape (c,)
        Biased HSIC of the target with names[:k], for k = 1, ..., c.
    correlation : ndarray of shape (c,)
        HSIC(x, y) / sqrt(HSIC(x, x) HSIC(y, y)) of the same columns, from 0 to 1.
    n : int
        Number of rows.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy.dependence import Elimination, bahsic
    >>> X = np.random.default_rng(0).normal(size=(30, 3))
    >>> answer: Elimination = bahsic(X, X[:, 0] + X[:, 2], names=["a", "b", "c"])
    >>> answer.names, answer.correlation.round(2).tolist()
    (('a', 'c', 'b'), [0.61, 0.74, 0.66])
    """

    names: tuple[str, ...]
    statistic: np.ndarray
    correlation: np.ndarray
    n: int

    def __post_init__(self) -> None:
        for name in ("statistic", "correlation"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    def _picture(self):
        rows = list(zip(range(1, len(self.names) + 1), self.names, self.statistic, self.correlation, strict=True))
        return html_tables.table(("columns left", "the last to join", "HSIC", "correlation"), rows)

    def __str__(self) -> str:
        return (
            f"{self.names[0]} stays to the end, of {len(self.names)} columns, with HSIC {self.statistic[0]:.4g};"
            f" {self.names[-1]} leaves first; for n = {self.n} rows."
        )


@limit_threads
@aligned("X y")
def bahsic(
    X: PointsLike | Mapping[str, Any],
    y: PointsLike,
    kernel_x: KernelOf | None = None,
    kernel_y: Kernel | None = None,
    names: Sequence[str] | None = None,
) -> Elimination:
    """Eliminate columns one at a time by BAHSIC: the next to leave is the one without which HSIC with y is largest.

    Use it to choose the columns of a model. For a p of each column use `rank_columns`.

    The columns are compared together. So two columns that are informative only together stay together, and of two that
    carry the same information one leaves; `rank_columns` looks at each column alone. The remaining set is chosen by its
    HSIC, so a p-value of it on the same rows is not valid; take other rows for a test.

    Parameters
    ----------
    X : array_like of shape (n, c), DataFrame or mapping
        Table with n >= 2 rows: numbers, or columns (n,) of numbers by name.
    y : array_like of shape (n,) or (n, d)
        Target.
    kernel_x : Kernel, callable or None, default None
        One kernel for all remaining columns, or a function of these (n, k) that gives one; None is ``Gaussian()``. An
        automatic bandwidth is chosen again for every set of columns.
    kernel_y : Kernel or None, default None
        Kernel of the target.
    names : sequence of str or None, default None
        Names of the columns; None takes X's own or "column 1" ...

    Returns
    -------
    Elimination
        The columns in order.

    Raises
    ------
    Refusal
        If a table has no columns, if names are given twice, or if X and y have different numbers of rows.

    Notes
    -----
    The cost is O(c² n²) and more: c (c + 1) / 2 values of HSIC. Columns that tie leave from the last one on.

    References
    ----------
    Song, Smola, Gretton, Bedo, Borgwardt 2012 (J. Mach. Learn. Res. 13, 1393), algorithm 1, one column at a time and by
    the biased HSIC.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import Delta
    >>> from explorer.discrepancy import bahsic
    >>> X = np.random.default_rng(0).normal(size=(80, 4))
    >>> sign = np.sign(X[:, 1] * X[:, 3])  # of which no column alone says anything
    >>> bahsic(X, sign, kernel_y=Delta()).names[:2]
    ('column 2', 'column 4')
    """
    table, names = _table(X, names)
    of_set = _of_set(kernel_x)
    target = Gaussian() if kernel_y is None else kernel_y

    def hsic_of(columns: list[int]) -> tuple[float, float]:
        """Return HSIC and its correlation for some columns."""
        check_cancelled()
        pairing = Pairing(table[:, columns], y, of_set(table[:, columns]), target, "biased", None)
        value, unit = pairing.observed(), pairing.unit
        return value, value / unit if unit > 0 else 0.0

    left = list(range(table.shape[1]))
    steps, gone = [hsic_of(left)], []
    while len(left) > 1:
        tried = [hsic_of([j for j in left if j != out]) for out in left]
        leaves = len(tried) - 1 - int(np.argmax([value for value, _ in reversed(tried)]))
        steps.append(tried[leaves])
        gone.append(left.pop(leaves))
    order = [left[0], *reversed(gone)]
    values, correlations = np.array(steps[::-1]).T
    return Elimination(tuple(names[j] for j in order), values, correlations, len(table))


def _of_set(kernel: Any) -> Any:
    """Return a function that gives the kernel of a set of columns; raise a TypeError if `kernel` is not one."""
    if kernel is None or isinstance(kernel, Kernel):
        return lambda _: Gaussian() if kernel is None else kernel
    if not callable(kernel):
        raise checks.WrongType(
            f"kernel_x must be a kernel, a function of the columns left that gives one, or None, not"
            f" {checks.echo(kernel)}."
        )
    return kernel


def _table(X: Any, names: Sequence[str] | None) -> tuple[Matrix, tuple[str, ...]]:
    """Return the columns (n, c) and their names; raise a Refusal unless all are equally long lists of numbers."""
    columns = columns_by_name(X, names)
    parts = [checks.sample(column, f"column {checks.echo(name)}") for name, column in columns.items()]
    if len({len(part) for part in parts}) > 1 or any(part.shape[1] > 1 for part in parts):
        raise Refusal("the columns of X must be equally long lists of numbers; give each as (n,).")
    return np.column_stack(parts), tuple(columns)
