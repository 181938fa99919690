"""Copy Python of the Causes lab, a few lines that give the screen's numbers again, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets.quantity import in_own_units
from explorer.marks.mark import Numbers
from explorer.model import code
from explorer.printing import call
from explorer.tables import with_own
from explorer.workbench.own_rows import drawn_lines
from explorer.workbench.script import opening_lines, script

from .cost import RESAMPLES

if TYPE_CHECKING:
    from .result import CausesResult


def python(result: CausesResult) -> str:
    """A script that prints, and leaves in `shown`, p of each test."""
    lab = result.lab
    opening, names, helper = _rows(result)
    roles = "xyz"[: result.drawn.X.shape[1]]
    opening.append(f"{', '.join(roles)} = X.T")
    how = f"n_resamples={RESAMPLES}, rng={lab.seed}"
    wide = [code(lab.bandwidth * median) for median in result.medians]
    note = f"  # {lab.bandwidth:g} x the median distance"
    names.append("Gaussian")
    if lab.asks == "given":
        names += ["kci_test", "gcm_test", "hsic_test"]
        lines = [
            f"kernel = Gaussian({wide[2]}){note} of z",
            f"tests = [kci_test(x, y, z, kernel_z=kernel, {how}), gcm_test(x, y, z, kernel, {how})]",
            f"tests.append(hsic_test(x, y, {how}))",
        ]
    elif lab.asks == "joint":
        names += ["dhsic_test", "hsic_test"]
        lines = [
            f"k, l, m = {', '.join(f'Gaussian({each})' for each in wide)}{note} of each",
            f"tests = [dhsic_test([x, y, z], [k, l, m], {how})]",
            f"tests += [hsic_test(x, y, k, l, {how}), hsic_test(x, z, k, m, {how}), hsic_test(y, z, l, m, {how})]",
        ]
    else:
        names.append("additive_noise")
        lines = [
            f"k, l = Gaussian({wide[0]}), Gaussian({wide[1]}){note} of each",
            f"both = additive_noise(x, y, k, l, {how})",
            "print(both)",
            "tests = [both.forward, both.backward]",
        ]
    lines += [
        f"shown = dict(zip({list(result.names)!r}, [test.pvalue for test in tests]))",
        "print(shown)",
    ]
    top, *rest = script(names, [*opening, *lines]).split("\n")
    return "\n".join([top, *([helper] if helper else []), *rest])


def _rows(result):
    """(lines that draw the rows X, what they import of the front door, a line that imports the rest)."""
    lab = result.lab
    if lab.toy:
        drawn = call("causal", [*lab.drawn_as.items(), ("rng", lab.seed)])
        return [f"X = {drawn}"], [], "from explorer.datasets import causal"
    lines, names = opening_lines(lab)
    columns = [each.name for each in result.quantities]
    lines.append(f"columns = [data.names.index(name) for name in {columns!r}]")
    lines.append(f"X = data.sample({lab.n}, rng={lab.seed})[:, columns]")
    return lines, names, ""


def numbers(result: CausesResult) -> Numbers:
    """Table -> column -> (rows,): the rows with what the regressions leave, p by bandwidth, the many samples."""
    look, stops = result.look_in(), result.stops if result.answers else [result.lab.bandwidth]
    left = {"given": ("left_of_x", "left_of_y"), "direction": ("left_of_y", "left_of_x")}.get(result.lab.asks, ())
    found: Numbers = {
        "rows": with_own(
            in_own_units(result.quantities, result.drawn.X),
            dict(zip(left, look.left, strict=False)),
            drawn_lines(result.lab),
        ),
        "pvalues": {
            "bandwidth": np.array(stops, float),
            **{
                name: np.array([each.pvalues[i] for each in result.shown])
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
    """The name of a test as a column of a file has it."""
    return name.replace("→", "to")
