"""MixtureDensity: what it promises of its fit, at any unit and place, and the data that it refuses or survives."""

import pickle

import numpy as np
import pytest
from helpers.naming import naming

from explorer import (
    FKMSE,
    KME,
    MKME,
    MMKME,
    SKMSE,
    Delta,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Linear,
    MedianOfMeans,
    MixtureDensity,
    Polynomial,
    RobustKME,
)
from explorer.checks import ExplorerWarning
from explorer.learning.gaussian_match import GaussianMatch
from explorer.learning.mixture_density import _box

ESTIMATORS = {
    "KME": KME(),
    "SKMSE": SKMSE(),
    "SKMSE .5": SKMSE(lam=0.5),
    "FKMSE": FKMSE(),
    "MKME": MKME(),
    "MMKME": MMKME(),
    "MedianOfMeans": MedianOfMeans(blocks=3),
    "RobustKME": RobustKME(),
}
KERNELS = {"gaussian": Gaussian(), "linear": Linear(), "quadratic": Polynomial(2), "cubic": Polynomial(3)}


def clusters(n=60, d=2, seed=0):
    rng = np.random.default_rng(seed)
    centres = rng.uniform(-4, 4, (3, d))
    return centres[rng.integers(3, size=n)] + rng.normal(size=(n, d))


def fitted(X, **given):
    return MixtureDensity(**{"n_components": 3, "rng": 0, "starts": 3, **given}).fit(X)


@pytest.mark.parametrize("estimator", ESTIMATORS.values(), ids=ESTIMATORS)
def test_what_a_fit_keeps_belongs_together(estimator):
    X = clusters()
    fit = fitted(X, estimator=estimator)
    mean = estimator.replace(kernel=fit.kernel_).embed(X)
    # |μ̂ - μ_Q|² by the library's own distance, an inner product of embeddings
    assert fit.objective_ == pytest.approx(mean.distance(fit.mixture_.embed(fit.kernel_)) ** 2, rel=1e-9)
    assert fit.history_[0] == pytest.approx(mean.distance(fit.start_.embed(fit.kernel_)) ** 2, rel=1e-9)
    assert fit.history_[-1] == fit.objective_ >= 0
    assert len(fit.history_) == len(fit.path_) > 1
    assert (np.diff(fit.history_) <= 1e-12).all()  # a step that does not gain is none; J itself is good to eps
    assert fit.mixture_ == fit.path_.mixture(len(fit.path_) - 1)
    assert fit.start_ == fit.path_.mixture(0)
    variances = fit.path_.variances
    assert (variances >= fit.bounds_[0] * (1 - 1e-9)).all()
    assert (variances <= fit.bounds_[1] * (1 + 1e-9)).all()
    assert fit.bounds_[1] == pytest.approx(10 * X.var(axis=0).mean())
    assert fit.path_.scores(X)[[0, -1]] == pytest.approx([fit.start_score(X), fit.score(X)], rel=1e-9)


def test_nothing_near_the_end_is_better():
    """No move of the blobs within their bounds that is random lowers J, by the library's own distance."""
    X, rng = clusters(), np.random.default_rng(1)
    fit = fitted(X)
    Q = fit.mixture_
    for _ in range(60):
        step = 10.0 ** -rng.integers(1, 5)
        weights = Q.weights * np.exp(step * rng.normal(size=3))
        scale = np.clip(np.exp(step * rng.normal(size=3)), None, 1.0 if len(fit.at_ceiling_) else np.inf)
        moved = GaussianMixture(
            weights / weights.sum(),
            Q.means + step * rng.normal(size=Q.means.shape),
            Q.covariances * scale[:, None, None],
        )
        assert fit.embedding_.distance(moved.embed(fit.kernel_)) ** 2 >= fit.objective_ - 1e-10


def test_one_blob_of_a_linear_kernel_is_the_mean():
    X = clusters(d=3)
    fit = fitted(X, kernel=Linear(), n_components=1)
    np.testing.assert_allclose(fit.mixture_.means[0], X.mean(axis=0), atol=1e-9)
    assert fit.objective_ == pytest.approx(0, abs=1e-15)


