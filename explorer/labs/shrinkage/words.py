"""Sentences of the Shrinkage lab. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from explorer.languages import translate, translate_plural
from explorer.markup import Later, markup
from explorer.printing import short_name
from explorer.workbench.kernels import EXPLAINED, FURTHER, gram_words
from explorer.workbench.numbers import compared, format_number, percent
from explorer.workbench.prose import attempt, control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.replicates import averaged, beaten
from explorer.workbench.tex_to_mathml import equation, formula
from explorer.workbench.user_points import moved_points

from .bound import bound_words
from .extra_estimator import extra_words
from .functions.words import MORE, function_values, function_words
from .objective import objective_words

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import ShrinkageResult


KEPT = formula(r"\frac{\gamma}{\gamma + \lambda}")
KEPT_TWICE = formula(r"1 - \left(\frac{\lambda}{\gamma + \lambda}\right)^2")
SMALL, LEAST = formula(r"\lambda = c\gamma_0"), formula(r"\gamma_0")
SKMSE, STEIN = named("S-KMSE", "skmse"), named("James-Stein", "truth")

EXPLAINS = Later(
    """<div class='caption'>
<p><b>Loss over λ.</b> The loss of an estimate is its squared distance to the true kernel mean, in the kernel's feature
space. It is drawn relative to the plain average (KME): below 1 is better, and the tinted zone above 1 is harm. Thick
lines are exact losses on this sample. Dotted lines are leave-one-out scores on the same scale. In practice only the
scores are known. A filled marker shows the λ that leave-one-out chooses, a hollow one the best λ, and the vertical line
the current λ. +100 samples draws 100 more samples of the same distribution: the bands contain 50 % and 90 % of their
losses.</p>
<p><b>Sample.</b> S-KMSE shrinks every weight by the same factor. F-KMSE shrinks each eigendirection of the Gram matrix
by {}. A point in a crowd keeps its weight, and an isolated point loses some: compare its disc with the grey ring, which
is the weight 1/n of the plain average. A hollow disc is a negative weight. You may drag the points.</p>
<p><b>Small pictures.</b> <i>Kept</i>: the share of each eigendirection that an estimator keeps. Ticks are the
eigenvalues of the Gram matrix. <i>Coefficients</i>: the length of the plain average along each eigendirection, before
and after shrinking. <i>Variance and bias</i>: S-KMSE's expected loss, split into the remaining variance and, hatched,
the squared bias that shrinking adds. <i>Scores</i>: leave-one-out estimates the mean squared distance between a new
point and the estimate. This distance and the loss differ by a constant, so the axis is broken between them. <i>Error
bound</i>: the plain average's error on this sample and on more samples, with the bound that holds with probability
1 − δ (dashed) and the bound that paper 003 prints (dotted).</p>
<p><b>James-Stein.</b> Under the linear kernel the kernel mean of one Gaussian is its ordinary mean θ. James and Stein
shrink the average towards 0, less so the farther it lies from 0. The picture shows their expected squared error over
|θ|, relative to the plain average. You may drag the dot. It is the positive-part form: a factor below 0 becomes 0.</p>
<p><b>Settings.</b> S-KMSE may shrink to 0 or to another target, the kernel mean of a Gaussian distribution that is as
wide as the source of the sample. You may drag the target. Other filters keep other shares: iterated Tikhonov keeps {}.
Truncated SVD keeps directions with eigenvalue at least λ. For Landweber and the ν-method λ sets the number of steps.
Each leave-one-out score of these filters takes n refits. Weights may be divided by their sum, or restricted to the
simplex of probabilities. Leave-one-out still chooses λ for the free weights.</p>
{}
<p><b>Triangles.</b> The switch “mark λ = c γ₀” marks {} for the c at each triangle. Here {} is the smallest
eigenvalue above 0. These are the values of λ in the first figure of the paper.</p>
<p><b>Units.</b> λ has one scale for all kernels: S-KMSE takes λ, and F-KMSE takes λ times the mean of k(x, x). Outliers
replace rows of the sample; the true distribution has none. Student's t with ν degrees of freedom has moments of order
below ν only. RBF has an exact loss for every ν, the linear kernel for ν above 2, the quadratic one for ν above 4, and
the cubic one for ν above 6.</p>
</div>""",
    KEPT,
    KEPT_TWICE,
    Later("{}{}{}", EXPLAINED, FURTHER, MORE),
    SMALL,
    LEAST,
)


def headline(result: ShrinkageResult, row: int) -> Markup:
    """Return the headline: a sentence on what shrinking does in this state, and a line on how far to trust it."""
    if result.lab.only_stein:
        return in_html(*_of_stein(result))
    lam, other = f"λ = {format_number(result.simple.lams[row])}", result.flexible_words(row)
    where = translate("at {}", lam) if other == lam else translate("at {} ({}: {})", lam, result.flexible_name, other)
    if row == _auto(result):
        where = translate("with λ by leave-one-out")
    error = "squared error" if result.law is not None else "estimated squared error"
    simple, flexible = (compared(result.gain(path, row), error) for path in (result.simple, result.flexible))
    first = SKMSE if result.blob is None else markup("{} towards the target", SKMSE)
    says = markup(
        "Shrinking gives <b>{}</b> {} the plain average ({}) and <b>{}</b> ({}), {}.",
        simple.error,
        simple.joint,
        first,
        flexible.share,
        _flexible(result),
        where,
    )
    return in_html(says, _trust(result, row))


def _auto(result):
    """Return the row of the leave-one-out choice."""
    return len(result.simple.lams) - 1


def _flexible(result):
    """Return the name of the filter, in the colour of its curve."""
    return named(result.flexible_name, "fkmse")


def _of_stein(result):
    """Return James-Stein's expected squared error, and the distance of the true mean, as a sentence."""
    risk, d = result.stein_risk, result.lab.d
    gain = compared(1 - risk.risk)
    says = markup(
        "Averaged over samples, {} with {} has <b>{}</b> {} the plain average.",
        STEIN,
        translate_plural("{} coordinate", "{} coordinates", d),
        gain.error,
        gain.joint,
    )
    if not risk.theta:
        return says, translate("The true mean is 0.")
    return says, translate("The true mean lies {} standard errors from 0.", format_number(risk.theta))


