"""The Conditional lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.markup import joined, markup
from explorer.printing import short
from explorer.workbench.formulas import equation, formula
from explorer.workbench.numbers import length_of, number, percent, table, value_of
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html

from .path import BURN

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import ConditionalResult


KERNEL_FILTER, KALMAN = named("The kernel filter", "fkmse"), named("Kalman's", "monkfast")

BETA = r"\beta(x) = (K + \lambda I)^{-1} k(X, x)"
POSTERIOR = r"\beta(x) = \Lambda^\prime \left((KD)^2 + \tilde\lambda I\right)^{-1} KD\,k(X, x)"
MEAN = formula(r"\sum_i \beta_i(x)\,k(y_i, \cdot)")
RIDGE, OPERATOR = formula(r"K + \lambda I"), formula(r"C_{YX} (C_{XX} + \lambda I)^{-1}")
EXPLAINS = markup(
    """<div class='caption'>
<p><b>Cut.</b> Drag the line to the x that is known. The kernel mean of y there is {} with
weights {}. A disc's area is a pair's weight; hollow red discs have negative
weights. On the right the weights become a density of y: each stroke is the contribution of one pair at its own y, the
solid line is the sum, the dotted one is the exact conditional distribution, blurred by the same kernel.</p>
<p><b>λ</b> is that of the regression, {}. The operator {} of the
encyclopedia article has a λ that is n times smaller, though the article writes one letter for both (errata E-1, E-2).
Below: the leave-one-out score over λ, less its least value, and the true squared RKHS distance where it is known.</p>
<p><b>Bayes' rule.</b> The pairs give P(x | y), the prior gives the distribution of y, and seeing x turns it into the
posterior. The pairs are weighted as if their y had come from the prior (discs). Drag the prior's mean, the end of its
bar, which is one standard deviation, or x at the bottom. As the article prints the rule, two matrices stand in the
wrong order (erratum E-4): switch it on to see what that gives.</p>
<p><b>Filter.</b> The filter has learnt from a path whose states are known. Then it sees only the crosses. The strip is
its belief at each time, blue where it puts the state, orange where weights are negative; the solid dark line is its
mean. Kalman's filter knows the true motion on a line, where it is optimal; between two wells, and for your own table,
it uses the straight line that fits best.</p>
<p><b>Table.</b> For symbols, embeddings are vectors of probabilities and operators are tables. P is the distribution
of the counted pairs, Q the one under the prior: the article's own example mixes up their names (erratum E-12).</p>
</div>""",
    MEAN,
    formula(BETA),
    RIDGE,
    OPERATOR,
)


def headline(result: ConditionalResult, row: int | None = None) -> Markup:
    """The finding of the picture that is shown, and below it what it rests on."""
    return in_html(*HEADLINES[result.lab.picture](result, row))


def _cut(result, row=None):
    row = result.row if row is None else row
    fan, shown = result.fan, row == result.row
    mean = float(result.belief.mean()[0] if shown else fan.mean[row])
    distance = result.distance if shown else float(fan.distance[row])
    exact = "" if result.exact is None else f" (exactly {number(result.exact_mean)})"
    negative = "no weight is negative" if fan.weights[row].any() else "and no pair is similar under these kernels"
    if fan.negative[row] > 0:
        negative = f"{percent(fan.negative[row])} of their absolute sum is negative"
    away = "" if result.exact is None else f"; RKHS distance to the exact embedding {number(distance)}"
    return (
        markup("Given {}, {} is <b>{}</b> on average{}.", _x(result), _y(result), value_of(result.of_y, mean), exact),
        f"{_lam(result, row)}, {result.pairs.n} pairs: the weights sum to {number(float(fan.total[row]))}, {negative}"
        f"{away}.",
    )


def _x(result):
    return f"{short(result.of_x.name)} = {value_of(result.of_x, result.x[0, 0])}"


def _y(result):
    return "y's first axis" if result.lab.by_gram[1] else short(result.of_y.name)


def _lam(result, row=None):
    lam = number(result.lam_at(row))
    chosen = result.lab.lam is None and row in (None, result.row)
    return f"λ = {lam} by leave-one-out" if chosen else f"λ = {lam}"


def _bayes(result, row=None):
    exact = distance = ""
    if result.exact_posterior is not None:
        exact = f" (exactly {number(result.exact_mean)})"
        distance = f"; RKHS distance to the exact posterior {number(result.distance)}"
    if result.printed is not None and result.exact_posterior is not None:
        distance += f", as printed {number(result.printed.distance(result.exact_posterior))}"
    elif result.printed is not None:
        distance = f", as printed to {number(float(result.printed.weights.sum()))}"
    return (
        markup(
            "Seeing {} moves the mean of {} from {} to <b>{}</b>{}.",
            _x(result),
            _y(result),
            value_of(result.of_y, result.prior_law.mean[0]),
            value_of(result.of_y, result.posterior.mean()[0]),
            exact,
        ),
        f"{_lam(result)}, λ̃ = {number(result.lab.lam_posterior)}, {result.pairs.n} pairs and as many points of the"
        f" prior: the posterior's weights sum to {number(float(result.posterior.weights.sum()))}{distance}.",
    )


def _filter(result, row=None):
    lab, course = result.lab, result.course
    known = " (optimal here)" if lab.path == "line" else " (fitted)"
    exact, means, of = "", "", course.quantity
    if result.fine is not None:
        exact = markup(", the exact belief's <b>{}</b>", number(result.error("exact")))
        kernel, kalman = (number(result.off(name)) for name in ("kernel", "kalman"))
        means = f" Their means differ from the exact belief's by {kernel} and {kalman}."
    return (
        markup(
            "{}'s error is <b>{}</b>, {} <b>{}</b>{}{}.",
            KERNEL_FILTER,
            length_of(of, result.error("kernel")),
            KALMAN,
            length_of(of, result.error("kalman")),
            known,
            exact,
        ),
        f"Root mean square errors at times {BURN + 1} to {len(course.hidden)}; {course.called},"
        f" learnt from {len(course.states) - 1} steps; {_lam(result)}, λ̃ = {number(lab.lam_posterior)}.{means}",
    )


def _table(result, row=None):
    exact, _ = result.rules
    y = int(exact.posterior.argmax())
    return (
        markup(
            "Given x = {}, y = {} has probability <b>{}</b> (prior: {}).",
            result.lab.seen,
            y + 1,
            number(float(exact.posterior[y])),
            number(float(result.lab.table_prior[y])),
        ),
        f"{int(result.lab.table_counts.sum())} pairs under the Kronecker kernel: in all tables, the kernel rules and"
        f" fractions differ by at most {number(result.apart)}.",
    )


HEADLINES: dict[str, Callable[..., tuple[str | Markup, str | Markup]]] = {
    "cut": _cut,
    "bayes": _bayes,
    "filter": _filter,
    "table": _table,
}
IDEAS = {
    "cut": "Conditioning is linear algebra: x gives the pairs the weights β.",
    "bayes": "The posterior is the prior's sample with the weights β; D holds the pairs' weights under the"
    " prior, which may be negative.",
    "filter": "At each time the belief moves on as the known path did, and Bayes' rule takes in what is observed: one"
    " vector of weights over the known states.",
    "table": "Under the Kronecker kernel embeddings are probabilities, operators tables, rules those of probability.",
}


def caption(result: ConditionalResult) -> Markup:
    """The idea, and what is drawn."""
    lab = result.lab
    if lab.picture == "table":
        return markup(
            "{} Only λ keeps the last digits from agreeing.{}", IDEAS["table"], tries(lab, ("x = 2", {"seen": 2}))
        )
    if lab.picture == "filter":
        noise = "" if lab.path == "rows" else f", sensor noise {number(lab.sensor)}, seed {lab.seed}"
        shown = markup("{} {} and {} follow {}{}.", IDEAS["filter"], KERNEL_FILTER, KALMAN, result.course.called, noise)
        return shown + tries(lab, ("n = 50", {"n": 50}))
    remark = " ".join(f"{side}: {text}" for side, text in zip("xy", result.remarks, strict=True) if text)
    pairs = markup("{}, seed {}; {}", result.pairs.called, lab.seed, _kernels(result))
    return markup("{}{} {} {}", _equation(result), IDEAS[lab.picture], pairs, remark).rstrip() + tries(lab, *TRIES)


def _kernels(result):
    """What compares x and y, a sentence or two."""
    sides = zip(result.kernels, (result.pairs.X, result.pairs.Y), result.pairs.on_axes, strict=True)
    kx, ky = (_wide(*side) for side in sides)
    x, y = result.lab.by_gram
    if y:
        return f"{result.lab.gram_in_words} A y that is known by similarities alone has no density to draw."
    if x:
        return markup("RBF kernel of {} {} in y. {}", BANDWIDTH, ky, result.lab.gram_in_words)
    return markup("RBF kernels of {} {} in x and {} in y.", BANDWIDTH, kx, ky)


BANDWIDTH = control("bandwidth", "bandwidth")
TRIES = (("λ = 0.0001", {"lam": 1e-4}), ("bandwidth 0.1", {"bandwidth": 0.1}))


def _wide(kernel, points, quantity):
    """A side's bandwidth, of one column in its own units; None of a Gram matrix."""
    if not kernel.has_bandwidth:
        return None
    return length_of(quantity, kernel.bandwidth) if points.shape[1] == 1 else number(kernel.bandwidth)


