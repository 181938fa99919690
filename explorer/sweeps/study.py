"""Preparation of a run from a study and its axes: the study's identity, and the data set for its numbers."""

from __future__ import annotations

import functools
import inspect
import json
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.estimators.check import warn_if_faulty
from explorer.model import Model
from explorer.printing import WHOLE, code, echo, short_repr, truncate
from explorer.public_names.help_text import VERSION
from explorer.types import Mask, Vector

from .checksums import CHECKSUM, DONE
from .grid import Grid
from .run import Run
from .sources import sources_of, without_address
from .store import DEPENDS, MIXED

if TYPE_CHECKING:
    from xarray import Dataset


def planned(
    study: Any,
    axes: Mapping[Any, Iterable[Any]],
    replicates: int = 1,
    executor: Any = None,
    store: str | PathLike[str] | None = None,
    seed: int = 0,
    common: int | Sequence[str] = (),
    depends: Iterable[Any] = (),
    reuse: bool = False,
) -> Run:
    """Return the run of a sweep, not begun; the arguments are those of `sweep`.

    Parameters
    ----------
    study : callable
        The study. If it is not a plain function, its attribute `model` may name the class of models whose parameters
        the axes are.
    axes : dict
        {name or model parameter: values}.
    replicates : int, default 1
        How often each combination is studied.
    executor : Executor or None, default None
        None is processes of this machine.
    store : str, path or None, default None
        File of the store.
    seed : int, default 0
        A whole number.
    common : str or sequence of str, default ()
        Axes along which replicates keep their seed.
    depends : iterable, default ()
        What the study uses and its code does not name: paths of files and folders, modules, functions, values.
    reuse : bool, default False
        Whether a store's numbers are kept although what the study depends on has changed.

    Returns
    -------
    Run
        Iterate over it to run it.

    Raises
    ------
    TypeError
        If the study or the axes have the wrong type, or the study cannot be pickled.
    ValueError
        If the grid or the store is refused.

    Examples
    --------
    >>> from explorer.sweeps import InProcess, planned
    >>> def study(x, seed):
    ...     return {"value": x**2}
    >>> run = planned(study, {"x": [1, 2, 3]}, replicates=2, executor=InProcess())
    >>> run.done.tolist()
    [False, False, False, False, False, False]
    >>> [step.done for step in run][-1], run.dataset()["value"].mean("replicate").values.tolist()
    (6, [1.0, 4.0, 9.0])
    """
    if not callable(study):
        raise WrongType(f"a study is a function of a cell and a seed, not {echo(study)}.")
    grid = Grid(axes, replicates, seed, common, getattr(study, "model", None))
    models = [value for values in grid.axes.values() for value in values if isinstance(value, Model)]
    for each in models:
        warn_if_faulty(each)
    name, source = identity(study)
    if executor is None:
        _check_picklable(study, name)
    if not isinstance(reuse, bool):
        raise WrongType(f"reuse must be True or False, not {echo(reuse)}.")
    key = {"study": name, "source": sha256(source.encode()).hexdigest(), "version": VERSION, "grid": grid.key()}
    if store is not None or depends:
        key[DEPENDS] = json.dumps(sources_of(study, models, depends), ensure_ascii=False)
        key[MIXED] = "0"
    root = grid.seed if grid.seed < 2**31 else str(grid.seed)  # a netCDF file has no larger whole numbers
    return Run(
        study,
        grid,
        functools.partial(dataset, grid, {"study": name, "version": VERSION, "seed": root}),
        key,
        executor,
        store,
        reuse,
    )


def identity(study: Callable[..., Any]) -> tuple[str, str]:
    """Return the name and the source of a study; a partial's name has its arguments, an object's its parameters."""
    if isinstance(study, functools.partial):
        name, source = identity(study.func)
        arguments = ", ".join(
            [*map(_short_code, study.args), *(f"{k}={_short_code(v)}" for k, v in sorted(study.keywords.items()))]
        )
        return f"{name}({arguments})", source
    parameters = "" if inspect.isroutine(study) or inspect.isclass(study) else f" {_short_code(study)}"
    kind = study if not parameters else type(study)
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):  # typed into a plain prompt, or written in another language
        source = repr(getattr(getattr(kind, "__code__", None), "co_code", kind))
    return f"{kind.__module__}.{kind.__qualname__}{parameters}", source


