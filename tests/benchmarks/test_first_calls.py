"""Time of a first call in a fresh process, relative to the import of the libraries that it needs."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.benchmark

# the libraries that a call needs, and the call; each takes the time from when numpy and the package are there
CALLS = {
    "hsic_test": ("import scipy.spatial.distance, param", "hsic_test(X, X**2, n_resamples=999, rng=0)", 2.5),
    "mmdagg_test": ("import scipy.spatial.distance, param", "mmdagg_test(X, X**2, n_resamples=99, rng=0)", 2.5),
    "plot": ("import holoviews.plotting.bokeh", "plot(explorer.KME(explorer.Gaussian(1.0)).embed(X[:, :1]))", 1.7),
}
TIMED = """import time, numpy, explorer
X = numpy.random.default_rng(0).normal(size=(200, 5))
start = time.perf_counter()
{}
print(time.perf_counter() - start)"""


def seconds_of(statement):
    done = subprocess.run([sys.executable, "-c", TIMED.format(statement)], capture_output=True, text=True, check=True)
    return float(done.stdout)


@pytest.mark.parametrize("name", CALLS)
def test_a_first_call_waits_for_little_but_its_libraries(benchmark, name):
    libraries, call, at_most = CALLS[name]
    measured = [(seconds_of(f"explorer.{call}"), seconds_of(libraries)) for _ in range(5)]
    ours, theirs = (min(each) for each in zip(*measured, strict=True))
    benchmark.extra_info.update(seconds=ours, libraries=theirs)
    benchmark.pedantic(lambda: None, rounds=1)
    print(f"{name}: {ours:.2f} s, its libraries {theirs:.2f} s")  # noqa: T201
    assert ours / theirs <= at_most
