"""Pairs of rows of two samples in one group. Many rows are permuted within groups by exchanging such pairs.

If rows are exchangeable within groups, the two rows of a pair may be exchanged, and so may those of a whole block of
pairs at once. These exchanges are a subset of the permutations within groups that is closed under composition, so a
test by them keeps its level. A row without a partner, for example in a group with more rows in one sample, takes no
part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.rng import stream
from explorer.types import Mask, Rng, Rows

from .row_blocks import MANY, Plan


class MatchedPairs(NamedTuple):
    """Random pairs of rows within groups, in blocks of `rows` consecutive pairs that are exchanged together.

    Attributes
    ----------
    a : ndarray of shape (blocks * rows,)
        Rows of the first sample, counted from 0.
    b : ndarray of shape (blocks * rows,)
        Rows of the second sample, counted from 0.
    rows : int
        Number of pairs in a block.
    """

    a: Rows
    b: Rows
    rows: int

    @classmethod
    def of(cls, groups: Rows, n: int, rng: Rng) -> MatchedPairs:
        """Draw random pairs of the rows of two samples within groups.

        Parameters
        ----------
        groups : ndarray of shape (n + m,)
            Codes of the groups, the first sample's first.
        n : int
            Number of rows of the first sample.
        rng : int, Generator or None
            Seed of the pairs.

        Returns
        -------
        MatchedPairs
            The pairs.
        """
        generator = stream(rng, "pairs within groups")
        first, second = (_places_in_groups(codes, generator) for codes in (groups[:n], groups[n:]))
        width = 1 + max(first.max(initial=0), second.max(initial=0))
        keys = groups[:n] * width + first, groups[n:] * width + second
        _, a, b = np.intersect1d(*keys, assume_unique=True, return_indices=True)
        order = generator.permutation(len(a))
        rows = -(-max(len(a), 1) // MANY)
        order = order[: len(order) // rows * rows]
        return cls(a[order], b[order], rows)

    @property
    def blocks(self) -> int:
        """Number of blocks."""
        return len(self.a) // self.rows

    @property
    def plan(self) -> Plan:
        """Blocks of both samples' rows. Every row has a block."""
        return Plan((len(self.a), len(self.b)), self.rows, (self.blocks, self.blocks))

    @property
    def block_of_rows(self) -> list[Rows]:
        """Block of each row of `a` and of `b`, numbered as in `Plan`."""
        block = np.repeat(np.arange(self.blocks, dtype=np.int32), self.rows)
        return [block, block + np.int32(self.blocks)]

    def exchanges(self, count: int, rng: Rng) -> Mask:
        """Draw which blocks are exchanged in each resample, each with probability 1/2.

        Parameters
        ----------
        count : int
            Number of resamples.
        rng : int, Generator or None
            Seed of the exchanges.

        Returns
        -------
        ndarray of shape (count, blocks)
            True for the blocks that are exchanged.
        """
        return stream(rng, "exchanges of pairs").random((count, self.blocks)) < 0.5


def _places_in_groups(codes: Rows, generator: np.random.Generator) -> Rows:
    """Return the position (n,) of each row among those of its group, in random order, from 0."""
    order = generator.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    place = np.empty(len(codes), dtype=np.intp)
    place[order] = np.arange(len(codes)) - np.repeat(starts, np.diff(starts, append=len(codes)))
    return place
