"""Labs: the state of a page as a model, without widgets or colours. Its result is computed from its fields."""

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
from explorer.printing import echo, join_list, truncate
from explorer.public_names.retired_names import adopt

from .cache import Cache
from .cost import FRAMES, CostItem, seconds
from .lab_session import whole_result
from .slider_stops import steps_of, with_value
from .stages import Stopped, derived

FILES = ("file", "file2", "second_file")  # fields that name files of the user
MODEL_S = re.compile(r"[A-Z]\w*_\w")  # a setting of a kernel or an estimator of the menus, named after its class


def copied(model: type[Model], name: str, **changes: Any) -> Any:
    """Return a copy of a model's parameter with some slots changed.

    Bounds and documentation are so declared only once.

    Parameters
    ----------
    model : type of Model
        The class that declares the parameter.
    name : str
        The parameter's name.
    **changes : Any
        The slots that change.

    Returns
    -------
    Parameter
        The copy.

    Examples
    --------
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
    """Metaclass that tells type checkers that a lab is created by its fields' names and may change."""

    slider: str

    def __init__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], **options: Any) -> None:
        super().__init__(name, bases, namespace, **options)
        if cls.slider and cls.slider not in cls.param:
            raise ValueError(
                f"{name}.slider is {echo(cls.slider)}, which is not a field of the lab; its fields are"
                f" {join_list(cls.fields)}. Name one of them, or leave slider out."
            )


