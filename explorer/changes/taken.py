"""What a Monitor hears of a batch."""

from __future__ import annotations

from collections.abc import Sized
from typing import NamedTuple

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings.feature_sums import FeatureSums
from explorer.types import Rows, Vector


class Taken(NamedTuple):
    """The looks at a batch: one after each row, one after all of them, or none.

    n      rows of the batch
    rows   how many of them had been seen at each look
    logs   the logarithm of the wealth there
    alarm  whether an alarm is due there
    """

    n: int
    rows: Rows
    logs: Vector
    alarm: np.ndarray


NOTHING = Taken(0, np.zeros(0, int), np.zeros(0), np.zeros(0, bool))


def is_empty(batch: object) -> bool:
    """Whether a batch has no rows, whatever it is."""
    return isinstance(batch, Sized) and not isinstance(batch, (str, bytes)) and len(batch) == 0


def refuse_sketch(thing: object, name: str) -> None:
    """A sentence for a sketch, whose rows are forgotten, where rows are ranked."""
    if isinstance(thing, FeatureSums):
        raise Refusal(
            f"{name} is a Sketch, and this Monitor ranks each row among all others, which a sketch has forgotten; give"
            " the rows, or make the reference a Sketch too."
        )