def _equation(result):
    """The weights, and the mean of y that they give, in numbers."""
    weights = rf"{BETA if result.lab.picture == 'cut' else POSTERIOR},\;\lambda = {number(result.lam)}"
    exact = result.exact_mean
    mean = r"\sum_i \beta_i(x)\,y_i"
    if result.of_y.centre:  # the weights need not sum to one, so it matters from where y is counted
        mean = r"\bar y + \sum_i \beta_i(x)\,(y_i - \bar y)"
    return equation(
        weights,
        rf"\quad\role{{skmse}}{{{mean}}} = {number(result.mean)}",
        "" if exact is None else rf"\quad\role{{truth}}{{\mathrm{{E}}(y\;|\;x)}} = {number(exact)}",
    )


def tables(result: ConditionalResult) -> Markup:
    """The table's operators and embeddings, in HTML."""
    exact, _ = result.rules
    p, q = exact.joint.shape
    ys, xs = [f"y = {j + 1}" for j in range(q)], [f"x = {i + 1}" for i in range(p)]
    mu_x, mu_y = exact.marginals
    parts = (
        (markup("μ<sub>X</sub>: P(x)"), xs, [""], mu_x[:, None]),
        (markup("μ<sub>Y</sub>: P(y)"), [""], ys, mu_y[None]),
        (markup("C<sub>XY</sub>: P(x, y)"), xs, ys, exact.joint),
        (markup("C<sub>X|Y</sub>: P(x | y)"), xs, ys, exact.conditional),
        ("chain rule: Q(x, y)", xs, ys, exact.paired),
        ("sum rule: Q(x)", xs, [""], exact.predicted[:, None]),
        (f"Bayes' rule: Q(y | x = {result.lab.seen})", [""], ys, exact.posterior[None]),
    )
    return markup("<div class='operators'>{}</div>", joined(table(*part) for part in parts))


def told(result: ConditionalResult) -> dict[str, str]:
    """The words that stories put their numbers in."""
    fan, tracks, exact = result.fan, result.tracks, result.exact_posterior
    numbers = {
        "mean": result.mean,
        "exact": result.exact_mean,
        "distance": result.distance,
        "chosen": fan and float(fan.distance[-1]),
        "before": exact and result.prior_mean,
        "printed": exact and result.printed and result.printed.distance(exact),
        "kernel": result.kernel_error,
        "kalman": result.kalman_error,
        "near": tracks and result.off("kernel"),
        "far": tracks and result.off("kalman"),
    }
    words = {name: "unknown" if value is None else number(value) for name, value in numbers.items()}
    return {**words, "negative": "unknown" if result.negative is None else percent(result.negative)}
