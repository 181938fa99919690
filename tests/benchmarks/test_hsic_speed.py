"""Running times of the independence test as ratios of alternating pairs: `pytest -m benchmark --benchmark-enable`."""

import statistics

import numpy as np
import pytest
from scipy.spatial.distance import cdist
from test_speed import report, seconds

from explorer import Energy, Gaussian, hsic_test, load
from explorer.discrepancy.dependence import permutation_null as null_of_hsic
from explorer.discrepancy.dependence.centred_grams import StoredGram
from explorer.discrepancy.dependence.permutation_null import _by_factors, _by_numba, _by_scipy
from explorer.discrepancy.resampling.permutation import permutations

pytestmark = pytest.mark.benchmark

B = 1000


def pairs(n, d):
    rng = np.random.default_rng(0)
    return rng.normal(size=(n, d)), rng.normal(size=(n, d))


def textbook(X, Y, theta, reorder):
    """Both Gram matrices once, one of them centred; then every permutation re-orders rows and columns of the other."""
    n, (K, L) = len(X), (np.exp(-cdist(Z, Z, "sqeuclidean") / (2 * theta**2)) for Z in (X, Y))
    H = np.eye(n) - 1 / n
    K = H @ K @ H
    observed, rng = np.vdot(K, L) / n**2, np.random.default_rng(0)
    null = [np.vdot(K, reorder(L, rng.permutation(n))) / n**2 for _ in range(B)]
    return observed, (1 + sum(value >= observed for value in null)) / (1 + B)


METHODS = [lambda L, p: L[p][:, p], lambda L, p: L[np.ix_(p, p)]]


@pytest.mark.parametrize(("d", "at_least"), [(10, 4), (1, 6)])
def test_the_permutation_test_against_the_textbook_loop(benchmark, d, at_least):
    """500 pairs, from samples to p-value, against the faster of two ways to write the loop."""
    X, Y = pairs(500, d)
    theta = float(np.sqrt(2 * d))

    def ours():
        return hsic_test(X, Y, Gaussian(theta), Gaussian(theta), n_resamples=B, rng=0)

    result = ours()
    observed, p = textbook(X, Y, theta, METHODS[0])
    assert result.statistic == pytest.approx(observed, abs=1e-14)
    # two independent draws of 1000 permutations
    assert abs(result.pvalue - p) < 4.5 * np.sqrt(2 * 0.25 / B)
    measured = []
    for i in range(6):
        acts = [ours, lambda i=i: textbook(X, Y, theta, METHODS[i // 2 % 2])]
        times = [seconds(act) for act in (acts if i % 2 else acts[::-1])]
        fast, slow = times if i % 2 else times[::-1]
        measured.append((i // 2 % 2, slow / fast))
    by_method = [[ratio for method, ratio in measured if method == r] for r in (0, 1)]
    benchmark.pedantic(ours, rounds=1)
    assert report(benchmark, min(by_method, key=statistics.median)) >= at_least


def test_few_pairs_against_dcor(benchmark):
    """Eckerle4's 35 pairs and 2000 permutations of distance covariance, at least four times faster, the same
    statistic.
    """
    dcor = pytest.importorskip("dcor", reason="dcor is not installed")
    data = load("eckerle4")
    x, y = data.X, data.target[:, None]

    def ours():
        return hsic_test(x, y, Energy(), Energy(), n_resamples=2000, rng=0)

    def theirs():
        return dcor.independence.distance_covariance_test(x, y, num_resamples=2000, random_state=0)

    assert 4 * 35 * ours().statistic == pytest.approx(theirs().statistic, rel=1e-10)
    measured = []
    for i in range(9):
        acts = [ours, theirs]
        times = [seconds(act) for act in (acts if i % 2 else acts[::-1])]
        fast, slow = times if i % 2 else times[::-1]
        measured.append(slow / fast)
    benchmark.pedantic(ours, rounds=1)
    assert report(benchmark, measured) >= 4


@pytest.mark.parametrize(("n", "d"), [(500, 1), (500, 10), (130, 1), (35, 1)])
def test_the_chosen_road_is_hardly_slower_than_the_fastest(benchmark, n, d, monkeypatch):
    """Every method, and the chosen one once numba is loaded: at most half as long again as the best."""
    monkeypatch.setattr(null_of_hsic, "PAID", 0)
    X, Y = pairs(n, d)
    k = Gaussian(float(np.sqrt(2 * d)))
    x, y = StoredGram(k(X)), StoredGram(k(Y))
    orders = list(permutations(n, B, 0))

    def null(make):
        whole = make(x, y)
        return [whole(order) for order in orders]

    methods = [
        lambda x, y: _by_scipy(x.A, y.A),
        lambda x, y: _by_numba(x.A, y.A),
        lambda x, y: _by_factors(x.factor(n + 1), y.factor(n + 1)),
    ]
    if d > 1:
        methods.pop()  # the factors have full rank, which takes ten seconds

    def taken(x, y):
        return null_of_hsic.cheapest_sum(x, y, B)

    for each in (*methods, taken):
        null(each)
    best = min(methods, key=lambda each: statistics.median(seconds(lambda: null(each)) for _ in range(3)))
    measured = []
    for i in range(7):
        acts = [lambda: null(taken), lambda: null(best)]
        times = [seconds(act) for act in (acts if i % 2 else acts[::-1])]
        ours, theirs = times if i % 2 else times[::-1]
        measured.append(ours / theirs)
    benchmark.pedantic(lambda: null(taken), rounds=1)
    assert report(benchmark, measured) <= 1.5


def _by_numpy(A, B):
    flat = A.ravel()
    return lambda order: np.array([B[p[:, None], p].ravel() @ flat for p in order])


@pytest.mark.parametrize("n", [100, 500, 1000])
def test_what_gathers_before_numba_is_loaded(benchmark, n):
    """At least three times as fast as fancy indices of numpy, and a fifth as fast as numba."""
    X, Y = pairs(n, 10)
    k = Gaussian(float(np.sqrt(20)))
    A, B = StoredGram(k(X)).A, StoredGram(k(Y)).A
    order = next(permutations(n, 128 if n <= 500 else 32, 0))
    methods = {"numpy": _by_numpy(A, B), "scipy": _by_scipy(A, B), "numba": _by_numba(A, B)}
    times = [{name: seconds(lambda method=method: method(order)) for name, method in methods.items()} for _ in range(9)]
    benchmark.pedantic(lambda: methods["scipy"](order), rounds=1)
    assert report(benchmark, [each["numpy"] / each["scipy"] for each in times]) >= 3
    assert min(each["scipy"] for each in times) / min(each["numba"] for each in times) <= 5
