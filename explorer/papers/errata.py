"""What is wrong in the papers, in a sentence each: the errata that verdicts touch, by the numbers that docstrings name."""

from __future__ import annotations

ERRATA = {
    "10": "called unbiased, the printed estimate is the V-statistic, which is not; the permutation test keeps its level",
    "12": "it is said that a covariance must be found that gains; some small σ² gains under every law but a point",
    "17": ".009 and .007 are no multiples of 1/200, and one power falls as α rises",
    "24": "the printed score lets the left-out point lend its direction to the fit; ours refits without it",
    "31": "λ of S-KMSE is a pure number, that of F-KMSE acts on eigenvalues: at one λ = c γ0 far above 1 S-KMSE is all but zero",
    "E-9": "a unit ball has no functions to [0, 1] only, as it has -f with f; the corrected deviation term is sqrt(log(1/δ) / n)",
    "E-16": "equation (8) lacks the root of (7), and U may be negative: the verdict depends on what its root is taken to be",
    "E-17": "BCD-Fast updates the median block alone and stalls where that is solved, near the least of half the blocks",
    "E-21": "with Q = 2 Nc + 1 the median of the blocks is nearly the largest of the clean ones: robust, and biased upwards",
    "E-23": "E x⁴ is infinite under Pareto's law of index 3, so the assumption of the theorem that it is to illustrate fails",
}
