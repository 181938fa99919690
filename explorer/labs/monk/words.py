"""The MONK lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.estimators.medianofmeans import blocks_needed, level_of
from explorer.markup import markup
from explorer.printing import short
from explorer.workbench.formulas import equation
from explorer.workbench.numbers import number, percent, value_of
from explorer.workbench.prose import control, named, tries

from .lab import second_factor
from .means import ETA
from .verdict import METHODS, NAMES, of_own
from .verdict import told as verdict

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import MonkLabResult


EXPLAINS = markup("""<div class='caption'>
<p><b>The pairs.</b> Each pair has a point in P's strip, a disc, and one in Q's, a ring. A click in a strip puts an
outlier there, a cross, in place of that sample's next row; drag it, also into the other strip, or remove it by the
Delete key or the button. The planted ones, which the sliders move, are dragged together. A triangle lies beyond the
canvas.</p>
<p><b>The blocks.</b> The pairs are cut into blocks at random, so a block is no interval of x: point at a cell, or tap
it, and its pairs light up; point at a pair, and its block does. By the keyboard, tab to the cells and use the arrows.
They stand in the order of their means: hatched ones hold an outlier, the framed one in the middle is the median.</p>
<p><b>Block means.</b> The witness's mean over each block, on a signed logarithmic axis that is straight near 0. All
numbers are an MMD, not its square. The ring is the median block, the vertical line MONK's value, the dotted line the
truth; crosses are blocks with an outlier. The grey cross is the U-statistic. It estimates MMD² without bias, so it may
be negative, and then it has no root: the cross lies in the hatched half of its row, as far from 0 as the root of its
size. Nothing is clipped.</p>
<p><b>Small pictures.</b> <i>Cliff</i>: the error over the number of planted outliers in new samples, median and
quartiles, or how far your own estimates move; triangles mark how many contaminated pairs can turn a vote of so many
blocks. <i>Quantiles</i>: how large the error of the kernel mean gets, by each estimator; in the hatched part Theorem 1
promises nothing, as it needs more than N/2 blocks, and its constants are recalled, not read. <i>Estimates</i>: the MMD
by each estimator in this sample. <i>Steps</i>: the paper's iterations. <i>Embedding</i>: estimates of the kernel mean
beside the true one.</p>
<p><b>Choices.</b> MONK by direction takes the best of the directions to the block means, the median over 8 partitions;
BCD and BCD-Fast are the paper's Algorithms 1 and 2. Lepski's Q is the least number of blocks whose interval meets those
of all larger ones, doubled, as the bias is largest there. Re-block permutes the pairs anew.</p></div>""")

PAIRS_OF = {"normals": "Two Gaussian distributions", "paper": "The paper's two Gaussian distributions",
            "pareto": "Pareto's distribution of shape 3, twice"}  # fmt: skip
CALLED = {"KME": "the plain average", "geometric": "the geometric median of means",
          "Huber": "the mean by Huber's loss", "Hampel": "that by Hampel's"}  # fmt: skip
UNKNOWN = "Nobody knows the true MMD of these pairs"
HOW = {
    "direction": "Here f is sought among the directions to the block means, on 8 partitions whose median is shown.",
    "bcd": "Here f is sought by the paper's Algorithm 1, which permutes the pairs at every iteration; shown is the mean"
    " of the last two thirds.",
    "bcd-fast": "Here the paper's Algorithm 2 compares each block with itself alone: once half of them have had their"
    " turn it stalls, and its value is too small.",
}


def headline(result: MonkLabResult, row: int) -> Markup:
    """What each estimate is, in HTML: one sentence, and one line that says how far to trust it."""
    if result.sides:
        bad = result.contaminated_blocks(row).any()
        return of_own(result, row, f"{_pairs(result)} {vote(result, row)}" if bad else "")
    estimate, method = result.estimate_at(row), result.lab.method
    u, again, trust = markup("MMD = <b>{}</b>", number(result.u_mmd)), "", vote(result, row)
    if result.U < 0:
        u, again = markup("<b>MMD² = {} &lt; 0 <span class='badge'>no root</span></b>", number(result.U)), "MMD = "
        if len(estimate.blocks) > 1 and not result.vote_holds(row):
            trust = f"MMD² cannot be negative. {trust}"
        else:
            trust = (
                "MMD² cannot be negative. Programs that clip it to 0 would report identical distributions."
                f" {clean_share(result, row)}."
            )
    truth = "" if result.truth is None else markup("; the truth is <b>{}</b>", number(result.truth))
    says = markup(
        "{} The <span class='name kme'>U-statistic</span> estimates {}, <span class='name {}'>{}</span>"
        " with {} {}<b>{}</b>{}.",
        _pairs(result),
        u,
        NAMES[method],
        METHODS[method],
        _blocks(len(estimate.blocks)),
        again,
        number(estimate.value),
        truth,
    )
    return markup("<div class='says'>{}</div><div class='trust'>{}</div>", says, trust)


def in_short(result: MonkLabResult) -> str:
    """The estimates beside the truth, for a title; nothing of samples of one's own, whose headline is short."""
    if result.sides:
        return ""
    plain = f"The U-statistic estimates {number(result.u_mmd)}" if result.U >= 0 else "The U-statistic is negative"
    truth = "" if result.truth is None else f", truth {number(result.truth)}"
    return f"{plain}, MONK {number(result.estimate_at(result.row).value)}{truth}"


