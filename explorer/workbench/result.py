"""Results made of stages: each is computed once for the fields that it reads, and no cache key is written by hand."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeAlias, TypeVar, get_args

import numpy as np

from explorer.languages import translate
from explorer.model import freeze
from explorer.printing import Written

from .cache import Cache
from .conditions import check_conditions
from .cost import CostItem
from .stages import Reader, Stopped, deferred, effect, measure, members, stage

if TYPE_CHECKING:
    from .lab import Lab

Value = TypeVar("Value")
LabT = TypeVar("LabT", bound="Lab")  # class of the lab to which a result belongs
Reads: TypeAlias = dict[str, Any]  # name of each field or stage that a stage has read -> its value
LATE = "late "  # prefix of a deferred stage's name, if another stage has read whether it is available


class _NotComputed(Exception):
    """A stage is read of a result that only answers which stages belong to its state."""


class _Body(dict[str, Any]):
    """Namespace of a class body. Each name of a stage, measure or effect may be given only once."""

    def __setitem__(self, name: str, value: Any) -> None:
        if isinstance(before := self.get(name), (stage, measure)):
            raise TypeError(
                f"{self['__qualname__']} has the {type(before).__name__} {name}, and another {name} below would replace"
                " it. Rename one of the two."
            )
        super().__setitem__(name, value)


class ResultType(type):
    """Metaclass of results: two parts of one class have different names."""

    @classmethod
    def __prepare__(metacls, name: str, bases: tuple[type, ...], /, **options: Any) -> _Body:
        return _Body()


class Result(Written, Generic[LabT], metaclass=ResultType):
    """Contents of a lab's pictures and texts. A subclass has stages; `class R(Result[L])` belongs to the lab class L.

    `lab` is a snapshot that does not change. The cache, which the lab owns, has the stages of earlier states and the
    newest result. A result keeps its own stages, so that what is too large for the cache is not computed twice.

    Parameters
    ----------
    lab : Lab
        The snapshot.
    cache : Cache or None, default None
        The lab's cache; None for a new one.

    Attributes
    ----------
    slider_stages : tuple of two str
        For a slider whose rows are computed when the user pauses: the stage at the lab's value, and the deferred stage
        with a row for every stop.

    Examples
    --------
    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, Result, effect, stage
    >>> class Halves(Lab):
    ...     n = Whole(default=8, bounds=(1, 99), doc="what is halved")
    >>> class HalvesResult(Result[Halves]):
    ...     @stage
    ...     def half(self):
    ...         return self.lab.n / 2
    ...     share = effect("share", compute=lambda result: result.half / result.lab.n)
    >>> result = Halves(n=6).result()
    >>> result.half, result.stages(), result.effects
    (3.0, ('half',), {'share': 0.5})
    """

    slider_stages: ClassVar[tuple[str, str]] = ("", "")

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for name, each in vars(cls).items():
            if isinstance(each, measure) and each.of.partition(".")[0] == name:
                raise TypeError(
                    f"{cls.__qualname__}.{name} is a {type(each).__name__} of itself: its of is '{each.of}'. Rename the"
                    f" {type(each).__name__}, or the stage that it means."
                )
        for base in vars(cls).get("__orig_bases__", ()):
            for lab in get_args(base):
                if isinstance(lab, type):  # a type variable belongs to a base class for the results of several labs
                    lab.result_class = cls
                    check_conditions(lab)

    def __init__(self, lab: LabT, cache: Cache | None = None) -> None:
        self._lab, self._cache = lab, Cache() if cache is None else cache
        self._values: dict[str, tuple[Reads, Any]] = {}  # stage -> (name -> value of what it read, its own value)
        self._running: list[Reads] = []  # what each running stage has read so far, the innermost last
        self._frozen: Reads = {}
        self._plans = False  # whether nothing is computed: the result only answers which stages belong to its state
        # the newest result, and below the names whose values are the same here or differ
        self._compared: Result | None = None
        self._same: set[str] = set()
        self._other: set[str] = set()
        self._origin: tuple[Self, Reads, frozenset[str]] | None = (
            None  # (result, what its stage has read, the fields that differ), if `elsewhere` made this result
        )

    @property
    def lab(self) -> LabT:
        """The state that is shown. While a stage runs, its reads of the lab are recorded."""
        if not self._running:
            return self._lab
        reader: Any = Reader(self._lab, self._note, self._origin is not None)  # has the attributes of the lab
        return reader

    def compute(self, stopped: Stopped = lambda: False) -> Self | None:
        """Compute all stages except the deferred ones and return self, so that drawing triggers no computation.

        Parameters
        ----------
        stopped : callable
            Called without arguments; the computation ends when it returns True.

        Returns
        -------
        Result or None
            None if it was stopped.
        """
        for name in self.stages():
            if stopped():
                return None
            getattr(self, name)
        self._cache.newest = self
        self._cache.weigh()
        return self

    @classmethod
    def stages(cls, kind: type[stage[Any]] = stage) -> tuple[str, ...]:
        """Return the names of its stages, or of its deferred ones, in declared order.

        Parameters
        ----------
        kind : type, default stage
            `deferred` for the deferred ones.

        Returns
        -------
        tuple of str
            The names.
        """
        return tuple(
            name for name, each in members(cls, stage).items() if isinstance(each, deferred) == (kind is deferred)
        )

    @classmethod
    def cost_of(cls, lab: LabT) -> list[CostItem]:
        """Return the cost of a state from its fields alone: that of each of its stages, the deferred ones last.

        A stage whose condition reads other stages counts, and a part that takes no time does not.

        Parameters
        ----------
        lab : Lab
            The state.

        Returns
        -------
        list of CostItem
            The parts that `costs` declares for the stages.
        """
        plan = cls(lab)
        plan._plans = True
        now, late = [], []
        for each in members(cls, stage).values():
            if each.costs and plan._has(each):
                parts, is_late = (cost(lab) for cost in each.costs), isinstance(each, deferred)
                taken = (dataclasses.replace(part, late=is_late) for part in parts if part.operations)
                (late if is_late else now).extend(taken)
        return now + late

    def _has(self, each: stage[Any]) -> bool:
        """Return whether a stage belongs to the state; True if its condition reads other stages."""
        try:
            return each.belongs(self)
        except _NotComputed:
            return True

    # The slider that the browser updates by itself.

    @property
    def stops(self) -> Sequence[Any]:
        """The slider's values for which tables have a row; empty if the browser cannot update it in this state."""
        return tuple(self.lab.stops)

    @property
    def answers(self) -> bool:
        """True if there is a row for every stop."""
        _, rows = self.slider_stages
        return bool(self.stops) and (not rows or getattr(self, rows) is not None)

    @property
    def row(self) -> int:
        """The lab's row of the tables; the last one if the slider's value is chosen automatically."""
        return [*self.stops, None].index(getattr(self.lab, self._lab.slider)) if self.answers else 0

    @property
    def shown_rows(self) -> Sequence[Any]:
        """The rows of the slider's tables, by `slider_stages`: at every stop, or so far at the lab's value alone."""
        now, rows = self.slider_stages
        return getattr(self, rows) if self.answers else (getattr(self, now),)

    def at_row(self, row: int | None = None) -> Any:
        """Return a row of the slider's tables as `slider_stages` has it.

        Parameters
        ----------
        row : int or None, default None
            The row; None for that of the lab.

        Returns
        -------
        Any
            The row; until every stop has one, that of the lab.
        """
        return self.shown_rows[(self.row if row is None else row) if self.answers else 0]

    def at_slider(self, compute: Callable[[Any], Value]) -> Value:
        """Return the row of the lab's value of the slider, or compute it if not every stop has one yet.

        Parameters
        ----------
        compute : callable
            Takes the value.

        Returns
        -------
        Any
            The row.
        """
        value, rows = getattr(self.lab, self._lab.slider), getattr(self, self.slider_stages[1])
        return compute(value) if rows is None else rows[self.lab.stops.index(value)]

    def at(self, value: Any) -> Self | None:
        """Return the result at another stop of the slider.

        Parameters
        ----------
        value : Any
            The stop; None for the automatic choice.

        Returns
        -------
        Result
            The result.
        """
        slider = self._lab.slider
        if value == getattr(self._lab, slider):
            return self
        return type(self)(self._lab.replace(**{slider: value}), self._cache).compute()

    # Deferred stages.

    def pending(self) -> tuple[str, ...]:
        """Return the deferred stages that this state shows and lacks, in declared order.

        Returns
        -------
        tuple of str
            Their names.
        """
        missing = (name for name in self.stages(deferred) if self._stored(name) is None)
        return tuple(name for name in missing if getattr(type(self), name).belongs(self))

    def arrived(self) -> tuple[str, ...]:
        """Return the deferred stages that this state shows and has, in declared order.

        Returns
        -------
        tuple of str
            Their names.
        """
        return tuple(name for name in self.stages(deferred) if getattr(self, name) is not None)

    def finish(self, name: str, stopped: Stopped = lambda: False) -> Any:
        """Compute and store a deferred stage.

        Parameters
        ----------
        name : str
            The stage.
        stopped : callable
            Called without arguments; the computation ends when it returns True.

        Returns
        -------
        Any
            The value, or None if it was stopped or does not belong to this state.
        """
        wanted = getattr(type(self), name)
        self._running.append({})
        try:
            value = wanted.compute(self, stopped) if wanted.belongs(self) else None
        finally:
            reads = self._running.pop()
        if value is None or stopped():
            return None
        self._store(name, reads, value)
        self._cache.weigh()
        return value

    def refuse(self, name: str, sentence: str) -> None:
        """Record why a deferred stage cannot be computed at this state.

        Parameters
        ----------
        name : str
            The stage.
        sentence : str
            The reason.
        """
        self._cache.refused[type(self), name, self._lab.key] = sentence

    def why_not(self, name: str) -> str:
        """Return why a deferred stage cannot be computed at this state.

        Parameters
        ----------
        name : str
            The stage.

        Returns
        -------
        str
            Empty if it was not refused.
        """
        return self._cache.refused.get((type(self), name, self._lab.key), "")

    def refusals(self) -> tuple[str, ...]:
        """Return why deferred stages that this state shows cannot be computed.

        Returns
        -------
        tuple of str
            Each sentence once.
        """
        return tuple(dict.fromkeys(filter(None, map(self.why_not, self.pending()))))

    @property
    def refused_all(self) -> bool:
        """True if everything that the state lacks was refused, so that nothing is still to come."""
        missing = self.pending()
        return bool(missing) and all(map(self.why_not, missing))

    def serves(self, lab: LabT) -> bool:
        """Return whether a stage is running and a lab has the values that it has read so far.

        Parameters
        ----------
        lab : Lab
            The lab.

        Returns
        -------
        bool
            False if no stage is running.
        """
        if not self._running:
            return False
        reads = dict(self._running[0])
        return all(freeze(getattr(lab, n)) == value for n, value in reads.items() if not n.startswith(LATE))

    def elsewhere(self, **changes: Any) -> Self:
        """Return a result of this state with some fields changed and a separate cache.

        What it reads counts as read by the stage that is running here.

        Parameters
        ----------
        **changes : Any
            The fields.

        Returns
        -------
        Result
            The other result.
        """
        other = type(self)(self._lab.replace(**changes))
        if self._running:
            other._origin = (self, self._running[-1], frozenset(changes))
        return other

    # Numbers for readers.

    @property
    def measures(self) -> dict[str, float]:
        """Numbers by which two states are compared, label -> number; only those that this state has."""
        labelled = {translate(each.label, result=self): getattr(self, n) for n, each in self._numbers(measure)}
        return {label: value for label, value in labelled.items() if value is not None}

    @property
    def effects(self) -> dict[str, float]:
        """Numbers about which presets make claims, name -> number; only those that this state has."""
        named = {each.name: getattr(self, n) for n, each in self._numbers(effect)}
        return {name: value for name, value in named.items() if value is not None}

    def measured(self) -> dict[str, float | None]:
        """Return the measures by their names in sweeps.

        Returns
        -------
        dict of str to float or None
            None for a number that this state does not have.
        """
        return {each.name: getattr(self, n) for n, each in self._numbers(measure)}

    @classmethod
    def measure_names(cls) -> tuple[str, ...]:
        """Return the names of all numbers that a state may have, in declared order.

        Returns
        -------
        tuple of str
            The names.
        """
        return tuple(each.name for _, each in cls._numbers(measure))

    @classmethod
    def effect_names(cls) -> tuple[str, ...]:
        """Return the names of all numbers about which presets may make claims, in declared order.

        Returns
        -------
        tuple of str
            The names.
        """
        return tuple(each.name for _, each in cls._numbers(effect))

    @classmethod
    def _numbers(cls, kind: type[measure[Any]]) -> list[tuple[str, measure[Any]]]:
        return [(n, each) for n, each in members(cls, measure).items() if isinstance(each, effect) == (kind is effect)]

    def _parts(self):
        return [("lab", self._lab), *((name, self._values[name][1]) for name in self.stages() if name in self._values)]

    # How stages get their values.

    def stage_value(self, wanted: stage[Any]) -> Any:
        """Return a stage's value: stored here, taken from an earlier state with equal reads, or computed.

        Parameters
        ----------
        wanted : stage
            The stage.

        Returns
        -------
        Any
            The value.
        """
        if self._plans:
            raise _NotComputed
        reads, value = self._stored(wanted.name) or self._compute(wanted)
        self._pass_on(reads)
        return value

    def deferred_value(self, wanted: deferred) -> Any:
        """Return the value of a deferred stage if it belongs to the state and is available, else None.

        Parameters
        ----------
        wanted : deferred
            The stage.

        Returns
        -------
        Any or None
            The value.
        """
        if not wanted.belongs(self):
            return None
        if self._plans:
            raise _NotComputed
        kept = self._stored(wanted.name)
        self._pass_on({LATE + wanted.name: kept is not None, **(kept[0] if kept else {})})
        return kept[1] if kept else None

    def _pass_on(self, reads):
        """Record what a stage read for the stage that asked for it, which may be another result's."""
        if self._running:
            self._running[-1].update(reads)
        elif self._origin is not None:
            asker, asked, changed = self._origin
            shared = (name for name in reads if name not in changed and not name.startswith(LATE))
            asked.update({name: asker._current(name) for name in shared})

    def _compute(self, wanted: stage[Any]) -> tuple[Reads, Any]:
        self._running.append({})
        try:
            value = wanted.compute(self)
        finally:
            reads = self._running.pop()
        self._store(wanted.name, reads, value)
        return reads, value

    def _store(self, name, reads, value):
        seal(value)
        self._values[name] = (reads, value)
        self._cache.ways.setdefault((type(self), name), {})[tuple(reads)] = None
        self._cache.put(self._key(name, reads), value)

    def _key(self, name, reads):
        """Return the cache key of a stage that has read these values."""
        return type(self), name, tuple(reads), tuple(reads.values())

    def _stored(self, name: str) -> tuple[Reads, Any] | None:
        """Return (reads, value) of a stage, from here or from an earlier state with equal reads, or None."""
        if name in self._values:
            return self._values[name]
        newest = self._cache.newest
        if newest is not None and type(newest) is type(self) and name in newest._values:
            reads, value = newest._values[name]
            if self._agrees(newest, reads):
                self._values[name] = (reads, value)
                return self._values[name]
        for names in tuple(self._cache.ways.get((type(self), name), ())):
            reads = {each: self._current(each) for each in names}
            value = self._cache.get(self._key(name, reads), self)
            if value is not self:
                self._values[name] = (reads, value)
                return self._values[name]
        return None

    def _agrees(self, newest: Result, reads: Reads) -> bool:
        """Return whether what a stage of the newest result has read has the same values here; each is compared once."""
        if newest is not self._compared:
            self._compared, self._same, self._other = newest, set(), set()
        if not self._other.isdisjoint(reads):
            return False
        for name in reads.keys() - self._same:
            agrees = self._current(name) == reads[name]
            # some stages have read that a deferred one was available, others that it was not
            if not name.startswith(LATE):
                (self._same if agrees else self._other).add(name)
            if not agrees:
                return False
        return True

    def _current(self, name: str) -> Any:
        """Return the current value of a field, a derived property, or of whether a deferred stage is available."""
        if name.startswith(LATE):
            return self._stored(name.removeprefix(LATE)) is not None
        if name not in self._frozen:
            self._frozen[name] = freeze(getattr(self._lab, name))
        return self._frozen[name]

    def _note(self, name: str) -> None:
        self._running[-1][name] = self._current(name)


def seal(value: object) -> None:
    """Make the arrays of a value read-only: the array itself, or those in its tuples, dicts and dataclasses."""
    if isinstance(value, np.ndarray):
        value.flags.writeable = False
    elif isinstance(value, (tuple, list)):
        for each in value:
            seal(each)
    elif isinstance(value, dict):
        seal(tuple(value.values()))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        seal(tuple(getattr(value, field.name) for field in dataclasses.fields(value)))