def test_one_blob_of_a_quadratic_kernel_has_the_mean_and_the_mean_variance():
    """Two moments are all that (<x, y> + c)² sees: the best sphere has the sample's mean and total variance / d.

    That is exact where the sample's mean is 0, as the third moments do not come in; c large makes the mean exact.
    """
    X = clusters(400, 3)
    X = X - X.mean(axis=0)
    fit = fitted(X, kernel=Polynomial(2), n_components=1)
    np.testing.assert_allclose(fit.mixture_.means[0], 0, atol=1e-4)
    assert fit.mixture_.covariances[0, 0, 0] == pytest.approx(X.var(axis=0).mean(), rel=1e-5)


@pytest.mark.thorough
def test_one_blob_of_a_narrow_mixture_is_found_again():
    """A mixture's own kernel mean, in place of an estimate, is matched by that mixture, J = 0 up to sampling."""
    X = np.random.default_rng(0).normal(1.0, 2.0, size=(4000, 1))
    fit = fitted(X, kernel=Gaussian(1.0), n_components=1)
    assert fit.mixture_.means[0, 0] == pytest.approx(1.0, abs=0.2)  # 5 standard errors of such a fit, some .04
    assert fit.mixture_.covariances[0, 0, 0] == pytest.approx(4.0, abs=0.8)


def test_under_the_linear_kernel_no_variance_moves():
    """Erratum 33: its gradient is zero, so the LIN column of the papers' Table 1 is their initialisation."""
    fit = fitted(clusters(), kernel=Linear(), estimator=SKMSE())
    np.testing.assert_array_equal(fit.path_.variances, np.broadcast_to(fit.path_.variances[0], (len(fit.path_), 3)))
    assert fit.objective_ < 1e-6 * fit.history_[0]


def test_a_shrunk_target_fills_a_dust_bin():
    """Erratum 34: what a mixture of mass 1 has too much of goes into a blob as wide as it may be."""
    X = np.random.default_rng(0).normal(size=(200, 2))
    widths = []
    for lam in (0.0, 0.25, 1.0):
        fit = fitted(X, kernel=Gaussian(1.0), estimator=SKMSE(lam=lam))
        widths.append(np.trace(fit.mixture_.covariances, axis1=1, axis2=2) @ fit.mixture_.weights)
        assert (len(fit.at_ceiling_) > 0) == (lam > 0)
    dust = fit.mixture_.weights[fit.at_ceiling_].sum()
    assert 0.35 < dust < 0.75  # the mass that 1/(1+λ) leaves, where the bin's own kernel mean is small and not nothing
    assert widths[0] < widths[1] < widths[2]


def test_a_dust_bin_is_nearer_to_nothing_far_from_the_data():
    """The mean of the dust bin is free: moved back to the edge of the data, it leaves a larger J."""
    X = GaussianMixture.random(1, rng=51).sample(20, rng=1)
    kernel = Gaussian(0.1 * Gaussian().select(X).bandwidth)
    fit = MixtureDensity(kernel, SKMSE(), 4, 0, 5, 600).fit(X)
    Q, low, high = fit.mixture_, X.min(axis=0), X.max(axis=0)
    within = np.clip(Q.means, low - (high - low), high + (high - low))
    assert (within != Q.means).any()
    near = GaussianMixture(Q.weights, within, Q.covariances)
    assert fit.embedding_.distance(near.embed(kernel)) ** 2 > 1.01 * fit.objective_


def test_a_step_that_throws_all_blobs_away_is_no_end():
    """The second step from four adjacent blobs leads where J is flat, above |μ̂|²: the fit begins anew."""
    X = GaussianMixture.random(2, rng=51).sample(60, rng=2)
    kernel = Gaussian(0.5 * Gaussian().select(X).bandwidth)
    weights = [0.15, 1 - 0.15 - 2 / 6, 1 / 6, 1 / 6]
    start = GaussianMixture(
        weights, [[8.0, -1.0], [9.0, -1.0], [8.0, 0.0], [9.0, 0.0]], [v * np.eye(2) for v in (5.9, 8.0, 10.0, 8.2)]
    )
    fit = MixtureDensity(kernel, n_components=4, iterations=100).fit(X, start)
    assert fit.objective_ < 0.01 * fit.embedding_.norm() ** 2
    assert fit.objective_ < 0.01 * fit.history_[0]
    assert (np.abs(fit.mixture_.means) < 60).all()


