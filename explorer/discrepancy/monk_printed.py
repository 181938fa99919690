"""What paper 004 prints where that differs from what it means, to show the difference."""

from __future__ import annotations

import numpy as np

from explorer.printing import shown

PRINTED = (None, "norm", "kept")


def printed_norm(printed, method, kernel, X, Y):
    """The norm of a block's witness as printed, a function of the block's rows; None where it is the true one.

    Raises ValueError for a variant that the method has not, and for a Gram matrix without a Cholesky factor.
    """
    if printed not in PRINTED:
        raise ValueError(f"printed must be None, 'norm' or 'kept', not {shown(printed)}.")
    if printed == "norm" and method == "direction":
        raise ValueError(
            "printed='norm' belongs to Algorithms 1 and 2; take method 'bcd' or 'bcd-fast', or printed=None."
        )
    if printed == "kept" and method != "bcd-fast":
        raise ValueError(
            f"printed='kept' belongs to Algorithm 2; take method 'bcd-fast', not {method!r}, or printed=None."
        )
    if printed != "norm":
        return None
    K, n = kernel(np.concatenate([X, Y])), len(X)
    if method == "bcd":
        L = _factor(K)
        return lambda rows: _norm(L, rows, rows + n)

    def within(rows):
        both, own = np.append(rows, rows + n), np.arange(len(rows))
        return _norm(_factor(K[np.ix_(both, both)]), own, own + len(rows))

    return within


def _norm(L, x, y):
    """|L v| for v = 1 at the rows x and -1 at the rows y."""
    return float(np.linalg.norm(L[:, x].sum(axis=1) - L[:, y].sum(axis=1)))


def _factor(K):
    try:
        return np.linalg.cholesky(K)
    except np.linalg.LinAlgError as error:
        raise ValueError(
            "the Gram matrix of the pooled sample is singular, so it has no Cholesky factor L and the printed norm |L"
            " v| no value; take printed=None, which needs none, or a smaller bandwidth."
        ) from error
