"""What the menus of the Sweep lab offer, each a map of words to values."""

from __future__ import annotations

from explorer.workbench import registry
from explorer.workbench.axes import NONE, called, counted, swept
from explorer.workbench.study import presets_of, subject, subjects

from .words import spoken


def labs(lab):
    """The labs that can be swept."""
    return {registry.entry(name).title: name for name in subjects()}


def measures_of(lab):
    """The numbers of the lab that is swept."""
    return {spoken(name): name for name in subject(lab.lab).measures}


def fields_of(lab):
    """What the menu of an axis offers, words -> name of a field."""
    return {called(lab.lab, name): name for name in swept(lab.lab)}


def fields_or_none(lab):
    """What the menu of the second axis offers beside them: no field."""
    return {NONE: NONE, **fields_of(lab)}


def presets_and_none(lab):
    """What the menu of presets offers, words -> name of a preset."""
    return {"its defaults": "", **{name: name for name in presets_of(lab.lab)}}


def is_counted(which):
    """Whether the axis goes from one number to another, as a condition of the result."""
    return lambda result: counted(result.lab.lab, getattr(result.lab, which))
