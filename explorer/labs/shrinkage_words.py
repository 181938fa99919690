"""The Shrinkage lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from html import escape

from explorer.estimators import james_stein_risk

from .moved import places
from .numbers import number, percent


def headlines(result):
    """The headline at every row of the λ-tables."""
    return [headline(result, row) for row in range(len(result.simple.lams))]


def headline(result, row):
    """What shrinking does here, in HTML: one sentence, and one line that says how far to trust it."""
    simple, flexible = result.gain(result.simple, row), result.gain(result.flexible, row)
    lam, own = f"λ = {number(result.simple.lams[row])}", result.flexible_words(row)
    if row == len(result.simple.lams) - 1:
        where = f"Chosen by leave-one-out ({lam} and {own}), "
    else:
        where = f"At {lam}, " if own == lam else f"At {lam}, {own}, "
    estimated = "" if result.law is not None else "an estimated "
    how, preposition, joint = compared(simple)
    towards = "" if result.blob is None else " towards the blob"
    says = (
        f"<span class='name'>S-KMSE</span>{towards} is {estimated}<b>{how}</b> {preposition} the true mean {joint} the "
        f"plain average, <span class='name'>{result.flexible_name}</span> <b>{compared(flexible)[0]}</b>."
    )
    if result.law is None:
        trust = (
            f"Estimated by leaving one out: nobody knows the law behind {escape(result.lab.file or result.lab.source)},"
            " so there is no exact loss here."
        )
    else:
        trust = _trust(result, row) + _wins(result, row)
    return f"<div class='says'>{where}{says}</div><div class='trust'>{trust}{_held(result)}</div>"


HELD = {
    "sum-to-one": " Weights that sum to one make S-KMSE the plain average again.",
    "simplex": (
        " On the simplex F-KMSE is the plain average, and S-KMSE the mixture of the points that is nearest to its free "
        "estimate."
    ),
}


def _held(result):
    """What becomes of the estimates whose weights are held to something."""
    return HELD.get(result.lab.weights, "") if result.blob is None else ""


def compared(gain):
    """A gain in words, with the two small words that follow: ("26 % closer", "to", "than")."""
    if math.isnan(gain):
        return "without weights that sum to one", "to", "than"
    if round(100 * gain, 1) == 0:
        return "no closer", "to", "than"
    if gain <= -1:
        return f"{number(float(f'{1 - gain:.2g}'))} times as far", "from", "as"
    return (f"{percent(gain)} closer", "to", "than") if gain > 0 else (f"{percent(gain)} further", "from", "than")


def _trust(result, row):
    lab = result.lab
    if lab.moved:
        outliers = f" {lab.outliers} of its rows are outliers." if lab.outliers else ""
        count = len(places(lab.moved))
        return (
            f"Squared RKHS distance on this sample, {count} of whose points {'was' if count == 1 else 'were'} moved by"
            f" hand.{outliers} The truth stays the clean law."
        )
    if lab.outliers:
        return (
            f"Squared RKHS distance on this sample. {lab.outliers} of its {lab.n} rows are outliers; "
            "the truth is the clean law, without them."
        )
    best = result.expected_gain
    if best is None:
        return "Squared RKHS distance on this sample."
    average = _average(result, row)
    auto = row == len(result.simple.lams) - 1
    held = "this λ, held," if auto else "this λ"
    return (
        f"Squared RKHS distance on this sample. Averaged over samples {held} brings "
        "<span class='name'>S-KMSE</span> "
        f"{compared(average)[0]}; the best λ brings {percent(best)}."
    )


def caption(result):
    """The law behind the picture, with this state's numbers in it, and what there is to remark."""
    remark = f" {result.remark[0].upper()}{result.remark[1:]}" if result.remark else ""
    return _caption(result) + remark


def _caption(result):
    where = f"n = {result.lab.n}, one sample, seed {result.lab.seed}."
    share = result.expected_gain
    if share is None or share == 0:
        return (
            "Each sample gives a noisy mean in feature space. Shrinking scales the noise by (1 − α)², and adds a bias"
            " of α² times the squared distance from the true mean to what is shrunk towards. Here the mean of k(x, x)"
            f" is {number(result.scale)}; {where}"
        )
    harm = f"any α beyond {percent(2 * share)} does harm" if share < 0.5 else "no α does harm"
    keeps, bias = "(1 − α) of it", "‖μ‖²"
    if result.blob is not None:
        keeps, bias = "(1 − α) of it and α of f*, the blob's own kernel mean", "‖f* − μ‖²"
    return (
        f"Each sample gives a noisy mean in feature space. S-KMSE takes {keeps}, α = λ/(1 + λ): the noise falls by "
        f"(1 − α)², and a bias of α²{bias} comes in. The best α is Δ/(Δ + {bias}) = "
        f"<b>{percent(share)}</b>, which is also what it gains on average, and {harm}. "
        f"Δ is the plain average's expected loss. {where}"
    )


NOISE = 0.6  # of the samples: an estimator that wins in fewer is not told apart from luck


def _wins(result, row):
    """In how many further samples each estimator wins, and a badge where that is no more than luck."""
    others = result.replicates
    if others is None:
        return ""
    paths = (("S-KMSE", "simple"), (result.flexible_name, "flexible"))
    wins = {name: others.wins(path, row) for name, path in paths}
    said = " and ".join(f"<span class='name'>{name}</span> in {count}" for name, count in wins.items())
    mean = " and ".join(compared(others.gain(path, row))[0] for _, path in paths)
    luck = max(wins.values()) < NOISE * others.count
    badge = " <span class='badge'>inside the noise</span>" if luck else ""
    return f" Of {others.count} further samples, {said} beat the plain average, on average {mean}.{badge}"


def _average(result, row):
    """S-KMSE's gain at a row, averaged over samples of the law."""
    parts = result.risk_parts()
    return 0.0 if parts is None else float(1 - parts[0][row] - parts[1][row])


def told(result):
    """The words that stories put their numbers in."""
    words = {
        name: " ".join(compared(result.gain(path))[:2]).removesuffix(" to").removesuffix(" from")
        for name, path in (("simple", result.simple), ("flexible", result.flexible))
    }
    words |= {"chosen": number(result.simple.chosen), "oracle": number(result.simple.best)}
    if result.lab.source == "gaussian":
        n, d, square = result.lab.n, result.lab.d, result.lab.d * result.lab.mean**2
        stein = 1 - james_stein_risk(square, d, variance=1 / n, positive=True) / (d / n)
        words["stein"] = compared(stein)[0]
    share = result.expected_gain
    if share is None:
        return words
    limit = 2 * share / (1 - 2 * share) if share < 0.5 else None
    harm = f"S-KMSE does harm from λ = {number(limit)} on" if limit else "no λ does harm"
    return words | {"best": percent(share), "harm": harm, "average": compared(_average(result, result.row))[0]}
