"""Randomness is an argument: an int seed gives independent streams by name, so one more outlier moves one point."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zlib import crc32

import numpy as np

from explorer import checks
from explorer.printing import echo

if TYPE_CHECKING:
    from explorer.types import Rng


def stream(rng: Rng, name: str) -> np.random.Generator:
    """The generator that a function draws `name` from.

    An int, several of them and a SeedSequence seed a stream of its own for every name. A Generator, a BitGenerator and
    a RandomState are the caller's one stream and are consumed as they are; None is fresh entropy.
    """
    plain = _plain(rng)
    if isinstance(plain, np.random.Generator):
        return plain
    if plain is None:
        return np.random.default_rng()
    return np.random.default_rng(_spawned(plain, crc32(name.encode())))


def seed_of(rng: Rng) -> int | None:
    """The seed that a result names: an int rng; None for what no number repeats, such as a Generator."""
    return int(rng) if isinstance(rng, (int, np.integer)) else None


def repetition(rng: Rng, i: int) -> Rng:
    """Return the rng of the i-th of several calls: i + 1 after a seed of i, or the caller's one stream itself."""
    plain = _plain(rng)
    if plain is None or isinstance(plain, np.random.Generator):
        return plain
    return _spawned(plain, i) if isinstance(plain, np.random.SeedSequence) else plain + i


def refuse_other_rng(rng: Rng) -> None:
    """A sentence for what is no source of randomness here."""
    _plain(rng)


def _spawned(seed, key):
    """The SeedSequence of a seed's own stream."""
    if isinstance(seed, np.random.SeedSequence):
        return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, key), pool_size=seed.pool_size)
    return np.random.SeedSequence(seed, spawn_key=(key,))


def _plain(rng: Any) -> int | np.random.SeedSequence | np.random.Generator | None:
    """What numpy.random.default_rng takes, as one of these four; Refusal for a number below 0, WrongType for others."""
    rng = checks.scalar(rng)
    if rng is None or isinstance(rng, (np.random.Generator, np.random.SeedSequence)):
        return rng
    if isinstance(rng, np.random.BitGenerator):
        return np.random.Generator(rng)
    if isinstance(rng, np.random.RandomState):
        return np.random.Generator(rng._bit_generator)
    several = isinstance(rng, (list, tuple, np.ndarray)) and len(rng) > 0
    seeds: list[Any] = list(rng) if several else [rng]
    if any(isinstance(each, (bool, np.bool_)) or not isinstance(each, (int, np.integer)) for each in seeds):
        raise checks.WrongType(
            f"rng must be a whole number, a numpy Generator or None, not {echo(rng)};"
            " numpy.random.default_rng(0) makes a Generator, and what that takes is taken here."
        )
    if any(each < 0 for each in seeds):
        raise checks.Refusal(f"rng must be a whole number of at least 0, not {echo(rng)}.")
    return np.random.SeedSequence([int(each) for each in seeds]) if several else int(seeds[0])
