"""Model: a value that holds inputs only. Bounds, unit and symbol stand once, on the parameter beside the maths."""

from __future__ import annotations

import difflib
import inspect
import math
import numbers
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, Self, dataclass_transform

import numpy as np
import param
from param.parameterized import ParameterizedMetaclass

from . import checks, drawing
from .printing import WHOLE, Written, brief, cut, listed, shown
from .printing import code as code

if TYPE_CHECKING:  # a field is what its annotation says, and not the descriptor that is assigned

    class Choice:
        def __new__(cls, default: Any = None, **params: Any) -> Any: ...

    class Flag(Choice): ...

    class Part(Choice): ...

else:
    Choice, Flag, Part = param.Selector, param.Boolean, param.ClassSelector


class Real(param.Number):
    """A number; NaN, bools and (unless `infinite`) infinities are refused. `symbol` and `unit` label its control."""

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...  # the value's type is the annotation's

    __slots__ = ["infinite", "symbol", "unit"]
    _slot_defaults = dict(param.Number._slot_defaults, infinite=False, symbol="", unit="")  # noqa: RUF012, param's own idiom
    kind: str = "a number"
    accepts: type[Any] = numbers.Real
    python_type: type = float

    def __init__(self, default: float | None = 0.0, *, infinite=False, symbol="", unit="", **params):
        self.infinite, self.symbol, self.unit = infinite, symbol, unit
        super().__init__(default, **params)

    def __set__(self, obj, val):
        # one Python type, so that keys, links and printed code do not depend on who set the value
        plain = isinstance(val, self.accepts) and not isinstance(val, bool)
        try:
            val = self.python_type(val) if plain else val
        except OverflowError:
            raise checks.Refusal(
                f"{_owner(self)} must be {self.limits()}, not a number too large for a float."
            ) from None
        super().__set__(obj, val)

    def _validate(self, val: Any) -> None:
        if val is None and self.allow_None:
            return
        said = f"{_owner(self)} must be {self.limits()}, not {shown(val)}."
        if val is None or isinstance(val, bool) or not isinstance(val, self.accepts):
            raise checks.WrongType(said)
        low, high = self.bounds or (None, None)
        with_low, with_high = self.inclusive_bounds
        if (
            val != val  # NaN, also of a whole number too large for math.isnan
            or (val in (math.inf, -math.inf) and not self.infinite)
            or (low is not None and (val < low or (val == low and not with_low)))
            or (high is not None and (val > high or (val == high and not with_high)))
        ):
            raise checks.Refusal(said)

    def limits(self):
        """The values it takes, in words."""
        low, high = self.bounds or (None, None)
        words = self.kind
        if low is not None:
            words += f" of at least {_plain(low)}" if self.inclusive_bounds[0] else f" above {_plain(low)}"
        if high is not None and math.isfinite(high):
            words += f"{' and' if low is not None else ''} at most {_plain(high)}"
        return words + (", or None for the automatic choice" if self.allow_None else "")

    def parse(self, text):
        """The value that a word in a link or a number box stands for; ValueError where it is none."""
        word = text.strip().lower()
        if word in ("auto", ""):
            return None
        if word in ("inf", "∞", "infinity"):
            return math.inf
        try:
            return self.python_type(word)
        except ValueError as error:
            raise checks.Refusal(f"{_owner(self)} must be {self.limits()}, not {shown(text)}.") from error


class Given(Real):
    """A number that has no default."""

    __slots__ = ["required"]
    _slot_defaults = dict(Real._slot_defaults, required=True)  # noqa: RUF012, param's own idiom

    def __init__(self, *, required=True, **params):
        super().__init__(None, **params)
        self.required, self.allow_None = required, False


class LogNumber(Real):
    """A number whose slider moves by factors; `softbounds` is the slider's range, `bounds` the law."""

    __slots__ = []


