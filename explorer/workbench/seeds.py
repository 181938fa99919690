"""Seeds of other samples than the one that a state shows."""

from __future__ import annotations

SEEDS = 2**32
FAR = 2**31  # distance from a sample's seed to a seed that no other of its samples is likely to have


def further_seed(seed: int, i: int) -> int:
    """Return the seed of the i-th additional sample.

    Parameters
    ----------
    seed : int
        The sample's seed.
    i : int
        Counted from 0.

    Returns
    -------
    int
        The seed.
    """
    return (seed + 1 + i) % SEEDS


def distant_seed(seed: int, away: int = FAR) -> int:
    """Return the seed of what is drawn in addition to a sample, such as held-out points.

    Parameters
    ----------
    seed : int
        The sample's seed.
    away : int, default 2**31
        The distance between both seeds.

    Returns
    -------
    int
        The seed.
    """
    return (seed + away) % SEEDS
