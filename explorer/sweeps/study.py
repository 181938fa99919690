"""From a study and its axes to a run: which study it is, and the data set that its numbers belong in."""

from __future__ import annotations

import functools
import inspect
import pickle
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from os import PathLike
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.help_text import VERSION
from explorer.printing import WHOLE, code, echo, short_repr, truncate
from explorer.types import Mask, Vector

from .grid import Grid
from .run import Run
from .whole import CHECKSUM, DONE

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
) -> Run:
    """The run of a sweep, not begun; the arguments are those of `sweep`.

    A study that is no plain function may say which parameters its axes are by an attribute `model`, a class of models.

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
    name, source = identity(study)
    if executor is None:
        _travels(study, name)
    key = {"study": name, "source": sha256(source.encode()).hexdigest(), "version": VERSION, "grid": grid.key()}
    told = grid.seed if grid.seed < 2**31 else str(grid.seed)  # a netCDF file has no larger whole numbers
    return Run(
        study,
        grid,
        functools.partial(dataset, grid, {"study": name, "version": VERSION, "seed": told}),
        key,
        executor,
        store,
    )


def identity(study: Callable[..., Any]) -> tuple[str, str]:
    """What a study is called, and its source; of a partial one with its arguments, of an object with what it holds."""
    if isinstance(study, functools.partial):
        name, source = identity(study.func)
        said = ", ".join([*map(_named, study.args), *(f"{k}={_named(v)}" for k, v in sorted(study.keywords.items()))])
        return f"{name}({said})", source
    held = "" if inspect.isroutine(study) or inspect.isclass(study) else f" {_named(study)}"
    kind = study if not held else type(study)
    try:
        source = inspect.getsource(kind)
    except (OSError, TypeError):  # typed into a plain prompt, or written in another language
        source = repr(getattr(getattr(kind, "__code__", None), "co_code", kind))
    return f"{kind.__module__}.{kind.__qualname__}{held}", source


def _named(value):
    """A value in a study's name: its code, or where that is long an abbreviation and what tells it from others."""
    full = code(value)
    if len(full) <= WHOLE:
        return full
    return f"{short_repr(value, WHOLE)} (SHA-256 of its code {sha256(full.encode()).hexdigest()})"


def _travels(study, name):
    """A sentence for what cannot be sent to another process."""
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
    """The data set of {name: (cells,) numbers}: axes as coordinates with unit and symbol, and the seed of every cell.

    flags  in a store: whether each cell is there; a store has no seeds, as its grid says them
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
        # to_netcdf() without a writer of its own has 32 bits for whole numbers, and a float holds a seed
        coordinates["seed"] = (grid.dims, seeds.reshape(grid.shape), {}, {"dtype": "float64"})
    return xarray.Dataset(variables, coordinates, attributes)


def _column(values):
    """An axis's values as a coordinate, so that they select its cells: numbers and truth values; others in words."""
    if all(isinstance(value, bool) for value in values):
        return np.array(values)
    if _are_numbers(values):
        fits = all(isinstance(value, float) or abs(value) < 2**63 for value in values)
        return np.array(values, dtype=None if fits else float)
    return np.array([value if isinstance(value, str) else code(value) for value in values])


def _on_disk(values):
    """How a coordinate is written: a netCDF file has whole numbers of 32 bits, and a float holds 53."""
    if not _are_numbers(values) or any(isinstance(value, float) for value in values):
        return {}
    largest = max(map(abs, values))
    return {"dtype": "float64"} if 2**31 <= largest <= 2**53 else {}


def _are_numbers(values):
    return all(isinstance(value, (int, float)) and not isinstance(value, bool) for value in values)


def _about(label):
    return {} if label is None else label.attributes()
