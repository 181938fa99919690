"""Pairs of rows of two samples that lie in one group: many rows are permuted within groups by exchanges of such pairs.

Where rows are exchangeable within groups, the two rows of a pair may change places, and so may those of a whole block
of pairs at once. These exchanges are a part of the permutations within groups, closed under composition, so a test by
them keeps its level. A row without a partner, as of a group with more rows in one sample, takes no part.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from explorer.rng import stream
from explorer.types import Mask, Rng, Rows

from .row_blocks import MANY, Plan


class MatchedPairs(NamedTuple):
    """Random pairs of rows within groups, in blocks of `rows` consecutive pairs that are exchanged together.

    a, b  the rows of the first sample and those of the second, (blocks * rows,) each, counted from 0 in their sample
    rows  how many pairs a block has
    """

    a: Rows
    b: Rows
    rows: int

    @classmethod
    def of(cls, groups: Rows, n: int, rng: Rng) -> MatchedPairs:
        """Return pairs of the rows of two samples with these codes of groups, (n + m,), the first sample's first."""
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
        """How many blocks there are."""
        return len(self.a) // self.rows

    @property
    def plan(self) -> Plan:
        """The blocks of both samples' rows, of which no row is left."""
        return Plan((len(self.a), len(self.b)), self.rows, (self.blocks, self.blocks))

    @property
    def block_of_rows(self) -> list[Rows]:
        """The block of each row of `a` and of `b`, as `Plan` numbers them."""
        block = np.repeat(np.arange(self.blocks, dtype=np.int32), self.rows)
        return [block, block + np.int32(self.blocks)]

    def exchanges(self, count: int, rng: Rng) -> Mask:
        """Return which blocks are exchanged in each resample, (count, blocks), each with probability 1/2."""
        return stream(rng, "exchanges of pairs").random((count, self.blocks)) < 0.5


def _places_in_groups(codes: Rows, generator: np.random.Generator) -> Rows:
    """Return the place of each row among those of its group, (n,), in random order, from 0."""
    order = generator.permutation(len(codes))
    order = order[np.argsort(codes[order], kind="stable")]
    starts = np.flatnonzero(np.diff(codes[order], prepend=-1))
    place = np.empty(len(codes), dtype=np.intp)
    place[order] = np.arange(len(codes)) - np.repeat(starts, np.diff(starts, append=len(codes)))
    return place
