"""Copy Python of the Drift lab, a few lines that reproduce the page's numbers, and the tables of its numbers."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.changes import Monitor, look_pvalues, scan
from explorer.datasets import drifted, series
from explorer.datasets.columns.quantity import in_file_units
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.types import Rows
from explorer.workbench.script import kernel_steps, opening
from explorer.workbench.user_rows import lines_of

from .lab import SIDE
from .result import ORDERS

if TYPE_CHECKING:
    from .result import DriftResult


def python(result: DriftResult) -> Script:
    """Return a script that prints the numbers of the headline and stores them in `shown`."""
    lab, chosen, table = result.lab, result.kernel, opening(result.lab)
    several, timed = lab.several and not lab.changes, result.timed is not None
    start, level, segments = result.watch.row, float(lab.level), {"segments": True} if several else {}
    how: Any = {"min_size": SIDE, "n_resamples": ORDERS, "rng": lab.seed, "null": lab.null, "approximation": None}
    kernel_of = kernel_steps(lab, chosen, chosen.has_bandwidth, ", before anything changes")

    @recipe
    def steps():
        if lab.toy:
            X = series(lab.source, lab.n, rng=lab.seed)
        else:
            data = table()
            rows = data.in_order(lab.n, rng=lab.seed)
            X = data.X[rows]
        if lab.changes:
            X = drifted(X, lab.kind, start, lab.size)
        kernel = kernel_of()
        result = scan(X, kernel, **how, **segments, **({"time": data.times[rows]} if timed else {}))
        print(result)
        if not lab.toy:
            print(f"The best split is at {data.place(rows[result.index])}.")
        reference, rest = X[: lab.start], X[lab.start :]
        pvalues = look_pvalues(reference, rest, lab.every)
        monitor = Monitor(reference, kernel, level=level, rng=lab.seed).update(rest)
        print(monitor)
        shown = {"split": result.index, "p": result.pvalue, "looks": pvalues, "wealth": monitor.path}
        if several:
            shown["breaks"] = result.breaks

    return steps.script()


def numbers(result: DriftResult) -> Numbers:
    """Return table -> column -> (rows,): the series, the scan's profile, the looks, and the wealth."""
    own, rows = result.watch, np.arange(result.lab.n)
    columns = in_file_units(result.quantities, own.X)
    return {
        "series": with_own(columns, {}, _places(result, rows)),
        "profile": {**_places(result, rows), "standardised_mmd2": own.profile},
        "looks": {**_places(result, result.looks), "p": own.pvalues},
        "wealth": {**_places(result, np.arange(result.lab.start - 1, result.lab.n)), "wealth": own.path},
    }


def _places(result: DriftResult, rows: Rows) -> dict[str, Any]:
    """Return the names of rows: in a file their lines, and their dates."""
    if result.lab.toy:
        return {"row": rows}
    found = lines_of(result.lab.the_table(), result.table_rows[rows])
    return found | ({} if result.times is None else {"date": result.dates[rows]})
