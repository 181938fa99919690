"""The median of many numbers, against numpy's of the sorted ones."""

import numpy as np
import pytest

from explorer.kernels.medians import SOME, median

RNG = np.random.default_rng(0)
M = 12 * SOME
SAMPLES = {
    "one": np.array([3.0]),
    "few": RNG.normal(size=1001),
    "odd": RNG.normal(size=M + 1),
    "even": RNG.exponential(size=M),
    "rising": np.arange(M + 0.0),
    "ties": RNG.integers(0, 3, M).astype(float),
    "equal": np.full(M, 0.25),
    "a gap at the median": np.repeat([1.0, 2.0], M // 2),
    # every twelfth is looked at first, and these say nothing of the others
    "misleading": np.where(np.arange(M) % 12 == 0, -1.0, RNG.normal(5.0, 1.0, M)),
    "half infinite": np.where(np.arange(M) % 2 == 0, np.inf, RNG.random(M)),
    "infinite": np.full(M, np.inf),
}


@pytest.mark.parametrize("name", SAMPLES)
def test_it_is_the_middle_of_the_sorted_numbers(name):
    values = SAMPLES[name]
    before, ordered = values.copy(), np.sort(values)
    middle = (ordered[(len(values) - 1) // 2] + ordered[len(values) // 2]) / 2
    assert median(values) == middle == np.median(values)
    assert median(values[:7], values[7:], values[:0]) == middle
    assert np.array_equal(values, before)


def test_the_numbers_are_not_sorted_as_a_whole(monkeypatch):
    """np.median is for few numbers, and for many whose sample misleads."""
    asked = []
    monkeypatch.setattr(np, "median", lambda values: asked.append(len(values)) or 0.0)
    for name in ("even", "odd", "ties", "rising"):
        median(SAMPLES[name])
    assert not asked
    median(SAMPLES["misleading"])
    assert asked == [M]
