"""Copy Python of the Two-sample lab, a few lines that give its test again, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.marks.mark import Numbers
from explorer.model import code
from explorer.tables import with_own
from explorer.workbench.by_hand import places
from explorer.workbench.fields import BUNDLED
from explorer.workbench.own_rows import numbered
from explorer.workbench.own_samples import groups_line, read_lines
from explorer.workbench.script import models_called
from explorer.workbench.two_samples import dropped_rows, sizes
from explorer.workbench.verdicts import python_of

from .result import OUTLIERS, SIZES

if TYPE_CHECKING:
    from explorer.model import Model

    from .result import TwoSampleResult


def python(result: TwoSampleResult) -> str:
    """A script that prints, and leaves in `result`, the test on the page: statistic and p equal to 1e-12."""
    lab = result.lab
    models: list[Model] = [result.kernel]
    names, lines, imports = _drawn(lab, result)
    if lab.outliers:
        names.append("contaminate")
        lines.append(f"Y = contaminate(Y, {lab.outliers}, {OUTLIERS!r}, {code(lab.distance)}, rng={lab.seed})")
    d = len(result.samples.names)
    where = [dict(zip(turns.tolist(), range(len(turns)), strict=True)) for turns in result.drawn.turns]
    for name, text, rows in (("X", lab.moved_p, where[0]), ("Y", lab.moved_q, where[1])):
        moved = {rows[turn]: list(at[:d]) for turn, at in places(text).items() if turn in rows}
        if moved:
            lines.append(f"{name} = {name}.copy()")
        lines += [f"{name}[{row}, :2] = {at}  # moved by hand" for row, at in moved.items()]
    gone = dropped_rows(lab.dropped)
    for name, side, all_rows in (("X", "P", where[0]), ("Y", "Q", where[1])):
        if rows := sorted({all_rows[turn] for turn in gone[side] if turn in all_rows}):
            imports.add("import numpy as np")
            lines.append(f"{name} = np.delete({name}, {rows}, axis=0)  # left out by hand")
    if lab.outliers or lab.moved_p or lab.moved_q or lab.dropped:
        lines.append("")
    note = f"  # {lab.bandwidth:g} x the median heuristic" if result.has_bandwidth else ""
    estimator = ""
    if lab.estimator != "KME":
        models.append(lab.the_estimator())
        estimator = f", estimator={code(models[-1])}"
    count, rng = result.trials.null.shape[1], lab.seed
    if lab.all_pairs:
        test = "mmd_test"
        call = f"mmd_test(X, Y, kernel, statistic={lab.statistic!r}{estimator}, n_resamples={count}, rng={rng})"
    else:
        test = "block_test"
        call = f"block_test(X, Y, kernel, size={lab.block_size}, n_resamples={count}, rng={rng})"
    lines += [f"kernel = {code(result.kernel)}{note}", f"result = {call}", "print(result)"]
    tests = [test]
    if result.at_rank:
        how = f"approximation={lab.approximation!r}, rank={lab.rank}, rng={rng}"
        lines += [
            f"low = mmd2(X, Y, kernel, {lab.of_pairs!r}, {how})",
            "print(low, low.error)  # at most so far off",
        ]
        tests.append("mmd2")
    if result.verdict is not None:
        call = python_of(lab, result.labels)
        lines = [f"verdict = {call}", "print(verdict.verdict)  # of all rows", "", *lines]
        tests.append("compare")
    own, classes = models_called(*models)
    imports |= set(own)
    front = ", ".join(sorted({*names, *classes, *tests}, key=lambda n: (n.lower(), n)))
    head = [*sorted(imports), ""] if imports else []
    return "\n".join([*head, f"from explorer import {front}", "", *lines, ""])


def _drawn(lab, result):
    """Names from the front door, the lines that draw X and Y, and other imports."""
    first, second = lab.seeds
    drawn_rows = f"P.sample({lab.n}, rng={first})", f"Q.sample({lab.m}, rng={second})"
    draw = [f"X, Y = {', '.join(drawn_rows)}"]
    if given := lab.law_arguments():
        laws = [f"{side} = GaussianMixture({', '.join(map(code, law))})" for side, law in zip("PQ", given, strict=True)]
        return ["GaussianMixture"], [*laws, *draw], set()
    if lab.source not in BUNDLED:
        whole = [count == there for count, there in zip((lab.n, lab.m), sizes(lab.tables, lab.groups), strict=True)]
        given = [f"{side}.X" if each else drawn for side, each, drawn in zip("PQ", whole, drawn_rows, strict=True)]
        lines = [*read_lines(lab, result.labels), f"X, Y = {', '.join(given)}"]
        if result.order != sorted(result.order):
            about = "those columns first that differ most"
            lines.append(f"X, Y = (Z.take({result.order}, axis=1) for Z in (X, Y))  # {about}")
        return ["read_tables"], lines, set()
    imports = set()
    if lab.standardise:
        imports = {"import numpy as np", "from explorer.datasets import standardise"}
        draw += ["Z = standardise(np.concatenate([X, Y]))  # both by one scale", f"X, Y = Z[:{lab.n}], Z[{lab.n}:]"]
    return ["load"], [f'data = load("{lab.source}")', groups_line(result.labels), *draw], imports


def numbers(result: TwoSampleResult) -> Numbers:
    """Table -> column -> (rows,): the null distribution, the samples with the witness, and what follows at rest."""
    samples, null = result.samples, result.test().null_distribution
    tables = {
        "null": {"shuffle": np.arange(1, len(null) + 1), "mmd2": null},
        "sample": with_own(
            samples.own,
            {"witness": result.heights[result.of()], "stray_or_moved": samples.touched.astype(int)},
            {
                **numbered(result.lab, samples.rows),
                "of_q": (np.arange(len(samples.rows)) >= len(samples.X)).astype(int),
            },
        ),
    }
    if result.strip is not None:
        bandwidths = np.array(result.stops) * result.median
        tables["bandwidths"] = {"bandwidth": bandwidths, "mmd2": result.strip.observed, "p": result.strip.pvalues}
    if result.difference is not None:
        tables["frequencies"] = dict(result.difference._asdict())
    if result.over_ranks:
        ranked = result.over_ranks
        tables["ranks"] = {"rank": ranked.ranks, "mmd2": ranked.values, "error": ranked.errors}
    if result.plan is not None and result.plan.power is not None:
        tables["power"] = {"n": SIZES, "power": result.plan.power}
    return tables
