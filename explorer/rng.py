"""Randomness is an argument: an int seed gives independent streams by name, so one more outlier moves one point."""

from __future__ import annotations

from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.printing import shown

if TYPE_CHECKING:
    from explorer.types import Rng


def stream(rng: Rng, name: str) -> np.random.Generator:
    """The generator that a function draws `name` from.

    An int seeds a stream of its own for every name; a Generator is the caller's one stream and is consumed as it is;
    None is fresh entropy.
    """
    refuse_other_rng(rng)
    if isinstance(rng, np.random.Generator):
        return rng
    if rng is None:
        return np.random.default_rng()
    return np.random.default_rng(np.random.SeedSequence(int(rng), spawn_key=(crc32(name.encode()),)))


def seed_of(rng: Rng) -> int | None:
    """The seed that a result names: an int rng; None for a Generator or fresh entropy, which no number repeats."""
    return None if rng is None or isinstance(rng, np.random.Generator) else int(rng)


def refuse_other_rng(rng: Rng) -> None:
    """A sentence for what is no source of randomness here."""
    if rng is None or isinstance(rng, np.random.Generator):
        return
    if isinstance(rng, (bool, np.bool_)) or not isinstance(rng, (int, np.integer)):
        raise WrongType(
            f"rng must be a whole number, a numpy Generator or None, not {shown(rng)};"
            " numpy.random.default_rng(0) makes a Generator."
        )
    if rng < 0:
        raise Refusal(f"rng must be a whole number of at least 0, not {shown(rng)}.")
