"""The essay "Break the mean": how far outliers move an average, a kernel mean, and a vote of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.labs.monk.figures import block_means, pairs_with_outliers
from explorer.svg import thumbnail

from .essay import Essay, draw, result_of
from .readings import (
    COUNT,
    CROWD,
    PLACE,
    SLID,
    STEP,
    Readings,
    clean,
    on_the_line,
    step_lengths,
    sum_of_bumps,
)
from .votes import BLOCKS, OUTLIERS, SAMPLES, errors, over_blocks, over_outliers, price

if TYPE_CHECKING:
    from explorer.markup import Markup

EQUAL = {"kernel": "RBF", "shift": 0.0}  # the vote costs most if there is no difference, and the kernel is robust
FAR = 1000.0  # °C
LOST = {"planted": "Q", "outliers": 1, "distance": 100.0}  # a decimal point is lost in one reading of Q
VOTES, FEW, LEAST, MANY, DEAR = (1, 3, 5, 7, 9, 11), 5, 11, 21, 41  # numbers of blocks
GONE = (0.1, 0.3, 1.0, 3.0, 10.0, 100.0, 1000.0)  # °C, stops of the picture of steps
COUNTS = (0, 1, 2, 3, 5, 6, 8, 11)  # numbers of outliers in the picture of the vote that breaks


def prose_values() -> Mapping[str, Any]:
    """Return the values that the prose names."""
    start, end, far = Readings(), Readings([SLID[-1]]), Readings([FAR])
    crowd, state, lost = Readings([CROWD] * (COUNT // 2)), result_of("monk"), result_of("monk", **LOST)
    some, none, equal = (
        dict(zip(BLOCKS, each, strict=True)) for each in (errors().some, errors().none, errors(**EQUAL).none)
    )
    return {
        "count": COUNT,
        "place": PLACE,
        "end": SLID[-1],
        "far": FAR,
        "share": 1 / COUNT,
        "average": start.average,
        "average_end": end.average,
        "average_far": far.average,
        "median": start.median,
        "median_far": far.median,
        "moved": f"{end.step:.3f}",
        "step": f"{STEP:.3f}",
        "moved_far": f"{far.step:.3f}",
        "half": COUNT // 2,
        "crowd_at": CROWD,
        "crowd": f"{crowd.step:.3f}",
        "crowd_most": f"{COUNT // 2 * STEP:.3f}",
        "pairs": state.lab.n,
        "outliers": OUTLIERS,
        "truth": state.truth,
        "u": state.u_mmd,
        "monk": state.estimate.value,
        "blocks": LEAST,
        "lost_at": LOST["distance"],
        "u_lost": lost.u_mmd,
        "one": _vote(1).estimate.value,
        "votes": FEW,
        "few": _vote(FEW).estimate.value,
        "few_bad": int(_vote(FEW).contaminated_blocks().sum()),
        "lost": FEW // 2 + 1,
        "lost_more": LEAST // 2 + 1,
        "lost_most": MANY // 2 + 1,
        "many": MANY,
        "most": BLOCKS[-1],
        "dear": DEAR,
        "some_least": some[LEAST],
        "some_many": some[MANY],
        "some_most": some[BLOCKS[-1]],
        "none_one": none[1],
        "none_most": none[BLOCKS[-1]],
        "equal_one": equal[1],
        "equal_dear": equal[DEAR],
        "equal_u": errors(**EQUAL).u,
        "samples": SAMPLES,
    }


def _vote(blocks):
    return result_of("monk", blocks=blocks)


def _slides(picture):
    """Draw a picture of the readings while one moves."""
    return [draw(picture, Readings([at])) for at in (float(clean()[-1]), *SLID)]


def cover() -> Markup:
    """Draw the kernel mean after one reading has moved away."""
    return thumbnail(sum_of_bumps, Readings([SLID[3]]), "A bump that leaves a kernel mean")


SCENES = {
    "slide": lambda: _slides(on_the_line),
    "bumps": lambda: _slides(sum_of_bumps),
    "steps": lambda: [draw(step_lengths, gone) for gone in GONE],
    "crowd": lambda: [draw(sum_of_bumps, Readings([CROWD] * moved)) for moved in range(1, COUNT // 2 + 1)],
    "pairs": lambda: [draw(pairs_with_outliers, result_of("monk", outliers=count)) for count in (1, 2, 3, 4, OUTLIERS)],
    "few": lambda: [draw(block_means, _vote(blocks)) for blocks in VOTES if blocks <= FEW],
    "vote": lambda: [draw(block_means, _vote(blocks)) for blocks in VOTES if blocks > FEW],
    "breaks": lambda: [draw(over_outliers, (result_of("monk").cliff, count)) for count in COUNTS],
    "number": lambda: [draw(over_blocks, (errors(), blocks)) for blocks in (1, 5, 9, LEAST, MANY, BLOCKS[-1])],
    "price": lambda: [draw(price, (errors(**EQUAL), blocks)) for blocks in (1, FEW, LEAST, MANY, DEAR)],
}

ESSAY = Essay(
    Path(__file__).with_name("break-the-mean.md"),
    SCENES,
    cover,
    prose_values,
    lab="monk",
    preset="Five bad pairs",
    lesson=5,
    names=("MedianOfMeans", "monk_mmd", "monk_test", "contaminate"),
)
