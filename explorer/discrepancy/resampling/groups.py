"""Groups of rows within which a test permutes them: pairs, blocks, subjects that were measured repeatedly."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.types import Rows, Values


def group_codes(groups: ArrayLike, count: int, rows: str = "pooled rows, X's first") -> Rows:
    """Convert the labels of groups to whole numbers from 0.

    Parameters
    ----------
    groups : array_like of shape (count,)
        Labels: words, numbers or dates.
    count : int
        Number of rows.
    rows : str, default "pooled rows, X's first"
        Description of the labelled rows, for messages.

    Returns
    -------
    ndarray of shape (count,)
        The number of each row's group.

    Raises
    ------
    Refusal
        If labels are missing, or if their number is not `count`.
    WrongType
        If the values cannot be labels.
    """
    labels = checks.as_array(groups, "groups")
    if labels.shape not in ((count,), (count, 1)):
        raise Refusal(f"groups has shape {labels.shape}; give one label for each of the {count} {rows}.")
    labels = labels.ravel()
    if labels.dtype.kind == "O":
        missing = [row for row, label in enumerate(labels) if checks.is_gap(label)]
    else:
        missing = np.flatnonzero(labels != labels)  # true for nan and NaT
    if len(missing):
        raise Refusal(
            f"groups has {len(missing)} missing labels, the first of row {missing[0]} (counted from 0); give every row"
            " a label, or leave it out."
        )
    if labels.dtype.kind != "O":
        return np.unique(labels, return_inverse=True)[1].reshape(-1)
    codes = {}
    try:
        return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=int)
    except TypeError as error:  # lists, tables and similar objects cannot be compared as labels
        raise WrongType("groups holds values that are no labels; give words, numbers or dates.") from error


def subtract_group_means(values: Values, groups: Rows) -> Values:
    """Subtract from each row the mean of its group.

    Parameters
    ----------
    values : ndarray of shape (N, ...)
        Values of the rows.
    groups : ndarray of shape (N,)
        Codes 0, 1, ... of the groups.

    Returns
    -------
    ndarray of shape (N, ...)
        The centred values.
    """
    order = np.argsort(groups, kind="stable")
    counts = np.bincount(groups)
    starts, nonempty = np.cumsum(counts) - counts, counts > 0
    means = np.add.reduceat(values[order], starts[nonempty], axis=0)
    means /= counts[nonempty].reshape(-1, *(1,) * (values.ndim - 1))
    return values - means[(np.cumsum(nonempty) - 1)[groups]]


def refuse_one_permutation(ways: int) -> None:
    """Raise a Refusal if the groups leave only one of `ways` to permute the rows, the observed one."""
    if ways == 1:
        raise Refusal(
            "every group holds rows of one sample alone, so permutations within groups change nothing and p can only be"
            " 1; give groups that have rows of both samples, such as the pairs of a paired study."
        )


def describe_permutations(codes: Rows, ways: int, least: float, count: int) -> str:
    """Name `count` resamples within groups: their kind, the number of groups, and a remark if few of them differ.

    Parameters
    ----------
    codes : ndarray of shape (N,)
        Codes 0, 1, ... of the groups.
    ways : int
        Number of ways to permute the rows within groups.
    least : float
        Least p by all `ways`.
    count : int
        Number of resamples.

    Returns
    -------
    str
        Such as "permutations within 3 groups".
    """
    total = int(codes.max()) + 1
    words = f"permutations within {total} group{'' if total == 1 else 's'}"
    if least > 1 / (1 + count):
        words += f" (only {ways:,} of them differ, so that p can hardly be below {least:.3g})"
    return words
