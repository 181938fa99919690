"""The Shrinkage lab's presets and stories."""

from __future__ import annotations

from math import log2

from explorer.workbench import Choose, Place, Preset, Step, Story

PRESETS = (
    Preset(
        "A little helps",
        "20 points, a narrow bandwidth: both have at least a fifth less squared error than the plain average.",
        {},
        "the lesser gain",
        at_least=0.2,
    ),
    Preset(
        "Ten coordinates",
        "Linear kernel: the kernel mean is the ordinary mean. Shrinking ten independent coordinates to 0 helps.",
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
        "Laplacian gains more than RBF",
        "Median bandwidth: the Laplacian kernel's peak at 0 leaves near neighbours less alike, so there is more noise.",
        {"kernel": "LAP", "bandwidth": 1.0},
        "the best expected gain beside that under RBF",
        at_least=1.5,
    ),
    Preset(
        "When it hurts",
        "100 points, median bandwidth: there is little noise to remove, and λ = 0.32 is far too much for S-KMSE.",
        {"n": 100, "bandwidth": 1.0, "lam": 0.32},
        "S-KMSE's gain",
        at_most=-0.5,
    ),
    Preset(
        "Leave-one-out, mostly",
        "Another sample: S-KMSE gains about half of what its best λ would. Leave-one-out knows one sample only.",
        {"seed": 4},
        "S-KMSE's gain beside that of the best λ",
        at_least=0.4,
        at_most=0.6,
    ),
    Preset(
        "Weights that sum to one",
        "Weights divided by their sum: S-KMSE is the plain average again, and F-KMSE, which cannot shrink, does harm.",
        {"weights": "sum-to-one"},
        "the greater gain",
        at_most=0.0,
    ),
    Preset(
        "Lone points fade",
        "4 of 40 points are outliers. F-KMSE gives a point that stands alone less weight; S-KMSE cannot.",
        {"n": 40, "outliers": 4, "kind": "heavy tail"},
        "an outlier's weight beside a clean point's",
        at_most=0.7,
    ),
    Preset(
        "As printed",
        "The score printed as Theorem 4 leaks the point that is left out, and chooses a λ that shrinks too much.",
        {"d": 20, "bandwidth": 1.0, "selection": "theorem-4"},
        "F-KMSE's gain",
        at_most=-0.02,
    ),
    Preset(
        "A table: wine",
        "Example: 178 wines with 13 measurements. The truth is unknown, so the curves are leave-one-out estimates.",
        {"source": "wine", "n": 100, "bandwidth": 0.32},
        "the lesser gain",
        at_least=0.02,
    ),
)

_LINEAR = {"source": "gaussian", "kernel": "LIN"}
_LESS = "less squared error than the plain average, on average"
_HELPED = Choose(lambda r: r.stein.gain, ("No", "Yes"), (0.005,))
_BEST = Place(lambda r: r.expected_gain, _LESS)

