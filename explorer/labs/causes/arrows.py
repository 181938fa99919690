"""Which arrows between three variables their tests allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

PAIRS = ("xy", "xz", "yz")


class Allowed(NamedTuple):
    """What tests of independence leave of the arrows between x, y and z.

    arrows  those whose direction they show, "xz" from x to z
    lines   pairs that are joined, in a direction that they do not show
    """

    arrows: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def third(pair: str) -> str:
    """The variable that a pair leaves out."""
    return next(each for each in "xyz" if each not in pair)


def allowed_by(alone: Mapping[str, float], given: Mapping[str, float], level: float) -> Allowed:
    """The arrows by p of independence of each pair, alone and given the third (Spirtes, Glymour and Scheines' PC).

    A pair is joined where both tests reject: else the dependence is explained, or absent. Where two pairs are joined
    and the third is not, the middle variable is an effect of both ends if the ends are independent alone. If not, it
    passes on what they share: a chain in either direction and a fork leave the same dependences.
    """
    joined = [pair for pair in PAIRS if alone[pair] <= level and given[pair] <= level]
    if len(joined) == 2:
        (apart,) = set(PAIRS) - set(joined)
        if alone[apart] > level:
            return Allowed(arrows=tuple(end + third(apart) for end in apart))
    return Allowed(lines=tuple(joined))


def related(arrows: tuple[str, ...], a: str, b: str) -> bool:
    """Whether one of two variables acts on the other, be it through the third, or one acts on both."""
    return bool(_causes_of(a, arrows) & _causes_of(b, arrows))


def _causes_of(variable, arrows):
    """The variable, and all that act on it."""
    return {variable}.union(*(_causes_of(arrow[0], arrows) for arrow in arrows if arrow[1] == variable))
