"""Figure 3 of "Kernel Mean Estimation and Stein Effect" (papers 001 and 002), as a study: kernel PCA by shrinkage.

figure_3(data, components, seed=int) is one random split of a data set. Kernel PCA is fitted to 70 % of the rows. The
study returns the mean reconstruction error of the other 30 %, for each way to estimate the centre and the covariance
operator. The error is the squared RKHS distance of k(z, .) from its projection on the affine span of the components.

The papers' protocol (002, section 4.2): columns of numbers, each with mean 0 and variance 1, a Gaussian kernel, 20
components, 30 % held out, 10 repetitions. The papers leave the following open. Here the bandwidth is the median
heuristic on the fitted rows. Columns are standardised on all rows, including columns of codes. From data sets of more
than 2000 rows each split draws 2000, because F-COSE's score takes eigendecompositions of that size. COSE's λ is chosen
by the leave-one-out score of the tensors, and once more by that of Theorem 4, which the paper prints (erratum 24).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.datasets import load, standardise
from explorer.estimators import FKMSE, SKMSE
from explorer.kernels import Gaussian
from explorer.operators import KernelPCA
from explorer.rng import stream
from explorer.types import Matrix

from .shrinkage import Grid

if TYPE_CHECKING:
    from .entry import Cell


DATA = (
    "ionosphere", "sonar", "australian", "specft", "wdbc", "wine", "satimage", "segment", "vehicle", "svmguide2",
    "vowel", "housing", "bodyfat", "abalone", "glass",
)  # fmt: skip
ROWS, HELD_OUT, PRINTED = 2000, 0.3, 20
EQUAL = 1e-8  # rounding error allowed between equal errors, where k(x, x) = 1

T4 = "F-COSE, theorem 4"
VARIANTS: dict[str, Any] = {
    "KME": (None, None),
    "S-KMSE": (SKMSE(), None),
    "F-KMSE": (FKMSE(), None),
    "S-COSE": (None, SKMSE()),
    "F-COSE": (None, FKMSE()),
    T4: (None, FKMSE(selection="theorem-4")),
}  # name -> (estimator of the centre, estimator of the covariance)
FIGURE_3 = {
    "fast": (
        Grid({"data": ("wine",), "components": (2, 5, 10, PRINTED)}, 20),
        Grid({"data": ("wdbc",), "components": (PRINTED,)}, 10),
    ),
    "full": (
        Grid({"data": DATA, "components": (PRINTED,)}, 30),
        Grid({"data": ("wine", "wdbc"), "components": (1, 2, 5, 10, PRINTED, 40)}, 30),
    ),
}


def figure_3(data: int | str, components: int = PRINTED, seed: int = 0) -> dict[str, float]:
    """Return the mean squared distance of held-out points from their reconstructions, in units of k(x, x) = 1.

    Parameters
    ----------
    data : str
        Name of a data set of vectors, as for `load`.
    components : int, default 20
        Number of principal components, at least 1.
    seed : int, default 0
        Seed of the split.

    Returns
    -------
    dict of {str: float}
        - ``"KME"``: standard kernel PCA.
        - ``"S-KMSE"``, ``"F-KMSE"``: features centred at the shrunk kernel mean.
        - ``"S-COSE"``, ``"F-COSE"``: the covariance operator shrunk. S-COSE's error equals KME's up to rounding
          (erratum 32).
        - ``"F-COSE, theorem 4"``: its λ by the score that paper 002 prints.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.
    FileNotFoundError
        If the data set is not available.
    """
    components, seed = checks.whole(components, "components", 1), checks.whole(seed, "seed")
    fitted, held_out = split(data, seed)
    if components >= len(fitted):
        raise Refusal(f"components must be below {len(fitted)}, the points that {data} fits to, not {components}.")
    kernel, found = Gaussian().select(fitted), {}
    for name, (centering, covariance) in VARIANTS.items():
        pca = KernelPCA(kernel, components, centering, covariance).fit(fitted)
        found[name] = float(pca.reconstruction_error(held_out).mean())
    return found


def split(data: int | str, seed: int) -> tuple[Matrix, Matrix]:
    """Return (the fitted rows, the 30 % held-out rows) of the standardised data set, with d columns each."""
    table = load(data) if isinstance(data, str) else None
    if table is None or not hasattr(table, "d"):
        raise Refusal(f"data must be the name of a data set of vectors, such as 'wine', not {checks.echo(data)}.")
    X = standardise(table.X)
    rows = stream(seed, "rows").permutation(len(X))[:ROWS]
    count = round(HELD_OUT * len(rows))
    return X[rows[count:]], X[rows[:count]]


def equal_errors(cells: Sequence[Cell]) -> tuple[bool | None, str]:
    """Return (whether S-COSE and standard kernel PCA err equally in every split, a sentence with their difference)."""
    if not cells:
        return None, "There are no splits."
    gap = max(float(np.abs(cell.table["S-COSE"] - cell.table["KME"]).max()) for cell in cells)
    splits = sum(len(cell.table["KME"]) for cell in cells)
    return gap <= EQUAL, f"In {splits} splits they differ by {gap:.1g} at most."
