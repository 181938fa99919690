"""What runs where the cells are computed: a batch of cells, one BLAS thread, and numbers that come back."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from explorer.checks import WrongType
from explorer.printing import echo
from explorer.processors import at_most, one_thread

from .failure import Failure

if TYPE_CHECKING:
    from explorer.estimators.base import Estimator


def run_batch(
    study: Any, cells: Sequence[tuple[int, Mapping[str, float | str | Estimator], int]], threads: int = 1
) -> tuple[list[tuple[int, dict[str, float]]], float, Failure | None]:
    """[(index, {name: number})] of a batch of (index, cell, seed), seconds taken, and the failure that ended it, or
    None. With BLAS on one thread, so that every process rounds alike; `threads` of our own compute at most.
    """
    import scipy.linalg  # noqa: F401, its BLAS must be there to be held

    with at_most(threads), one_thread():
        return _computed(study, cells)


def _computed(study, cells):
    start, done = perf_counter(), []
    for index, cell, seed in cells:
        try:
            done.append((index, _numbers(study(**cell, seed=seed))))
        except (
            Exception,
            SystemExit,
        ) as error:  # whatever a study raises is told by the sweep, with the cell that it was raised in
            return done, perf_counter() - start, Failure(index, error)
    return done, perf_counter() - start, None


def _numbers(result):
    """A study's answer as plain floats."""
    if not isinstance(result, dict) or not result:
        raise WrongType(f"a study returns a dict of numbers by name, not {echo(result)}.")
    for name, value in result.items():
        if not isinstance(name, str):
            raise WrongType(f"a study's numbers have strings as names, not {echo(name)}.")
        if not isinstance(value, numbers.Real) and getattr(value, "shape", None) != ():
            raise WrongType(f"a study returns numbers; {echo(name)} is {echo(value)}.")
    return {name: float(value) for name, value in result.items()}
