"""Kernel mean matching: a known ratio of densities, a better fit, invariances, edges, sentences."""

import pickle
import warnings

import numpy as np
import pytest
from helpers.naming import naming

from explorer import ConditionalEmbedding, CovariateShift, Delta, Embedding, Gaussian, Linear, Precomputed, Subsequence
from explorer.checks import ExplorerWarning

RNG = np.random.default_rng(0)
X, Z = RNG.normal(size=(80, 2)), np.array([0.7, -0.2]) + 0.6 * RNG.normal(size=(60, 2))


def shifted(n, m, seed=0):
    """x of the source N(0, 1), of the target N(1, 0.5²), and the ratio of their densities at the source's points."""
    rng = np.random.default_rng(seed)
    x, z = rng.normal(size=n), 1.0 + 0.5 * rng.normal(size=m)
    return x, z, 2 * np.exp(-0.5 * ((x - 1) / 0.5) ** 2 + 0.5 * x**2)


def slope(x, y, weights):
    """Return intercept and slope of a weighted line."""
    root = np.sqrt(weights)
    return np.linalg.lstsq(root[:, None] * np.column_stack([np.ones_like(x), x]), root * y, rcond=None)[0]


def test_it_recovers_a_known_ratio_of_densities():
    """Correlated by 0.9 and more with 2000 points each: an estimate from samples, whose ratio varies from 0 to 4."""
    x, z, ratio = shifted(1000, 1000)
    b = CovariateShift(Gaussian(0.5), bound=10.0).fit(x, z).weights_
    smooth = np.array([np.average(b, weights=np.exp(-0.5 * ((x - at) / 0.15) ** 2)) for at in x])
    near = (x > -1) & (x < 2.2)
    assert np.corrcoef(smooth[near], ratio[near])[0, 1] > 0.97
    assert abs(smooth[near] - ratio[near]).mean() < 0.25
    for f in (np.sin, np.square, np.abs):  # averages under the weights are those of the target
        assert np.average(f(x), weights=b) == pytest.approx(f(z).mean(), abs=0.01)


@pytest.mark.parametrize("seed", range(5))
def test_a_reweighted_line_predicts_the_target_better(seed):
    """y = x³ - x: no line is right everywhere, and the source's is wrong where the target lies."""
    rng = np.random.default_rng(seed)
    x, z, ratio = shifted(300, 300, seed)
    y = x**3 - x + 0.1 * rng.normal(size=300)
    test = 1.0 + 0.5 * np.random.default_rng(99).normal(size=20_000)

    def error(weights):
        a, b = slope(x, y, weights)
        return np.mean((a + b * test - (test**3 - test)) ** 2)

    weights = CovariateShift(Gaussian(0.5)).fit(x, z).weights_
    assert error(weights) < 0.7 * error(np.ones(300))
    assert error(weights) < 1.3 * error(ratio)


def test_scikit_learn_takes_the_weights():
    from sklearn.linear_model import LinearRegression

    x, z, _ = shifted(60, 40)
    y = x**2
    weights = CovariateShift(Gaussian(0.5)).fit(x, z).weights_
    fit = LinearRegression().fit(x[:, None], y, sample_weight=weights)
    np.testing.assert_allclose([fit.intercept_, fit.coef_[0]], slope(x, y, weights), rtol=1e-8)


def test_what_it_learns():
    shift = CovariateShift(bound=20.0).fit(X, Z)
    b = shift.weights_
    assert shift.kernel_ == Gaussian().select(np.vstack([X, Z]))
    assert shift.tolerance_ == (np.sqrt(80) - 1) / np.sqrt(80)
    assert b.min() >= 0
    assert b.max() <= 20.0
    assert abs(b.mean() - 1) <= shift.tolerance_
    assert shift.effective_sample_size_ == pytest.approx(b.sum() ** 2 / (b**2).sum())
    target = Embedding(shift.kernel_, Z, np.full(60, 1 / 60))
    assert shift.distance_ == pytest.approx(Embedding(shift.kernel_, X, b / 80).distance(target), rel=1e-9)
    assert shift.distance_ < Embedding(shift.kernel_, X, np.full(80, 1 / 80)).distance(target) / 5
    assert not b.flags.writeable
    assert "effective sample size" in shift._repr_html_()
    again = pickle.loads(pickle.dumps(shift))
    np.testing.assert_array_equal(again.weights_, b)


def test_no_other_weights_are_nearer():
    """A thousand other weights in the box, some of them near."""
    shift = CovariateShift(Gaussian(1.0), bound=3.0, tolerance=0.2).fit(X, Z)
    K, kappa = Gaussian(1.0)(X), 80 * Gaussian(1.0)(X, Z).mean(axis=1)
    rng = np.random.default_rng(1)
    least = 0.5 * shift.weights_ @ K @ shift.weights_ - kappa @ shift.weights_
    for size in np.geomspace(1e-3, 3, 1000):
        b = np.clip(shift.weights_ + size * rng.normal(size=80), 0, 3)
        if abs(b.mean() - 1) <= 0.2:
            assert 0.5 * b @ K @ b - kappa @ b >= least


