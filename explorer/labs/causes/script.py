"""Generated Python code of the causes lab, which reproduces the page's numbers, and its downloadable tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.columns.quantity import in_file_units
from explorer.marks.mark import Numbers
from explorer.snippets import Snippet, identifier, imports, snippet
from explorer.tables.html_tables import with_own
from explorer.workbench.script import opening_lines, script
from explorer.workbench.user_rows import drawn_lines

from .result import RESAMPLES

if TYPE_CHECKING:
    from .result import CausesResult


def python(result: CausesResult) -> Snippet:
    """Return a script that stores p of each test in `shown` and prints it."""
    lab = result.lab
    opening, names, helper = _rows(result)
    roles = "xyz"[: result.drawn.X.shape[1]]
    opening.append(snippet("{} = X.T", snippet(", ").join(map(identifier, roles))))
    how = snippet("n_resamples={}, rng={}", RESAMPLES, lab.seed)
    wide = [lab.bandwidth * median for median in result.medians]
    note = snippet("  # {:g} x the median distance", lab.bandwidth)
    names.append("Gaussian")
    if lab.asks == "given":
        names += ["kci_test", "gcm_test", "hsic_test"]
        lines = [
            snippet("kernel = Gaussian({}){} of z", wide[2], note),
            snippet("tests = [kci_test(x, y, z, kernel_z=kernel, {}), gcm_test(x, y, z, kernel, {})]", how, how),
            snippet("tests.append(hsic_test(x, y, {}))", how),
        ]
    elif lab.asks == "joint":
        names += ["dhsic_test", "hsic_test"]
        lines = [
            snippet("k, l, m = {}{} of each", snippet(", ").join(snippet("Gaussian({})", each) for each in wide), note),
            snippet("tests = [dhsic_test([x, y, z], [k, l, m], {})]", how),
            snippet(
                "tests += [hsic_test(x, y, k, l, {}), hsic_test(x, z, k, m, {}), hsic_test(y, z, l, m, {})]",
                how,
                how,
                how,
            ),
        ]
    else:
        names.append("additive_noise")
        lines = [
            snippet("k, l = Gaussian({}), Gaussian({}){} of each", wide[0], wide[1], note),
            snippet("both = additive_noise(x, y, k, l, {})", how),
            snippet("print(both)"),
            snippet("tests = [both.forward, both.backward]"),
        ]
    lines += [
        snippet("shown = dict(zip({}, [test.pvalue for test in tests]))", list(result.names)),
        snippet("print(shown)"),
    ]
    return script(names, [*opening, *lines], after=helper)


def _rows(result):
    """Return the lines that create the rows X, the names they import from explorer, and their other import lines."""
    lab = result.lab
    if lab.toy:
        given = [*lab.drawn_as.items(), ("rng", lab.seed)]
        drawn = snippet(", ").join(snippet("{}={}", identifier(field), value) for field, value in given)
        return [snippet("X = causal({})", drawn)], [], [imports("explorer.datasets", ["causal"])]
    lines, names = opening_lines(lab)
    columns = [each.name for each in result.quantities]
    lines.append(snippet("columns = [data.names.index(name) for name in {}]", columns))
    lines.append(snippet("X = data.sample({}, rng={})[:, columns]", lab.n, lab.seed))
    return lines, names, []


def numbers(result: CausesResult) -> Numbers:
    """Return the tables, as table -> column -> (rows,): the rows with residuals, p by bandwidth, the many samples."""
    look, stops = result.look_in(), result.stops if result.answers else [result.lab.bandwidth]
    left = {"given": ("left_of_x", "left_of_y"), "direction": ("left_of_y", "left_of_x")}.get(result.lab.asks, ())
    found: Numbers = {
        "rows": with_own(
            in_file_units(result.quantities, result.drawn.X),
            dict(zip(left, look.left, strict=False)),
            drawn_lines(result.lab),
        ),
        "pvalues": {
            "bandwidth": np.array(stops, float),
            **{
                name: np.array([each.pvalues[i] for each in result.table_rows])
                for i, name in enumerate(map(_plain, result.names))
            },
        },
    }
    if result.study is not None:
        low, high = result.study.intervals.T
        names = np.array(list(map(_plain, result.names)), dtype=object)
        found["samples"] = {"test": names, "share": result.study.shares, "low": low, "high": high}
    return found


def _plain(name):
    """Return the name of a test as the name of a file's column."""
    return name.replace("→", "to")
