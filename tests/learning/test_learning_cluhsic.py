"""CLUHSIC: HSIC by its definition, kernel k-means by the identity, and the best of all labelings where n is small."""

import itertools

import numpy as np
import pytest
from helpers.naming import naming

from explorer import CLUHSIC, KME, Delta, Embedding, Gaussian, KernelKMeans, Precomputed, hsic
from explorer.datasets import cloud

ROW = np.array([[2.0, 1, 0], [1, 2, 1], [0, 1, 2]])


def label_gram(labels, A, normalized):
    sizes = np.bincount(labels, minlength=len(A))
    L = A[np.ix_(labels, labels)]
    return L / np.sqrt(np.outer(sizes[labels], sizes[labels])) if normalized else L


def best_of_all(X, kernel, A, normalized):
    """Return the largest HSIC of all labelings that leave no cluster empty."""
    n, c = len(X), len(A)
    H = np.eye(n) - 1 / n
    C = H @ kernel(X) @ H
    every = (np.array(each) for each in itertools.product(range(c), repeat=n))
    return max(np.sum(C * label_gram(y, A, normalized)) for y in every if len(set(y)) == c) / n**2


@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("A", [np.eye(2), ROW], ids=["apart", "row"])
def test_it_finds_the_best_labeling_of_few_points(A, normalized):
    X, kernel = np.random.default_rng(len(A)).normal(size=(8, 2)), Gaussian(1.0)
    fit = CLUHSIC(len(A), kernel, A, normalized, rng=0, starts=20).fit(X)
    assert fit.objective_ == pytest.approx(best_of_all(X, kernel, A, normalized), rel=1e-10)


def test_the_objective_is_hsic_with_the_labels():
    X = cloud("blobs", 40, 0.3, 1).X
    fit = CLUHSIC(3, normalized=False, rng=0).fit(X)
    assert fit.objective_ == pytest.approx(hsic(X, fit.labels_, fit.kernel_, Delta()))
    fit = CLUHSIC(3, between=ROW, rng=0).fit(X)
    L = label_gram(fit.labels_, ROW, True)
    assert fit.objective_ == pytest.approx(hsic(X, np.arange(40), fit.kernel_, Precomputed(L)))
    assert (np.diff(fit.history_) >= 0).all()


@pytest.mark.parametrize("source", ["rings", "moons", "blobs"])
def test_with_delta_labels_by_their_means_it_is_kernel_k_means(source):
    """n² HSIC = tr(HKH) - J for any labels, and the clusters are equal if both find the best."""
    X, n = cloud(source, 50, 0.2, 4).X, 50
    fit, means = CLUHSIC(3, rng=0).fit(X), KernelKMeans(3, rng=0).fit(X)
    K = fit.kernel_(X)
    whole = np.trace(K) - K.sum() / n
    rows = [np.flatnonzero(fit.labels_ == j) for j in range(3)]
    J = sum(K.diagonal()[y].sum() - K[np.ix_(y, y)].sum() / len(y) for y in rows)
    assert n**2 * fit.objective_ == pytest.approx(whole - J, rel=1e-10)
    assert whole - n**2 * fit.objective_ <= means.objective_ * (1 + 1e-9)  # moves of single points find no worse
    if source == "blobs":
        assert whole - n**2 * fit.objective_ == pytest.approx(means.objective_)


def test_clusters_in_a_row_lie_as_their_labels_do():
    x = np.random.default_rng(0).permutation(np.concatenate([c + 0.1 * np.arange(5) for c in (0.0, 3.0, 6.0)]))
    labels = CLUHSIC(3, Gaussian(2.0), ROW, rng=0).fit_predict(x)
    middle = [x[labels == j].mean() for j in range(3)]
    assert middle == sorted(middle) or middle == sorted(middle, reverse=True)


def test_no_cluster_is_empty_among_equal_points_and_a_seed_gives_the_same():
    assert sorted(set(CLUHSIC(3, Gaussian(1.0), rng=0).fit_predict([1.0, 1.0, 1.0, 1.0]))) == [0, 1, 2]
    X = cloud("moons", 40, 0.2, 1).X
    np.testing.assert_array_equal(CLUHSIC(4, rng=3).fit(X).labels_, CLUHSIC(4, rng=3).fit(X).labels_)
    assert set(CLUHSIC(1).fit_predict(X)) == {0}


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: CLUHSIC(4).fit([1.0, 2.0, 3.0]), naming("3")),
        (lambda: CLUHSIC(1).fit([[3.0]]), "no bandwidth"),
        (lambda: CLUHSIC(2, between=ROW), naming("2")),
        (lambda: CLUHSIC(2, between=[[1, 0], [1, 1]]), "not symmetric"),
        (lambda: CLUHSIC(2, between=[[1, 2], [2, 1]]), naming("0")),
    ],
)
def test_what_cannot_be_is_a_sentence(call, says):
    with pytest.raises(ValueError, match=says):
        call()


def derivatives(fit, Z):
    """Return <φ(z) - μ̂, Σ_j a_lj Σ_i w_ij (φ(x_i) - μ̂)>, how HSIC grows with the weight of z in cluster l."""
    mean = KME(fit.kernel_).embed(fit.X_)
    found = np.empty((len(Z), fit.n_clusters))
    sums = [Embedding(fit.kernel_, fit.X_, w) - w.sum() * mean for w in fit.shares_.T]
    for i, z in enumerate(Z):
        point = KME(fit.kernel_).embed(z[None]) - mean
        found[i] = np.array([point.inner(each) for each in sums])
    return found @ (np.eye(fit.n_clusters) if fit.between is None else np.array(fit.between))


@pytest.mark.parametrize("between", [None, ROW], ids=["apart", "row"])
def test_a_new_point_goes_where_it_adds_the_most(between):
    rng = np.random.default_rng(0)
    X, Z = np.concatenate([rng.normal(0, 1, (14, 1)), rng.normal(3, 1, (4, 1))]), np.linspace(-4, 7, 25)[:, None]
    fit = CLUHSIC(3, Gaussian(1.5), between, False, rng=0, starts=3).fit(X)
    np.testing.assert_array_equal(fit.predict(Z), derivatives(fit, Z).argmax(axis=1))


def test_a_new_point_goes_to_the_nearest_mean():
    rng = np.random.default_rng(0)
    X, Z = np.concatenate([rng.normal(0, 1, (14, 1)), rng.normal(3, 1, (4, 1))]), np.linspace(-4, 7, 25)[:, None]
    fit = CLUHSIC(3, Gaussian(1.5), rng=0, starts=3).fit(X)
    means = [KME(fit.kernel_).embed(X[fit.labels_ == j]) for j in range(3)]
    apart = [[KME(fit.kernel_).embed(z[None]).distance(mean) for mean in means] for z in Z]
    np.testing.assert_array_equal(fit.predict(Z), np.argmin(apart, axis=1))


def test_similarities_of_zero_and_one_point_are_allowed():
    assert CLUHSIC(2, Gaussian(1.0), np.zeros((2, 2)), rng=0).fit([0.0, 1.0, 2.0]).objective_ == 0
    assert CLUHSIC(1, Gaussian(1.0)).fit_predict([[3.0]]).tolist() == [0]
