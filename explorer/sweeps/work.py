"""Work on a worker: a batch of cells, with one BLAS thread, whose numbers are sent back."""

from __future__ import annotations

import numbers
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING, Any

from explorer.checks import WrongType
from explorer.execution.processors import at_most, one_thread
from explorer.printing import echo

from .failure import Failure

if TYPE_CHECKING:
    from explorer.estimators.base import Estimator


def run_batch(
    study: Any, cells: Sequence[tuple[int, Mapping[str, float | str | Estimator], int]], threads: int = 1
) -> tuple[list[tuple[int, dict[str, float]]], float, Failure | None]:
    """Compute a batch of cells, with one BLAS thread, so that every process rounds alike.

    Parameters
    ----------
    study : callable
        The study.
    cells : list of tuple
        (index, values, seed) of each cell.
    threads : int, default 1
        Largest number of this library's own threads.

    Returns
    -------
    numbers : list of tuple
        (index, {name: number}) of each finished cell.
    seconds : float
        Time that the batch took, in seconds.
    failure : Failure or None
        The failure that ended the batch.
    """
    import scipy.linalg  # noqa: F401, its BLAS must be loaded so that its threads can be limited

    with at_most(threads), one_thread():
        return _compute(study, cells)


def _compute(study, cells):
    start, done = perf_counter(), []
    for index, cell, seed in cells:
        try:
            done.append((index, _numbers(study(**cell, seed=seed))))
        except (
            Exception,
            SystemExit,
        ) as error:  # the sweep raises it again, with a note on its cell
            return done, perf_counter() - start, Failure(index, error)
    return done, perf_counter() - start, None


def _numbers(result):
    """Return a study's answer as plain floats."""
    if not isinstance(result, dict) or not result:
        raise WrongType(f"a study returns a dict of numbers by name, not {echo(result)}.")
    for name, value in result.items():
        if not isinstance(name, str):
            raise WrongType(f"a study's numbers have strings as names, not {echo(name)}.")
        if not isinstance(value, numbers.Real) and getattr(value, "shape", None) != ():
            raise WrongType(f"a study returns numbers; {echo(name)} is {echo(value)}.")
    return {name: float(value) for name, value in result.items()}
