"""Table 2 of paper 002 and the article's regression, as claims and entries of the catalogue."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from explorer.papers.claim import Claim, loses_less
from explorer.papers.effect import Case, Measure
from explorer.papers.entry import ARTICLE, STEIN, Entry, TableComparison, means
from explorer.papers.evidence import mean, slope
from explorer.papers.quantifier import Every, OnAverage
from explorer.papers.standard import Less, More, Near

from .machines import ESTIMATORS, KERNELS, TABLE_2, TASKS, table_2
from .regression import CONSTANT, LINEAR, MEAN, NONLINEAR, REGRESSION, regression
from .regression import TASKS as NUMBERS

if TYPE_CHECKING:
    from explorer.papers.entry import Cell


# paper 002, Table 2: task and kernel -> KME, S-KMSE, F-KMSE
PRINTED = {
    ("SMM", "linear"): (0.5432, 0.5521, 0.5610),
    ("OCSMM", "linear"): (0.6955, 0.6970, 0.6970),
    ("SMM", "gaussian"): (0.6017, 0.6303, 0.6522),
    ("OCSMM", "gaussian"): (0.9085, 0.9105, 0.9095),
}
MATTERS = 0.03  # difference of accuracies or AUCs that a picture of such a table would show
BETTER = "Clearly, both shrinkage estimators lead to better performance on both SMM and OCSMM when compared to KME."


def _better(name, task):
    """Return the claim that an estimator does better at a task than KME, under both kernels of bags."""
    measured = {"SMM": "accuracy", "OCSMM": "AUC"}[task]
    return Claim(
        f"{name} leads to a better {measured} of the {task} than KME",
        Every,
        More(),
        _gain(name, measured),
        BETTER,
        ("28",),
        lambda values: values["task"] == task,
    )


def _gain(name, measured="score"):
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


APPLIED = (
    "Distribution regression has been successfully applied for example in supervised entropy learning, and aerosol"
)
AEROSOL = f"{APPLIED} prediction using multispectral satellite images."


def _of(*tasks):
    return lambda values: values["task"] in tasks


SLOPES = Measure(
    "the slope of log error over log n",
    lambda cells: [
        Case(
            task,
            lambda confidence, task=task: slope([c for c in cells if c.values["task"] == task], NONLINEAR, confidence),
        )
        for task in dict.fromkeys(cell.values["task"] for cell in cells)
    ],
    lambda effect: f"The slope of log error over log n is {effect.value:.3f}",
    "{:.3f}".format,
)
REGRESSION_CLAIMS = (
    loses_less(
        "Distribution regression learns the entropy of a distribution from its sample",
        Every,
        NONLINEAR,
        (CONSTANT, MEAN),
        f"{APPLIED} prediction",
        ("E-11",),
        _of("entropy"),
    ),
    loses_less(
        "Distribution regression predicts the haze of our stand-in for aerosol images",
        Every,
        NONLINEAR,
        (CONSTANT, MEAN),
        AEROSOL,
        ("E-11",),
        _of("aerosol"),
    ),
    loses_less(
        "Distribution regression learns the variance", Every, NONLINEAR, (CONSTANT, MEAN), where=_of("variance")
    ),
    Claim("The error falls with the points in a bag", Every, Less(), SLOPES),
    Claim(
        "A kernel of distances of kernel means and the inner product err alike, to a fifth of the variance",
        OnAverage,
        Near(0.2),
        mean(
            "the error of the Gaussian kernel of bags minus that of the linear kernel",
            lambda cell, _: cell.table[NONLINEAR] - cell.table[LINEAR],
        ),
    ),
)

BAGS = (
    Entry(
        "shrinkage-table-2",
        paper=STEIN,
        figure="Table 2",
        about="accuracy and AUC of support measure machines",
        study=table_2,
        sizes=TABLE_2,
        summary=means,
        unit="accuracy (SMM), area under the curve (OCSMM)",
        lines=tuple(f"{name}, {kernel}" for kernel in KERNELS for name in ESTIMATORS),
        claims=(
            *(_better(name, task) for name in ("S-KMSE", "F-KMSE") for task in TASKS),
            *(
                Claim(
                    f"{name} and KME differ by less than {MATTERS:g} in accuracy and AUC",
                    OnAverage,
                    Near(MATTERS),
                    _gain(name),
                )
                for name in ("S-KMSE", "F-KMSE")
            ),
        ),
        errata=("28",),
        remarks=(
            "The scene images and the data of high-energy physics are not public any more: points of ink of"
            " scikit-learn's digits, and groups of Gaussians in unusual shares, stand in for them.",
        ),
        printed=compare_with_printed,
    ),
    Entry(
        "article-regression",
        paper=ARTICLE,
        figure="Distribution regression",
        about="numbers learnt from bags of points",
        study=regression,
        sizes=REGRESSION,
        summary=means,
        unit="mean squared error over the variance of the numbers",
        lines=(CONSTANT, MEAN, LINEAR, NONLINEAR),
        claims=REGRESSION_CLAIMS,
        errata=("E-11",),
        remarks=(
            f"The article has no numbers here. Of its {len(NUMBERS)} tasks the aerosol images are a stand-in of ours:"
            " pixels that show a haze, among others that show the ground.",
        ),
    ),
)