def _short_code(value):
    """Return a value's code for a study's name; a long one is abbreviated, with a hash that identifies it."""
    full = without_address(code(value))
    if len(full) <= WHOLE:
        return full
    return f"{without_address(short_repr(value, WHOLE))} (SHA-256 of its code {sha256(full.encode()).hexdigest()})"


def _check_picklable(study, name):
    """Refuse a study that cannot be sent to another process."""
    from cloudpickle import dumps

    try:
        dumps(study)
    except (pickle.PicklingError, TypeError, AttributeError) as error:
        advice = "make it a function of a module, or use InProcess()"
        raise WrongType(
            f"{truncate(name)} cannot be sent to another process ({truncate(str(error), 240)}); {advice}."
        ) from error


def dataset(
    grid: Grid, attributes: Mapping[str, Any], values: Mapping[str, Vector], flags: Mask | None = None
) -> Dataset:
    """Return the data set of the numbers: axes as coordinates with unit and symbol, and the seed of every cell.

    Parameters
    ----------
    grid : Grid
        The grid.
    attributes : dict
        Attributes of the data set.
    values : dict
        {name: (cells,) numbers}.
    flags : ndarray of bool, shape (cells,), or None, default None
        In a store, whether each cell is complete. A store has no seeds, because its grid determines them.

    Returns
    -------
    xarray.Dataset
        The data set.
    """
    import xarray

    if clash := sorted(values.keys() & {*grid.dims, "seed", DONE, CHECKSUM}):
        raise Refusal(f"a study cannot return a number called {echo(clash[0])}: an axis has that name, or the store.")
    variables: dict[str, Any] = {name: (grid.dims, numbers.reshape(grid.shape)) for name, numbers in values.items()}
    coordinates: dict[str, Any] = {
        name: (name, _column(axis), _about(grid.parameters[name]), _on_disk(axis)) for name, axis in grid.axes.items()
    }
    coordinates["replicate"] = np.arange(grid.replicates, dtype=np.int32)
    if flags is not None:
        variables[DONE] = (
            grid.dims,
            flags.reshape(grid.shape).astype(np.int8),
            {"long_name": "whether the cell is there"},
        )
        variables[CHECKSUM] = (
            grid.dims,
            np.zeros(grid.shape, np.int32),
            {"long_name": "CRC-32 of the cell's index and numbers, big-endian, in the order of their names"},
        )
    else:
        seeds = np.fromiter((grid.cell(i)[1] for i in range(grid.size)), np.int64, grid.size)
        # The default writer of to_netcdf() has 32 bits for whole numbers; a float represents a seed exactly.
        coordinates["seed"] = (grid.dims, seeds.reshape(grid.shape), {}, {"dtype": "float64"})
    return xarray.Dataset(variables, coordinates, attributes)


def _column(values):
    """Return an axis's values as a coordinate that selects its cells: numbers and truth values; others as text."""
    if all(isinstance(value, bool) for value in values):
        return np.array(values)
    if _are_numbers(values):
        fits = all(isinstance(value, float) or abs(value) < 2**63 for value in values)
        return np.array(values, dtype=None if fits else float)
    return np.array([value if isinstance(value, str) else code(value) for value in values])


def _on_disk(values):
    """Return the encoding of a coordinate: netCDF has whole numbers of 32 bits, and a float represents 53 bits."""
    if not _are_numbers(values) or any(isinstance(value, float) for value in values):
        return {}
    largest = max(map(abs, values))
    return {"dtype": "float64"} if 2**31 <= largest <= 2**53 else {}


def _are_numbers(values):
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)


def _about(label):
    return {} if label is None else label.attributes()
