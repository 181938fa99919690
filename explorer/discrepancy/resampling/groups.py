"""Groups of rows within which a test permutes them: pairs, blocks, subjects that were measured repeatedly."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks
from explorer.checks import Refusal, WrongType
from explorer.types import Rows, Values


def group_codes(groups: ArrayLike, count: int, rows: str = "pooled rows, X's first") -> Rows:
    """Whole numbers (count,) from 0, one for each group, of labels (count,): words, numbers, dates.

    rows  what the labels are of, for the sentences. Raises ValueError, TypeError for labels that are missing, and for
          more or fewer than `count`.
    """
    labels = checks.as_array(groups, "groups")
    if labels.shape not in ((count,), (count, 1)):
        raise Refusal(f"groups has shape {labels.shape}; give one label for each of the {count} {rows}.")
    labels = labels.ravel()
    if labels.dtype.kind == "O":
        missing = [row for row, label in enumerate(labels) if checks.is_gap(label)]
    else:
        missing = np.flatnonzero(labels != labels)  # nan, and the date that is none
    if len(missing):
        raise Refusal(
            f"groups has {len(missing)} missing labels, the first of row {missing[0]} (counted from 0); give every row"
            " a label, or leave it out."
        )
    if labels.dtype.kind != "O":
        return np.unique(labels, return_inverse=True)[1].reshape(-1)
    codes = {}
    try:
        return np.array([codes.setdefault(label, len(codes)) for label in labels], dtype=int)
    except TypeError as error:  # lists, tables and the like, which are equal to nothing
        raise WrongType("groups holds values that are no labels; give words, numbers or dates.") from error


def subtract_group_means(values: Values, groups: Rows) -> Values:
    """Return values (N, ...) less the mean of their group, whose codes are 0, 1, ..., (N,)."""
    order = np.argsort(groups, kind="stable")
    counts = np.bincount(groups)
    starts, held = np.cumsum(counts) - counts, counts > 0
    means = np.add.reduceat(values[order], starts[held], axis=0)
    means /= counts[held].reshape(-1, *(1,) * (values.ndim - 1))
    return values - means[(np.cumsum(held) - 1)[groups]]


def refuse_one_permutation(ways: int) -> None:
    """A sentence where the groups leave one of `ways` to permute the rows, the observed one."""
    if ways == 1:
        raise Refusal(
            "every group holds rows of one sample alone, so permutations within groups change nothing and p can only be"
            " 1; give groups that have rows of both samples, such as the pairs of a paired study."
        )


def describe_permutations(codes: Rows, ways: int, least: float, count: int) -> str:
    """What `count` resamples are called: permutations, within how many groups and, where few of them differ, that.

    least  the least p by all `ways` to permute the rows within groups
    """
    total = int(codes.max()) + 1
    words = f"permutations within {total} group{'' if total == 1 else 's'}"
    if least > 1 / (1 + count):
        words += f" (of which only {ways:,} differ, so that p can hardly be below {least:.3g})"
    return words
