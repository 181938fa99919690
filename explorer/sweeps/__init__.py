"""Sweeps: a study over a grid of cells, on any executor, into one labelled data set and a store that survives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from os import PathLike
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from concurrent.futures import Executor

    import xarray

from explorer.checks import Refusal
from explorer.printing import echo
from explorer.synonyms import explain_wrong_calls

from .executors import InProcess as InProcess
from .executors import end_processes
from .grid import Grid as Grid
from .progress import followed as followed
from .run import Progress as Progress
from .run import Run as Run
from .study import planned as planned


@explain_wrong_calls
def sweep(
    study: Callable[..., Mapping[str, float]],
    axes: Mapping[str, Iterable[Any]],
    replicates: int = 1,
    executor: Executor | None = None,
    store: str | PathLike[str] | None = None,
    seed: int = 0,
    progress: bool | Literal["line"] = True,
    common: Sequence[str] = (),
) -> xarray.Dataset:
    """Compute study(**cell, seed=) for every cell of a grid: an xarray.Dataset over the axes and `replicate`.

    study       a function that can be pickled; called with a value of every axis and a seed, it returns {name: number},
                the same names in every cell
    axes        {name or model parameter: values}; numbers, strings or models. Unit, symbol and limits come from the
                parameter, where the axis is one
    replicates  how often each combination is studied
    executor    any concurrent.futures.Executor; None is processes of this machine, `InProcess()` this one. A cluster is
                dask.distributed.Client(...).get_executor()
    store       a file that survives `kill -9`: a rerun computes what is missing. None keeps nothing
    seed        a whole number; a cell's own seed is a hash of it, of the replicate and of the cell's values, so that no
                executor, order or restart changes a bit
    progress    True shows how far it is: a bar in a terminal, a line now and then in a log, and in a notebook a line
                above a picture that fills, which "line" leaves out; False shows nothing
    common      axes along which replicates keep their seed: the same samples meet all values

    Interrupted (Ctrl+C), it keeps in the store what is done, and its KeyboardInterrupt says how much. Raises TypeError
    or ValueError with a sentence for what is no grid or too large, for a store that is damaged or of another study,
    version or grid, and for a study that returns no numbers; what a study itself raises comes with the cell that raised
    it; BlockingIOError where another sweep writes to the store. Cells of the store that are damaged are computed anew,
    with a warning.

    >>> from explorer import sweep
    >>> from explorer.sweeps import InProcess
    >>> def study(n, seed):
    ...     return {"square": n**2}
    >>> sweep(study, {"n": [1, 2, 3]}, executor=InProcess(), progress=False)["square"].values
    array([[1.],
           [4.],
           [9.]])
    """
    if not (isinstance(progress, bool) or progress == "line"):
        raise Refusal(f'progress must be True, "line" or False, not {echo(progress)}.')
    run = planned(study, axes, replicates, executor, store, seed, common)
    with closing(followed(run, picture=progress != "line") if progress else iter(run)) as steps:
        try:
            for _ in steps:
                pass
        except KeyboardInterrupt:
            if executor is None:
                end_processes()
            raise KeyboardInterrupt(run.left()) from None
    return run.dataset()
