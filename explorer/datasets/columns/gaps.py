"""Missing cells as data: values to fill them, and indicator columns of the gaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from explorer.types import Mask, Points, Vector

from .treatment import ColumnTreatment

LEVELS = ("given", "missing")


@dataclass(frozen=True)
class FilledSamples:
    """Samples without gaps, with an additional indicator column for each column that had gaps.

    Attributes
    ----------
    columns : tuple of ColumnTreatment
        The treatments of all columns of X. Those of kind "missing" are last.
    samples : tuple of ndarray of shape (n, d + gaps)
        The samples.
    """

    columns: tuple[ColumnTreatment, ...]
    samples: tuple[Points, ...]


def fill_gaps(
    columns: Sequence[ColumnTreatment], samples: Sequence[Points], others: Mapping[str, Sequence[Mask]] | None = None
) -> FilledSamples:
    """Fill the missing cells of samples with typical values and append columns of 0 and 1 that mark them.

    A missing number becomes the median of the column in all samples, a missing category the most frequent level. So the
    filled value says nothing about the sample that a row is from.

    Parameters
    ----------
    columns : sequence of ColumnTreatment
        The treatments of the d columns.
    samples : sequence of ndarray of shape (n, d)
        The samples, with NaN for missing cells.
    others : mapping of str to sequence of ndarray of bool of shape (n,), or None, default None
        The missing cells in each sample of columns that are not in X, by the columns' names.

    Returns
    -------
    FilledSamples
        The filled samples.
    """
    gaps = {column.name: [np.isnan(X[:, j]) for X in samples] for j, column in enumerate(columns)}
    typical = [_typical(column, np.concatenate([X[:, j] for X in samples])) for j, column in enumerate(columns)]
    whole = [np.where(np.isnan(X), typical, X) for X in samples]
    some = {name: masks for name, masks in {**gaps, **(others or {})}.items() if any(mask.any() for mask in masks)}
    rates = {name: float(np.concatenate(masks).mean()) for name, masks in some.items()}
    added = tuple(ColumnTreatment(name, "missing", levels=LEVELS, rate=rate) for name, rate in rates.items())
    marks = (np.column_stack([masks[k] for masks in some.values()]) if some else None for k in range(len(samples)))
    extended = tuple(X if mask is None else np.hstack([X, mask]) for X, mask in zip(whole, marks, strict=True))
    return FilledSamples((*columns, *added), extended)


def _typical(column: ColumnTreatment, x: Vector) -> float:
    """Return the median of numbers, or the most frequent code of a category."""
    given = x[~np.isnan(x)]
    if not column.levels:
        return float(np.median(given))
    return float(np.bincount(given.astype(int)).argmax())
