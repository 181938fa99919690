"""The essay "Break the mean": how far outliers move an average, a kernel mean, and a vote of blocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from explorer.labs.monk.figures import block_means, pairs_with_outliers
from explorer.printing import UNBROKEN, format_number
from explorer.svg import thumbnail

from .essay import Essay, Part, Scene, draw, result_of
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
        "place": _degrees(PLACE),
        "end": _degrees(SLID[-1]),
        "far": _degrees(FAR),
        "share": 1 / COUNT,
        "average": _degrees(start.average),
        "average_end": _degrees(end.average),
        "average_far": _degrees(far.average),
        "median": _degrees(start.median),
        "median_far": _degrees(far.median),
        "moved": f"{end.step:.3f}",
        "step": f"{STEP:.3f}",
        "moved_far": f"{far.step:.3f}",
        "half": COUNT // 2,
        "crowd_at": _degrees(CROWD),
        "crowd": f"{crowd.step:.2f}",
        "crowd_most": f"{COUNT // 2 * STEP:.2f}",
        "pairs": state.lab.n,
        "outliers": OUTLIERS,
        "truth": state.truth,
        "u": state.u_mmd,
        "monk": state.estimate.value,
        "blocks": LEAST,
        "lost_at": LOST["distance"],
        "u_lost": lost.u_mmd,
        "monk_lost": lost.estimate.value,
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


def _degrees(reading):
    return f"{format_number(float(reading))}{UNBROKEN}°C"


def _vote(blocks):
    return result_of("monk", blocks=blocks)


def _slides(picture):
    """Draw a picture of the readings while one moves."""
    return [draw(picture, Readings([at])) for at in (float(clean()[-1]), *SLID)]


def cover() -> Markup:
    """Draw the kernel mean after one reading has moved away."""
    return thumbnail(sum_of_bumps, Readings([SLID[3]]), "A bump that leaves a kernel mean")


ESSAY = Essay(
    key="break-the-mean",
    title="Break the mean",
    question="How far can a few wrong numbers move a mean, and which mean do they not move?",
    cover=cover,
    prose_values=prose_values,
    lab="monk",
    preset="Five bad pairs",
    lesson=5,
    names=("MedianOfMeans", "monk_mmd", "monk_test", "contaminate"),
    parts=(
        Part(
            "One reading is enough",
            """