class Whole(Real):
    """A whole number."""

    __slots__ = []
    kind, accepts, python_type = "a whole number", numbers.Integral, int


class Odd(Whole):
    """An odd whole number: how many may vote without a tie."""

    __slots__ = []
    kind = "an odd whole number"

    def _validate(self, val: Any) -> None:
        super()._validate(val)
        if val is not None and val % 2 == 0:
            raise checks.Refusal(f"{_owner(self)} must be {self.limits()}, not {shown(val)}.")


class Array(param.Parameter):
    """An array of finite numbers, kept as a read-only float64 copy; a `required` one has no default."""

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...  # the value's type is the annotation's

    __slots__ = ["required"]
    _slot_defaults = dict(param.Parameter._slot_defaults, required=True)  # noqa: RUF012, param's own idiom

    def __init__(self, default=None, *, required=True, **params):
        self.required = required
        super().__init__(
            None if default is None else checks.read_only(checks.numbers(default, "the default")), **params
        )

    def __set__(self, obj, val):
        if val is None and self.required:
            raise checks.WrongType(f"{_owner(self)} must be an array of numbers, not None.")
        super().__set__(obj, None if val is None else checks.read_only(checks.numbers(val, self.name)))


def _plain(value):
    return str(value) if isinstance(value, int) else f"{value:g}"


def _owner(parameter):
    owner = parameter.owner
    if owner is None:
        return parameter.name or "the number"
    return f"{owner.__name__ if isinstance(owner, type) else type(owner).__name__}.{parameter.name}"


@dataclass_transform(
    eq_default=False,
    frozen_default=True,
    field_specifiers=(Real, Given, LogNumber, Whole, Odd, Array, Choice, Flag, Part),
)
class _ModelType(ParameterizedMetaclass):
    """Gives each model class its fields in declared order and a true signature.

    A type checker reads that signature from the fields' annotations, and so needs `default=` by its name.
    """

    @property
    def fields(cls) -> dict[str, param.Parameter]:
        """Parameters by name, the base classes' first, each class's in the order it declares them."""
        return _fields(cls)

    @property
    def __signature__(cls):
        return _signature(cls)


# once for each class: a slider's move makes a dozen models
@cache
def _fields(cls):
    names = (n for c in reversed(cls.__mro__) for n, p in vars(c).items() if isinstance(p, param.Parameter))
    return {name: cls.param[name] for name in dict.fromkeys(names) if name != "name"}


@cache
def _signature(cls):
    kind, empty = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.empty
    return inspect.Signature(
        [
            inspect.Parameter(name, kind, default=empty if getattr(field, "required", False) else field.default)
            for name, field in cls.fields.items()
        ]
    )


