"""Copy Python of the Drift lab, a few lines that reproduce the page's numbers, and the tables of its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, imports, snippet
from explorer.tables.html_tables import with_own
from explorer.types import Rows
from explorer.workbench.script import opening_lines, script
from explorer.workbench.user_rows import lines_of

from .lab import SIDE
from .result import ORDERS

if TYPE_CHECKING:
    from .result import DriftResult


def python(result: DriftResult) -> Snippet:
    """Return a script that prints the numbers of the headline and stores them in `shown`."""
    lab, kernel = result.lab, result.kernel
    helpers = []
    if lab.toy:
        lines, names = [snippet("X = series({}, {}, rng={})", lab.source, lab.n, lab.seed)], []
        helpers.append("series")
    else:
        lines, names = opening_lines(lab)
        lines += [snippet("rows = data.in_order({}, rng={})", lab.n, lab.seed), snippet("X = data.X[rows]")]
    if lab.changes:
        helpers.append("drifted")
        lines.append(snippet("X = drifted(X, {}, {}, {})", lab.kind, result.watch.row, lab.size))
    wide = (
        snippet("  # {:g} x the median heuristic, before anything changes", lab.bandwidth)
        if kernel.has_bandwidth
        else NOTHING
    )
    how = snippet("min_size={}, n_resamples={}, rng={}, null={}, approximation=None", SIDE, ORDERS, lab.seed, lab.null)
    several = lab.several and not lab.changes
    how += snippet(", segments=True") if several else NOTHING
    how += snippet(", time=data.times[rows]") if result.timed is not None else NOTHING
    lines += [
        snippet("kernel = {}{}", snippet("Polynomial(2)") if lab.kernel == "POLY2" else kernel, wide),
        snippet("result = scan(X, kernel, {})", how),
        snippet("print(result)"),
        *([] if lab.toy else [snippet('print(f"The best split is at {{data.place(rows[result.index])}}.")')]),
        snippet("reference, rest = X[:{}], X[{}:]", lab.start, lab.start),
        snippet("pvalues = look_pvalues(reference, rest, {})", lab.every),
        snippet("monitor = Monitor(reference, kernel, level={}, rng={}).update(rest)", float(lab.level), lab.seed),
        snippet("print(monitor)"),
        snippet('shown = {{"split": result.index, "p": result.pvalue, "looks": pvalues, "wealth": monitor.path}}'),
    ]
    lines += [snippet('shown["breaks"] = result.breaks')] if several else []
    below = [imports("explorer.changes", ["look_pvalues"])]
    below += [imports("explorer.datasets", helpers)] if helpers else []
    return script([*names, type(kernel).__name__, "Monitor", "scan"], lines, after=below)


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
