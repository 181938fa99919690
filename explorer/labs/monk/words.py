"""The MONK lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

import numpy as np

from explorer.estimators.medianofmeans import blocks_needed, level_of
from explorer.workbench.numbers import number, percent, signed

from .lab import second_factor
from .result import ETA, VOTES

EXPLAINS = """<div class='caption'>
<p><b>Left.</b> Each pair has a point in P's strip and one in Q's. A click in a strip puts an outlier there, in place of
that sample's next row; drag it, also into the other strip, and remove it by the Delete key or the button. The planted
ones, which the sliders move, may be dragged as well: all move together. A triangle is an outlier beyond the canvas.
Below are the blocks: hatched ones hold an outlier, the framed one is the median. The bar counts the votes; its mark is
the half.</p>
<p><b>Right.</b> The witness's mean over each block, in order, on a signed logarithmic axis that is straight near 0. The
ring is the median block, the vertical line MONK's value, the dotted line the truth; crosses are blocks with an outlier.
The grey cross is the root of the U-statistic, with its sign: U estimates MMD², is unbiased, and may be negative.
Nothing is clipped.</p>
<p><b>Small pictures.</b> <i>Cliff</i>: the error over the number of planted outliers in further samples, median and
quartiles; triangles mark how many contaminated pairs can turn a vote of so many blocks. <i>Quantiles</i>: how large the
error of the kernel mean itself gets, for the plain average and for the median of means of eq. (5); in the hatched part
Theorem 1 promises nothing, as it needs more than N/2 blocks, and its constants are recalled, not read. <i>Steps</i>:
the paper's iterations. <i>Embedding</i>: both estimates of the kernel mean beside the true one.</p>
<p><b>Choices.</b> MONK by direction takes the best of the directions to the block means, the median over 8 partitions;
BCD and BCD-Fast are the paper's Algorithms 1 and 2. Lepski's Q is the least number of blocks whose interval meets those
of all larger ones, doubled, as the bias is largest there. Re-block permutes the pairs anew.</p></div>"""

METHODS = {"direction": "MONK", "bcd": "MONK by BCD", "bcd-fast": "MONK by BCD-Fast"}
PAIRS_OF = {
    "normals": "Two normal distributions",
    "paper": "The paper's two normal distributions",
    "pareto": "Pareto's distribution of shape 3, twice",
}
HOW = {
    "direction": "Here f is sought among the directions to the block means, on 8 partitions whose median is shown.",
    "bcd": "Here f is sought by the paper's Algorithm 1, which permutes the pairs at every iteration; shown is the mean"
    " of the last two thirds.",
    "bcd-fast": "Here the paper's Algorithm 2 compares each block with itself alone: once half of them have had their"
    " turn it stalls, and its value is too small.",
}


def strokes(result):
    """What the legend says: (words, role, dash or mark)."""
    monk = ("BCD-Fast", "monkfast", "7 4") if result.lab.method == "bcd-fast" else ("MONK", "monk", "")
    return (
        ("U-statistic, plain average", "kme", ""),
        monk,
        ("truth", "truth", "2 3"),
        ("point of P", "kme", "filled"),
        ("of Q", "kme", "hollow"),
        ("outlier", "outlier", "cross"),
    )


def headline(result, row):
    """What each estimate is, in HTML: one sentence, and one line that says how far to trust it."""
    estimate, name = result.estimate_at(row), METHODS[result.lab.method]
    u = f"estimates an MMD of <b>{signed(result.u_mmd)}</b>"
    badge = ""
    if result.U < 0:
        u = f"is <span class='name'><b>{signed(result.U)}</b>, below 0</span>"
        badge = (
            " <span class='badge'>negative</span> MMD² cannot be negative. Programs that clip it to 0 would report"
            " identical distributions."
        )
    says = (
        f"{_pairs(result)} The <span class='name'>U-statistic</span> {u}; <span class='name'>{name}</span> with "
        f"{_blocks(len(estimate.blocks))} estimates <b>{signed(estimate.value)}</b>. "
        f"The true MMD is <b>{signed(result.truth)}</b>."
    )
    return f"<div class='says'>{says}</div><div class='trust'>{vote(result, row)}{badge}</div>"


def _blocks(blocks):
    return "1 block" if blocks == 1 else f"{blocks} blocks"


def _pairs(result):
    """How many pairs hold an outlier."""
    count, n = result.outliers, result.lab.n
    return f"{count} contaminated pair{'' if count == 1 else 's'} of {n}." if count else f"{n} clean pairs."


def vote(result, row):
    """How many blocks are clean, and what follows from that."""
    bad = result.contaminated_blocks(row)
    blocks, clean = len(bad), int((~bad).sum())
    if blocks == 1:
        return "One block is no vote: MONK is then the biased statistic itself, the distance of the two plain averages."
    if not bad.any():
        return f"All {blocks} blocks are clean."
    counted = {0: f"None of the {blocks} blocks is clean", 1: f"Only 1 of the {blocks} blocks is clean"}
    share = counted.get(clean, f"{clean} of the {blocks} blocks are clean")
    if result.lab.method != "direction":
        ends = "a majority" if 2 * clean > blocks else "no majority, so outliers can carry the median away"
        return f"{share} after the last permutation: {ends}."
    good, of = result.majorities(row)
    ends = "the vote holds" if 2 * good > of else "outliers can carry the median away"
    return f"{share}, and {good} of {of} partitions into blocks have a clean majority: {ends}."


def compared(result):
    """How far MONK is from the truth beside the U-statistic, in words."""
    monk, u = result.monk_error, result.u_error
    if monk > u:
        return f"{number(float(f'{monk / u:.2g}'))} times as far from the truth as the U-statistic" if u else "further"
    return f"{percent(1 - monk / u)} closer to the truth than the U-statistic" if u else "as close"


def caption(result):
    """What the blocks do, with this state's numbers in it."""
    lab, Q = result.lab, result.lab.blocks
    survives = (Q - 1) // 2
    bears = f"survives {survives} contaminated pair{'' if survives == 1 else 's'} wherever they fall"
    eta = f"{float(level_of(Q)):.2g}"
    heavy = ""
    if result.kernel.growth >= result.P.tail:
        heavy = " Under this kernel E k(x, x) is infinite here, so the theorem's own assumption fails."
    return (
        f"The pairs are cut into Q = {Q} blocks at random. A witness f has the mean difference f(x) − f(y) in each of"
        " them, and MONK takes the f whose <b>median</b> over blocks is largest: MMD<sub>Q</sub> = sup over ‖f‖ ≤ 1 of"
        f" med<sub>q</sub> (mean f(x) − mean f(y)), paper 004, eq. (6). A median of {_blocks(Q)} <b>{bears}</b>;"
        f" the plain mean survives none. {HOW[lab.method]} Theorem 1 of the paper holds with probability 1 − η, and"
        f" {_blocks(Q)} stand for η = {eta} at best. {PAIRS_OF[lab.laws]}, N = {lab.n} pairs, seed {lab.seed}.{heavy}"
    )


