"""`explorer scan FILE`: the row since which a table has changed, and the columns that have changed."""

from __future__ import annotations

import json
import warnings
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from explorer import checks
from explorer.changes import scan
from explorer.datasets.columns.times import times_of
from explorer.datasets.files.encodings import is_encoding_remark, use_encoding
from explorer.datasets.read_table import parse
from explorer.datasets.read_tables import join_tables

from . import parts
from .comparing import encoding_argument, resamples_argument
from .parts import in_options

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from explorer.changes import ScanResult

EXAMPLES = (
    "explorer scan sensor.csv",
    "explorer scan sensor.csv --time day --columns temperature pressure",
    "explorer scan sensor.csv --segments --json",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("file", help=f"{parts.FILES}; or - for standard input")
    parts.arguments(parser)
    parser.add_argument(
        "--time",
        metavar="COLUMN",
        help="the column of dates or numbers that sorts the rows; default: the one column of dates, or the file's "
        "order if there is none",
    )
    parser.add_argument("--columns", nargs="+", help="columns to compare; default: numbers, and words of few levels")
    parser.add_argument(
        "--missing", choices=("refuse", "drop"), default="refuse", help="rows with empty cells; default: refuse"
    )
    parser.add_argument("--segments", action="store_true", help="search for several changes")
    encoding_argument(parser)
    resamples_argument(parser, 199)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of sentences")


def run(options: Namespace) -> None:
    """Print where the rows change, by the file's line numbers. Finding no change is not an error."""
    checks.whole(options.n_resamples, "--n-resamples", 1)
    parts.addressed(options, "file")
    with in_options():
        result, left_out, letters = scanned(options)
    if options.json:
        more = {"when": result.when, "place": result.place(result.index), "left_out": left_out, "letters": letters}
        more["changed"] = [column.name for column in result.changed]
        print(json.dumps(result.to_dict() | more))  # noqa: T201
        return
    if letters:
        print(f"{Path(options.file).name}: {letters}.")  # noqa: T201
    print(result)  # noqa: T201
    if left_out:
        print(f"Left out: {', '.join(f'{name} ({why})' for name, why in left_out.items())}.")  # noqa: T201


def scanned(options: Namespace) -> tuple[ScanResult, dict[str, str], str]:
    """Return (result, left_out, encoding): the ScanResult with the file's line numbers, and two remarks.

    `left_out` maps the columns that are not compared to the reasons. `encoding` is a sentence about the file's
    encoding.
    """
    import pandas

    with use_encoding(options.encoding):
        table = parse(options.file, lenient=True)
    times = times_of(table, options.time)
    name = "" if times is None else times.name
    tables = join_tables([table.select({*table.by_name} - {name})], options.columns, options.missing, "none")
    rows = np.flatnonzero(tables.complete[0])
    frame = pandas.DataFrame({column.name: table.by_name[column.name].array()[rows] for column in tables.included})
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="the bandwidth was chosen on")
        result = scan(
            frame,
            segments=options.segments,
            n_resamples=options.n_resamples,
            rng=options.seed,
            time=None if times is None else times.values[rows],
        )
    places = rows if result.rows is None else rows[result.rows]
    lines = np.asarray(table.lines)[places] if len(table.lines) else None
    left_out = {column.name: column.why for column in tables.columns if column.kind == "left out"}
    letters = ", ".join(filter(is_encoding_remark, table.remarks))
    return replace(result, time=name, rows=places, lines=lines), left_out, letters
