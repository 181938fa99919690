"""MaximumEntropy: its constraint, its exponential form, and that no density near to the estimate is more even."""

import numpy as np
import pytest
from helpers.naming import naming
from scipy.optimize import minimize

from explorer import FKMSE, KME, MKME, SKMSE, Delta, Embedding, Energy, Gaussian, Laplacian, MaximumEntropy, Polynomial
from explorer.learning import exponential_family
from explorer.learning.grid import grid_of

X = np.random.default_rng(0).normal(size=40)
GRID = np.linspace(-5, 5, 81)
KERNELS = {"gaussian": Gaussian(1.0), "narrow": Gaussian(0.1), "laplacian": Laplacian(1.0), "energy": Energy(),
           "polynomial": Polynomial(2)}  # fmt: skip
every_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


def entropy(p, cell):
    return -np.sum(p * cell * np.log(np.where(p > 0, p, 1.0)))


@every_kernel
@pytest.mark.parametrize("eps", [0.3, 0.1, 0.06])
def test_it_meets_its_constraint_and_has_its_form(kernel, eps):
    fit = MaximumEntropy(kernel, eps).fit(X, GRID)
    cell = GRID[1] - GRID[0]
    assert fit.cell_ == pytest.approx(cell)
    assert fit.density_.sum() * fit.cell_ == pytest.approx(1, rel=1e-12)
    # the distance by the library's inner products, apart from the features that found it
    mean = Embedding(kernel, GRID, fit.density_ * cell)
    distance = KME(kernel).embed(X).distance(mean)
    assert distance <= eps * (1 + 1e-12)
    assert fit.distance_ == pytest.approx(distance, rel=1e-6)
    if fit.multiplier_ > 0:  # an active constraint is met with equality, up to the share that keeps it from below
        assert distance == pytest.approx(eps, rel=1e-6)
    assert fit.entropy_ == pytest.approx(entropy(fit.density_, cell), rel=1e-12)
    # log p = Σ a_j k(g_j, .) - log Z, with the coefficients t times those of μ̂ - μ_p
    logs = fit.coefficients_ @ kernel(fit.points_, GRID[:, None]) - fit.log_normaliser_
    np.testing.assert_allclose(logs, np.log(fit.density_), atol=1e-6)  # as far as Newton's method goes
    np.testing.assert_allclose(fit.function_(GRID), logs + fit.log_normaliser_, atol=1e-9)
    np.testing.assert_allclose(fit.logpdf(GRID), np.log(fit.density_), rtol=1e-12)


@every_kernel
def test_the_entropy_grows_with_eps_up_to_that_of_the_even_density(kernel):
    found = [MaximumEntropy(kernel, eps).fit(X, GRID).entropy_ for eps in (0.06, 0.1, 0.2, 0.3, 50.0)]
    assert (np.diff(found) >= 0).all()
    assert found[0] < found[1]
    even = MaximumEntropy(kernel, 50.0).fit(X, GRID)
    assert even.entropy_ == pytest.approx(np.log(len(GRID) * even.cell_), rel=1e-12)  # log of the grid's length
    assert even.multiplier_ == 0


def test_another_optimiser_finds_no_density_that_is_more_even():
    """SLSQP on the primal problem, over the probabilities themselves, on a small grid."""
    grid, kernel, eps = np.linspace(-4, 4, 13), Gaussian(1.0), 0.08
    fit = MaximumEntropy(kernel, eps).fit(X, grid)
    K, b = kernel(grid), KME(kernel).embed(X)(grid)
    square = KME(kernel).embed(X).norm() ** 2
    found = minimize(
        lambda p: np.sum(p * np.log(p)),
        np.full(13, 1 / 13),
        jac=lambda p: np.log(p) + 1,
        bounds=[(1e-12, 1)] * 13,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "ineq", "fun": lambda p: 100 * (eps**2 - (p @ K @ p - 2 * p @ b + square))},
        ],
        method="SLSQP",
        options={"ftol": 1e-12, "maxiter": 500},
    )
    assert found.success
    np.testing.assert_allclose(fit.density_ * fit.cell_, found.x, atol=1e-4)  # SLSQP's own precision
    assert fit.entropy_ == pytest.approx(-found.fun + np.log(fit.cell_), abs=1e-6)


