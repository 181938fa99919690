"""Missing cells as data: what stands in their place, and columns that say which cells are missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.types import Mask, Points, Vector

from .treatment import ColumnTreatment

LEVELS = ("given", "missing")


@dataclass(frozen=True)
class FilledSamples:
    """Samples without gaps: what stood in `filled`, and of each column with gaps one that says where they were.

    columns  the treatments of all columns of X, those of kind "missing" last
    samples  X (n, d + gaps) of each sample
    """

    columns: tuple[ColumnTreatment, ...]
    samples: tuple[Points, ...]


def fill_gaps(
    columns: Sequence[ColumnTreatment], samples: Sequence[Points], others: Mapping[str, Sequence[Mask]] | None = None
) -> FilledSamples:
    """Return samples whose missing cells, NaN in X (n, d), hold a typical value, and columns of 0 and 1 for the gaps.

    A missing number becomes the median of the column in all samples, a missing category the most frequent level. So
    what stands there says nothing about the sample that a row is from. `others` are columns that X has not, and which
    of their cells are missing in each sample, {name: [(n,), ...]}.
    """
    gaps = {column.name: [np.isnan(X[:, j]) for X in samples] for j, column in enumerate(columns)}
    typical = [_typical(column, np.concatenate([X[:, j] for X in samples])) for j, column in enumerate(columns)]
    whole = [np.where(np.isnan(X), typical, X) for X in samples]
    some = {name: masks for name, masks in {**gaps, **(others or {})}.items() if any(mask.any() for mask in masks)}
    rates = {name: float(np.concatenate(masks).mean()) for name, masks in some.items()}
    added = tuple(ColumnTreatment(name, "missing", levels=LEVELS, rate=rate) for name, rate in rates.items())
    marks = (np.column_stack([masks[k] for masks in some.values()]) if some else None for k in range(len(samples)))
    found = tuple(X if mask is None else np.hstack([X, mask]) for X, mask in zip(whole, marks, strict=True))
    return FilledSamples((*columns, *added), found)


def _typical(column: ColumnTreatment, x: Vector) -> float:
    given = x[~np.isnan(x)]
    if not column.levels:
        return float(np.median(given))
    return float(np.bincount(given.astype(int)).argmax())
