"""Generated Python code of the causes lab, which reproduces the page's numbers, and its downloadable tables."""

# pyright: reportPossiblyUnboundVariable=false

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.conditional import additive_noise, gcm_test, kci_test
from explorer.datasets import causal
from explorer.datasets.columns.quantity import in_file_units
from explorer.discrepancy import dhsic_test, hsic_test
from explorer.kernels import Gaussian
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe
from explorer.tables.html_tables import with_own
from explorer.workbench.script import opening
from explorer.workbench.user_rows import drawn_lines

from .result import RESAMPLES

if TYPE_CHECKING:
    from .result import CausesResult


def python(result: CausesResult) -> Script:
    """Return a script that stores p of each test in `shown` and prints it."""
    lab, names = result.lab, list(result.names)
    how: dict[str, Any] = {"n_resamples": RESAMPLES, "rng": lab.seed}
    wide = [lab.bandwidth * median for median in result.medians]
    rows, chosen, pair = opening(lab), [each.name for each in result.quantities], result.drawn.X.shape[1] == 2

    @recipe
    def steps():
        if lab.toy:
            X = causal(**lab.drawn_as, rng=lab.seed)
        else:
            data = rows()
            columns = [data.names.index(name) for name in chosen]
            X = data.sample(lab.n, rng=lab.seed)[:, columns]
        if pair:
            x, y = X.T
        else:
            x, y, z = X.T
        if lab.asks == "given":
            kernel = Gaussian(wide[2])  # {lab.bandwidth:g} x the median distance of z
            tests: list[Any] = [kci_test(x, y, z, kernel_z=kernel, **how), gcm_test(x, y, z, kernel, **how)]
            tests.append(hsic_test(x, y, **how))
        elif lab.asks == "joint":
            k, l, m = (
                Gaussian(wide[0]),
                Gaussian(wide[1]),
                Gaussian(wide[2]),
            )  # {lab.bandwidth:g} x the median distance of each
            tests = [dhsic_test([x, y, z], [k, l, m], **how)]
            tests += [hsic_test(x, y, k, l, **how), hsic_test(x, z, k, m, **how), hsic_test(y, z, l, m, **how)]
        else:
            k, l = Gaussian(wide[0]), Gaussian(wide[1])  # {lab.bandwidth:g} x the median distance of each
            both = additive_noise(x, y, k, l, **how)
            print(both)
            tests = [both.forward, both.backward]
        shown = dict(zip(names, [test.pvalue for test in tests]))
        print(shown)

    return steps.script()


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
