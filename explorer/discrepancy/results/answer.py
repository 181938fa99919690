"""Base classes of the results of tests and estimates: a decision at a level, and a dict for JSON."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.citations import Cites
from explorer.printing import fields_of


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
    """Base class of results that can be written as JSON. ``str()`` is a sentence, and `citations` names the papers."""

    if TYPE_CHECKING:  # `printed` adds this method

        def _parts(self) -> list[tuple[str, Any]]: ...

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
