"""Base of sums and products of kernels: checked parts on one space, and how they are written."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import param

from explorer.checks import Refusal, WrongType
from explorer.kernels.base import Kernel, PairedPoints
from explorer.printing import WHOLE, code, echo, model_text, short_repr
from explorer.types import Labels, Points, PointsLike, Values

VECTORS = ("numbers", "tables", "categories")  # the spaces whose points may be rows of numbers
CODES = "categories"


class CheckedField(param.Parameter[Any]):
    """Field without default for a tuple: the function `checked` takes each assigned value, and its result is stored.

    `checked` raises an error for a value that it does not take.
    """

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...  # the value's type is the annotation's

    required = True
    __slots__ = ["checked"]
    _slot_defaults = dict(param.Parameter._slot_defaults, checked=None)  # param's own idiom

    def __init__(self, checked: Callable[..., Any], **params: Any) -> None:
        self.checked: Callable[..., Any] = checked
        super().__init__(None, **params)

    def __set__(self, obj: Any, val: Any) -> None:
        super().__set__(obj, None if val is None and obj is None else self.checked(val))


def check_weight(weight: float) -> float:
    """Return a number as a float, or refuse it if it is not finite and above 0."""
    if isinstance(weight, bool) or not isinstance(weight, numbers.Real):
        raise WrongType(f"a kernel is multiplied by a number above 0 or by another kernel, not by {echo(weight)}.")
    try:
        value = float(weight)
    except OverflowError:
        value = math.inf
    if not 0 < value < math.inf:
        raise Refusal(f"a kernel is multiplied by a finite number above 0, not by {echo(weight)}.")
    return value


def check_kernel(value: Kernel) -> Kernel:
    """Return a kernel, or refuse anything else."""
    if not isinstance(value, Kernel):
        raise WrongType(f"a sum or product of kernels is made of kernels such as Gaussian(1.0), not {echo(value)}.")
    return value


def refuse_other_spaces(kernels: Sequence[Kernel], what: str) -> None:
    """Refuse kernels that have no common points."""
    first = kernels[0]
    for other in kernels[1:]:
        if first.space != other.space and not (first.space in VECTORS and other.space in VECTORS):
            raise Refusal(
                f"{echo(first)} takes {first.space} and {echo(other)} takes {other.space}, so they have no {what}: "
                "both need the same points. Product({0: ..., 1: ...}) gives each a column of its own."
            )
        sizes = [len(gram) for each in (first, other) if (gram := getattr(each, "gram", None)) is not None]
        if len(set(sizes)) > 1:
            raise Refusal(
                f"a Precomputed of {sizes[0]} points and one of {sizes[1]} have no {what}; give matrices of the same"
                " points."
            )


def common_points(kernels: Sequence[Kernel], X: PointsLike, name: str, at_least: int) -> Labels:
    """Check points by every kernel and return them."""
    points = [each.points(X, name, at_least) for each in kernels]
    return points[0]


def common_space(kernels: Sequence[Kernel]) -> str:
    """Return the narrowest of the kernels' spaces."""
    return min((each.space for each in kernels), key=lambda space: VECTORS.index(space) if space in VECTORS else 0)


def on_its_space(kernels: Sequence[Kernel]) -> list[Kernel]:
    """Return the kernels whose flags hold on the common space: one of categories knows only countably many points."""
    space = common_space(kernels)
    return [each for each in kernels if each.space != CODES or space == CODES]


class Expression(Kernel):
    """A kernel that is written with Python's + and *; a subclass implements `_written`."""

    def _parts_of(self):
        """Return the kernels that it consists of."""
        raise NotImplementedError

    def _written(self, write):
        """Return its code, with a function that writes each kernel."""
        raise NotImplementedError

    def _code(self):
        return self._written(code)

    def _in_words(self):
        return self._written(model_text)

    def _brief(self, most=WHOLE):
        text = self._written(lambda part: short_repr(part, most))
        return text if len(text) <= most else f"<{type(self).__name__} of {len(self._parts_of())} kernels>"

    @property
    def text(self) -> bool:
        return all(each.text for each in self._parts_of())

    @property
    def space(self) -> str:
        return common_space(self._parts_of())

    @property
    def bounded(self) -> bool:
        return all(each.bounded for each in self._parts_of())

    @property
    def length_scale(self) -> float | None:
        lengths = [each.length_scale for each in self._parts_of()]
        return min((length for length in lengths if length is not None), default=None)

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        return common_points(self._parts_of(), X, name, at_least)

    def pairs(self, X: Points, Y: Points | None = None) -> PairedPoints:
        """Compute what each part needs of X (n, d) and Y (m, d), a tuple."""
        return PairedPoints(each.pairs(X, Y) for each in self._parts_of())

    def _rebuilt(self, parts):
        """Return this expression with other kernels as its parts."""
        raise NotImplementedError

    def select(self, X: PointsLike) -> Any:
        X = self.points(X)
        return self._rebuilt([each.select(X) for each in self._parts_of()])

    def chosen(self) -> Any:
        parts = self._parts_of()
        chosen = [each.chosen() for each in parts]
        return self if all(each is part for each, part in zip(chosen, parts, strict=True)) else self._rebuilt(chosen)

    def _values(self, X, Y):
        """Compute the Gram matrices of the parts, with automatic parameters chosen on all points."""
        X, Y = self._two(X, Y)
        chosen = self.select(X if Y is None else np.concatenate([X, Y]))
        return [each(X, Y) for each in chosen._parts_of()]

    def finite(self, values: Values) -> Values:
        """Return values of any shape, or raise ValueError if one overflows."""
        if not np.isfinite(values).all():
            raise Refusal(f"the points are too large for {echo(self)}: its values overflow; rescale the points.")
        return values
