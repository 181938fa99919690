"""Presets and stories of the Shrinkage lab."""

from __future__ import annotations

from math import log2

from explorer.workbench import Choose, Place, Preset, Step, Story

from .functions import stories as value_stories

PRESETS = (
    Preset(
        "A little helps",
        "20 points, a narrow bandwidth: both estimators cut the squared error of the plain average by a fifth or more.",
        {},
        "the lesser gain",
        at_least=0.2,
    ),
    Preset(
        "Ten coordinates",
        "With the linear kernel the kernel mean is the ordinary mean. Shrinking ten coordinates towards 0 helps.",
        {"source": "gaussian", "kernel": "LIN", "d": 10, "mean": 0.1},
        "the lesser gain",
        at_least=0.4,
    ),
    Preset(
        "Bandwidth decides",
        "The same sample at half the bandwidth: points hardly resemble each other, so the gain more than doubles.",
        {"bandwidth": 0.16},
        "the lesser gain",
        at_least=0.5,
        then=("bandwidth 1", {"bandwidth": 1.0}),
    ),
    Preset(
        "Laplacian gains more than RBF",
        "Near neighbours resemble each other less under the Laplacian kernel, so there is more noise to remove.",
        {"kernel": "LAP", "bandwidth": 1.0},
        "the best expected gain beside that under RBF",
        at_least=1.5,
        then=("the RBF kernel", {"kernel": "RBF"}),
    ),
    Preset(
        "When it hurts",
        "100 points at the median bandwidth have little noise to remove. For S-KMSE λ = 0.32 is far too large.",
        {"n": 100, "bandwidth": 1.0, "lam": 0.32},
        "S-KMSE's gain",
        at_most=-0.5,
        then=("λ by leave-one-out", {"lam": None}),
    ),
    Preset(
        "Leave-one-out, mostly",
        "On this sample leave-one-out gets S-KMSE about half of the gain that its best λ would give.",
        {"seed": 4},
        "S-KMSE's gain beside that of the best λ",
        at_least=0.4,
        at_most=0.6,
    ),
    Preset(
        "Weights that sum to one",
        "Dividing the weights by their sum turns S-KMSE back into the plain average and makes F-KMSE worse than that.",
        {"weights": "sum-to-one"},
        "the greater gain",
        at_most=0.0,
        then=("free weights", {"weights": "free"}),
    ),
    Preset(
        "Lone points fade",
        "4 of 40 points are outliers. F-KMSE gives isolated points less weight, and S-KMSE cannot.",
        {"n": 40, "outliers": 4, "kind": "heavy tail"},
        "an outlier's weight beside a clean point's",
        at_most=0.7,
        then=("no outliers", {"outliers": 0}),
    ),
    Preset(
        "As printed",
        "The score printed as Theorem 4 still uses the point that is left out, so its λ is too large.",
        {"d": 20, "bandwidth": 1.0, "selection": "theorem-4"},
        "F-KMSE's gain",
        at_most=-0.02,
        then=("λ by leave-one-out", {"selection": "leave-one-out"}),
    ),
    Preset(
        "A table: wine",
        "Example: 178 wines with 13 measurements. The truth is unknown, so the curves are leave-one-out estimates.",
        {"source": "wine", "n": 100, "bandwidth": 0.32},
        "the lesser gain",
        at_least=0.02,
    ),
    *value_stories.PRESETS,
)

_LINEAR = {"source": "gaussian", "kernel": "LIN"}
_STEIN = {**_LINEAR, "estimators": "james-stein"}
_LESS = "less squared error than the plain average, on average"
_HELPED = Choose(lambda r: r.stein.gain, ("No", "Yes"), (0.005,))
_BEST = Place(lambda r: r.expected_gain, _LESS)

