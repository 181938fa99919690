"""KernelKMeans: Lloyd's algorithm under the linear kernel, an objective that never grows, and empty clusters."""

import numpy as np
import pytest
from helpers.naming import naming
from sklearn.cluster import KMeans

from explorer import (
    FKMSE,
    KME,
    MKME,
    SKMSE,
    Delta,
    Energy,
    Gaussian,
    KernelKMeans,
    Laplacian,
    Linear,
    MedianOfMeans,
    Polynomial,
    Subsequence,
)
from explorer.learning.kernel_k_means import Rounds

KERNELS = {
    "gaussian": Gaussian(),
    "laplacian": Laplacian(),
    "linear": Linear(),
    "cubic": Polynomial(3),
    "energy": Energy(),
}


def clusters(n=90, seed=0):
    rng = np.random.default_rng(seed)
    return rng.uniform(-5, 5, (3, 2))[rng.integers(3, size=n)] + rng.normal(size=(n, 2))


@pytest.mark.parametrize("seed", range(5))
def test_under_the_linear_kernel_it_is_lloyd_s(seed):
    """scikit-learn gives from one start the same labels and the same sum of squares."""
    X = clusters(seed=seed)
    labels = np.random.default_rng(seed).integers(3, size=len(X))
    ours = KernelKMeans(3, Linear()).fit(X, labels=labels)
    centres = np.array([X[labels == j].mean(axis=0) for j in range(3)])
    theirs = KMeans(3, init=centres, n_init=1, algorithm="lloyd", tol=0).fit(X)
    np.testing.assert_array_equal(ours.labels_, theirs.labels_)
    assert ours.objective_ == pytest.approx(theirs.inertia_, rel=1e-9)
    np.testing.assert_array_equal(ours.predict(X + 0.3), theirs.predict(X + 0.3))


def test_the_best_of_many_starts_is_that_of_scikit_learn():
    X = clusters()
    ours, theirs = KernelKMeans(3, Linear(), rng=0, starts=20).fit(X), KMeans(3, n_init=20, random_state=0).fit(X)
    assert ours.objective_ == pytest.approx(theirs.inertia_, rel=1e-9)


@pytest.mark.thorough(default=["0-gaussian", "1-linear", "2-energy"])
@pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)
@pytest.mark.parametrize("seed", range(3))
def test_the_objective_never_grows_and_is_the_sum_of_squared_distances(kernel, seed):
    X = clusters(seed=seed)
    fit = KernelKMeans(4, kernel, rng=seed, starts=2).fit(X)
    assert (np.diff(fit.history_) <= 1e-9 * fit.history_[0]).all()
    k = fit.kernel_
    points = [KME(k).embed(x[None]) for x in X]
    squares = [point.distance(fit.means_[c]) ** 2 for point, c in zip(points, fit.labels_, strict=True)]
    assert fit.objective_ == pytest.approx(sum(squares), rel=1e-8)
    for point, c in list(zip(points, fit.labels_, strict=True))[::9]:
        assert point.distance(fit.means_[c]) <= min(point.distance(mean) for mean in fit.means_) + 1e-9
    np.testing.assert_array_equal(fit.predict(X), fit.labels_)


@pytest.mark.parametrize("estimator", [SKMSE(), SKMSE(lam=0.5), FKMSE(), MKME(), MedianOfMeans(blocks=1)], ids=str)
def test_any_estimate_of_a_cluster_s_mean(estimator):
    X = clusters()
    fit = KernelKMeans(3, Gaussian(2.0), estimator, rng=0, starts=3).fit(X)
    assert fit.objective_ == min(fit.history_)
    assert set(fit.labels_) == {0, 1, 2}
    assert fit.means_[1] == fit.estimator_.embed(X[fit.labels_ == 1])
    squares = [
        1 - 2 * fit.means_[c](x[None])[0] + fit.means_[c].norm() ** 2 for x, c in zip(X, fit.labels_, strict=True)
    ]
    assert fit.objective_ == pytest.approx(sum(squares), rel=1e-8)


def test_one_block_and_no_shrinkage_are_the_plain_average():
    X, labels = clusters(), np.arange(90) % 3
    plain = KernelKMeans(3, Gaussian(2.0)).fit(X, labels=labels)
    for estimator in (MedianOfMeans(blocks=1), SKMSE(lam=0.0), FKMSE(lam=0.0), MKME(sigma=0.0)):
        fit = KernelKMeans(3, Gaussian(2.0), estimator).fit(X, labels=labels)
        np.testing.assert_array_equal(fit.labels_, plain.labels_)
        assert fit.objective_ == pytest.approx(plain.objective_, rel=1e-8)


def test_an_empty_cluster_takes_the_farthest_point():
    X = np.array([0.0, 0.1, 0.2, 10.0])
    fit = KernelKMeans(2, Linear()).fit(X, labels=[0, 0, 0, 0])
    assert sorted(np.bincount(fit.labels_)) == [1, 3]
    assert np.bincount(KernelKMeans(3, Linear(), rng=0).fit([1.0, 1.0, 1.0, 1.0]).labels_, minlength=3).min() >= 1