def test_two_moments_give_the_discrete_normal():
    """Under a quadratic kernel and a small eps it is the even density that is tilted by a quadratic function."""
    fit = MaximumEntropy(Polynomial(2), 1e-4).fit(X, GRID)
    logs = np.log(fit.density_)
    quadratic = np.polyfit(GRID, logs, 2)
    np.testing.assert_allclose(np.polyval(quadratic, GRID), logs, atol=1e-6)
    p = fit.density_ * fit.cell_
    assert p @ GRID == pytest.approx(X.mean(), abs=1e-3)
    assert p @ GRID**2 == pytest.approx((X**2).mean(), abs=1e-3)


@pytest.mark.parametrize("estimator", [SKMSE(), SKMSE(lam=0.2), FKMSE(), MKME()], ids=str)
def test_any_estimate_will_do(estimator):
    fit = MaximumEntropy(Gaussian(1.0), 0.2, estimator).fit(X, GRID)
    mean = Embedding(Gaussian(1.0), GRID, fit.density_ * fit.cell_)
    assert estimator.replace(kernel=Gaussian(1.0)).embed(X).distance(mean) <= 0.2 * (1 + 1e-9)


@pytest.mark.parametrize("dense", [0, 10_000])
def test_both_ways_to_take_a_newton_step_agree(monkeypatch, dense):
    expected = MaximumEntropy(Gaussian(0.3), 0.05).fit(X, GRID).density_
    monkeypatch.setattr(exponential_family, "DENSE", dense)
    np.testing.assert_allclose(MaximumEntropy(Gaussian(0.3), 0.05).fit(X, GRID).density_, expected, atol=1e-7)


def test_two_dimensions():
    rng = np.random.default_rng(1)
    Z = rng.normal(size=(60, 2)) * [1.0, 0.5]
    rows = np.stack(np.meshgrid(np.linspace(-4, 4, 17), np.linspace(-3, 3, 25), indexing="ij"), -1).reshape(-1, 2)
    fit = MaximumEntropy(Gaussian(1.0), 0.05).fit(Z, rows)
    assert fit.cell_ == pytest.approx(0.5 * 0.25)
    assert fit.density_.sum() * fit.cell_ == pytest.approx(1)
    assert KME(Gaussian(1.0)).embed(Z).distance(Embedding(Gaussian(1.0), rows, fit.density_ * fit.cell_)) <= 0.05
    mixed = rng.permutation(len(rows))
    other = MaximumEntropy(Gaussian(1.0), 0.05).fit(Z, rows[mixed])
    np.testing.assert_allclose(other.density_, fit.density_[mixed], atol=1e-8)
    np.testing.assert_allclose(fit.logpdf(rows), np.log(fit.density_), rtol=1e-9)
    np.testing.assert_allclose(other.logpdf(Z), fit.logpdf(Z), atol=1e-6)
    assert np.isneginf(fit.logpdf([[0.0, 9.0], [9.0, 0.0]])).all()


def test_a_plane_between_the_centres_of_cells_in_any_order():
    rng = np.random.default_rng(0)
    rows = rng.permutation(np.stack(np.meshgrid(np.arange(3.0), 2 * np.arange(5.0), indexing="ij"), -1).reshape(-1, 2))
    Z = rng.uniform(0, [2, 8], (20, 2))
    plane = np.array([1.0, -0.3])
    np.testing.assert_allclose(grid_of(rows).interpolate(rows @ plane, Z), Z @ plane, rtol=0, atol=1e-12)


def test_between_and_beyond_the_cells():
    fit = MaximumEntropy(Gaussian(1.0), 0.1).fit(X, GRID)
    logs, step = np.log(fit.density_), GRID[1] - GRID[0]
    between = (GRID[:-1] + GRID[1:]) / 2
    np.testing.assert_allclose(fit.logpdf(between), (logs[:-1] + logs[1:]) / 2, rtol=1e-9)
    ends = fit.logpdf([-5 - 0.49 * step, 5 + 0.49 * step, -5 - 0.51 * step, 6.0])
    np.testing.assert_allclose(ends[:2], logs[[0, -1]], rtol=1e-9)
    assert np.isneginf(ends[2:]).all()


@pytest.mark.parametrize("unit", [1e-8, 1e8])
def test_units_and_places(unit):
    a = MaximumEntropy(Gaussian(1.0), 0.1).fit(X, GRID)
    b = MaximumEntropy(Gaussian(unit), 0.1).fit(unit * X, unit * GRID)
    assert b.entropy_ == pytest.approx(a.entropy_ + np.log(unit), abs=1e-6)
    np.testing.assert_allclose(b.density_ * unit, a.density_, rtol=1e-5, atol=1e-9)
    c = MaximumEntropy(Gaussian(1.0), 0.1).fit(X + 1e6, GRID + 1e6)  # floats near 1e6 are 1e-10 apart
    np.testing.assert_allclose(c.density_, a.density_, atol=1e-6)


