"""Looks of a Monitor at a batch."""

from __future__ import annotations

from collections.abc import Sized
from typing import NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings.feature_sums import FeatureSums
from explorer.tables.lazy_tables import in_memory
from explorer.types import Rows, Vector


class Looks(NamedTuple):
    """The looks at a batch: one after each row, one after all of them, or none.

    Attributes
    ----------
    n : int
        Number of rows of the batch.
    rows : ndarray
        Number of these rows that had arrived at each look.
    logs : ndarray
        Logarithm of the wealth at each look.
    alarm : ndarray of bool
        Whether an alarm is due at each look.
    """

    n: int
    rows: Rows
    logs: Vector
    alarm: np.ndarray


NOTHING = Looks(0, np.zeros(0, int), np.zeros(0), np.zeros(0, bool))


def is_empty(batch: object) -> bool:
    """Return whether a batch has no rows, whatever its type."""
    batch = in_memory(batch)
    if shape := getattr(batch, "shape", ()):  # sparse matrices have no length
        return shape[0] == 0
    return isinstance(batch, Sized) and not isinstance(batch, (str, bytes)) and len(batch) == 0


def refuse_sketch(thing: object, name: str) -> None:
    """Refuse a sketch if rows are ranked: it does not keep them."""
    if isinstance(thing, FeatureSums):
        raise Refusal(
            f"{name} is a Sketch, which keeps no rows, and this Monitor ranks each row among all others; give the rows,"
            " or make the reference a Sketch too."
        )
