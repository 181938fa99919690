"""compare, the report, scan and Monitor: exponents, and ratios in one run.

`pytest -m benchmark --benchmark-enable --benchmark-json=FILE` writes what was measured.
"""

import subprocess
import sys
from time import perf_counter

import numpy as np
import pandas as pd
import pytest
from test_any_size_speed import COMMAND, MEMORY, best, samples
from test_low_rank_speed import fitted_exponent

from explorer import Gaussian, Monitor, Sketch, compare, mmd2, mmdagg_test, scan

pytestmark = pytest.mark.benchmark


@pytest.mark.parametrize(("d", "sizes"), [(20, [2000, 20_000]), (8, [2000, 20_000, 200_000])])
def test_a_comparison_takes_less_than_its_rows_grow(benchmark, d, sizes):
    times = [best(lambda n=n: compare(*samples(n, d), rng=0), 1) for n in sizes]
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(seconds=times, exponent=fitted_exponent(sizes, times))
    assert fitted_exponent(sizes, times) < 1


def test_the_columns_add_little_to_the_joint_test(benchmark):
    """Twenty columns' own tests, their intervals and their pictures' numbers, against the test of all together."""
    X, Y = samples(1000, 20)
    joint = best(lambda: mmdagg_test(X, Y, statistic="biased", rng=0), 2)
    whole = best(lambda: compare(X, Y, rng=0), 2)
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(joint=joint, whole=whole, ratio=whole / joint)
    assert whole < 4 * joint


def test_the_report_of_two_large_files(benchmark, tmp_path):
    """200,000 rows of 8 columns each, in a separate process, against the test of one kernel of the same files."""
    for name, X in zip("ab", samples(200_000), strict=True):
        pd.DataFrame(X, columns=list("abcdefgh")).to_csv(tmp_path / f"{name}.csv", index=False)
    files = [str(tmp_path / f"{name}.csv") for name in "ab"]
    times, gigabytes = {}, 0.0
    for words in (["test", "--kernel", "gaussian"], ["report", "-o", str(tmp_path / "report.html")]):
        start = perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", COMMAND + MEMORY, *words, *files], capture_output=True, text=True, check=True
        )
        times[words[0]] = perf_counter() - start
        gigabytes = float(done.stderr.split()[-1])
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(seconds=times, ratio=times["report"] / times["test"], gigabytes=gigabytes)
    assert times["report"] < 6 * times["test"]
    assert gigabytes < 1.5


def test_a_scan_takes_a_part_of_the_statistic_at_every_split(benchmark):
    """With 199 permutations, against the statistic alone at each of the splits, one after the other."""
    X, _ = samples(300, 2)
    kernel = Gaussian(1.0)
    each = best(lambda: [mmd2(X[:t], X[t:], kernel) for t in range(10, 290)], 1)
    scanned = best(lambda: scan(X, kernel, rng=0), 2)
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(splits=each, scan=scanned, ratio=scanned / each)
    assert scanned < each


def test_a_row_of_a_stream_costs_the_same_however_long_it_is(benchmark):
    X, _ = samples(40_000, 2)
    monitor, times = Monitor(X[:200], rng=0), []
    for part in np.split(X, 4):
        times.append(best(lambda part=part: monitor.update(part), 1))
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(seconds=times, ratio=times[-1] / times[0])
    assert times[-1] < 2.5 * times[0]


def test_a_sketch_of_a_batch_is_watched_in_a_part_of_what_its_rows_take_to_be_summed(benchmark):
    X, Y = samples(20_000, 2)
    reference = Sketch(Gaussian(1.5), 500).update(X)
    summed = best(lambda: Sketch(Gaussian(1.5), 500).update(Y), 2)
    batch = Sketch(Gaussian(1.5), 500).update(Y)
    monitor = Monitor(reference)
    watched = best(lambda: monitor.update(batch), 3)
    benchmark.pedantic(lambda: None)
    benchmark.extra_info.update(summed=summed, watched=watched, ratio=watched / summed)
    assert watched < summed
