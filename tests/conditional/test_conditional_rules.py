"""The sum, chain and Bayes' rules: probability tables, operators in six coordinates, and a Gaussian model."""

import pickle

import numpy as np
import pytest
from helpers.naming import naming
from probability_tables import exact_pairs

from explorer import (
    KME,
    Delta,
    Embedding,
    Gaussian,
    GaussianMixture,
    KernelBayesRule,
    Polynomial,
    bayes_rule,
    chain_rule,
    sum_rule,
)
from explorer.checks import Refusal

COUNTS = np.array([[4, 1, 3], [1, 6, 2], [5, 2, 1], [0, 3, 4]])  # counts of x (4 values) and y (3 values)
PRIOR = np.array([0.2, 0.5, 0.3])
TINY = 1e-10


def discrete():
    X, Y = exact_pairs(COUNTS)
    return X, Y, Embedding(Delta(), [[0.0], [1.0], [2.0]], PRIOR)


LIKELIHOOD = COUNTS / COUNTS.sum(axis=0)  # P(x | y)


def test_the_sum_rule_of_categories_is_the_table():
    X, Y, prior = discrete()
    q = sum_rule(X, Y, prior, Delta(), Delta(), TINY)
    assert q([0, 1, 2, 3]) == pytest.approx(LIKELIHOOD @ PRIOR, abs=1e-9)


def test_the_chain_rule_of_categories_is_the_table():
    X, Y, prior = discrete()
    weights = chain_rule(X, Y, prior, Delta(), Delta(), TINY)
    table = np.array([weights[X == x].sum(axis=0) for x in range(4)])
    assert table == pytest.approx(LIKELIHOOD * PRIOR, abs=1e-9)


@pytest.mark.parametrize("x", range(4))
def test_bayes_rule_of_categories_is_the_table(x):
    X, Y, prior = discrete()
    joint = LIKELIHOOD[x] * PRIOR
    posterior = bayes_rule(X, Y, prior, x, Delta(), Delta(), TINY, TINY)
    # λ̃ = 1e-10 is small next to Q(x)² of 0.04 and more
    assert posterior([0, 1, 2]) == pytest.approx(joint / joint.sum(), abs=1e-6)
    lam = 0.01
    mass = bayes_rule(X, Y, prior, x, Delta(), Delta(), TINY, lam).weights.sum()
    assert mass == pytest.approx(joint.sum() ** 2 / (joint.sum() ** 2 + lam), abs=1e-6)
    normal = bayes_rule(X, Y, prior, x, Delta(), Delta(), TINY, lam, normalize=True)
    assert normal([0, 1, 2]) == pytest.approx(joint / joint.sum(), abs=1e-6)


def test_the_printed_rule_of_categories_is_another_table():
    X, Y, prior = discrete()
    joint = LIKELIHOOD[1] * PRIOR
    printed = bayes_rule(X, Y, prior, 1, Delta(), Delta(), TINY, 1e-3, printed=True)
    assert np.abs(printed([0, 1, 2]) - joint / joint.sum()).max() > 1


def degree_2(Z):
    a, b = Z.T
    r = np.sqrt(2)
    return np.column_stack([np.ones(len(Z)), r * a, r * b, a**2, b**2, r * a * b])


def plane(n=30, m=12, seed=0):
    """Return pairs in the plane, and a prior of points with weights of both signs."""
    rng = np.random.default_rng(seed)
    Y = rng.normal(size=(n, 2))
    X = Y @ [[1.0, 0.3], [-0.2, 0.8]] + 0.3 * rng.normal(size=(n, 2))
    weights = np.full(m, 1.2 / m)
    weights[0] = -0.2
    return X, Y, Embedding(Polynomial(2), rng.normal(size=(m, 2)) + 0.4, weights)


