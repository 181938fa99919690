"""Blocks of a sample, and the lower median of their values."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.types import Gram, Matrix, Rows, Values, Vector


def block_count(blocks: int, n: int, what: str = "points") -> int:
    """Return the number of blocks Q, checked to be a whole number from 1 to n.

    Parameters
    ----------
    blocks : int
        The number of blocks.
    n : int
        The number of points.
    what : str, default "points"
        The name of the points in the message.

    Returns
    -------
    int
        The number of blocks.

    Raises
    ------
    Refusal
        If there are more blocks than points.
    """
    blocks = checks.whole(blocks, "blocks", 1)
    if blocks > n:
        rows = f"1 {what.removesuffix('s')}" if n == 1 else f"{n} {what}"
        raise Refusal(f"{blocks} blocks of {rows} leave some block empty; take blocks <= {n} or a larger sample.")
    return blocks


def starts(n: int, blocks: int) -> Rows:
    """Return the index at which each block begins among n points in a row.

    Sizes differ by one at most, the larger first, as array_split's.

    Parameters
    ----------
    n : int
        The number of points.
    blocks : int
        The number of blocks Q.

    Returns
    -------
    ndarray of shape (Q,)
        The indices.
    """
    size, larger = divmod(n, blocks)
    q = np.arange(blocks)
    return q * size + np.minimum(q, larger)


def block_sizes(n: int, starts: Rows) -> Rows:
    """Return the number of points of each block.

    Parameters
    ----------
    n : int
        The number of points.
    starts : ndarray of shape (Q,)
        The index at which each block begins.

    Returns
    -------
    ndarray of shape (Q,)
        The sizes.
    """
    return np.diff(np.append(starts, n))


def split(order: Rows, starts: Rows) -> tuple[Rows, ...]:
    """Return the rows of each block.

    Parameters
    ----------
    order : ndarray of shape (n,)
        The rows, in the order in which they are cut.
    starts : ndarray of shape (Q,)
        The index at which each block begins.

    Returns
    -------
    tuple of ndarray
        Q read-only index arrays.
    """
    return tuple(checks.read_only(rows) for rows in np.split(order, starts[1:]))


def block_gram(K: Gram, starts: Rows) -> Gram:
    """Return the inner products of block means.

    Parameters
    ----------
    K : ndarray of shape (n, n)
        A Gram matrix whose rows are in the blocks' order.
    starts : ndarray of shape (Q,)
        The index at which each block begins.

    Returns
    -------
    ndarray of shape (Q, Q)
        The inner products.

    Notes
    -----
    Each sum adds only the entries of its two blocks: differences of cumulated sums would leave the rounding of an
    outlier's 1e14 in every clean block that comes after it.
    """
    sizes = block_sizes(len(K), starts)
    rows = np.add.reduceat(K, starts, axis=0) / sizes[:, None]
    return np.add.reduceat(rows, starts, axis=1) / sizes


def lower_median(values: Matrix) -> Vector:
    """Return the entry of rank floor((Q - 1) / 2) along the last axis.

    It is the median for odd Q and the lower of the two middle entries for even Q. Their mean would depend on outliers
    if Q = 2 Nc: then half of the blocks are contaminated.

    Parameters
    ----------
    values : ndarray of shape (..., Q)
        The values.

    Returns
    -------
    ndarray of shape (...)
        The lower medians.
    """
    rank = (values.shape[-1] - 1) // 2
    return np.partition(values, rank, axis=-1)[..., rank]


def median_position(values: Values) -> Rows:
    """Return the index of the lower median along the last axis; of equal values the first comes first.

    Parameters
    ----------
    values : ndarray of shape (..., Q)
        The values.

    Returns
    -------
    ndarray of shape (...)
        The indices.
    """
    return np.argsort(values, axis=-1, kind="stable")[..., (values.shape[-1] - 1) // 2]