HELD = {
    "sum-to-one": "With weights that sum to one, S-KMSE is the plain average again.",
    "simplex": "On the simplex F-KMSE is the plain average.",
}
MIXED = " S-KMSE on the simplex is the mixture of points that lies nearest to S-KMSE with free weights."


def _trust(result, row):
    """Return a clause on how far the headline holds."""
    lab = result.lab
    if result.law is None:
        told = "These are leave-one-out estimates: the distribution of {} is unknown."
        return translate(told, short_name(lab.table_name))
    if result.replicates is not None:
        return beaten(result.replicates, row, _names(result))
    if lab.weights in HELD and result.blob is None:
        return translate(HELD[lab.weights])
    if touched := _touched(lab):
        return touched
    lam, average = format_number(result.simple.lams[row]), compared(_average(result, row)).share
    return markup("Averaged over samples, {} with λ = {} has {} squared error.", SKMSE, lam, average)


def _names(result):
    """Return each estimator's name in the colour of its curve: path -> name."""
    return {"simple": SKMSE, "flexible": _flexible(result)}


def _touched(lab):
    """Return the number of outliers and moved points as text, or "" if there are none."""
    moved = len(moved_points(lab.moved)) if lab.moved else 0
    kinds = ((lab.outliers, "is an outlier", "are outliers"), (moved, "was moved by hand", "were moved by hand"))
    told, of = [], translate(" of the {} points", lab.n)
    for count, one, many in kinds:
        if count:
            told.append(f"{count}{of} {translate(one if count == 1 else many)}")
            of = ""
    return f"{translate(' and ').join(told)}." if told else ""


