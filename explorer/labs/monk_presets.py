"""The MONK lab's presets."""

from __future__ import annotations

from explorer.workbench.stories import Preset

_BESIDE = "MONK's error beside U's"

MONK = (
    Preset(
        "Five bad pairs",
        "5 of 200 pairs lie at 10 and 20: the U-statistic follows them, and of 11 blocks enough are clean to outvote"
        " them.",
        {},
        _BESIDE,
        at_most=0.25,
    ),
    Preset(
        "One outlier",
        "A single reading of 100 among 200 of Q's: the average listens to everybody, the median asks the blocks to"
        " vote.",
        {"planted": "Q", "outliers": 1, "distance": 100.0},
        _BESIDE,
        at_most=0.1,
    ),
    Preset(
        "Identical?!",
        "One outlier in each sample, and the U-statistic is far below 0: a program that clips it reports equal laws.",
        {"outliers": 1, "distance": 2000.0},
        "U",
        at_most=-1e6,
    ),
    Preset(
        "Too few blocks",
        "5 spoilt pairs and 5 blocks: most blocks hold one, so the median is theirs. Move Q to 11.",
        {"blocks": 5, "distance": 2000.0},
        "MONK's error beside that of 11 blocks",
        at_least=1e3,
    ),
    Preset(
        "A bounded kernel",
        "The same pairs at 2000 and 4000 under the RBF kernel: a far point counts for no more than any other, and the"
        " plain statistic has nothing to fear.",
        {"kernel": "RBF", "distance": 2000.0},
        "U's error",
        at_most=0.15,
    ),
    Preset(
        "Price of safety",
        "Equal laws, clean data, the RBF kernel and 41 blocks: here MONK loses. Small blocks are noisy, and the largest"
        " of what many directions say is above 0.",
        {"kernel": "RBF", "shift": 0.0, "outliers": 0, "blocks": 41, "seed": 2},
        _BESIDE,
        at_least=1.3,
    ),
    Preset(
        "The fast way loses",
        "The paper's BCD-Fast on clean data with 21 blocks: it stalls, and stays far below the truth.",
        {"method": "bcd-fast", "outliers": 0, "blocks": 21},
        _BESIDE,
        at_least=2.0,
    ),
    Preset(
        "Pareto(3)",
        "Outliers that nobody planted: one heavy-tailed law twice, so the true MMD is 0. U follows the largest points.",
        {"laws": "pareto", "outliers": 0},
        _BESIDE,
        at_most=0.7,
    ),
)
