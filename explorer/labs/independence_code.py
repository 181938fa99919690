"""Copy Python: the few lines that give the Independence lab's test again."""

from __future__ import annotations

import json

from explorer.model import code
from explorer.workbench.moved import places

from .independence_sources import BUNDLED, SHAPES, placed

KERNELS = {"LIN": "Linear()", "POLY2": "Polynomial(2)", "distance": "Energy()"}


def python(result):
    """A script that prints, and leaves in `result`, the test on the page: statistic and p equal to 1e-12."""
    lab = result.lab
    names, others, lines = _drawn(lab, result.pairs.names)
    moved = {row: place for row, place in places(lab.moved).items() if row < result.pairs.drawn}
    if moved:
        lines.append("X, Y = X.copy(), Y.copy()")
        lines += [f"X[{row}, 0], Y[{row}, 0] = {x!r}, {y!r}  # moved by hand" for row, (x, y) in moved.items()]
    if lab.placed and lab.source != "drawn":
        others.add("import numpy as np")
        lines += [
            f"more = np.array({_points(lab)})  # put by hand",
            "X, Y = np.concatenate([X, more[:, :1]]), np.concatenate([Y, more[:, 1:]])",
        ]
    if lab.kernel != "RBF":
        names.add(KERNELS[lab.kernel].partition("(")[0])
        lines.append(f"k = l = {KERNELS[lab.kernel]}")
    elif result.enough:
        names.add("Gaussian")
        lines += [
            f"k = {code(result.test.kernel[0])}  # {lab.bandwidth:g} x the median heuristic of each side",
            f"l = {code(result.test.kernel[1])}",
        ]
    estimator = _estimator(result, names)
    count = len(result.test.null_distribution) if result.enough else lab.shuffles
    lines += [f"result = hsic_test(X, Y, k, l{estimator}, n_resamples={count}, rng={lab.seed})", "print(result)"]
    imports = f"from explorer import {', '.join(sorted({*names, 'hsic_test'}, key=lambda n: (n.lower(), n)))}"
    numpy = [line for line in others if line.startswith("import")]
    return "\n".join([*numpy, *[""] * bool(numpy), imports, *sorted(others.difference(numpy)), "", *lines, ""])


def _points(lab):
    return [list(point) for point in placed(lab.placed)]


def _estimator(result, names):
    """The argument that gives σ its place."""
    if not result.enough or result.lab.sigma == 0:
        return ""
    names.add("MKME")
    if result.lab.sigma is None:
        return ", estimator=MKME()"
    a, b = result.own.sigmas
    return f", estimator=(MKME(sigma={a!r}), MKME(sigma={b!r}))"


def _drawn(lab, names):
    """Names from the front door, other imports, and the lines that draw X and Y, those by hand left out."""
    if lab.source in SHAPES:
        waves = f", waves={lab.waves}" if lab.source == "sine" else ""
        line = f"X, Y = shape({lab.source!r}, {lab.n}, noise={code(lab.noise)}{waves}, rng={lab.seed})"
        return set(), {"from explorer.labs.independence_shapes import shape"}, [line]
    if lab.source == "drawn":
        return (
            set(),
            {"import numpy as np"},
            [f"points = np.array({_points(lab)})", "X, Y = points[:, :1], points[:, 1:]"],
        )
    *x, y = names
    scaled = ".standardised()" if lab.standardise else ""
    others = set()
    if lab.source == "eckerle4":
        others |= {"import numpy as np", "from explorer.datasets import DataSet"}
        lines = [
            'data = load("eckerle4")',
            "pairs = np.column_stack([data.X, data.target])",
            f'data = DataSet(data.name, pairs, (*data.names, "transmittance")){scaled}',
        ]
    elif lab.source in BUNDLED:
        lines = [f'data = load("{lab.source}"){scaled}']
    else:
        lines = _opened(lab)
    lines += [
        f"rows = data.sample({lab.n}, rng={lab.seed})",
        f"X = rows[:, [data.names.index(name) for name in {x!r}]]",
        f"Y = rows[:, [data.names.index({y!r})]]",
    ]
    return {"load" if lab.source in BUNDLED else "read_table"}, others, lines


def _opened(lab):
    """The lines that read the file, and make sure that it is the one."""
    columns = f", columns={json.loads(lab.columns)!r}" if lab.columns else ""
    missing = "" if lab.missing == "refuse" else f", missing={lab.missing!r}"
    scaled = ", standardise=True" if lab.standardise else ""
    return [
        f"data = read_table({lab.file!r}{columns}{missing}{scaled})",
        f"if data.hash != {lab.hash!r}:",
        f"    raise ValueError({f'this is another {lab.file} than the one on the page'!r})",
    ]
