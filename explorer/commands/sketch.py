"""`explorer sketch day.parquet -o day.npz`: the rows of files, summed into a sketch that `explorer test` compares."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from itertools import islice

import numpy as np
from tqdm import tqdm

from explorer.checks import Refusal
from explorer.datasets.files import pipes
from explorer.datasets.files.encodings import use_encoding
from explorer.kernels import Gaussian, Laplacian
from explorer.printing import join_list, short_name
from explorer.sketches import Sketch
from explorer.sketches.chunks import chunks_of
from explorer.sketches.parallel_sum import sum_chunks
from explorer.sketches.sketch_file import write_to

from . import parts
from .comparing import encoding_argument
from .output import Output

KERNELS = {"gaussian": Gaussian, "laplacian": Laplacian}
FIRST = 2000  # number of rows of the first chunk on which an automatic bandwidth is chosen

EXAMPLES = (
    "explorer sketch monday.csv -o monday.npz",
    "explorer sketch tuesday.csv -o tuesday.npz --like monday.npz",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument(
        "files", nargs="+", metavar="file", help=f"{parts.FILES}; folders of files, or - for standard input"
    )
    parts.arguments(parser)
    parser.add_argument(
        "-o", "--out", required=True, metavar="FILE.npz", help="where the sketch goes, or - for standard output"
    )
    parser.add_argument(
        "--like",
        metavar="FILE.npz",
        help="a sketch whose kernel, features, seed and columns this one takes, so that both can be compared",
    )
    parser.add_argument("--kernel", choices=KERNELS, help="default: gaussian")
    parser.add_argument(
        "--bandwidth", type=float, help=f"default: the median distance of {FIRST:,} rows, which is then printed"
    )
    parser.add_argument("--features", type=int, help="random features, an even number; default: 1000")
    parser.add_argument("--columns", nargs="+", help="columns of numbers; default: all of them")
    parser.add_argument(
        "--missing", choices=("refuse", "drop"), default="refuse", help="rows with empty cells; default: refuse"
    )
    encoding_argument(parser)
    parser.add_argument("--seed", type=int, help="seed of the features; default: 0")


def run(options: Namespace) -> None:
    """Write the sketch and report its rows, columns and kernel."""
    parts.addressed(options, "files")
    with use_encoding(options.encoding), pipes.copy_pipes(options.files) as options.files:
        _write(options)


def _write(options):
    """Write the sketch of files that can be read twice."""
    columns = options.columns
    if options.like is not None:
        given = [
            name for name in ("kernel", "bandwidth", "features", "columns", "seed") if vars(options)[name] is not None
        ]
        if given:
            raise Refusal(f"--like takes the other sketch's {given[0]}; leave --{given[0]} out, or --like.")
        out = _output(options, [*options.files, options.like])
        other = Sketch.load(options.like)
        empty = Sketch(other.kernel, other.features, other.rng)
        columns = other.columns
    else:
        out = _output(options, options.files)
        empty = Sketch(_kernel(options), options.features or 1000, options.seed or 0)
    chunks = chunks_of(options.files, columns, options.missing)
    sketch = sum_chunks(
        empty, tqdm(chunks, unit=" pieces", delay=2, disable=not sys.stderr.isatty(), leave=False), None
    )
    with out.opened() as file:
        write_to(file, sketch)
    over = "" if sketch.columns is None else f" over {join_list(map(short_name, sketch.columns))}"
    out.say(
        f"{out.name}: {sketch.n:,} rows{over}, by {sketch.features} features of {sketch.kernel!r}."
        f" For sketches to compare with it, use --like {options.out if out.path else 'the file that it is written to'}."
    )


def _output(options, inputs):
    """Return the sketch's Output; impossible ones are refused before any file is read."""
    out = Output.of(options.out, inputs)
    out.kind((".npz",), "a sketch")
    return out


def _kernel(options):
    """Return the kernel; without --bandwidth its bandwidth is chosen on some rows."""
    make = KERNELS[options.kernel or "gaussian"]
    if options.bandwidth is not None:
        return make(options.bandwidth)
    for chunk in islice(chunks_of(options.files, options.columns, options.missing), 1):
        rows = chunk().X
        some = np.random.default_rng(0).permutation(len(rows))[:FIRST]
        if len(some) > 1:
            return make().select(rows[np.sort(some)])
    raise Refusal("the files have too few rows to choose a bandwidth on; give --bandwidth.")
