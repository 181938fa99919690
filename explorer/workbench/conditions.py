"""Conditions of results. A field, a button or a picture of a page has an effect if its condition is met."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from explorer.checks import Refusal
from explorer.languages import message, translate
from explorer.parameters import Choice, explicit_label
from explorer.printing import echo, join_list

NO_EFFECT = message("It has no effect on what is shown now.")


@dataclass(frozen=True)
class Reasoned:
    """A condition with the reason why a control has no effect without it.

    Attributes
    ----------
    holds : callable
        Called with a result; returns whether the condition is met.
    reason : callable
        Called with a result that does not meet it; returns the reason as a sentence.
    """

    holds: Callable[[Any], object]
    reason: Callable[[Any], str]

    def __call__(self, result: Any) -> bool:
        return bool(self.holds(result))


@dataclass(frozen=True)
class Having:
    """The condition that fields of the lab have given values. `a | b` is met if either of two is.

    Attributes
    ----------
    cases : tuple of mapping
        Field or property of the lab -> its allowed values. True and False also allow what counts as them.
    """

    cases: tuple[Mapping[str, tuple[Any, ...]], ...]

    def __call__(self, result: Any) -> bool:
        return any(all(_is(getattr(result.lab, n), allowed) for n, allowed in case.items()) for case in self.cases)

    def reason(self, result: Any) -> str:
        """Return which choice would give the control an effect, as a sentence.

        Parameters
        ----------
        result : Result
            A result that does not meet the condition.

        Returns
        -------
        str
            Names the menu and its words, if the condition is a choice of one.
        """
        each = [item for case in self.cases for item in case.items()]
        choice = type(result.lab).fields.get(each[0][0])
        if len(each) > 1 or not isinstance(choice, Choice) or not (label := explicit_label(choice)):
            return translate(NO_EFFECT)
        words = [translate(word) for word, value in choice.words.items() if value in each[0][1]]
        return translate("It has an effect only with “{}”: {}.", translate(label), join_list(words))

    def __or__(self, other: Having) -> Having:
        return Having(self.cases + other.cases)

    def check(self, lab_class: Any, name: str) -> None:
        """Check that the lab has these fields, and that they can have these values.

        Parameters
        ----------
        lab_class : type of Lab
            The lab.
        name : str
            The field with this condition.

        Raises
        ------
        Refusal
            If a field or a value does not exist.
        """
        for field, allowed in ((field, allowed) for case in self.cases for field, allowed in case.items()):
            if not hasattr(lab_class, field):
                said = "{}.{} is under the condition `having({}=...)`, but {} is neither a field nor a property of {}."
                raise Refusal(said, lab_class.__name__, name, field, field, lab_class.__name__)
            choice = lab_class.fields.get(field)
            if isinstance(choice, Choice) and not set(allowed) <= {*choice.objects, True, False}:
                said = "{}.{} is under the condition that {} is {}, which must be one of {}."
                given, known = join_list(map(echo, allowed)), join_list(map(echo, choice.objects))
                raise Refusal(said, lab_class.__name__, name, field, given, known)


def having(**values: Any) -> Having:
    """Return the condition that fields of the lab have these values.

    Parameters
    ----------
    **values : Any
        Field or property of the lab -> its value, or a tuple of allowed values. True and False also allow what counts
        as them.

    Returns
    -------
    Having
        The condition: a function of a result.

    Examples
    --------
    >>> from explorer.labs.shrinkage import ShrinkageLab
    >>> heavy = having(source="student")
    >>> heavy(ShrinkageLab(source="student").result()), heavy(ShrinkageLab().result())
    (True, False)
    """
    return Having(({name: each if isinstance(each, tuple) else (each,) for name, each in values.items()},))


def conditions_of(lab_class: Any) -> dict[str, Callable[[Any], object]]:
    """Return the conditions of a lab's fields.

    Parameters
    ----------
    lab_class : type of Lab
        The lab.

    Returns
    -------
    dict of str to callable
        Field -> a function of a result that returns whether the field has an effect.
    """
    return {name: when for name, field in lab_class.fields.items() if (when := getattr(field, "when", None))}


def reason_of(condition: Callable[[Any], object]) -> Callable[[Any], str]:
    """Return the function that gives the reason why a control has no effect, for a result without the condition.

    Parameters
    ----------
    condition : callable
        The condition.

    Returns
    -------
    callable
        Takes the result and returns a sentence, in the page's language.
    """
    reason: Callable[[Any], str] = getattr(condition, "reason", lambda result: translate(NO_EFFECT))
    return reason


def check_conditions(lab_class: Any) -> None:
    """Check the conditions of a lab's fields, as far as they are made by `having`.

    Parameters
    ----------
    lab_class : type of Lab
        The lab.

    Raises
    ------
    Refusal
        If one of them names a field or a value that does not exist.
    """
    for name, when in conditions_of(lab_class).items():
        if isinstance(when, Having):
            when.check(lab_class, name)


def _is(value, allowed):
    return any(bool(value) is each if isinstance(each, bool) else value == each for each in allowed)