@pytest.mark.thorough(default=["1e-08-gaussian", "100000000.0-gaussian", "1e-08-quadratic", "100000000.0-cubic"])
@pytest.mark.parametrize("name", KERNELS)
@pytest.mark.parametrize("unit", [1e-8, 2.0**-20, 1e8])
def test_units_do_not_matter(name, unit):
    """Scaled data and bandwidth give the scaled mixture: the same steps, as all is computed in units of the data."""
    X, kernel = clusters(), KERNELS[name]
    scaled = kernel if kernel.degree is None else kernel.replace(offset=unit**2 * kernel.offset)
    a, b = fitted(X, kernel=kernel, iterations=30), fitted(unit * X, kernel=scaled, iterations=30)
    # a unit other than a power of two rounds the data, and 30 steps make some 1e-6 of it
    np.testing.assert_allclose(b.mixture_.means, unit * a.mixture_.means, rtol=1e-4, atol=1e-4 * unit)
    np.testing.assert_allclose(b.mixture_.weights, a.mixture_.weights, atol=1e-4)
    order = 0 if kernel.degree is None else 2 * kernel.degree
    assert b.history_[0] == pytest.approx(a.history_[0] * unit**order, rel=1e-6, abs=1e-12 * unit**order)
    assert np.isfinite(b.logpdf(unit * X)).all()
    assert b.score(unit * X) == pytest.approx(a.score(X) - 2 * np.log(unit), abs=1e-3)


def test_a_place_far_away_does_not_matter():
    """At 2^20 standard deviations and on multiples of 2^-20: no digit of the data is lost, and none of the fit."""
    X = np.round(clusters() * 2**20) / 2**20
    a, b = fitted(X, iterations=30), fitted(X + 2.0**20, iterations=30)
    np.testing.assert_allclose(b.mixture_.means - 2.0**20, a.mixture_.means, atol=1e-6)
    assert b.objective_ == pytest.approx(a.objective_, rel=1e-5)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_a_polynomial_kernel_far_from_zero_is_finite(degree):
    X = clusters() + 1e6
    fit = fitted(X, kernel=Polynomial(degree), iterations=50)
    assert np.isfinite(fit.logpdf(X)).all()
    np.testing.assert_allclose(fit.mixture_.mean, X.mean(axis=0), atol=1e-2)


def test_the_order_of_the_rows_does_not_matter():
    X = clusters()
    a = fitted(X, starts=50)
    b = fitted(X[np.random.default_rng(5).permutation(len(X))], starts=50)
    # k-means of many starts finds the best clustering of three clusters whatever the order
    assert b.objective_ == pytest.approx(a.objective_, rel=1e-4, abs=1e-10)
    assert b.start_score(X) == pytest.approx(a.start_score(X), rel=1e-9)


def test_seeds():
    X = clusters()
    a, b = fitted(X, rng=3, starts=1), fitted(X, rng=3, starts=1)
    np.testing.assert_array_equal(a.mixture_.means, b.mixture_.means)
    model = MixtureDensity(rng=np.random.default_rng(0))
    assert isinstance(model.rng, int)  # a value, as every field of a model
    assert model == MixtureDensity(rng=np.random.default_rng(0))
    assert MixtureDensity().rng is None
    fitted(X, rng=None, starts=1)


def test_a_fit_may_begin_where_one_says():
    from explorer import GaussianMixture

    X = clusters()
    a = fitted(X)
    b = fitted(X, rng=99).fit(X, start=a.start_)
    np.testing.assert_allclose(b.history_[0], a.history_[0], rtol=1e-9)
    assert b.objective_ == pytest.approx(a.objective_, rel=1e-3, abs=1e-9)
    model = MixtureDensity(n_components=2)
    assert model.fit(X, GaussianMixture([0.5, 0.5], X[:2], 1.0)).objective_ >= 0
    for start, words in (
        (GaussianMixture([1.0], X[:1], 1.0), naming("1", "2")),
        (GaussianMixture([0.5, 0.5], [[0.0], [1.0]], 1.0), naming("1")),
        (GaussianMixture([0.5, 0.5], X[:2], np.diag([1.0, 2.0])), "no sphere"),
        (GaussianMixture([0.5, 0.5], X[:2], 1e9), "between"),
        ("k-means", naming("GaussianMixture", "None")),
    ):
        with pytest.raises((ValueError, TypeError), match=words):
            model.fit(X, start=start)


