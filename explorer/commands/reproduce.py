"""`explorer reproduce [figure ...]`: the papers' figures and tables, computed, with verdicts, as one HTML report."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.checks import Refusal
from explorer.files.file_endings import PAGES
from explorer.files.whole_files import make_folder
from explorer.markup import meant
from explorer.printing import echo
from explorer.public_names.help_text import VERSION

from . import completers
from .completers import completed_by
from .output import Output
from .sweep import executor_arguments, executor_of

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

EXAMPLES = (
    "explorer reproduce --list",
    "explorer reproduce shrinkage-figure-1 --fast",
    "explorer reproduce --fast --store results -o papers.html",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    figures = parser.add_argument(
        "figures", nargs="*", metavar="figure", help="names that --list shows; default: all of them"
    )
    completed_by(figures, completers.figures)
    parser.add_argument("--list", action="store_true", help="list the figures and tables, and what is missing")
    size = parser.add_mutually_exclusive_group()
    size.add_argument(
        "--fast", dest="size", action="store_const", const="fast", help="fewer cells and replicates: minutes"
    )
    size.add_argument(
        "--smoke", dest="size", action="store_const", const="smoke", help="a few cells, to check that everything runs"
    )
    parser.set_defaults(size="full")
    parser.add_argument(
        "-o",
        "--out",
        default="reproduction.html",
        help="the report, or - for standard output; default: reproduction.html",
    )
    parser.add_argument(
        "--store", metavar="FOLDER", help="keep results in this folder; a second run continues from them"
    )
    executor_arguments(parser)


def run(options: Namespace) -> None:
    """Compute the figures, write the report and print each verdict."""
    from explorer.papers.catalogue import ENTRIES

    if options.list:
        for name, entry in ENTRIES.items():
            print(f"{name:24s} {entry.figure}: {entry.about}; {_remark(entry)}")  # noqa: T201
        return
    if strange := [name for name in options.figures if name not in ENTRIES]:
        raise Refusal(f"there is no figure {echo(strange[0])}; explorer reproduce --list has their names.")
    if absent := [name for name in options.figures if ENTRIES[name].lacks]:
        raise Refusal(f"{absent[0]} cannot be reproduced yet: {ENTRIES[absent[0]].lacks}.")
    out = Output.of(options.out)
    out.kind(PAGES, "the report")
    entries = [_with_missing_data(ENTRIES[name], options.size) for name in options.figures or ENTRIES]
    missing = [entry for entry in entries if entry.lacks]
    if len(missing) == len(entries):
        raise Refusal(f"nothing can be computed here: {'; '.join(map(_left_out, missing))}.")
    _write([entry for entry in entries if not entry.lacks], missing, options, out)


def _remark(entry):
    """Return the end of a list entry: the number of claims by source, or what the entry lacks."""
    if entry.lacks:
        return f"missing: {entry.lacks}"
    ours = sum(not claim.quote for claim in entry.claims)
    return f"claims: {len(entry.claims) - ours} of the paper, {ours} of ours"


def _with_missing_data(entry, size):
    """Return an entry that also says which of its data sets for that size cannot be loaded; other entries still run."""
    from explorer.datasets import load

    if entry.lacks:
        return entry
    try:
        for name in entry.needs(size):
            load(name, "drop")  # checks only that the data set is available, whatever cells are empty
    except (OSError, Refusal) as error:
        return entry._replace(lacks=f"its data are not there: {error}".rstrip("."))
    return entry


def _left_out(entry):
    """Return an entry's name and what it lacks, as the output lists it."""
    return f"{entry.name}: {entry.lacks}"


def _write(entries, missing, options, out):
    """Compute the entries and write the report."""
    from explorer.papers.report import report

    with executor_of(options) as executor:
        try:
            done = [_reproduced(entry, options, executor, out) for entry in entries]
        except KeyboardInterrupt:
            if options.store is not None:  # the sweep has printed already what the store contains
                raise
            raise KeyboardInterrupt("stopped; with --store FOLDER the same command goes on where it was.") from None
    out.write(meant(report(done, missing, options.size, VERSION)))
    for entry in missing:
        out.say(f"Left out: {_left_out(entry)}.")
    out.say(f"The report is {out.place}.")


def _reproduced(entry, options, executor, out):
    """Compute one entry and print its findings."""
    from explorer.papers.entry import cells
    from explorer.papers.report import Reproduced
    from explorer.sweeps import sweep

    begin, folder = time.perf_counter(), Path(options.store) if options.store else None
    if folder:
        make_folder(folder)
    data = []
    for i, grid in enumerate(entry.grids(options.size)):
        store = folder / f"{entry.name}-{options.size}-{i}.nc" if folder else None
        # A replicate has the same seed in all cells, so that methods are compared on the same distributions and
        # samples.
        data.append(sweep(entry.study, grid.axes, grid.replicates, executor, store, common=tuple(grid.axes)))
    findings = entry.findings(cells(data))
    for finding in findings:
        out.say(f"{entry.name}, {finding.source}: {finding.claim}: {finding.word}. {finding.explanation}")
    return Reproduced(entry, [cells([each]) for each in data], findings, time.perf_counter() - begin)
