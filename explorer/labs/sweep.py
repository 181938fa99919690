"""The Sweep lab: a grid over one or two fields of another lab, and which of that lab's numbers is looked at."""

from __future__ import annotations

from functools import partial

import param

from explorer.checks import Refusal
from explorer.model import Real, Whole
from explorer.printing import listed, shown
from explorer.workbench.numbers import number

from .base import Lab
from .study import SUBJECTS, LabStudy, model_of, presets_of
from .sweep_axes import NONE, axis, ends, swept
from .sweep_compute import compute, cost_key
from .sweep_cost import cost

AUTO = "auto"
LARGEST = 100_000  # fits: beyond it a sweep belongs on the command line, where it may take days
AXES = ("x", "y")


def _end(which, of):
    return Real(None, bounds=(-1e300, 1e300), allow_None=True, doc=f"the {which} value of the {of} axis")


class SweepLab(Lab):
    """A lab, one or two of its fields with the values that they take, and how often each combination is studied.

    x and y are names of fields, y perhaps 'none'; 'auto' is what the lab is mostly asked about. Of a field's stops from
    x_from to x_to an axis takes at most x_count; of a menu all choices. `at` is the lab's preset that all other fields
    are taken from, and empty its defaults. Where `paired`, the replicates have the same seeds in every cell.
    """

    aside = ("picked",)
    lab = param.Selector(default="shrinkage", objects=list(SUBJECTS), doc="which lab is swept")
    at = param.String(
        default="", doc="the lab's preset that the other fields are taken from; empty is the lab's defaults"
    )
    x = param.String(default=AUTO, doc="the field on the first axis")
    x_from, x_to = _end("first", "first"), _end("last", "first")
    x_count = Whole(7, bounds=(1, 100), doc="values on the first axis, at most")
    y = param.String(default=AUTO, doc="the field on the second axis, or 'none'")
    y_from, y_to = _end("first", "second"), _end("last", "second")
    y_count = Whole(6, bounds=(1, 100), doc="values on the second axis, at most")
    replicates = Whole(5, bounds=(1, 10_000), doc="fits of each cell, each with a seed of its own")
    paired = param.Boolean(default=True, doc="whether the replicates have the same seeds in every cell")
    seed = Whole(1, bounds=(0, 2**32 - 1), doc="of the sweep; each cell has one of its own")
    measure = param.String(default=AUTO, doc="which of the lab's numbers is looked at")
    picked = Whole(0, bounds=(0, None), doc="which cell is picked, counted from 1; 0 is none")

    def _check(self):
        if self.at and self.at not in presets_of(self.lab):
            raise Refusal(
                f"the lab {self.lab!r} has no preset {shown(self.at)}; it has {listed(presets_of(self.lab))}."
            )
        if self.settled_fields()["measure"] not in SUBJECTS[self.lab].measures:
            raise Refusal(
                f"{shown(self.measure)} is no number of the lab {self.lab!r}; its numbers are "
                f"{listed(SUBJECTS[self.lab].measures)}."
            )
        axes = self.axes
        if len(axes) == 2 and axes[0].name == axes[1].name:
            raise Refusal(
                f"both axes are {axes[0].name}; take another field for one of them, or 'none' for the second."
            )
        if self.size > LARGEST:
            raise Refusal(
                f"{number(self.size)} fits are more than the {LARGEST:,} that a page computes; take fewer values or "
                "replicates, or the command `explorer sweep`."
            )

    def settled_fields(self):
        """The fields with a value in place of each 'auto'."""
        subject, values = SUBJECTS[self.lab], self.values()
        first, second = subject.axes
        x = values["x"] = first if self.x == AUTO else self.x
        y = values["y"] = (second if x != second else first) if self.y == AUTO else self.y
        for axis_name, name in (("x", x), ("y", y)):
            if name == NONE or name in swept(self.lab):
                low, high = ends(self.lab, name, values[f"{axis_name}_from"], values[f"{axis_name}_to"])
                values[f"{axis_name}_from"], values[f"{axis_name}_to"] = low, high
        values["measure"] = subject.measures[0] if self.measure == AUTO else self.measure
        return values

    def settled(self):
        """The same lab with nothing left to choose."""
        return type(self)(**self.settled_fields())

    @classmethod
    def from_flat(cls, words):
        """As of any model; what was left to choose is chosen, so that every box of the page shows what is swept."""
        lab, refused = super().from_flat(words)
        return lab.settled(), refused

    def move(self, **changes):
        """The same; with another lab or field, what belonged to the old one is chosen anew."""
        other = {name for name, value in changes.items() if value != getattr(self, name)}
        gone = ["at", "x", "x_from", "x_to", "y", "y_from", "y_to", "measure"] * ("lab" in other)
        gone += [f"{name}_{end}" for name in AXES if name in other for end in ("from", "to")]
        gone += ["picked"] * bool(other - {"measure", "picked"})
        defaults = {name: type(self).fields[name].default for name in gone}
        after = self.replace(**{**defaults, **changes}).settled_fields()
        super().move(
            **{name: value for name, value in after.items() if name in changes or value != getattr(self, name)}
        )

    @property
    def axes(self):
        """The one or two axes."""
        fields = self.settled_fields()
        names = [name for name in AXES if name == "x" or fields[name] != NONE]
        return tuple(
            axis(self.lab, fields[n], *(fields[f"{n}_{part}"] for part in ("from", "to", "count"))) for n in names
        )

    @property
    def size(self):
        """How many fits there are."""
        size = self.replicates
        for each in self.axes:
            size *= len(each.values)
        return size

    @property
    def study(self):
        """What is computed in every cell."""
        model, taken = model_of(self.lab), {each.name for each in self.axes} | {"seed"}
        fields = presets_of(self.lab)[self.at].fields if self.at else {}
        return LabStudy(self.lab, **{k: v for k, v in fields.items() if k not in taken and k not in model.aside})

    @property
    def call(self):
        """The arguments of the sweep, beside where it is computed and kept."""
        axes = {each.name: list(each.values) for each in self.axes}
        return {
            "study": self.study,
            "axes": axes,
            "replicates": self.replicates,
            "seed": self.seed,
            "common": tuple(axes) if self.paired else (),
        }

    def task(self):
        """A function that computes this state's SweepResult: what there is of the sweep by now."""
        return partial(compute, self.snapshot, self._cache)

    def more(self):
        """What a fit costs, from a few that are timed."""
        return cost_key(self), partial(cost, self.snapshot)
