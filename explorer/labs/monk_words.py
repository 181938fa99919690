"""The MONK lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

from explorer.estimators.medianofmeans.bound import level_of
from explorer.workbench.numbers import number, percent, signed

from .monk_laws import LAWS

METHODS = {"direction": "MONK", "bcd": "MONK by BCD", "bcd-fast": "MONK by BCD-Fast"}
LAWS_SAID = dict(
    zip(LAWS, ("two normal laws", "the paper's two normal laws", "Pareto's law of shape 3, twice"), strict=True)
)
HEAVY = ("POLY2", "POLY3")  # kernels with fourth moments and more, which Pareto's law of shape 3 has not


def blocks_said(blocks):
    """So many blocks, in words."""
    return "1 block" if blocks == 1 else f"{blocks} blocks"


def spoilt_said(result):
    """How many pairs are spoilt, in words."""
    count, n = result.outliers, result.lab.n
    return f"{count} spoilt pair{'' if count == 1 else 's'} of {n}." if count else f"{n} clean pairs."


def headlines(result):
    """The headline at every row of the tables."""
    return [headline(result, row) for row in range(len(result.stops))]


def headline(result, row):
    """What each estimate says, in HTML: one sentence, and one line that says how far to trust it."""
    found, name = result.estimate_at(row), METHODS[result.lab.method]
    u = (
        f"says an MMD of <b>{signed(result.u_mmd)}</b>"
        if result.U >= 0
        else f"is <span class='name'><b>{signed(result.U)}</b>, below 0</span>"
    )
    says = (
        f"{spoilt_said(result)} The <span class='name'>U-statistic</span> {u}; <span class='name'>{name}</span> with "
        f"{blocks_said(len(found.blocks))} says <b>{signed(found.value)}</b>. "
        f"The true MMD is <b>{signed(result.truth)}</b>."
    )
    return f"<div class='says'>{says}</div><div class='trust'>{vote(result, row)}{_negative(result)}</div>"


def _negative(result):
    if result.U >= 0:
        return ""
    return (
        " <span class='badge'>negative</span> No MMD has such a square; clipped to 0, as many programs do, it would say"
        " that the laws are identical."
    )


def vote(result, row):
    """How many blocks are clean, and what follows from that."""
    bad = result.spoilt_blocks(row)
    blocks, clean = len(bad), int((~bad).sum())
    if blocks == 1:
        return "One block is no vote: MONK is then the biased statistic itself, the distance of the two plain averages."
    if not bad.any():
        return f"All {blocks} blocks are clean."
    if result.lab.method != "direction":
        ends = "a majority" if 2 * clean > blocks else "no majority, so outliers can carry the median away"
        return f"{clean} of the {blocks} blocks of the last shuffle are clean: {ends}."
    good, of = result.majorities(row)
    ends = "the vote holds" if 2 * good > of else "outliers can carry the median away"
    return (
        f"{clean} of the {blocks} blocks drawn are clean, and {good} of {of} such partitions have a clean majority:"
        f" {ends}."
    )


def compared(result):
    """How far MONK is from the truth beside the U-statistic, in words."""
    monk, u = result.error(result.estimate.value), result.error(result.u_mmd)
    if monk > u:
        return f"{number(float(f'{monk / u:.2g}'))} times as far from the truth as the U-statistic" if u else "further"
    return f"{percent(1 - monk / u)} closer to the truth than the U-statistic" if u else "as close"


def caption(result):
    """What the blocks do, with this state's numbers in it."""
    lab, Q = result.lab, result.lab.blocks
    survives = (Q - 1) // 2
    needs = f"survives {survives} spoilt pair{'' if survives == 1 else 's'} wherever they fall"
    eta = f"{float(level_of(Q)):.2g}"
    return (
        f"The pairs are cut into Q = {Q} blocks at random. A witness f has the mean difference f(x) − f(y) in each of"
        " them, and MONK takes the f whose <b>median</b> over blocks is largest: MMD<sub>Q</sub> = sup over ‖f‖ ≤ 1 of"
        f" med<sub>q</sub> (mean f(x) − mean f(y)), paper 004, eq. (6). A median of {blocks_said(Q)} <b>{needs}</b>;"
        f" the plain mean survives none. {_how(lab)} Theorem 1 of the paper holds with probability 1 − η, and"
        f" {blocks_said(Q)} stand for η = {eta} at best. {LAWS_SAID[lab.laws][0].upper()}{LAWS_SAID[lab.laws][1:]}, N ="
        f" {lab.n} pairs, seed {lab.seed}.{_remark(result)}"
    )


def _how(lab):
    if lab.method == "direction":
        return "Here f is sought among the directions to the block means, on 8 partitions whose median is shown."
    if lab.method == "bcd":
        return (
            "Here f is sought by the paper's Algorithm 1, which shuffles the pairs at every iteration; shown is the"
            " mean of the last two thirds."
        )
    return (
        "Here the paper's Algorithm 2 compares each block with itself alone: once half of them have had their turn it "
        "stalls, and its value is too small."
    )


def _remark(result):
    if result.lab.laws == "pareto" and result.lab.kernel in HEAVY:
        return " Under this kernel E k(x, x) is infinite here, so the theorem's own assumption fails."
    return ""


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
