"""Embeddings as vectors: their sums, differences and multiples, and messages for operands that are not allowed."""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer.checks import Refusal
from explorer.types import Vector


class Vectors:
    """Vector space operations of embeddings of one kernel: e + f, e - f, a * e, e / a, -e, sum([e, f]).

    A subclass implements `_sum(other)`, the sum with another element, and `_reweighted(change, what, size)`, an element
    with every weight changed by a function that multiplies its size by `size`; `what` describes this in words.
    """

    __slots__ = ()

    if TYPE_CHECKING:

        def _sum(self, other: Any) -> Any: ...

        def _reweighted(self, change: Callable[[Vector], Vector], what: str, size: float) -> Any: ...

    # makes numpy's numbers and arrays leave e + x, x * e and the like to the methods below
    __array_ufunc__ = None

    def __add__(self, other: Self | float) -> Self:
        return self._sum(other) if isinstance(other, Vectors) else self._plus(other)

    def __radd__(self, other: float) -> Self:
        return self._plus(other)

    def _plus(self, other):
        """Return this embedding if `other` is the number 0, with which sum() begins."""
        if isinstance(other, numbers.Real) and not isinstance(other, bool) and other == 0:
            return self
        raise TypeError(
            f"an Embedding adds to an Embedding of its kernel, not to {_describe(other)}; a sample's is"
            " KME(kernel).embed(X)."
        )

    def __mul__(self, factor: float) -> Self:
        if isinstance(factor, Vectors):
            raise TypeError("an Embedding times an Embedding is none; their inner product is e.inner(f).")
        factor = _real(factor, "multiplied")
        if not np.isfinite(factor):
            raise Refusal(f"an Embedding times {factor} is no embedding; multiply by a finite number.")
        return self._reweighted(lambda w: factor * w, f"times {factor:g}", abs(factor))

    __rmul__ = __mul__

    def __truediv__(self, divisor: float) -> Self:
        divisor = _real(divisor, "divided")
        if divisor == 0 or not np.isfinite(divisor):
            raise Refusal(f"an Embedding over {divisor:g} is no embedding; divide by a finite number other than 0.")
        return self._reweighted(lambda w: w / divisor, f"over {divisor:g}", 1 / abs(divisor))

    def __neg__(self) -> Self:
        return -1.0 * self

    def __sub__(self, other: Self | float) -> Self:
        return self + -other if isinstance(other, Vectors) else self._plus(other)

    def __rsub__(self, other: float) -> Self:
        return (-self)._plus(other)


def _real(value, acted_on):
    """Return a float, or refuse what is not a real number."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        raise TypeError(f"an Embedding is {acted_on} by a real number, not by {_describe(value)}.")
    try:
        return float(value)
    except OverflowError as error:
        raise Refusal(
            f"an Embedding is {acted_on} by a number that fits a float, and this one is too large."
        ) from error


def _describe(other):
    """Describe in few words what was passed for a number or an Embedding."""
    return repr(other) if isinstance(other, (bool, numbers.Number)) else f"an object of type {type(other).__name__}"
