"""A lab: the state of a page as a model. Inputs in, a result made of stages out; no widget, no colour."""

from __future__ import annotations

import copy
import re
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, ClassVar, Self, dataclass_transform

from explorer.checks import Refusal
from explorer.languages import translate
from explorer.model import Model, ModelType
from explorer.parameters import explicit_label
from explorer.printing import join_list, truncate

from .cache import Cache
from .cost import FRAMES, CostItem, seconds
from .lab_session import whole_result
from .stages import Stopped, derived
from .steps import steps_of, with_value

FILES = ("file", "file2", "second_file")  # fields that name files of the user's
MODEL_S = re.compile(r"[A-Z]\w*_\w")  # the setting of a kernel or an estimator that menus offer, after its class


def copied(model: type[Model], name: str, **changes: Any) -> Any:
    """A parameter of a model, copied with some slots changed, so that its bounds and its words are declared once.

    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, copied
    >>> class Few(Lab):
    ...     n = Whole(default=3, bounds=(1, 9), doc="how many")
    >>> class Many(Lab):
    ...     n = copied(Few, "n", bounds=(1, 900))
    >>> Many(n=100).n, Many.param.n.doc
    (100, 'how many')
    """
    field = copy.copy(model.param[name])
    for slot, value in changes.items():
        setattr(field, slot, value)
    return field


@dataclass_transform(kw_only_default=True, eq_default=False)
class LabType(ModelType):
    """Tells a type checker that a lab is made by its fields' names, and may change."""


