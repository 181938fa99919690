"""Studies small enough for tests, in a module that other processes can import."""

import os
import signal
import threading
import time

import numpy as np


def noise(n, scale, seed):
    """Depends on everything it is given."""
    draws = np.random.default_rng(seed).normal(size=n)
    return {"mean": scale * draws.mean(), "norm": float(np.linalg.norm(draws))}


def slow(i, seed):
    """Takes 10 ms, so that a kill meets some cell in the middle."""
    time.sleep(0.01)
    return {"twice": 2.0 * i, "seed_too": float(seed)}


def faulty(n, seed):
    if n == 3:
        raise ArithmeticError("three is too many")
    return {"half": n / 2}


class Awkward(Exception):
    """Cannot be unpickled: it is made of two words and keeps one."""

    def __init__(self, one, other):
        super().__init__(f"{one} and {other}")


class Locked(Exception):
    """Cannot be pickled."""

    def __init__(self, text):
        super().__init__(text)
        self.lock = threading.Lock()


class Wordless(Exception):
    """Has no text."""

    def __str__(self):
        raise ZeroDivisionError


def troubled(n, kind, seed):
    """Raises in its third cell."""
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
    """Raises that many calls further in."""
    if levels == 0:
        raise OSError("far below")
    deeper(levels - 1)


def product(n, seed):
    """A matrix product, whose roundings depend on how many threads it has."""
    A = np.random.default_rng(seed).normal(size=(n, n))
    return {"trace": float(np.trace(A @ A @ A))}


def deadly(i, flag, seed):
    """Kills its own process once."""
    if i == 7 and not os.path.exists(flag):
        open(flag, "w").close()
        os.kill(os.getpid(), signal.SIGKILL)
    return {"twice": 2.0 * i}


def busy(i, seconds, seed):
    """Keeps a core busy for a while."""
    end, count = time.process_time() + seconds, 0
    while time.process_time() < end:
        count += 1
    return {"twice": 2.0 * i}


class Homebound:
    """A study that only the process that made it can load."""

    def __reduce__(self):
        return homebound, (os.getpid(),)

    def __call__(self, n, seed):
        return {"half": n / 2}


def homebound(home):
    if os.getpid() != home:
        raise ImportError("not from here")
    return Homebound()