@pytest.mark.parametrize("far", [1e4, 1e8])
def test_one_far_point_leaves_the_others_their_fit(far):
    """The least variance is that of the nearer half: a fit of the others is as good as without the far point."""
    X = clusters()
    with_it, without = fitted(np.vstack([X, [far, far]]), n_components=4), fitted(X)
    assert with_it.score(X) == pytest.approx(without.score(X), abs=0.3)  # the far blob has a weight of 1/60


@pytest.mark.thorough(default=["0.001-0.0-2", "1.0-1000.0-3"])
@pytest.mark.parametrize("degree", [2, 3])
@pytest.mark.parametrize(("unit", "place"), [(1e-3, 0.0), (1.0, 1e3), (1e8, 0.0)])
def test_moments_are_matched_in_any_unit_and_place(degree, unit, place):
    """J falls also if a kernel is nearly constant, or the data lie far from 0, as no digits cancel."""
    X = unit * clusters(d=3) + place
    fit = fitted(X, kernel=Polynomial(degree), n_components=5, iterations=300)
    assert fit.objective_ < 1e-2 * fit.history_[0]


def test_a_fit_tells_its_steps_and_may_be_ended():
    seen = []
    whole = fitted(clusters(), iterations=12)
    model = MixtureDensity(n_components=3, rng=0, starts=3, iterations=12)
    told = model.fit(clusters(), progress=seen.append)
    assert seen == list(range(1, 13))
    np.testing.assert_array_equal(told.history_, whole.history_)
    ended = model.fit(clusters(), progress=lambda step: step == 4)
    assert len(ended.history_) == 5
    # the two ends of a history are the library's own distances, the rest the optimiser's sum: 1e-12 apart
    np.testing.assert_allclose(ended.history_, whole.history_[:5], rtol=1e-9)


def test_a_fit_of_no_steps_is_the_start():
    fit = fitted(clusters(), iterations=0)
    assert fit.history_.shape == (1,)
    assert fit.mixture_ == fit.start_
    assert fitted(clusters(), iterations=5).history_.shape == (6,)


@pytest.mark.thorough(default=["KME-*", "MKME-two points", "FKMSE-whole numbers, ties"])
@pytest.mark.parametrize(
    "X",
    [
        [[0.0], [1.0], [2.0], [10.0]],
        [0, 1, 1, 5],
        np.r_[np.zeros(20), 1.0],
        np.repeat([[0.0, 1.0], [3.0, 2.0]], 10, axis=0),
        np.c_[np.arange(12.0), np.ones(12)],
        np.random.default_rng(0).normal(size=(5, 50)),
        np.r_[np.random.default_rng(0).normal(size=30), 1e6],
    ],
    ids=["n = m + 1", "whole numbers, ties", "one apart", "two points", "a constant column", "d = 50", "an outlier"],
)
@pytest.mark.filterwarnings("ignore::explorer.checks.ExplorerWarning")  # the median heuristic warns of ties
@pytest.mark.parametrize("estimator", [KME(), FKMSE(), MKME()], ids=["KME", "FKMSE", "MKME"])
def test_edges_are_fitted(X, estimator):
    """Fewer distinct points than blobs, clusters of one point, a column without variance: all are finite densities."""
    fit = fitted(X, estimator=estimator, iterations=40)
    assert np.isfinite(fit.logpdf(X)).all()
    assert fit.objective_ <= fit.history_[0] + 1e-12
    assert len(fit.mixture_.weights) == 3
    assert fit.mixture_.weights.sum() == pytest.approx(1)


def test_as_many_blobs_as_points():
    fit = fitted([[0.0], [1.0], [5.0]])
    assert np.isfinite(fit.score([[0.0], [7.0]]))


def test_two_points_and_one_blob():
    with_median = fitted([[0.0], [1.0]], n_components=1)
    assert with_median.mixture_.means[0, 0] == pytest.approx(0.5, abs=1e-6)


def test_an_empty_cluster_copies_the_heaviest(monkeypatch):
    import sklearn.cluster

    X = clusters()
    fake = type("Fake", (), {"__init__": lambda self, *a, **k: None, "fit_predict": lambda self, Z: (Z[:, 0] > 0) * 2})
    monkeypatch.setattr(sklearn.cluster, "KMeans", fake)
    fit = fitted(X, n_components=4)
    assert len(fit.start_.weights) == 4
    assert (fit.start_.weights > 0).all()


