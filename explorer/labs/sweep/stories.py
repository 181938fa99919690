"""Presets of the Sweep lab, which has no stories."""

from __future__ import annotations

from explorer.workbench import Preset

from .lab import SweepLab


def _fields(**fields):
    """Return a state without automatic fields, as the page has it."""
    return SweepLab(**fields).settled().values()


PRESETS = (
    Preset(
        "Bandwidth and n",
        "Shrinkage helps most with narrow bandwidths and few points. Along both axes the relative loss rises to 1.",
        _fields(x_from=0.1, x_to=3.2, y_from=5, y_to=100, replicates=10),
        "the share of steps that climb or stay",
        at_least=0.9,
    ),
    Preset(
        "Outliers and Q",
        "MONK's error stays small while fewer than half of its Q blocks can be contaminated. Beyond that it jumps.",
        _fields(lab="monk", x_from=0, x_to=10, y_from=1, y_to=21),
        "errors beyond the breakdown point relative to those before it",
        at_least=10.0,
    ),
    Preset(
        "What a test sees",
        "With 100 points each, p falls as the distributions move apart, down to the smallest p of 999 permutations.",
        _fields(lab="twosample", x_from=0.1, x_to=1.6, y="none", replicates=20),
        "the last two values",
        at_most=0.001,
    ),
)
STORIES = ()
