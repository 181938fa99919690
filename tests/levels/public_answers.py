"""Public functions and methods that answer with a p, an alarm, an interval or breaks: found by what they return."""

from __future__ import annotations

import inspect
import re
import sys
from collections.abc import Iterable
from typing import Any, Literal, get_args, get_origin

from explorer.site.reference.names import PublicName

ANSWERS = {"pvalue", "pvalues", "adjusted", "rejected", "alarm", "alarm_at", "breaks", "interval"}
OPTIONS = ("approximation", "null", "statistic", "method")  # parameters whose values are methods of a test
WORD = re.compile(r"\w+")


def annotations(value: type) -> dict[str, Any]:
    """Return the annotations of a class and of those that it is made of."""
    return {name: hint for each in value.__mro__ for name, hint in getattr(each, "__annotations__", {}).items()}


def answering(things: Iterable[PublicName]) -> set[str]:
    """Return the names of the classes that have an answer, or a field of a class that has one."""
    classes = {thing.name: thing.value for thing in things if thing.is_class}
    found = {
        name
        for name, value in classes.items()
        if any(hasattr(value, each) for each in ANSWERS) or ANSWERS & set(annotations(value))
    }
    while True:
        more = {
            name
            for name, value in classes.items()
            if name not in found and any(found & words(hint) for hint in annotations(value).values())
        }
        if not more:
            return found
        found |= more


def words(hint: Any) -> set[str]:
    """Return the names in an annotation."""
    return set(WORD.findall(hint if isinstance(hint, str) else repr(hint)))


def returns(function: Any) -> set[str]:
    """Return the names in a function's Returns section."""
    return words(getattr(function, "__annotations__", {}).get("return", ""))


def public_answers(things: Iterable[PublicName]) -> dict[str, Any]:
    """Return name -> function of all that answers; a class that decides, such as Monitor, stands for itself.

    Functions whose name ends in `_test`, or speaks of p-values, answer whatever they say that they return.
    """
    things = list(things)
    classes = answering(things)
    found = {}
    for thing in things:
        if not thing.is_class:
            if thing.name.endswith("_test") or "pvalue" in thing.name or classes & returns(thing.value):
                found[thing.name] = thing.value
        elif hasattr(thing.value, "update") and thing.name in classes:
            found[thing.name] = thing.value
        else:
            found |= {f"{thing.name}.{name}": each for name, each in methods(thing.value) if classes & returns(each)}
    return found


def methods(value: type) -> list[tuple[str, Any]]:
    """Return the public methods of a class itself with arguments of their own; properties are parts of an answer."""
    methods = [(name, each) for name, each in vars(value).items() if inspect.isfunction(each)]
    # a method under an earlier name is the same function, and has its entry by the name that it is defined by
    return [(name, each) for name, each in methods if not name.startswith("_") and each.__name__ == name]


def options(function: Any) -> dict[str, set[str]]:
    """Return parameter -> its values, for the parameters that choose a method of a test."""
    found = {}
    for name, hint in getattr(function, "__annotations__", {}).items():
        if name in OPTIONS:
            value = _evaluated(hint, function)
            if choices := {each for each in literals(value) if isinstance(each, str)}:
                found[name] = choices
    return found


def literals(hint: Any) -> set[Any]:
    """Return the values of all Literals in an annotation."""
    if get_origin(hint) is Literal:
        return set(get_args(hint))
    return set().union(*map(literals, get_args(hint)))


def _evaluated(hint, function):
    """Return an annotation's value, by the names of the function's module."""
    if not isinstance(hint, str):
        return hint
    return eval(hint, dict(vars(sys.modules[function.__module__])))
