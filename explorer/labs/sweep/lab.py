"""State of the Sweep lab: a grid over one or two fields of another lab, and the measure of that lab that is shown."""

from __future__ import annotations

from collections.abc import Mapping
from math import prod
from typing import TYPE_CHECKING, Any, ClassVar, Self

from explorer.checks import Refusal
from explorer.parameters import Flag, Real, Text, Whole
from explorer.printing import echo, join_list
from explorer.sweeps import Grid
from explorer.workbench import Lab, derived, registry
from explorer.workbench.axes import NONE, axis, ends
from explorer.workbench.cache import CACHE_BYTES, bytes_of
from explorer.workbench.fields import seed_field
from explorer.workbench.numbers import format_number
from explorer.workbench.study import LabStudy, preset_of, presets_of, subject

from .running import SweepRun
from .shipped import shipped

if TYPE_CHECKING:
    from explorer.sweeps.executors import InProcess
    from explorer.workbench.axes import Axis
    from explorer.workbench.stories import Preset

    from .running import Cells


AUTO = "auto"
LARGEST = 100_000  # Sweeps with more fits belong on the command line. They may take days there.
AXES = ("x", "y")
# The fields that are reset with another lab.
OF_A_LAB = ("at", "x", "x_from", "x_to", "y", "y_from", "y_to", "measure")
RENAMED = {  # the names of measures in older links
    "standard deviations above the shuffles": "standard deviations above the permutations",
    "MMD squared of the laws": "MMD squared of P and Q",
    "p by the gamma law": "p by the gamma distribution",
    "the MMD that U says": "the root of U",
}


def _end(which, of):
    label = {"first": "from", "last": "to"}[which]
    doc = f"the {which} value of the {of} axis"
    return Real(None, bounds=(-1e300, 1e300), allow_None=True, label=label, doc=doc)


def _count(default, of):
    return Whole(default, bounds=(1, 100), label="values", doc=f"the most values on the {of} axis")


