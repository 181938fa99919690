"""The Shrinkage lab's stories."""

from __future__ import annotations

from .stories import Step, Story

SHRINKAGE = (
    Story(
        "bandwidth",
        "Why the bandwidth decides",
        (
            Step(
                "20 points and the bandwidth that most programs choose, the median distance. How much can shrinking help?",
                "Little: on average the best λ brings S-KMSE {best}. At this bandwidth all points look alike to the kernel, "
                "so their average already has little noise beside its length.",
                {"bandwidth": 1.0},
            ),
            Step(
                "The same 20 points at a third of the bandwidth. What happens to the valley of the curves?",
                "It is deeper: on average the best λ brings {best}, and on this sample leave-one-out makes S-KMSE {simple}.",
                {},
            ),
            Step(
                "A tenth of it. Now each point resembles hardly any other: where is the best λ?",
                "Far to the right, and it brings {best} on average: the average of points that are strangers to each other is "
                "mostly noise. What is left of the mean is small as well; relative to the plain average the gain is large.",
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
        "leave-one-out",
        "Leave-one-out finds it, mostly",
        (
            Step(
                "The dotted curves are all that one has in practice. Do their lowest points lie below those of the thick ones?",
                "Nearly. S-KMSE's choice is λ = {chosen}, the best on this sample would be {oracle}; it is {simple}.",
                {},
            ),
            Step(
                "Another sample of the same law. Does the choice follow the best λ?",
                "Not always: here it chooses {chosen} where {oracle} is best, and S-KMSE is {simple}. The score knows its own "
                "sample only, noise included.",
                {"seed": 7},
            ),
            Step(
                "The paper prints another score, Theorem 4. Where does it put F-KMSE?",
                "Too far to the right: F-KMSE is {flexible}. Its left-out point still lends its direction to the fit, so the "
                "score underestimates what shrinking costs.",
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
