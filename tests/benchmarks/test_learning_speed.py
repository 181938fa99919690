"""Cost of densities, herding, kernel k-means and bags: `pytest -m benchmark --benchmark-enable`."""

import numpy as np
import pytest
from sklearn.cluster import KMeans
from sklearn.mixture import GaussianMixture as EM
from test_speed import ratios, report, seconds

from explorer import MMKME, Gaussian, KernelKMeans, MaximumEntropy, MixtureDensity, bag_gram, thin
from explorer.learning.gaussian_match import GaussianMatch
from explorer.learning.start import Units, k_means_blobs

pytestmark = pytest.mark.benchmark


def sample(n=150, d=13, seed=0):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(3, d))[rng.integers(3, size=n)] * 2 + rng.normal(size=(n, d))


@pytest.mark.parametrize("estimator", [None, MMKME()], ids=["KME", "MMKME"])
def test_ten_blobs_at_150_points_in_13_dimensions_within_ten_seconds(benchmark, estimator):
    """Fifty runs of k-means and 2000 steps at most; measured: 1 s."""
    X = sample()
    taken = benchmark(lambda: seconds(lambda: MixtureDensity(None, estimator, rng=0).fit(X)))
    assert taken < 10


def test_a_step_costs_a_few_products_of_the_gram_matrix_of_blobs_and_points(benchmark):
    """Two products of (n, d) and (d, m), and one exponential of (n, m), are the least that h itself takes."""
    X = sample(2000)
    units = Units.of(X)
    Z = units.to_units(X)
    blobs = k_means_blobs(Z, 10, 1, 0, units.ceiling)
    match = GaussianMatch([(Z, np.full(2000, 1 / 2000), None)], 2.0, 0.3)
    measured = ratios(lambda: match(blobs), lambda: np.exp(Z @ blobs.means.T + Z @ blobs.means.T))
    assert benchmark(lambda: report(benchmark, measured)) <= 10


def test_two_hundred_steps_beside_scikit_learns_em(benchmark):
    """Both from one k-means; EM of spheres takes fewer and cheaper steps, and its fit is another one."""
    X = sample(1000)
    start = MixtureDensity(rng=0, starts=1, iterations=0).fit(X).start_
    ours = MixtureDensity(Gaussian(3.0), iterations=200)
    theirs = EM(10, covariance_type="spherical", max_iter=200, tol=0, random_state=0)
    measured = ratios(lambda: ours.fit(X, start), lambda: _unconverged(theirs, X))
    assert benchmark(lambda: report(benchmark, measured)) <= 3


def _unconverged(model, X):
    import warnings

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model.fit(X)


def test_maximum_entropy_answers_a_slider(benchmark):
    """A move of ε on 200 cells, everything anew; measured: 20 ms."""
    x = sample(200, 1)
    model = MaximumEntropy(Gaussian(1.0), 0.05)
    assert benchmark(lambda: min(seconds(lambda: model.fit(x)) for _ in range(5))) < 0.2


def test_thinning_costs_a_gram_matrix(benchmark):
    """m of n rows take m columns of the Gram matrix; the target's values and its norm take the whole of it, twice."""
    X, kernel = sample(2000), Gaussian(3.0)
    measured = ratios(lambda: thin(X, 100, kernel), lambda: kernel(X))
    assert benchmark(lambda: report(benchmark, measured)) <= 8


def test_kernel_k_means_beside_scikit_learns_on_the_rows_of_the_gram_matrix(benchmark):
    """One start each; scikit-learn's clusters rows of K, the same size of problem."""
    X, kernel = sample(1000), Gaussian(3.0)
    measured = ratios(
        lambda: KernelKMeans(5, kernel, rng=0, starts=1).fit(X),
        lambda: KMeans(5, n_init=1, random_state=0).fit(kernel(X)),
    )
    assert benchmark(lambda: report(benchmark, measured)) <= 3


def test_the_gram_matrix_of_a_thousand_bags_beside_the_kernel_s_values(benchmark):
    """1000 bags of 100 points in five dimensions, and the same 5 * 10^9 values of the kernel, nothing done with them.

    Each pair of tiles once, as the matrix is symmetric; some 20 s each, so one pair. Measured: 1.3.
    """
    bags, kernel, tile = np.random.default_rng(0).normal(size=(1000, 100, 5)), Gaussian(2.0), 1024
    P = np.concatenate(bags)
    tiles = [P[i : i + tile] for i in range(0, len(P), tile)]

    def plain():
        for i, X in enumerate(tiles):
            kernel(X)
            for Y in tiles[i + 1 :]:
                kernel(X, Y)

    ratio = benchmark.pedantic(lambda: seconds(lambda: bag_gram(bags, kernel)) / seconds(plain), rounds=1)
    benchmark.extra_info.update(ratio=ratio)
    assert ratio <= 3
