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
    """Return the generator that a function draws `name` from.

    Parameters
    ----------
    rng : int, sequence of int, SeedSequence, Generator, BitGenerator, RandomState or None
        An int, several of them and a SeedSequence seed a separate stream for every name. A Generator, a BitGenerator
        and a RandomState are the caller's single stream and are consumed. None is fresh entropy.
    name : str
        Name of the stream.

    Returns
    -------
    numpy.random.Generator
        The generator.
    """
    plain = _plain(rng)
    if isinstance(plain, np.random.Generator):
        return plain
    if plain is None:
        return np.random.default_rng()
    return np.random.default_rng(_spawned(plain, crc32(name.encode())))


def seed_of(rng: Rng) -> int | None:
    """Return the seed that a result names: an int rng, or None if no number repeats it, as for a Generator.

    Parameters
    ----------
    rng : Rng
        Source of randomness.

    Returns
    -------
    int or None
        The seed.
    """
    return int(rng) if isinstance(rng, (int, np.integer)) else None


def repetition(rng: Rng, i: int) -> Rng:
    """Return the rng of the i-th of several calls: i + 1 after a seed of i, or the caller's single stream itself.

    Parameters
    ----------
    rng : Rng
        Source of randomness.
    i : int
        Number of the call, from 0.

    Returns
    -------
    Rng
        The source of randomness of this call.
    """
    plain = _plain(rng)
    if plain is None or isinstance(plain, np.random.Generator):
        return plain
    return _spawned(plain, i) if isinstance(plain, np.random.SeedSequence) else plain + i


def refuse_other_rng(rng: Rng) -> None:
    """Refuse a value that is not a source of randomness.

    Parameters
    ----------
    rng : Rng
        The value to check.
    """
    _plain(rng)


def _spawned(seed, key):
    """Return the SeedSequence of a seed's stream for one name."""
    if isinstance(seed, np.random.SeedSequence):
        return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, key), pool_size=seed.pool_size)
    return np.random.SeedSequence(seed, spawn_key=(key,))


def _plain(rng: Any) -> int | np.random.SeedSequence | np.random.Generator | None:
    """Return a source of randomness as one of these four types; refuse a number below 0 and anything else."""
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
