"""Copy Python of the Drift lab, a few lines that give the screen's numbers again, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.datasets.quantity import in_own_units
from explorer.marks.mark import Numbers
from explorer.model import code
from explorer.tables import with_own
from explorer.types import Rows
from explorer.workbench.own_rows import lines_of
from explorer.workbench.script import opening_lines, script

from .cost import ORDERS
from .lab import SIDE

if TYPE_CHECKING:
    from .result import DriftResult


def python(result: DriftResult) -> str:
    """A script that prints, and leaves in `shown`, the numbers of the headline."""
    lab, kernel = result.lab, result.kernel
    helpers = []
    if lab.toy:
        lines, names = [f"X = series({lab.source!r}, {lab.n}, rng={lab.seed})"], []
        helpers.append("series")
    else:
        lines, names = opening_lines(lab)
        lines += [f"rows = data.in_order({lab.n}, rng={lab.seed})", "X = data.X[rows]"]
    if lab.changes:
        helpers.append("drifted")
        lines.append(f"X = drifted(X, {lab.kind!r}, {result.watch.row}, {code(lab.size)})")
    wide = f"  # {lab.bandwidth:g} x the median heuristic, before anything changes" if kernel.has_bandwidth else ""
    how = f"min_size={SIDE}, n_resamples={ORDERS}, rng={lab.seed}, null={lab.null!r}, approximation=None"
    several = lab.several and not lab.changes
    how += ", segments=True" if several else ""
    how += ", time=data.times[rows]" if result.timed is not None else ""
    lines += [
        f"kernel = {'Polynomial(2)' if lab.kernel == 'POLY2' else code(kernel)}{wide}",
        f"result = scan(X, kernel, {how})",
        "print(result)",
        *([] if lab.toy else ['print(f"The best split is at {data.place(rows[result.index])}.")']),
        f"reference, rest = X[:{lab.start}], X[{lab.start}:]",
        f"pvalues = look_pvalues(reference, rest, {lab.every})",
        f"monitor = Monitor(reference, kernel, level={lab.level}, rng={lab.seed}).update(rest)",
        "print(monitor)",
        'shown = {"split": result.index, "p": result.pvalue, "looks": pvalues, "wealth": monitor.path}',
    ]
    lines += ['shown["breaks"] = result.breaks'] if several else []
    top, *rest = script([*names, type(kernel).__name__, "Monitor", "scan"], lines).split("\n")
    below = ["from explorer.changes import look_pvalues"]
    below += [f"from explorer.datasets import {', '.join(sorted(helpers))}"] if helpers else []
    return "\n".join([top, *below, *rest])


def numbers(result: DriftResult) -> Numbers:
    """Table -> column -> (rows,): the series, the scan's profile, the looks, and the wealth."""
    own, rows = result.watch, np.arange(result.lab.n)
    columns = in_own_units(result.quantities, own.X)
    return {
        "series": with_own(columns, {}, _places(result, rows)),
        "profile": {**_places(result, rows), "standardised_mmd2": own.profile},
        "looks": {**_places(result, result.looks), "p": own.pvalues},
        "wealth": {**_places(result, np.arange(result.lab.start - 1, result.lab.n)), "wealth": own.path},
    }


def _places(result: DriftResult, rows: Rows) -> dict[str, Any]:
    """Which rows these are: of a file their own lines, and their dates."""
    if result.lab.toy:
        return {"row": rows}
    found = lines_of(result.lab.the_table(), result.table_rows[rows])
    return found | ({} if result.times is None else {"date": result.dates[rows]})