Here are {count} readings of a thermometer, all near {place}. Their average is {average}. [One reading moves to the
right](#slide): somebody mistyped a digit. The average follows, by a tenth of each step. Once the reading is at {end}
the average is {average_end}, higher than every other reading. It describes none of them any more.

Nothing stops this. A reading of {far} makes the average {average_far}. One number out of {count} can put an average
anywhere, and so can one out of a million. It only has to go farther.

The *median*, the value in the middle, does not follow. It is {median} before and {median_far} after, because the
middle does not depend on how far away the ends lie. But a median needs an order. Points in the plane have none, and
neither have sentences, images, or rows of a table. Is there an average for them that one point cannot carry away?
""",
            (
                Scene(
                    "slide",
                    "One of {count} readings moves to {end}. The average follows it, the median stays.",
                    lambda: _slides(on_the_line),
                ),
            ),
        ),
        Part(
            "A mean made of bumps",
            r"""
Replace each reading by a bump around it. The bump of a reading $x_i$ is its *kernel* $k(x_i, x)$, which is 1 at the
reading and near 0 far from it. The average of all bumps is a curve, the *kernel mean* $\hat\mu(x) = \frac{1}{n}\sum_i
k(x_i, x)$.

[Let the same reading move again](#bumps). Its bump leaves the others. The curve sinks by at most {share} where the
bump was, and rises by as much where it arrives. After that, moving on changes only the place of one small hill.

Two such curves have a distance. In it every bump has length 1, and no two bumps are more than $\sqrt{2}$ apart. So
one reading moves the curve by at most $\sqrt{2}/n$, here {step}. This one has moved it by {moved}, as far as it can.
[Over all distances](#steps) the average moves in proportion to the reading. The kernel mean takes one step and stops:
even at {far} it has moved by {moved_far}. A kernel is called *bounded* if none of its
bumps is longer than some limit.
""",
            (
                Scene(
                    "bumps",
                    "The bump of one reading leaves the kernel mean, which moves by {moved} and no farther.",
                    lambda: _slides(sum_of_bumps),
                ),
                Scene(
                    "steps",
                    "The average moves in proportion to the reading. The step of the kernel mean ends at {step}.",
                    lambda: [draw(step_lengths, gone) for gone in GONE],
                ),
            ),
        ),
        Part(
            "A crowd is another matter",
            r"""
A bound for one point is no bound for many. [Move several readings to {crowd_at}](#crowd). Each takes its small step,
and the steps add up: a second hill grows, as high as its share of the readings. With {half} of {count} readings moved,
the kernel mean is {crowd} away from where it was, and $m$ of $n$ points can move it by $m\sqrt{2}/n$, here
{crowd_most}.

The curve is not wrong. Half of the readings do lie there, and nothing in the data shows which half is mistaken. A
robust method protects a majority from a minority. It cannot do more.
""",
            (
                Scene(
                    "crowd",
                    "Up to {half} of {count} readings move to {crowd_at}. The steps of a kernel mean add up.",
                    lambda: [draw(sum_of_bumps, Readings([CROWD] * moved)) for moved in range(1, COUNT // 2 + 1)],
                ),
            ),
        ),
        Part(
            "Kernels without a bound",
            """
Some kernels have no limit even for one point. The quadratic kernel $(1 + xy)^2$ compares means and mean squares, so a
point at {lost_at} counts with its square. Kernels for sequences grow with the length of the sequence.

The distance between the kernel means of two samples is called the *maximum mean discrepancy*, MMD. Here are [{pairs}
pairs of readings](#pairs), one of P and one of Q each. Under the quadratic kernel the true MMD of P and Q is {truth}.
Then {outliers} pairs go wrong. The usual estimate, the U-statistic, compares every point with every other and
averages. It gives {u}. If only one reading of Q becomes {lost_at}, it gives {u_lost}. It now measures the mistake.
""",
            (
                Scene(
                    "pairs",
                    "{pairs} pairs of readings. {outliers} of them go wrong, in P and in Q.",
                    lambda: [
                        draw(pairs_with_outliers, result_of("monk", outliers=count)) for count in (1, 2, 3, 4, OUTLIERS)
                    ],
                ),
            ),
        ),
        Part(
            "Let blocks vote",
            """
The median returns, in another role. Shuffle the pairs and cut them into $Q$ blocks. Each block estimates the
difference of P and Q from its own pairs, so an outlier affects only one block. Then take the median of the blocks.
This is the *median of means*, and the estimate of the MMD that is made with it is called MONK.

[Watch the number of blocks grow](#few). One block is the plain average, and MONK gives {one}. With {votes} blocks it
gives {few}, because {few_bad} of the {votes} have caught an outlier. [With {blocks} blocks](#vote) at most {outliers}
can be contaminated. The median block is a clean one, and MONK gives {monk}.
""",
            (
                Scene(
                    "few",
                    "Means of the blocks, in order. With {votes} blocks the median block is contaminated.",
                    lambda: [draw(block_means, _vote(blocks)) for blocks in VOTES if blocks <= FEW],
                ),
                Scene(
                    "vote",
                    "Means of the blocks, in order. With {blocks} blocks the median block is clean.",
                    lambda: [draw(block_means, _vote(blocks)) for blocks in VOTES if blocks > FEW],
                ),
            ),
        ),
        Part(
            "When the vote breaks",
            """
A vote needs a majority. Once {lost} of {votes} blocks are contaminated, they are the majority, so {lost} outliers can
break a vote of {votes} blocks. It takes {lost_more} to break {blocks} blocks and {lost_most} to break {many}. [In
repeated samples](#breaks) each line jumps at about that number. A vote often holds a little longer, because two
outliers may fall into the same block.

So the rule is: more than twice as many blocks as outliers. Nobody knows the number of outliers, but one can often say
that it is below some limit.
""",
            (
                Scene(
                    "breaks",
                    "Median error in {samples} samples. A vote of more blocks survives more outliers.",
                    lambda: [draw(over_outliers, (result_of("monk").cliff, count)) for count in COUNTS],
                ),
            ),
        ),
        Part(
            "How many blocks, and at what price",
            """
[Against {outliers} outliers](#number) the error falls sharply once most blocks are clean, and then it continues to
fall: {some_least} with {blocks} blocks, {some_many} with {many}, {some_most} with {most}. The smallest number that
survives is not the best. Nearly half of its blocks are contaminated, so its median is one of the largest clean
blocks.

Small blocks are noisy, and that is the price. Where P and Q clearly differ it hardly shows: without outliers the error
is {none_one} with one block and {none_most} with {most}. It shows [where P and Q are equal](#price), under a Gaussian
kernel. One block errs by {equal_one}, {dear} blocks by {equal_dear}, and the U-statistic by {equal_u}.

So use a bounded kernel if there is one. For numbers it is robust by itself, at the price of a bandwidth to choose,
and of power for differences that moments would show. The vote is for the other kernels.
""",
            (
                Scene(
                    "number",
                    "Root mean squared error in {samples} samples. With {outliers} outliers more blocks are better.",
                    lambda: [draw(over_blocks, (errors(), blocks)) for blocks in (1, 5, 9, LEAST, MANY, BLOCKS[-1])],
                ),
                Scene(
                    "price",
                    "P and Q are equal and the data are clean. The error grows with the number of blocks.",
                    lambda: [draw(price, (errors(**EQUAL), blocks)) for blocks in (1, FEW, LEAST, MANY, DEAR)],
                ),
            ),
        ),
    ),
)
