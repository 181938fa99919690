"""Any size: the automatic method against the exact one, files read in chunks, and sketches; ratios in one run.

`pytest -m benchmark --benchmark-enable --benchmark-json=FILE` writes what was measured.
"""

import subprocess
import sys
from time import perf_counter

import numpy as np
import pandas as pd
import pytest
from test_low_rank_speed import fitted_exponent
from test_speed import seconds

from explorer import Gaussian, Sketch, hsic_test, mmd_test

pytestmark = pytest.mark.benchmark

SIZES = [10_000, 100_000, 1_000_000]
COMMAND = "import resource, sys; from explorer.__main__ import main; main(sys.argv[1:])"
MEMORY = "; print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6, file=sys.stderr)"


def best(act, rounds):
    return min(seconds(act) for _ in range(rounds))


def samples(n, d=8):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)), rng.normal(size=(n, d))


@pytest.mark.parametrize("n", [4000, 8000])
def test_a_test_by_landmarks_takes_a_part_of_the_exact_one(benchmark, n):
    X, Y = samples(n // 2)
    exact = best(lambda: mmd_test(X, Y, Gaussian(4.0), rng=0), 2)
    left = best(lambda: mmd_test(X, Y, Gaussian(4.0), rng=0, approximation="auto"), 2)
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(exact=exact, auto=left, ratio=left / exact)
    assert left < (1 if n == 4000 else 0.5) * exact


def test_a_test_of_pairs_by_shifts_takes_a_part_of_the_exact_one(benchmark):
    X, _ = samples(3000, 3)
    Y = X[:, :2] + samples(3000, 2)[1]
    exact = best(lambda: hsic_test(X, Y, rng=0, n_resamples=199), 1)
    left = best(lambda: hsic_test(X, Y, rng=0, n_resamples=199, approximation="nystrom"), 2)
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(exact=exact, shifts=left, ratio=left / exact)
    assert left < 0.5 * exact


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_files_take_as_long_as_they_are(benchmark, tmp_path, kind):
    """`explorer test` by one kernel in a separate process: time against the number of rows, memory at a million."""
    times, gigabytes = [], 0.0
    for n in SIZES:
        for name, X in zip("ab", samples(n), strict=True):
            getattr(pd.DataFrame(X, columns=list("abcdefgh")), f"to_{kind}")(tmp_path / f"{name}.{kind}", index=False)
        files = [str(tmp_path / f"{name}.{kind}") for name in "ab"]
        command = [sys.executable, "-c", COMMAND + MEMORY, "test", *files, "--kernel", "gaussian"]
        start = perf_counter()
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        times.append(perf_counter() - start)
        gigabytes = float(done.stderr.split()[-1])
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(seconds=times, exponent=fitted_exponent(SIZES, times), gigabytes=gigabytes)
    assert fitted_exponent(SIZES, times) < 1.1
    assert gigabytes < 1.0


def test_a_sketch_takes_no_longer_than_its_products(benchmark):
    """Per row, against the product of its features with themselves, which is the least cost of a sketch."""
    X, _ = samples(50_000)
    F = np.random.default_rng(0).integers(-1000, 1000, (8192, 1000)).astype(float)
    product = best(lambda: F.T @ F, 3) / len(F)
    sketched = best(lambda: Sketch(Gaussian(4.0)).update(X), 2) / len(X)
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(ratio=sketched / product)
    assert sketched < 6 * product