def test_the_gram_forms_are_the_operators():
    """C_XY = Υ'Λ Φ̃ and so on as 6 x 6 matrices, with the operators' own regularisers."""
    X, Y, prior = plane()
    k, lam, lam_posterior, x = Polynomial(2), 0.3, 0.2, np.array([[0.5, -0.7]])
    P, Q, Qt, alpha, n = degree_2(X), degree_2(Y), degree_2(prior.points), prior.weights, len(X)
    # C_XY C_YY^-1 on μ_π, and (C_XY C_YY^-1 ⊗ 1) on the prior's second moments
    conditional = (P.T @ Q / n) @ np.linalg.inv(Q.T @ Q / n + lam / n * np.eye(6))
    mean = conditional @ (Qt.T @ alpha)
    assert P.T @ sum_rule(X, Y, prior, k, k, lam).weights == pytest.approx(mean, rel=1e-8)
    C_xy = conditional @ (Qt.T * alpha) @ Qt
    weights = chain_rule(X, Y, prior, k, k, lam)
    assert P.T @ weights @ Qt == pytest.approx(C_xy, rel=1e-8, abs=1e-9)
    D = weights.sum(axis=1)
    C_xx = (P.T * D) @ P
    expected = C_xy.T @ np.linalg.inv(C_xx @ C_xx + lam_posterior * np.eye(6)) @ C_xx @ degree_2(x)[0]
    posterior = bayes_rule(X, Y, prior, x, k, k, lam, lam_posterior)
    assert Qt.T @ posterior.weights == pytest.approx(expected, rel=1e-8)
    fitted = KernelBayesRule(k, k, lam, lam_posterior).fit(X, Y, prior)
    assert Qt.T @ fitted.embed(x).weights == pytest.approx(expected, rel=1e-8)
    printed = bayes_rule(X, Y, prior, x, k, k, lam, lam_posterior, printed=True)
    assert np.linalg.norm(Qt.T @ printed.weights - expected) > 0.5 * np.linalg.norm(expected)


def test_row_sums_of_the_chain_rule_are_the_sum_rule():
    X, Y, prior = plane()
    k = Polynomial(2)
    q, weights = sum_rule(X, Y, prior, k, k, 0.1), chain_rule(X, Y, prior, k, k, 0.1)
    assert weights.shape == (30, 12)
    assert weights.sum(axis=1) == pytest.approx(q.weights, abs=1e-12)


def test_a_gaussian_prior_is_taken_by_the_sum_rule_as_a_large_sample_would_be():
    rng = np.random.default_rng(3)
    Y = rng.normal(size=(60, 1))
    X, k = Y + 0.3 * rng.normal(size=(60, 1)), Gaussian(0.8)
    law = GaussianMixture([1.0], [[0.5]], 0.4)
    exact = sum_rule(X, Y, law.embed(k), k, k, 0.1)
    drawn = sum_rule(X, Y, KME(k).embed(law.sample(20_000, rng=1)), k, k, 0.1)
    # 20,000 draws leave an error of 1/141 in the prior's norm, which (G + λ)^-1 magnifies less than tenfold here
    assert exact.distance(drawn) < 0.03


def gaussian_model(n, seed):
    """y ~ N(0, 1), x = y + N(0, 0.3²), and the prior N(0.5, 0.5²), as a sample."""
    rng = np.random.default_rng(seed)
    Y = rng.normal(size=(n, 1))
    return Y + 0.3 * rng.normal(size=(n, 1)), Y, 0.5 + 0.5 * rng.normal(size=(n, 1))


def posterior_error(n, seed, printed):
    """Return the distance of the posterior mean embedding to the exact one, at x = 0.8, relative to its norm."""
    X, Y, prior = gaussian_model(n, seed)
    k = Gaussian(0.7)
    variance = 1 / (1 / 0.25 + 1 / 0.09)
    exact = GaussianMixture([1.0], [[variance * (0.5 / 0.25 + 0.8 / 0.09)]], variance).embed(k)
    lam, lam_posterior = n**0.5 / 100, 36 / n**2  # the operators' λ fall as 1/sqrt(n) and faster
    posterior = bayes_rule(X, Y, KME(k).embed(prior), 0.8, k, k, lam, lam_posterior, printed=printed)
    return posterior.distance(exact) / exact.norm()


