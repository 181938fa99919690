"""Seeds of samples beside the one that a state shows."""

from __future__ import annotations

SEEDS = 2**32
FAR = 2**31  # from a sample's seed to one that no other sample of it is likely to have


def further_seed(seed: int, i: int) -> int:
    """The seed of the i-th further sample, counted from 0."""
    return (seed + 1 + i) % SEEDS


def distant_seed(seed: int, away: int = FAR) -> int:
    """The seed of what is drawn beside a sample, such as the points that are held out."""
    return (seed + away) % SEEDS
