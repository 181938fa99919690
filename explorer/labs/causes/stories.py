"""Presets and stories of the causes lab."""

from __future__ import annotations

from explorer.workbench import Choose, Place, Preset, Step, Story
from explorer.workbench.stories import SHARES

_FAST = {"n": 100, "frequency": 8.0, "noise": 0.3, "bandwidth": 1.0}
_FASTER = {**_FAST, "frequency": 4.0, "samples": 100, "picture": "level"}
_XOR = {"asks": "joint", "source": "xor", "n": 100, "noise": 0.3, "bandwidth": 1.0}
_CIRCLE = {"source": "collider", "effect": "square", "n": 200, "noise": 0.3}
_PAIR = {"asks": "direction", "source": "arrow", "effect": "bend", "n": 200, "noise": 0.3, "bandwidth": 1.0}
_STRAIGHT = {**_PAIR, "effect": "line", "noise": 1.0}

PRESETS = (
    Preset(
        "A fork",
        "z acts on x and on y. x and y are dependent, but given z they are independent.",
        {},
        "p of KCI",
        at_least=0.05,
        then=("an arrow from x to y", {"direct": 0.5}),
    ),
    Preset(
        "Too wide to follow",
        "x and y share only sin(8z), and the kernel is too wide to follow the sine. Both tests raise a false alarm.",
        _FAST,
        "p of KCI",
        at_most=0.05,
        then=("bandwidth 0.1", {"bandwidth": 0.1}),
    ),
    Preset(
        "KCI breaks first",
        "x and y share only sin(4z). At bandwidth 1 × median KCI rejects in most samples, and GCM keeps its level.",
        _FASTER,
        "the share of samples in which KCI rejects",
        at_least=0.5,
        then=("bandwidth 0.2", {"bandwidth": 0.2}),
    ),
    Preset(
        "Only all together",
        "z has the sign of xy. Any two variables are independent, but all three are jointly dependent.",
        _XOR,
        "the smallest p of two variables",
        at_least=0.05,
        then=("noise 2", {"noise": 2.0}),
    ),
    Preset(
        "Covariance is blind",
        "x² + y² is about z: given z, x and y lie near a circle. Their covariance is 0, so GCM does not reject.",
        _CIRCLE,
        "p of GCM",
        at_least=0.05,
        then=("tanh instead of squares", {"effect": "bend"}),
    ),
    Preset(
        "Which way?",
        "y is tanh(2x) plus noise. Only the fit from x to y has residuals that are independent of the cause.",
        _PAIR,
        "p of y → x",
        at_most=0.05,
        then=("a line", {"effect": "line"}),
    ),
    Preset(
        "Straight and Gaussian",
        "A linear effect with Gaussian noise fits in both directions. No test of residuals can find the arrow.",
        _STRAIGHT,
        "p of y → x",
        at_least=0.05,
        then=("uniform noise", {"law": "uniform"}),
    ),
    Preset(
        "Wine",
        "In 178 wines phenols and proline are dependent. Given flavanoids, neither helps to predict the other.",
        {"source": "wine", "n": 178, "bandwidth": 1.0},
        "p of KCI",
        at_least=0.05,
        then=("hue instead of flavanoids", {"column_z": "hue"}),
    ),
)

_YES_BELOW = ("Yes", "No")  # answers to "p at most the level?"
_LEVEL = (0.05,)
_SHAPES = ("x → z ← y", "x → z → y or x ← z → y", "others")


def _shape(result):
    """Return 0 if the tests allow arrows into z alone, 1 if they join both ends with z; None until they are done."""
    found = result.allowed(result.look_in())
    if found is None:
        return None
    return 0.0 if set(found.arrows) == {"xz", "yz"} else 1.0 if set(found.lines) == {"xz", "yz"} else 2.0


def _directions(result):
    """Return 0 if the residuals allow only x → y, 1 for only y → x, 2 for both, 3 for neither."""
    forward, backward = (p > result.lab.alpha for p in result.look_in().pvalues)
    return float(
        {(True, False): 0, (False, True): 1, (True, True): 2, (False, False): 3}[bool(forward), bool(backward)]
    )


_ARROWS = ("only x → y", "only y → x", "both", "neither")
_CUTS = (0.5, 1.5, 2.5)

