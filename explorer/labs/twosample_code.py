"""Copy Python: the few lines that give the Two-sample lab's test again."""

from __future__ import annotations

import json

from explorer.model import code
from explorer.workbench.moved import places

from .twosample_sources import BUNDLED, STRAYS, dropped_rows, law_arguments, seeds

ESTIMATOR = {"S-KMSE": "SKMSE", "F-KMSE": "FKMSE"}


def python(result):
    """A script that prints, and leaves in `result`, the test on the page: statistic and p equal to 1e-12."""
    lab, kernel = result.lab, type(result.kernel).__name__
    names, lines, also = _drawn(lab, result)
    arrays = lab.outliers or lab.moved_p or lab.moved_q or lab.dropped
    if lab.outliers:
        names.append("contaminate")
        lines.append(f"Y = contaminate(Y, {lab.outliers}, {STRAYS!r}, {code(lab.distance)}, rng={lab.seed})")
    for name, text, size in (("X", lab.moved_p, lab.n), ("Y", lab.moved_q, lab.m)):
        moved = {row: place for row, place in places(text).items() if row < size}
        lines += [f"{name} = {name}.copy()"] * bool(moved)
        lines += [
            f"{name}[{row}, :2] = {list(at[: result.samples.X.shape[1]])}  # moved by hand" for row, at in moved.items()
        ]
    gone = dropped_rows(lab.dropped)
    for name, side, size in (("X", "P", lab.n), ("Y", "Q", lab.m)):
        if rows := sorted({row for row in gone[side] if row < size}):
            also.add("import numpy as np")
            lines.append(f"{name} = np.delete({name}, {rows}, axis=0)  # left out by hand")
    note = f"  # {lab.bandwidth:g} x the median heuristic" if lab.kernel == "RBF" else ""
    estimator = ""
    if lab.estimator in ESTIMATOR:
        names.append(ESTIMATOR[lab.estimator])
        estimator = f", estimator={ESTIMATOR[lab.estimator]}()"
    lines += [
        "" if arrays else None,
        f"kernel = {code(result.kernel)}{note}",
        (
            f"result = mmd_test(X, Y, kernel, statistic={lab.statistic!r}{estimator},"
            f" n_resamples={result.trials.null.shape[1]}, rng={lab.seed})"
        ),
        "print(result)",
    ]
    imports = ", ".join(sorted({*names, kernel, "mmd_test"}, key=lambda n: (n.lower(), n)))
    return "\n".join(
        [
            *sorted(also),
            *[""] * bool(also),
            f"from explorer import {imports}",
            "",
            *(line for line in lines if line is not None),
            "",
        ]
    )


def _drawn(lab, result):
    """Names from the front door, the lines that draw X and Y, and other imports."""
    first, second = seeds(lab)
    draw = [f"X, Y = P.sample({lab.n}, rng={first}), Q.sample({lab.m}, rng={second})"]
    given = law_arguments(lab)
    if given:
        laws = [f"{side} = GaussianMixture({', '.join(map(code, law))})" for side, law in zip("PQ", given, strict=True)]
        return ["GaussianMixture"], [*laws, *draw], set()
    also = set()
    if lab.standardise and lab.source in BUNDLED:
        also |= {"import numpy as np", "from explorer.datasets import standardise"}
        draw += ["Z = standardise(np.concatenate([X, Y]))  # both by one scale", f"X, Y = Z[:{lab.n}], Z[{lab.n}:]"]
    if lab.source in BUNDLED:
        return ["load"], [f'data = load("{lab.source}")', *_groups(result), *draw], also
    return ["read_tables"], [*_read(lab, result), *draw], also


def _groups(result):
    """The line that takes P and Q out of one table."""
    first, second = result.samples.labels
    return [f"P, Q = data.where({first!r}), data.where({second!r})"]


def _read(lab, result):
    """The lines that read one file with groups, or two files, and check that they are those on the page."""
    files = {"P": (lab.file, lab.hash), "Q": (lab.file2, lab.hash2)} if lab.hash2 else {"data": (lab.file, lab.hash)}
    options = f", columns={json.loads(lab.columns)!r}" if lab.columns else ""
    options += "" if lab.missing == "refuse" else f", missing={lab.missing!r}"
    options += "" if lab.standardise else ", scale='none'"
    options += "" if lab.hash2 else f", target={lab.group!r}"
    names = ", ".join(files) if lab.hash2 else "(data,)"
    lines = [f"{names} = read_tables({[file for file, _ in files.values()]!r}{options}).indicators()"]
    for name, (file, digest) in files.items():
        lines += [
            f"if {name}.hash != {digest!r}:",
            f"    raise ValueError({f'this is another {file} than the one on the page'!r})",
        ]
    return lines if lab.hash2 else [*lines, *_groups(result)]
