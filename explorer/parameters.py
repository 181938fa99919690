"""Parameters: what a field of a model may be. Bounds, unit, label and words stand on it once, beside the maths."""

from __future__ import annotations

import math
import numbers
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import param

from explorer.languages import translate

from . import checks
from .elsewhere import refuse_other
from .printing import code, echo, join_list, short_repr
from .rng import stream

AUTOMATIC = "or None for the automatic choice"

if TYPE_CHECKING:  # a field is what its annotation says, and not the descriptor that is assigned

    class Part(param.Parameter[Any]):
        def __new__(cls, default: Any = None, **params: Any) -> Any: ...

    class Flag(Part): ...

    class Text(Part): ...

    class Choice(Part):
        words: dict[str, Any]

else:
    Flag, Text = param.Boolean, param.String

    class Choice(param.Selector):
        """One of a few words or numbers; `objects` may map what a reader calls each to it."""

        __slots__ = []

        @property
        def words(self):
            """What a reader calls each -> its value."""
            return dict(self.names) if self.names else {str(each): each for each in self.objects}

        def _validate(self, val):
            try:
                super()._validate(val)
            except ValueError:
                kinds = join_list(map(echo, self.objects))
                raise checks.Refusal(f"{owner_of(self)} must be one of {kinds}, not {echo(val)}.") from None

    class Part(param.ClassSelector):
        """An object of a class of ours, such as a kernel."""

        __slots__ = []

        def _validate(self, val):
            refuse_other(val, self.class_, owner_of(self), self.allow_None)


class Real(param.Number[Any]):
    """A number; NaN, bools and (unless `infinite`) infinities are refused. `symbol` and `unit` label its control."""

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...  # the value's type is the annotation's

    __slots__ = ["infinite", "symbol", "unit"]
    _slot_defaults = dict(param.Number._slot_defaults, infinite=False, symbol="", unit="")  # param's own idiom
    kind: str = "a number"
    accepts: type[Any] = numbers.Real
    python_type: type = float

    def __init__(
        self, default: float | None = 0.0, *, infinite: bool = False, symbol: str = "", unit: str = "", **params: Any
    ) -> None:
        self.infinite: bool = infinite
        self.symbol: str = symbol
        self.unit: str = unit
        super().__init__(default, **params)

    def __set__(self, obj: Any, val: Any) -> None:
        # one Python type, so that keys, links and printed code do not depend on who set the value
        val = checks.scalar(val)
        plain = isinstance(val, self.accepts) and not isinstance(val, bool)
        try:
            val = self.python_type(val) if plain else val
        except OverflowError:
            raise checks.Refusal(self._refused(translate("a number too large for a float"))) from None
        super().__set__(obj, val)

    def _validate(self, val: Any) -> None:
        if val is None and self.allow_None:
            return
        if val is None or isinstance(val, bool) or not isinstance(val, self.accepts):
            raise checks.WrongType(self._refused(echo(val)))
        low, high = self.bounds or (None, None)
        with_low, with_high = self.inclusive_bounds
        if (
            val != val  # NaN, also of a whole number too large for math.isnan
            or (val in (math.inf, -math.inf) and not self.infinite)
            or (low is not None and (val < low or (val == low and not with_low)))
            or (high is not None and (val > high or (val == high and not with_high)))
        ):
            raise checks.Refusal(self._refused(echo(val)))

    def _refused(self, value):
        """The sentence on a value, in words, that it does not take."""
        return translate("{} must be {}, not {}.", owner_of(self), self.limits(), value)

    def limits(self) -> str:
        """The values it takes, in words."""
        low, high = self.bounds or (None, None)
        words = translate(self.kind)
        if low is not None:
            words += translate(" of at least {}" if self.inclusive_bounds[0] else " above {}", _plain(low))
        if high is not None and math.isfinite(high):
            words += translate(" at most {}" if low is None else " and at most {}", _plain(high))
        return words + (f", {translate(AUTOMATIC)}" if self.allow_None else "")

    def parse(self, text: str) -> float | None:
        """The value of a text in a link or a number box, whose minus may be a true one; ValueError where it is none."""
        word = text.strip().lower().replace("−", "-")
        if word in ("auto", ""):
            return None
        if word in ("inf", "∞", "infinity"):
            return math.inf
        if not word.isascii() or "_" in word:  # Python also takes digits of other scripts, and 1_000
            raise checks.Refusal(self._refused(echo(text)))
        try:
            value = self.python_type(word)
        except ValueError as error:
            raise checks.Refusal(self._refused(echo(text))) from error
        if isinstance(value, float) and math.isinf(value) and "inf" not in word:
            raise checks.Refusal(self._refused(translate("a number too large for a float")))
        return value


class RequiredReal(Real):
    """A number that has no default."""

    __slots__ = []
    required = True

    def __init__(self, **params: Any) -> None:
        super().__init__(None, **params)
        self.allow_None = False


class RequiredPart(Part):
    """An object of a class that has no default."""

    __slots__ = []
    required = True

    if TYPE_CHECKING:

        def __new__(cls, **params: Any) -> Any: ...

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.allow_None: bool = params.get("allow_None", False)  # which a default of None would make True


