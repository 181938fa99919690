"""Power of the tests at level .05, before and after a change of the code, with the same seeds.

    cd FOLDER && PYTHONPATH=. python .../tests/levels/power.py --repetitions 300 --file before.json
    python tests/levels/power.py --file after.json --against before.json

`explorer` is the one that Python finds first, so the same data go through the code of any folder. A case prints its
rate with the 95 % interval; with --against also the difference to the rate in that file.
"""

from __future__ import annotations

import argparse
import json
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

import explorer as ex
from explorer.discrepancy import rate_interval

LEVEL, B = 0.05, 199
ROWS = 200
CHANGE = 1000  # rows of a stream before it shifts


def table(values):
    return pd.DataFrame(np.asarray(values)).add_prefix("x")


def compared(change: Callable, columns: int = 2):
    """Return a run of `compare` of two tables of 200 rows. The second one is changed."""

    def run(rng, seed):
        a, b = rng.normal(size=(2, ROWS, columns))
        return ex.compare(table(a), table(change(b, rng)), n_resamples=B, rng=seed).pvalue <= LEVEL

    return run


def shifted(rows, by):
    moved = rows.copy()
    moved[:, 0] += by
    return moved


def together(rows, correlation):
    """Return normal columns of this correlation, of the same marginal laws."""
    rows = rows.copy()
    rows[:, 1] = correlation * rows[:, 0] + np.sqrt(1 - correlation**2) * rows[:, 1]
    return rows


def spread(rows, by):
    wide = rows.copy()
    wide[:, 0] *= by
    return wide


def with_far_rows(rows, share, rng):
    """A few of the rows lie far off, in any direction."""
    rows = rows.copy()
    some = rng.random(len(rows)) < share
    direction = rng.normal(size=rows.shape)
    rows[some] = 8 * (direction / np.linalg.norm(direction, axis=1, keepdims=True))[some]
    return rows


def pair_found(rng, seed):
    """One pair of three columns, 50 rows each, has correlation .7 in place of .1."""
    a, b = rng.normal(size=(2, 50, 3))
    found = ex.compare(table(together(a, 0.1)), table(together(b, 0.7)), n_resamples=B, rng=seed)
    return min(pair.adjusted for pair in found.pairs) <= LEVEL


def pair_found_of_few(rng, seed):
    """One pair of columns has correlation .7 in 20 rows and .1 in 200."""
    a, b = rng.normal(size=(20, 2)), rng.normal(size=(ROWS, 2))
    found = ex.compare(table(together(a, 0.7)), table(together(b, 0.1)), n_resamples=B, rng=seed)
    return min(pair.adjusted for pair in found.pairs) <= LEVEL


def dependent(y_of: Callable, n: int, **options):
    """`hsic_test` of n pairs."""

    def run(rng, seed):
        x = rng.uniform(-1, 1, n)
        return ex.hsic_test(x, y_of(x, rng), n_resamples=B, rng=seed, **options).pvalue <= LEVEL

    return run


def scanned(at: float, by: float):
    """Return a run of `scan` of 200 rows. Those after the share `at` are shifted."""

    def run(rng, seed):
        rows = rng.normal(size=(ROWS, 1))
        rows[int(at * ROWS) :] += by
        return ex.scan(rows, n_resamples=B, rng=seed).pvalue <= LEVEL

    return run


