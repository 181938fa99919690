"""Copy Python of the Two-sample lab, a few lines that reproduce its test, and the tables of its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.marks.mark import Numbers
from explorer.snippets import NOTHING, Snippet, comment, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.fields import BUNDLED
from explorer.workbench.script import models_called, script
from explorer.workbench.two_samples import dropped_rows, sizes
from explorer.workbench.user_points import moved_points
from explorer.workbench.user_rows import numbered
from explorer.workbench.user_samples import groups_line, read_lines
from explorer.workbench.verdicts import python_of

from .result import OUTLIERS, SIZES

if TYPE_CHECKING:
    from explorer.model import Model

    from .result import TwoSampleResult


def python(result: TwoSampleResult) -> Snippet:
    """Return a script that prints the page's test and stores it in `result`: statistic and p are equal to 1e-12."""
    lab = result.lab
    models: list[Model] = [result.kernel]
    names, lines, others = _drawn(lab, result)
    if lab.outliers:
        names.append("contaminate")
        lines.append(snippet("Y = contaminate(Y, {}, {}, {}, rng={})", lab.outliers, OUTLIERS, lab.distance, lab.seed))
    d = len(result.samples.names)
    where = [dict(zip(turns.tolist(), range(len(turns)), strict=True)) for turns in result.drawn.turns]
    x, y = snippet("X"), snippet("Y")
    for name, text, rows in ((x, lab.moved_p, where[0]), (y, lab.moved_q, where[1])):
        moved = {rows[turn]: list(at[:d]) for turn, at in moved_points(text).items() if turn in rows}
        if moved:
            lines.append(snippet("{} = {}.copy()", name, name))
        lines += [snippet("{}[{}, :2] = {}  # moved by hand", name, row, at) for row, at in moved.items()]
    gone = dropped_rows(lab.dropped)
    for name, side, all_rows in ((x, "P", where[0]), (y, "Q", where[1])):
        if rows := sorted({all_rows[turn] for turn in gone[side] if turn in all_rows}):
            others.add(snippet("import numpy as np"))
            lines.append(snippet("{} = np.delete({}, {}, axis=0)  # left out by hand", name, name, rows))
    if lab.outliers or lab.moved_p or lab.moved_q or lab.dropped:
        lines.append(NOTHING)
    note = snippet("  # {:g} x the median heuristic", lab.bandwidth) if result.has_bandwidth else NOTHING
    estimator = NOTHING
    if lab.estimator != "KME":
        models.append(lab.the_estimator())
        estimator = snippet(", estimator={}", models[-1])
    count, rng = result.trials.null.shape[1], lab.seed
    if lab.all_pairs:
        test = "mmd_test"
        call = snippet(
            "mmd_test(X, Y, kernel, statistic={}{}, n_resamples={}, rng={})", lab.statistic, estimator, count, rng
        )
    else:
        test = "block_test"
        call = snippet("block_test(X, Y, kernel, size={}, n_resamples={}, rng={})", lab.block_size, count, rng)
    lines += [snippet("kernel = {}{}", result.kernel, note), snippet("result = {}", call), snippet("print(result)")]
    tests = [test]
    if result.at_rank:
        how = snippet("approximation={}, rank={}, rng={}", lab.approximation, lab.rank, rng)
        lines += [
            snippet("low = mmd2(X, Y, kernel, {}, {})", lab.of_pairs, how),
            snippet("print(low, low.error)  # MMD² by the low-rank kernel, and a bound on its error"),
        ]
        tests.append("mmd2")
    if result.verdict is not None:
        call = python_of(lab, result.labels)
        lines = [snippet("verdict = {}", call), snippet("print(verdict.verdict)  # on all rows"), NOTHING, *lines]
        tests.append("compare")
    own, classes = models_called(*models)
    others |= set(own)
    return script([*names, *classes, *tests], lines, before=[*sorted(others), NOTHING] if others else [])


def _drawn(lab, result):
    """Return names to import from explorer, the lines that draw X and Y, and other imports."""
    sides = snippet("P"), snippet("Q")
    first, second = lab.seeds
    drawn_rows = snippet("P.sample({}, rng={})", lab.n, first), snippet("Q.sample({}, rng={})", lab.m, second)
    draw = [snippet("X, Y = {}", snippet(", ").join(drawn_rows))]
    if given := lab.law_arguments():
        laws = [snippet("{} = GaussianMixture({}, {}, {})", side, *law) for side, law in zip(sides, given, strict=True)]
        return ["GaussianMixture"], [*laws, *draw], set()
    if lab.source not in BUNDLED:
        whole = [count == there for count, there in zip((lab.n, lab.m), sizes(lab.tables, lab.groups), strict=True)]
        given = [
            snippet("{}.X", side) if each else drawn for side, each, drawn in zip(sides, whole, drawn_rows, strict=True)
        ]
        lines = [*read_lines(lab, result.labels), snippet("X, Y = {}", snippet(", ").join(given))]
        if result.order != sorted(result.order):
            about = comment("those columns first that differ most")
            lines.append(snippet("X, Y = (Z.take({}, axis=1) for Z in (X, Y))  {}", result.order, about))
        return ["read_tables"], lines, set()
    others = set()
    if lab.standardise:
        others = {snippet("import numpy as np"), snippet("from explorer.datasets import standardise")}
        draw += [
            snippet("Z = standardise(np.concatenate([X, Y]))  # both samples on a common scale"),
            snippet("X, Y = Z[:{}], Z[{}:]", lab.n, lab.n),
        ]
    return ["load"], [snippet("data = load({})", lab.source), groups_line(result.labels), *draw], others


def numbers(result: TwoSampleResult) -> Numbers:
    """Return table -> column -> (rows,): the null distribution, the samples and the deferred stages."""
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