def negative(result: MonkLabResult) -> str:
    """What a negative U-statistic is: it has no root."""
    return f"MMD² = {number(result.U)} < 0: no root"


def of_u(result: MonkLabResult) -> str:
    """What the U-statistic estimates, an MMD where it has a root."""
    if result.U < 0:
        return f"MMD² = {number(result.U)}, which is below 0 and has no root"
    return f"MMD = {number(result.u_mmd)}"


def of_estimates(result: MonkLabResult) -> dict[str, Any]:
    """name -> (where it lies on the signed axis, in words) of each estimate of the MMD in the picture."""
    if result.rivals is None:
        return {}
    u = negative(result) if result.U < 0 else number(result.u_mmd)
    values = {"MONK": result.estimate.value, **result.rivals}
    return {"U-statistic": (result.u_mmd, u), **{name: (value, number(value)) for name, value in values.items()}}


def _blocks(blocks):
    return "1 block" if blocks == 1 else f"{blocks} blocks"


def _pairs(result):
    """How many pairs hold an outlier."""
    count, n = result.outliers, result.lab.n
    if count:
        return f"{count} contaminated pair{'' if count == 1 else 's'} of {n}."
    return f"{n} clean pairs." if result.distributions else f"{n} pairs of {result.halves.called}."


def clean_share(result: MonkLabResult, row: int) -> str:
    """How many blocks are clean."""
    bad = result.contaminated_blocks(row)
    blocks, clean = len(bad), int((~bad).sum())
    if blocks == 1:
        return "One block is no vote"
    if not bad.any() and not result.distributions:
        return "Nobody knows which blocks are clean"
    counted = {0: f"None of the {blocks} blocks is clean", 1: f"Only 1 of the {blocks} blocks is clean"}
    return {**counted, blocks: f"All {blocks} blocks are clean"}.get(clean, f"{clean} of the {blocks} blocks are clean")


def vote(result: MonkLabResult, row: int) -> str:
    """How many blocks are clean, and what follows from that."""
    bad, share = result.contaminated_blocks(row), clean_share(result, row)
    if len(bad) == 1:
        return f"{share}: MONK is then the biased statistic itself, the distance of the two plain averages."
    if not bad.any():
        return f"{share}."
    good, of = result.majorities(row)
    ends = "the vote holds" if result.vote_holds(row) else "outliers can carry the median away"
    if result.lab.method == "direction":
        return f"{share}, and {good} of {of} partitions into blocks have a clean majority: {ends}."
    counted = f"all {of}" if good == of else f"{good} of the {of}"
    return (
        f"{share} after the last permutation, and in {counted} iterations that are averaged clean blocks are a"
        f" majority: {ends}."
    )


def compared(result: MonkLabResult) -> str:
    """MONK's error beside the U-statistic's, in words that follow its name."""
    monk, u = result.monk_error, result.u_error
    if monk is None or u is None:
        return "cannot be compared with the U-statistic, as nobody knows the truth"
    if not u:
        return "errs where the U-statistic is exact" if monk else "is as exact as the U-statistic"
    if monk > u:
        return f"has {number(float(f'{monk / u:.2g}'))} times the U-statistic's error"
    return f"has {percent(1 - monk / u)} less error than the U-statistic"


def caption(result: MonkLabResult) -> Markup:
    """What the blocks do, with this state's numbers in it."""
    lab, Q, heavy = result.lab, result.lab.blocks, ""
    bears = f"survives {(Q - 1) // 2} contaminated pair{'' if Q == 3 else 's'} wherever they fall"
    if result.distributions and result.kernel.growth >= result.P.tail:
        heavy = " Under this kernel E k(x, x) is infinite here, so the theorem's own assumption fails."
    return markup(
        "{}The pairs are cut into {} at random, and {} takes the f whose <b>median</b> over blocks is"
        " largest (paper 004, eq. (6)). A median of {} <b>{}</b>, {} none; Theorem 1 holds with"
        " probability 1 − η, and {} stand for η = {:.2g} at best. {} {}{}{}",
        _equation(result),
        control(f"Q = {_blocks(Q)}", "blocks"),
        named(METHODS[lab.method], NAMES[lab.method]),
        _blocks(Q),
        bears,
        named("the plain average", "kme"),
        _blocks(Q),
        float(level_of(Q)),
        HOW[lab.method],
        _source(result),
        heavy,
        tries(lab, ("21 blocks", {"blocks": 21}), ("the RBF kernel", {"kernel": "RBF"})),
    )


def _equation(result):
    """MONK's MMD, and what it is in this state."""
    role, Q = NAMES[result.lab.method], result.lab.blocks
    return equation(
        rf"\role{{{role}}}{{\mathrm{{MMD}}_Q}} = \sup_{{\|f\| \le 1}} \med_{{q \le {Q}}}",
        r"\left(\mathrm{mean}_{x \in B_q} f(x) - \mathrm{mean}_{y \in B_q} f(y)\right)",
        rf"\approx \role{{{role}}}{{{number(result.estimate.value)}}}",
    )


