"""The Shrinkage lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.markup import markup
from explorer.printing import short
from explorer.workbench.by_hand import places
from explorer.workbench.formulas import equation, formula
from explorer.workbench.kernels import EXPLAINED, gram_words
from explorer.workbench.numbers import compared, number, percent
from explorer.workbench.prose import attempt, beside_average, control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.replicates import beaten

from .bound import bound_words
from .objective import objective_words

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import ShrinkageResult


KEPT = formula(r"\frac{\gamma}{\gamma + \lambda}")
KEPT_TWICE = formula(r"1 - \left(\frac{\lambda}{\gamma + \lambda}\right)^2")
SMALL, LEAST = formula(r"\lambda = c\gamma_0"), formula(r"\gamma_0")
SKMSE, STEIN = named("S-KMSE", "skmse"), named("James-Stein", "truth")

EXPLAINS = markup(
    """<div class='caption'>
<p><b>Loss over λ.</b> The loss of an estimate is its squared distance, in the kernel's feature space, to the true
kernel mean. It is drawn relative to the plain average (KME): below 1 is better, and the tinted zone above 1 is harm.
Thick lines are exact losses on this sample. Dotted lines are leave-one-out scores on the same scale, which is all that
one has in practice. A filled dot marks the λ that leave-one-out chooses, a hollow one the best λ, the vertical line
the λ that is shown. +100 samples draws 100 more samples of the same distribution: the bands hold 50 % and 90 % of
their losses.</p>
<p><b>Sample.</b> S-KMSE shrinks every weight by the same factor. F-KMSE shrinks each eigendirection of the Gram matrix
by {}, so a point that stands alone loses weight and one in a crowd keeps it: compare its disc with the grey
ring, the plain average's weight 1/n. A disc without filling is a negative weight.</p>
<p><b>Small pictures.</b> <i>Filter</i>: the share of each eigendirection that is kept; ticks are the Gram matrix's
eigenvalues. <i>Coefficients</i>: the plain average's length along each eigendirection, and what each estimator leaves
of it. <i>Risk</i>: S-KMSE's expected loss, the noise that is left and, hatched, the squared bias that shrinking
costs. <i>Objective</i>: what leave-one-out estimates, the mean squared distance of a new point to the estimate, above
the loss; the axis is broken between them, as they differ by a constant. <i>Errors</i>: the plain average's error on
this sample and on more of them, beside the bound that it keeps with probability 1 − δ (dashed) and the one that paper
003 prints (dotted).</p>
<p><b>Settings.</b> S-KMSE may shrink to 0 or to a blob: the kernel mean of a Gaussian distribution as wide as the
sample's source, which you may drag. Other filters keep a different part of each eigendirection: iterated Tikhonov
keeps {}, truncated SVD all from λ on and nothing below, Landweber and the ν-method what they reach in as
many steps as correspond to λ; each leave-one-out score of theirs takes n refits. Weights may be divided by their sum,
or restricted to the simplex of probabilities; λ is then still chosen for the free weights.</p>
{}
<p><b>Triangles</b> labelled c mark {}, where {} is the smallest eigenvalue above 0: the values of λ in the
paper's first figure.</p>
<p><b>Units.</b> λ has one scale for all kernels: S-KMSE takes λ, F-KMSE takes λ times the mean of k(x, x). Outliers
replace rows of the sample; the true distribution stays the one without them. Student's t with ν degrees of freedom has
moments below order ν only: RBF has an exact loss for every ν, the linear kernel from ν = 2 on, the quadratic from 4 and
the cubic from 6.</p>
</div>""",
    KEPT,
    KEPT_TWICE,
    EXPLAINED,
    SMALL,
    LEAST,
)


def headline(result: ShrinkageResult, row: int) -> Markup:
    """What shrinking does in this state: one sentence, and one line that says how far to trust it."""
    lam, other = f"λ = {number(result.simple.lams[row])}", result.flexible_words(row)
    where = f"At {lam}, " if other == lam else f"At {lam} ({result.flexible_name}: {other}), "
    if row == _auto(result):
        where = "With λ chosen by leave-one-out, "
    error = "squared error" if result.law is not None else "estimated squared error"
    simple, flexible = (compared(result.gain(path, row), error) for path in (result.simple, result.flexible))
    first = SKMSE if result.blob is None else markup("{}, shrunk towards the blob,", SKMSE)
    says = markup("{}{}", where, beside_average((first, simple), (_flexible(result), flexible)))
    return in_html(says, _trust(result, row) + HELD.get(result.lab.weights, "") * (result.blob is None))


def _auto(result):
    """The row of the leave-one-out choice."""
    return len(result.simple.lams) - 1


def _flexible(result):
    """The name of the filter, in the colour of its curve."""
    return named(result.flexible_name, "fkmse")


HELD = {
    "sum-to-one": " With weights that sum to one, S-KMSE is the plain average again.",
    "simplex": (
        " On the simplex F-KMSE is the plain average, and S-KMSE is the mixture of the points nearest to its free"
        " estimate."
    ),
}


def _trust(result, row):
    lab = result.lab
    if result.law is None:
        return (
            f"Estimated by leave-one-out: the distribution behind {short(lab.file or lab.source)} is unknown, so there"
            " is no exact loss."
        )
    parts = [f"This sample: n = {lab.n}, seed {lab.seed}"]
    if lab.outliers:
        parts.append(f"{lab.outliers} of its rows {'are outliers' if lab.outliers > 1 else 'is an outlier'}")
    if lab.moved:
        count = len(places(lab.moved))
        parts.append(f"{count} of its points moved by hand")
    words = f"{', '.join(parts)}."
    if lab.outliers or lab.moved:
        words += " The truth is the distribution without them."
    elif (best := result.expected_gain) is not None:
        lam, average = number(result.simple.lams[row]), compared(_average(result, row)).share
        words += markup(
            " Over many samples λ = {} gives {} {} on average, and the best λ {}.", lam, SKMSE, average, percent(best)
        )
    words += stein_words(result)
    return words + beaten(result.replicates, row, {"simple": SKMSE, "flexible": _flexible(result)})


def stein_words(result: ShrinkageResult) -> str | Markup:
    """James and Stein's loss beside the plain average's, where the state has it; else empty."""
    stein = result.stein
    if stein is None:
        return ""
    average = "" if stein.gain is None else f", and {compared(stein.gain).share} on average"
    return markup(" {} has {}{}.", STEIN, compared(1 - stein.loss).error, average)


def caption(result: ShrinkageResult) -> Markup:
    """What shrinking does to the expected loss, with this state's numbers, and what there is to remark."""
    remark = f" {result.remark[0].upper()}{result.remark[1:]}" if result.remark else ""
    chosen = markup(
        " Leave-one-out chooses {} = {} for {} and {} for {}.",
        control("λ", "lam"),
        number(result.simple.chosen),
        SKMSE,
        result.flexible_words(_auto(result)),
        _flexible(result),
    )
    return (
        _equation(result)
        + _risk(result)
        + chosen
        + gram_words(result.lab)
        + objective_words(result)
        + bound_words(result)
        + remark
        + _tries(result)
    )


