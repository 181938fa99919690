"""`explorer report a.csv b.csv`: the differences between tables, by column and with their sizes, as one HTML file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.checks import Refusal
from explorer.comparison import GroupComparison
from explorer.comparison.pairs_report import pairs_in_a_terminal
from explorer.comparison.terminal import in_a_terminal
from explorer.datasets.files import pipes
from explorer.exports.pdf import printer
from explorer.files.file_endings import PAGES

from . import comparing
from .output import Output
from .progress import waiting

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


SCHEMA = 1  # version of the JSON object; it increases when a key changes its name or its meaning

EXAMPLES = (
    "explorer report before.csv after.csv",
    "explorer report trial.csv --by arm --reference placebo -o trial.html",
    "explorer report before.csv after.csv --fail --json > verdict.json",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    comparing.arguments(parser)
    parser.add_argument(
        "--pairs", action="store_true", help="compare every pair of groups of --by, adjusted for all pairs"
    )
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="the page, .html or .pdf, or - for standard output; default: report.html"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help=f'print one JSON object, with "schema": {SCHEMA}, and write a page only if -o names it',
    )
    parser.add_argument("--fail", action="store_true", help="end with exit code 1 if they differ")


def run(options: Namespace) -> None:
    """Compare the tables, write the page and print the verdict; exit with code 1 if they differ and --fail is set."""
    comparing.check(options)
    out = _out(options)
    print_page = None if out is None else _printing(out)
    with waiting("Comparing"), pipes.copy_pipes([options.first, *options.others]) as (options.first, *options.others):
        comparison = comparing.each_pair_compared(options) if options.pairs else comparing.compared(options)
    before = "" if out is None else out.replaced
    if out is not None:
        with waiting("Drawing"):
            page = comparison.to_html()
            written = page if print_page is None else print_page(page)
        out.write(written)
    if out is None or options.json:
        print(json.dumps({"schema": SCHEMA} | comparison.to_dict()))  # noqa: T201
    else:
        groups = isinstance(comparison, GroupComparison)
        said = f"{comparison.verdict}\n\n{pairs_in_a_terminal(comparison)}" if groups else ""
        out.say(f"{said or in_a_terminal(comparison, options.all)}\n\nThe report is {out.place}{before}.")
    if options.fail and comparison.differ:
        sys.exit(1)


def _printing(out) -> Callable[[str], bytes] | None:
    """Return the function that prints the page to PDF, or None for HTML; refuse other endings at the start."""
    return printer() if out.kind((*PAGES, ".pdf"), "a report") == ".pdf" else None


def _out(options) -> Output | None:
    """Return the page's Output, or None if no page is written. It refuses unwritable files before any computation."""
    if options.json and options.out is None:
        return None
    out = Output.of(options.out or "report.html", [options.first, *options.others])
    if options.json and out.path is None:
        raise Refusal("--json and -o - both go to standard output; give -o a file, or leave one of them out.")
    return out
