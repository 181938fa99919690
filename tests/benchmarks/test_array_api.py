"""A prototype of the two-sample test by the array API, next to `mmd_test`: its time with NumPy's arrays and torch's.

`pytest -m benchmark --benchmark-enable --benchmark-json=FILE tests/benchmarks/test_array_api.py` keeps the seconds;
`OMP_NUM_THREADS=1 python tests/benchmarks/test_array_api.py` prints the table of the guide's page on arrays.
"""

import statistics
import time

import numpy as np
import pytest

from explorer import Gaussian, mmd_test

pytestmark = pytest.mark.benchmark
SIZES = (200, 1000, 3000)  # rows of each sample
RESAMPLES, BANDWIDTH = 199, 2.0


def samples(n):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, 5)), rng.normal(size=(n, 5)) + 0.05


def by_array_api(X, Y, signs):
    """Return (MMD² of the pairs i != j, p) on arrays of any library; `signs` (1 + B, 2n) are ±1, as drawn by NumPy."""
    compat = pytest.importorskip("array_api_compat")
    xp = compat.array_namespace(X, Y, signs)
    Z = xp.concat([X, Y])
    squares = xp.sum(Z * Z, axis=1)
    distances = squares[:, None] + squares[None, :] - 2 * (Z @ xp.matrix_transpose(Z))
    K = xp.exp(-xp.clip(distances, min=0.0) / (2 * BANDWIDTH**2))
    n = X.shape[0]
    # with signs s, Σ s_i s_j K_ij is the sum within the samples minus the one between them
    within = xp.sum((signs @ K) * signs, axis=1)
    total, trace = xp.sum(K), xp.sum(xp.linalg.diagonal(K))
    same, other = (within + total) / 2 - trace, (total - within) / 2
    values = same / (n * (n - 1)) - other / n**2
    larger = xp.sum(xp.astype(values[1:] >= values[0] - 1e-13, xp.int64))
    return float(values[0]), (1 + int(larger)) / (1 + RESAMPLES)


def signs_of(n):
    rng = np.random.default_rng(1)
    first = np.repeat([1.0, -1.0], n)
    return np.stack([first, *(rng.permutation(first) for _ in range(RESAMPLES))])


def made(kind, *arrays):
    if kind == "NumPy":
        return arrays
    torch = pytest.importorskip("torch")
    return tuple(torch.asarray(each) for each in arrays)


def calls(n):
    """Return the calls that are compared by name; the arrays are made before."""
    X, Y = samples(n)
    kernel, signs = Gaussian(BANDWIDTH), signs_of(n)
    prototypes = {kind: made(kind, X, Y, signs) for kind in ("NumPy", "torch")}
    return {
        "mmd_test": lambda: mmd_test(X, Y, kernel, n_resamples=RESAMPLES, rng=0),
        **{f"array API, {kind}": lambda arrays=arrays: by_array_api(*arrays) for kind, arrays in prototypes.items()},
    }


def seconds(call):
    """Return the median processor time of five calls, which other processes hardly change."""
    found = []
    for _ in range(5):
        begun = time.process_time()
        call()
        found.append(time.process_time() - begun)
    return statistics.median(found)


@pytest.mark.parametrize("kind", ["NumPy", "torch"])
def test_it_is_the_same_statistic(kind):
    X, Y = samples(100)
    value, p = by_array_api(*made(kind, X, Y, signs_of(100)))
    test = mmd_test(X, Y, Gaussian(BANDWIDTH), n_resamples=RESAMPLES, rng=0)
    assert value == pytest.approx(test.statistic, abs=1e-12)
    assert abs(p - test.pvalue) < 0.15


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("name", ["mmd_test", "array API, NumPy", "array API, torch"])
def test_seconds(benchmark, name, n):
    benchmark.pedantic(calls(n)[name], rounds=5, warmup_rounds=1)


if __name__ == "__main__":
    for n in SIZES:
        found = {name: seconds(call) for name, call in calls(n).items()}
        if n == SIZES[0]:
            print("| Rows of each sample |", " | ".join(found), "|")  # noqa: T201
            print("|---" * (1 + len(found)) + "|")  # noqa: T201
        print(f"| {n} |", " | ".join(f"{each:.2g}" for each in found.values()), "|")  # noqa: T201
