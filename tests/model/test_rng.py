"""Named streams of one seed."""

import itertools

import numpy as np
import pytest
from helpers.naming import naming

from explorer.rng import repetition, stream

NAMES = ["inliers", "outliers", "components", "permutation", "law", "blocks", ""]


def draws(rng, name):
    return stream(rng, name).random(1000)


@pytest.mark.parametrize("seed", [0, 1, 2**40, np.int64(3)])
def test_a_seed_and_a_name_settle_the_stream(seed):
    np.testing.assert_array_equal(draws(seed, "inliers"), draws(int(seed), "inliers"))


def test_the_streams_stay_what_they_are():
    """Links and stores hold seeds: a changed stream would change their pictures."""
    assert stream(7, "inliers").integers(1000, size=4).tolist() == [82, 684, 976, 225]


def test_different_names_and_different_seeds_are_different_streams():
    streams = [draws(seed, name) for seed in range(5) for name in NAMES]
    for a, b in itertools.combinations(streams, 2):
        # the correlation of 1000 independent pairs is N(0, 1/1000): 595 pairs stay within 5.5 sigma
        assert abs(np.corrcoef(a, b)[0, 1]) < 5.5 / np.sqrt(1000)


def test_a_generator_is_the_callers_one_stream():
    rng = np.random.default_rng(0)
    assert stream(rng, "inliers") is rng is stream(rng, "outliers")


def test_none_is_fresh_every_time():
    assert not np.array_equal(draws(None, "inliers"), draws(None, "inliers"))


def test_no_module_state_is_read_or_written():
    before = np.random.get_state()[1].copy()  # noqa: NPY002, the state that must not move
    first = draws(3, "inliers")
    np.random.seed(0)  # noqa: NPY002
    np.testing.assert_array_equal(first, draws(3, "inliers"))
    np.random.set_state(("MT19937", before, 624, 0, 0.0))  # noqa: NPY002


@pytest.mark.parametrize("seeds", [[1, 2], (1, 2), np.array([1, 2]), np.random.SeedSequence([1, 2])], ids=type)
def test_several_seeds_are_a_seed_sequence(seeds):
    np.testing.assert_array_equal(draws(seeds, "inliers"), draws(seeds, "inliers"))
    np.testing.assert_array_equal(draws(seeds, "inliers"), draws([1, 2], "inliers"))
    assert not np.array_equal(draws(seeds, "inliers"), draws(seeds, "outliers"))
    assert not np.array_equal(draws(seeds, "inliers"), draws([2, 1], "inliers"))


def test_a_seed_sequence_that_was_spawned_is_another_one():
    parent = np.random.SeedSequence(7)
    first, second = parent.spawn(2)
    np.testing.assert_array_equal(draws(parent, "inliers"), draws(7, "inliers"))
    assert not np.array_equal(draws(first, "inliers"), draws(second, "inliers"))


@pytest.mark.parametrize("make", [np.random.PCG64, np.random.RandomState], ids=lambda make: make.__name__)
def test_other_streams_of_numpy_are_consumed_as_they_are(make):
    taken, same = make(0), make(0)
    bits = same if make is np.random.PCG64 else same._bit_generator
    found = np.concatenate([draws(taken, "inliers"), draws(taken, "outliers")])
    np.testing.assert_array_equal(found, np.random.Generator(bits).random(2000))


def test_each_repetition_has_a_seed_of_its_own():
    assert repetition(3, 4) == 7
    rng = np.random.default_rng(0)
    assert repetition(rng, 4) is rng
    again = [draws(repetition(np.random.SeedSequence(3), i), "inliers") for i in (0, 1, 1)]
    assert not np.array_equal(again[0], again[1])
    np.testing.assert_array_equal(again[1], again[2])


def test_a_number_in_an_array_is_the_number():
    np.testing.assert_array_equal(draws(np.array(3), "inliers"), draws(3, "inliers"))


@pytest.mark.parametrize("bad", [True, np.False_, 1.0, "1", [], [1.0], [True], {1}], ids=repr)
def test_what_is_no_seed_is_named(bad):
    with pytest.raises(TypeError, match=naming("rng", "Generator", "None")):
        stream(bad, "inliers")


def test_a_seed_is_not_negative():
    with pytest.raises(ValueError, match=naming("rng", "0", "-1")):
        stream(-1, "inliers")