def test_the_same_sample_needs_no_weights():
    """All ones match it exactly, and of all that do they are taken; the ridge leaves rounding of 1e-5."""
    shift = CovariateShift(Gaussian(1.0)).fit(X, X[::-1])
    np.testing.assert_allclose(shift.weights_, 1.0, atol=1e-4)
    assert shift.distance_ < 1e-8


def test_order_does_not_matter():
    order = np.random.default_rng(2).permutation(80)
    b = CovariateShift(Gaussian(1.0)).fit(X, Z).weights_
    np.testing.assert_allclose(CovariateShift(Gaussian(1.0)).fit(X[order], Z[::-1]).weights_, b[order], atol=1e-5)


@pytest.mark.parametrize("scale", [1e-140, 1e-8, 1e8, 1e140])
def test_units_do_not_matter(scale):
    b = CovariateShift().fit(X, Z).weights_
    np.testing.assert_allclose(CovariateShift().fit(scale * X, scale * Z).weights_, b, atol=1e-4)


def test_a_far_offset_does_not_matter():
    """Binary offsets take no digit of points on a grid."""
    grid_x, grid_z = np.round(X * 64) / 64, np.round(Z * 64) / 64
    b = CovariateShift(Gaussian(1.0)).fit(grid_x, grid_z).weights_
    far = CovariateShift(Gaussian(1.0)).fit(grid_x + 2.0**27, grid_z + 2.0**27).weights_
    np.testing.assert_array_equal(far, b)


def test_means_are_matched_far_from_zero():
    """The linear kernel sees only means, and at an offset of 10^8 a Gram matrix has lost the points."""
    for offset in (0.0, 1e4, 2.0**27):
        b = CovariateShift(Linear(), tolerance=0.0).fit(X + offset, Z + offset).weights_
        np.testing.assert_allclose(b @ X / 80, Z.mean(axis=0), atol=1e-6)
    far = CovariateShift(Linear()).fit(X + 2.0**27, Z + 2.0**27)
    np.testing.assert_allclose(far.weights_ @ X / 80, Z.mean(axis=0), atol=1e-6)


def test_a_wide_kernel_matches_means_too():
    """exp(-|x - y|²/(2θ²)) for a large θ is 1 + <x, y>/θ² and so on: its first order is the mean."""
    b = CovariateShift(Gaussian(1e5)).fit(X, Z).weights_
    np.testing.assert_allclose(b @ X / 80, Z.mean(axis=0), atol=1e-3)


def test_equal_points_have_equal_weights():
    b = CovariateShift(Gaussian(1.0)).fit(np.vstack([X, X[:5]]), Z).weights_
    np.testing.assert_allclose(b[80:], b[:5], atol=1e-4)


def test_a_small_bound_keeps_the_sample_large():
    sizes = [CovariateShift(Gaussian(0.7), bound=B).fit(X, Z).effective_sample_size_ for B in (1.5, 3.0, 10.0, 1000.0)]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] > 40


def test_a_bound_of_infinity_is_one_that_does_not_bind():
    one, other = (CovariateShift(Gaussian(0.7), bound=B).fit(X, Z).weights_ for B in (np.inf, 1e6))
    np.testing.assert_allclose(one, other, atol=1e-6)


@pytest.mark.parametrize(
    ("kernel", "source", "target"),
    [
        (Delta(), ["a", "b", "b", "c"], ["a", "a", "b"]),
        (Subsequence(2), ["ACGT", "AGT", "CCC"], ["ACG", "ACGT"]),
        (Precomputed(np.eye(5) + 0.5), [0, 1, 2], [1, 4]),
    ],
)
def test_any_kernel_s_points_are_taken(kernel, source, target):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExplorerWarning)
        shift = CovariateShift(kernel).fit(source, target)
    assert shift.weights_.shape == (len(source),)


def test_labels_get_the_ratio_of_their_shares():
    b = CovariateShift(Delta(), tolerance=0.0).fit(["a", "b", "b", "b"], ["a", "a", "a", "b"]).weights_
    np.testing.assert_allclose(b, [3.0, 1 / 3, 1 / 3, 1 / 3], atol=1e-8)


@pytest.mark.parametrize(("n", "m"), [(1, 1), (1, 5), (2, 1), (5, 1)])
def test_few_points(n, m):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExplorerWarning)
        shift = CovariateShift(Gaussian(1.0)).fit(X[:n], Z[:m])
    assert np.isfinite(shift.weights_).all()
    assert 0 < shift.effective_sample_size_ <= n * (1 + 1e-12)


def test_no_overlap_warns():
    with pytest.warns(ExplorerWarning, match="overlap"):
        shift = CovariateShift(Gaussian(1.0)).fit(X, Z + 20)
    assert np.isfinite(shift.weights_).all()


