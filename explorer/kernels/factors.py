"""Parts of a Product: its factors as an immutable value, and the columns of a table that each of them reads."""

from __future__ import annotations

import math
import numbers
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import param

from explorer.checks import Refusal
from explorer.printing import WHOLE, code, echo, model_text, plural, short_repr, truncate
from explorer.public_names.synonyms import refuse_other
from explorer.types import Labels, Matrix, PointsLike

from .base import Kernel

MOST_NAMED = 4  # largest number of factors that a sentence names one by one


class Factors(tuple):
    """Pairs (column numbers, kernel), sorted by their first column; they print as the dict that the user passed."""

    __slots__ = ()

    def __repr__(self) -> str:
        return self._brief(WHOLE)

    def _code(self):
        return self._written(code)

    def _brief(self, most):
        text = self._written(lambda kernel: short_repr(kernel, most))
        return text if len(text) <= most else f"<{len(self)} factors>"

    def _in_words(self):
        return self._written(model_text) if len(self) <= MOST_NAMED else f"{len(self)} factors"

    def _written(self, kernel_in_words):
        """Return the dict as Python code; `kernel_in_words` returns the text of one kernel."""
        keys = (columns[0] if len(columns) == 1 else columns for columns, _ in self)
        parts = (f"{key!r}: {kernel_in_words(kernel)}" for key, (_, kernel) in zip(keys, self, strict=True))
        return f"{{{', '.join(parts)}}}"


class FactorField(param.Parameter[Any]):
    """A dict {column number or tuple of column numbers: kernel}, stored as immutable Factors."""

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...  # the value's type is the annotation's

    required = True

    def __set__(self, obj: Any, val: Any) -> None:
        super().__set__(obj, val if isinstance(val, Factors) else _checked(val))


def _checked(given):
    if not isinstance(given, Mapping) or not given:
        raise TypeError(f"factors must be a dict such as {{(0, 1): Gaussian(), 2: Delta()}}, not {echo(given)}.")
    pairs = [(_columns(key), kernel) for key, kernel in given.items()]
    for columns, kernel in pairs:
        refuse_other(kernel, Kernel, f"the factor of column {listed(columns)}")
    every = [column for columns, _ in pairs for column in columns]
    for column in every:
        if every.count(column) > 1:
            raise Refusal(f"column {column} has more than one factor; name each column once.")
    return Factors(sorted(pairs, key=lambda pair: pair[0]))


def _columns(key):
    columns = key if isinstance(key, tuple) else (key,)
    for column in columns:
        if isinstance(column, (bool, np.bool_)) or not isinstance(column, numbers.Integral) or column < 0:
            raise TypeError(f"factors are named by column numbers from 0, or tuples of them, not by {echo(key)}.")
    if not columns:
        raise Refusal("a factor has no column; name at least one.")
    return tuple(int(column) for column in columns)


def text_table(X: PointsLike, name: str) -> Labels | None:
    """Return a table that contains words as text, (n, d), its numbers as their repr; None if it has numbers only."""
    table = np.asarray(X)
    if table.dtype.kind == "O" and any(isinstance(cell, str) for cell in table.flat):
        table = np.array([_written(cell, name) for cell in table.flat]).reshape(table.shape)
    if table.dtype.kind not in "US":
        return None
    table = table.astype(str)
    table = table[:, None] if table.ndim == 1 else table
    if table.ndim != 2:
        raise Refusal(f"{name} has {plural(table.ndim, 'dimension')}; give points as rows of an (n, d) table.")
    return table


def _written(cell, name):
    if isinstance(cell, str):
        return cell
    if isinstance(cell, (bool, np.bool_)) or not isinstance(cell, numbers.Real):
        raise TypeError(
            f"{name} holds {truncate(echo(cell), 40)}, which is no number and no word; give numbers and text only."
        )
    if not math.isfinite(cell):
        raise Refusal(f"{name} holds {echo(cell)}, where a finite number is needed; drop or fill those rows first.")
    return repr(float(cell))


def cells_of(table: Labels, columns: Sequence[int], kernel: Kernel, name: str) -> Labels:
    """Return the points (n, d_c) of the factor on some columns of a table, checked by its kernel."""
    cells, which = table[:, list(columns)], f"column {listed(columns)} of {name}"
    if cells.dtype.kind == "U" and not kernel.text:
        cells = _numbers(cells, kernel, which)
    return kernel.points(cells, which)


def _numbers(cells, kernel, which):
    try:
        return cells.astype(np.float64)
    except ValueError:
        word = next(cell for cell in cells.flat if not _is_number(cell))
        raise TypeError(
            f"{which} holds words, such as {truncate(echo(str(word)), 40)}, and {echo(kernel)} compares numbers;"
            " give it Delta()."
        ) from None


def _is_number(cell):
    try:
        float(cell)
    except ValueError:
        return False
    return True


def listed(columns: Sequence[int]) -> str:
    """Return column numbers in words."""
    return ", ".join(map(str, columns))


def block(covariance: Matrix | None, columns: Sequence[int]) -> Matrix | None:
    """Return the covariance of some columns, (d_c, d_c), or None if they have no noise."""
    if covariance is None:
        return None
    part = covariance[np.ix_(columns, columns)]
    return part if part.any() else None
