"""A lab as a study: a function of a cell and a seed, which a sweep can send to any process."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.checks import Refusal, WrongType
from explorer.printing import echo, join_list

from . import registry
from .lab import Lab

if TYPE_CHECKING:
    from .stories import Preset


class Subject(NamedTuple):
    """What a sweep needs to know of a lab: its class, the two fields that are swept first, and its numbers."""

    lab: type[Lab]
    axes: tuple[str, ...]
    measures: tuple[str, ...]


def subjects() -> dict[str, Subject]:
    """name -> Subject of each lab that can be swept, in their order."""
    return {
        name: Subject(entry.lab, entry.axes, entry.lab.result_class.measure_names())
        for name, entry in registry.entries().items()
        if entry.axes
    }


def subject(lab: str) -> Subject:
    """The Subject of a lab; Refusal where no such lab can be swept."""
    known = subjects()
    if lab not in known:
        raise Refusal(f"lab must be one of {', '.join(known)}, not {echo(lab)}.")
    return known[lab]


def presets_of(lab: str) -> dict[str, Preset]:
    """A lab's presets by their names."""
    return {preset.name: preset for preset in registry.role(lab, "stories").PRESETS}


def preset_of(lab: str, name: str) -> Preset | None:
    """A lab's preset by its name, or by the one that it had in older links; None where there is none."""
    presets = presets_of(lab)
    earlier = {preset.was: preset for preset in presets.values() if preset.was}
    return presets.get(name, earlier.get(name))


class LabStudy:
    """study(**cell, seed=) gives the numbers that a lab compares two states by, as {name: number}.

    lab     its address, such as "shrinkage"
    fields  of the lab, constant over the cells; what is in neither has its default

    A number that a state does not have is nan, and a cell that the lab refuses has no other. Where another filter takes
    F-KMSE's place, its numbers have F-KMSE's names. Raises ValueError for a lab and TypeError for a field that there is
    not.
    """

    def __init__(self, lab: str, **fields: Any) -> None:
        subject(lab)
        self.lab = lab
        self.fields = fields
        if strange := [name for name in fields if name not in self.model.fields]:
            raise WrongType(
                f"the lab {echo(lab)} has no field {echo(strange[0])}; it has {join_list(self.model.fields)}."
            )

    @property
    def model(self) -> type[Lab]:
        """The lab's class, from which axes have their units, symbols and limits."""
        return subject(self.lab).lab

    def state(self, seed: int, **cell: float | str) -> Any:
        """The lab in a cell; Refusal where it cannot be there. A sweep's seeds are longer than those of a lab."""
        most = self.model.fields["seed"].bounds[1]
        return self.model(**{**self.fields, **cell, "seed": seed % (most + 1)})

    def __call__(self, *, seed: int, **cell: float) -> dict[str, float]:
        try:
            result = self.state(seed, **cell).result()
        except Refusal:
            numbers = {}
        else:
            numbers = result.measured()
        return {name: nan if numbers.get(name) is None else float(numbers[name]) for name in subject(self.lab).measures}

    def __repr__(self) -> str:
        fields = "".join(f", {name}={value!r}" for name, value in sorted(self.fields.items()))
        return f"LabStudy({self.lab!r}{fields})"
