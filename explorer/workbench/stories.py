"""Presets and stories as data: states of a lab, and what to look for there."""

from __future__ import annotations

from dataclasses import dataclass

from explorer.checks import Refusal


@dataclass(frozen=True)
class Preset:
    """`fields` differ from the lab's defaults; `effect` of the result lies within [at_least, at_most]."""

    name: str
    says: str
    fields: dict
    effect: str
    at_least: float = float("-inf")
    at_most: float = float("inf")


@dataclass(frozen=True)
class Step:
    """A state, by the fields that differ from the lab's defaults, a question to answer before one looks, and the
    answer.

    The answer's {name} are numbers of the result, from its `story` words: none is typed in.
    """

    asks: str
    says: str
    fields: dict


@dataclass(frozen=True)
class Story:
    """Some steps under one title; `key` names it in a link: ?story=key&step=1."""

    key: str
    title: str
    steps: tuple[Step, ...]


def find(stories, key, step):
    """The story and the step, counted from 0, that the words of a link name; ValueError where there is none."""
    known = {story.key: story for story in stories}
    if key not in known:
        raise Refusal(f"There is no story '{key}' here; the stories are {', '.join(known)}.")
    steps = len(known[key].steps)
    if not (step.isdecimal() and 1 <= int(step) <= steps):
        raise Refusal(f"The story '{key}' has steps 1 to {steps}, and '{step}' is none of them.")
    return known[key], int(step) - 1
