"""Estimates with an interval at any confidence, and the cases of a claim: the material of a verdict.

An Effect is the estimate and its interval. A Case is one place where a claim is tried. It gives its Effect at the
requested confidence, because several intervals that are to hold together each need a higher one. A Measure finds the
cases in cells. Comparisons are signed so that a negative number is better for the side that is claimed to be better.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

LEVEL = 0.95  # confidence of a single interval


class Effect(NamedTuple):
    """An estimate and its interval.

    Attributes
    ----------
    value, low, high : float
        The estimate and the ends of its interval.
    rival : str
        What it is compared with.
    wins, samples : int
        In `wins` of `samples` samples the claimed side does better than the rival; 0 if samples are not compared.
    majority : bool
        Whether it does so in more samples than not, by the two-sided sign test at 5 % that the papers use.
    """

    value: float
    low: float
    high: float
    rival: str = ""
    wins: int = 0
    samples: int = 0
    majority: bool = False


class Case(NamedTuple):
    """One place where a claim is tried: its name, and a function confidence -> Effect."""

    where: str
    effect: Callable[[float], Effect]


class Measure(NamedTuple):
    """The number that a claim is about.

    Attributes
    ----------
    about : str
        What the number is, in words.
    cases : callable
        Maps cells to a list of cases.
    sentence : callable
        Maps an Effect to a sentence without its interval.
    show : callable
        Formats a number.
    zero : str
        How 0 is written: "0" for a difference, "1" for the logarithm of a ratio.
    turned : bool
        Whether `show` turns the sign. More rejections are better, so that a difference of -.1 is shown as "+10 points".
    """

    about: str
    cases: Callable[[Sequence[Any]], list[Case]]
    sentence: Callable[[Effect], str]
    show: Callable[[float], str]
    zero: str = "0"
    turned: bool = False

    def tell(self, effect: Effect) -> str:
        """Return a sentence on the effect, with its interval."""
        low, high = (effect.high, effect.low) if self.turned else (effect.low, effect.high)
        return f"{self.sentence(effect)} ({LEVEL:.0%} interval {self.show(low)} to {self.show(high)})"

    def below(self, limit: float) -> str:
        """Return the words for a number smaller than the limit."""
        return f"{'above' if self.turned else 'below'} {self.show(limit) if limit else self.zero}"

    def above(self, limit: float) -> str:
        """Return the words for a number larger than the limit."""
        return f"{'below' if self.turned else 'above'} {self.show(limit) if limit else self.zero}"


def in_each(cells: Sequence[Any], effect: Callable[..., Any], labels: Sequence[str] = ("",)) -> list[Case]:
    """Return a case for every cell and label, by effect(cell, label, confidence), named by the axes that differ."""
    axes = [name for name in cells[0].values if len({str(cell.values[name]) for cell in cells}) > 1] if cells else []
    found = []
    for cell in cells:
        for label in labels:
            words = [f"{name} = {cell.values[name]}" for name in axes] + ([label] if len(labels) > 1 else [])
            found.append(Case(", ".join(words), lambda confidence, c=cell, x=label: effect(c, x, confidence)))
    return found


def strongest(effects: Sequence[Callable[..., Any]], confidence: float) -> Effect:
    """Return the effect against the strongest of several rivals, which is the one with the largest number.

    `effects` are functions confidence -> Effect. The largest number exceeds the largest upper end only if it exceeds
    its own, so the upper ends need no correction. The largest number is below the largest lower end only if one of the
    R numbers is below its own lower end. There are R chances for that, so the lower ends are taken at 1 - (1 - c)/R.
    """
    plain = [effect(confidence) for effect in effects]
    lower = max(effect(1 - (1 - confidence) / len(effects)).low for effect in effects)
    worst = max(plain, key=lambda effect: effect.value)
    return worst._replace(low=lower, high=max(effect.high for effect in plain))


def averaged(effects: Sequence[Effect]) -> Effect:
    """Return the mean of several effects, with the mean of their intervals.

    The interval is wide enough under any dependence. The standard error of a mean is at most the mean of the standard
    errors, and equals it if all errors are perfectly correlated.
    """
    value, low, high = (
        float(np.mean([getattr(effect, part) for effect in effects])) for part in ("value", "low", "high")
    )
    rivals = " and ".join(dict.fromkeys(effect.rival for effect in effects))
    return Effect(value, low, high, rivals, sum(e.wins for e in effects), sum(e.samples for e in effects))
