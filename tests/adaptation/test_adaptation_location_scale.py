"""Location-scale shift: planted maps, gradients by differences, erratum E-13, both shifts at once, edges, sentences."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import ConditionalEmbedding, Delta, Embedding, Gaussian, Laplacian, LocationScaleShift
from explorer.adaptation.class_maps import ClassMatch
from explorer.checks import ExplorerWarning


def sample(c, d, n=60, seed=0):
    """n points of each of c classes."""
    rng = np.random.default_rng(seed)
    y = np.repeat(np.arange(c), n)
    middles = 3.0 * np.arange(c)[:, None] * np.array([1.0, -0.5, 0.3])[:d]
    return middles[y] + rng.normal(size=(c * n, d)), y


PLANTED = {
    "the paper's": (2, 1, [[1.5], [0.6]], [[-1.0], [1.0]]),
    "one class": (1, 2, [[1.5, 0.6]], [[-1.0, 1.0]]),
    "two columns": (2, 2, [[1.3, 0.7], [0.8, 1.2]], [[-0.5, 1.0], [0.5, -0.5]]),
    "three classes": (3, 2, [[1.2, 0.9], [0.8, 1.1], [1.1, 1.0]], [[-0.4, 0.3], [0.5, 0.0], [1.0, 0.5]]),
    "nothing": (2, 2, [[1.0, 1.0], [1.0, 1.0]], [[0.0, 0.0], [0.0, 0.0]]),
    "all far away": (2, 1, [[2.0], [2.0]], [[30.0], [30.0]]),
}


@pytest.mark.parametrize(("c", "d", "scale", "shift"), PLANTED.values(), ids=PLANTED)
def test_planted_maps_come_back(c, d, scale, shift):
    """The target is the mapped points themselves, in another order: to three digits after the point."""
    X, y = sample(c, d)
    scale, shift = np.array(scale), np.array(shift)
    target = (X * scale[y] + shift[y])[np.random.default_rng(1).permutation(len(X))]
    fit = LocationScaleShift().fit(X, y, target)
    np.testing.assert_allclose(fit.scale_, scale, atol=5e-4)
    np.testing.assert_allclose(fit.shift_, shift, atol=5e-4 * max(1, np.abs(shift).max()))
    assert fit.distance_ < 1e-4
    np.testing.assert_array_equal(fit.weights_, 1.0)


def test_new_points_of_the_same_maps_give_them_nearly():
    """100 points of each class of a sample of their own: standard errors are some 0.1."""
    X, y = sample(2, 1, 100, seed=2)
    other, z = sample(2, 1, 100, seed=3)
    W, B = np.array([[1.5], [0.6]]), np.array([[-1.0], [1.0]])
    fit = LocationScaleShift().fit(X, y, other * W[z] + B[z])
    np.testing.assert_allclose(fit.scale_, W, atol=0.3)
    np.testing.assert_allclose(fit.shift_, B, atol=0.6)


def test_words_and_order():
    X, y = sample(2, 1)
    target = np.where(y[:, None] == 0, 1.5 * X - 1, 0.6 * X + 1)
    fit = LocationScaleShift().fit(X, np.array(["z", "a"])[y], target)
    assert fit.classes_.tolist() == ["a", "z"]
    np.testing.assert_allclose(fit.scale_.ravel(), [0.6, 1.5], atol=5e-4)
    np.testing.assert_allclose(fit.transform(X, np.array(["z", "a"])[y]), target, atol=5e-3)
    np.testing.assert_allclose(fit.transform(X[:3], ["z"] * 3), 1.5 * X[:3] - 1, atol=5e-3)


def test_both_shifts_at_once():
    """The mapped points, those of one class three times over: maps and proportions come back."""
    X, y = sample(2, 1, 40, seed=4)
    mapped = np.where(y == 0, 1.3 * X[:, 0] - 0.5, 0.7 * X[:, 0] + 1.0)
    target = np.concatenate([mapped, mapped[y == 1], mapped[y == 1]])
    fit = LocationScaleShift(reweight=True).fit(X, y, target)
    np.testing.assert_allclose(fit.proportions_, [0.25, 0.75], atol=5e-4)
    np.testing.assert_allclose(fit.scale_.ravel(), [1.3, 0.7], atol=5e-4)
    np.testing.assert_allclose(fit.shift_.ravel(), [-0.5, 1.0], atol=2e-3)
    assert fit.weights_.mean() == pytest.approx(1, abs=1e-12)
    np.testing.assert_allclose(fit.weights_, (2 * fit.proportions_)[y])
    assert fit.distance_ < LocationScaleShift().fit(X, y, target).distance_ / 2


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("wider", [1.0, 3.0])
def test_gradients_are_finite_differences(free, wider):
    X, y = sample(3, 2, 8)
    rng = np.random.default_rng(5)
    match = ClassMatch(X, y, X[::2] * 1.2 + 0.3, 1.5, free)
    u = match.starts()[0] + 0.2 * rng.normal(size=len(match.starts()[0]))
    ours, h = match(u, wider)[1], 1e-6
    for i in range(len(u) if free else len(u) - 3):
        e = np.eye(len(u))[i]
        difference = (match(u + h * e, wider)[0] - match(u - h * e, wider)[0]) / (2 * h)
        assert ours[i] == pytest.approx(difference, abs=1e-8)  # rounding eps / h, and h²


def test_the_objective_is_the_squared_distance():
    """The library's own, of the mapped points; with proportions, of the weighted ones."""
    X, y = sample(2, 2, 20)
    target = X * 1.2 + 0.5
    match = ClassMatch(X, y, target, 1.5, True)
    u = match.starts()[1] + 0.1
    u[-2:] = [0.0, 1.0]
    maps = match.maps(u)
    mapped = X * maps.scale[y] + maps.shift[y]
    source = Embedding(Gaussian(1.5), mapped, maps.shares[y] / 20)
    mean = Embedding(Gaussian(1.5), target, np.full(40, 1 / 40))
    assert match(u)[0] + mean.norm() ** 2 == pytest.approx(source.distance(mean) ** 2, rel=1e-9)


