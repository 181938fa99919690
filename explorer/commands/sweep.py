"""`explorer sweep study.toml`: a sweep that a file describes, on the executor that the options name."""

from __future__ import annotations

import io
import os
import sys
import tomllib
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import ExplorerWarning, Refusal
from explorer.datasets.files import pipes
from explorer.files.file_endings import kind_of
from explorer.model import Model, code
from explorer.printing import cells, echo, join_list
from explorer.sweeps.grid import MOST_VALUES, too_many

from .output import STANDARD, Output

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from datetime import date
    from types import ModuleType

    from xarray import Dataset

    from explorer.sweeps.run import Run


KNOWN = ("study", "axes", "replicates", "seed", "common", "depends")
LARGEST = 2_000_000  # most bytes of a TOML file; Python takes seconds to parse this many
PLACES = ("x", "by", "row", "col")
# a warning that one of loky's processes cleans up after another
LEFT_OVER = "ignore::UserWarning:loky.backend.resource_tracker"
SPACINGS: dict[str, Callable[..., Any]] = {"linear": np.linspace, "log": np.geomspace}

EXAMPLES = (
    "explorer sweep study.toml",
    "explorer sweep study.toml --store results.nc --csv results.csv",
    "explorer sweep study.toml --plot out.pdf --x n --width 85",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "file",
        help="a TOML file, or - for standard input: study = 'module:function', an [axes] table, replicates, seed,"
        " common, depends",
    )
    executor_arguments(parser)
    parser.add_argument(
        "--store", help="a netCDF file that survives kill -9; a second run computes only what is missing"
    )
    parser.add_argument(
        "--reuse",
        action="store_true",
        help="keep the numbers of the store although the study's code, or what it depends on, has changed",
    )
    parser.add_argument("--csv", help="a CSV file with a row for each cell; - prints it")
    parser.add_argument(
        "--plot",
        metavar="out.pdf",
        help="draw the result into this file: .html, .pdf, .svg or .png, or - for HTML on standard output",
    )
    parser.add_argument(
        "--width", type=float, help="the width of the .pdf, .svg or .png in mm; default: that of the picture"
    )
    parser.add_argument("--value", help="the number to draw; default: all of them")
    parser.add_argument("--x", help="the horizontal axis; default: the numeric one with the most values")
    parser.add_argument("--by", help="one line for each value of this axis")
    parser.add_argument("--row", help="one row of panels for each value of this axis")
    parser.add_argument("--col", help="one column of panels for each value of this axis")


def run(options: Namespace) -> None:
    """Run the sweep and write its results.

    The values of the cells go to the store, the CSV file and the picture; without any of these their means over the
    replicates are printed.
    """
    from explorer.sweeps import planned

    file = Path(options.file)
    call = read_study_file(file)
    check_picture(call["axes"], options)
    outputs = [Output.of(each, [options.file, *_stores(options)]) for each in (options.csv, options.plot) if each]
    if len(outputs) == 2 and _are_one(*outputs):
        raise Refusal(f"--csv and --plot both write to {outputs[0].name}; give one of them another name.")
    if options.csv is not None:
        kind_of(options.csv, (".csv", ".txt"), "a table of cells")
    call["study"] = study_of(call["study"], file)  # last, after all other checks, because this runs the study's code
    with sentences(), executor_of(options) as executor:
        data = compute(planned(**call, executor=executor, store=options.store, reuse=options.reuse), options)
    if options.plot is not None:
        draw(data, options)
    try:
        write(data, list(call["axes"]), options)
    except MemoryError:
        raise Refusal("the table of all cells does not fit in memory; read the --store with xarray.") from None


def picture_axes(options: Namespace) -> dict[str, str]:
    """Return the axes that the options assign to parts of the picture, as `of_dataset` takes them."""
    return {place: getattr(options, place) for place in PLACES if getattr(options, place) is not None}


def check_picture(axes: Mapping[str, Sequence[float | date | Sequence[int]]], options: Namespace) -> None:
    """Refuse a picture that cannot be written or drawn, before anything is computed."""
    if options.plot is None:
        if asked := [
            *picture_axes(options),
            *(name for name in ("value", "width") if getattr(options, name) is not None),
        ]:
            raise Refusal(f"--{asked[0]} is for the picture; name its file too: --plot out.html.")
        return
    if _backend_of(options.plot) == "bokeh":
        if options.width is not None:
            raise Refusal("--width is for a --plot that ends in .pdf, .svg or .png.")
    else:
        from explorer.plotting.paper import Page

        Page(width=options.width).checked()
    for place, name in picture_axes(options).items():
        if name not in axes:
            raise Refusal(f"--{place} must be an axis of the sweep, one of {join_list(axes)}, not {echo(name)}.")


