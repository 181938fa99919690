"""Tables of the guide's page on levels, made from stored measurements, so that no rate is typed by hand."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from explorer.discrepancy import rate_interval

KEPT = Path(__file__).parent / "guide" / "levels.json"  # tests/levels/measure.py writes it
Cell = dict[str, Any]


class MeasuredAnswer(NamedTuple):
    """One answer of a function under some options, such as its p-value, with its measurements, `cells`."""

    entry: str
    answer: str
    cells: list[Cell]

    @property
    def name(self) -> str:
        """The function with its options, and the answer if it is not the only one."""
        function, _, options = self.entry.partition(", ")
        told = [options] if options else []
        told += [] if self.answer == "p" else [self.answer]
        return f"`{function}`" + (f", {', '.join(told)}" if told else "")

    @property
    def measured(self) -> list[Cell]:
        """The measurements in which the function did not refuse all runs."""
        return [cell for cell in self.cells if cell["refused"] < cell["runs"]]

    @property
    def worst(self) -> Cell:
        """The measurement of the highest rate of rejections: if a level is claimed of some, among these."""
        claiming = [cell for cell in self.measured if cell["claim"] != "none"]
        return max(claiming or self.measured, key=lambda cell: cell["rejected"] / cell["runs"])


def measured_answers(cells: Iterable[Cell]) -> list[MeasuredAnswer]:
    """Group stored measurements by the function with its options and by its answer, in the order of these names.

    A cell is one measurement: a dict with the keys "entry" (the function), "answer", "rejected", "runs" and others.
    """
    found: dict[tuple[str, str], list[Cell]] = {}
    for cell in cells:
        found.setdefault((cell["entry"], cell["answer"]), []).append(cell)
    return [MeasuredAnswer(*name, found[name]) for name in sorted(found)]


def tables(path: Path = KEPT) -> str:
    """Return both tables as Markdown: the worst cell of each function, and all cells, function by function."""
    found = [road for road in measured_answers(json.loads(path.read_text(encoding="utf-8"))) if road.measured]
    rows = [_summary(road) for road in found]
    head = ("Function", "Promise", "Tolerated", "Worst kind", "Rows", "Rejected", "Rate, 95 % interval")
    parts = [_table(head, rows), "## All cells", _about(found)]
    for road in found:
        parts += [f"### {road.name}", _method(road), _whole(road)]
    return "\n\n".join(parts) + "\n"


def _summary(road):
    cell = road.worst
    tolerated = "" if cell["ceiling"] is None else f"{cell['ceiling']:.1%}"
    word = "nothing" if cell["claim"] == "none" else cell["claim"]
    count = f"{cell['rejected']:,} of {cell['runs']:,}"
    return road.name, word, tolerated, cell["kind"], _rows(cell), count, _rate(cell)


def _about(found):
    cells = [cell for road in found for cell in road.cells]
    runs = min(cell["runs"] for cell in cells)
    return (
        f"{len(cells):,} cells of {runs:,} repetitions or more, each with its rate of p ≤ .05 in % and the 95 %"
        " interval; a dash is a cell that was not measured."
    )


def _method(road):
    """Return how a function was measured."""
    resamples = road.cells[0]["resamples"]
    by = f"{resamples} resamples" if resamples else "no resamples"
    return f"With {by} for each p; {road.worst['runs']:,} repetitions of a cell."


def _whole(road):
    """Return a table of all cells: kinds of data by sample sizes."""
    sizes = [
        size for size, _ in Counter(map(_rows, road.cells)).most_common()
    ]  # the size that most kinds have comes first
    of = {(cell["kind"], _rows(cell)): cell for cell in road.cells}
    kinds = list(dict.fromkeys(cell["kind"] for cell in road.cells))
    rows = [[kind, *(_cell(of.get((kind, size))) for size in sizes)] for kind in kinds]
    return _table(("Kind", *sizes), rows)


def _cell(cell):
    if cell is None:
        return "–"
    return "refused" if cell["refused"] == cell["runs"] else _rate(cell)


def _rate(cell):
    low, high = _interval(cell["rejected"], cell["runs"])
    return f"{100 * cell['rejected'] / cell['runs']:.1f} ({100 * low:.1f} to {100 * high:.1f})"


# most cells share their counts with others, and an interval takes milliseconds
_interval = cache(rate_interval)


def _rows(cell):
    return f"{cell['n']} + {cell['m']}"


def _table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines)
