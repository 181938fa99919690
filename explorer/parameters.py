"""Parameters: the fields of a model. Bounds, unit, label and text are declared once, next to the mathematics."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import param

from explorer.languages import translate

from . import checks
from .printing import code, echo, join_list, short_repr
from .public_names.retired_names import forward
from .public_names.synonyms import refuse_other
from .rng import stream

AUTOMATIC = "or None for the automatic choice"

if TYPE_CHECKING:  # a field is what its annotation says, and not the descriptor that is assigned

    class Part(param.Parameter[Any]):
        """An object of one of this project's classes, such as a kernel."""

        def __new__(cls, default: Any = None, **params: Any) -> Any: ...

    class Flag(Part):
        """True or False."""

    class Text(Part):
        """A text."""

    class Choice(Part):
        """One of a few words or numbers."""

        words: dict[str, Any]

else:

    class Conditional:
        """A field that may have a condition, `when`, as those of `Real` have."""

        __slots__ = []

        def __init__(self, *args, when=None, **params):
            self.when = when
            super().__init__(*args, **params)

    class Flag(Conditional, param.Boolean):
        """True or False."""

        __slots__ = ["when"]

    class Text(Conditional, param.String):
        """A text."""

        __slots__ = ["when"]

    class Choice(Conditional, param.Selector):
        """One of a few words or numbers; `objects` may map a reader's name of each to it."""

        __slots__ = ["when"]

        @property
        def words(self):
            """The readers' names, mapped to their values."""
            return dict(self.names) if self.names else {str(each): each for each in self.objects}

        def _validate(self, val):
            try:
                super()._validate(val)
            except ValueError:
                kinds = join_list(map(echo, self.objects))
                raise checks.Refusal(f"{owner_of(self)} must be one of {kinds}, not {echo(val)}.") from None

    class Part(param.ClassSelector):
        """An object of one of this project's classes, such as a kernel."""

        __slots__ = []

        def _validate(self, val):
            refuse_other(val, self.class_, owner_of(self), self.allow_None)


class Real(param.Number[Any]):
    """A number; NaN, bools and (unless `infinite`) infinities are refused.

    Parameters
    ----------
    default : float or None, default 0.0
        The default.
    infinite : bool, default False
        Whether infinities are allowed.
    symbol, unit : str, default ""
        Symbol and unit for the label of its control.
    when : callable or None, default None
        Called with a lab's result; returns whether the field has an effect there. None if it always has.
    **params : Any
        Options of param.Number.
    """

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...  # the value's type is the annotation's

    __slots__ = ["infinite", "symbol", "unit", "when"]
    _slot_defaults = dict(
        param.Number._slot_defaults, infinite=False, symbol="", unit="", when=None
    )  # param's own idiom
    kind: str = "a number"
    accepts: type[Any] = numbers.Real
    python_type: type = float

    def __init__(
        self,
        default: float | None = 0.0,
        *,
        infinite: bool = False,
        symbol: str = "",
        unit: str = "",
        when: Callable[[Any], object] | None = None,
        **params: Any,
    ) -> None:
        self.infinite: bool = infinite
        self.symbol: str = symbol
        self.unit: str = unit
        self.when: Callable[[Any], object] | None = when
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
        """Return the message on a value, in words, that is not allowed."""
        return translate("{} must be {}, not {}.", owner_of(self), self.limits(), value)

    def limits(self) -> str:
        """Describe the allowed values in words.

        Returns
        -------
        str
            A noun phrase.
        """
        low, high = self.bounds or (None, None)
        words = translate(self.kind)
        if low is not None:
            words += translate(" of at least {}" if self.inclusive_bounds[0] else " above {}", _plain(low))
        if high is not None and math.isfinite(high):
            words += translate(" at most {}" if low is None else " and at most {}", _plain(high))
        return words + (f", {translate(AUTOMATIC)}" if self.allow_None else "")

    def parse(self, text: str) -> float | None:
        """Parse the text of a link or a number box; its minus may be a true one.

        Parameters
        ----------
        text : str
            The text; "auto" or an empty text is None.

        Returns
        -------
        float or None
            The value.

        Raises
        ------
        ValueError
            If the text is not a number.
        """
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
    """A number that has no default.

    Parameters
    ----------
    **params : Any
        Options of `Real`.
    """

    __slots__ = []
    required = True

    def __init__(self, **params: Any) -> None:
        super().__init__(None, **params)
        self.allow_None = False


class RequiredPart(Part):
    """An object of a class; it has no default.

    Parameters
    ----------
    **params : Any
        Options of `Part`.
    """

    __slots__ = []
    required = True

    if TYPE_CHECKING:

        def __new__(cls, **params: Any) -> Any: ...

    def __init__(self, **params: Any) -> None:
        super().__init__(**params)
        self.allow_None: bool = params.get("allow_None", False)  # which a default of None would make True


_RETIRED = {"Given": "RequiredReal", "GivenPart": "RequiredPart"}
__getattr__ = forward(__name__, _RETIRED, globals())


