"""Distribution regression: its normal equations, its objective, refits without a bag, and vector targets."""

import numpy as np
import pandas as pd
import pytest

from explorer import FKMSE, DistributionRegression, Gaussian, LevelTwo, Linear, bag_gram

RNG = np.random.default_rng(0)
SCALES = np.linspace(0.5, 2.0, 25)
BAGS = [s * RNG.normal(size=(15 + i % 4, 2)) for i, s in enumerate(SCALES)]
Y = np.column_stack([np.log(SCALES), SCALES**2 + 0.05 * RNG.normal(size=25)])
TESTS = [s * RNG.normal(size=(12, 2)) for s in (0.7, 1.1, 1.9)]
KINDS = ["linear", "gaussian", "exponential", "cauchy", "generalized-t", "inverse-multiquadric"]


def gram(level_two=None, samples=BAGS):
    G = bag_gram(samples, Gaussian(1.0))
    return G if level_two is None else level_two(G, G.diagonal())


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("y", [Y[:, 0], Y], ids=["numbers", "vectors"])
def test_the_coefficients_solve_the_normal_equations(kind, y):
    fit = DistributionRegression(Gaussian(1.0), LevelTwo(kind), lam=1e-3).fit(BAGS, y)
    G = gram(fit.level_two_)
    np.testing.assert_allclose((G + 1e-3 * 25 * np.eye(25)) @ fit.coef_, y, atol=1e-9)
    np.testing.assert_allclose(fit.predict(BAGS), G @ fit.coef_, atol=1e-8)
    assert fit.predict(TESTS).shape == (3, *y.shape[1:])


def test_the_coefficients_minimise_the_objective():
    """(1/l)|Gc - y|² + λ c'Gc: every step away is worse, by the square of its size in the objective's own form."""
    lam, y = 0.01, Y[:, 0]
    c, G = DistributionRegression(Gaussian(1.0), lam=lam).fit(BAGS, y).coef_, gram()

    def objective(c):
        return np.mean((G @ c - y) ** 2) + lam * c @ G @ c

    for step in RNG.normal(size=(20, 25)) * 1e-2:
        curvature = np.mean((G @ step) ** 2) + lam * step @ G @ step
        assert objective(c + step) - objective(c) == pytest.approx(curvature, rel=1e-6)


def test_without_the_number_of_bags_it_is_not_the_minimum():
    """The article prints [G + λ l]^-1 (erratum E-11); λI alone, without l, is another regression."""
    lam, y, G = 0.01, Y[:, 0], gram()
    c = DistributionRegression(Gaussian(1.0), lam=lam).fit(BAGS, y).coef_
    without = np.linalg.solve(G + lam * np.eye(25), y)

    def objective(c):
        return np.mean((G @ c - y) ** 2) + lam * c @ G @ c

    assert objective(c) < objective(without) - 1e-6


@pytest.mark.parametrize("y", [Y[:, 0], Y], ids=["numbers", "vectors"])
@pytest.mark.parametrize("kind", ["linear", "gaussian"])
def test_leave_one_out_is_that_of_refits(kind, y):
    """At the fixed ridge λ l, with the bandwidth and the scale of all bags."""
    model = DistributionRegression(Gaussian(1.0), LevelTwo(kind))
    fitted = model.replace(lam=1.0).fit(BAGS, y)
    G, lams = gram(fitted.level_two_), np.array([1e-6, 1e-3, 1.0])
    expected = []
    for lam in lams:
        squares = []
        for i in range(25):
            rest = np.delete(np.arange(25), i)
            c = np.linalg.solve(G[np.ix_(rest, rest)] + lam * 25 * np.eye(24), y[rest])
            squares.append(np.sum((y[i] - G[i, rest] @ c) ** 2))
        expected.append(np.mean(squares))
    np.testing.assert_allclose(model.loocv(BAGS, y, lams), expected, rtol=1e-6)


@pytest.mark.parametrize("y", [Y[:, 0], Y], ids=["numbers", "vectors"])
def test_what_is_predicted_of_a_bag_that_is_left_out(y):
    model = DistributionRegression(Gaussian(1.0), LevelTwo("gaussian"))
    lam = model.replace().fit(BAGS, y).lam_
    errors = (y - model.left_out(BAGS, y)) ** 2
    assert model.loocv(BAGS, y, [lam])[0] == pytest.approx(errors.sum() / 25, rel=1e-9)


