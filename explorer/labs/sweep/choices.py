"""Menus of the Sweep lab, each a mapping from labels to values."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from explorer.workbench import registry
from explorer.workbench.axes import NONE, counted, field_label, swept
from explorer.workbench.study import presets_of, subject, subjects

from .words import measure_text

if TYPE_CHECKING:
    from .lab import SweepLab


def labs(lab: SweepLab) -> dict[str, str]:
    """Return the labs that can be swept."""
    return {registry.entry(name).title: name for name in subjects()}


def measures_of(lab: SweepLab) -> dict[str, str]:
    """Return the measures of the swept lab."""
    return {measure_text(name): name for name in subject(lab.lab).measures}


def fields_of(lab: SweepLab) -> dict[str, str]:
    """Return the menu of an axis: label -> name of a field."""
    return {field_label(lab.lab, name): name for name in swept(lab.lab)}


def fields_or_none(lab: SweepLab) -> dict[str, str]:
    """Return the menu of the second axis, which also offers to have no field."""
    return {NONE: NONE, **fields_of(lab)}


def presets_and_none(lab: SweepLab) -> dict[str, str]:
    """Return the menu of presets: label -> name of a preset."""
    return {"the lab's defaults": "", **{name: name for name in presets_of(lab.lab)}}


def is_counted(which: str) -> Callable[..., Any]:
    """Return a condition of the result: whether the axis runs from one number to another."""
    return lambda result: counted(result.lab.lab, getattr(result.lab, which))
