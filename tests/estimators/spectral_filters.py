"""The spectral filters by name, and values of what each of them chooses."""

import math

import numpy as np
import pytest

LAM_FILTERS, STEP_FILTERS = ["tikhonov", "iterated-tikhonov", "tsvd"], ["landweber", "nu"]
every_filter = pytest.mark.parametrize("filter", LAM_FILTERS + STEP_FILTERS)


def free(filter):
    """Return the name of the parameter that a sample chooses."""
    return "lam" if filter in LAM_FILTERS else "steps"


def values_for(filter, K):
    """Both ends and between, off the eigenvalues of any refit."""
    if filter in STEP_FILTERS:
        return np.array([0, 1, 2, 3, 10, 100, 1000])
    return np.array([0.0, 1.234e-6, 1.234e-3, 0.1234, 0.7654, 12.34, math.inf]) * np.linalg.eigvalsh(K)[-1]
