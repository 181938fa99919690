"""Linear algebra that the estimators share."""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh


def eigh_psd(K):
    """Eigenvalues (n,) rising and eigenvectors (n, n) of a positive semi-definite matrix, rounding below zero set to zero.

    Divide and conquer ("evd") is the fastest LAPACK road to all eigenvectors. Raises ValueError where K has an
    eigenvalue that is negative beyond rounding, so no estimator works on a matrix that is not a Gram matrix.
    """
    gamma, U = eigh(K, driver="evd", check_finite=False)
    # LAPACK's error bound is a small multiple of n * eps * ||K||
    if gamma[0] < -1e3 * len(K) * np.finfo(float).eps * max(gamma[-1], -gamma[0]):
        raise ValueError(
            f"the Gram matrix has the eigenvalue {gamma[0]:.3g} beside its largest, {gamma[-1]:.3g}; "
            "a kernel gives none below 0: use a positive semi-definite kernel."
        )
    return np.maximum(gamma, 0.0), U


def smallest_eigenvalue(gamma):
    """γ0, the smallest non-zero one of a Gram matrix's n eigenvalues: those up to n eps γ_max are rounding; inf where all are."""
    seen = gamma[gamma > len(gamma) * np.finfo(float).eps * gamma.max()]
    return float(seen.min()) if len(seen) else np.inf
