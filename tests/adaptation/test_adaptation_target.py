"""Target shift: the quadratic programme of class proportions, planted proportions, numbers, edges, sentences."""

import pickle

import numpy as np
import pytest
from helpers.naming import naming, one_sentence_names
from scipy.optimize import minimize

from explorer import Delta, Gaussian, Laplacian, TargetShift
from explorer.adaptation.inputs import label_kernel
from explorer.checks import ExplorerWarning

MEANS = np.array([[-1.5, 0.0], [1.5, 0.5], [0.0, 2.0]])


def mixture(shares, n, seed):
    """n points of three clusters of these shares, and their labels."""
    rng = np.random.default_rng(seed)
    y = rng.choice(3, size=n, p=shares)
    return MEANS[y] + 0.8 * rng.normal(size=(n, 2)), y


X, Y = mixture([0.5, 0.3, 0.2], 150, 0)
TARGET, HIDDEN = mixture([0.1, 0.3, 0.6], 200, 1)


def proportions(kernel, X, y, target, bound):
    """min |Σ_c π_c μ_c - μ_target|² over shares π of sum one, at most `bound` times the source's: by SLSQP."""
    values, counts = np.unique(y, return_counts=True)
    member = (np.asarray(y)[:, None] == values) / counts
    G, h = member.T @ kernel(X) @ member, member.T @ kernel(X, target).mean(axis=1)
    most = np.minimum(bound * counts / len(y), 1.0)
    found = minimize(lambda p: p @ G @ p - 2 * h @ p, counts / len(y), jac=lambda p: 2 * (G @ p - h), method="SLSQP",
                     bounds=[(0, each) for each in most], options={"ftol": 1e-15, "maxiter": 1000},
                     constraints=[{"type": "eq", "fun": lambda p: p.sum() - 1, "jac": np.ones_like}])  # fmt: skip
    return found.x


@pytest.mark.parametrize("bound", [1.2, 2.0, 10.0])
@pytest.mark.parametrize("kernel", [Gaussian(1.0), Gaussian(0.3), Laplacian(2.0)])
def test_classes_give_the_programme_of_their_proportions(kernel, bound):
    shift = TargetShift(kernel, Delta(), bound=bound).fit(X, Y, TARGET)
    expected = proportions(kernel, X, Y, TARGET, bound)
    np.testing.assert_allclose(shift.proportions_, expected, atol=1e-4)
    np.testing.assert_allclose(shift.weights_, (expected * 150 / np.bincount(Y))[Y], atol=1e-3)


def test_planted_proportions_are_found():
    """Within what 150 and 200 points allow: three standard errors of a share are some 0.1."""
    shift = TargetShift(Gaussian(1.0)).fit(X, Y, TARGET)
    np.testing.assert_allclose(shift.proportions_, [0.1, 0.3, 0.6], atol=0.1)
    known = np.bincount(HIDDEN) / 200
    np.testing.assert_allclose(shift.proportions_, known, atol=0.07)


def test_what_it_learns():
    shift = TargetShift(Gaussian(1.0)).fit(X, [["a", "b", "c"][k] for k in Y], TARGET)
    assert shift.kernel_y_ == Delta()
    assert shift.classes_.tolist() == ["a", "b", "c"]
    assert shift.proportions_.sum() == pytest.approx(1, abs=1e-12)
    assert shift.weights_.mean() == pytest.approx(1, abs=1e-14)
    assert shift.weights_.min() >= 0
    # Ω of classes is n_c / (n_c + λ), next to one
    np.testing.assert_allclose(shift.identified_weights_, shift.weights_, rtol=1e-6)
    assert one_sentence_names(shift._repr_html_(), "target", "a", "b", "c")
    again = pickle.loads(pickle.dumps(shift))
    np.testing.assert_array_equal(again.weights_, shift.weights_)


def test_the_identified_weights_are_omega_b_and_b_is_least():
    """Ω by its definition in n dimensions; no other weights that sum to n are nearer, near and far ones tried."""
    rng = np.random.default_rng(3)
    y = rng.normal(size=60)
    x, target = y + 0.3 * rng.normal(size=60), 1.0 + 0.5 * rng.normal(size=50)
    kx, ky = Gaussian(0.7), Gaussian(1.0)
    shift = TargetShift(kx, ky, lam=0.1, bound=4.0).fit(x, y, target)
    L = ky(y)
    omega = np.linalg.solve(L + 0.1 * np.eye(60), L)
    np.testing.assert_allclose(shift.identified_weights_, omega @ shift.weights_, atol=1e-9)

    def value(b):
        w = omega @ b
        return w @ kx(x) @ w / 60**2 - 2 * (kx(target, x) @ w).sum() / (60 * 50)

    least = value(shift.weights_)
    for size in np.geomspace(1e-3, 3, 300):
        b = shift.weights_ + size * rng.normal(size=60)
        for _ in range(100):  # into the box and onto the sum
            b = np.clip(b + 1 - b.mean(), 0, 4)
        if abs(b.mean() - 1) < 1e-12:
            assert value(b) >= least - 1e-12


