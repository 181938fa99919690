"""Measures of the claims on learning from distributions, and Table 2 of paper 002 next to ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.papers.effect import Case, Measure
from explorer.papers.entry import TableComparison
from explorer.papers.evidence import mean, over_sizes, slope

from .machines import ESTIMATORS, KERNELS
from .regression import LINEAR, NONLINEAR

if TYPE_CHECKING:
    from explorer.papers.entry import Cell


# paper 002, Table 2: task and kernel -> KME, S-KMSE, F-KMSE
PRINTED = {
    ("SMM", "linear"): (0.5432, 0.5521, 0.5610),
    ("OCSMM", "linear"): (0.6955, 0.6970, 0.6970),
    ("SMM", "gaussian"): (0.6017, 0.6303, 0.6522),
    ("OCSMM", "gaussian"): (0.9085, 0.9105, 0.9095),
}


def gain(name: str, measured: str = "score") -> Measure:
    """Return the measure of what an estimator adds to KME's score on the same bags, by kernel of bags."""
    return mean(
        f"the {measured} of {name} minus that of KME",
        lambda cell, kernel: cell.table[f"{name}, {kernel}"] - cell.table[f"KME, {kernel}"],
        KERNELS,
        "{:+.4f}".format,
    )


def compare_with_printed(cells: Sequence[Cell]) -> TableComparison:
    """Return Table 2 as printed, next to our means."""
    rows = []
    for (task, kernel), printed in PRINTED.items():
        tables = [cell.table for cell in cells if cell.values["task"] == task]
        words = [f"{task}, {kernel}"]
        for name, number in zip(ESTIMATORS, printed, strict=True):
            ours = f"{np.mean(tables[0][f'{name}, {kernel}']):.4f}" if tables else "none"
            words += [f"{number:.4f}", ours]
        rows.append(tuple(words))
    columns = ("machine, kernel", *(word for name in ESTIMATORS for word in (f"{name}, printed", f"{name}, ours")))
    return TableComparison(
        "Accuracy of the SMM and AUC of the OCSMM, as printed and on our stand-ins",
        columns,
        tuple(rows),
        ("The data differ, so levels cannot be compared; what can be is which estimator does better.",),
    )


def linear_gain() -> Measure:
    """Return the measure of how the Gaussian kernel of bags errs compared with the linear kernel."""
    return mean(
        "the error of the Gaussian kernel of bags minus that of the linear kernel",
        lambda cell, _: cell.table[NONLINEAR] - cell.table[LINEAR],
    )


def error_rate() -> Measure:
    """Return the measure of how the error of regression falls with the points in a bag, with a case for each task."""
    about = "the slope of log error over log n"
    return Measure(
        about,
        lambda cells: [
            Case(task.removeprefix("task = "), lambda confidence, row=row: slope(row, NONLINEAR, confidence))
            for task, row in over_sizes(cells, "n", 1).items()
        ],
        lambda effect: f"T{about[1:]} is {effect.value:.3f}",
        "{:.3f}".format,
    )