class SweepLab(Lab):
    """A lab, one or two of its fields with the values that they take, and the number of replicates per combination.

    x and y are names of fields; y may be 'none'. 'auto' is the lab's default axis. An axis takes at most x_count of the
    field's stops from x_from to x_to; of a menu it takes all choices. `at` is the lab's preset that sets all other
    fields. If it is empty, they have their defaults. If `paired`, the replicates have the same seeds in every cell.

    The numbers of completed sweeps are stored in the session by their `sweep_key`, which has everything that determines
    them.
    """

    aside: ClassVar[tuple[str, ...]] = ("picked",)
    lab: str = Text(default="shrinkage", doc="the lab that is swept", label="lab")
    at: str = Text(
        default="",
        doc="the lab's preset that sets the other fields; empty for the lab's defaults",
        label="other settings",
    )
    x: str = Text(default=AUTO, doc="the field on the first axis", label="field")
    x_from: float | None = _end("first", "first")
    x_to: float | None = _end("last", "first")
    x_count: int = _count(7, "first")
    y: str = Text(default=AUTO, doc="the field on the second axis, or 'none'", label="field")
    y_from: float | None = _end("first", "second")
    y_to: float | None = _end("last", "second")
    y_count: int = _count(6, "second")
    replicates: int = Whole(
        5, bounds=(1, 10_000), doc="fits in each cell, each with a different seed", label="in each cell"
    )
    paired: bool = Flag(default=True, doc="whether the replicates have the same seeds in every cell", label="paired")
    seed: int = seed_field(doc="seed of the sweep, which determines the seed of each fit", symbol="", label="seed")
    measure: str = Text(default=AUTO, doc="the number of the lab that is shown", label="number shown")
    picked: int = Whole(0, bounds=(0, None), doc="the selected cell, counted from 1; 0 is none")

    def _check(self):
        measures = subject(self.lab).measures
        if self.at and preset_of(self.lab, self.at) is None:
            raise Refusal(
                "The lab {!r} has no preset {}. It has {}.", self.lab, echo(self.at), join_list(presets_of(self.lab))
            )
        if self.chosen_measure not in measures:
            raise Refusal(
                "The lab {!r} has no number {}. Its numbers are {}.", self.lab, echo(self.measure), join_list(measures)
            )
        axes = self.axes
        if len(axes) == 2 and axes[0].name == axes[1].name:
            raise Refusal(
                "Both axes are {}. Choose another field for one of them, or 'none' for the second.", axes[0].name
            )
        if self.size > LARGEST:
            raise Refusal(
                "{} fits are more than the {:,} that a page computes. Choose fewer values or replicates, or use"
                " the command `explorer sweep`.",
                format_number(self.size),
                LARGEST,
            )

    # Resolution of automatic fields.

    @property
    def chosen_fields(self) -> tuple[str, str]:
        """The names of the fields on the axes. The second may be 'none'."""
        first, second = subject(self.lab).axes
        x = first if self.x == AUTO else self.x
        if self.y != AUTO:
            return x, self.y
        return x, second if x != second else first

    @property
    def chosen_measure(self) -> str:
        """The name of the measure that is shown."""
        if self.measure == AUTO:
            return subject(self.lab).measures[0]
        return RENAMED.get(self.measure, self.measure)

    def _ends(self, which, name):
        """Return the first and last value of an axis."""
        return ends(self.lab, name, getattr(self, f"{which}_from"), getattr(self, f"{which}_to"))

    def settled_fields(self) -> dict[str, float | str]:
        """Return the fields with a value in place of each 'auto'."""
        values = self.values()
        for which, name in zip(AXES, self.chosen_fields, strict=True):
            values[which] = name
            values[f"{which}_from"], values[f"{which}_to"] = self._ends(which, name)
        values["measure"] = self.chosen_measure
        if self.preset is not None:
            values["at"] = self.preset.name
        return values

    def settled(self) -> Self:
        """Return this state without automatic fields."""
        return self.replace(**self.settled_fields())

    @classmethod
    def from_flat(cls, words: Mapping[str, str]) -> tuple[SweepLab, list[str]]:
        """Read a sweep from a link, without automatic fields, so that every box of the page shows what is swept.

        The link's axes may have names that the lab's fields had in older links.
        """
        swept = words.get("lab")
        was = registry.entry(swept).lab.was if swept in registry.names() else {}
        words = {name: was.get(word, word) if name in ("x", "y") else word for name, word in words.items()}
        lab, refused = super().from_flat(words)
        return lab.settled(), refused

    def move(self, **changes: float | str | None) -> None:
        """Change several fields at once, and reset those that belonged to another lab or field."""
        other = {name for name, value in changes.items() if value != getattr(self, name)}
        anew: set[str] = set(OF_A_LAB) if "lab" in other else set()
        for name in other.intersection(AXES):
            anew |= {f"{name}_from", f"{name}_to"}
        if other - {"measure", "picked"}:
            anew.add("picked")
        defaults = {name: type(self).fields[name].default for name in anew}
        after = self.replace(**{**defaults, **changes}).settled_fields()
        super().move(
            **{name: value for name, value in after.items() if name in changes or value != getattr(self, name)}
        )

    # The study.

    @property
    def axes(self) -> tuple[Axis, ...]:
        """The one or two axes."""
        chosen = [(which, name) for which, name in zip(AXES, self.chosen_fields, strict=True) if name != NONE]
        return tuple(
            axis(self.lab, name, *self._ends(which, name), getattr(self, f"{which}_count")) for which, name in chosen
        )

    @property
    def size(self) -> int:
        """The number of fits."""
        return self.replicates * prod(len(each.values) for each in self.axes)

    @property
    def preset(self) -> Preset | None:
        """The lab's preset that sets the other fields, or None for the lab's defaults."""
        return preset_of(self.lab, self.at) if self.at else None

    @property
    def study(self) -> LabStudy:
        """The study that is computed in every cell."""
        model, taken = subject(self.lab).lab, {each.name for each in self.axes} | {"seed"}
        fields = {} if self.preset is None else self.preset.fields
        return LabStudy(self.lab, **{k: v for k, v in fields.items() if k not in taken and k not in model.aside})

    @property
    def call(self) -> dict[str, Any]:
        """The arguments of `sweep`, except for the executor and the store."""
        axes = {each.name: list(each.values) for each in self.axes}
        return {
            "study": self.study,
            "axes": axes,
            "replicates": self.replicates,
            "seed": self.seed,
            "common": tuple(axes) if self.paired else (),
        }

    @property
    def grid(self) -> Grid:
        """The cells, with their seeds."""
        call = self.call
        return Grid(call["axes"], call["replicates"], call["seed"], call["common"], call["study"].model)

    # The numbers computed so far.

    @property
    def sweep_key(self) -> tuple[str, str]:
        """Everything that determines the numbers of the sweep."""
        return repr(self.study), self.grid.key()

    @derived
    def cells(self) -> Cells | None:
        """The cells of this sweep so far, or None before its first fit; the package has those of the first preset."""
        key = self.sweep_key
        return (self.own or {}).get(key) or shipped().get(key)

    def keep(self, key: tuple[str, str], cells: Cells) -> None:
        """Store the cells of a sweep under its `sweep_key`, and drop the oldest ones if they exceed CACHE_BYTES."""
        kept = {k: c for k, c in (self.own or {}).items() if k != key} | {key: cells}
        while len(kept) > 1 and bytes_of(kept) > CACHE_BYTES:
            kept.pop(next(iter(kept)))
        self.own = kept

    def result(self, wait: bool = False, executor: InProcess | None = None) -> Any:
        """Return the result of the sweep so far, or with `wait` that of the whole sweep.

        The processes of this machine compute it, or an executor.
        """
        result = super().result()
        if not wait:
            return result
        if not result.whole:
            work = SweepRun(self.snapshot, executor=executor)
            self.keep(work.key, work())
        return super().result(wait=True)
