"""A film of more samples: their curves come one after the other and pile up, while their average settles."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer.types import Vector

from .geometry import nothing
from .mark import Mark, Numbers, curve

SHOWN = 50  # of the samples: more would be a blot, and their curves are a message of 100 kB


def film(samples: Any, name: str, stops: Vector, top: float) -> Numbers:
    """The sources of an estimator's film, `name`_samples, _film and _average; empty where there are no Replicates.

    Curves follow one another, with a gap of nan between them. The average of a loss is relative to the average loss of
    the plain average, as a sample of a large loss counts more; where it lies above `top` it is not drawn.
    """
    parts = {"film": nothing("x", "y"), "samples": nothing("x", "y", "weight"), "average": nothing("x", "y")}
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
    """The curves that have come, and their average."""
    return (
        curve(f"{name}_film", role, width=1, alpha=0.28, follows_slider=True),
        curve(f"{name}_average", role, width=6, alpha=0.35, follows_slider=True),
    )