TARGETS = {"zero": r"\mu", "blob": r"f^\ast - \mu"}  # what is shrunk away
DELTA = r"\role{kme}{\Delta}"  # the plain average's expected squared error
NOISE = formula(r"(1 - \alpha)^2")


def _equation(result):
    """S-KMSE's expected squared error as noise and bias, in numbers where they are known."""
    lam = result.simple.lams[result.row]
    square = rf"\|{TARGETS[result.lab.target]}\|^2"
    risk = rf"\role{{skmse}}{{\mathrm{{E}}\|\hat\mu_\lambda - \mu\|^2}} = (1 - \alpha)^2\,{DELTA} + \alpha^2{square}"
    alpha = rf"\quad\alpha = \frac{{\lambda}}{{1 + \lambda}} = {number(float(1 - 1 / (1 + lam)))}"
    if (parts := result.risk_parts()) is None:
        return equation(risk, alpha)
    noise, total = (f"{value:.2f}" for value in (parts[0][result.row], sum(part[result.row] for part in parts)))
    added = f"{float(total) - float(noise):.2f}"
    return equation(risk, rf"= {noise}\,{DELTA} + {added}\,{DELTA} = \role{{skmse}}{{{total}}}\,{DELTA}", alpha)


def _risk(result):
    """The expected loss in words, the best α, and from where on there is harm."""
    square = rf"\|{TARGETS[result.lab.target]}\|^2"
    bias = formula(rf"\alpha^2{square}")
    mixed = markup(
        "{} leaves {} of the plain average's expected squared error {}, and adds a squared bias of {}",
        SKMSE,
        NOISE,
        formula(DELTA),
        bias,
    )
    best = result.expected_gain
    if result.risk_parts() is None:
        return markup("{}.", mixed)
    rule = formula(rf"\Delta/(\Delta + {square})")
    harm = _harm(best)
    if best < 0.5:
        from_there = 2 * best / (1 - 2 * best)
        harm = markup(
            "S-KMSE does harm from {} on", attempt(f"λ = {number(from_there)}", lam=float(f"{from_there:.3g}"))
        )
    gained = f"is also what is gained there{_beside_rbf(result)}"
    return markup("{}. The best α, {} = <b>{}</b>, {}, and {}.", mixed, rule, percent(best), gained, harm)


def _tries(result):
    """More points need less shrinking, and so do points that resemble each other."""
    sizes = [] if result.law is None else [("n = 200", {"n": 200}), ("n = 20", {"n": 20})]
    bounded = result.kernel.has_bandwidth and result.kernel.growth == 0  # others may have no loss there
    widths = [("bandwidth 0.1", {"bandwidth": 0.1})] if bounded else []
    return tries(result.lab, *[each for each in sizes if each[1]["n"] != result.lab.n][:1], *widths)


def _beside_rbf(result):
    """What the best λ gains under RBF, where that is known."""
    return "" if result.rbf_gain is None else f" (under RBF {percent(result.rbf_gain)})"


def _harm(best):
    """From where on shrinking does harm on average, given the best α."""
    if best >= 0.5:
        return "no λ does harm"
    return f"S-KMSE does harm from λ = {number(2 * best / (1 - 2 * best))} on"


def _average(result, row):
    """S-KMSE's gain at a row, averaged over samples of the distribution."""
    parts = result.risk_parts()
    return 0.0 if parts is None else float(1 - parts[0][row] - parts[1][row])


def told(result: ShrinkageResult) -> dict[str, str]:
    """The words that stories put their numbers in; a gain is "30 % less", and "squared error" may follow."""
    words = {name: compared(result.gain(getattr(result, name))).share for name in ("simple", "flexible")}
    words |= {"chosen": number(result.simple.chosen), "oracle": number(result.simple.best)}
    if result.stein is not None:
        words["stein_here"] = compared(1 - result.stein.loss).share
        if result.stein.gain is not None:
            words["stein"] = compared(result.stein.gain).share
    if (best := result.expected_gain) is not None:
        words |= {"best": percent(best), "harm": _harm(best), "average": compared(_average(result, result.row)).share}
    return words
