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
from explorer.public_names.synonyms import explain_wrong_calls

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
    depends: Iterable[Any] = (),
    reuse: bool = False,
) -> xarray.Dataset:
    """Compute ``study(**cell, seed=)`` for every cell of a grid, and return the numbers as a labelled data set.

    Use it to see how a result depends on settings, with replicates, on several processors. For one parameter of an
    estimator on one sample use `loocv`.

    Parameters
    ----------
    study : callable
        A function that can be sent to another process, a lambda or a notebook's function too. It is called with a value
        of every axis and a seed, and returns {name: number}, with the same names in every cell.
    axes : dict
        {name or model parameter: values}; the values are numbers, strings or models. Unit, symbol and limits come from
        the parameter, if the axis is one.
    replicates : int, default 1
        How often each combination is studied.
    executor : Executor or None, default None
        Any concurrent.futures.Executor. None is processes of this machine, `InProcess()` this process. A cluster is
        dask.distributed.Client(...).get_executor().
    store : str, path or None, default None
        A file that survives `kill -9`: a rerun computes only the missing cells, unless what the study depends on has
        changed. None stores nothing.
    seed : int, default 0
        A whole number. A cell's own seed is a hash of it, of the replicate and of the cell's values, so that no
        executor, order or restart changes a bit.
    progress : bool or "line", default True
        True shows the progress: a bar in a terminal, a line now and then in a log, and in a notebook a line above a
        picture that fills, which "line" leaves out. False shows nothing.
    common : sequence of str, default ()
        Axes along which replicates keep their seed: all values share the same samples.
    depends : iterable, default ()
        What the study uses and its code does not name: paths of files and folders, modules, functions, values. The
        store records them with the study's own code and all that it reaches.
    reuse : bool, default False
        True keeps the numbers of a store although something that they depend on has changed, with a warning that names
        the changes.

    Returns
    -------
    xarray.Dataset
        The numbers over the axes and `replicate`.

    Raises
    ------
    TypeError
        If the axes are not a grid, or the study returns no numbers or cannot be pickled.
    ValueError
        If the grid is too large, or if the store is damaged, belongs to another study or grid, or was written by other
        code: the message names what changed.
    BlockingIOError
        If another sweep is writing to the store.
    KeyboardInterrupt
        After Ctrl+C: the store keeps all finished cells, and the message says how many they are.

    Warns
    -----
    ExplorerWarning
        If cells of the store are damaged (they are computed again), if its numbers are kept by `reuse`, or if an
        earlier version wrote it, which did not record what the study depends on.

    Notes
    -----
    A store records what the study depends on: the user's functions, classes and values that its code reaches by name,
    in closures, defaults, partials and the objects that it holds, in any module outside the installed packages; and the
    versions of Python, this library, numpy, scipy, numba, scikit-learn and other packages that it uses. Code counts as
    Python compiles it, without comments, docstrings and layout. A cache that the study fills in a global name counts as
    a value; that of `functools.cache` does not.

    An exception that the study raises is raised here, with a note that names its cell.

    Examples
    --------
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
    run = planned(study, axes, replicates, executor, store, seed, common, depends, reuse)
    with closing(followed(run, picture=progress != "line") if progress else iter(run)) as steps:
        try:
            for _ in steps:
                pass
        except KeyboardInterrupt:
            if executor is None:
                end_processes()
            raise KeyboardInterrupt(run.left()) from None
    return run.dataset()
