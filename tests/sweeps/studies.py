"""Studies small enough for tests, in a module that other processes can import."""

import os
import signal
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