def test_lam_is_of_least_leave_one_out_score():
    model = DistributionRegression(Gaussian(1.0), LevelTwo("gaussian"))
    fit = model.fit(BAGS, Y)
    grid = np.geomspace(1e-12, 1e2, 300)
    assert model.loocv(BAGS, Y, [fit.lam_])[0] <= model.loocv(BAGS, Y, grid).min() * (1 + 1e-9)
    np.testing.assert_allclose(model.replace(lam=fit.lam_).fit(BAGS, Y).coef_, fit.coef_, rtol=1e-9)


def test_a_linear_function_of_the_kernel_mean_is_found():
    """Under the linear kernel the kernel mean is the mean, and y a linear function of it: no error but the ridge's."""
    means = np.array([bag.mean(axis=0) for bag in BAGS])
    y = means @ [2.0, -1.0]
    fit = DistributionRegression(Linear(), lam=1e-10).fit(BAGS, y)
    np.testing.assert_allclose(fit.predict(TESTS), [bag.mean(axis=0) @ [2.0, -1.0] for bag in TESTS], rtol=1e-5)
    assert fit.score(TESTS, [bag.mean(axis=0) @ [2.0, -1.0] for bag in TESTS]) == pytest.approx(1)


def test_vector_targets_are_as_many_regressions():
    model = DistributionRegression(Gaussian(1.0), lam=1e-3)
    both = model.fit(BAGS, Y).predict(TESTS)
    np.testing.assert_allclose(both, np.column_stack([model.replace().fit(BAGS, y).predict(TESTS) for y in Y.T]))
    scores = [model.replace().fit(BAGS, y).score(BAGS, y) for y in Y.T]
    assert model.score(BAGS, Y) == pytest.approx(np.mean(scores))


@pytest.mark.parametrize("unit", [1e-150, 1e150])
def test_units_of_the_target(unit):
    model = DistributionRegression(Gaussian(1.0), lam=1e-3)
    np.testing.assert_allclose(
        model.fit(BAGS, unit * Y).predict(TESTS), unit * model.replace().fit(BAGS, Y).predict(TESTS), rtol=1e-9
    )


@pytest.mark.parametrize("unit", [1e-100, 1e100, 1e153])
def test_units_of_the_points(unit):
    """Under the linear kernel λ counts in their square: up to 1e306."""
    y = np.array([bag.mean() for bag in BAGS])
    fits = [DistributionRegression(Linear()).fit([u * bag for bag in BAGS], y) for u in (1.0, unit)]
    np.testing.assert_allclose(fits[1].predict([unit * bag for bag in TESTS]), fits[0].predict(TESTS), rtol=1e-4)


def test_a_singular_gram_matrix():
    twice = [*BAGS[:5], *BAGS[:5]]
    y = np.tile(Y[:5, 0], 2)
    fit = DistributionRegression(Gaussian(1.0), lam=1e-12, estimator=FKMSE()).fit(twice, y)
    np.testing.assert_allclose(fit.coef_[:5], fit.coef_[5:], rtol=1e-3)
    np.testing.assert_allclose(fit.predict(BAGS[:5]), y[:5], rtol=1e-4)


@pytest.mark.parametrize("lam", [[0.0], [-1.0], [[1.0]], [np.inf]])
def test_a_lam_that_is_none(lam):
    with pytest.raises(ValueError, match="values"):
        DistributionRegression(Gaussian(1.0)).loocv(BAGS, Y, lam)


def test_one_bag():
    assert DistributionRegression(Gaussian(1.0), lam=1.0).fit(BAGS[:1], [2.0]).coef_.shape == (1,)
    with pytest.raises(ValueError, match="one bag"):
        DistributionRegression(Gaussian(1.0)).fit(BAGS[:1], [2.0])
    with pytest.raises(ValueError, match="one bag"):
        DistributionRegression(Gaussian(1.0), LevelTwo("gaussian"), lam=1.0).fit(BAGS[:1], [2.0])


def test_what_groups_a_table_is_its_groups_in_order():
    rng = np.random.default_rng(0)
    frame = pd.DataFrame({"who": np.repeat([3, 1, 2], 4), "x": rng.normal(size=12), "z": rng.normal(size=12)})
    groups = frame.groupby("who")[["x", "z"]]
    model = DistributionRegression(Gaussian(1.0))
    new = [rng.normal(size=(5, 2))]
    by_list = model.fit([frame.loc[frame.who == who, ["x", "z"]] for who in (1, 2, 3)], [1.0, 2.0, 3.0]).predict(new)
    np.testing.assert_array_equal(model.fit(groups, [1.0, 2.0, 3.0]).predict(new), by_list)
    with pytest.raises(ValueError, match="2"):
        model.fit(groups, [1.0, 2.0])
