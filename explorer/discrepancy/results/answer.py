"""Base classes of the results of tests and estimates: a decision at a level, and a dict for JSON."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.citations import Cites
from explorer.printing import fields_of
from explorer.public_names.synonyms import ours_by_word, plain


def checked_level(level: float) -> float:
    """Return a level if it is a number with 0 < level < 1, and raise an error otherwise.

    Parameters
    ----------
    level : float
        Level of a test.

    Returns
    -------
    float
        The level.

    Raises
    ------
    Refusal
        If the level is not between 0 and 1.
    WrongType
        If the level is not a number.
    """
    level = checks.scalar(level)
    if isinstance(level, (bool, np.bool_)) or not isinstance(level, (int, float, np.integer, np.floating)):
        raise checks.WrongType(f"level must be a number between 0 and 1, not {checks.echo(level)}.")
    if not 0 < level < 1:
        raise Refusal(f"level must lie between 0 and 1, not be {checks.echo(level)}; 0.05 is the custom.")
    return level


class Answer(Cites):
    """Base class of results that can be written as JSON. ``str()`` is a sentence, and `citations` names the papers.

    Two results are equal if they are of one class and their fields are equal; NaN equals NaN.
    """

    if TYPE_CHECKING:  # `printed` adds this method

        def _parts(self) -> list[tuple[str, Any]]: ...

    else:  # a type checker refuses unknown names by itself

        def __getattr__(self, name):
            ours = ours_by_word("results").get(plain(name), "")
            fitting = [each for each in ours.split() if hasattr(type(self), each) or each in _names_of(self)]
            advice = f"; it is {fitting[0]}" if fitting else ""
            raise AttributeError(f"{type(self).__name__} has no {name}{advice}.", name=name, obj=self)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self is other or _equal(_values_of(self), _values_of(other))

    def __hash__(self) -> int:
        plain_values = (value for value in _values_of(self).values() if isinstance(value, (str, bool, int)))
        return hash((type(self).__qualname__, *plain_values))

    def to_dict(self) -> dict[str, Any]:
        """Return the fields by name as JSON has them, with the p-value and the sentence.

        Arrays and tuples become lists. A kernel becomes the code that rebuilds it, or a short form if that is long. A
        number that is not finite becomes the word for it, such as "inf", which ``float()`` reads.

        Returns
        -------
        dict
            JSON values by name.
        """
        fields = dict(fields_of(self) or ())
        if (pvalue := getattr(self, "pvalue", None)) is not None:
            fields["pvalue"] = pvalue
        return {**{name: _plain(value) for name, value in fields.items()}, "sentence": self._sentence()}

    def _sentence(self) -> str:
        return str(self)


class Decision(Answer):
    """Base class of results that have one p-value or several."""

    pvalue: Any

    def __bool__(self) -> bool:
        raise TypeError(
            f"a {type(self).__name__} is neither true nor false. `result.rejected(0.05)` says whether the hypothesis is"
            " rejected at the level 0.05, and `result.pvalue` is the p-value."
        )

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(
            f"a {type(self).__name__} is no pair of numbers. Name what you need: `result.statistic` and"
            " `result.pvalue`, for instance."
        )

    def rejected(self, level: float = 0.05) -> bool:
        """Return whether the hypothesis is rejected at the level, that is, whether pvalue <= level.

        If the hypothesis is true, the probability of this is at most the level, or about the level if p is not exact.

        Parameters
        ----------
        level : float, default 0.05
            Level of the test, 0 < level < 1.

        Returns
        -------
        bool
            True if the hypothesis is rejected.
        """
        return bool(self.pvalue <= checked_level(level))


def _names_of(answer):
    """Return the names of the fields of a result; those of a class without defaults are no attributes of it."""
    return [each.name for each in dataclasses.fields(answer)] if dataclasses.is_dataclass(answer) else []


def _values_of(answer):
    """Return the fields of a result by name."""
    return dict(fields_of(answer) or ())


def _equal(a, b):
    """Return whether two values are equal: arrays by their entries, and mappings, sequences and records by theirs."""
    if isinstance(a, np.ndarray) or isinstance(b, np.ndarray):
        a, b = np.asarray(a), np.asarray(b)
        numeric = a.dtype.kind in "fc" and b.dtype.kind in "fc"
        return bool(np.array_equal(a, b, equal_nan=numeric))
    if isinstance(a, Mapping) and isinstance(b, Mapping):
        return list(a) == list(b) and all(_equal(a[name], b[name]) for name in a)
    if isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
        return len(a) == len(b) and all(map(_equal, a, b))
    if type(a) is type(b) and not isinstance(a, Answer) and (fields := fields_of(a)) is not None:
        return _equal(dict(fields), dict(fields_of(b)))
    return a is b or bool(a == b) or (isinstance(a, float) and isinstance(b, float) and a != a and b != b)


def _plain(value):
    """Return a value as the json module writes it."""
    if isinstance(value, Answer):
        return value.to_dict()
    if isinstance(value, np.ndarray):
        return _plain(value.tolist())
    if isinstance(value, np.generic):
        return _plain(value.item())
    if isinstance(value, (list, tuple)):
        return [_plain(each) for each in value]
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)
