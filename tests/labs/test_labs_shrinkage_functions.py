"""The Shrinkage lab's functions, band and oracle, each computed in a second way."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from helpers.naming import names_all, naming, one_sentence_names
from scipy.integrate import quad

from explorer import (
    FKMSE,
    KME,
    SKMSE,
    BayesianKME,
    ConditionalEmbedding,
    Embedding,
    GaussianMixture,
    Linear,
    james_stein_risk,
    oracle_alpha,
    risk,
)
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.functions.values import (
    COVERED,
    DISTANCES,
    oracle_risks,
    risks_at,
    smoothed_density,
    turning_point,
)
from explorer.labs.shrinkage.functions.words import bayes_words, fits_words, oracle_words, values_words

STATES = {
    "RBF": {},
    "exponential": {"kernel": "EXP", "bandwidth": 2.0, "lam": 0.1},
    "a blob": {"target": "blob", "target_at": "[2.5, -1.0]"},
    "another filter": {"filter": "iterated-tikhonov"},
    "linear": {"kernel": "LIN", "source": "gaussian", "d": 3, "mean": 0.4},
    "wine": {"source": "wine", "n": 60},
}


@pytest.mark.parametrize("name", STATES)
def test_what_estimates_say_of_f_is_their_inner_product_with_it(name):
    lab = ShrinkageLab(picture="values", probe=0.7, bayesian=True, **STATES[name])
    result = lab.result()
    values, X, k, row = result.values, result.X, result.kernel, result.row
    f = Embedding(k, values.centre[None], [1.0])
    assert values.average[-1] == pytest.approx(np.mean([f(x[None])[0] for x in X]), rel=1e-12)
    assert values.inner == pytest.approx(values.average[-1], rel=1e-12)
    target = result.blob.law.embed(k) if result.blob else None
    simple = SKMSE(k, result.simple.lams[row], target=target).embed(X)
    assert values.simple[row, -1] == pytest.approx(f.inner(simple), rel=1e-10)
    flexible = result.filtering.estimator.replace(kernel=k, lam=result.flexible.lams[row] * result.scale).embed(X)
    assert values.flexible[row, -1] == pytest.approx(f.inner(flexible), rel=1e-9)
    mean, deviation = BayesianKME(k).posterior(X, values.centre[None])
    assert (values.mean[-1], values.deviation[-1]) == (pytest.approx(mean[0]), pytest.approx(deviation[0], rel=1e-9))
    if result.law is None:
        assert (values.exact, values.covered, result.bayes.loss) == (None, None, None)
        return
    truth = result.law.embed(k)
    assert values.exact[-1] == pytest.approx(f.inner(truth), rel=1e-12)
    losses = [each.embed(X).distance(truth) ** 2 for each in (BayesianKME(k), KME(k))]
    assert result.bayes.loss == pytest.approx(losses[0] / losses[1], rel=1e-8)


def test_the_exact_expectation_is_an_integral_over_the_density():
    result = ShrinkageLab(picture="values", d=1, probe=0.3).result()
    law, (t,) = result.law, result.values.centre

    def integrand(x):
        return math.exp(float(law.logpdf([[x]])[0])) * math.exp(-((x - t) ** 2) / (2 * result.kernel.bandwidth**2))

    assert result.values.exact[-1] == pytest.approx(quad(integrand, -40, 40, limit=200)[0], rel=1e-8)


def test_under_the_exponential_kernel_it_is_the_moment_generating_function():
    lab = ShrinkageLab(picture="values", kernel="EXP", source="gaussian", d=1, mean=0.5, bandwidth=1.6, probe=2.0)
    result = lab.result()
    u = np.append(result.values.at, result.values.centre) / result.kernel.scale
    assert result.values.exact == pytest.approx(np.exp(0.5 * u + u**2 / 2), rel=1e-12)
    assert "moment generating function" in values_words(result)


@pytest.mark.parametrize("d", [1, 4])
def test_under_rbf_it_is_a_weierstrass_transform_of_the_density(d):
    result = ShrinkageLab(picture="values", d=d, bandwidth=1.0, probe=-0.4).result()
    density, factor = smoothed_density(result.law, result.kernel, result.values.centre)
    assert density * factor == pytest.approx(result.values.exact[-1], rel=1e-12)
    assert "Weierstrass" in values_words(result)
    student = ShrinkageLab(picture="values", source="student", df=5.0)
    assert "Weierstrass" not in values_words(student.result())
    assert smoothed_density(student.the_law(), result.kernel, np.zeros(2)) is None


@pytest.mark.parametrize("fields", [{}, {"n": 7, "d": 5, "lam": 0.3}, {"kernel": "POLY2", "lam": 1e-3}])
def test_f_kmse_is_the_average_of_conditional_embeddings(fields):
    result = ShrinkageLab(picture="fits", probe=-0.6, **fields).result()
    X, k, lam, fits = result.X, result.kernel, result.flexible.lams[result.row] * result.scale, result.fits
    weights = ConditionalEmbedding(k, k, lam).fit(X, X).weights(X)
    # two factorisations of K + λI, whose condition λ bounds
    assert FKMSE(k, lam).embed(X).weights == pytest.approx(weights.mean(axis=1), abs=1e-9 * np.abs(weights).max())
    assert fits.predicted[result.row] == pytest.approx(weights.T @ fits.values, rel=1e-8)
    assert fits.flexible[result.row] == pytest.approx(fits.predicted[result.row].mean(), rel=1e-10)
    assert re.search(naming(f"{len(X)} points", "conditional embedding"), fits_words(result))


def test_the_curves_over_the_distance_are_exact_risks():
    d, n, lam = 4, 9, 0.7
    for rho in (0.0, 0.8, 2.5):
        law = GaussianMixture([1.0], [[rho / math.sqrt(n)] * d], [1.0] * d)  # |μ|² = ρ² d / n, and Δ = d / n
        unit = risk(KME(Linear()), law, n)
        exact = risk(SKMSE(Linear(), lam), law, n) / unit
        assert risks_at(np.array([lam]), np.array([rho]))[0, 0] == pytest.approx(exact, rel=1e-12)
        assert oracle_risks(np.array([rho]))[0] == pytest.approx(1 - oracle_alpha(law, Linear(), n), rel=1e-12)
    assert (oracle_risks() < 1).all()
    assert (risks_at(np.geomspace(1e-3, 10, 30))[:, -1] > oracle_risks()[-1]).all()


@pytest.mark.parametrize("lam", [1e-4, 0.5, 30.0])
def test_every_fixed_lam_turns_into_harm(lam):
    rho = turning_point(lam)
    near, at, far = risks_at(np.array([lam]), np.array([0.99 * rho, rho, 1.01 * rho]))[0]
    assert near < 1 < far
    assert at == pytest.approx(1, rel=1e-12)
    assert turning_point(0.0) == math.inf


def test_the_oracle_s_words_have_the_numbers_of_the_state():
    result = ShrinkageLab(picture="oracle", lam=1.0).result()
    exact = 1 - float(sum(part[result.row] for part in result.risk_parts()))
    assert float(risks_at(np.array([1.0]), np.array([result.remoteness]))[0, 0]) == pytest.approx(1 - exact, rel=1e-12)
    assert re.search(naming("S-KMSE", "1.73 times", "RMSE"), oracle_words(result))
    assert "Here the kernel mean lies" not in oracle_words(ShrinkageLab(picture="oracle", source="wine", n=60).result())
    assert names_all(oracle_words(ShrinkageLab(picture="oracle", lam=0.0).result()), "is the plain average")


def test_james_stein_stays_below_one_at_every_distance():
    result = ShrinkageLab(picture="oracle", source="gaussian", kernel="LIN", d=10, mean=0.1).result()
    from explorer.labs.shrinkage.functions.figures import oracle

    drawn = oracle.data(result)["sampled"]["y"]
    assert drawn == pytest.approx([james_stein_risk(10 * rho**2, 10, positive=True) / 10 for rho in DISTANCES])
    assert (drawn < 1).all()


# the posterior


def test_the_evidence_grows_with_the_bandwidth_and_its_words_say_so():
    result = ShrinkageLab(picture="values", bayesian=True).result()
    k, (here, wide) = result.kernel, result.bayes.evidence
    assert here == pytest.approx(BayesianKME(k).log_evidence(result.X), rel=1e-9)
    assert wide == pytest.approx(BayesianKME(k.replace(bandwidth=10 * k.bandwidth)).log_evidence(result.X), rel=1e-9)
    assert wide > here
    assert one_sentence_names(bayes_words(result), "cannot choose", "bandwidth")
    assert ShrinkageLab(bayesian=True, kernel="LIN", source="gaussian").result().bayes.evidence is None
    assert bayes_words(ShrinkageLab().result()) == ""


def test_the_share_that_the_band_has_is_counted():
    result = ShrinkageLab(picture="values", bayesian=True, d=1).result()
    values = result.values
    mean, deviation = BayesianKME(result.kernel).posterior(result.X, values.at[:, None])
    inside = np.abs(mean - result.law.embed(result.kernel)(values.at[:, None])) <= COVERED * deviation
    assert result.covered == pytest.approx(inside.mean())
    assert ShrinkageLab(picture="values").result().covered is None


def test_the_filter_of_the_posterior_is_that_of_its_weights():
    result = ShrinkageLab(bayesian=True).result()
    estimator = BayesianKME(result.kernel).select(result.X)
    assert result.bayes.noise == pytest.approx(estimator.noise, rel=1e-9)
    gamma, n = result.spectrum.gamma, len(result.X)
    assert result.bayes.keeps == pytest.approx(gamma**2 / (gamma**2 + n * estimator.noise), rel=1e-9)
    assert result.bayes.weights == pytest.approx(estimator.embed(result.X).weights, rel=1e-9)