def stein_words(result: ShrinkageResult) -> str | Markup:
    """Return the comparison of James and Stein's loss with the plain average's, or "" if the state has no such loss."""
    stein = result.stein
    if stein is None:
        return ""
    here = compared(1 - stein.loss)
    average = "" if stein.gain is None else translate(", and {} averaged over samples", compared(stein.gain).share)
    return markup(" On this sample {} has {} {} the plain average{}.", STEIN, here.error, here.joint, average)


def caption(result: ShrinkageResult) -> Markup:
    """Return the caption: what shrinking does to the expected loss, in this state's numbers, and remarks."""
    if result.lab.only_stein:
        return (
            _stein_equation(result) + _stein_rule(result) + stein_words(result) + _sample(result) + _stein_tries(result)
        )
    lab = result.lab
    chosen = markup(
        " Leave-one-out chooses {} = {} for {} and {} for {}.",
        control("λ", "lam"),
        format_number(result.simple.chosen),
        SKMSE,
        result.flexible_words(_auto(result)),
        _flexible(result),
    )
    held = f" {translate(HELD[lab.weights])}" if lab.weights in HELD and result.blob is None else ""
    if lab.weights == "simplex":
        held += translate(MIXED)
    return (
        _equation(result)
        + _risk(result)
        + chosen
        + held
        + averaged(result.replicates, result.row, _names(result))
        + stein_words(result)
        + extra_words(result)
        + _sample(result)
        + gram_words(lab)
        + objective_words(result)
        + bound_words(result)
        + function_words(result)
        + (f" {result.remark[0].upper()}{result.remark[1:]}" if result.remark else "")
        + _tries(result)
    )


def _sample(result):
    """Return the description of the sample, with the points that do not come from the distribution."""
    lab = result.lab
    touched = _touched(lab)
    more = translate(" {} The true distribution has no such points.", touched) if touched else ""
    return translate(" This sample has n = {} points and seed {}.{}", lab.n, lab.seed, more)


SHRUNK = r"\role{truth}{\hat\theta} = \left(1 - \frac{d - 2}{n\,\|\bar x\|^2}\right)_+ \bar x"


def _stein_equation(result):
    """Return James and Stein's estimate with the numbers of this sample."""
    lab, square = result.lab, float((result.X.mean(axis=0) ** 2).sum())
    if lab.d <= 2 or square == 0:
        return equation(SHRUNK)
    share = max(1 - (lab.d - 2) / (lab.n * square), 0.0)
    return equation(SHRUNK, rf"\quad = {format_number(share)}\,\bar x")


def _stein_rule(result):
    """Return the sentence on when James and Stein's estimate gains."""
    if result.lab.d <= 2:
        return markup("With one or two coordinates {} is the plain average.", STEIN)
    return markup(
        "With three or more coordinates {} has less expected squared error than the plain average, wherever the true"
        " mean θ lies. The gain fades as |θ| grows.",
        STEIN,
    )


def _stein_tries(result):
    """Return the suggestions to move the mean and to add coordinates."""
    return tries(result.lab, ("mean 1", {"mean": 1.0}), ("d = 10", {"d": 10}), ("d = 3", {"d": 3}))


TARGETS = {"zero": r"\mu", "blob": r"f^\ast - \mu"}  # the vector that shrinks, by target
DELTA = r"\role{kme}{\Delta}"  # the plain average's expected squared error
NOISE = formula(r"(1 - \alpha)^2")


