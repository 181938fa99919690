"""Studies small enough for tests, in a module that other processes can import."""

import os
import signal
import threading
import time

import numpy as np


def noise(n, scale, seed):
    """Return numbers that depend on all arguments."""
    draws = np.random.default_rng(seed).normal(size=n)
    return {"mean": scale * draws.mean(), "norm": float(np.linalg.norm(draws))}


def slow(i, seed):
    """Take 10 ms, so that a kill interrupts some cell."""
    time.sleep(0.01)
    return {"twice": 2.0 * i, "seed_too": float(seed)}


def faulty(n, seed):
    if n == 3:
        raise ArithmeticError("three is too many")
    return {"half": n / 2}


class Awkward(Exception):
    """Exception that cannot be unpickled: it takes two arguments and stores one."""

    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


class Locked(Exception):
    """Exception that cannot be pickled."""

    def __init__(self, text):
        super().__init__(text)
        self.lock = threading.Lock()


class Wordless(Exception):
    """Exception whose text cannot be computed."""

    def __str__(self):
        raise ZeroDivisionError


def troubled(n, kind, seed):
    """Raise an exception of this kind in the third cell."""
    if n == 3:
        if kind == "Awkward":
            raise Awkward("bread", "butter")
        if kind == "Locked":
            raise Locked("the lock is inside")
        if kind == "Wordless":
            raise Wordless
        if kind == "SystemExit":
            raise SystemExit("enough")
        deeper(int(kind))
    return {"half": n / 2}


def deeper(levels):
    """Raise an OSError that many calls deeper."""
    if levels == 0:
        raise OSError("far below")
    deeper(levels - 1)


def product(n, seed):
    """Return a matrix product's trace, whose rounding depends on the number of threads."""
    A = np.random.default_rng(seed).normal(size=(n, n))
    return {"trace": float(np.trace(A @ A @ A))}


def deadly(i, flag, seed):
    """Kill the own process once."""
    if i == 7 and not os.path.exists(flag):
        open(flag, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"twice": 2.0 * i}


def busy(i, seconds, seed):
    """Keep a core busy for some seconds."""
    end, count = time.process_time() + seconds, 0
    while time.process_time() < end:
        count += 1
    return {"twice": 2.0 * i}


class Homebound:
    """A study that only the process that created it can load."""

    def __reduce__(self):
        return homebound, (os.getpid(),)

    def __call__(self, n, seed):
        return {"half": n / 2}


def homebound(home):
    if os.getpid() != home:
        raise ImportError("not from here")
    return Homebound()
