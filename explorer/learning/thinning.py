"""Kernel thinning: rows that represent a sample, by halving it and then swapping rows."""

from __future__ import annotations

import numpy as np

from explorer.checks import Refusal
from explorer.embeddings.halving import FAILURE, between_rows, halve, swap_rows
from explorer.types import Rows

from .relative import Relative


def halving_rounds(n: int, m: int) -> int:
    """Return the number of times that n rows are halved, the last of an odd number left out, until m of them are left.

    Raises
    ------
    Refusal
        If no number of halvings leaves m.
    """
    rounds = (n // m).bit_length() - 1
    if n >> rounds != m:
        raise Refusal(
            f"m = {m} is not what halving the {n} rows of X leaves; kernel thinning leaves {n >> (rounds + 1)} or"
            f" {n >> rounds} of them: take one of these, or method='herding'."
        )
    return rounds


def thin_rows(relative: Relative, m: int, again: bool, rng: np.random.Generator) -> Rows:
    """Return m row numbers, n halved some times, whose kernel mean is near to that of all n points: kernel thinning.

    KT-SPLIT halves the points, the halves and so on. KT-SWAP takes the best of the parts, or every (n/m)-th row if that
    is better, and replaces each row in turn by the one that leaves the least distance. Dwivedi and Mackey 2021 (COLT),
    algorithms 1, 1a and 1b, with one kernel for both steps as in their Generalized Kernel Thinning (2022, ICLR).
    """
    points = relative.points
    n, rounds = len(points), halving_rounds(len(points), m)
    between, parts = between_rows(relative.kernel, points), [np.arange(n)]
    for level in range(rounds):
        failure = FAILURE / n * 2**level / rounds
        parts = [half for rows in parts for half in halve(between, rows, failure, rng)]
    every = np.arange(2**rounds - 1, n, 2**rounds)[:m]
    best = min([every, *parts], key=lambda rows: _square(relative, rows))
    return swap_rows(relative.column, relative.diagonal, relative.values, best, again)


def _square(relative, rows):
    """Return the squared distance of some rows' kernel mean to the target, minus the target's square."""
    points = relative.points[rows]
    return relative.kernel(points, points).mean() - 2 * relative.values[rows].mean()
