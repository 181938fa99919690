"""Blocks of a sample, and the lower median of what they say."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.types import Gram, Matrix, Rows, Values, Vector


def block_count(blocks: int, n: int, what: str = "points") -> int:
    """The number of blocks Q, checked: a whole number from 1 to n."""
    blocks = checks.whole(blocks, "blocks", 1)
    if blocks > n:
        rows = f"1 {what.removesuffix('s')}" if n == 1 else f"{n} {what}"
        raise Refusal(f"{blocks} blocks of {rows} leave some block empty; take blocks <= {n} or a larger sample.")
    return blocks


def starts(n: int, blocks: int) -> Rows:
    """Where each block begins among n points in a row, (Q,).

    Sizes differ by one at most, the larger first, as array_split's.
    """
    size, larger = divmod(n, blocks)
    q = np.arange(blocks)
    return q * size + np.minimum(q, larger)


def block_sizes(n: int, starts: Rows) -> Rows:
    """How many points each block has, (Q,)."""
    return np.diff(np.append(starts, n))


def split(order: Rows, starts: Rows) -> tuple[Rows, ...]:
    """The rows of each block, a tuple of read-only index arrays, for the rows `order` (n,) cut at `starts`."""
    return tuple(checks.read_only(rows) for rows in np.split(order, starts[1:]))


def block_gram(K: Gram, starts: Rows) -> Gram:
    """Inner products of block means, (Q, Q), of a Gram matrix K (n, n) whose rows are in the blocks' order.

    Each sum adds what lies in its two blocks and nothing else: differences of cumulated sums would leave the rounding
    of an outlier's 1e14 in every clean block that comes after it.
    """
    sizes = block_sizes(len(K), starts)
    rows = np.add.reduceat(K, starts, axis=0) / sizes[:, None]
    return np.add.reduceat(rows, starts, axis=1) / sizes


def lower_median(values: Matrix) -> Vector:
    """The entry of rank floor((Q - 1) / 2) along the last axis (..., Q).

    The median for odd Q, the lower of two for even Q.

    The mean of the two middle ones depends on outliers where Q = 2 Nc: then half of the blocks are contaminated.
    """
    rank = (values.shape[-1] - 1) // 2
    return np.partition(values, rank, axis=-1)[..., rank]


def median_position(values: Values) -> Rows:
    """Where the lower median stands, (...), for values (..., Q); of equal values the first comes first."""
    return np.argsort(values, axis=-1, kind="stable")[..., (values.shape[-1] - 1) // 2]
