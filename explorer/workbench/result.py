"""A result made of stages: each is computed once for the fields that it reads, and nobody writes a key."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Generic, Self, TypeAlias, TypeVar, get_args

import numpy as np

from explorer.languages import translate
from explorer.model import freeze
from explorer.printing import Written

from .cache import Cache
from .stages import Reader, Stopped, deferred, effect, measure, members, stage

if TYPE_CHECKING:
    from .lab import Lab

LabT = TypeVar("LabT", bound="Lab")  # the class of the lab that a result is of
Reads: TypeAlias = dict[str, Any]  # what a stage has read, name -> value
LATE = "late "  # before the name of a late stage, where another has read whether it is there


class Result(Written, Generic[LabT]):
    """What a lab shows. A subclass has stages; `class R(Result[L])` is the result of the lab class L.

    `lab` is a snapshot that nobody changes. The cache, which the lab owns, has the stages of earlier states and the
    newest result; a result keeps its own stages, so that what is too large for the cache is not computed twice.

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

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for base in vars(cls).get("__orig_bases__", ()):
            for lab in get_args(base):
                if isinstance(lab, type):  # not a type variable, of a base class for the results of several labs
                    lab.result_class = cls

    def __init__(self, lab: LabT, cache: Cache | None = None) -> None:
        self._lab, self._cache = lab, Cache() if cache is None else cache
        self._values: dict[str, tuple[Reads, Any]] = {}  # stage -> (what it read, name -> value; its own value)
        self._running: list[Reads] = []  # what the stages that run have read by now, the innermost last
        self._frozen: Reads = {}
        self._compared: Result | None = None  # the newest result, and what has its values here, or others
        self._same: set[str] = set()
        self._other: set[str] = set()
        self._asked_by: tuple[Self, Reads, frozenset[str]] | None = (
            None  # (result, what its stage has read, the fields that differ), of one made by `elsewhere`
        )

    @property
    def lab(self) -> LabT:
        """The state that is shown; what a running stage reads of it is written down."""
        if not self._running:
            return self._lab
        reader: Any = Reader(self._lab, self._note, self._asked_by is not None)  # answers as the lab does
        return reader

    def settled(self, stopped: Stopped = lambda: False) -> Self | None:
        """Itself, once all stages but the late ones are there: whoever draws it computes nothing.

        None as soon as `stopped()`.
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
        """The names of its stages, or of its late ones, in declared order."""
        return tuple(
            name for name, each in members(cls, stage).items() if isinstance(each, deferred) == (kind is deferred)
        )

    # the slider that the browser answers by itself

    @property
    def stops(self) -> Sequence[Any]:
        """The values of the lab's slider that tables have a row for; none where the browser cannot answer it here."""
        return tuple(self.lab.stops)

    @property
    def answers(self) -> bool:
        """Whether there is a row for every stop."""
        return bool(self.stops)

    @property
    def row(self) -> int:
        """The row of the tables that the lab is at: the last one where its value is chosen by itself."""
        return [*self.stops, None].index(getattr(self.lab, self._lab.slider)) if self.answers else 0

    def at(self, value: Any) -> Self | None:
        """The result at another stop of the slider."""
        slider = self._lab.slider
        if value == getattr(self._lab, slider):
            return self
        return type(self)(self._lab.replace(**{slider: value}), self._cache).settled()

    # late stages

    def pending(self) -> tuple[str, ...]:
        """The late stages that this state shows and lacks, in declared order."""
        missing = (name for name in self.stages(deferred) if self._kept(name) is None)
        return tuple(name for name in missing if getattr(type(self), name).belongs(self))

    def arrived(self) -> tuple[str, ...]:
        """The late stages that this state shows and has, in declared order."""
        return tuple(name for name in self.stages(deferred) if getattr(self, name) is not None)

    def finish(self, name: str, stopped: Stopped = lambda: False) -> Any:
        """Compute a late stage and keep it; None as soon as `stopped()`."""
        wanted = getattr(type(self), name)
        self._running.append({})
        try:
            value = wanted.compute(self, stopped) if wanted.belongs(self) else None
        finally:
            reads = self._running.pop()
        if value is None or stopped():
            return None
        self._keep(name, reads, value)
        self._cache.weigh()
        return value

    def refuse(self, name: str, sentence: str) -> None:
        """Note why a late stage cannot be computed at this state."""
        self._cache.refused[type(self), name, self._lab.key] = sentence

    def why_not(self, name: str) -> str:
        """Return why a late stage cannot be computed at this state; empty if it was not refused."""
        return self._cache.refused.get((type(self), name, self._lab.key), "")

    def refusals(self) -> tuple[str, ...]:
        """Return why late stages that this state shows cannot be computed, each sentence once."""
        return tuple(dict.fromkeys(filter(None, map(self.why_not, self.pending()))))

    @property
    def refused_all(self) -> bool:
        """Whether nothing of what the state lacks is still to come, as all of it was refused."""
        missing = self.pending()
        return bool(missing) and all(map(self.why_not, missing))

    def serves(self, lab: LabT) -> bool:
        """Whether a stage is running, and a lab has the values that it has read by now."""
        if not self._running:
            return False
        reads = dict(self._running[0])
        return all(freeze(getattr(lab, n)) == value for n, value in reads.items() if not n.startswith(LATE))

    def elsewhere(self, **changes: Any) -> Self:
        """A result of this state with some fields changed, with a cache of its own.

        What it reads counts as read here.
        """
        other = type(self)(self._lab.replace(**changes))
        if self._running:
            other._asked_by = (self, self._running[-1], frozenset(changes))
        return other

    # what readers are told

    @property
    def measures(self) -> dict[str, float]:
        """What two states are compared by, label -> number; only those that this state has."""
        labelled = {translate(each.label, result=self): getattr(self, n) for n, each in self._numbers(measure)}
        return {label: value for label, value in labelled.items() if value is not None}

    @property
    def effects(self) -> dict[str, float]:
        """What presets promise something about, name -> number; only those that this state has."""
        named = {each.name: getattr(self, n) for n, each in self._numbers(effect)}
        return {name: value for name, value in named.items() if value is not None}

    def measured(self) -> dict[str, float | None]:
        """The measures by the names that sweeps know; None for what this state has not."""
        return {each.name: getattr(self, n) for n, each in self._numbers(measure)}

    @classmethod
    def measure_names(cls) -> tuple[str, ...]:
        """The names of all numbers that a state may have, in declared order."""
        return tuple(each.name for _, each in cls._numbers(measure))

    @classmethod
    def _numbers(cls, kind: type[measure[Any]]) -> list[tuple[str, measure[Any]]]:
        return [(n, each) for n, each in members(cls, measure).items() if isinstance(each, effect) == (kind is effect)]

    def _parts(self):
        return [("lab", self._lab), *((name, self._values[name][1]) for name in self.stages() if name in self._values)]

    # how stages come by their values

    def stage_value(self, wanted: stage[Any]) -> Any:
        """The value of a stage: this result's, an earlier state's that agrees in all that was read, or a new one."""
        reads, value = self._kept(wanted.name) or self._compute(wanted)
        self._pass_on(reads)
        return value

    def deferred_value(self, wanted: deferred) -> Any:
        """The value of a late stage where it belongs to the state and is there, else None."""
        if not wanted.belongs(self):
            return None
        kept = self._kept(wanted.name)
        self._pass_on({LATE + wanted.name: kept is not None, **(kept[0] if kept else {})})
        return kept[1] if kept else None

    def _pass_on(self, reads):
        """What a stage read, the stage that asked for it has read too, be it another result's."""
        if self._running:
            self._running[-1].update(reads)
        elif self._asked_by is not None:
            asker, asked, changed = self._asked_by
            shared = (name for name in reads if name not in changed and not name.startswith(LATE))
            asked.update({name: asker._current(name) for name in shared})

    def _compute(self, wanted: stage[Any]) -> tuple[Reads, Any]:
        self._running.append({})
        try:
            value = wanted.compute(self)
        finally:
            reads = self._running.pop()
        self._keep(wanted.name, reads, value)
        return reads, value

    def _keep(self, name, reads, value):
        seal(value)
        self._values[name] = (reads, value)
        self._cache.ways.setdefault((type(self), name), {})[tuple(reads)] = None
        self._cache.put(self._key(name, reads), value)

    def _key(self, name, reads):
        """Under which key the cache has a stage that has read this."""
        return type(self), name, tuple(reads), tuple(reads.values())

    def _kept(self, name: str) -> tuple[Reads, Any] | None:
        """(what was read, the value) of a stage, this result's or that of an earlier state which agrees; or None."""
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
        """Whether what a stage of the newest result has read has the same values here; each is looked at once."""
        if newest is not self._compared:
            self._compared, self._same, self._other = newest, set(), set()
        if not self._other.isdisjoint(reads):
            return False
        for name in reads.keys() - self._same:
            agrees = self._current(name) == reads[name]
            if not name.startswith(LATE):  # of one late stage, some have read that it was there, others that it was not
                (self._same if agrees else self._other).add(name)
            if not agrees:
                return False
        return True

    def _current(self, name: str) -> Any:
        """The value here of what a stage may read: a field, a derived property, or whether a late stage is there."""
        if name.startswith(LATE):
            return self._kept(name.removeprefix(LATE)) is not None
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