STORIES = (
    Story(
        "arrow",
        "Guess the arrows",
        (
            Step(
                "Both clouds follow z. Which arrows do the tests of independence allow?",
                "Without z, x and y are dependent (p = {without}); given z they are independent (KCI p = {kci}). A"
                " chain through z and a fork at z both have these dependences, and no test of independence"
                " distinguishes them.",
                {},
                Choose(_shape, _SHAPES, (0.5, 1.5)),
            ),
            Step(
                "Now other arrows generate x, y and z. Which arrows do the tests allow?",
                "Without z, x and y are independent (p = {without}); given z they are dependent (KCI p = {kci}). Only"
                " two arrows into z have these dependences.",
                {"source": "collider", "effect": "bend"},
                Choose(_shape, _SHAPES, (0.5, 1.5)),
            ),
            Step(
                "Now x acts on z, and z acts on y: a chain. Which arrows do the tests allow?",
                "The same as for the fork: x and y are dependent without z (p = {without}) and independent given z (KCI"
                " p = {kci}).",
                {"source": "chain", "effect": "bend"},
                Choose(_shape, _SHAPES, (0.5, 1.5)),
            ),
        ),
    ),
    Story(
        "level",
        "A test is as good as its regression",
        (
            Step(
                "x and y are sin(8z), each plus independent noise: z explains all that they share. The bandwidth of the"
                " regressions is 1 × median. Does KCI find x and y independent given z?",
                "No, it rejects (p = {kci}). The regressions miss the sine, so both residuals still have it.",
                _FAST,
                Choose(lambda r: r.kci, ("No, it rejects", "Yes"), _LEVEL),
            ),
            Step(
                "That was one sample. In what share of 100 samples does KCI reject at level 0.05?",
                "In {kci_of} of {count}; GCM rejects in {gcm_of}. If the regressions fit poorly, neither test keeps its"
                " level.",
                {**_FAST, "samples": 100, "picture": "level"},
                Place(lambda r: r.share_of("KCI"), "the share with a false alarm", SHARES),
            ),
            Step(
                "The bandwidth is now 0.1 × median. In what share of the samples does KCI reject?",
                "In {kci_of} of {count}; GCM rejects in {gcm_of}. A kernel that follows the sine restores the level.",
                {**_FAST, "bandwidth": 0.1, "samples": 100, "picture": "level"},
                Place(lambda r: r.share_of("KCI"), "the share with a false alarm", SHARES),
            ),
            Step(
                "Now half of x is added to y: an arrow that z does not explain. Does KCI find it?",
                "Yes: p = {kci}, and GCM p = {gcm}.",
                {"direct": 0.5},
                Choose(lambda r: r.kci, _YES_BELOW, _LEVEL),
            ),
        ),
    ),
    Story(
        "together",
        "Dependent only together",
        (
            Step(
                "z has the sign of xy. Does HSIC find any two of the three dependent?",
                "No: the smallest p is {least}. Knowing one variable does not help to predict another.",
                _XOR,
                Choose(lambda r: r.least_pair, _YES_BELOW, _LEVEL),
            ),
            Step(
                "dHSIC tests all three jointly. Does it find a dependence?",
                "Yes: p = {dhsic}. Any two of the variables determine the sign of the third.",
                {**_XOR, "seed": 2},
                Choose(lambda r: r.dhsic, _YES_BELOW, _LEVEL),
            ),
        ),
    ),
    Story(
        "direction",
        "Which way does it go?",
        (
            Step(
                "One of x and y is a function of the other plus noise. Both directions are fitted. Which one leaves"
                " residuals that are independent of the cause?",
                "Only x → y: p = {forward}. y is tanh(2x) plus noise. From y to x the residuals depend on y:"
                " p = {backward}.",
                _PAIR,
                Choose(_directions, _ARROWS, _CUTS),
            ),
            Step(
                "Now the effect is a straight line with Gaussian noise. Which directions do the residuals allow?",
                "Both: p = {forward} and p = {backward}. Two Gaussian variables look the same in either direction.",
                _STRAIGHT,
                Choose(_directions, _ARROWS, _CUTS),
            ),
            Step(
                "The line stays, but cause and noise are uniform. Which directions now?",
                "Only x → y: p = {forward}, and {backward} for y → x. The corners of the cloud reveal the direction.",
                {**_STRAIGHT, "law": "uniform"},
                Choose(_directions, _ARROWS, _CUTS),
            ),
            Step(
                "Now x and y do not act on each other: an unobserved z acts on both. Which directions do the"
                " residuals allow?",
                "Both: p = {forward} and p = {backward}, and neither is true. A test of x and y alone cannot detect z.",
                {**_PAIR, "source": "fork"},
                Choose(_directions, _ARROWS, _CUTS),
            ),
        ),
    ),
)