STORIES = (
    Story(
        "stein",
        "Stein's surprise",
        (
            Step(
                "You average 20 points of a Gaussian distribution on a line. James and Stein shrink the average towards"
                " 0, less so the farther it lies from 0. Does that lower its squared error on average?",
                "No: James-Stein has {stein} squared error, because with one coordinate it is the plain average. On a"
                " line no estimator beats the average for every true mean.",
                {**_STEIN, "d": 1},
                _HELPED,
            ),
            Step(
                "Two coordinates. Does the second one help James and Stein?",
                "No: James-Stein still has {stein} squared error. Two coordinates are not enough.",
                {**_STEIN, "d": 2},
                _HELPED,
            ),
            Step(
                "Three independent coordinates. Does James-Stein have less squared error on average now?",
                "Yes: James-Stein has {stein} squared error if the true mean is 0. The curve for d = 3 lies below"
                " the plain average for every other true mean too.",
                {**_STEIN, "d": 3},
                _HELPED,
            ),
            Step(
                "Ten coordinates. How much less squared error does James-Stein have on average?",
                "It has {stein} squared error on average. With more coordinates, the length of the average shows more"
                " clearly how much of it is noise.",
                {**_STEIN, "d": 10},
                Place(lambda r: r.stein.gain, _LESS),
            ),
            Step(
                "The true mean moves away from 0, in every coordinate by one standard error of the average. How much"
                " of James-Stein's gain is left?",
                "James-Stein still has {stein} squared error on average at |θ| = {theta}. Drag the dot to see the"
                " gain fade.",
                {**_STEIN, "d": 10, "mean": 0.22360679774997896},
                Place(lambda r: r.stein.gain, _LESS),
            ),
            Step(
                "The true mean moves far away from 0, by 1 in every coordinate. Is James-Stein worse than the plain"
                " average now?",
                "No: it has {stein} squared error on average. Far from 0 the average is long, so James-Stein hardly"
                " shrinks it.",
                {**_STEIN, "d": 10, "mean": 1.0},
                Choose(
                    lambda r: r.stein.gain, ("Yes, it is worse", "No, a small gain", "No, a large gain"), (-0.005, 0.2)
                ),
            ),
            Step(
                "Must the average shrink to 0? S-KMSE is the same idea for kernel means. Here it shrinks towards a"
                " target that lies farther from the truth than 0 does. Can that lower the squared error on average?",
                "Yes: any target helps. With the best λ S-KMSE has {best} less squared error on average. The gain"
                " grows as the target comes nearer to the truth. Drag the target.",
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
                "It has {best} less. At this bandwidth all points resemble each other, so their average has little"
                " noise.",
                {"bandwidth": 1.0},
                _BEST,
            ),
            Step(
                "The same 20 points at a third of the bandwidth. How much less squared error does S-KMSE have now?",
                "It has {best} less on average with the best λ: its curve has a lower minimum. With λ by"
                " leave-one-out it has {simple} squared error on this sample.",
                {},
                _BEST,
            ),
            Step(
                "At a tenth of the median a point hardly resembles any other. Where is S-KMSE's best λ on this sample?",
                "It is λ = {oracle}, far to the right: an average of points that do not resemble each other is mostly"
                " noise. On average the best λ gives {best} less squared error.",
                {"bandwidth": 0.1},
                Choose(lambda r: r.simple.best, ("below 0.1", "between 0.1 and 1", "above 1"), (0.1, 1.0)),
            ),
            Step(
                "The narrow bandwidth again, with 200 points. How much of the gain is left?",
                "With the best λ S-KMSE has {best} less squared error on average. The noise falls with n, but the"
                " norm of the true kernel mean does not. So both bandwidth and n decide how much there is to gain.",
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
                "No: it has {simple} squared error on this sample, and {average} on average. {harm}.",
                {"bandwidth": 1.0, "lam": 0.32},
                Choose(lambda r: r.gain(r.simple), ("No", "Yes"), (0.0,)),
            ),
            Step(
                "The same λ with 100 points. How much squared error does S-KMSE have now, relative to the plain"
                " average?",
                "More data make it worse: S-KMSE has {simple} squared error on this sample. There is less noise to"
                " remove, but shrinking adds as much bias as before. {harm}.",
                {"bandwidth": 1.0, "lam": 0.32, "n": 100},
                Choose(lambda r: 1 - r.gain(r.simple), ("less", "up to twice as much", "even more"), (1.0, 2.0)),
            ),
            Step(
                "Now leave-one-out chooses λ for the 100 points. Does it avoid the harm?",
                "Yes: it chooses λ = {chosen}, and S-KMSE has {simple} squared error.",
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
                "S-KMSE gives all points the same weight, less than 1/n. F-KMSE gives each point its own. Which has"
                " less squared error on this sample?",
                "S-KMSE has {simple} squared error than the plain average, and F-KMSE {flexible}.",
                {},
                Choose(lambda r: r.gain(r.simple) - r.gain(r.flexible), ("F-KMSE", "S-KMSE"), (0.0,)),
            ),
            Step(
                "Now the weights are divided by their sum. How much of S-KMSE's gain is left?",
                "Nothing: S-KMSE has {simple} squared error, because it is the plain average again. F-KMSE has"
                " {flexible}: it still moves weight from isolated points to crowds. Without shrinking, that only adds"
                " bias.",
                {"weights": "sum-to-one"},
                Choose(lambda r: r.gain(r.simple), ("nothing", "some of it", "all of it"), (5e-4, 0.2)),
            ),
            Step(
                "On the simplex the weights are probabilities. Which estimate is then the plain average?",
                "F-KMSE is, exactly: at every λ its best weights are 1/n. S-KMSE is now the mixture of points that lies"
                " nearest to the shrunk average. It has {simple} squared error.",
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
                "In practice only the dotted curves are known. Is the λ at S-KMSE's lowest dotted point within a factor"
                " of 2 of its best λ?",
                "Yes: leave-one-out chooses λ = {chosen} for S-KMSE, and λ = {oracle} is best. With the chosen λ,"
                " S-KMSE has {simple} squared error.",
                {},
                Choose(lambda r: abs(log2(r.simple.chosen / r.simple.best)), ("Yes", "No"), (1.0,)),
            ),
            Step(
                "Another sample of the same distribution. Does leave-one-out choose the right λ for S-KMSE again?",
                "Not quite: leave-one-out chooses λ = {chosen} for S-KMSE, and λ = {oracle} is best. With the chosen"
                " λ, S-KMSE has {simple} squared error. The score knows only this sample, with its noise.",
                {"seed": 7},
                Choose(
                    lambda r: r.simple.chosen / r.simple.best,
                    ("It is too small", "It is about right", "It is too large"),
                    (0.8, 1.25),
                ),
            ),
            Step(
                "The paper prints another score as Theorem 4. Where does it put F-KMSE's λ?",
                "Too far to the right: F-KMSE has {flexible} squared error. The fit still uses the direction of the"
                " point that is left out, so the score underestimates the bias of shrinking.",
                {"d": 20, "bandwidth": 1.0, "selection": "theorem-4"},
                Choose(
                    lambda r: r.flexible.chosen / r.flexible.best,
                    ("too far to the left", "about right", "too far to the right"),
                    (0.8, 1.25),
                ),
            ),
            Step(
                "Wine: 178 bottles with 13 measurements, from an unknown distribution. How much less squared error does"
                " S-KMSE have, estimated by leave-one-out?",
                "S-KMSE has {simple} squared error by this estimate, and F-KMSE {flexible}. The exact error is"
                " unknown, because the distribution is.",
                {"source": "wine", "n": 100, "bandwidth": 0.32},
                Place(lambda r: r.gain(r.simple), "less squared error than the plain average, by leave-one-out"),
            ),
        ),
    ),
    *value_stories.STORIES,
)
