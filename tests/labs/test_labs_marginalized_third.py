"""The Marginalized lab's third estimate, computed in a second way: embeddings with covariances, and what is given."""

from __future__ import annotations

import math
import re

import numpy as np
import pytest
from helpers.naming import naming

from explorer import KME, Embedding, GaussianMixture
from explorer.checks import Refusal
from explorer.estimators.marginalized.shapes import ellipse, local_shapes
from explorer.labs.marginalized import MarginalizedLab
from explorer.labs.marginalized.lab import ELSEWHERE, ERROR, NARROW
from explorer.labs.marginalized.words import caption, headline
from explorer.markup import text_of

COVARIANCES = {
    "shaped as the data": ({"third": "full"}, lambda lab, X: np.cov(X.T) / np.cov(X.T).trace() * 2),
    "given axes": (
        {"third": "full", "source": "measured", "long": 1.4, "across": 0.2, "tilt": 35.0},
        lambda lab, X: ellipse(1.4, 0.2, 35.0),
    ),
    "the error": (
        {"third": "known", "source": "measured"},
        lambda lab, X: 2 * ellipse(*ERROR) / np.trace(ellipse(*ERROR)),
    ),
    "each point": ({"third": "local", "neighbours": 7}, lambda lab, X: local_shapes(X, 7)),
}


@pytest.mark.parametrize("name", COVARIANCES)
@pytest.mark.parametrize("sigma", [None, 0.3])
def test_the_loss_is_that_of_an_embedding_with_the_covariance(name, sigma):
    fields, made = COVARIANCES[name]
    lab = MarginalizedLab(sigma=sigma, **fields)
    result = lab.result()
    X, k, truth = result.X, result.kernel, result.law.embed(result.kernel)
    s = float(result.third.path.sigmas[result.row]) * result.unit
    estimate = Embedding(k, X, np.full(len(X), 1 / len(X)), s**2 * made(lab, X))
    exact = estimate.distance(truth) ** 2 / KME(k).embed(X).distance(truth) ** 2
    assert result.third_loss == pytest.approx(exact, rel=1e-9)
    assert 1 - result.gain(result.third.path) == pytest.approx(result.third_loss, rel=1e-12)
    assert result.third_estimate is None


def test_the_known_error_is_given_and_not_fitted():
    lab = MarginalizedLab(third="known", source="measured", d=3)
    result = lab.result()
    error = np.diag([0.0, 0.0, ELSEWHERE**2])
    error[:2, :2] = ellipse(*ERROR)
    assert lab.error == pytest.approx(error)
    hills = GaussianMixture.random(3, rng=lab.law_seed)
    assert result.law.covariances == pytest.approx(np.repeat((error + NARROW * np.eye(3))[None], 4, axis=0))
    assert result.law.means.tolist() == hills.means.tolist()
    for seed in (1, 2):
        given = lab.replace(seed=seed).result().third.path.chosen * result.unit
        assert given == pytest.approx(math.sqrt(error.trace() / 3))
    assert "(given, not fitted)" in text_of(headline(result, result.row))
    assert "(given" not in text_of(headline(result, 0))


@pytest.mark.thorough
def test_what_is_known_beats_what_is_fitted_over_samples():
    """The measured gain over 40 samples is 6.7 standard errors; half of it is required.

    It is 0.137 of the plain average's loss.
    """
    lab = MarginalizedLab(third="known", source="measured", n=10)
    beyond = [lab.replace(seed=seed).result().third_beyond for seed in range(40)]
    assert np.mean(beyond) > 3.3 * np.std(beyond) / math.sqrt(len(beyond))


def test_a_table_has_scores_of_a_third_estimate_and_one_coordinate_no_ellipse():
    result = MarginalizedLab(third="full", source="wine", n=40).result()
    assert result.third.path.loss is None
    assert result.third_loss is None
    assert result.third_estimate == pytest.approx(1 - result.gain(result.third.path))
    assert MarginalizedLab(third="full", d=1).result().third.axes is None
    assert MarginalizedLab().result().third is None


def test_its_numbers_are_in_words():
    result = MarginalizedLab(third="full", source="measured", long=1.4, across=0.2, tilt=35.0).result()
    told = text_of(caption(result))
    assert re.search(naming("1.4 and 0.2 σ", "35°"), told)
    assert "full covariance" in told
    assert "third estimate" not in text_of(caption(MarginalizedLab().result()))


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"third": "full", "n": 201}, naming("n", 200, 201)),
        ({"third": "known"}, naming("clusters, measured with error")),
        ({"third": "local", "n": 41}, naming("n", 3, 40, 41)),
        ({"third": "local", "n": 2}, naming("n", 3, 40, 2)),
        ({"third": "local", "d": 21}, naming(20, 21)),
        ({"third": "uniform", "d": 3}, naming("3", "two")),
        ({"tilt": 181.0}, "tilt"),
    ],
    ids=str,
)
def test_what_has_no_third_estimate_is_a_sentence(fields, said):
    with pytest.raises(Refusal, match=said):
        MarginalizedLab(**fields).result()