def draw(data: Dataset, options: Namespace) -> None:
    """Write the picture of the results."""
    from explorer.plotting import plot
    from explorer.plotting.files import contents_of

    backend = _backend_of(options.plot)
    picture = plot(data, value=options.value, **picture_axes(options), backend=backend)
    suffix = ".html" if options.plot == STANDARD else Path(options.plot).suffix
    Output.of(options.plot).write(contents_of(picture, suffix, Path(options.file).stem, width=options.width))


def _backend_of(path):
    """Return the backend that draws the kind of file at a path; HTML on standard output."""
    from explorer.plotting.files import backend_of

    return "bokeh" if path == STANDARD else backend_of(path)


def _stores(options):
    """Return a list of the store's path, empty without --store."""
    return [] if options.store is None else [options.store]


def _are_one(first, second):
    """Return whether two outputs are the same file, or both are standard output."""
    if first.path is None or second.path is None:
        return first.path is second.path
    return first.path.resolve() == second.path.resolve() and not first.path.is_char_device()


def check_plan(run: Run, options: Namespace) -> None:
    """Refuse a picture that cannot show an axis or lacks the requested value, as soon as one cell has named the values.

    A refusal after an hour of computation would lose the numbers if there is no store.
    """
    import xarray

    from explorer.plotting.plan import plan_of

    blank = np.broadcast_to(0.0, run.grid.shape)
    outline = xarray.Dataset(
        {name: (run.grid.dims, blank) for name in run.values},
        {
            name: [code(each) if isinstance(each, Model) else each for each in axis]
            for name, axis in run.grid.axes.items()
        },
    )
    plan_of(outline, options.value, **picture_axes(options))


def compute(run: Run, options: Namespace) -> Dataset:
    """Return the results of a complete run. An error of the study is reported with its cell and its own traceback."""
    from explorer.sweeps import followed

    unchecked = options.plot is not None
    try:
        with closing(followed(run)) as steps:
            for _ in steps:
                if unchecked and run.values:
                    check_plan(run, options)
                    unchecked = False
    except KeyboardInterrupt:
        raise KeyboardInterrupt(run.left("--store")) from None
    except Exception:
        if run.failure is None:
            raise
        left = "; the store has them" if run.store else ""
        raise Refusal(
            f"{run.failure.describe(run.grid.describe(run.failure.index))}\n"
            f"{run.done.sum()} of {run.grid.size} cells are done{left}."
        ) from None
    return run.dataset()


@contextmanager
def sentences() -> Iterator[None]:
    """Print this project's warnings as sentences on standard error while the block runs."""

    def show(message, category, *rest):
        if issubclass(category, ExplorerWarning):
            print(f"explorer sweep: {message}", file=sys.stderr)  # noqa: T201
        else:
            before(message, category, *rest)

    before = warnings.showwarning
    with warnings.catch_warnings():
        warnings.simplefilter("always", ExplorerWarning)
        warnings.showwarning = show
        yield


def write(data: Dataset, names: Sequence[str], options: Namespace | SimpleNamespace) -> None:
    """Write the table of all cells to a file or the terminal. Without any output file, print means."""
    if options.csv is None and (options.store is not None or options.plot is not None):
        return
    table = data.to_dataframe().reset_index()
    if options.csv is not None:
        with Output.of(options.csv).opened() as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="")
            cells(table).to_csv(text, index=False)
            text.detach()  # otherwise the wrapper would close the file
    else:
        means: Any = table.groupby(names, sort=False)[list(data.data_vars)].mean()
        print(means.to_string())  # noqa: T201


def executor_arguments(parser: ArgumentParser) -> None:
    """Add the options that `executor_of` reads."""
    parser.add_argument("--executor", choices=("processes", "serial", "dask"), default="processes")
    parser.add_argument("--scheduler", metavar="tcp://...", help="the address of dask's scheduler")


@contextmanager
def executor_of(options: Namespace) -> Iterator[Any]:
    """Yield the executor of the cells. On Ctrl+C local processes are ended, whatever they compute."""
    if options.scheduler is not None and options.executor != "dask":
        raise Refusal("--scheduler is for --executor dask.")
    if options.executor == "dask" and options.scheduler is None:
        raise Refusal(
            "--executor dask needs --scheduler, such as tcp://127.0.0.1:8786; `dask scheduler` prints its own."
        )
    from explorer.sweeps import InProcess
    from explorer.sweeps.executors import end_processes

    try:
        if options.executor == "dask":
            with _client()(options.scheduler) as client:
                yield client.get_executor()
        else:
            os.environ["PYTHONWARNINGS"] = f"{os.environ.get('PYTHONWARNINGS', '')},{LEFT_OVER}".strip(",")
            yield InProcess() if options.executor == "serial" else None
    except KeyboardInterrupt as stopped:
        end_processes()
        raise KeyboardInterrupt(*stopped.args) from None


def _client():
    """Return dask's Client class, or refuse if dask is not installed."""
    try:
        from distributed import Client
    except ImportError:
        raise Refusal("--executor dask needs dask: pip install 'kernel-mean-explorer[dask]'.") from None
    return Client


