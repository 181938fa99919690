"""What the menus of the Sweep lab offer, each a map of words to values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from explorer.workbench import registry
from explorer.workbench.axes import NONE, field_label, counted, swept
from explorer.workbench.study import presets_of, subject, subjects

from .words import spoken

if TYPE_CHECKING:
    from .lab import SweepLab


def labs(lab: SweepLab) -> dict[str, str]:
    """The labs that can be swept."""
    return {registry.entry(name).title: name for name in subjects()}


def measures_of(lab: SweepLab) -> dict[str, str]:
    """The numbers of the lab that is swept."""
    return {spoken(name): name for name in subject(lab.lab).measures}


def fields_of(lab: SweepLab) -> dict[str, str]:
    """What the menu of an axis offers, words -> name of a field."""
    return {field_label(lab.lab, name): name for name in swept(lab.lab)}


def fields_or_none(lab: SweepLab) -> dict[str, str]:
    """What the menu of the second axis offers beside them: no field."""
    return {NONE: NONE, **fields_of(lab)}


def presets_and_none(lab: SweepLab) -> dict[str, str]:
    """What the menu of presets offers, words -> name of a preset."""
    return {"the lab's defaults": "", **{name: name for name in presets_of(lab.lab)}}


def is_counted(which: str) -> Callable[..., Any]:
    """Whether the axis goes from one number to another, as a condition of the result."""
    return lambda result: counted(result.lab.lab, getattr(result.lab, which))
