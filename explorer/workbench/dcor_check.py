"""The distance covariance by dcor, another library, where it is installed: a second opinion on our own.

dcor runs in a process of its own, because it takes seconds to load.
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
LONGEST = 120  # s: beyond it something is wrong
WAIT = 0.2  # s between two looks at whether the answer is still wanted


class DcorAnswer(NamedTuple):
    """The answer of dcor, with its version; or why there is none."""

    version: str
    covariance: float
    correlation: float
    trouble: str = ""


@cache
def has_dcor():
    """Whether dcor is installed."""
    return find_spec("dcor") is not None


def ask_dcor(
    X: Points, Y: Points, stopped: Callable[[], bool], program: str = PROGRAM, longest: int = LONGEST
) -> DcorAnswer | None:
    """The Peer of the pairs X (n, d), Y (n, 1) by dcor; None as soon as `stopped()`."""
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
                pairs = None  # sent once; what follows is waiting
            if stopped() or time.monotonic() > end:
                asked.kill()
                return None if stopped() else _silent(f"dcor gave no answer within {longest} s.")
    return (
        DcorAnswer(*json.loads(out)) if asked.returncode == 0 else _silent(f"dcor ended with: {error.strip()[-200:]}")
    )


def _silent(why):
    return DcorAnswer("", math.nan, math.nan, why)
