"""Work that nobody wants any more ends, and what is wanted goes on to the same numbers."""

import numpy as np
import pytest

from explorer import compare
from explorer.stopping import NoLongerWanted, go_on, unless

RNG = np.random.default_rng(0)
A, B = RNG.normal(size=(30, 2)), RNG.normal(size=(30, 2))


def test_nobody_stops_what_nobody_may_stop():
    go_on()
    with unless(lambda: False):
        go_on()


def test_what_is_no_longer_wanted_ends():
    with pytest.raises(NoLongerWanted), unless(lambda: True):
        go_on()
    go_on()


def test_a_comparison_asks_many_times_and_ends_at_once():
    asked = []
    with unless(lambda: bool(asked.append(0))):
        found = compare(A, B, n_resamples=99, rng=0)
    assert found.pvalue == compare(A, B, n_resamples=99, rng=0).pvalue
    assert len(asked) > 10  # for each kernel, at least
    some = []
    with pytest.raises(NoLongerWanted), unless(lambda: len(some) > 2 or bool(some.append(0))):
        compare(A, B, n_resamples=99, rng=0)
    assert len(some) == 3
