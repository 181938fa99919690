"""The Shrinkage lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

from html import escape

import numpy as np

from explorer.workbench.by_hand import places
from explorer.workbench.numbers import compared, number, percent
from explorer.workbench.replicates import beaten

EXPLAINS = """<div class='caption'>
<p><b>Left.</b> The loss of an estimate is its squared distance, in the kernel's own space, to the true kernel mean. It
is drawn relative to the plain average (KME), so below 1 is better and the tinted zone above 1 is harm. Thick lines are
exact losses on this sample; dotted lines are leave-one-out scores on the same scale, which is all that one has in
practice. A filled dot is the λ that leave-one-out chooses, a hollow one the best λ. The vertical line is where you are.
+100 samples draws other samples of the same law: the bands hold 50 % and 90 % of their losses.</p>
<p><b>Right.</b> S-KMSE shrinks every weight by the same factor; F-KMSE shrinks each eigendirection of the Gram matrix
by γ/(γ + λ). So a point that stands alone loses weight, one in a crowd keeps it: compare its disc with the grey ring,
which is the plain average's weight 1/n. A disc without filling is a negative weight. Ticks are the Gram matrix's
eigenvalues. "Coefficients" shows how long the plain average is along each eigendirection, and what each estimator
leaves of it; "risk" shows S-KMSE's expected loss as what is left of the noise and, hatched, the squared bias that
shrinking costs.</p> <p><b>Choices.</b> S-KMSE may shrink to 0 or to a blob: the kernel mean of a normal law, as wide as
the sample's source, which you may drag. Other filters keep a different part of each eigendirection: iterated Tikhonov 1
− (λ/(γ + λ))², truncated SVD all from λ on and nothing below, and Landweber and the ν-method what they reach in so many
steps that they stop about at λ. Their leave-one-out score takes as many refits as there are points. Weights may be
divided by their sum, or held to the simplex of probabilities; λ is then still the choice for the free weights.</p>
<p><b>Triangles</b> and the number c beside them mark λ = c γ₀, γ₀ the smallest eigenvalue that is not 0: the λ that the
paper's first figure takes.</p>
<p>λ has one scale for all kernels: S-KMSE takes λ, F-KMSE takes λ times the mean of k(x, x). Outliers replace rows of
the
sample; the truth stays the clean law.</p></div>"""


def strokes(result):
    """What the legend says: (words, role, dash or mark)."""
    return (
        ("KME", "kme", ""),
        ("S-KMSE", "skmse", ""),
        (result.flexible_name, "fkmse", "7 4"),
        ("leave-one-out score", "fkmse", "2 3"),
        ("its choice", "fkmse", "filled"),
        ("best", "fkmse", "hollow"),
        ("c γ₀", "fkmse", "triangle"),
    )


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
        trust = (
            _trust(result, row)
            + stein_words(result)
            + beaten(result.replicates, row, {"simple": "S-KMSE", "flexible": result.flexible_name})
        )
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


def stein_words(result):
    """James and Stein's loss beside the plain average's, where the state has it; else empty."""
    stein = result.stein
    if stein is None:
        return ""
    average = "" if stein.risk is None else f", and {compared(stein.gain)[0]} on average"
    return f" <span class='name'>James-Stein</span> has {compared(1 - stein.loss)[0]}{average}."


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


def _average(result, row):
    """S-KMSE's gain at a row, averaged over samples of the law."""
    parts = result.risk_parts()
    return 0.0 if parts is None else float(1 - parts[0][row] - parts[1][row])


def told(result):
    """The words that stories put their numbers in."""
    words = {name: compared(result.gain(getattr(result, name)))[0] for name in ("simple", "flexible")}
    words |= {"chosen": number(result.simple.chosen), "oracle": number(result.simple.best)}
    if result.stein is not None:
        words["stein_here"] = compared(1 - result.stein.loss)[0]
        if result.stein.risk is not None:
            words["stein"] = compared(result.stein.gain)[0]
    share = result.expected_gain
    if share is None:
        return words
    limit = 2 * share / (1 - 2 * share) if share < 0.5 else None
    harm = f"S-KMSE does harm from λ = {number(limit)} on" if limit else "no λ does harm"
    return words | {"best": percent(share), "harm": harm, "average": compared(_average(result, result.row))[0]}


def twin(result):
    """One paragraph for each picture, for readers who do not see it."""
    return [_curves(result), _sample(result), _spectrum(result)]


def _curves(result):
    kind = "loss" if result.law is not None else "estimated loss"
    said = [_least(name, path) for name, path in (("S-KMSE", result.simple), (result.flexible_name, result.flexible))]
    return f"{kind.capitalize()} over λ, where the plain average is 1. {' '.join(said)}"


def _least(name, path):
    height, lams = path.height[:-1], path.lams[:-1]
    least = int(np.argmin(height))
    best = (lams[least], height[least]) if path.best is None else (path.best, path.best_loss)
    harm = np.flatnonzero(height > 1 + 1e-9)
    beyond = (
        f", and from λ = {number(lams[harm[0]])} on it does harm" if len(harm) and harm[-1] == len(lams) - 1 else ""
    )
    return (
        f"{name} is lowest at λ = {number(best[0])} with {number(best[1])}; leave-one-out chooses {number(path.chosen)}"
        f" with {number(path.height[-1])}{beyond}."
    )


def _blob(result):
    """The target of S-KMSE."""
    if result.blob is None:
        return ""
    return (
        " S-KMSE is shrunk towards the kernel mean of a normal law around"
        f" ({', '.join(map(number, result.blob.mean[:2]))}) with standard deviation {number(result.blob.spread)}."
    )


def _sample(result):
    n, share = len(result.X), len(result.X) * result.flexible_curve.weights[result.row]
    negative = int((share < 0).sum())
    strays = ""
    if result.lab.outliers:
        strays = (
            f" The {result.lab.outliers} outliers carry {number(float(share[result.clean :].sum() / n))} of all weight."
        )
    signs = f", {negative} of them below 0" if negative else ""
    least, most = (number(float(end)) for end in (share.min(), share.max()))
    return (
        f"The sample has {n} points in {result.X.shape[1]} dimensions; KME gives each 1/{n}, and {result.flexible_name}"
        f" from {least} to {most} times as much{signs}.{strays}{_blob(result)}"
    )


def _spectrum(result):
    kept, gamma, keeps = (
        result.flexible_curve.kept[result.row],
        result.eigenvalues,
        result.simple_curve.keeps[result.row],
    )
    simple = "" if np.isnan(keeps) else f", S-KMSE {percent(keeps)} of every one"
    return (
        f"The Gram matrix has {len(gamma)} eigenvalues, from {number(float(gamma[0]))} to {number(float(gamma[-1]))}"
        f" times the mean of k(x, x). {result.flexible_name} keeps more than half of {int((kept > 0.5).sum())} of their"
        f" directions{simple}."
    )
