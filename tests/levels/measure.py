"""Measure the levels of every public function that answers with a p, and keep them in one file.

    python tests/levels/measure.py --estimate                       # how long the whole table takes
    python tests/levels/measure.py --repetitions 1000               # all cells that the file lacks
    python tests/levels/measure.py --only compare hsic_test --kinds rare "5 values" --again

`explorer` is the one that Python finds first: `PYTHONPATH=FOLDER` measures the code of another folder. A cell that the
file has with at least as many repetitions is skipped, and one with fewer gets the missing ones. After a change
of the code, --again measures it from the first. The file is written after every cell, so a run can be interrupted and
resumed.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import level_table  # noqa: F401  # which fills ENTRIES
from level_cells import KEPT, Count, claimed, key, read, record, timed, write
from level_claims import ENTRIES, Entry
from null_kinds import Size
from threadpoolctl import threadpool_limits

import explorer

Cell = tuple[Entry, str, Size]
TRIAL = 3  # repetitions by which the time of a cell is estimated


def requested_cells(options: argparse.Namespace) -> list[Cell]:
    """Return the cells that the options ask for."""
    entries = [
        each
        for each in ENTRIES.values()
        if not ({each.name, each.function} & set(options.but))
        and (not options.only or {each.name, each.function} & set(options.only))
    ]
    return [
        (each, kind, size)
        for each in entries
        for kind, size in each.cells()
        if (not options.kinds or kind in options.kinds) and (not options.sizes or str(size) in options.sizes)
    ]


def current_cells(kept: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the cells that the table still has, each with what is claimed of it now."""
    for entry in ENTRIES.values():
        for kind, size in entry.cells():
            for answer in entry.claims:
                if cell := kept.get(key(entry.name, answer, kind, size)):
                    cell |= claimed(entry, answer, size)
    return {name: cell for name, cell in kept.items() if cell["entry"] in ENTRIES}


def lacking(cells: list[Cell], kept: dict[str, dict[str, Any]], options: argparse.Namespace) -> list[Cell]:
    """Return those of some cells that the file has not, or has with fewer repetitions."""
    if options.again:
        return cells
    return [
        (entry, kind, size)
        for entry, kind, size in cells
        if any(
            kept.get(key(entry.name, answer, kind, size), {"runs": 0})["runs"] < options.repetitions
            for answer in entry.claims
        )
    ]


def earlier_runs(
    cell: Cell, kept: dict[str, dict[str, Any]], options: argparse.Namespace
) -> tuple[dict[str, Count], float]:
    """Return what the file has of a cell that is gone on with: the count of each answer, and the seconds."""
    entry, kind, size = cell
    cells = {answer: kept.get(key(entry.name, answer, kind, size)) for answer in entry.claims}
    runs = {each["runs"] if each else 0 for each in cells.values()}
    if options.again or runs == {0} or len(runs) > 1:
        return dict.fromkeys(entry.claims, Count(0, 0)), 0.0
    found = {name: Count(*(each[field] for field in Count._fields)) for name, each in cells.items() if each}
    return found, max(each["seconds"] for each in cells.values() if each)


def measure(name: str, kind: str, size: Size, repetitions: int, first: int) -> tuple[dict[str, Count], float]:
    """Measure a cell by names alone, so that another process can be asked to; of BLAS one thread."""
    with threadpool_limits(1):
        return timed(ENTRIES[name], kind, size, repetitions, first)


def main(arguments: list[str] | None = None, say: Callable[..., None] = print) -> int:
    """Measure what is asked for; the exit code is 1 if a rate is too high."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=1000)
    parser.add_argument("--only", nargs="*", default=[], help="names of functions or of entries")
    parser.add_argument("--but", nargs="*", default=[], help="functions or entries to leave out")
    parser.add_argument("--kinds", nargs="*", default=[])
    parser.add_argument("--sizes", nargs="*", default=[], help="such as 40+60")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--estimate", action="store_true", help="print how long it takes, and stop")
    parser.add_argument("--file", type=Path, default=KEPT)
    options = parser.parse_args(arguments)
    kept = current_cells(read(options.file))
    cells = lacking(requested_cells(options), kept, options)
    say(f"code: {Path(explorer.__file__).parent}; file: {options.file}; {len(cells)} cells", flush=True)
    if options.estimate:
        return estimate(cells, options.repetitions, say)
    pool = ProcessPoolExecutor(options.jobs) if options.jobs > 1 else None
    before = [earlier_runs(cell, kept, options) for cell in cells]
    firsts = [next(iter(counts.values())).runs for counts, _ in before]
    jobs = [
        (entry.name, kind, size, options.repetitions - first, first)
        for (entry, kind, size), first in zip(cells, firsts, strict=True)
    ]
    answers = pool.map(measure, *zip(*jobs, strict=True)) if pool and jobs else (measure(*job) for job in jobs)
    too_high = 0
    for (entry, kind, size), (counts, earlier), (found, seconds) in zip(cells, before, answers, strict=True):
        for answer in found:
            count = counts[answer] + found[answer]
            cell = record(entry, answer, kind, size, count, earlier + seconds)
            kept[key(entry.name, answer, kind, size)] = cell
            high = cell["ceiling"] is not None and count.high(cell["ceiling"])
            too_high += high
            say(line(cell, count, high), flush=True)
        write(kept, options.file)
    say(f"{too_high} rates too high")
    return int(too_high > 0)


def line(cell: dict[str, Any], count: Count, high: bool) -> str:
    """Return what is printed of a cell."""
    low, up = count.interval()
    mark = "HIGH" if high else "refd" if count.refused == count.runs else "ok  "
    size = f"{cell['n']}+{cell['m']}"
    return (
        f"{mark} {cell['entry']:32} {cell['answer']:11} {cell['kind']:16} {size:9} {count.rejected:5} of {count.runs}"
        f"  [{low:.3f}, {up:.3f}]  {cell['claim']} {cell['ceiling']}  refused {count.refused} {cell['refusal'][:60]}"
        f"  {cell['seconds']} s"
    )


def estimate(cells: list[Cell], repetitions: int, say: Callable[..., None]) -> int:
    """Print the minutes that each entry takes, by a few repetitions of each of its cells."""
    total, minutes = 0.0, {}
    for entry, kind, size in cells:
        timed(entry, kind, size, 1)
        _, seconds = timed(entry, kind, size, TRIAL)
        minutes[entry.name] = minutes.get(entry.name, 0.0) + seconds / TRIAL * repetitions / 60
    for name, each in minutes.items():
        total += each
        say(f"{each:7.1f} min  {name}")
    say(f"{total:7.1f} min in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
