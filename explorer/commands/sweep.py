"""`explorer sweep study.toml`: a sweep that a file describes, on the executor that is asked for."""

from __future__ import annotations

import math
import sys
import tomllib
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path

import numpy as np

from explorer.checks import Refusal
from explorer.printing import shown

KNOWN = ("study", "axes", "replicates", "seed", "common")
SPACINGS = {"linear": np.linspace, "log": np.geomspace}


def arguments(parser):
    """What the command takes."""
    parser.add_argument(
        "file", help="a TOML file: study = 'module:function', an [axes] table, replicates, seed, common"
    )
    executor_arguments(parser)
    parser.add_argument(
        "--store", help="a netCDF file that survives kill -9; started again, only what is missing is computed"
    )
    parser.add_argument("--csv", help="a file for one row a cell; - is the terminal")


def run(options):
    """Run the sweep; what a cell returned is in the store, in the CSV file, or printed as means over the replicates."""
    from explorer.sweeps import sweep

    call = described(Path(options.file))
    try:
        with executor_of(options) as executor:
            data = sweep(**call, executor=executor, store=options.store)
    except KeyboardInterrupt:
        raise InterruptedError("stopped; the same command with a --store goes on where it was.") from None
    table = data.to_dataframe().reset_index()
    if options.csv is not None:
        table.to_csv(sys.stdout if options.csv == "-" else options.csv, index=False)
    if options.store is None and options.csv is None:
        names = list(call["axes"])
        print(table.groupby(names, sort=False)[list(data.data_vars)].mean().to_string())  # noqa: T201


def executor_arguments(parser):
    """What `executor_of` reads."""
    parser.add_argument("--executor", choices=("processes", "serial", "dask"), default="processes")
    parser.add_argument("--scheduler", metavar="tcp://...", help="the address of dask's scheduler")


@contextmanager
def executor_of(options):
    """Where the cells are computed."""
    if options.scheduler is not None and options.executor != "dask":
        raise Refusal("--scheduler is for --executor dask.")
    if options.executor == "dask":
        if options.scheduler is None:
            raise Refusal(
                "--executor dask needs --scheduler, such as tcp://127.0.0.1:8786; `dask scheduler` prints its own."
            )
        try:
            from distributed import Client
        except ImportError:
            raise Refusal("--executor dask needs dask: pip install 'kernel-mean-explorer[dask]'.") from None
        with Client(options.scheduler) as client:
            yield client.get_executor()
    else:
        from explorer.sweeps import InProcess

        yield InProcess() if options.executor == "serial" else None


def described(path):
    """The arguments of a sweep from a TOML file; studies beside the file can be named too."""
    try:
        said = tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise Refusal(f"{path} is no TOML file: {error}.") from error
    if strange := [name for name in said if name not in KNOWN]:
        raise Refusal(f"{path} says {shown(strange[0])}, and a sweep knows {', '.join(KNOWN)}.")
    if not isinstance(said.get("axes"), dict) or not isinstance(said.get("study"), str):
        raise Refusal(f'{path} must have a line study = "module:function" and a table [axes].')
    said["study"] = study_of(said["study"], path.parent)
    said["axes"] = {name: values_of(name, values) for name, values in said["axes"].items()}
    return said


def study_of(word, folder):
    """The function that "module:function" names."""
    module, colon, name = word.partition(":")
    if not (module and colon and name):
        raise Refusal(
            f"a study is named as module:function, such as explorer.papers.shrinkage:figure_1, not {shown(word)}."
        )
    sys.path.insert(0, str(folder.resolve()))  # its workers look there too
    try:
        return getattr(import_module(module), name)
    except ModuleNotFoundError as error:
        raise Refusal(f"there is no module {error.name!r}, neither installed nor beside the file.") from error
    except AttributeError as error:
        raise Refusal(f"{module} has no function {shown(name)}.") from error


def values_of(name, values):
    """A list as it is, or {start, stop, num, spacing} as that many values."""
    if not isinstance(values, dict):
        return values
    try:
        start, stop, num = float(values["start"]), float(values["stop"]), int(values["num"])
        spaced = SPACINGS[values.get("spacing", "linear")]
    except (KeyError, TypeError, ValueError):
        raise Refusal(
            f'the axis {shown(name)} is a list, or has start, stop, num and spacing, "linear" or "log".'
        ) from None
    if (
        num < 1
        or not (math.isfinite(start) and math.isfinite(stop))
        or (spaced is np.geomspace and min(start, stop) <= 0)
    ):
        raise Refusal(f"the axis {shown(name)} goes from {start} to {stop} in {num} steps, which cannot be.")
    return [float(value) for value in spaced(start, stop, num)]