@pytest.mark.parametrize(
    "X",
    [
        [[0.0]],
        [0, 1],
        [1.0, 1.0, 2.0],
        np.c_[np.arange(6.0), np.ones(6)],
        np.random.default_rng(0).normal(size=(4, 50)),
    ],
    ids=["n = 1", "n = 2", "ties", "a constant column", "d = 50"],
)
def test_edges(X):
    n = len(X)
    for c in {1, min(2, n), n}:
        fit = KernelKMeans(c, Linear(1.0), rng=0).fit(X)
        assert len(set(fit.labels_)) == c
    assert fit.objective_ == pytest.approx(0, abs=1e-12)  # a cluster for each point


@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_units_and_places(unit):
    X = clusters()
    labels = KernelKMeans(3, rng=0).fit(X).labels_
    np.testing.assert_array_equal(KernelKMeans(3, rng=0).fit(unit * X).labels_, labels)
    np.testing.assert_array_equal(KernelKMeans(3, rng=0).fit(X + 1e6).labels_, labels)
    far, near = (KernelKMeans(3, Linear(), rng=0).fit(Z) for Z in (X + 1e6, X))
    np.testing.assert_array_equal(far.labels_, near.labels_)
    np.testing.assert_array_equal(far.predict(X + 1e6), near.predict(X))
    assert far.objective_ == pytest.approx(near.objective_, rel=1e-6)  # digits that the data themselves have lost


def test_a_mean_that_is_shrunk_towards_something():
    from explorer import Embedding

    k, X = Gaussian(2.0), clusters()
    target = Embedding(k, [[0.0, 0.0]], [1.0])
    fit = KernelKMeans(2, k, SKMSE(k, 0.5, target), rng=0).fit(X)
    assert fit.means_[0] == SKMSE(k, 0.5, target).embed(X[fit.labels_ == 0])


def test_words_and_categories():
    words = ["aaaa", "aaab", "bbbb", "bbba"]
    fit = KernelKMeans(2, Subsequence(2), rng=0).fit(words)
    assert fit.labels_[0] == fit.labels_[1] != fit.labels_[2] == fit.labels_[3]
    assert KernelKMeans(2, Delta(), rng=0).fit(["x", "x", "y"]).objective_ == pytest.approx(0)


def test_seeds_give_the_same_fit():
    X = clusters()
    a, b = (KernelKMeans(4, rng=3).fit(X) for _ in range(2))
    np.testing.assert_array_equal(a.labels_, b.labels_)
    assert KernelKMeans(rng=np.random.default_rng(1)) == KernelKMeans(rng=np.random.default_rng(1))


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: KernelKMeans(4).fit([1.0, 2.0, 3.0]), naming("3")),
        (lambda: KernelKMeans(0), naming("1")),
        (lambda: KernelKMeans(2).fit([]), "no rows"),
        (lambda: KernelKMeans(2, Gaussian(1.0), KME(Gaussian(2.0))), "estimator's kernel"),
        (lambda: KernelKMeans(2, estimator="mean"), "estimator"),
        (lambda: KernelKMeans(2, Linear()).fit([1.0, 2.0], labels=[0, 2]), naming("0", "1")),
        (lambda: KernelKMeans(2, Linear()).fit([1.0, 2.0], labels=[0, 0.5]), naming("0", "1")),
        (lambda: KernelKMeans(2, Linear()).fit([1.0, 2.0], labels=[0]), "one for each row"),
        (lambda: KernelKMeans(2, Linear()).fit(np.zeros(12_001)), "too large"),
        (lambda: KernelKMeans(2).predict([1.0]), "no data yet"),
        (lambda: KernelKMeans(1, Linear()).fit([[1.0, 2.0]]).predict([1.0]), "1 column"),
    ],
)
def test_what_cannot_be_is_a_sentence(act, words):
    with pytest.raises((ValueError, TypeError), match=words):
        act()


def test_the_score_is_less_the_squared_distances_of_points_from_their_nearest_means():
    X, Z = np.random.default_rng(8).normal(size=(2, 12, 2))
    machine = KernelKMeans(3, kernel=Gaussian(1.0)).fit(X)
    each = [KME(machine.kernel_).embed(z[None]) for z in Z]
    nearest = [min(point.distance(mean) ** 2 for mean in machine.means_) for point in each]
    assert machine.score(Z) == pytest.approx(-sum(nearest), rel=1e-9)


@pytest.mark.parametrize("seed", range(3))
def test_a_start_takes_no_centre_twice_while_others_are_left(seed):
    """A centre's own distance is 0, however near the others are."""
    X = np.repeat([0.0, 0.01, 0.02], 4)[:, None]
    labels = Rounds(Gaussian(1.0), KME(Gaussian(1.0)), X, 3).start(np.random.default_rng(seed))
    assert len(set(labels)) == 3
    assert (labels.reshape(3, 4) == labels[::4, None]).all()
