"""`explorer report a.csv b.csv`: what differs between tables, in which columns and how much, as one HTML file."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.checks import Refusal
from explorer.comparison import GroupComparison
from explorer.comparison.pairs_report import pairs_in_a_terminal
from explorer.comparison.terminal import in_a_terminal
from explorer.datasets.addresses import address

from . import comparing
from .waiting import waiting

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


SCHEMA = 1  # of the JSON object; it grows where what is there changes its name or its meaning


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    comparing.arguments(parser)
    parser.add_argument("--pairs", action="store_true", help="compare each two groups of --by, adjusted for all pairs")
    parser.add_argument("-o", "--out", metavar="FILE", help="the page; default: report.html")
    parser.add_argument(
        "--json",
        action="store_true",
        help=f'print one JSON object, with "schema": {SCHEMA}, and write a page only where -o names it',
    )
    parser.add_argument("--fail", action="store_true", help="end with exit code 1 where they differ")


def run(options: Namespace) -> None:
    """Compare, write the page, print the verdict; exit code 1 where they differ and --fail asks for it."""
    comparing.check(options)
    out = _out(options)
    with waiting("Comparing"):
        comparison = comparing.each_pair_compared(options) if options.pairs else comparing.compared(options)
    before = ", in place of the one that was there" if out is not None and out.exists() else ""
    if out is not None:
        with waiting("Drawing"):
            comparison.to_html(out)
    if options.json:
        print(json.dumps({"schema": SCHEMA} | comparison.to_dict()))  # noqa: T201
    else:
        groups = isinstance(comparison, GroupComparison)
        said = f"{comparison.verdict}\n\n{pairs_in_a_terminal(comparison)}" if groups else ""
        print(f"{said or in_a_terminal(comparison, options.all)}\n\nThe report is {out}{before}.")  # noqa: T201
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
    if any(out.exists() and each.exists() and out.samefile(each) for each in _files(options)):
        raise Refusal(f"{out} is one of the tables; give another name for the page.")
    return out


def _files(options) -> list[Path]:
    """The files of the tables, whatever part of them is read."""
    return [Path(address(each).path) for each in [options.first, *options.others]]
