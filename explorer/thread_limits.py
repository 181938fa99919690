"""Limit of the number of threads, set by the user."""

from __future__ import annotations

from contextlib import AbstractContextManager

from explorer.checks import whole
from explorer.execution.processors import at_most
from explorer.public_names.synonyms import explain_wrong_calls


@explain_wrong_calls
def threads(most: int) -> AbstractContextManager[None]:
    """Limit the threads in which calls compute, within a `with` block: at most `most`.

    Use it on a machine that you share, or to measure times.

    The variables OMP_NUM_THREADS, OPENBLAS_NUM_THREADS and MKL_NUM_THREADS are upper limits too, and so are the
    processors that the system, or a container, lets the process use. Sweeps start at most `most` processes. Results are
    the same under any number, to the last bit.

    Parameters
    ----------
    most : int
        The largest number of threads, at least 1.

    Returns
    -------
    context manager
        The context.

    Raises
    ------
    ValueError
        If `most` is below 1.
    TypeError
        If `most` is not a whole number.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import mmd_test, threads
    >>> X = np.random.default_rng(0).normal(size=(40, 2))
    >>> with threads(1):
    ...     alone = mmd_test(X[:20], X[20:], rng=0).pvalue
    >>> alone == mmd_test(X[:20], X[20:], rng=0).pvalue
    True
    """
    return at_most(whole(most, "most", 1))