def test_a_linear_kernel_without_a_source_leaves_the_weights_equal():
    with pytest.warns(ExplorerWarning, match="overlap"):
        shift = CovariateShift(Linear()).fit(np.zeros((4, 1)), np.ones((3, 1)))
    np.testing.assert_array_equal(shift.weights_, 1.0)


def test_the_smallest_bound_is_the_only_answer():
    shift = CovariateShift(Gaussian(1.0), bound=0.75, tolerance=0.25).fit(X, X + 0.1)
    np.testing.assert_array_equal(shift.weights_, 0.75)


REFUSED = {
    "width": (lambda: CovariateShift().fit(X, Z[:, :1]), ("X_source", "2", "X_target", "1")),
    "bound": (lambda: CovariateShift(bound=0.5, tolerance=0.1).fit(X, Z), ("bound=0.5", "tolerance", "0.9")),
    "default tolerance": (lambda: CovariateShift(bound=0.1).fit(X, Z), ("bound=0.1", "tolerance")),
    "no bound": (lambda: CovariateShift(bound=0.0), ("CovariateShift.bound",)),
    "tolerance": (lambda: CovariateShift(tolerance=-0.1), ("CovariateShift.tolerance",)),
    "no rows": (lambda: CovariateShift().fit(X[:0], Z), ("X_source", "no rows")),
    "missing": (lambda: CovariateShift().fit(X, np.full((3, 2), np.nan)), ("X_target", "6", "NaN")),
    "words": (lambda: CovariateShift().fit(["a"], ["b"]), ("X_source",)),
    "not a kernel": (lambda: CovariateShift("rbf"), ("kernel",)),
}


@pytest.mark.parametrize(("act", "parts"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(act, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        act()


def test_before_a_fit_it_is_its_settings():
    assert str(CovariateShift(bound=5.0)) == "CovariateShift(bound=5.0)"


# new source points ---------------------------------------------------------------------------------------------------


def test_weights_of_new_points_are_the_regression_of_those_of_the_source():
    shift = CovariateShift(Gaussian(1.0), bound=3.0).fit(X, Z)
    b, new = shift.weights_, RNG.normal(size=(20, 2))
    C = ConditionalEmbedding(Gaussian(1.0), Linear()).fit(X, b - b.mean())
    K = Gaussian(1.0)(X)
    by_hand = b.mean() + Gaussian(1.0)(new, X) @ np.linalg.solve(K + C.lam_ * np.eye(80), b - b.mean())
    # the solve divides by a λ that is far below K's largest eigenvalue
    np.testing.assert_allclose(shift.weights(new), np.clip(by_hand, 0, 3.0), rtol=1e-6, atol=1e-8)
    refits = [
        (b[i] - b.mean() - ConditionalEmbedding(Gaussian(1.0), Linear(), C.lam_).fit(
            np.delete(X, i, 0), np.delete(b, i) - b.mean()).predict(X[i : i + 1])[0]) ** 2
        for i in range(80)
    ]  # fmt: skip
    assert np.mean(refits) == pytest.approx(C.loocv(X, b - b.mean(), [C.lam_])[0], rel=1e-6)
    assert np.mean(refits) <= b.var()  # no worse than to take the mean


def test_weights_of_new_points_are_near_to_the_ratio_of_densities():
    x, z, _ = shifted(1000, 1000)
    fit = CovariateShift(Gaussian(0.5), bound=10.0).fit(x, z)
    new, target, ratio = shifted(4000, 4000, seed=1)
    b = fit.weights(new)
    near = (new > -1) & (new < 2.2)
    assert np.corrcoef(b[near], ratio[near])[0, 1] > 0.9
    assert abs(b[near] - ratio[near]).mean() < 0.5 * abs(ratio[near] - 1).mean()
    for f in (np.sin, np.square):  # to a third of what no weights miss
        assert abs(np.average(f(new), weights=b) - f(target).mean()) < 0.33 * abs(f(new).mean() - f(target).mean())
    assert b.min() >= 0
    assert b.max() <= 10


def test_weights_of_new_points_follow_a_new_fit():
    shift = CovariateShift(Gaussian(1.0)).fit(X, Z)
    before = shift.weights(X[:5])
    np.testing.assert_array_equal(pickle.loads(pickle.dumps(shift)).weights(X[:5]), before)
    assert not np.allclose(shift.fit(X, -Z).weights(X[:5]), before)
    np.testing.assert_allclose(CovariateShift(Gaussian(1.0)).fit(X, X).weights(Z), 1, atol=1e-3)  # nothing has shifted
    with pytest.raises(ValueError, match=naming("Z", "1", "source", "2")):
        shift.weights([[0.0]])
    with pytest.raises(ValueError, match=naming("CovariateShift", "fit")):
        CovariateShift().weights(Z)
