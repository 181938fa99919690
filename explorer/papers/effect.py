"""An estimate with an interval at any confidence, and the cases of a claim: what a verdict is made of.

An Effect is the estimate and its interval; a Case is one place where a claim is tried, and gives its Effect at the
confidence that is asked for, since several intervals that are to hold together need more of it each. A Measure finds
the cases in cells. Comparisons are signed so that a negative number is better for the one that is claimed to be better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

LEVEL = 0.95  # the confidence of an interval that stands alone


class Effect(NamedTuple):
    """An estimate and its interval.

    rival          what it is compared with
    wins, samples  in how many the claimed one does better than the rival, of all; 0 where samples are not compared
    majority       whether it does so in more samples than not, by the two-sided sign test at 5 % that the papers use
    """

    value: float
    low: float
    high: float
    rival: str = ""
    wins: int = 0
    samples: int = 0
    majority: bool = False


class Case(NamedTuple):
    """One place where a claim is tried: where it is, and a function confidence -> Effect."""

    where: str
    effect: Callable[[float], Effect]


class Measure(NamedTuple):
    """The number that a claim is about.

    about     what it is, in words
    cases     cells -> list of cases
    sentence  Effect -> what it is in words, without its interval
    show      number -> the number in words
    zero      0 in words: of a difference "0", of the logarithm of a ratio "1"
    turned    whether `show` turns its sign: of rejections more are better, and a difference of -.1 is "+10 points"
    """

    about: str
    cases: Callable[[Sequence[Any]], list[Case]]
    sentence: Callable[[Effect], str]
    show: Callable[[float], str]
    zero: str = "0"
    turned: bool = False

    def tell(self, effect: Effect) -> str:
        """The effect in words, with its interval."""
        low, high = (effect.high, effect.low) if self.turned else (effect.low, effect.high)
        return f"{self.sentence(effect)} ({LEVEL:.0%} interval {self.show(low)} to {self.show(high)})"

    def below(self, limit: float) -> str:
        """A number smaller than the limit, in words."""
        return f"{'above' if self.turned else 'below'} {self.show(limit) if limit else self.zero}"

    def above(self, limit: float) -> str:
        """A number larger than the limit, in words."""
        return f"{'below' if self.turned else 'above'} {self.show(limit) if limit else self.zero}"


def in_each(cells: Sequence[Any], effect: Callable[..., Any], labels: Sequence[str] = ("",)) -> list[Case]:
    """A case for every cell and label, effect(cell, label, confidence), named by the axes that differ."""
    axes = [name for name in cells[0].values if len({str(cell.values[name]) for cell in cells}) > 1] if cells else []
    found = []
    for cell in cells:
        for label in labels:
            words = [f"{name} = {cell.values[name]}" for name in axes] + ([label] if len(labels) > 1 else [])
            found.append(Case(", ".join(words), lambda confidence, c=cell, x=label: effect(c, x, confidence)))
    return found


def strongest(effects: Sequence[Callable[..., Any]], confidence: float) -> Effect:
    """The effect against the strongest of several rivals, the largest number; `effects` are confidence -> Effect.

    The largest number exceeds the largest upper end only if its own does, so these need no correction. It is below the
    largest lower end only if some number is below its own, of which there are R chances: those ends are taken at
    1 - (1 - c)/R.
    """
    plain = [effect(confidence) for effect in effects]
    lower = max(effect(1 - (1 - confidence) / len(effects)).low for effect in effects)
    worst = max(plain, key=lambda effect: effect.value)
    return worst._replace(low=lower, high=max(effect.high for effect in plain))


def averaged(effects: Sequence[Effect]) -> Effect:
    """The mean of several effects, with the mean of their intervals.

    That is wide enough however they depend on each other: the standard error of a mean is at most the mean of the
    standard errors, and equals it where all err together.
    """
    value, low, high = (
        float(np.mean([getattr(effect, part) for effect in effects])) for part in ("value", "low", "high")
    )
    rivals = " and ".join(dict.fromkeys(effect.rival for effect in effects))
    return Effect(value, low, high, rivals, sum(e.wins for e in effects), sum(e.samples for e in effects))
