"""A lab as a study: a function of a cell and a seed that a sweep can send to any process."""

from __future__ import annotations

from math import nan
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.checks import Refusal, WrongType
from explorer.printing import echo, join_list

from . import registry
from .content import content_of
from .lab import Lab

if TYPE_CHECKING:
    from .stories import Preset


class Subject(NamedTuple):
    """Description of a lab for a sweep.

    Attributes
    ----------
    lab : type of Lab
        Its class.
    axes : tuple of str
        The two fields that are swept first.
    measures : tuple of str
        Names of its numbers.
    """

    lab: type[Lab]
    axes: tuple[str, ...]
    measures: tuple[str, ...]


def subjects() -> dict[str, Subject]:
    """Return the description, for a sweep, of each lab that can be swept, by name, in the order of the labs.

    Returns
    -------
    dict of str to Subject
        The descriptions.
    """
    return {
        name: Subject(entry.lab, entry.axes, entry.lab.result_class.measure_names())
        for name, entry in registry.entries().items()
        if entry.axes
    }


def subject(lab: str) -> Subject:
    """Return a lab's description for a sweep: its class, the fields that are swept first, and its numbers.

    Parameters
    ----------
    lab : str
        Name of the lab.

    Returns
    -------
    Subject
        The description.

    Raises
    ------
    Refusal
        If no such lab can be swept.
    """
    known = subjects()
    if lab not in known:
        raise Refusal("lab must be one of {}, not {}.", ", ".join(known), echo(lab))
    return known[lab]


def presets_of(lab: str) -> dict[str, Preset]:
    """Return a lab's presets by name.

    Parameters
    ----------
    lab : str
        Name of the lab.

    Returns
    -------
    dict of str to Preset
        The presets.
    """
    return {preset.name: preset for preset in content_of(lab).presets}


def preset_of(lab: str, name: str) -> Preset | None:
    """Return a lab's preset by its current name or its name in older links.

    Parameters
    ----------
    lab : str
        Name of the lab.
    name : str
        Name of the preset.

    Returns
    -------
    Preset or None
        None if there is none.
    """
    presets = presets_of(lab)
    earlier = {preset.was: preset for preset in presets.values() if preset.was}
    return presets.get(name, earlier.get(name))


class LabStudy:
    """Function study(**cell, seed=) that returns the numbers by which a lab compares states, {name: number}.

    A number that a state does not have is NaN. If the lab refuses a cell, all its numbers are NaN. If another filter
    replaces F-KMSE, its numbers have F-KMSE's names.

    Parameters
    ----------
    lab : str
        Name of the lab, such as "shrinkage".
    **fields : Any
        Fields of the lab that are constant over the cells. All others have their defaults.

    Raises
    ------
    ValueError
        If there is no such lab.
    TypeError
        If the lab has no such field.
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
        """Class of the lab. Its fields give axes their units, symbols and limits."""
        return subject(self.lab).lab

    def state(self, seed: int, **cell: float | str) -> Any:
        """Return the lab in a cell. A sweep's seeds are longer than those of a lab, and are reduced.

        Parameters
        ----------
        seed : int
            The seed of the sweep.
        **cell : float or str
            The cell.

        Returns
        -------
        Lab
            The lab.

        Raises
        ------
        Refusal
            If the lab does not accept the cell.
        """
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