def _equation(result):
    """Return S-KMSE's expected squared error as noise plus bias, in numbers if they are known."""
    lam = result.simple.lams[result.row]
    square = rf"\|{TARGETS[result.lab.target]}\|^2"
    risk = rf"\role{{skmse}}{{\mathrm{{E}}\|\hat\mu_\lambda - \mu\|^2}} = (1 - \alpha)^2\,{DELTA} + \alpha^2{square}"
    alpha = rf"\quad\alpha = \frac{{\lambda}}{{1 + \lambda}} = {format_number(float(1 - 1 / (1 + lam)))}"
    if (parts := result.risk_parts()) is None:
        return equation(risk, alpha)
    noise, total = (f"{value:.2f}" for value in (parts[0][result.row], sum(part[result.row] for part in parts)))
    added = f"{float(total) - float(noise):.2f}"
    return equation(risk, rf"= {noise}\,{DELTA} + {added}\,{DELTA} = \role{{skmse}}{{{total}}}\,{DELTA}", alpha)


def _risk(result):
    """Return the expected loss in words: the best α, and the λ above which shrinking does harm."""
    square = rf"\|{TARGETS[result.lab.target]}\|^2"
    mixed = markup(
        "{} keeps {} of the plain average's expected squared error {} and adds a squared bias of {}.",
        SKMSE,
        NOISE,
        formula(DELTA),
        formula(rf"\alpha^2{square}"),
    )
    best = result.expected_gain
    if best is None or result.risk_parts() is None:
        return mixed
    rule = formula(rf"\Delta/(\Delta + {square})")
    harm = _harm(best)
    if best < 0.5:
        from_there = 2 * best / (1 - 2 * best)
        lam = attempt(f"λ = {format_number(from_there)}", lam=float(f"{from_there:.3g}"))
        harm = markup("Above {} S-KMSE is worse than the plain average", lam)
    return markup(
        "{} The best α is {} = {}, and so is the gain: <b>{}</b>{}. {}.",
        mixed,
        rule,
        format_number(best),
        percent(best),
        _under_rbf(result),
        harm,
    )


def _tries(result):
    """Return suggestions: more points need less shrinking, and so do points that resemble each other."""
    sizes = [("n = 200", {"n": 200}), ("n = 20", {"n": 20})]
    # With another sample's median there may be no finite loss.
    if result.law is None or result.kernel.growth == math.inf:
        sizes = []
    bounded = result.kernel.has_bandwidth and result.kernel.growth == 0  # unbounded kernels may have no loss there
    widths = [("bandwidth 0.1", {"bandwidth": 0.1})] if bounded else []
    return tries(result.lab, *[each for each in sizes if each[1]["n"] != result.lab.n][:1], *widths)


def _under_rbf(result):
    """Return what the best λ gains under RBF, or "" if that is unknown."""
    return "" if result.rbf_gain is None else translate(" (under RBF {})", percent(result.rbf_gain))


def _harm(best):
    """Return the clause on where shrinking begins to do harm on average, given the best α."""
    if best >= 0.5:
        return translate("No λ makes S-KMSE worse than the plain average")
    return translate("Above λ = {} S-KMSE is worse than the plain average", format_number(2 * best / (1 - 2 * best)))


def _average(result, row):
    """Return S-KMSE's gain at a row, averaged over samples of the distribution."""
    parts = result.risk_parts()
    return 0.0 if parts is None else float(1 - parts[0][row] - parts[1][row])


def story_values(result: ShrinkageResult) -> dict[str, str]:
    """Return the values of the stories' placeholders. A gain is "30 % less", and "squared error" may follow."""
    words = {name: compared(result.gain(getattr(result, name))).share for name in ("simple", "flexible")}
    words |= {"chosen": format_number(result.simple.chosen), "oracle": format_number(result.simple.best)}
    if result.stein is not None and result.stein.gain is not None:
        words["stein"] = compared(result.stein.gain).share
    if result.stein_risk is not None:
        words["theta"] = format_number(result.stein_risk.theta)
    if (best := result.expected_gain) is not None:
        words |= {"best": percent(best), "harm": _harm(best), "average": compared(_average(result, result.row)).share}
    return words | function_values(result)
