"""What the user limits: how many threads compute."""

from __future__ import annotations

from contextlib import AbstractContextManager

from .checks import whole
from .processors import at_most
from .synonyms import explain_wrong_calls


@explain_wrong_calls
def threads(most: int) -> AbstractContextManager[None]:
    """Return a context in which calls compute in `most` threads at once, or in fewer if there are fewer processors.

    The variables OMP_NUM_THREADS, OPENBLAS_NUM_THREADS and MKL_NUM_THREADS are upper limits too, as are the processors
    that the system, or a container, lets the process use. Sweeps start `most` processes at most. Results are the same
    under any number, to the last bit. Raises ValueError if `most` is below 1, TypeError if it is no whole number.

    >>> import numpy as np
    >>> from explorer import mmd_test, threads
    >>> X = np.random.default_rng(0).normal(size=(40, 2))
    >>> with threads(1):
    ...     alone = mmd_test(X[:20], X[20:], rng=0).pvalue
    >>> alone == mmd_test(X[:20], X[20:], rng=0).pvalue
    True
    """
    return at_most(whole(most, "most", 1))
