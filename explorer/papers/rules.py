"""Conditional embeddings and Bayes' rule, as the article (paper 003) states them: studies of growing samples.

conditional(n, seed=int) is one sample of n pairs, x ~ N(0, 1) and y ~ N(sin 2x, 0.3²). It returns how far the
conditional kernel mean of y is from the true one, which is known exactly, under three choices of λ. rules(n, seed=int)
is one sample of a Gaussian model, y ~ N(0, 1) and x ~ N(y, 0.3²), and a sample of the prior N(0.5, 0.5²). It returns
how far the sum rule's x and the posterior of y at x = 0.8 are from the exact ones, with Bayes' rule in the right order
and as printed.

The article leaves the kernels open, and the two λ of Bayes' rule. Here kernels are Gaussian with fixed bandwidths,
because a bandwidth that changes with the sample would have its own rate. The operators' λ of the rules is
0.01 n^(-1/2), and λ̃ = 36/n².
"""

from __future__ import annotations

import math

import numpy as np

from explorer import checks
from explorer.conditional import ConditionalEmbedding, bayes_rule, sum_rule
from explorer.embeddings import GaussianMixture
from explorer.estimators import KME
from explorer.kernels import Gaussian
from explorer.rng import stream

from .shrinkage import Grid

NOISE, PLACES = 0.3, 40  # sd of y given x, number of x that the error is averaged over
PRIOR, SPREAD, SEEN = 0.5, 0.5, 0.8  # mean and sd of the prior of y, observed x
NARROW, WIDE = Gaussian(0.5), Gaussian(0.7)
OPERATOR, LETTER, CHOSEN = "the operator's n^(-1/2)", "the matrix's n^(-1/2)", "leave-one-out"  # rules for λ
SUM, BAYES, AS_PRINTED = "sum rule", "Bayes' rule", "Bayes' rule, printed"
CONDITIONAL = {
    "fast": (Grid({"n": (25, 50, 100, 200)}, 30),),
    "full": (Grid({"n": (25, 50, 100, 200, 400, 800, 1600)}, 200),),
}
RULES = {
    "fast": (Grid({"n": (50, 100, 200)}, 30),),
    "full": (Grid({"n": (50, 100, 200, 400, 800)}, 200),),
}


def conditional(n: int, seed: int = 0) -> dict[str, float]:
    """Return the root mean square over fresh x of the distance of μ̂_{Y|x} to μ_{Y|x}, for each choice of λ.

    Parameters
    ----------
    n : int
        Number of pairs, at least 2.
    seed : int, default 0
        Seed of the sample.

    Returns
    -------
    dict of {str: float}
        - ``"the operator's n^(-1/2)"``: as meant, n^(1/2) in (K + λI) (errata E-1, E-2).
        - ``"the matrix's n^(-1/2)"``: as it reads, with one letter for both.
        - ``"leave-one-out"``: chosen on the sample.

    Raises
    ------
    ValueError
        If `n` is below 2.
    TypeError
        If an argument is not a whole number.
    """
    n, seed = checks.whole(n, "n", 2), checks.whole(seed, "seed")
    rng = stream(seed, "pairs")
    X, at = rng.normal(size=(n, 1)), stream(seed, "places").normal(size=(PLACES, 1))
    Y = np.sin(2 * X) + NOISE * rng.normal(size=(n, 1))
    # inner products of the true kernel means of N(sin 2x, 0.3²) with the sample (n, m), and their squared norm
    truth = NARROW.expected(Y, None, np.sin(2 * at), np.array([[NOISE**2]]))
    square = GaussianMixture([1.0], [[0.0]], NOISE**2).embed(NARROW).norm() ** 2
    G, found = NARROW(Y), {}
    for name, lam in ((OPERATOR, math.sqrt(n)), (LETTER, 1 / math.sqrt(n)), (CHOSEN, None)):
        B = ConditionalEmbedding(NARROW, NARROW, lam).fit(X, Y).weights(at)
        found[name] = math.sqrt(float(np.mean((B * (G @ B - 2 * truth)).sum(axis=0))) + square)
    return found


def rules(n: int, seed: int = 0) -> dict[str, float]:
    """Return the distances of what the rules give to the exact distributions, over the norm of the exact ones.

    Parameters
    ----------
    n : int
        Number of pairs, at least 2.
    seed : int, default 0
        Seed of the samples.

    Returns
    -------
    dict of {str: float}
        - ``"sum rule"``: to the distribution of x under the prior, N(0.5, 0.5² + 0.3²).
        - ``"Bayes' rule"``: to the posterior of y at x = 0.8, in the order of erratum E-4.
        - ``"Bayes' rule, printed"``: to the same posterior, with the rule as the article prints it.

    Raises
    ------
    ValueError
        If `n` is below 2.
    TypeError
        If an argument is not a whole number.
    """
    n, seed = checks.whole(n, "n", 2), checks.whole(seed, "seed")
    rng, k = stream(seed, "pairs"), WIDE
    Y = rng.normal(size=(n, 1))
    X = Y + NOISE * rng.normal(size=(n, 1))
    prior = KME(k).embed(PRIOR + SPREAD * stream(seed, "prior").normal(size=(n, 1)))
    lam, lam_posterior = math.sqrt(n) / 100, 36 / n**2
    variance = 1 / (SPREAD**-2 + NOISE**-2)
    marginal = GaussianMixture([1.0], [[PRIOR]], SPREAD**2 + NOISE**2).embed(k)
    posterior = GaussianMixture([1.0], [[variance * (PRIOR / SPREAD**2 + SEEN / NOISE**2)]], variance).embed(k)
    given = X, Y, prior, SEEN, k, k, lam, lam_posterior
    found = {
        SUM: (sum_rule(X, Y, prior, k, k, lam), marginal),
        BAYES: (bayes_rule(*given), posterior),
        AS_PRINTED: (bayes_rule(*given, printed=True), posterior),
    }
    return {name: ours.distance(exact) / exact.norm() for name, (ours, exact) in found.items()}