STORIES = (
    Story(
        "stein",
        "Stein's surprise",
        (
            Step(
                "20 points of a Gaussian distribution on a line, and the linear kernel: the kernel mean is the ordinary"
                " mean. James and Stein shrink the average towards 0, less so the farther it lies from 0. Does that"
                " lower its squared error, averaged over samples?",
                "No: James-Stein has {stein} squared error. On a line no estimator beats the average wherever the true"
                " mean may be. S-KMSE gains on this screen only because the true mean is the 0 that it shrinks to.",
                {**_LINEAR, "d": 1},
                _HELPED,
            ),
            Step(
                "Two coordinates. Does the second one help James and Stein?",
                "No: James-Stein still has {stein} squared error. Two coordinates are not enough.",
                {**_LINEAR, "d": 2},
                _HELPED,
            ),
            Step(
                "Three coordinates, all independent. Does James-Stein have less squared error on average now?",
                "Yes: it has {stein} squared error on average here, where the true mean is 0, and less wherever else it"
                " may be.",
                {**_LINEAR, "d": 3},
                _HELPED,
            ),
            Step(
                "Ten coordinates. How much less squared error does James-Stein have, on average?",
                "It has {stein} squared error on average, and {stein_here} on this sample. The more coordinates there"
                " are, the better the length of the average shows how much of it is noise.",
                {**_LINEAR, "d": 10},
                Place(lambda r: r.stein.gain, _LESS),
            ),
            Step(
                "The true mean moves away from 0, in every coordinate by one standard error of the average. How much"
                " of James-Stein's gain is left?",
                "It has {stein} squared error on average, and {stein_here} on this sample. S-KMSE, with λ by"
                " leave-one-out, has {simple} on this sample.",
                {**_LINEAR, "d": 10, "mean": 0.22360679774997896},
                Place(lambda r: r.stein.gain, _LESS),
            ),
            Step(
                "The true mean moves far away from 0, by 1 in every coordinate. Does James-Stein do harm on average?",
                "No: it has {stein} squared error on average. Far from 0 the average is long, so it is hardly shrunk.",
                {**_LINEAR, "d": 10, "mean": 1.0},
                Choose(lambda r: r.stein.gain, ("Yes, harm", "No, a small gain", "No, a large gain"), (-0.005, 0.2)),
            ),
            Step(
                "Must one shrink to 0? Here S-KMSE shrinks towards a blob that lies farther from the truth than 0 does."
                " Can that lower the squared error on average?",
                "Yes: any target will do. On average the best λ gives {best} less squared error, and more the nearer"
                " the target lies to the truth. Drag the blob.",
                {**_LINEAR, "d": 10, "mean": 1.0, "target": "blob", "target_at": "[3.0, 3.0]"},
                Choose(lambda r: r.expected_gain, ("No", "Yes"), (0.0,)),
            ),
        ),
    ),
    Story(
        "bandwidth",
        "Why the bandwidth decides",
        (
            Step(
                "20 points, and the bandwidth that most programs choose: the median distance. How much less squared"
                " error does S-KMSE have on average, with the best λ?",
                "It has {best} less. At this bandwidth all points look alike to the kernel, so there is little noise in"
                " their average.",
                {"bandwidth": 1.0},
                _BEST,
            ),
            Step(
                "The same 20 points at a third of the bandwidth. How much less squared error does S-KMSE have now?",
                "It has {best} less on average with the best λ, so the valley of the curves is deeper. On this sample"
                " it has {simple} squared error, with λ by leave-one-out.",
                {},
                _BEST,
            ),
            Step(
                "A tenth of the median: each point resembles hardly any other. Where is S-KMSE's best λ on this"
                " sample?",
                "At λ = {oracle}, far to the right: the average of points that do not resemble each other is mostly"
                " noise. On average the best λ gives {best} less squared error.",
                {"bandwidth": 0.1},
                Choose(lambda r: r.simple.best, ("below 0.1", "between 0.1 and 1", "above 1"), (0.1, 1.0)),
            ),
            Step(
                "The narrow bandwidth again, with 200 points. How much of the gain is left?",
                "With the best λ S-KMSE has {best} less squared error on average. The noise falls with n and the length"
                " of the true kernel mean does not: bandwidth and n together decide how much there is to gain.",
                {"bandwidth": 0.1, "n": 200},
                _BEST,
            ),
        ),
    ),
    Story(
        "harm",
        "When shrinkage hurts",
        (
            Step(
                "20 points at the median bandwidth, λ = 0.32. Does S-KMSE have less squared error than the plain"
                " average?",
                "No: it has {simple} squared error on this sample, and {average} on average: {harm}.",
                {"bandwidth": 1.0, "lam": 0.32},
                Choose(lambda r: r.gain(r.simple), ("No", "Yes"), (0.0,)),
            ),
            Step(
                "The same λ with 100 points. How much squared error does S-KMSE have now, beside the plain average?",
                "More data do more harm: S-KMSE has {simple} squared error on this sample. There is less noise to"
                " remove, and shrinking costs as much bias as before: {harm}.",
                {"bandwidth": 1.0, "lam": 0.32, "n": 100},
                Choose(lambda r: 1 - r.gain(r.simple), ("less", "up to twice as much", "even more"), (1.0, 2.0)),
            ),
            Step(
                "Now leave-one-out chooses λ for the 100 points. Does it avoid the harm?",
                "Yes: it chooses λ = {chosen}, where S-KMSE has {simple} squared error.",
                {"bandwidth": 1.0, "n": 100},
                Choose(lambda r: r.gain(r.simple), ("No", "Yes"), (0.0,)),
            ),
        ),
    ),
    Story(
        "weights",
        "Normalised weights undo it",
        (
            Step(
                "S-KMSE gives every point the same weight, less than 1/n. F-KMSE gives each its own. Which has less"
                " squared error on this sample?",
                "S-KMSE has {simple} squared error than the plain average, and F-KMSE {flexible}.",
                {},
                Choose(lambda r: r.gain(r.simple) - r.gain(r.flexible), ("F-KMSE", "S-KMSE"), (0.0,)),
            ),
            Step(
                "Now the weights are divided by their sum. How much of S-KMSE's gain is left?",
                "Nothing: S-KMSE has {simple} squared error, because it is the plain average again. F-KMSE has"
                " {flexible}: it still moves weight from lone points to crowds, and without shrinking that is only"
                " bias.",
                {"weights": "sum-to-one"},
                Choose(lambda r: r.gain(r.simple), ("nothing", "some of it", "all of it"), (5e-4, 0.2)),
            ),
            Step(
                "On the simplex the weights are probabilities. Which estimate is then the plain average?",
                "F-KMSE, exactly: at every λ its best weights are 1/n. S-KMSE is now the mixture of the points nearest"
                " to the shrunk average, and has {simple} squared error.",
                {"weights": "simplex"},
                Choose(lambda r: abs(r.gain(r.simple)) - abs(r.gain(r.flexible)), ("S-KMSE", "F-KMSE"), (0.0,)),
            ),
        ),
    ),
    Story(
        "leave-one-out",
        "Leave-one-out finds it, mostly",
        (
            Step(
                "The dotted curves are all that one has in practice. Does S-KMSE's lowest dotted point lie within a"
                " factor of 2 of the best λ?",
                "Yes: leave-one-out chooses λ = {chosen}, and {oracle} is best here. S-KMSE has {simple} squared"
                " error.",
                {},
                Choose(lambda r: abs(log2(r.simple.chosen / r.simple.best)), ("Yes", "No"), (1.0,)),
            ),
            Step(
                "Another sample of the same distribution. Is the chosen λ right for it?",
                "It is not always right: here leave-one-out chooses λ = {chosen} where {oracle} is best, and S-KMSE has"
                " {simple} squared error. The score knows only its own sample, noise included.",
                {"seed": 7},
                Choose(
                    lambda r: r.simple.chosen / r.simple.best,
                    ("It is too small", "It is about right", "It is too large"),
                    (0.8, 1.25),
                ),
            ),
            Step(
                "The paper prints another score as Theorem 4. Where does it put F-KMSE's λ?",
                "Too far to the right: F-KMSE has {flexible} squared error. The point that is left out still lends its"
                " direction to the fit, so the score underestimates what shrinking costs.",
                {"d": 20, "bandwidth": 1.0, "selection": "theorem-4"},
                Choose(
                    lambda r: r.flexible.chosen / r.flexible.best,
                    ("too far to the left", "about right", "too far to the right"),
                    (0.8, 1.25),
                ),
            ),
            Step(
                "Wine: 178 bottles, 13 measurements, and nobody knows their distribution. How much less squared error"
                " does S-KMSE have, by estimate?",
                "By leave-one-out, which is all that can be known, S-KMSE has {simple} squared error and F-KMSE"
                " {flexible}.",
                {"source": "wine", "n": 100, "bandwidth": 0.32},
                Place(lambda r: r.gain(r.simple), "less squared error than the plain average, by leave-one-out"),
            ),
        ),
    ),
)