@pytest.mark.parametrize("kernel", [Polynomial(2), Energy(), Gaussian(1e4)], ids=str)
def test_kernels_that_lose_their_digits_far_away(kernel):
    """Under increments: a kernel that is nearly constant, or that measures from a zero far from the data."""
    place = 0.0 if isinstance(kernel, Gaussian) else 1e4
    far = np.median(X) + place
    reach = KME(kernel).embed(X + place).distance(Embedding(kernel, [far], [1.0]))
    eps = 0.1 * reach
    fit = MaximumEntropy(kernel, eps).fit(X + place, GRID + place)
    mean = Embedding(kernel, GRID + place, fit.density_ * fit.cell_)
    assert fit.embedding_.distance(mean) == pytest.approx(eps, rel=1e-4)


@pytest.mark.parametrize("shape", [(30,), (30, 2)])
def test_a_grid_of_its_own_covers_the_data(shape):
    Z = np.random.default_rng(0).normal(size=shape)
    fit = MaximumEntropy(None, 0.1).fit(Z)
    assert np.isfinite(fit.logpdf(Z)).all()
    assert len(fit.grid_) == {1: 200, 2: 1600}[fit.grid_.shape[1]]


def test_one_point_and_equal_points_on_a_grid():
    for Z in ([0.5], [1, 1, 1]):
        fit = MaximumEntropy(Gaussian(1.0), 0.2).fit(Z, GRID)
        assert fit.distance_ <= 0.2
        assert abs(GRID[np.argmax(fit.density_)] - np.mean(Z)) <= fit.cell_


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: MaximumEntropy(Gaussian(1.0), 0.0), "above 0"),
        (lambda: MaximumEntropy(Gaussian(1.0), -1.0), "above 0"),
        (lambda: MaximumEntropy(Gaussian(1.0), np.inf), "above 0"),
        (lambda: MaximumEntropy(Gaussian(1.0), "small"), "number"),
        (lambda: MaximumEntropy("rbf", 0.1), "kernel"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1, KME(Gaussian(2.0))), "estimator's kernel"),
        (lambda: MaximumEntropy(Gaussian(0.1), 1e-5).fit(X, np.linspace(-5, 5, 11)), "out of reach"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(X, np.linspace(0, 5, 11)), "outside of the grid"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit([2.0, 2.0]), "same point"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(np.c_[X, np.ones(40)]), naming("2", "X")),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(np.ones((4, 3))), naming("3")),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(X, np.ones((4, 3))), naming("3")),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(np.c_[X, X], GRID), "columns"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(X, [-5.0, 0.0, 6.0]), "evenly spaced"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(X, [0.0]), "fewer than two"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(X, [0.0, 0.0, 1.0]), "every combination"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(np.c_[X, X], [[-5.0, -5.0], [5.0, 5.0]]), "every combination"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(X, np.linspace(-5, 5, 30_000)), naming("20,000")),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit([], GRID), "no rows"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(X, [np.nan, 1.0]), "NaN"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).logpdf([0.0]), "no data yet"),
        (lambda: MaximumEntropy(Gaussian(1.0), 0.1).fit(X, GRID).logpdf([[0.0, 1.0]]), "columns"),
    ],
)
def test_what_cannot_be_is_a_sentence(act, words):
    with pytest.raises((ValueError, TypeError), match=words):
        act()


def test_a_kernel_of_categories_says_that_nothing_is_near():
    with pytest.raises(ValueError, match=naming("eps=0.01", 0.158)):
        MaximumEntropy(Delta(), 0.01).fit(X, GRID)


@pytest.mark.parametrize("dense", [0, 10])
def test_a_newton_step_solves_its_equations(monkeypatch, dense):
    """The Hessian is the covariance of F under p plus the penalty's a I - c c'; the last steps' gradients are small."""
    monkeypatch.setattr(exponential_family, "DENSE", dense)
    rng, dual = np.random.default_rng(0), object.__new__(exponential_family.Dual)
    dual.F, dual.size, p = rng.normal(size=(7, 3)), 1.0, rng.dirichlet(np.ones(7))
    gradient, a, c = 1e-20 * rng.normal(size=3), 2.0, np.array([0.5, -0.3, 0.1])
    H = np.cov(dual.F.T, aweights=p, ddof=0) + a * np.eye(3) - np.outer(c, c)
    np.testing.assert_allclose(dual._newton(p, gradient, a, c), np.linalg.solve(H, gradient), rtol=1e-8)
