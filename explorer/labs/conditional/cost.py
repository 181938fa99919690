"""Cost of a result of the conditional lab. The coefficients are seconds, measured on one core."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.conditional.leave_one_out import THIN
from explorer.workbench.cost import measured
from explorer.workbench.pairs import listed

if TYPE_CHECKING:
    from explorer.workbench.cost import CostItem


SEARCH = 60  # number of values of λ that the search for the best one tries
FIXED = {"cut": 0.008, "bayes": 0.05, "filter": 0.009}  # seconds that do not depend on n
EXACT = 9.4e6  # number of values that the exact posterior stores on its grid


def works(lab: Any) -> list[CostItem]:
    """Return the cost items of a state."""
    if lab.picture == "table":
        return [measured("the rules of the table", 5e-3)]
    n, picture = lab.n, lab.picture
    if picture == "tree":
        seconds = 0.04 + 1e-6 * n**2 + 1.2e-9 * n**3
        return [measured("the messages of the tree", seconds, 15 * n**2, ("n",))]
    tried = SEARCH + (len(lab.stops) + 2 if picture == "cut" else 0)
    decomposed = FIXED[picture] + 1e-7 * n**2 + 1.7e-10 * n**3
    exact = EXACT if picture == "bayes" and lab.joint else 0.0
    rank, columns = rank_of(lab)
    thin = rank < n / THIN
    scores = tried * n**2 * (6e-11 * rank if thin else 4.5e-11 * n)
    numbers = exact + 3 * n**2
    if picture == "bayes" and lab.printed:
        decomposed += 1.7e-10 * n**3
        numbers += 5 * n**2
    lower = ("n",) if columns == 1 else ("n", "the number of columns")
    return [
        measured("the decomposition of the Gram matrix", decomposed, numbers, ("n",)),
        measured("the leave-one-out scores of λ", scores, 6.5 * n**2, lower),
    ]


def rank_of(lab: Any) -> tuple[float, int]:
    """Return the approximate rank of the Gram matrix that leave-one-out predicts, and its number of columns.

    A Gaussian kernel on a line distinguishes about 20 positions if its bandwidth is the median distance.
    """
    if lab.by_gram[0 if lab.picture == "bayes" else 1]:
        return lab.n, 1  # a Gram matrix may have full rank
    if lab.picture == "bayes":
        columns = max(1, len(listed(lab.x)))
    elif lab.picture == "filter" and lab.path != "rows":
        columns = 1
    else:
        columns = max(1, len(listed(lab.y, "y")))
    return (10 + 17 / lab.bandwidth) ** columns, columns