class Model(Written, param.Parameterized, metaclass=_ModelType):
    """Inputs, named and bounded; equal when its key is equal; changed only by `replace` unless it is a lab.

    `code(model)` is Python that rebuilds it; `repr` is that code too, but for arrays and texts that are too long to
    read.
    """

    name = param.String(default=None, precedence=-1, doc="param's own; no part of the model")
    editable = False

    def __init__(self, *args, **kwargs):
        try:
            given = inspect.signature(type(self)).bind(*args, **kwargs).arguments
        except TypeError as error:
            known = ", ".join(type(self).fields)
            raise TypeError(f"{type(self).__name__}: {error}; it takes {known or 'no arguments'}.") from error
        super().__init__(**given)
        self._check()
        object.__setattr__(self, "_built", True)

    def _check(self):
        """What one parameter alone cannot know; a subclass raises ValueError here."""

    def __setattr__(self, attribute, value):
        if not type(self).editable and getattr(self, "_built", False) and attribute in type(self).fields:
            way_out = f"make a new one with model.replace({attribute}={shown(value)})"
            raise TypeError(f"{type(self).__name__} does not change; {way_out}.")
        try:
            super().__setattr__(attribute, value)
        except checks.Refusal as error:
            raise type(error)(cut(str(error), WHOLE)) from None
        except ValueError as error:  # param's own sentences, which end with the value, however long
            raise checks.Refusal(cut(str(error), WHOLE)) from None
        except TypeError as error:
            raise checks.WrongType(cut(str(error), WHOLE)) from None

    def values(self) -> dict[str, Any]:
        """The fields as a plain dict."""
        return {name: getattr(self, name) for name in type(self).fields}

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed."""
        return type(self)(**{**self.values(), **changes})

    @property
    def key(self) -> tuple:
        """An immutable nested tuple that says everything about the model: for caches, threads, links and stores."""
        cls = type(self)
        return (f"{cls.__module__}.{cls.__qualname__}", *((k, frozen(v)) for k, v in self.values().items()))

    def flat(self) -> dict[str, str]:
        """The fields as words, for a link: `auto` for None, `inf` for infinity."""
        return {name: _word(value) for name, value in self.values().items()}

    @classmethod
    def from_flat(cls, words: Mapping[str, str]) -> tuple[Self, list[str]]:
        """A model from the words of a link, and one sentence for each word that was refused.

        It opens with what is good: fields that are missing or refused keep their defaults.
        """
        model, refused = cls(), []
        fields = cls.fields
        for name in words:
            if name not in fields:
                near = difflib.get_close_matches(name, fields, 1)
                hint = f"; did you mean {near[0]}?" if near else f"; it knows {listed(fields)}."
                refused.append(f"'{cut(name)}' is no field of this page{hint}")
        waiting = [name for name in fields if name in words]
        while waiting:
            sentences = {}
            for name in waiting:
                try:
                    model = model.replace(**{name: _parsed(fields[name], words[name])})
                except checks.Refusal as error:
                    sentences[name] = f"{name}={cut(words[name])} was left out: {error}"
            if len(sentences) in (0, len(waiting)):
                return model, refused + list(sentences.values())
            waiting = list(sentences)  # once more: n = 2 is refused until the number of blocks is 1
        return model, refused

    def __eq__(self, other):
        return self.key == other.key if isinstance(other, Model) else NotImplemented

    def __hash__(self):
        if type(self).editable:
            raise TypeError(f"{type(self).__name__} changes, so it is no key; use its .key.")
        return hash(self.key)

    def __reduce__(self):
        return _rebuild, (type(self), self.values())

    def __str__(self):
        return repr(self)

    def _parts(self):
        """The fields that differ from their defaults: what has to be written to rebuild the model."""
        fields = type(self).fields
        return [(k, v) for k, v in self.values().items() if frozen(v) != frozen(fields[k].default)]

    def _picture(self):
        rows = [
            (getattr(field, "symbol", "") or name, brief(getattr(self, name), 80), field.doc or "")
            for name, field in type(self).fields.items()
        ]
        return drawing.table(("field", "value", "meaning"), rows)


def _rebuild(cls, values):
    return cls(**values)


def _word(value):
    if value is None:
        return "auto"
    return str(value).lower() if isinstance(value, bool) else str(value)


def _parsed(field, text):
    if hasattr(field, "parse"):
        return field.parse(text)
    if isinstance(field, param.Boolean):
        if text.lower() not in ("true", "false"):
            raise checks.Refusal(f"{_owner(field)} must be true or false, not {shown(text)}.")
        return text.lower() == "true"
    if isinstance(field, param.Selector) and text not in field.objects:
        raise checks.Refusal(f"{_owner(field)} must be one of {listed(map(str, field.objects))}, not {shown(text)}.")
    return text


def frozen(value):
    """A hashable stand-in for a field's value."""
    if isinstance(value, np.ndarray):
        return (value.shape, value.dtype.str, value.tobytes())
    if hasattr(value, "key"):
        return value.key
    return tuple(frozen(v) for v in value) if isinstance(value, (list, tuple)) else value
