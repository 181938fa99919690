"""What a result is declared of: stages, late stages, measures and effects."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from functools import cache
from inspect import signature
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar, overload

from explorer.stopping import NoLongerWanted, unless

Value = TypeVar("Value")  # of a stage, a measure or a derived property
Decorated = TypeVar("Decorated")
Kind = TypeVar("Kind")
Stopped: TypeAlias = Callable[[], bool]  # whether what a thread computes is not wanted any more
Steps: TypeAlias = Generator[None, None, Value]  # what may be given up where it yields, and then returns a value


class derived(property, Generic[Value]):
    """A property of a lab that counts as one read: its value decides, not the fields that it is made of."""

    if TYPE_CHECKING:  # a property knows the type of its value by itself, and a class made of it does not

        def __init__(self, fget: Callable[[Any], Value]) -> None: ...

        @overload
        def __get__(self, instance: None, owner: type, /) -> Self: ...
        @overload
        def __get__(self, instance: Any, owner: type | None = None, /) -> Value: ...
        def __get__(self, instance: Any, owner: type | None = None, /) -> Any: ...


class stage(Generic[Value]):
    """A method of a Result that is computed once, and again only where something that it read has another value.

    What it reads of `self.lab`, itself or through other stages, is written down while it runs. Its arrays become
    read-only.
    """

    name: str
    compute: Callable[..., Value]

    def __init__(self, compute: Callable[..., Value]) -> None:
        self.compute, self.__doc__ = compute, compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    @overload
    def __get__(self, result: None, owner: type) -> Self: ...
    @overload
    def __get__(self, result: Any, owner: type | None = None) -> Value: ...
    def __get__(self, result: Any, owner: type | None = None) -> Any:
        return self if result is None else result.stage_value(self)


class given(stage[Any]):
    """A stage of the states where `when(result)` is true; None in the others.

    Its type is that of the states which have it: who knows that need not ask, and who reads it elsewhere must.

    `@given(lambda result: result.enough)` decorates a function of self.
    """

    def __init__(self, when: Callable[[Any], object]) -> None:
        self.when = when

    def __call__(self, compute: Callable[[Any], Decorated]) -> stage[Decorated]:
        super().__init__(lambda result: compute(result) if self.when(result) else None)
        self.__doc__ = compute.__doc__
        return self


class shown(given):
    """A stage of the states that show one of these pictures, by the lab's field `picture`: `@shown("ranks")`."""

    def __init__(self, *pictures: str) -> None:
        super().__init__(lambda result: result.lab.picture in pictures)


class late(stage[Any]):
    """A stage that takes longer than a hand may wait: None until `Result.finish` has computed it.

    `@late()` decorates a function of self. It is given up between the yields of what returns a generator, whose value
    is what that returns; what asks a library for long work is a function of (self, stopped), and None once `stopped()`.
    `@late(when)` belongs only to the states where `when(result)` is true.
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
        asks = len(signature(compute).parameters) > 1

        def computed(result: Any, stopped: Stopped) -> Any:
            value = compute(result, stopped) if asks else compute(result)
            return carried_out(value, stopped) if isinstance(value, Generator) else value

        super().__init__(computed)
        self.__doc__ = compute.__doc__
        return self

    def __get__(self, result: Any, owner: type | None = None) -> Any:
        return self if result is None else result.late_value(self)

    def belongs(self, result: Any) -> bool:
        """Whether a result's state shows it."""
        return self.when is None or bool(self.when(result))


def carried_out(steps: Steps[Decorated], stopped: Stopped) -> Decorated | None:
    """What a generator returns in the end; None as soon as `stopped()` between two of its yields."""
    while not stopped():
        try:
            next(steps)
        except StopIteration as end:
            return end.value
    return None


def unless_stopped(compute: Callable[[], Value], stopped: Stopped) -> Value | None:
    """What long work of the library gives; None where its loops end as soon as `stopped()`."""
    try:
        with unless(stopped):
            return compute()
    except NoLongerWanted:
        return None


def one_by_one(compute: Callable[[Decorated], Value], values: Iterable[Decorated]) -> Steps[tuple[Value, ...]]:
    """`compute` of every value, which may be given up between two."""
    found = []
    for value in values:
        yield
        found.append(compute(value))
    return tuple(found)


class measure(Generic[Value]):
    """A number that states are compared by: sweeps know it by `name`, the page by `label`, which may hold {result....}.

    Its function, which it decorates or is given as `compute`, gives None where the state has no such number.
    """

    name: str
    label: str

    def __init__(self, name: str, label: str | None = None, compute: Callable[[Any], Value] | None = None) -> None:
        self.name, self.label = name, label or name
        self.compute: Callable[[Any], Any] | None = compute

    def __call__(self, compute: Callable[[Any], Decorated]) -> measure[Decorated]:
        self.compute, self.__doc__ = compute, compute.__doc__
        decorated: Any = self  # a measure of what it decorates
        return decorated

    @overload
    def __get__(self, result: None, owner: type) -> Self: ...
    @overload
    def __get__(self, result: Any, owner: type | None = None) -> Value: ...
    def __get__(self, result: Any, owner: type | None = None) -> Any:
        return self if result is None or self.compute is None else self.compute(result)


class effect(measure[Value]):
    """A number that presets promise something about."""


class Reader:
    """A lab as a running stage sees it: `note(name)` hears of each field that is read.

    Where `plain`, a derived property is read as the fields that it is made of.
    """

    def __init__(self, lab: Any, note: Callable[[str], None], plain: bool = False) -> None:
        self._lab, self._note, self._plain = lab, note, plain

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


@cache  # a move asks some ten times
def members(cls: type, kind: type[Kind]) -> dict[str, Kind]:
    """The attributes of a class of this kind, name -> attribute, the base classes' first, in declared order."""
    found = {n: a for c in reversed(cls.__mro__) for n, a in vars(c).items() if isinstance(a, kind)}
    return {name: each for name, each in found.items() if getattr(cls, name) is each}
