"""Outliers: the last rows, one by one, at the distance that was asked for."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import contaminate
from explorer.embeddings.contamination import KINDS

X = np.random.default_rng(0).normal([2.0, -1.0], [1.0, 3.0], size=(40, 2))
SPREAD = np.sqrt(X.var(axis=0).mean())
every_kind = pytest.mark.parametrize("kind", KINDS)


@every_kind
def test_no_outlier_is_the_sample_itself(kind):
    clean = contaminate(X, 0, kind, rng=1)
    np.testing.assert_array_equal(clean, X)
    assert not np.shares_memory(clean, X)


@every_kind
def test_the_last_rows_only(kind):
    dirty = contaminate(X, 7, kind, rng=1)
    np.testing.assert_array_equal(dirty[:-7], X[:-7])
    assert (dirty[-7:] != X[-7:]).any(axis=1).all()


@every_kind
def test_one_more_outlier_moves_one_row(kind):
    for count in range(12):
        fewer, more = contaminate(X, count, kind, rng=1), contaminate(X, count + 1, kind, rng=1)
        assert list(np.flatnonzero((fewer != more).any(axis=1))) == [39 - count]


@every_kind
def test_a_seed_settles_it_and_another_moves_it(kind):
    np.testing.assert_array_equal(contaminate(X, 5, kind, rng=1), contaminate(X, 5, kind, rng=1))
    assert not np.array_equal(contaminate(X, 5, kind, rng=1), contaminate(X, 5, kind, rng=2))


@pytest.mark.parametrize("distance", [0.5, 10.0, 1e6])
def test_a_point_mass_sits_at_its_distance_from_the_mean(distance):
    dirty = contaminate(X, 3, "point mass", distance, rng=1)
    away = np.linalg.norm(dirty[-3:] - X.mean(0), axis=1)
    np.testing.assert_allclose(away, distance * SPREAD, rtol=1e-12)
    assert len(np.unique(dirty[-3:], axis=0)) == 1


def test_a_far_cluster_is_as_wide_as_the_sample_and_at_its_distance():
    big = np.random.default_rng(0).normal(size=(20_000, 2))
    cluster = contaminate(big, 20_000, "far cluster", 10.0, rng=1) - big.mean(0)
    spread = np.sqrt(big.var(axis=0).mean())
    centre = contaminate(big, 1, "point mass", 10.0, rng=1)[-1] - big.mean(0)
    z = (cluster.mean(0) - centre) / (spread / np.sqrt(20_000))
    assert np.abs(z).max() < 4.5
    # the variance of a variance of normals is 2 sigma^4 / n
    z = (cluster.var(axis=0) / spread**2 - 1) / np.sqrt(2 / 20_000)
    assert np.abs(z).max() < 4.5


def test_a_heavy_tail_is_a_t_law_of_two_degrees():
    from scipy.stats import kstest, t

    line = np.random.default_rng(0).normal(size=20_000)
    tail = contaminate(line, 20_000, "heavy tail", 4.0, rng=1)[:, 0]
    standard = (tail - line.mean()) / (4.0 * line.std())
    assert kstest(standard, t(2).cdf).pvalue > 1e-5  # seed fixed; a wrong scale gives 0


def test_a_generator_is_the_callers_one_stream():
    rng = np.random.default_rng(0)
    assert not np.array_equal(contaminate(X, 2, rng=rng), contaminate(X, 2, rng=rng))


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, "41 X 40", {"count": 41}),
        (ValueError, "count 0", {"count": -1}),
        (TypeError, "count whole", {"count": 1.5}),
        (TypeError, "count whole", {"count": True}),
        (ValueError, "kind far cluster 'near'", {"count": 1, "kind": "near"}),
        (ValueError, "distance 0", {"count": 1, "distance": 0}),
        (ValueError, "distance 1 NaN", {"count": 1, "distance": np.nan}),
        (TypeError, "distance", {"count": 1, "distance": [1.0, 2.0]}),
        (TypeError, "rng whole", {"count": 1, "rng": "seed"}),
    ],
)
def test_bad_arguments_of_contaminate_get_a_sentence(error, said, arguments):
    with pytest.raises(error, match=naming(*said.split())):
        contaminate(X, **arguments)


def test_equal_rows_have_no_measure_of_distance():
    with pytest.raises(ValueError, match=naming("equal", "distance")):
        contaminate(np.ones((5, 2)), 1)
    np.testing.assert_array_equal(contaminate(np.ones((5, 2)), 0), np.ones((5, 2)))
