"""Claims of paper 000 on Figures 1 and 2, and ours, about the losses of MKME and MMKME."""

from __future__ import annotations

from .claim import loses_less
from .quantifier import Every, Most, OnAverage, Some

BASELINES = ("KME", "S-KMSE", "F-KMSE, theorem 4")  # F-KMSE by the score that its paper prints

FIGURE_1_CLAIMS = (
    loses_less(
        "Where σ is chosen properly, the mean of the loss decreases",
        Some,
        "MKME",
        ("KME",),
        "Obviously, when σ is chosen properly, the mean of the loss will decrease.",
        errata=("12",),
        where=lambda values: values["variance"] > 0,
    ),
    loses_less(
        "A little noise (σ² up to 1) gains",
        Every,
        "MKME",
        ("KME",),
        errata=("12",),
        where=lambda values: 0 < values["variance"] <= 1,
    ),
    loses_less(
        "Much noise (σ² = 100) does harm", Every, "KME", ("MKME",), where=lambda values: values["variance"] == 100
    ),
)

FIGURE_2_CLAIMS = (
    loses_less(
        "MKME outperforms the baselines in most cases",
        Most,
        "MKME",
        BASELINES,
        "For the proposed MKME, we can see that it outperforms the baselines in most cases.",
        ("24",),
    ),
    loses_less(
        "MMKME outperforms the baselines all the time",
        Every,
        "MMKME",
        BASELINES,
        "For the proposed MMKME, it outperforms the baselines all the time.",
        ("24",),
    ),
    loses_less("MKME outperforms MMKME", OnAverage, "MKME", ("MMKME",)),
)