def read_study_file(path: Path) -> dict[str, Any]:
    """Return the arguments of a sweep from a TOML file; the study is still a name."""
    try:
        with pipes.open_pipe("-") if str(path) == "-" else path.open("rb") as file:
            text = file.read(LARGEST + 1)
    except OSError as error:
        raise Refusal(f"{path} cannot be read: {error.strerror}.") from error
    if len(text) > LARGEST:
        raise Refusal(
            f"{path} has more than {LARGEST / 1e6:.0f} MB; give a long axis as start, stop and num, or sweep from"
            " Python."
        )
    try:
        said = tomllib.loads(text.decode())
    except ValueError as error:  # also for text that is not UTF-8, and for numbers with thousands of digits
        raise Refusal(f"{path} is not a TOML file: {error}.") from error
    except RecursionError:
        raise Refusal(f"{path} has lists in lists in lists; the values of an axis are one list.") from None
    if strange := [name for name in said if name not in KNOWN]:
        raise Refusal(f"{path} has the key {echo(strange[0])}; a sweep takes {', '.join(KNOWN)}.")
    if not isinstance(said.get("axes"), dict) or not isinstance(said.get("study"), str):
        raise Refusal(f'{path} must have a line study = "module:function" and a table [axes].')
    depends = said.get("depends", [])
    if not isinstance(depends, list) or not all(isinstance(each, str) for each in depends):
        raise Refusal(
            f'depends must be a list of files and folders, such as depends = ["data.csv"], not {echo(depends)}.'
        )
    said["depends"] = [path.parent / each for each in depends]
    said["axes"] = {name: values_of(name, values) for name, values in said["axes"].items()}
    return said


def study_of(word: str, path: Path) -> Callable[..., Any]:
    """Return the function that "module:function" names; a line on stderr names the code before it runs.

    The module may lie in the file's folder.
    """
    module, _, name = word.partition(":")
    if not (name and all(part.isidentifier() for part in module.split("."))):
        raise Refusal(
            f"a study is named as module:function, such as explorer.papers.shrinkage:figure_1, not {echo(word)}."
        )
    # The workers search the file's folder too. It comes last, so that no module in it hides numpy.
    sys.path.append(str(path.parent.resolve()))
    place = place_of(module)
    print(f"explorer sweep: {path.name} runs code: {word}, from {place}", file=sys.stderr, flush=True)  # noqa: T201
    try:
        return getattr(load_module(module), name)
    except AttributeError as error:
        raise Refusal(f"{module}, from {place}, has no function {echo(name)}.") from error


def place_of(module: str) -> str:
    """Return the path of a module's code, or of its top-level package, without importing it."""
    top = module.partition(".")[0]
    try:
        found = find_spec(top)
    except ValueError:  # a module without a spec, such as __main__
        found = None
    if found is None:
        raise Refusal(f"there is no module {echo(top)}, neither installed nor beside the file.")
    folders = found.submodule_search_locations
    return next(iter(folders)) if folders else found.origin or top


def load_module(module: str) -> ModuleType:
    """Import a module; if that fails, refuse with the reason."""
    from explorer.sweeps.failure import text_of

    try:
        return import_module(module)
    except ModuleNotFoundError as error:
        raise Refusal(f"there is no module {error.name!r}, neither installed nor beside the file.") from error
    except (Exception, SystemExit) as error:  # importing a module runs it, so any exception is possible
        last = traceback.extract_tb(error.__traceback__)[-1]
        raise Refusal(
            f"the module {module} cannot be loaded: {type(error).__name__}: {text_of(error)} ({last.filename}, line"
            f" {last.lineno})"
        ) from error


def values_of(name: str, values: Any) -> list[Any]:
    """Return a list unchanged, and {start, stop, num, spacing} as a list of `num` values."""
    if not isinstance(values, dict):
        return values
    asked: Any = [values.get(key) for key in ("start", "stop", "num")]
    start, stop, num = asked
    spacing = values.get("spacing", "linear")
    if (
        values.keys() - {"start", "stop", "num", "spacing"}
        or type(num) is not int
        or not {type(start), type(stop)} <= {int, float}
        or not (isinstance(spacing, str) and spacing in SPACINGS)
    ):
        raise Refusal(
            f"the axis {echo(name)} is a list, or has start, stop, num and spacing: two numbers, a whole number, and"
            ' "linear" or "log".'
        )
    if num > MOST_VALUES:
        raise too_many(name)
    limit = sys.float_info.max / 2  # the difference of two such numbers is finite
    ends_fit = all(abs(end) <= limit for end in (start, stop)) and (spacing == "linear" or min(start, stop) > 0)
    if num < 1 or not ends_fit:
        raise Refusal(
            f"the axis {echo(name)} goes from {echo(start)} to {echo(stop)} in {echo(num)} steps, which is"
            " not possible."
        )
    return [float(value) for value in SPACINGS[spacing](float(start), float(stop), num)]
