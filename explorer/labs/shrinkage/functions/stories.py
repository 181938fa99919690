"""Presets and stories of the Shrinkage lab about functions, the band of a Gaussian process, and oracles."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import values

_VALUES = {"picture": "values"}
_MGF = {**_VALUES, "kernel": "EXP", "source": "gaussian", "d": 1, "mean": 0.5, "bandwidth": 1.6, "n": 50, "probe": 2.0}
_BAND = {**_VALUES, "bayesian": True, "d": 1}
_FITS = {"picture": "fits", "d": 1, "probe": 0.5}
_ORACLE = {"picture": "oracle"}

PRESETS = (
    Preset(
        "A moment generating function",
        "Under the exponential kernel the kernel mean is E exp(⟨u, X⟩). Drag t: the average of f estimates it.",
        _MGF,
        "the average of f beside its expectation",
        at_least=0.6,
        at_most=1.6,
        then=("the RBF kernel", {"kernel": "RBF"}),
    ),
    Preset(
        "The mean with its band",
        "Bayesian KME hardly shrinks. Its band shows how far off its values may be, and covers most of the exact"
        " curve.",
        _BAND,
        "the share of the curve that the band has",
        at_least=0.8,
        then=("n = 200", {"n": 200}),
    ),
    Preset(
        "Better for whom?",
        "For each kernel mean some λ helps. This λ would do harm if the kernel mean were twice as far from the target.",
        {**_ORACLE, "lam": 1.0},
        "S-KMSE's expected loss at twice the distance, λ fixed",
        at_least=1.5,
        then=("λ = 0.1", {"lam": 0.1}),
    ),
)

STORIES = (
    Story(
        "functions",
        "The average of a function",
        (
            Step(
                "f = k(·, t) is a bump around t. Its average over the 20 points estimates E f(X). Which other number"
                " equals this average exactly?",
                "The inner product ⟨f, μ̂⟩: the average is {average_of_f}, and ⟨f, μ̂⟩ is {inner_of_f}. So the"
                " kernel mean contains the averages of all functions in its space. The exact E f(X) is {exact_of_f}."
                " Drag t.",
                {**_VALUES, "d": 1, "probe": 0.5},
                Choose(
                    lambda r: abs(r.values.average[-1] - r.values.inner),
                    ("its inner product with μ̂", "its largest value", "its value at the mean"),
                    (1e-9, 1.0),
                ),
            ),
            Step(
                "Under the exponential kernel f(x) = exp(x t/s). What is its expectation, as t moves?",
                "It is the moment generating function: at this t it is {exact_of_f}, and the sample of 50 points"
                " gives {average_of_f}. Far from 0 a few points dominate the sample's average.",
                _MGF,
                Choose(
                    lambda r: r.values.exact[-1],
                    ("the density", "the moment generating function", "the distribution function"),
                    (1.0, 1e6),
                ),
            ),
            Step(
                "F-KMSE does not average f itself. It averages what a regression predicts for f at each point. Does"
                " that give more or less than the average of f?",
                "Less: the mean of the predictions is {predicted_of_f}, and the average of f is {average_of_f}."
                " Ridge regression shrinks its predictions towards 0. F-KMSE's own weights give {flexible_of_f}, the"
                " same number.",
                _FITS,
                Choose(
                    lambda r: r.fits.predicted[r.row].mean() / r.fits.values.mean(),
                    ("less", "the same", "more"),
                    (0.999, 1.001),
                ),
            ),
            Step(
                "With a Gaussian process as its prior, the kernel mean gets a band: 95 % for each single value. How"
                " much less squared error than the plain average does the posterior mean have?",
                "Hardly any: the posterior mean has {bayes_of_f} of the plain average's squared error. It is a"
                " filter that keeps γ²/(γ² + nτ²), and for large eigenvalues that is nearly 1. What is gained is the"
                " band.",
                _BAND,
                Place(
                    lambda r: 1 - r.bayes.loss,
                    "less squared error than the plain average, Bayesian KME",
                    values(-0.2, 0.6, 20),
                ),
            ),
        ),
    ),
    Story(
        "oracle",
        "Is the plain average inadmissible?",
        (
            Step(
                "An estimator is inadmissible if another one is better for every distribution. S-KMSE with its best λ:"
                " for which kernel means does it have less expected squared error than the plain average?",
                "For all of them: the dotted curve lies below 1 everywhere. But each kernel mean needs a different"
                " λ, which depends on the unknown distribution. Here the best λ leaves {oracle_left} of the error.",
                _ORACLE,
                Choose(lambda r: r.remoteness, ("for all", "only near the target", "for none"), (1e9, 2e9)),
            ),
            Step(
                "Now λ = 1 for every kernel mean. Is S-KMSE still better than the plain average everywhere?",
                "No: it is worse at distances above {turning} times the plain average's root mean squared error. No"
                " single λ is better everywhere, so the theorem does not show that the average is inadmissible.",
                {**_ORACLE, "lam": 1.0},
                Choose(lambda r: r.loss_if_farther, ("Yes", "No"), (1.0,)),
            ),
            Step(
                "Ten coordinates, one Gaussian distribution, the linear kernel. Does James-Stein, which takes its λ"
                " from the sample, beat the average everywhere?",
                "Yes: its curve stays below 1 at every distance. So here the plain average is inadmissible. This is"
                " Stein's theorem: it needs three coordinates or more, but no oracle.",
                {**_ORACLE, "source": "gaussian", "kernel": "LIN", "d": 10, "mean": 0.1, "lam": 1.0},
                Choose(lambda r: r.stein.risk, ("Yes", "No"), (1.0,)),
            ),
        ),
    ),
)
