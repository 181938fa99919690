"""`explorer report a.csv b.csv`: what differs between tables, in which columns and how much, as one HTML file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from explorer import checks
from explorer.checks import Refusal
from explorer.comparison import Comparison, compare
from explorer.comparison.periods import PERIODS
from explorer.comparison.terminal import table_of_columns
from explorer.discrepancy.answer import level_checked

from .test import in_options
from .waiting import waiting

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


SCHEMA = 1  # of the JSON object; it grows where what is there changes its name or its meaning


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("first", help="a CSV, TSV, NPY, NPZ or Parquet file, a folder, or a sketch: the reference")
    parser.add_argument("others", nargs="*", metavar="other", help="one or more files, each compared with the first")
    parser.add_argument(
        "--by",
        metavar="COLUMN",
        help="a column that names the groups of one file: the first is compared with each of the others; "
        f"{', '.join(PERIODS)}, where no column is called so, are those of its dates",
    )
    parser.add_argument("-o", "--out", metavar="FILE", help="the page; default: report.html")
    parser.add_argument("--columns", nargs="+", help="columns to compare; default: numbers, and words of few levels")
    parser.add_argument(
        "--missing",
        choices=("value", "drop", "refuse"),
        default="value",
        help="empty cells: compared as data, or their rows dropped, or refused; default: value",
    )
    parser.add_argument(
        "--placeholders",
        choices=("missing", "value"),
        default="missing",
        help="numbers such as -999 that recur far from all others: empty cells, or values; default: missing",
    )
    parser.add_argument("--permutations", type=int, default=999)
    parser.add_argument("--level", type=float, default=0.05, help="of the verdict, and of all columns together")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--json",
        action="store_true",
        help=f'print one JSON object, with "schema": {SCHEMA}, and write a page only where -o names it',
    )
    parser.add_argument(
        "--all", action="store_true", help="print a row for each column, not only for those that differ"
    )
    parser.add_argument("--fail", action="store_true", help="end with exit code 1 where they differ")


def run(options: Namespace) -> None:
    """Compare, write the page, print the verdict; exit code 1 where they differ and --fail asks for it."""
    checks.whole(options.permutations, "--permutations", 1)
    level_checked(options.level)
    out = _out(options)
    comparison = _compared(options)
    before = ", in place of the one that was there" if out is not None and out.exists() else ""
    if out is not None:
        with waiting("Drawing"):
            comparison.to_html(out)
    if options.json:
        print(json.dumps({"schema": SCHEMA} | comparison.to_dict()))  # noqa: T201
    else:
        columns = (*comparison.columns, *comparison.gaps)
        table = table_of_columns(columns, comparison.names, comparison.level, not options.all) if columns else ""
        beside = "\n".join(
            filter(
                None, [comparison.said_of_copies, comparison.said_of_levels, comparison.noted, comparison.rows_dropped]
            )
        )
        said = [comparison.verdict, table, beside, f"The report is {out}{before}."]
        print("\n\n".join(filter(None, said)))  # noqa: T201
    if options.fail and comparison.differ:
        sys.exit(1)


def _out(options) -> Path | None:
    """Where the page is written, if one is; what cannot be written to is refused before anything is computed."""
    if options.json and options.out is None:
        return None
    out = Path(options.out or "report.html")
    if not out.parent.is_dir():
        raise Refusal(f"there is no folder {out.parent} to write {out.name} into.")
    if out.is_dir():
        raise Refusal(f"{out} is a folder; give the name of a file.")
    if any(out.exists() and Path(each).exists() and out.samefile(each) for each in [options.first, *options.others]):
        raise Refusal(f"{out} is one of the tables; give another name for the page.")
    return out


def _compared(options) -> Comparison:
    files = [options.first, *options.others]
    if len(files) == 1 and options.by is None:
        raise Refusal("there is one table, and nothing to compare it with; give a second file, or --by COLUMN.")
    if len(files) > 1 and options.by is not None:
        raise Refusal("--by names the groups of one file; give one, or leave --by out.")
    how = {"columns": options.columns, "by": options.by, "missing": options.missing, "level": options.level}
    how["placeholders"] = options.placeholders
    others = options.others if len(options.others) > 1 else (options.others or [None])[0]
    with waiting("Comparing"), in_options():
        return compare(options.first, others, **how, n_resamples=options.permutations, rng=options.seed)
