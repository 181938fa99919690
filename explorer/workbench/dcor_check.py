"""Distance covariance by the library dcor, if it is installed: an independent check of this project's value.

dcor runs in a separate process, because it takes seconds to load.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from typing import NamedTuple

from explorer.types import Points

PROGRAM = """
import json, sys
import dcor
import numpy as np
X, Y = map(np.array, json.load(sys.stdin))
print(json.dumps([dcor.__version__, float(dcor.distance_covariance(X, Y)), float(dcor.distance_correlation(X, Y))]))
"""
LONGEST = 120  # time limit in seconds; a longer run means that something is wrong
WAIT = 0.2  # seconds between two checks of whether the answer is still wanted


class DcorAnswer(NamedTuple):
    """The answer of dcor with its version, or the reason why there is none.

    Attributes
    ----------
    version : str
        Version of dcor.
    covariance, correlation : float
        Distance covariance and correlation; NaN without an answer.
    trouble : str
        Reason for a missing answer; empty if dcor gave one.
    """

    version: str
    covariance: float
    correlation: float
    trouble: str = ""


@cache
def has_dcor():
    """Return whether dcor is installed."""
    return find_spec("dcor") is not None


def ask_dcor(
    X: Points, Y: Points, stopped: Callable[[], bool], program: str = PROGRAM, longest: int = LONGEST
) -> DcorAnswer | None:
    """Compute the distance covariance and correlation of pairs by dcor in a separate process.

    Parameters
    ----------
    X : ndarray of shape (n, d)
        First members of the pairs.
    Y : ndarray of shape (n, 1)
        Second members of the pairs.
    stopped : callable
        Called without arguments; the process ends as soon as it returns True.
    program : str
        The Python program that the process runs.
    longest : int, default 120
        Time limit in seconds.

    Returns
    -------
    DcorAnswer or None
        The answer, or None if it was stopped.
    """
    pairs, end = json.dumps([X.tolist(), Y.tolist()]), time.monotonic() + longest
    with subprocess.Popen(
        [sys.executable, "-c", program],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as asked:
        while True:
            try:
                out, error = asked.communicate(pairs, timeout=WAIT)
                break
            except subprocess.TimeoutExpired:
                pairs = None  # input is sent once; later calls only wait
            if stopped() or time.monotonic() > end:
                asked.kill()
                return None if stopped() else _silent(f"dcor gave no answer within {longest} s.")
    return (
        DcorAnswer(*json.loads(out)) if asked.returncode == 0 else _silent(f"dcor ended with: {error.strip()[-200:]}")
    )


def _silent(why):
    """Return a DcorAnswer that holds only the reason why there is no value."""
    return DcorAnswer("", math.nan, math.nan, why)
