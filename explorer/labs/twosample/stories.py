"""Presets and stories of the Two-sample lab."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import P_VALUES

MASKED = {"outliers": 1}

PRESETS = (
    Preset(
        "A real shift",
        "Q lies half a standard deviation to the right of P. With 100 points each, the test finds it.",
        {},
        "p",
        at_most=0.01,
    ),
    Preset(
        "Masked by one outlier",
        "One of Q's 100 points is an outlier. Under the quadratic kernel it outweighs all others.",
        {"kernel": "POLY2", "picture": "influence", **MASKED},
        "p",
        at_least=0.3,
        then=("the RBF kernel", {"kernel": "RBF"}),
        was="Masked by one stray",
    ),
    Preset(
        "RBF does not care",
        "The same outlier under a bounded kernel, where no single point counts for more than any other.",
        {"picture": "influence", **MASKED},
        "p",
        at_most=0.01,
        then=("the quadratic kernel", {"kernel": "POLY2"}),
    ),
    Preset(
        "Wider, not further",
        "Q has the mean of P but is wider. The linear kernel compares only means and finds nothing.",
        {"source": "spread", "size": 0.4, "kernel": "LIN", "picture": "x-ray", "seed": 4},
        "p",
        at_least=0.2,
        then=("the quadratic kernel", {"kernel": "POLY2"}),
    ),
    Preset(
        "Two equal moments",
        "Q has two modes but the mean and variance of P, so MMD² is 0 under the quadratic kernel.",
        {"source": "moments", "size": 3.0, "d": 1, "kernel": "POLY2", "picture": "x-ray", "seed": 1},
        "MMD² of the laws",
        at_least=-1e-12,
        at_most=1e-12,
        then=("the RBF kernel", {"kernel": "RBF"}),
    ),
    Preset(
        "The right bandwidth",
        "The same two modes under RBF at a third of the median, narrow enough to see the gap between them.",
        {"source": "moments", "size": 3.0, "d": 1, "bandwidth": 0.32, "picture": "x-ray", "seed": 1},
        "p",
        at_most=0.01,
        then=("bandwidth 1", {"bandwidth": 1.0}),
    ),
    Preset(
        "No difference",
        "P and Q are the same distribution. At the 5 % level the test may reject in 5 % of all samples.",
        {"source": "equal", "picture": "power", "seed": 1},
        "p",
        at_least=0.1,
    ),
    Preset(
        "A crowd of outliers",
        "P and Q are the same distribution, but 5 of Q's 100 points are outliers. The quadratic kernel finds them.",
        {"source": "equal", "kernel": "POLY2", "outliers": 5, "picture": "influence", "seed": 6},
        "p",
        at_most=0.05,
        then=("the RBF kernel", {"kernel": "RBF"}),
        was="A crowd of strays",
    ),
    Preset(
        "A table: wine",
        "Example: two kinds of wine. Upload your own two files, or one file with a column of groups.",
        {"source": "wine", "n": 20, "m": 20, "picture": "influence"},
        "p",
        at_most=0.01,
    ),
)

_HILLS = {"source": "moments", "size": 3.0, "d": 1, "seed": 1}
_MASKED = {"kernel": "POLY2", "picture": "influence", **MASKED}
_FOUND = Choose(lambda r: r.pvalue, ("Yes", "No"), (0.05,))
_P = Place(lambda r: r.pvalue, "p", P_VALUES)


def _first_row(result):
    """Return the most influential row, counted through P's and then Q's, or None until it is known."""
    return result.influence[0].row if result.influence else None


def _over_bandwidths(which):
    """Return a function for the least or greatest p of the two tests over all bandwidths; None until both are there."""
    return lambda r: None if r.aggregated is None or r.fused is None else which(r.aggregated, r.fused)


STORIES = (
    Story(
        "stray",
        "One outlier hides a real difference",
        (
            Step(
                "Q lies half a standard deviation to the right of P, with 100 points each. The quadratic kernel"
                " compares means and second moments. Does the test find the difference?",
                "Yes: p = {p}. {reached}",
                {"kernel": "POLY2", "picture": "influence"},
                _FOUND,
            ),
            Step(
                "One of Q's points becomes an outlier, 30 standard deviations away. The other 99 stay. What is p now?",
                "p = {p}. The outlier dominates MMD² in every permutation, whichever sample it falls into. The farther"
                " away it lies, the wider the null distribution.",
                _MASKED,
                _P,
            ),
            Step(
                "Which row does the result depend on most? The picture shows p without each influential row.",
                "The outlier, {row}. Leaving it out gives p = {without}. But removing rows after seeing the result"
                " amounts to choosing the result. A test that needs no such choice is better.",
                _MASKED,
                Choose(_first_row, ("a row of P", "another row of Q", "the outlier"), (99, 198)),
            ),
            Step(
                "The same outlier under the Gaussian kernel (RBF). This kernel is bounded, so the outlier counts as one"
                " point of 200. Does the test find the difference now?",
                "Yes: p = {p}. Without the most influential row, {row}, p = {without}. A bounded kernel is the first"
                " remedy to try.",
                {"picture": "influence", **MASKED},
                _FOUND,
            ),
        ),
    ),
    Story(
        "blind",
        "What a kernel cannot see",
        (
            Step(
                "P has one mode and Q has two, with the same mean. The linear kernel compares means. How large is MMD²"
                " between the distributions?",
                "{truth}: under the linear kernel the distributions have the same kernel mean. On these samples p ="
                " {p}.",
                {**_HILLS, "kernel": "LIN", "picture": "x-ray"},
                Choose(lambda r: r.truth, ("0", "a little above 0", "above 1"), (1e-12, 1.0)),
            ),
            Step(
                "The quadratic kernel compares second moments as well. Is MMD² between the distributions above 0 now?",
                "No: the variances are equal as well, so it is {truth}. Here p = {p}. Larger samples do not help.",
                {**_HILLS, "kernel": "POLY2", "picture": "x-ray"},
                Choose(lambda r: r.truth, ("No", "Yes"), (1e-12,)),
            ),
            Step(
                "RBF at the median bandwidth responds to every frequency. Does the test find the difference now?",
                "Yes: p = {p}. But RBF sees mostly low frequencies, and two modes differ from one mode at higher"
                " frequencies. So MMD² of the distributions is only {truth}.",
                {**_HILLS, "picture": "x-ray"},
                _FOUND,
            ),
            Step(
                "At a third of that bandwidth, RBF sees frequencies three times as high. What is p now?",
                "p = {p}: RBF now sees the frequencies of the difference. MMD² is {z} the mean of the permutations.",
                {**_HILLS, "bandwidth": 0.32, "picture": "x-ray"},
                _P,
            ),
            Step(
                "At ten times the median, does the test still find the difference?",
                "No: p = {p}. A wide RBF sees only the lowest frequencies, which carry the low moments, and these are"
                " equal. It misses what the polynomial kernel misses. MMD² of the distributions is {truth}.",
                {**_HILLS, "bandwidth": 10.0, "picture": "x-ray"},
                _FOUND,
            ),
        ),
    ),
    Story(
        "shopping",
        "Picking the best of many bandwidths",
        (
            Step(
                "P and Q are the same distribution, so any difference found is an error. What is p at the median"
                " bandwidth?",
                "p = {p}: no difference is found.",
                {"source": "equal", "seed": 27},
                _P,
            ),
            Step(
                "The curve shows p at every bandwidth. Does any bandwidth reject?",
                "Yes: {rejecting} bandwidths reject. The smallest p is {least}, at {least_at} × the median. Trying"
                " all bandwidths and reporting the best rejects far more often than the level allows.",
                {"source": "equal", "seed": 27, "bandwidth": 0.1},
                Choose(lambda r: None if r.strip is None else r.strip.pvalues.min(), ("Yes", "No"), (0.05,)),
            ),
            Step(
                "MMDAgg and MMD-FUSE combine all bandwidths and account for the search. Does either of them reject?",
                "No: MMDAgg gives p = {agg} and MMD-FUSE p = {fuse}. Both keep their level, however many bandwidths"
                " they combine.",
                {"source": "equal", "seed": 27, "bandwidth": 0.05},
                Choose(_over_bandwidths(min), ("Yes", "No"), (0.05,)),
            ),
            Step(
                "Now P and Q differ: Q has two modes and P has one. Do both tests find the difference?",
                "Yes: MMDAgg gives p = {agg} and MMD-FUSE p = {fuse}. The median bandwidth alone gives p = {p}.",
                dict(_HILLS),
                Choose(_over_bandwidths(max), ("Yes", "No"), (0.05,)),
            ),
        ),
    ),
)