def _source(result):
    """Where the pairs come from, and how rows of one's own came to be pairs."""
    lab, sides = result.lab, result.sides
    if sides is None:
        return f"{PAIRS_OF[lab.laws]}, N = {lab.n} pairs, seed {lab.seed}."
    return f"N = {lab.n} pairs of {result.halves.called}. {sides.matched}"


def told(result: MonkLabResult) -> dict[str, str]:
    """The words that stories put their numbers in."""
    return {
        "u": of_u(result),
        "monk": number(result.estimate.value),
        "truth": "unknown" if result.truth is None else number(result.truth),
        "compared": compared(result),
        "vote": vote(result, result.row).rstrip("."),
    }


def canvas_words(result: MonkLabResult) -> str:
    """What is planted in the pairs, and what the vote makes of it."""
    lab, by_hand = result.lab, result.outliers - result.lab.outliers
    distances = {"P": lab.distance, "Q": second_factor(lab.planted) * lab.distance}
    sides = distances if lab.planted == "both" else (lab.planted,)
    first, names = result.axis, dict(zip("PQ", result.names, strict=True))
    where = " and ".join(f"{value_of(first, distances[side])} in {names[side]}" for side in sides)
    planted = f" {lab.outliers} planted at {where}." if lab.outliers else ""
    hand = f" {by_hand} put by hand." if by_hand else ""
    where = "" if result.sides is None else f" {result.sides.matched}"
    first, second = result.names
    along = f", along {short(result.axis.called)}" if result.sides else ""
    return (
        f"{first}'s points above {second}'s{along}. {_pairs(result)}{where}{planted}{hand} {vote(result, result.row)}"
    )


def strip_words(result: MonkLabResult) -> str:
    """Which blocks hold an outlier."""
    estimate, bad = result.estimate, result.contaminated_blocks()
    order = np.argsort(estimate.block_values, kind="stable")
    held = [str(i + 1) for i in np.flatnonzero(bad[order])]
    which = f"number{'' if len(held) == 1 else 's'} {', '.join(held)} of them" if held else "none of them"
    return f"{_blocks(len(bad))} in the order of their means; {which} hold{'s' if len(held) < 2 else ''} an outlier."


def values_words(result: MonkLabResult) -> str:
    """Both estimates, and what is known of the truth."""
    monk = f"{METHODS[result.lab.method]} estimates {number(result.estimate.value)}, the U-statistic {of_u(result)}"
    return f"{monk}. {verdict(result) if result.sides else _truth(result)}."


def _truth(result):
    return UNKNOWN if result.truth is None else f"The truth is {number(result.truth)}"


def quantiles_words(result: MonkLabResult) -> str:
    """What one in so many samples is worse than, and what the theorem promises for that."""
    study = result.quantiles
    if study is None:
        return "Further samples are being drawn." if result.distributions else f"{UNKNOWN}, so no errors are drawn."
    bound = result.promise.at_eta
    promise = f"stays below {number(bound)}"
    if not np.isfinite(bound):
        promise = f"is nothing: it needs {number(float(blocks_needed(ETA)))} blocks and more than twice as many points"
    names = {name: f"the median of {name} means" for name in study.errors} | CALLED
    far = [f"{words} is {number(float(study.quantile(name, 1 - ETA)))} away" for name, words in names.items()]
    worse = f"Of {study.count} new samples one in {round(1 / ETA)} is worse than this: {', '.join(far)}"
    return f"{worse}. What Theorem 1 promises for that {promise}."


def steps_words(result: MonkLabResult) -> str:
    """The medians at the present iteration and after the last."""
    steps, iteration = result.steps, result.lab.iteration
    if steps is None:
        return ""
    here, last = number(steps[iteration - 1].value), number(steps[-1].value)
    return (
        f"{len(steps)} iterations; after iteration {iteration} the median block mean is {here}, after the last {last}."
    )


def of_means(result: MonkLabResult) -> dict[str, str]:
    """name -> what the kernel mean by it is called in the picture, and how far it is from the true one."""
    called = {name: name for name in result.embeddings.values} | {"median": f"median of {result.lab.blocks}"}
    if result.truth is None:
        called["truth"] = ""
    return called | {name: f"{called[name]} {number(error)}" for name, error in result.embeddings.errors.items()}


def embedding_words(result: MonkLabResult) -> str:
    """How far each estimate is from the true kernel mean."""
    called = {**CALLED, "plain average": CALLED["KME"], "median": f"the median of {result.lab.blocks} means"}
    far = [f"{called[name]} is {number(error)} away" for name, error in result.embeddings.errors.items()]
    errors = f" From the true one, in the kernel's space, {', '.join(far)}." if far else ""
    along = short(result.axis.called) if result.sides else "the first coordinate"
    return f"The kernel mean of {result.names[result.side]} by each estimator, as a function of {along}.{errors}"
