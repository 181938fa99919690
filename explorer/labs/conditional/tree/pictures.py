"""Pictures of the tree: the belief at every node with its handle, and the means compared with the exact ones."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets import NODES, TREE
from explorer.languages import translate
from explorer.marks import Axis, ReferenceLine, SecondaryPicture, Sources, curve, dots, rings
from explorer.marks.profiles import HEIGHT, normal
from explorer.printing import format_number, join_list
from explorer.types import Matrix, Vector

from .beliefs import PLACES

if TYPE_CHECKING:
    from explorer.labs.conditional.result import ConditionalResult

    from .beliefs import Beliefs


ROWS = {"a": 4.0, "c": 3.0, "b": 2.0, "d": 1.0, "e": 0.0}  # height of each node's line: children below their parent
HEIGHTS = np.array([ROWS[node] for node in NODES])
TICKS = {height: node for node, height in ROWS.items()}
OPEN = 3.15  # position of the handle of a node that is not observed
UP, MOST = 1.2, 0.92  # height of a density of 1, and largest drawn height, as shares of the distance between lines


def ridges(densities: Matrix) -> dict[str, Vector]:
    """Return densities at PLACES (5, g), each above the line of its node, as one curve with gaps."""
    y = HEIGHTS[:, None] + np.minimum(UP * np.maximum(densities, 0.0), MOST)
    gap = np.full((len(y), 1), np.nan)
    x = np.tile(PLACES, (len(y), 1))
    return {"x": np.hstack([x, gap]).ravel(), "y": np.hstack([y, gap]).ravel()}


def tree_words(result: ConditionalResult) -> str:
    """Return a sentence with the observed values."""
    seen = join_list(f"{node} = {format_number(value)}" for node, value in result.lab.evidence.items())
    return translate("Observed: {}.", seen)


@SecondaryPicture(
    slot="main",
    stage="believed",
    table_is_complete=False,
    height=HEIGHT,
    title="The belief at every node of the tree",
    x=Axis("value", (-3.5, 3.5), {v: f"{v}".replace("-", "−") for v in range(-3, 4)}),
    y=Axis("node", (-0.25, 5.0), TICKS),
    marks=(
        curve("links", "kme", width=1.5, alpha=0.7, follows_slider=True, label="neighbours in the tree"),
        curve(
            "exact", "truth", width=2, dash="dotted", follows_slider=True, is_story_answer=True, label="exact belief"
        ),
        curve("belief", "skmse", width=2.2, follows_slider=True, is_story_answer=True, label="kernel belief"),
        dots("means", "skmse", size=9, fill=0.9, follows_slider=True, is_story_answer=True, label="its mean"),
        dots("grips", "monkfast", marker="diamond", size=18, fill=0.1, width=1.5, follows_slider=True),
        dots("seen", "monkfast", marker="diamond", size=18, fill=0.8, width=2, follows_slider=True, label="observed"),
    ),
    description=tree_words,
)
def tree(result: ConditionalResult, believed: Beliefs) -> Sources:
    """Draw the belief at every node, its mean linked to those of its neighbours, and the observed values."""
    told, exact = result.lab.evidence, result.exact_tree
    blur = result.of_nodes.bandwidth**2
    normals = [normal(PLACES, m, (v + blur) ** 0.5) for m, v in zip(exact.means, exact.variances, strict=True)]
    means = np.clip(believed.means, *tree.x.range)
    edges = np.array([[NODES.index(parent), NODES.index(child)] for parent, child in TREE])
    gap = np.full((len(edges), 1), np.nan)
    seen = [i for i, node in enumerate(NODES) if node in told]
    # an observed node has a value, not a density
    shown = np.where([[node in told] for node in NODES], np.nan, believed.densities)
    grips = np.array([np.clip(told.get(node, OPEN), *tree.x.range) for node in NODES])
    return {
        "belief": ridges(shown),
        "exact": ridges(np.where(np.isnan(shown), np.nan, normals)),
        "links": {
            "x": np.hstack([means[edges], gap]).ravel(),
            "y": np.hstack([HEIGHTS[edges], gap]).ravel(),
        },
        "means": {"x": means, "y": HEIGHTS},
        "seen": {"x": grips[seen], "y": HEIGHTS[seen]},
        "grips": {"x": grips, "y": HEIGHTS},
    }


@SecondaryPicture(
    choice="tree",
    slot="beside",
    stage="believed",
    table_is_complete=False,
    height=250,
    title="Means of the beliefs",
    x=Axis("mean of the belief", (-3.5, 3.5), tree.x.ticks),
    y=Axis("node", (-0.5, 4.5), TICKS),
    background=(ReferenceLine("kme", x=0),),
    marks=(
        dots("kernel", "skmse", size=11, fill=0.8, follows_slider=True, is_story_answer=True, label="kernel belief"),
        rings("exact", "truth", size=15, width=2, follows_slider=True, is_story_answer=True, label="exact belief"),
    ),
)
def tree_means(result: ConditionalResult, believed: Beliefs) -> Sources:
    """Draw the means of the beliefs, compared with the exact ones."""
    low, high = tree_means.x.range
    return {
        "kernel": {"x": np.clip(believed.means, low, high), "y": HEIGHTS},
        "exact": {"x": np.clip(result.exact_tree.means, low, high), "y": HEIGHTS},
    }


TREES = (tree, tree_means)