def test_erratum_e13_the_printed_identity_holds_as_lambda_falls():
    """C_new μ_Y is Σ_i (Ω 1)_i k(x_i, .)/n with Ω = (L + λ)^-1 L: for classes it tends to the plain average."""
    X, y = sample(2, 1, 30)
    target = Embedding(Gaussian(1.0), X + 0.5, np.full(60, 1 / 60))
    plain = Embedding(Gaussian(1.0), X, np.full(60, 1 / 60)).distance(target)
    printed = []
    for lam in (1.0, 1e-3, 1e-6):
        by_label = ConditionalEmbedding(Delta(), Gaussian(1.0), lam).fit(y, X)
        weights = by_label.weights(y).mean(axis=1)
        printed.append(Embedding(Gaussian(1.0), X, weights).distance(target))
    assert abs(printed[0] - plain) > 5e-4
    assert abs(printed[2] - plain) < 1e-6
    assert abs(printed[1] - plain) < abs(printed[0] - plain)


@pytest.mark.parametrize("unit", [1e-100, 1e-8, 1e8, 1e100])
def test_units_do_not_matter(unit):
    X, y = sample(2, 2)
    W, B = np.array([[1.3, 0.7], [0.8, 1.2]]), np.array([[-0.5, 1.0], [0.5, -0.5]])
    fit = LocationScaleShift().fit(unit * X, y, unit * (X * W[y] + B[y]))
    np.testing.assert_allclose(fit.scale_, W, atol=1e-3)
    np.testing.assert_allclose(fit.shift_ / unit, B, atol=1e-3)


def test_a_column_that_does_not_vary_is_moved_alone():
    X, y = sample(2, 1)
    X = np.column_stack([X, y * 1.0])
    with pytest.warns(ExplorerWarning, match=naming("column 2", "X", "class 0")):
        fit = LocationScaleShift(Gaussian(1.0)).fit(X, y, X + 0.5)
    np.testing.assert_array_equal(fit.scale_[:, 1], 1.0)
    np.testing.assert_allclose(fit.shift_, 0.5, atol=1e-3)


def test_no_overlap_warns():
    """Two classes, and a target of three clumps: no maps of two make it."""
    rng = np.random.default_rng(6)
    X, y = np.concatenate([0.01 * rng.normal(size=(20, 1)), 0.01 * rng.normal(size=(20, 1))]), np.repeat([0, 1], 20)
    target = np.repeat([-50.0, -10.0, 30.0, 90.0, 200.0, 420.0, 900.0], 6)
    with pytest.warns(ExplorerWarning, match="scale"):
        LocationScaleShift(Gaussian(0.05)).fit(X, y, target)


X, Y = sample(2, 1, 10)
REFUSED = {
    "length": (lambda: LocationScaleShift().fit(X, Y[:5], X), ("X", "20", "y", "5")),
    "none": (lambda: LocationScaleShift().fit(X, None, X), ("y", "None")),
    "one point": (lambda: LocationScaleShift().fit(X, [0] * 19 + [1], X), ("class 1", "1 point")),
    "kernel": (lambda: LocationScaleShift(Laplacian(1.0)), ("Gaussian", "Laplacian")),
    "width": (lambda: LocationScaleShift().fit(X, Y, np.ones((5, 2))), ("X", "1", "X_target", "2")),
    "columns": (lambda: LocationScaleShift().fit(X, np.ones((20, 2)), X), ("y", "2 columns")),
    "unfitted": (lambda: LocationScaleShift().transform(X, Y), ("LocationScaleShift", "fit")),
    "unknown": (
        lambda: LocationScaleShift(Gaussian(1.0)).fit(X, Y, X).transform(X[:1], [7]),
        ("y", "class 7"),
    ),
}


@pytest.mark.parametrize(("act", "parts"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(act, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        act()