def test_the_kernel_may_be_the_estimator_s():
    X = clusters()
    assert fitted(X, estimator=KME(Gaussian(2.0))).kernel_ == Gaussian(2.0)
    assert fitted(X, kernel=Gaussian(2.0), estimator=KME(Gaussian(2.0))).kernel_ == Gaussian(2.0)
    chosen = fitted(X, estimator=SKMSE()).estimator_
    assert chosen.lam is not None


@pytest.mark.parametrize(
    ("given", "X", "words"),
    [
        ({"n_components": 4}, [[0.0], [1.0], [2.0]], naming("4", "3")),
        ({}, np.ones((7, 2)), "same point"),
        ({"n_components": 1}, [[3.0, 1.0]], "same point"),
        ({}, np.zeros((0, 2)), "no rows"),
        ({}, [[np.nan], [1.0], [2.0]], "NaN"),
        ({}, ["a", "b", "c", "d"], "numbers"),
        ({"kernel": Laplacian()}, [[0.0]], naming("Laplacian")),
        ({"kernel": Delta()}, [[0.0]], naming("Delta")),
        ({"kernel": Polynomial(4)}, [[0.0]], naming("1", "3")),
        ({"kernel": Gaussian(1.0), "estimator": KME(Gaussian(2.0))}, [[0.0]], "estimator's kernel"),
        ({"estimator": KME(Laplacian())}, [[0.0]], naming("Laplacian")),
        ({"n_components": 0}, [[0.0]], naming("1")),
        ({"rng": -1}, [[0.0]], naming("0")),
        ({"rng": "x"}, [[0.0]], "whole number"),
        ({"estimator": "SKMSE"}, [[0.0]], "estimator"),
        ({"kernel": "rbf"}, [[0.0]], "kernel"),
    ],
)
def test_what_cannot_be_fitted_is_a_sentence(given, X, words):
    with pytest.raises((ValueError, TypeError), match=words) as refused:
        fitted(X, **given)
    assert "\n" not in str(refused.value)


def test_random_features_are_another_kernel():
    rough = KME(approximation="features", rank=20)
    with pytest.raises(ValueError, match=naming("'nystrom'")):
        fitted(clusters(), estimator=rough)
    fit = fitted(clusters(), estimator=KME(approximation="cholesky", rank=30))
    assert fit.objective_ < fit.history_[0]


def test_what_a_fit_is_asked_wrongly_is_a_sentence():
    fit = fitted(clusters())
    with pytest.raises(ValueError, match=naming("MixtureDensity", "no data")):
        MixtureDensity().logpdf([[0.0]])
    for ask in (fit.logpdf, fit.score, fit.path_.scores):
        with pytest.raises(ValueError, match="columns"):
            ask([[0.0, 1.0, 2.0]])
    for i in (len(fit.path_), -len(fit.path_) - 1, True, 1.5):
        with pytest.raises(ValueError, match=naming("i", f"from 0 to {len(fit.path_) - 1}")):
            fit.path_.mixture(i)


def test_a_fit_survives_pickle_and_is_read_only():
    fit = fitted(clusters(), iterations=3)
    again = pickle.loads(pickle.dumps(fit))
    np.testing.assert_array_equal(again.history_, fit.history_)
    assert again.mixture_ == fit.mixture_
    for array in (fit.history_, fit.path_.means, fit.at_floor_, fit.at_ceiling_):
        assert not array.flags.writeable


def test_points_that_mostly_coincide_warn_of_the_bandwidth():
    with pytest.warns(ExplorerWarning, match="median"):
        fitted([0.0, 0.0, 0.0, 0.0, 1.0])


def test_a_fit_computes_no_step_twice(monkeypatch):
    places, match = [], GaussianMatch.__call__

    def counted(self, blobs):
        places.append(tuple(np.concatenate([each.ravel() for each in blobs])))
        return match(self, blobs)

    monkeypatch.setattr(GaussianMatch, "__call__", counted)
    X = np.random.default_rng(0).normal(size=(40, 2))
    MixtureDensity(Gaussian(1.0), n_components=2, rng=0, iterations=20).fit(X)
    assert len(places) <= len(set(places)) + 1  # the start is met twice: J there is the optimiser's unit


def test_a_constant_coordinate_is_as_wide_as_the_widest():
    low, high = _box(np.array([[0.0, 5.0, 1.0], [4.0, 5.0, 2.0]]))
    assert (low.tolist(), high.tolist()) == ([-4.0, 1.0, 0.0], [8.0, 9.0, 3.0])
