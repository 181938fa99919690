"""The studies of conditional embeddings and of Bayes' rule, by a second method, and their verdicts."""

import math

import numpy as np
import pytest
from helpers.naming import naming

from explorer import ConditionalEmbedding, Gaussian, GaussianMixture
from explorer.checks import Refusal
from explorer.papers import rules
from explorer.papers.catalogue import ENTRIES
from explorer.papers.entry import Cell
from explorer.papers.evidence import error_slope
from explorer.rng import stream


def test_the_error_is_that_of_the_embeddings_themselves():
    """Distance by distance, as Embeddings; the study uses Gram matrices."""
    rng = stream(5, "pairs")
    X, at = rng.normal(size=(30, 1)), stream(5, "places").normal(size=(rules.PLACES, 1))
    Y = np.sin(2 * X) + rules.NOISE * rng.normal(size=(30, 1))
    k = Gaussian(0.5)
    for name, lam in ((rules.OPERATOR, math.sqrt(30)), (rules.LETTER, 1 / math.sqrt(30)), (rules.CHOSEN, None)):
        C = ConditionalEmbedding(k, k, lam).fit(X, Y)
        truth = (GaussianMixture([1.0], [[math.sin(2 * x)]], rules.NOISE**2).embed(k) for x in at[:, 0])
        squares = [C.embed(x).distance(law) ** 2 for x, law in zip(at, truth, strict=True)]
        assert rules.conditional(30, 5)[name] == pytest.approx(math.sqrt(np.mean(squares)), rel=1e-9)


def test_the_exact_posterior_is_that_of_densities():
    """Bayes' theorem on a fine grid."""
    y = np.linspace(-4, 4, 20001)
    density = np.exp(-((y - rules.PRIOR) ** 2) / (2 * rules.SPREAD**2) - (rules.SEEN - y) ** 2 / (2 * rules.NOISE**2))
    density /= density.sum()
    mean = density @ y
    variance = 1 / (rules.SPREAD**-2 + rules.NOISE**-2)
    assert variance * (rules.PRIOR / rules.SPREAD**2 + rules.SEEN / rules.NOISE**2) == pytest.approx(mean, abs=1e-9)
    assert variance == pytest.approx(density @ (y - mean) ** 2, rel=1e-6)


def test_a_slope_is_that_of_the_errors():
    cells = [Cell({"n": n}, {"x": n**-0.5 * np.array([1.0, 2.0, 3.0])}) for n in (10, 40, 90)]
    (case,) = error_slope("x").cases(cells)
    effect = case.effect(0.95)
    assert (effect.value, effect.low, effect.high) == pytest.approx((-0.5, -0.5, -0.5))


@pytest.mark.parametrize("name", ["article-conditional", "article-rules"])
def test_the_verdicts_follow_the_cells(name):
    """On cells with made-up errors, claims of falling errors hold if the errors fall, and fail if they grow."""
    entry = ENTRIES[name]
    rng, sizes = np.random.default_rng(0), (50, 100, 200)
    noise = {n: 1 + 0.01 * rng.normal(size=(len(entry.lines), 20)) for n in sizes}
    for power in (-0.4, 0.4):
        found = [
            Cell({"n": n}, dict(zip(entry.lines, n**power * noise[n] * [[3.0], [2.0], [1.0]], strict=True)))
            for n in sizes
        ]
        falling = {claim: claim.finding(found).word for claim in entry.claims if "falls" in claim.says}
        assert falling
        for claim, word in falling.items():
            contrary = "not seen up to n = 200" if claim.endless else "fails"
            assert word == ("holds" if power < 0 else contrary)


def test_both_studies_refuse_one_pair():
    for study in (rules.conditional, rules.rules):
        with pytest.raises(Refusal, match=naming("n", "2")):
            study(1)


def test_the_printed_rule_is_worse_the_more_is_seen():
    small, large = ([rules.rules(n, seed) for seed in range(8)] for n in (40, 160))
    means = {name: [np.mean([each[name] for each in some]) for some in (small, large)] for name in rules.rules(40)}
    assert means[rules.BAYES][1] < means[rules.BAYES][0]
    assert means[rules.AS_PRINTED][1] > means[rules.AS_PRINTED][0] > 1
