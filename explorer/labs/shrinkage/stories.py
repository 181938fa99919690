"""The Shrinkage lab's presets and stories."""

from __future__ import annotations

from explorer.workbench import Preset, Step, Story

PRESETS = (
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

_LINEAR = {"source": "gaussian", "kernel": "LIN"}

STORIES = (
    Story(
        "stein",
        "Stein's surprise",
        (
            Step(
                "20 points of a normal law on a line, and the linear kernel: the kernel mean is the ordinary mean."
                " James and Stein pull an average towards 0, the less the longer it is. Is their estimate closer on"
                " average?",
                "It is {stein}: on a line no estimate beats the average wherever the true mean may be.",
                {**_LINEAR, "d": 1},
            ),
            Step(
                "Two coordinates. Does a second one help?",
                "It is {stein} on average. Still nothing: two are not enough.",
                {**_LINEAR, "d": 2},
            ),
            Step(
                "Three coordinates, each of which knows nothing of the others. And now?",
                "Now it is {stein} on average, here, where the true mean is 0, and closer wherever else it may be.",
                {**_LINEAR, "d": 3},
            ),
            Step(
                "Ten of them: how much do they help one another?",
                "{stein} on average. The more coordinates, the better the length of the average tells how much of it is"
                " noise.",
                {**_LINEAR, "d": 10},
            ),
            Step(
                "The true mean moves away from 0, in every coordinate by as much as the average's own noise. How much"
                " is left?",
                "{stein} on average, and on this sample S-KMSE, with λ by leave-one-out, is {simple}.",
                {**_LINEAR, "d": 10, "mean": 0.22360679774997896},
            ),
            Step(
                "And far away from 0, by 1 in every coordinate: does it do harm?",
                "Not on average: {stein}. Far from 0 the average is long, so hardly anything is pulled.",
                {**_LINEAR, "d": 10, "mean": 1.0},
            ),
            Step(
                "And must it be 0? Here S-KMSE is pulled towards a blob that is further from the truth than 0 is: can"
                " that help?",
                "Yes: any place will do. On average the best λ brings {best}, and the more the nearer the place is to"
                " the truth. Drag the blob.",
                {**_LINEAR, "d": 10, "mean": 1.0, "target": "blob", "target_at": "[3.0, 3.0]"},
            ),
        ),
    ),
    Story(
        "bandwidth",
        "Why the bandwidth decides",
        (
            Step(
                "20 points and the bandwidth that most programs choose, the median distance. How much can shrinking"
                " help?",
                "Little: on average the best λ brings S-KMSE {best}. At this bandwidth all points look alike to the"
                " kernel, so their average already has little noise beside its length.",
                {"bandwidth": 1.0},
            ),
            Step(
                "The same 20 points at a third of the bandwidth. What happens to the valley of the curves?",
                "It is deeper: on average the best λ brings {best}, and on this sample leave-one-out makes S-KMSE"
                " {simple}.",
                {},
            ),
            Step(
                "A tenth of it. Now each point resembles hardly any other: where is the best λ?",
                "Far to the right, and it brings {best} on average: the average of points that are strangers to each"
                " other is mostly noise. What is left of the mean is small as well; relative to the plain average the"
                " gain is large.",
                {"bandwidth": 0.1},
            ),
            Step(
                "The narrow bandwidth again, with 200 points. Does the gain stay?",
                "Only some of it: {best} on average. The noise falls with n, the length of the true mean does not: "
                "bandwidth and n together decide how much there is to gain.",
                {"bandwidth": 0.1, "n": 200},
            ),
        ),
    ),
    Story(
        "harm",
        "When shrinkage hurts",
        (
            Step(
                "20 points at the median bandwidth, λ = 0.32. Is S-KMSE closer to the truth than the plain average?",
                "No: it is {simple} on this sample, and {average} on average. In fact {harm}.",
                {"bandwidth": 1.0, "lam": 0.32},
            ),
            Step(
                "The same λ with 100 points. More data, less harm?",
                "More harm: {simple}. The average has less noise to lose, and shrinking costs as much bias as before: "
                "now {harm}.",
                {"bandwidth": 1.0, "lam": 0.32, "n": 100},
            ),
            Step(
                "Leave-one-out chooses λ here. Does it see the danger?",
                "Yes: it chooses {chosen}, where S-KMSE is {simple}.",
                {"bandwidth": 1.0, "n": 100},
            ),
        ),
    ),
    Story(
        "weights",
        "Normalised weights undo it",
        (
            Step(
                "S-KMSE's weights sum to less than one: that is all it does. How much does it help here?",
                "As they are, S-KMSE is {simple} and F-KMSE {flexible}.",
                {},
            ),
            Step(
                "Now they are divided by their sum. What is left of the gains?",
                "Nothing: S-KMSE is {simple}, for it is the plain average again. F-KMSE is {flexible}: it still moves"
                " weight from lone points to crowds, and without the shrinking that is only bias.",
                {"weights": "sum-to-one"},
            ),
            Step(
                "On the simplex, where weights are probabilities. Which estimate is then the plain average?",
                "F-KMSE, exactly: at every λ the weights 1/n are best. S-KMSE is now the mixture of the points that is"
                " nearest to the shrunk average, and it is {simple}.",
                {"weights": "simplex"},
            ),
        ),
    ),
    Story(
        "leave-one-out",
        "Leave-one-out finds it, mostly",
        (
            Step(
                "The dotted curves are all that one has in practice. Do their lowest points lie below those of the"
                " thick ones?",
                "Nearly. S-KMSE's choice is λ = {chosen}, the best on this sample would be {oracle}; it is {simple}.",
                {},
            ),
            Step(
                "Another sample of the same law. Does the choice follow the best λ?",
                "Not always: here it chooses {chosen} where {oracle} is best, and S-KMSE is {simple}. The score knows"
                " its own sample only, noise included.",
                {"seed": 7},
            ),
            Step(
                "The paper prints another score, Theorem 4. Where does it put F-KMSE?",
                "Too far to the right: F-KMSE is {flexible}. Its left-out point still lends its direction to the fit,"
                " so the score underestimates what shrinking costs.",
                {"d": 20, "bandwidth": 1.0, "selection": "theorem-4"},
            ),
            Step(
                "Wine: 178 bottles, 13 measurements, no law behind them that anyone knows. What can be said?",
                "Only what leave-one-out says: by its estimate S-KMSE is {simple} and F-KMSE {flexible}.",
                {"source": "wine", "n": 100, "bandwidth": 0.32},
            ),
        ),
    ),
)