class Lab(Model, metaclass=LabType):  # pyright: ignore[reportGeneralTypeIssues], of the models only labs may change
    """A model that may change: by attribute, or several fields at once by `move`.

    `result()` is what it shows, computed from a snapshot of it. A subclass declares its fields and `slider`, the field
    that the browser may answer by itself, at the values of its `default_stops`. Its `result_class` is the Result of it:
    `class R(Result[L])` is that of the lab class L.

    >>> from explorer.parameters import Whole
    >>> from explorer.workbench import Lab, Result, stage
    >>> class Squares(Lab):
    ...     n = Whole(default=3, bounds=(1, 9), doc="how many")
    >>> class SquaresResult(Result[Squares]):
    ...     @stage
    ...     def values(self):
    ...         return [k**2 for k in range(1, self.lab.n + 1)]
    >>> lab = Squares()
    >>> lab.result().values
    [1, 4, 9]
    >>> lab.move(n=5)
    >>> lab.result().values
    [1, 4, 9, 16, 25]
    """

    editable = True
    slider: ClassVar[str] = ""
    taken_from: ClassVar[str] = "source"  # the field that says "file" where the user's tables are shown
    default_stops: ClassVar[Sequence[Any]] = ()
    aside: ClassVar[tuple[str, ...]] = ()  # fields that a preset leaves as they are
    # a field that speaks of a sample's rows -> the fields that make it another sample
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    chosen_anew: ClassVar[tuple[str, ...]] = (
        "n",
        "source",
        "outliers",
    )  # fields that do not name the data of one's own
    result_class: ClassVar[Any] = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._cache, self._moving, self._snapshot, self._own = Cache(), False, None, None
        super().__init__(*args, **kwargs)

    @classmethod
    def labelled(cls) -> dict[str, Any]:
        """Its fields that have a label, and so a control on its page."""
        return {name: field for name, field in cls.fields.items() if explicit_label(field)}

    @property
    def own(self) -> Any:
        """The data of one's own that the fields speak of; they stay in the session, and None is none."""
        return self._own

    @own.setter
    def own(self, data: Any) -> None:
        self._own, self._snapshot = data, None

    @property
    def shows_own(self) -> bool:
        """Whether the fields speak of data of the user's."""
        return "file" in (getattr(self, "source", ""), getattr(self, "laws", ""))

    def replace(self, **changes: Any) -> Self:
        """A copy with some fields changed, with the same data of one's own."""
        other = super().replace(**changes)
        other.own = self._own
        return other

    def __setattr__(self, attribute: str, value: Any) -> None:
        if getattr(self, "_built", False) and not self._moving and attribute in type(self).fields:
            # refuses what the lab as a whole cannot be, before it changes
            self._snapshot = self.replace(**{attribute: value})
        super().__setattr__(attribute, value)

    def move(self, **changes: Any) -> None:
        """Change several fields at once, all or none; watchers hear one batch.

        A field that is tied to others goes back to its default when one of them changes.
        """
        changes = self._untied(changes) | changes
        after = self.replace(**changes)
        values = after.values()
        self._moving, self._snapshot = True, after
        try:
            self.param.update(**{name: values[name] for name in changes})
        finally:
            self._moving = False

    def _untied(self, changes):
        """The defaults of the fields that would speak of another sample's rows."""
        other = {name for name, value in changes.items() if value != getattr(self, name, None)}
        gone = [name for name, fields in self.tied.items() if other.intersection(fields)]
        return {n: default for n in gone if getattr(self, n) != (default := type(self).fields[n].default)}

    def fitting(self) -> dict[str, Any]:
        """The fields that the data of one's own limit, such as n points at most."""
        return {}

    def rows_there(self) -> dict[str, int]:
        """How many rows the source's tables have, by the field that says how many are drawn of them.

        A Refusal or an OSError where the tables are not here.
        """
        return {}

    @classmethod
    def from_flat(cls, words: Mapping[str, str]) -> tuple[Self, list[str]]:
        """A lab from a link; sizes that the link leaves open are no larger than the source that it names has rows."""
        strange = [name for name in words if MODEL_S.match(name) and name not in cls.fields]
        lab, refused = super().from_flat({name: word for name, word in words.items() if name not in strange})
        if strange:
            told = "This server has no model with the settings {}, so they were ignored."
            refused.append(translate(told, join_list(map(truncate, strange))))
        if getattr(lab, cls.taken_from, "file") != "file":  # a link says what it likes, and no such file is shown
            lab = lab.replace(**{name: "" for name in FILES if name in cls.fields})
        named = {cls.was.get(name, name) for name in words}
        with suppress(Refusal, OSError):  # of no table, which opens the page with a sentence on what to do
            there = lab.rows_there().items()
            lab = lab.replace(**{name: most for name, most in there if name not in named and getattr(lab, name) > most})
        return lab, refused

    @property
    def whole(self) -> bool:
        """Whether all rows of one's own are drawn, so that another seed draws the same ones."""
        return False

    @property
    def played(self) -> str:
        """The field of the slider that Play moves at this state, which is the main one of its page; "" for none."""
        return self.slider

    @derived
    def extra_stop(self) -> Any:
        """The slider's value that is none of its usual stops, which has a row of its own in every table.

        None of one of these, and where it is chosen by itself.
        """
        value = getattr(self, self.slider) if self.slider and self.default_stops else None
        return None if value is None or value in self.default_stops else value

    @property
    def stops(self) -> Sequence[Any]:
        """The values that its slider stops at."""
        return self.default_stops if self.extra_stop is None else with_value(self.default_stops, self.extra_stop)

    def stops_of(self, name: str) -> Sequence[Any]:
        """The values that the slider of a field stops at."""
        field: Any = type(self).fields[name]
        return steps_of(field)

    @property
    def snapshot(self) -> Self:
        """The lab as it is now, as one that nobody changes."""
        if self._snapshot is None:
            self._snapshot = self.replace()
        return self._snapshot

    @property
    def cost(self) -> Sequence[CostItem]:
        """What a result takes, a Work each, from the fields alone."""
        return ()

    @property
    def quick(self) -> bool:
        """Whether a result takes a frame or two: else a thread computes it, and the event loop stays free."""
        return seconds(self.cost) <= FRAMES

    def task(self, stopped: Stopped = lambda: False) -> Callable[[], Any]:
        """A function without arguments that computes the result of the lab as it is now; a thread may call it later.

        It gives None as soon as `stopped()`.
        """
        return partial(_settled, self.result_class, self.snapshot, self._cache, stopped)

    def begin_with(self, result: Any) -> None:
        """Take a result of another lab of these fields as one's own: what it has is not computed again."""
        self._cache.newest = result

    def work(self) -> Any:
        """A result of the lab as it is now whose stages are not there yet: for a thread that finishes a late one."""
        return self.result_class(self.snapshot, self._cache)

    def result(self, wait: bool = False) -> Any:
        """What the lab shows, from what has not changed since the last one; with `wait`, its late stages too."""
        return whole_result(self) if wait else self.task()()


def _settled(result_class, snapshot, cache, stopped):
    return result_class(snapshot, cache).settled(stopped)
