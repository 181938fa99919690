"""A million points by kernels of finite rank: memory, time against n, and 10,000 pairs of the conditional embedding.

`pytest -m benchmark --benchmark-enable --benchmark-json=FILE` writes what was measured. On one core of November 2026 a
million points in R^5 under 200 features took 0.5 to 3 s for a mean's values, 1.4 to 6 s for the witness and 1.5 to 9 s
for MMD², in 0.2 to 0.4 GB, as n^0.2 (where pivots among 20,000 points take most of the time) to n^1.05; 10,000 pairs
0.03 to 0.2 s for a fit and 0.5 to 0.9 s with λ chosen by leave-one-out.
"""

import subprocess
import sys

import numpy as np
import pytest
from test_speed import seconds

from explorer import ConditionalEmbedding, Gaussian

pytestmark = pytest.mark.benchmark

SIZES = [10_000, 100_000, 1_000_000]
CODE = """if True:
    import resource, sys, time
    import numpy as np
    from explorer import KME, Gaussian, mmd2, witness
    way, kernel = sys.argv[1], Gaussian(2.0)
    for n in map(int, sys.argv[2:]):
        rng = np.random.default_rng(0)
        X, Y = rng.normal(size=(n, 5)), rng.normal(size=(n, 5)) + 0.02
        at, start = X[:100], time.perf_counter()
        result = ACT
        taken = time.perf_counter() - start
        error = float("nan") if result.error is None else result.error
        print(taken, error, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6)
"""
ACTS = {
    "a kernel mean at 100 points": "KME(kernel, way).embed(X); values = result(at)",
    "the unbiased MMD²": "mmd2(X, Y, kernel, approximation=way)",
    "the biased MMD²": "mmd2(X, Y, kernel, 'biased', approximation=way)",
    "the witness at 100 points": "witness(X, Y, kernel, way); values = result(at)",
}


def fitted_exponent(sizes, times):
    """Return the slope of log time against log n."""
    return float(np.polyfit(np.log(sizes), np.log(times), 1)[0])


@pytest.mark.parametrize("way", ["cholesky", "nystrom", "features"])
@pytest.mark.parametrize("name", ACTS)
def test_a_million_points_in_two_gigabytes(benchmark, name, way):
    """In a separate process, whose whole memory is looked at; errors are not measured in the time."""
    code = CODE.replace("ACT", ACTS[name])
    command = [sys.executable, "-c", code, way, *map(str, SIZES)]
    done = benchmark.pedantic(
        subprocess.run, (command,), {"capture_output": True, "text": True, "check": True}, rounds=1
    )
    times, errors, gigabytes = np.array([line.split() for line in done.stdout.splitlines()], dtype=float).T
    exponent = fitted_exponent(SIZES, times)
    benchmark.extra_info.update(
        seconds=times.tolist(), exponent=exponent, errors=errors.tolist(), gigabytes=gigabytes[-1]
    )
    assert gigabytes[-1] < 2
    assert exponent < 1.2


@pytest.mark.parametrize("way", ["cholesky", "nystrom", "features"])
def test_ten_thousand_pairs(benchmark, way):
    """Fit at a given λ, with λ chosen by leave-one-out, and one embedding with its error."""
    sizes, k = [2500, 5000, 10_000, 20_000], Gaussian(1.0)
    rows = []
    for n in sizes:
        rng = np.random.default_rng(0)
        X = rng.normal(size=(n, 2))
        Y = X[:, :1] ** 2 + 0.2 * rng.normal(size=(n, 1))
        given, chosen = (ConditionalEmbedding(k, k, lam, way) for lam in (0.1, None))
        fitted = given.fit(X, Y)
        acts = (lambda: given.fit(X, Y), lambda: chosen.fit(X, Y), lambda: fitted.embed(X[0]).error)  # noqa: B023
        rows.append([seconds(act) for act in acts])
    times = np.array(rows).T
    exponents = [fitted_exponent(sizes, each) for each in times[:2]]
    benchmark.extra_info.update(seconds=times.tolist(), exponents=exponents)
    benchmark.pedantic(given.fit, (X, Y), rounds=1)
    assert max(exponents) < 1.4
