"""Arrows between three variables that independence tests allow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

PAIRS = ("xy", "xz", "yz")


class Allowed(NamedTuple):
    """Arrows between x, y and z that agree with the tests.

    Attributes
    ----------
    arrows : tuple of str
        Arrows whose direction the tests determine; "xz" is from x to z.
    lines : tuple of str
        Joined pairs whose direction stays open.
    """

    arrows: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()


def third(pair: str) -> str:
    """Return the variable that is not in a pair."""
    return next(each for each in "xyz" if each not in pair)


def allowed_by(alone: Mapping[str, float], given: Mapping[str, float], level: float) -> Allowed:
    """Return the Allowed arrows by p of independence of each pair, alone and given the third variable.

    This is the PC algorithm of Spirtes, Glymour and Scheines. A pair is joined if both tests reject. Otherwise the
    dependence is explained by the third variable, or absent. If two pairs are joined and the third is not, the middle
    variable is an effect of both ends if the ends are independent alone. If they are dependent, it passes on what they
    share: a chain in either direction and a fork imply the same dependences.
    """
    joined = [pair for pair in PAIRS if alone[pair] <= level and given[pair] <= level]
    if len(joined) == 2:
        (apart,) = set(PAIRS) - set(joined)
        if alone[apart] > level:
            return Allowed(arrows=tuple(end + third(apart) for end in apart))
    return Allowed(lines=tuple(joined))


def related(arrows: tuple[str, ...], a: str, b: str) -> bool:
    """Return whether one variable causes the other, directly or through the third, or both have a common cause."""
    return bool(_causes_of(a, arrows) & _causes_of(b, arrows))


def _causes_of(variable, arrows):
    """Return the variable and all its direct and indirect causes."""
    return {variable}.union(*(_causes_of(arrow[0], arrows) for arrow in arrows if arrow[1] == variable))
