"""The Shrinkage lab's stories."""

from __future__ import annotations

from .stories import Step, Story

_LINEAR = {"source": "gaussian", "kernel": "LIN"}

SHRINKAGE = (
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