class Lab(Model, metaclass=LabType):  # pyright: ignore[reportGeneralTypeIssues], of the models only labs may change
    """A model that may change: one field by attribute, or several at once by `move`.

    `result()` is what the lab shows, computed from a snapshot of it. A subclass declares its fields, which are its
    keyword arguments, and `slider`, the field that the browser can update by itself at the values of its
    `default_stops`. Defining `class R(Result[L])` makes R the `result_class` of the lab class L.

    Attributes
    ----------
    slider : str
        The field that the browser can update by itself; "" for none.
    default_stops : sequence
        The default values of that slider.
    aside : tuple of str
        Fields that a preset leaves unchanged.
    tied : mapping
        A field that refers to a sample's rows -> the fields whose change makes another sample.
    result_class : type of Result
        Class of its results.

    Examples
    --------
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
    taken_from: ClassVar[str] = "source"  # the field whose value "file" means that the user's tables are shown
    default_stops: ClassVar[Sequence[Any]] = ()
    aside: ClassVar[tuple[str, ...]] = ()  # fields that a preset leaves unchanged
    # field that refers to a sample's rows -> the fields that make it another sample
    tied: ClassVar[Mapping[str, tuple[str, ...]]] = {}
    chosen_anew: ClassVar[tuple[str, ...]] = (
        "n",
        "source",
        "outliers",
    )  # fields that do not identify the user's data
    result_class: ClassVar[Any] = None

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._cache, self._moving, self._snapshot, self._own = Cache(), False, None, None
        super().__init__(*args, **kwargs)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        adopt(cls, {"usual_stops": "default_stops"})

    @classmethod
    def labelled(cls) -> dict[str, Any]:
        """Return the fields with a label, and hence a control on the lab's page.

        Returns
        -------
        dict of str to Parameter
            The fields by name.
        """
        return {name: field for name, field in cls.fields.items() if explicit_label(field)}

    @property
    def own(self) -> Any:
        """The user's data to which the fields refer, or None; they stay in the session."""
        return self._own

    @own.setter
    def own(self, data: Any) -> None:
        self._own, self._snapshot = data, None

    @property
    def shows_own(self) -> bool:
        """True if the fields refer to the user's data."""
        return "file" in (getattr(self, "source", ""), getattr(self, "laws", ""))

    def replace(self, **changes: Any) -> Self:
        """Return a copy with some fields changed and the same user data.

        Parameters
        ----------
        **changes : Any
            The new values.

        Returns
        -------
        Lab
            The copy.
        """
        other = super().replace(**changes)
        other.own = self._own
        return other

    def __setattr__(self, attribute: str, value: Any) -> None:
        if getattr(self, "_built", False) and not self._moving and attribute in type(self).fields:
            # check the lab as a whole before it changes
            self._snapshot = self.replace(**{attribute: value})
        super().__setattr__(attribute, value)

    def move(self, **changes: Any) -> None:
        """Change several fields at once, all or none; watchers get one event.

        A field that is tied to others returns to its default when one of them changes.

        Parameters
        ----------
        **changes : Any
            The new values.
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
        """Return the defaults of the fields that would refer to another sample's rows."""
        other = {name for name, value in changes.items() if value != getattr(self, name, None)}
        gone = [name for name, fields in self.tied.items() if other.intersection(fields)]
        return {n: default for n in gone if getattr(self, n) != (default := type(self).fields[n].default)}

    def fitting(self) -> dict[str, Any]:
        """Return the fields that the user's data limit, such as n.

        Returns
        -------
        dict of str to Any
            The largest values that fit, by field.
        """
        return {}

    def rows_there(self) -> dict[str, int]:
        """Return the number of rows of the source's tables, by the field that sets how many are drawn.

        Returns
        -------
        dict of str to int
            Empty if the lab has no such tables.

        Raises
        ------
        Refusal
            If this session does not have the tables.
        OSError
            If a table cannot be read.
        """
        return {}

    @classmethod
    def from_flat(cls, words: Mapping[str, str]) -> tuple[Self, list[str]]:
        """Create a lab from a link's query parameters; sizes that it omits are at most the source's number of rows.

        Parameters
        ----------
        words : mapping of str to str
            The query parameters.

        Returns
        -------
        lab : Lab
            The lab.
        refused : list of str
            Messages on parameters that were ignored.
        """
        strange = [name for name in words if MODEL_S.match(name) and name not in cls.fields]
        lab, refused = super().from_flat({name: word for name, word in words.items() if name not in strange})
        if strange:
            told = "This server has no model with the settings {}, so they were ignored."
            refused.append(translate(told, join_list(map(truncate, strange))))
        # a link may name any file; without the user's tables none is shown
        if getattr(lab, cls.taken_from, "file") != "file":
            lab = lab.replace(**{name: "" for name in FILES if name in cls.fields})
        named = {cls.was.get(name, name) for name in words}
        with suppress(Refusal, OSError):  # if the table is missing, the page opens and says what to do
            there = lab.rows_there().items()
            lab = lab.replace(**{name: most for name, most in there if name not in named and getattr(lab, name) > most})
        return lab, refused

    @property
    def whole(self) -> bool:
        """True if all rows of the user's data are drawn, so that another seed draws the same ones."""
        return False

    @property
    def played(self) -> str:
        """The field of the page's main slider, which Play moves in this state; "" for none."""
        return self.slider

    @derived
    def extra_stop(self) -> Any:
        """Value of the slider if it is not one of the default stops, else None.

        Every table then has an extra row for it. None also if the value is chosen automatically.
        """
        value = getattr(self, self.slider) if self.slider and self.default_stops else None
        return None if value is None or value in self.default_stops else value

    @property
    def stops(self) -> Sequence[Any]:
        """The values at which its slider stops."""
        return self.default_stops if self.extra_stop is None else with_value(self.default_stops, self.extra_stop)

    def stops_of(self, name: str) -> Sequence[Any]:
        """Return the values at which the slider of a field stops; the lab's own slider has `default_stops`.

        Parameters
        ----------
        name : str
            The field.

        Returns
        -------
        sequence
            The values.
        """
        if name == self.slider and self.default_stops:
            return list(self.default_stops)
        field: Any = type(self).fields[name]
        return steps_of(field)

    @property
    def snapshot(self) -> Self:
        """A copy of the lab in its current state, which does not change."""
        if self._snapshot is None:
            self._snapshot = self.replace()
        return self._snapshot

    @property
    def cost(self) -> Sequence[CostItem]:
        """The cost of a result, one CostItem for each stage that has a cost, computed from the fields alone."""
        return self.result_class.cost_of(self)

    @property
    def quick(self) -> bool:
        """True if a result takes a frame or two. If not, a thread computes it, so that the event loop stays free."""
        return seconds(self.cost) <= FRAMES

    def task(self, stopped: Stopped = lambda: False) -> Callable[[], Any]:
        """Return a function that computes the result of the lab's current state; a thread may call it later.

        Parameters
        ----------
        stopped : callable
            Called without arguments; the computation ends when it returns True.

        Returns
        -------
        callable
            Takes no arguments and returns the Result, or None if it was stopped.
        """
        return partial(_computed, self.result_class, self.snapshot, self._cache, stopped)

    def begin_with(self, result: Any) -> None:
        """Start from a result of another lab of the same class: its stages are not computed again.

        Parameters
        ----------
        result : Result
            The other lab's result.
        """
        self._cache.newest = result

    def copy_with(self, result: Any) -> Self:
        """Return a copy that starts from a result of this lab, so that a thread does not compute it again.

        Parameters
        ----------
        result : Result
            The result.

        Returns
        -------
        Lab
            The copy, with the same user data.
        """
        copy = self.replace()
        copy.begin_with(result)
        return copy

    def work(self) -> Any:
        """Return a result of the lab's current state with no stage computed, for a thread that finishes a deferred one.

        Returns
        -------
        Result
            The result.
        """
        return self.result_class(self.snapshot, self._cache)

    def result(self, wait: bool = False) -> Any:
        """Return what the lab shows; stages whose fields have not changed since the last result are reused.

        Parameters
        ----------
        wait : bool, default False
            Whether to compute the deferred stages too.

        Returns
        -------
        Result
            The result.
        """
        return whole_result(self) if wait else self.task()()


def _computed(result_class, snapshot, cache, stopped):
    """Return the result of a snapshot with all stages except the deferred ones, or None if it was stopped."""
    return result_class(snapshot, cache).compute(stopped)