def test_numbers_are_reweighted_by_what_is_identified():
    """y ~ N(0, 1) in the source and N(0.7, 0.6²) in the target: Ωb follows the ratio of densities, b hardly does."""
    rng = np.random.default_rng(4)
    y, hidden = rng.normal(size=300), 0.7 + 0.6 * rng.normal(size=300)
    x, target = (v + 0.3 * rng.normal(size=300) for v in (y, hidden))
    shift = TargetShift(Gaussian(0.5), Gaussian(1.0)).fit(x, y, target)
    ratio = np.exp(-0.5 * ((y - 0.7) / 0.6) ** 2 + 0.5 * y**2) / 0.6
    identified = np.maximum(shift.identified_weights_, 0)
    assert np.corrcoef(identified, ratio)[0, 1] > 0.7
    assert np.corrcoef(identified, ratio)[0, 1] > np.corrcoef(shift.weights_, ratio)[0, 1]
    assert shift.weights_.mean() == pytest.approx(1, abs=1e-13)
    assert not hasattr(shift, "classes_")


def test_a_refit_on_numbers_forgets_the_classes():
    shift = TargetShift(Gaussian(1.0)).fit(X, Y, TARGET)
    assert not hasattr(shift.fit(X, X[:, 0], TARGET), "classes_")


@pytest.mark.parametrize(
    ("y", "delta"),
    [
        (["a", "b"], True),
        ([True, False, True], True),
        ([0, 1, 1], True),
        ([1.0, 2.0, 2.0], True),
        ([0.5, 1.0, 1.0], False),
        (list(range(20)), False),
        (list(range(13)) * 2, False),
        (list(range(12)) * 2, True),
    ],
)
def test_which_labels_are_classes(y, delta):
    assert (label_kernel(y) == Delta()) is delta


def test_names_and_order_of_the_classes_do_not_matter():
    order = np.random.default_rng(5).permutation(150)
    one = TargetShift(Gaussian(1.0)).fit(X, Y, TARGET).weights_
    other = TargetShift(Gaussian(1.0)).fit(X[order], np.array(["z", "m", "a"])[Y[order]], TARGET).weights_
    np.testing.assert_allclose(other, one[order], atol=1e-6)


def test_one_class_has_equal_weights_and_a_warning():
    with pytest.warns(ExplorerWarning, match="y"):
        shift = TargetShift(Gaussian(1.0)).fit(X[Y == 0], np.zeros((Y == 0).sum()), X[Y == 0] + 0.1)
    np.testing.assert_array_equal(shift.weights_, 1.0)


def test_a_class_of_one_point_is_a_class():
    shift = TargetShift(Gaussian(1.0), bound=100.0).fit(X[:41], [*(["a"] * 40), "b"], TARGET)
    assert shift.proportions_.shape == (2,)
    assert shift.weights_.mean() == pytest.approx(1, abs=1e-13)


def test_a_bound_of_one_leaves_the_weights_equal():
    np.testing.assert_array_equal(TargetShift(Gaussian(1.0), bound=1.0).fit(X, Y, TARGET).weights_, 1.0)


def test_no_overlap_warns():
    with pytest.warns(ExplorerWarning, match="overlap"):
        TargetShift(Gaussian(1.0)).fit(X, Y, TARGET + 50)


REFUSED = {
    "length": (lambda: TargetShift().fit(X, Y[:5], TARGET), ("X", "150", "y", "5")),
    "none": (lambda: TargetShift().fit(X, None, TARGET), ("y", "None")),
    "missing": (lambda: TargetShift().fit(X, np.full(150, np.nan), TARGET), ("y", "150", "NaN")),
    "missing words": (lambda: TargetShift().fit(X[:2], ["a", None], TARGET), ("y", "None")),
    "width": (lambda: TargetShift().fit(X, Y, TARGET[:, :1]), ("X", "2", "X_target", "1")),
    "bound": (lambda: TargetShift(bound=0.9), ("TargetShift.bound", "1")),
    "lam": (lambda: TargetShift(lam=0.0), ("TargetShift.lam", "0")),
    "words for numbers": (lambda: TargetShift(kernel_y=Gaussian(1.0)).fit(X[:2], ["a", "b"], TARGET), ("y",)),
}


@pytest.mark.parametrize(("act", "parts"), REFUSED.values(), ids=REFUSED)
def test_what_is_refused(act, parts):
    with pytest.raises(ValueError, match=naming(*parts)):
        act()
