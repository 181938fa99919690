"""Work without a caller ends, and wanted work goes on to the same numbers."""

from dataclasses import replace

import numpy as np
import pytest

from explorer import compare
from explorer.execution.cancellation import Cancelled, cancelled_by, check_cancelled

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(30, 2)), RNG.normal(size=(30, 2))


def test_nobody_stops_what_nobody_may_stop():
    check_cancelled()
    with cancelled_by(lambda: False):
        check_cancelled()


def test_what_is_no_longer_wanted_ends():
    with pytest.raises(Cancelled), cancelled_by(lambda: True):
        check_cancelled()
    check_cancelled()


def test_a_comparison_asks_many_times_and_ends_at_once():
    asked = []
    with cancelled_by(lambda: bool(asked.append(0))):
        found = compare(A, B, n_resamples=99, rng=0)
    assert found.pvalue == compare(A, B, n_resamples=99, rng=0).pvalue
    assert len(asked) > 10  # for each kernel, at least
    some = []
    with pytest.raises(Cancelled), cancelled_by(lambda: len(some) > 2 or bool(some.append(0))):
        compare(A, B, n_resamples=99, rng=0)
    assert len(some) == 3


DEAR = {  # what takes long -> how often it asks at least
    "without_influential_rows": (lambda found: found.without_influential_rows(3), 10),
    "rows_withstood": (lambda found: found.rows_withstood(), 1),
    "median_of_means_test": (lambda found: found.median_of_means_test(), 4),
    "detectable": (lambda found: replace(found).detectable, 20),
    "pairs": (lambda found: replace(found).pairs, 3),
    "rows": (lambda found: found.rows("a"), 1),
    "level_check": (lambda found: found.level_check(5, 19), 50),
}


@pytest.fixture(scope="module")
def comparisons():
    """Return a comparison of few rows, and one of so many that landmarks and blocks stand for them."""
    long = (RNG.normal(size=(3000, 2)) for _ in range(2))
    return {
        "few": compare(A, B + 9.0 * np.eye(2)[1], n_resamples=99, rng=0),
        "many": compare(*long, n_resamples=99, rng=0),
    }


@pytest.mark.parametrize(
    ("rows", "name"),
    [*(("few", name) for name in DEAR), *(("many", name) for name in DEAR if name not in ("without", "level_check"))],
)
def test_each_part_of_a_report_asks_and_ends_at_once(comparisons, rows, name):
    compute, least = DEAR[name]
    found, asked, again = comparisons[rows], [], []
    with cancelled_by(lambda: bool(asked.append(0))):
        compute(found)
    assert len(asked) >= least
    with pytest.raises(Cancelled), cancelled_by(lambda: len(again) == least - 1 or bool(again.append(0))):
        compute(found)
    assert len(again) == least - 1