def test_bayes_rule_tends_to_the_exact_posterior_and_the_printed_one_does_not():
    errors = {
        printed: [np.median([posterior_error(n, seed, printed) for seed in range(6)]) for n in (60, 400)]
        for printed in (False, True)
    }
    assert errors[False][1] < 0.7 * errors[False][0]
    assert errors[False][1] < 0.1
    assert errors[True][1] > errors[True][0] > 1


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Polynomial(2)], ids=repr)
def test_the_fitted_rule_gives_bayes_rule_for_every_x(kernel):
    X, Y, prior = gaussian_model(50, 0)
    prior = KME(kernel).embed(prior)
    fitted = KernelBayesRule(kernel, kernel, 0.2, 1e-3).fit(X, Y, prior)
    for x in (-1.0, 0.3, 2.5):
        for normalize in (False, True):
            one = bayes_rule(X, Y, prior, x, kernel, kernel, 0.2, 1e-3, normalize)
            # two factorisations at a condition of some 1e6
            assert fitted.embed(x, normalize).weights == pytest.approx(one.weights, abs=1e-8)


def test_negative_weights_of_the_sum_rule_are_kept():
    X, Y, prior = plane()
    k = Polynomial(2)
    assert (sum_rule(X, Y, prior, k, k, 0.01).weights < 0).any()


def test_a_fitted_rule_pickles():
    X, Y, prior = discrete()
    rule = KernelBayesRule(Delta(), Delta(), TINY, TINY).fit(X, Y, prior)
    assert np.array_equal(pickle.loads(pickle.dumps(rule)).embed(2).weights, rule.embed(2).weights)


def test_an_unseen_symbol_has_zero_weights_and_no_normalised_ones():
    X, Y, prior = discrete()
    assert bayes_rule(X, Y, prior, 9, Delta(), Delta(), 0.1, 0.1).weights == pytest.approx(np.zeros(3), abs=0)
    rule = KernelBayesRule(Delta(), Delta(), 0.1, 0.1).fit(X, Y, prior)
    assert rule.embed(9).weights == pytest.approx(np.zeros(3), abs=0)
    for act in (
        lambda: rule.embed(9, normalize=True),
        lambda: bayes_rule(X, Y, prior, 9, Delta(), Delta(), 0.1, 0.1, normalize=True),
    ):
        with pytest.raises(Refusal, match=naming("posterior", "sample")):
            act()


k = Gaussian(1.0)
REFUSED = {
    "another kernel": (lambda X, Y, p: sum_rule(X, Y, KME(Gaussian(2.0)).embed(p), k, k, 0.1), ("prior",)),
    "another width": (
        lambda X, Y, p: sum_rule(X, Y, KME(k).embed(np.column_stack([p, p])), k, k, 0.1),
        ("prior", "2", "Y", "1"),
    ),
    "a sample for a prior": (lambda X, Y, p: sum_rule(X, Y, p, k, k, 0.1), ("Embedding",)),
    "no lam": (lambda X, Y, p: sum_rule(X, Y, KME(k).embed(p), k, k, 0.0), ("lam", "0")),
    "a lam below 0": (lambda X, Y, p: chain_rule(X, Y, KME(k).embed(p), k, k, -1), ("lam", "0")),
    "an infinite lam": (lambda X, Y, p: bayes_rule(X, Y, KME(k).embed(p), 0, k, k, 1.0, np.inf), ("lam_posterior",)),
    "a truth value": (lambda X, Y, p: chain_rule(X, Y, KME(k).embed(p), k, k, True), ("lam", "number")),
    "other lengths": (lambda X, Y, p: chain_rule(X[1:], Y, KME(k).embed(p), k, k, 0.1), ("X", "Y", "19", "20")),
    "a covariance": (
        lambda X, Y, p: chain_rule(X, Y, GaussianMixture([1.0], [[0.0]], 1.0).embed(k), k, k, 0.1),
        ("sample",),
    ),
    "a covariance for the fitted rule": (
        lambda X, Y, p: KernelBayesRule(k, k, 0.1, 0.1).fit(X, Y, GaussianMixture([1.0], [[0.0]], 1.0).embed(k)),
        ("sample",),
    ),
    "two x": (lambda X, Y, p: bayes_rule(X, Y, KME(k).embed(p), [0, 1], k, k, 0.1, 0.1), ("2 points", "one")),
    "not fitted": (lambda X, Y, p: KernelBayesRule(k, k, 0.1, 0.1).embed(0.0), ("fit(X, Y, prior)",)),
    "a rule's lam": (lambda X, Y, p: KernelBayesRule(k, k, 0.1, 0), ("KernelBayesRule.lam_posterior", "0")),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    act, parts = REFUSED[case]
    with pytest.raises(Refusal, match=naming(*parts)):
        act(*gaussian_model(20, 0))