def rows_to_alarm(values: Callable, shift: Callable):
    """`Monitor` of 500 rows; its stream changes after 1,000 rows: the rows from there to the alarm, or None."""

    def run(rng, seed):
        monitor = ex.Monitor(values(rng, 500), rng=seed)
        for _ in range(CHANGE // 100):
            monitor.update(values(rng, 100))
        before = monitor.alarm
        for _ in range(20):
            monitor.update(shift(values(rng, 100)))
        if before or not monitor.alarm:
            return None
        return monitor.alarm_at - CHANGE

    return run


def treated(columns: int):
    """`treatment_test` of 100 rows and an effect of .7; the odds follow the first column."""

    def run(rng, seed):
        X = rng.normal(size=(100, columns))
        takes = rng.random(100) < 1 / (1 + np.exp(-X[:, 0]))
        y = X[:, 0] + 0.7 * takes + rng.normal(size=100)
        try:
            return ex.treatment_test(X, y, takes, n_resamples=B, rng=seed).pvalue <= LEVEL
        except ValueError:
            return False

    return run


def one_normal(rng, n):
    return rng.normal(size=(n, 1))


def zeros(rng, n):
    """Return values of which 70 % are 0."""
    return np.where(rng.random((n, 1)) < 0.7, 0.0, rng.exponential(size=(n, 1)))


CASES = {
    "compare, mean .3": compared(lambda b, rng: shifted(b, 0.3)),
    "compare, spread 1.35": compared(lambda b, rng: spread(b, 1.35)),
    "compare, dependence .6": compared(lambda b, rng: together(b, 0.6)),
    "compare, one of twenty .4": compared(lambda b, rng: shifted(b, 0.4), 20),
    "compare, 5 % far rows": compared(lambda b, rng: with_far_rows(b, 0.05, rng)),
    "compare, 5 % far rows of 5 columns": compared(lambda b, rng: with_far_rows(b, 0.05, rng), 5),
    "pairs, .1 to .7": pair_found,
    "pairs, 20 + 200": pair_found_of_few,
    "hsic_test, linear": dependent(lambda x, rng: x + 2.2 * rng.normal(size=len(x)), 100),
    "hsic_test, sine": dependent(lambda x, rng: np.sin(6 * x) + 0.8 * rng.normal(size=len(x)), 100),
    "hsic_test, sine, nystrom": dependent(
        lambda x, rng: np.sin(6 * x) + 0.8 * rng.normal(size=len(x)), 100, approximation="nystrom", rank=20
    ),
    "scan, .5 at .5": scanned(0.5, 0.5),
    "scan, .9 at .9": scanned(0.9, 0.9),
    "treatment_test, 2 columns": treated(2),
    "treatment_test, 10 columns": treated(10),
    "Monitor, shift .5": rows_to_alarm(one_normal, lambda rows: rows + 0.5),
    "Monitor, half of the zeros are 1": rows_to_alarm(
        zeros, lambda rows: np.where(rows == 0, np.arange(len(rows))[:, None] % 2 * 1.0, rows)
    ),
}


def main(arguments: list[str] | None = None, say: Callable[..., None] = print) -> int:
    """Run the cases; the exit code is 1 if a rate is more than .03 below that of the other file."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--repetitions", type=int, default=300)
    parser.add_argument("--only", nargs="*", default=[], help="beginnings of the names of cases")
    parser.add_argument("--file", type=Path, help="where the rates are kept")
    parser.add_argument("--against", type=Path, help="a file of another run")
    options = parser.parse_args(arguments)
    other = json.loads(options.against.read_text(encoding="utf-8")) if options.against else {}
    found = json.loads(options.file.read_text(encoding="utf-8")) if options.file and options.file.exists() else {}
    say(f"code: {Path(ex.__file__).parent}", flush=True)
    lost = 0
    warnings.simplefilter("ignore")
    for name, run in CASES.items():
        if options.only and not name.startswith(tuple(options.only)):
            continue
        with threadpool_limits(1):
            answers = [run(np.random.default_rng([11, seed]), seed) for seed in range(options.repetitions)]
        hits = [each for each in answers if each is not None and each is not False]
        rate = len(hits) / options.repetitions
        late = float(median(hits)) if hits and name.startswith("Monitor") else None
        found[name] = {"found": len(hits), "runs": options.repetitions, "delay": late}
        low, high = rate_interval(len(hits), options.repetitions)
        more = "" if late is None else f"  median delay {late:.0f} rows"
        if name in other:
            was = other[name]["found"] / other[name]["runs"]
            lost += rate < was - 0.03
            more += f"  was {was:.3f}, {rate - was:+.3f}"
        say(f"{name:36} {len(hits):4} of {options.repetitions}  {rate:.3f} [{low:.3f}, {high:.3f}]{more}", flush=True)
        if options.file:
            options.file.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return int(lost > 0)


if __name__ == "__main__":
    sys.exit(main())