Given, GivenPart = RequiredReal, RequiredPart  # their former names, which models of users may import


class LogNumber(Real):
    """A number whose slider moves by factors; `softbounds` is the slider's range, `bounds` the limits."""

    __slots__ = []


class Whole(Real):
    """A whole number."""

    __slots__ = []
    kind = "a whole number"
    accepts: type[Any] = numbers.Integral
    python_type: type = int


class Seed(Whole):
    """A seed: a whole number of at least 0, or None for fresh entropy at each use.

    Of a Generator, and of what else numpy.random.default_rng takes, it takes one number, so that the model stays a
    value and the caller's stream is consumed.
    """

    __slots__ = []

    def __init__(self, default: int | None = None, **params: Any) -> None:
        super().__init__(default, **{"bounds": (0, None), "softbounds": (0, 100), "allow_None": True, **params})

    def __set__(self, obj: Any, val: Any) -> None:
        val = checks.scalar(val)
        if val is not None and not isinstance(val, (bool, np.bool_, numbers.Number, str)):
            source: Any = val
            val = int(stream(source, "seed").integers(2**63))
        super().__set__(obj, val)


class Odd(Whole):
    """An odd whole number: how many may vote without a tie."""

    __slots__ = []
    kind = "an odd whole number"

    def _validate(self, val: Any) -> None:
        super()._validate(val)
        if val is not None and val % 2 == 0:
            raise checks.Refusal(f"{owner_of(self)} must be {self.limits()}, not {echo(val)}.")


class Stops(Real):
    """One of a few numbers, `stops`, in rising order: a choice that a slider moves over."""

    __slots__ = ["stops"]
    _slot_defaults = dict(Real._slot_defaults, stops=())  # param's own idiom

    def __init__(self, default: float | None = None, *, stops: Sequence[float] = (), **params: Any) -> None:
        self.stops: tuple[float, ...] = tuple(sorted(stops))
        super().__init__(default, **{"bounds": (self.stops[0], self.stops[-1]), **params})

    def _validate(self, val: Any) -> None:
        super()._validate(val)
        if val is not None and val not in self.stops:
            raise checks.Refusal(self._refused(echo(val)))

    def limits(self) -> str:
        """The numbers that it takes, in words."""
        return f"one of {join_list(map(_plain, self.stops))}" + (f", {translate(AUTOMATIC)}" if self.allow_None else "")


class Array(param.Parameter[Any]):
    """An array of finite numbers, kept as a read-only float64 copy; a `required` one has no default."""

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...  # the value's type is the annotation's

    __slots__ = ["required"]
    _slot_defaults = dict(param.Parameter._slot_defaults, required=True)  # param's own idiom

    def __init__(self, default: Any = None, *, required: bool = True, **params: Any) -> None:
        self.required: bool = required
        super().__init__(
            None if default is None else checks.read_only(checks.numbers(default, "the default")), **params
        )

    def __set__(self, obj: Any, val: Any) -> None:
        if val is None and self.required:
            raise checks.WrongType(f"{owner_of(self)} must be an array of numbers, not None.")
        super().__set__(obj, None if val is None else checks.read_only(checks.numbers(val, self.name or "the array")))


class ReadOnly(Mapping[Any, Any]):
    """A mapping that nobody can write to, and that is written as the dict that it is made of."""

    def __init__(self, items: Any) -> None:
        self._items = dict(items)

    def __getitem__(self, name: Any) -> Any:
        return self._items[name]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __repr__(self) -> str:
        return repr(self._items)

    def _code(self):
        return code(self._items)

    def _brief(self, most):
        return short_repr(self._items, most)


class Table(param.Parameter[Any]):
    """A mapping that nobody can write to; it has no default."""

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...

    required = True

    def __set__(self, obj: Any, val: Any) -> None:
        if not isinstance(val, Mapping):
            raise checks.WrongType(f"{owner_of(self)} must be a mapping such as {{'a': ...}}, not {echo(val)}.")
        super().__set__(obj, ReadOnly(val))


def use_auto_for_none(sentence: str) -> str:
    """A sentence on limits as those read it who type, to whom None is auto."""
    return sentence.replace(translate(AUTOMATIC), translate("or auto"))


def label_of(field: param.Parameter[Any]) -> str:
    """What a control of a field is called: its label or, without one, its symbol or name, with its unit."""
    unit = getattr(field, "unit", "")
    return explicit_label(field) or ", ".join(filter(None, (getattr(field, "symbol", "") or field.name, unit)))


def explicit_label(field: param.Parameter[Any]) -> str:
    """The label that a field was given, perhaps none: `label` of param makes one of the name where there is none."""
    return field._label or ""


def _plain(value):
    return str(value) if isinstance(value, int) else f"{value:g}"


def owner_of(parameter: param.Parameter[Any]) -> str:
    """A parameter as sentences name it, after its class."""
    owner = parameter.owner
    if owner is None:
        return parameter.name or "the number"
    return f"{owner.__name__ if isinstance(owner, type) else type(owner).__name__}.{parameter.name}"
