"""Copy Python of the Two-sample lab, a few lines that give its test again, and its tables."""

from __future__ import annotations

import numpy as np

from explorer.model import code
from explorer.workbench.by_hand import places
from explorer.workbench.fields import BUNDLED
from explorer.workbench.own_samples import groups_line, read_lines
from explorer.workbench.two_samples import dropped_rows

from .lab import ESTIMATORS
from .result import OUTLIERS, SIZES


def python(result):
    """A script that prints, and leaves in `result`, the test on the page: statistic and p equal to 1e-12."""
    lab, kernel = result.lab, type(result.kernel).__name__
    names, lines, imports = _drawn(lab, result)
    if lab.outliers:
        names.append("contaminate")
        lines.append(f"Y = contaminate(Y, {lab.outliers}, {OUTLIERS!r}, {code(lab.distance)}, rng={lab.seed})")
    d = len(result.samples.names)
    for name, text, size in (("X", lab.moved_p, lab.n), ("Y", lab.moved_q, lab.m)):
        moved = {row: list(at[:d]) for row, at in places(text).items() if row < size}
        if moved:
            lines.append(f"{name} = {name}.copy()")
        lines += [f"{name}[{row}, :2] = {at}  # moved by hand" for row, at in moved.items()]
    gone = dropped_rows(lab.dropped)
    for name, side, size in (("X", "P", lab.n), ("Y", "Q", lab.m)):
        if rows := sorted({row for row in gone[side] if row < size}):
            imports.add("import numpy as np")
            lines.append(f"{name} = np.delete({name}, {rows}, axis=0)  # left out by hand")
    if lab.outliers or lab.moved_p or lab.moved_q or lab.dropped:
        lines.append("")
    note = f"  # {lab.bandwidth:g} x the median heuristic" if result.kernel.has_bandwidth else ""
    estimator = ""
    if lab.estimator != "KME":
        class_name = ESTIMATORS[lab.estimator].__name__
        names.append(class_name)
        estimator = f", estimator={class_name}()"
    count, rng = result.trials.null.shape[1], lab.seed
    if lab.all_pairs:
        test = "mmd_test"
        call = f"mmd_test(X, Y, kernel, statistic={lab.statistic!r}{estimator}, n_resamples={count}, rng={rng})"
    else:
        test = "block_test"
        call = f"block_test(X, Y, kernel, size={lab.block_size}, n_resamples={count}, rng={rng})"
    lines += [f"kernel = {code(result.kernel)}{note}", f"result = {call}", "print(result)"]
    front = ", ".join(sorted({*names, kernel, test}, key=lambda n: (n.lower(), n)))
    head = [*sorted(imports), ""] if imports else []
    return "\n".join([*head, f"from explorer import {front}", "", *lines, ""])


def _drawn(lab, result):
    """Names from the front door, the lines that draw X and Y, and other imports."""
    first, second = lab.seeds
    draw = [f"X, Y = P.sample({lab.n}, rng={first}), Q.sample({lab.m}, rng={second})"]
    if given := lab.law_arguments():
        laws = [f"{side} = GaussianMixture({', '.join(map(code, law))})" for side, law in zip("PQ", given, strict=True)]
        return ["GaussianMixture"], [*laws, *draw], set()
    if lab.source not in BUNDLED:
        if result.order != sorted(result.order):
            draw.append(
                f"X, Y = (Z.take({result.order}, axis=1) for Z in (X, Y))  # those columns first that differ most"
            )
        return ["read_tables"], [*read_lines(lab, result.labels), *draw], set()
    imports = set()
    if lab.standardise:
        imports = {"import numpy as np", "from explorer.datasets import standardise"}
        draw += ["Z = standardise(np.concatenate([X, Y]))  # both by one scale", f"X, Y = Z[:{lab.n}], Z[{lab.n}:]"]
    return ["load"], [f'data = load("{lab.source}")', groups_line(result.labels), *draw], imports


def numbers(result):
    """Table -> column -> (rows,): the null distribution, the samples with the witness, and what follows at rest."""
    samples, null = result.samples, result.test().null_distribution
    tables = {
        "null": {"shuffle": np.arange(1, len(null) + 1), "mmd2": null},
        "sample": {
            "of_q": (np.arange(len(samples.rows)) >= len(samples.X)).astype(int),
            **samples.own,
            "witness": result.trials.heights[result.of()],
            "stray_or_moved": samples.touched.astype(int),
        },
    }
    if result.strip is not None:
        bandwidths = np.array(result.stops) * result.median
        tables["bandwidths"] = {"bandwidth": bandwidths, "mmd2": result.strip.observed, "p": result.strip.pvalues}
    if result.difference is not None:
        tables["frequencies"] = dict(result.difference._asdict())
    if result.plan is not None and result.plan.power is not None:
        tables["power"] = {"n": SIZES, "power": result.plan.power}
    return tables
