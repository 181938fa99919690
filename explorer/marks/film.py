"""Film of more samples: their curves appear one after the other, while their average settles."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.types import Vector

from .geometry import nothing
from .mark import Mark, Numbers, curve

SHOWN = 50  # number of samples drawn: more could not be distinguished, and their curves make a message of 100 kB
SAMPLES = ("x", "y", "weight")  # columns of an estimator's source `name`_samples, which the film reads and no mark


def film(samples: Any, name: str, stops: Vector, top: float) -> Numbers:
    """Return the sources of an estimator's film, `name`_samples, _film and _average; empty without Replicates.

    Curves follow one another, separated by NaN. The average of a loss is relative to the average loss of the plain
    average, so a sample with a large loss counts more. Values above `top` are not drawn.
    """
    parts = {"film": nothing("x", "y"), "samples": nothing(*SAMPLES), "average": nothing("x", "y")}
    if samples is not None:
        losses, weights = samples.losses[name][:, :-1], samples.empirical
        shown, average = losses[:SHOWN], weights @ losses / weights.sum()
        gap = np.full((len(shown), 1), np.nan)
        parts["samples"] = {
            "x": np.tile(np.append(stops, np.nan), len(shown)),
            "y": np.hstack([shown, gap]).ravel(),
            "weight": np.repeat(weights[: len(shown)], len(stops) + 1),
        }
        parts["average"] = {"x": stops, "y": np.where(average > top, np.nan, average)}
    return {f"{name}_{part}": columns for part, columns in parts.items()}


def filmed(name: str, role: str) -> tuple[Mark, Mark]:
    """Return the marks of the curves so far and of their average."""
    return (
        curve(f"{name}_film", role, width=1, alpha=0.28, follows_slider=True),
        curve(f"{name}_average", role, width=6, alpha=0.35, follows_slider=True),
    )
