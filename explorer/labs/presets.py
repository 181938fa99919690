"""Presets as data: a state of a lab, what to look for there, and the effect that it promises.

a test holds it to that.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Preset:
    """`fields` differ from the lab's defaults; `effect` of the result lies within [at_least, at_most]."""

    name: str
    says: str
    fields: dict
    effect: str
    at_least: float = float("-inf")
    at_most: float = float("inf")


SHRINKAGE = (
    Preset(
        "A little helps",
        "20 points, a narrow bandwidth: both estimators beat the plain average by a fifth and more.",
        {},
        "the lesser gain",
        at_least=0.2,
    ),
    Preset(
        "Ten coordinates",
        "The linear kernel, whose kernel mean is the ordinary mean: ten coordinates that have nothing to do with one"
        " another, and pulling all of them towards 0 brings the average closer.",
        {"source": "gaussian", "kernel": "LIN", "d": 10, "mean": 0.1},
        "the lesser gain",
        at_least=0.4,
    ),
    Preset(
        "Bandwidth decides",
        "The same sample at half the bandwidth: points hardly resemble each other, and the gain more than doubles.",
        {"bandwidth": 0.16},
        "the lesser gain",
        at_least=0.5,
    ),
    Preset(
        "When it hurts",
        "100 points at the median bandwidth: there is little noise to remove, and a λ of 0.32 is far too much for"
        " S-KMSE.",
        {"n": 100, "bandwidth": 1.0, "lam": 0.32},
        "S-KMSE's gain",
        at_most=-0.5,
    ),
    Preset(
        "Leave-one-out, mostly",
        "Another sample, and S-KMSE gains only about half of what its best λ would bring: leave-one-out knows this"
        " sample alone, with its noise.",
        {"seed": 4},
        "S-KMSE's gain beside that of the best λ",
        at_least=0.4,
        at_most=0.6,
    ),
    Preset(
        "Weights that sum to one",
        "Divide the weights by their sum, and S-KMSE is the plain average again; F-KMSE does harm: it still moves"
        " weight from lone points to crowds, and no longer shrinks.",
        {"weights": "sum-to-one"},
        "the greater gain",
        at_most=0.0,
    ),
    Preset(
        "Lone points fade",
        "4 stray points of 40: F-KMSE gives less weight to a point that stands alone. S-KMSE cannot tell.",
        {"n": 40, "outliers": 4, "kind": "heavy tail"},
        "an outlier's weight beside a clean point's",
        at_most=0.7,
    ),
    Preset(
        "As printed",
        "The score that the paper prints as Theorem 4 leaks the left-out point; the λ that it chooses shrinks too"
        " much.",
        {"d": 20, "bandwidth": 1.0, "selection": "theorem-4"},
        "F-KMSE's gain",
        at_most=-0.02,
    ),
    Preset(
        "Your data",
        "178 wines with 13 measurements stand for a table of yours, which you may open below: no law to compare with,"
        " so the curves are leave-one-out estimates.",
        {"source": "wine", "n": 100, "bandwidth": 0.32},
        "the lesser gain",
        at_least=0.02,
    ),
)
