"""Decorators for the parts of a result: stages, deferred stages, measures and effects."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import cache, partial, wraps
from inspect import signature
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar, overload

from explorer.execution.cancellation import Cancelled, cancelled_by, check_cancelled

from .cost import CostItem

Value = TypeVar("Value")  # type of a stage, a measure or a derived property
Decorated = TypeVar("Decorated")
Kind = TypeVar("Kind")
Stopped: TypeAlias = Callable[[], bool]  # returns whether the result of a thread's computation is no longer wanted
# a computation that can be cancelled at each yield, and that returns a value
Steps: TypeAlias = Generator[None, None, Value]


class derived(property, Generic[Value]):
    """A property of a lab on which a stage depends by its value, not by the fields that the property reads.

    The stage is not computed anew if these fields change and the value does not.

    Parameters
    ----------
    fget : callable
        Takes the lab and returns the value.
    fset, fdel, doc : Any
        See `property`.

    Examples
    --------
    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, Result, derived, stage
    >>> class Parity(Lab):
    ...     n = Whole(default=2, bounds=(0, 99), doc="a number")
    ...     @derived
    ...     def even(self):
    ...         return self.n % 2 == 0
    >>> class ParityResult(Result[Parity]):
    ...     @stage
    ...     def word(self):
    ...         print("computed")
    ...         return "even" if self.lab.even else "odd"
    >>> lab = Parity()
    >>> lab.result().word
    computed
    'even'
    >>> lab.n = 4
    >>> lab.result().word
    'even'
    """

    if TYPE_CHECKING:  # a property has the type of its value, and a class derived from it would not

        def __init__(self, fget: Callable[[Any], Value]) -> None: ...

        @overload
        def __get__(self, instance: None, owner: type, /) -> Self: ...
        @overload
        def __get__(self, instance: Any, owner: type | None = None, /) -> Value: ...
        def __get__(self, instance: Any, owner: type | None = None, /) -> Any: ...


class stage(Generic[Value]):
    """A method of a Result that is computed once, and again only if something that it read has another value.

    What it reads of `self.lab`, directly or through other stages, is recorded while it runs. Its arrays become
    read-only.

    Parameters
    ----------
    compute : callable
        Takes the result and returns the value.

    Examples
    --------
    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, Result, stage
    >>> class Doubles(Lab):
    ...     n = Whole(default=2, bounds=(0, 99), doc="what is doubled")
    ...     seed = Whole(default=0, bounds=(0, 99), doc="the seed, which nothing here reads")
    >>> class DoublesResult(Result[Doubles]):
    ...     @stage
    ...     def double(self):
    ...         print("computed")
    ...         return 2 * self.lab.n
    >>> lab = Doubles()
    >>> lab.result().double
    computed
    4
    >>> lab.seed = 1
    >>> lab.result().double
    4
    """

    name: str
    compute: Callable[..., Value]
    when: Callable[[Any], object] | None = None  # takes the result and returns whether its state has the stage

    def __init__(self, compute: Callable[..., Value]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__
        self.costs: tuple[Callable[[Any], CostItem], ...] = getattr(compute, "costs", ())  # as `costs` declares them

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, result: None, owner: type) -> Self: ...
    @overload
    def __get__(self, result: Any, owner: type | None = None) -> Value: ...
    def __get__(self, result: Any, owner: type | None = None) -> Any:
        return self if result is None else result.stage_value(self)

    def belongs(self, result: Any) -> bool:
        """Return whether a result's state has the stage.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        bool
            True if it does.
        """
        return self.when is None or bool(self.when(result))


class stage_when(stage[Any]):
    """A stage that exists only in states for which `when(result)` is true; None in all others.

    Its static type is that of the value, without None. Code that runs only in such states need not test for None, other
    code must. `@stage_when(lambda result: result.enough)` decorates a function of self.

    Parameters
    ----------
    when : callable
        Takes the result and returns whether the stage exists.

    Examples
    --------
    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, Result, stage_when
    >>> class Evens(Lab):
    ...     n = Whole(default=4, bounds=(0, 99), doc="a number")
    >>> class EvensResult(Result[Evens]):
    ...     @stage_when(lambda result: result.lab.n % 2 == 0)
    ...     def half(self):
    ...         return self.lab.n // 2
    >>> Evens(n=6).result().half, Evens(n=7).result().half
    (3, None)
    """

    def __init__(self, when: Callable[[Any], object]) -> None:
        self.when = when

    def __call__(self, compute: Callable[[Any], Decorated]) -> stage[Decorated]:
        """Return this stage with the function that it decorates."""
        super().__init__(wraps(compute)(lambda result: compute(result) if self.belongs(result) else None))
        return self


class for_picture(stage_when):
    """A stage for states that show one of these pictures, by the lab's field `picture`: `@for_picture("ranks")`.

    Parameters
    ----------
    *pictures : str
        Names of the pictures.

    Examples
    --------
    >>> from explorer.parameters import Choice
    >>> from explorer.workbench import Lab, Result, for_picture
    >>> class Views(Lab):
    ...     picture = Choice(default="none", objects=["none", "squares"], doc="the picture that is shown")
    >>> class ViewsResult(Result[Views]):
    ...     @for_picture("squares")
    ...     def values(self):
    ...         return [0, 1, 4]
    >>> Views().result().values, Views(picture="squares").result().values
    (None, [0, 1, 4])
    """

    def __init__(self, *pictures: str) -> None:
        super().__init__(lambda result: result.lab.picture in pictures)


class deferred(stage[Any]):
    """A stage that takes too long to wait for: None until `Result.finish` has computed it.

    `@deferred()` decorates a function of self. The library's long loops in it end once its value is no longer wanted.
    If it returns a generator, it can be cancelled at each yield as well, and its value is what the generator returns.
    A function with loops of its own may also take (self, stopped) and return None once `stopped()`. `@deferred(when)`
    belongs only to states for which `when(result)` is true.

    Parameters
    ----------
    when : callable or None, default None
        Takes the result and returns whether the stage belongs to its state; None for always.

    Examples
    --------
    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, Result, deferred
    >>> class Sums(Lab):
    ...     n = Whole(default=4, bounds=(0, 99), doc="how many")
    >>> class SumsResult(Result[Sums]):
    ...     @deferred()
    ...     def total(self):
    ...         return sum(range(self.lab.n + 1))
    >>> lab = Sums(n=10)
    >>> lab.result().total, lab.result().pending(), lab.result(wait=True).total
    (None, ('total',), 55)
    """

    def __init__(self, when: Callable[[Any], object] | None = None) -> None:
        self.when = when

    @overload
    def __call__(self, compute: Callable[[Any], Steps[Decorated]]) -> stage[Decorated | None]: ...
    @overload
    def __call__(self, compute: Callable[[Any], Decorated]) -> stage[Decorated | None]: ...
    @overload
    def __call__(self, compute: Callable[[Any, Stopped], Decorated]) -> stage[Decorated | None]: ...
    def __call__(self, compute: Callable[..., Any]) -> stage[Any]:
        """Return this stage with the function that it decorates, of self or of (self, stopped)."""
        asks = len(signature(compute).parameters) > 1

        def value_of(result: Any, stopped: Stopped) -> Any:
            value = compute(result, stopped) if asks else compute(result)
            return run_steps(value, stopped) if isinstance(value, Generator) else value

        @wraps(compute)
        def computed(result: Any, stopped: Stopped) -> Any:
            return run_until_stopped(partial(value_of, result, stopped), stopped)

        super().__init__(computed)
        return self

    def __get__(self, result: Any, owner: type | None = None) -> Any:
        return self if result is None else result.deferred_value(self)


def run_steps(steps: Steps[Decorated], stopped: Stopped) -> Decorated | None:
    """Return what a generator returns in the end, or None as soon as `stopped()` between two of its yields."""
    while not stopped():
        try:
            next(steps)
        except StopIteration as end:
            return end.value
    return None


def run_until_stopped(compute: Callable[[], Value], stopped: Stopped) -> Value | None:
    """Return the value of long library work, or None if its loops ended because of `stopped()`.

    Parameters
    ----------
    compute : callable
        Called without arguments.
    stopped : callable
        Called without arguments; the work ends when it returns True.

    Returns
    -------
    Any or None
        The value.
    """
    try:
        with cancelled_by(stopped):
            return compute()
    except Cancelled:
        check_cancelled()  # a caller further out may have cancelled more than this
        return None


def one_by_one(compute: Callable[[Decorated], Value], values: Iterable[Decorated]) -> Steps[tuple[Value, ...]]:
    """Return `compute` of every value; it can be cancelled between two values.

    Parameters
    ----------
    compute : callable
        Takes a value.
    values : iterable
        The values.

    Returns
    -------
    tuple
        The results, as the generator's return value.

    Yields
    ------
    None
        Before each value.
    """
    found = []
    for value in values:
        yield
        found.append(compute(value))
    return tuple(found)


class measure(Generic[Value]):
    """A number by which states are compared: sweeps know it by `name`, pages by `label`.

    The label may contain {result....}. The function, decorated or passed as `compute`, returns None if the state does
    not have the number. With `of`, the number is None if that part of the result is None.

    Parameters
    ----------
    name : str
        Its name in sweeps.
    label : str or None, default None
        Its label on pages; None for the name.
    compute : callable or None, default None
        Takes the result, or the part that `of` names, and returns the number.
    of : str, default ""
        Attributes from the result to a part of it, such as "test.pvalue". Without `compute`, the part is the number.

    Examples
    --------
    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, Result, measure
    >>> class Roots(Lab):
    ...     n = Whole(default=4, bounds=(0, 99), doc="of what")
    >>> class RootsResult(Result[Roots]):
    ...     of_what = measure("number", of="lab.n")
    ...     @measure("root", "square root of {result.lab.n}")
    ...     def root(self):
    ...         return self.lab.n**0.5
    >>> Roots(n=9).result().measures, Roots(n=9).result().measured()
    ({'number': 9, 'square root of 9': 3.0}, {'number': 9, 'root': 3.0})
    """

    name: str
    label: str

    def __init__(
        self, name: str, label: str | None = None, compute: Callable[[Any], Value] | None = None, of: str = ""
    ) -> None:
        self.name, self.label, self.of = name, label or name, of
        self.compute: Callable[[Any], Any] | None = compute

    def __call__(self, compute: Callable[[Any], Decorated]) -> measure[Decorated]:
        """Return this measure with the function that it decorates."""
        self.compute, self.__doc__ = compute, compute.__doc__
        decorated: Any = self  # its type becomes that of the decorated function
        return decorated

    @overload
    def __get__(self, result: None, owner: type) -> Self: ...
    @overload
    def __get__(self, result: Any, owner: type | None = None) -> Value: ...
    def __get__(self, result: Any, owner: type | None = None) -> Any:
        if result is None or not (self.compute or self.of):
            return self
        part = attribute_of(result, self.of)
        return part if part is None or self.compute is None else self.compute(part)


def attribute_of(value: Any, path: str) -> Any:
    """Return an attribute of an attribute ..., such as "test.pvalue", or None if one of them is None.

    Parameters
    ----------
    value : Any
        What has the first attribute.
    path : str
        The attributes' names with dots between them; "" for the value itself.

    Returns
    -------
    Any
        The last attribute.
    """
    for name in path.split(".") if path else ():
        value = None if value is None else getattr(value, name)
    return value


class effect(measure[Value]):
    """A number about which presets make a claim.

    Parameters
    ----------
    name : str
        Its name in sweeps.
    label : str or None, default None
        Its label on pages; None for the name.
    compute : callable or None, default None
        Takes the result, or the part that `of` names, and returns the number.
    of : str, default ""
        Attributes from the result to a part of it, such as "test.pvalue". Without `compute`, the part is the number.

    Examples
    --------
    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, Result, effect
    >>> class Thirds(Lab):
    ...     n = Whole(default=6, bounds=(1, 99), doc="how many")
    >>> class ThirdsResult(Result[Thirds]):
    ...     third = effect("a third", compute=lambda result: result.lab.n / 3)
    >>> Thirds().result().effects, Thirds(n=12).result().third
    ({'a third': 2.0}, 4.0)
    """


class Reader:
    """A lab as a running stage sees it: `note(name)` is called for each field that is read.

    If `plain`, a derived property counts as the fields from which it is computed.
    """

    def __init__(self, lab: Any, note: Callable[[str], None], plain: bool = False) -> None:
        self._lab, self._note, self._plain = lab, note, plain

    @property
    def __class__(self) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride], it is only read
        """The lab's class, so that a method that a stage calls may call `super()`."""
        return type(self._lab)

    def __getattr__(self, name: str) -> Any:
        lab, kind = self._lab, type(self._lab)
        if name in kind.fields:
            self._note(name)
            return getattr(lab, name)
        declared = getattr(kind, name, None)
        if isinstance(declared, property) and declared.fget is not None:
            if isinstance(declared, derived) and not self._plain:
                self._note(name)
                return declared.fget(lab)
            return declared.fget(self)
        if isinstance(declared, FunctionType):
            return MethodType(declared, self)
        return getattr(lab, name)


@cache  # called about ten times at every move of a control
def members(cls: type, kind: type[Kind]) -> dict[str, Kind]:
    """Return the attributes of a class of this kind by name, those of base classes first, in declared order."""
    found = {n: a for c in reversed(cls.__mro__) for n, a in vars(c).items() if isinstance(a, kind)}
    return {name: each for name, each in found.items() if getattr(cls, name) is each}