def told(result):
    """The words that stories put their numbers in."""
    return {
        "u": signed(result.u_mmd),
        "U": signed(result.U),
        "monk": signed(result.estimate.value),
        "truth": signed(result.truth),
        "compared": compared(result),
        "vote": vote(result, result.row).rstrip("."),
    }


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    return [_canvas(result), _values(result), SMALL[result.lab.picture](result)]


def _canvas(result):
    lab, by_hand = result.lab, result.outliers - result.lab.outliers
    distances = {"P": lab.distance, "Q": second_factor(lab.planted) * lab.distance}
    sides = distances if lab.planted == "both" else (lab.planted,)
    where = " and ".join(f"{number(distances[side])} in {side}" for side in sides)
    planted = f" {lab.outliers} planted at {where}." if lab.outliers else ""
    hand = f" {by_hand} put by hand." if by_hand else ""
    return f"P's points above Q's. {_pairs(result)}{planted}{hand} {vote(result, result.row)}"


def _values(result):
    estimate = result.estimate
    values = estimate.block_values
    least, most, median = (signed(float(v)) for v in (values.min(), values.max(), values[estimate.median_block]))
    return (
        f"The witness's means over {_blocks(len(values))} lie from {least} to {most}; their median is {median}. "
        f"{METHODS[result.lab.method]} estimates {signed(estimate.value)}, the U-statistic's root is"
        f" {signed(result.u_mmd)}, the truth {signed(result.truth)}."
    )


def _cliff(result):
    study = result.cliff
    if study is None:
        return "Other samples with more and more outliers are being drawn."
    names = {"U": "U is wrong by", **{Q: f"{_blocks(Q)} by" for Q in VOTES if Q in study.errors}}
    last = [f"{words} {number(float(study.quantile(name, 0.5)[-1]))}" for name, words in names.items()]
    return (
        f"The median error of {study.count} further samples over the number of planted outliers: with"
        f" {study.counts[-1]} of them {', '.join(last)}."
    )


def _quantiles(result):
    study, bound = result.quantiles, result.promise.at_eta
    if study is None:
        return "Other samples are being drawn."
    promise = f"stays below {number(bound)}"
    if not np.isfinite(bound):
        promise = f"is nothing: it needs {number(float(blocks_needed(ETA)))} blocks and more than twice as many points"
    names = {name: f"the median of {name} means" for name in study.errors} | {"KME": "the plain average"}
    far = [f"{words} is {number(float(study.quantile(name, 1 - ETA)))} away" for name, words in names.items()]
    return (
        f"Of {study.count} further samples one in {round(1 / ETA)} is worse than this: {', '.join(far)}. "
        f"What Theorem 1 promises for that {promise}."
    )


def _steps(result):
    steps, iteration = result.steps, result.lab.iteration
    return (
        f"{len(steps)} iterations; after iteration {iteration} the median block mean is"
        f" {signed(steps[iteration - 1].value)}, after the last {signed(steps[-1].value)}."
    )


def _embedding(result):
    e, blocks = result.embeddings, result.lab.blocks
    return (
        f"The kernel mean as a function of the first coordinate: the plain average is {number(e.kme_error)} away from"
        f" the true one in the kernel's space, the median of {blocks} block mean{'' if blocks == 1 else 's'}"
        f" {number(e.median_error)}."
    )


SMALL = {"cliff": _cliff, "quantiles": _quantiles, "steps": _steps, "embedding": _embedding}
