"""Costs of the refits that score λ, in seconds on the core on which the labs were timed."""

from __future__ import annotations

from explorer.conditional.leave_one_out import THIN
from explorer.workbench.cost import costs
from explorer.workbench.pairs import listed

SEARCH = 60  # number of values of λ that the search for the best one tries
FIXED = {"cut": 0.008, "bayes": 0.05, "filter": 0.009}  # seconds that do not depend on n
EXACT = 9.4e6  # number of values that the exact posterior stores on its grid


def _decomposition(lab):
    printed = lab.picture == "bayes" and lab.printed
    return FIXED[lab.picture] + 1e-7 * lab.n**2 + (3.4e-10 if printed else 1.7e-10) * lab.n**3


def _held(lab):
    if lab.picture != "bayes":
        return 3 * lab.n**2
    return (EXACT if lab.joint else 0.0) + (8 if lab.printed else 3) * lab.n**2


def _scores(lab):
    """Return the seconds of the leave-one-out scores of λ, which are fewer if the predicted Gram matrix is thin."""
    n, (rank, _) = lab.n, _rank(lab)
    tried = SEARCH + (len(lab.stops) + 2 if lab.picture == "cut" else 0)
    return tried * n**2 * (6e-11 * rank if rank < n / THIN else 4.5e-11 * n)


def _smaller(lab):
    return ("n",) if _rank(lab)[1] == 1 else ("n", "the number of columns")


def _rank(lab):
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


costs_decomposition = costs("the decomposition of the Gram matrix", _decomposition, _held, "n")
costs_scores = costs("the leave-one-out scores of λ", _scores, lambda lab: 6.5 * lab.n**2, _smaller)