class LogNumber(Real):
    """A number whose slider moves by factors; `softbounds` is the slider's range, `bounds` the limits.

    Parameters
    ----------
    default : float or None, default 0.0
        The default.
    infinite : bool, default False
        Whether infinities are allowed.
    symbol, unit : str, default ""
        Symbol and unit for the label of its control.
    when : callable or None, default None
        Called with a lab's result; returns whether the field has an effect there. None if it always has.
    **params : Any
        Options of param.Number.
    """

    __slots__ = []


class Whole(Real):
    """A whole number.

    Parameters
    ----------
    default : int or None, default 0
        The default.
    infinite : bool, default False
        Whether infinities are allowed.
    symbol, unit : str, default ""
        Symbol and unit for the label of its control.
    when : callable or None, default None
        Called with a lab's result; returns whether the field has an effect there. None if it always has.
    **params : Any
        Options of param.Number.
    """

    __slots__ = []
    kind = "a whole number"
    accepts: type[Any] = numbers.Integral
    python_type: type = int


class Seed(Whole):
    """A seed: a whole number of at least 0, or None for fresh entropy at each use.

    From a Generator, and from anything else that numpy.random.default_rng takes, it draws one number. So the model
    stays a value and the caller's stream is consumed.

    Parameters
    ----------
    default : int or None, default None
        The default.
    **params : Any
        Options of `Whole`.
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
    """An odd whole number, for votes without a tie.

    Parameters
    ----------
    default : int or None, default 0
        The default.
    infinite : bool, default False
        Whether infinities are allowed.
    symbol, unit : str, default ""
        Symbol and unit for the label of its control.
    when : callable or None, default None
        Called with a lab's result; returns whether the field has an effect there. None if it always has.
    **params : Any
        Options of param.Number.
    """

    __slots__ = []
    kind = "an odd whole number"

    def _validate(self, val: Any) -> None:
        super()._validate(val)
        if val is not None and val % 2 == 0:
            raise checks.Refusal(f"{owner_of(self)} must be {self.limits()}, not {echo(val)}.")


class Stops(Real):
    """One of a few numbers in rising order: a choice that a slider moves over.

    Parameters
    ----------
    default : float or None, default None
        The default.
    stops : sequence of float, default ()
        The numbers.
    **params : Any
        Options of `Real`.
    """

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
        """Describe the allowed numbers in words.

        Returns
        -------
        str
            A noun phrase.
        """
        return f"one of {join_list(map(_plain, self.stops))}" + (f", {translate(AUTOMATIC)}" if self.allow_None else "")


class Array(param.Parameter[Any]):
    """An array of finite numbers, stored as a read-only float64 copy.

    Parameters
    ----------
    default : array_like or None, default None
        The default.
    required : bool, default True
        Whether the field has no default.
    **params : Any
        Options of param.Parameter.
    """

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
    """A read-only mapping that prints as the dict that it holds."""

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
    """A read-only mapping; it has no default."""

    if TYPE_CHECKING:

        def __new__(cls, *args: Any, **params: Any) -> Any: ...

    required = True

    def __set__(self, obj: Any, val: Any) -> None:
        if not isinstance(val, Mapping):
            raise checks.WrongType(f"{owner_of(self)} must be a mapping such as {{'a': ...}}, not {echo(val)}.")
        super().__set__(obj, ReadOnly(val))


def use_auto_for_none(sentence: str) -> str:
    """Rewrite a sentence on limits for readers who type values: "None" becomes "auto".

    Parameters
    ----------
    sentence : str
        The sentence.

    Returns
    -------
    str
        The rewritten sentence.
    """
    return sentence.replace(translate(AUTOMATIC), translate("or auto"))


def label_of(field: param.Parameter[Any]) -> str:
    """Return the label of a field's control: its label or, without one, its symbol or name, with its unit.

    Parameters
    ----------
    field : param.Parameter
        The field.

    Returns
    -------
    str
        The label.
    """
    unit = getattr(field, "unit", "")
    return explicit_label(field) or ", ".join(filter(None, (getattr(field, "symbol", "") or field.name, unit)))


def explicit_label(field: param.Parameter[Any]) -> str:
    """Return the label that a field declares, or ""; param's own `label` derives one from the name.

    Parameters
    ----------
    field : param.Parameter
        The field.

    Returns
    -------
    str
        The label.
    """
    return field._label or ""


def _plain(value):
    return str(value) if isinstance(value, int) else f"{value:g}"


def owner_of(parameter: param.Parameter[Any]) -> str:
    """Return a parameter's name for messages, after the name of its class.

    Parameters
    ----------
    parameter : param.Parameter
        The parameter.

    Returns
    -------
    str
        The name.
    """
    owner = parameter.owner
    if owner is None:
        return parameter.name or "the number"
    return f"{owner.__name__ if isinstance(owner, type) else type(owner).__name__}.{parameter.name}"
