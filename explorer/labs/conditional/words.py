"""Sentences of the conditional lab. Every number in them is computed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from explorer.datasets import NODES
from explorer.languages import translate
from explorer.markup import Later, joined, markup
from explorer.printing import join_list, short_name
from explorer.workbench.numbers import format_number, in_words, length_of, percent, table, value_of
from explorer.workbench.prose import control, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation

from .path import BURN

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import ConditionalResult


KERNEL_FILTER = Later("<span class='name fkmse'>The kernel filter</span>")
KALMAN = Later("<span class='name monkfast'>Kalman's</span>")

BETA = r"\beta(x) = (K + \lambda I)^{-1} k(X, x)"
POSTERIOR = r"\beta(x) = \Lambda^\prime \left((KD)^2 + \tilde\lambda I\right)^{-1} KD\,k(X, x)"
MESSAGE = r"m_{ts}(x) = \sum_i \beta_i\,k(x_i, x),\; \beta = (K_s + \lambda I)^{-1} h_t"


def headline(result: ConditionalResult, row: int | None = None) -> Markup:
    """Return the finding of the current picture, and the numbers that it depends on."""
    return in_html(*HEADLINES[result.lab.picture](result, row))


def _cut(result, row=None):
    row = result.row if row is None else row
    fan, shown = result.fan, row == result.row
    mean = float(result.belief.mean()[0] if shown else fan.mean[row])
    distance = result.distance if shown else float(fan.distance[row])
    exact = "" if result.exact is None else translate(" (exact: {})", format_number(result.exact_mean))
    if not fan.weights[row].any():
        trust = translate("no pair is similar to this x, and all weights are 0")
    elif result.exact is not None:
        trust = translate("the RKHS distance to the exact embedding is {}", format_number(distance))
    elif fan.negative[row] > 0:
        trust = translate("negative weights make up {} of the total absolute weight", percent(fan.negative[row]))
    else:
        trust = translate("no weight is negative")
    return (
        markup("Given {}, the mean of {} is <b>{}</b>{}.", _x(result), _y(result), value_of(result.of_y, mean), exact),
        translate("With {}, {}.", _lam(result, row), trust),
    )


def _x(result):
    return f"{short_name(result.of_x.name)} = {value_of(result.of_x, result.x[0, 0])}"


def _y(result):
    return translate("y's first axis") if result.lab.by_gram[1] else short_name(result.of_y.name)


def _lam(result, row=None):
    lam = format_number(result.lam_at(row))
    chosen = result.lab.lam is None and row in (None, result.row)
    return translate("λ = {} by leave-one-out", lam) if chosen else f"λ = {lam}"


def _bayes(result, row=None):
    exact, printed = "", result.printed
    if result.exact_posterior is not None:
        exact = translate(" (exact: {})", format_number(result.exact_mean))
        trust = translate("the RKHS distance to the exact posterior is {}", format_number(result.distance))
        also = printed and printed.distance(result.exact_posterior)
    else:
        trust = translate("the posterior's weights sum to {}", format_number(float(result.posterior.weights.sum())))
        also = printed and float(printed.weights.sum())
    if also is not None:
        trust += translate(" ({} by the printed rule)", format_number(also))
    return (
        markup(
            "Observing {} moves the mean of {} from {} to <b>{}</b>{}.",
            _x(result),
            _y(result),
            value_of(result.of_y, result.prior_law.mean[0]),
            value_of(result.of_y, result.posterior.mean()[0]),
            exact,
        ),
        translate("With {}, {}.", _lam(result), trust),
    )


def _filter(result, row=None):
    course = result.course
    known = translate(" (optimal here)") if result.lab.path == "line" else translate(" (linear fit)")
    exact, of = "", course.quantity
    if result.fine is not None:
        exact = markup(". The exact belief's error is <b>{}</b>", format_number(result.error("exact")))
    return (
        markup(
            "{}'s error is <b>{}</b> and {} is <b>{}</b>{}{}.",
            KERNEL_FILTER,
            length_of(of, result.error("kernel")),
            KALMAN,
            length_of(of, result.error("kalman")),
            known,
            exact,
        ),
        translate(
            "Root mean square errors at times {} to {}, after learning from {} steps.",
            BURN + 1,
            len(course.hidden),
            len(course.states) - 1,
        ),
    )


def _table(result, row=None):
    exact, _ = result.rules
    y = int(exact.posterior.argmax())
    return (
        markup(
            "Given x = {}, y = {} has probability <b>{}</b> (prior: {}).",
            result.lab.seen,
            y + 1,
            format_number(float(exact.posterior[y])),
            format_number(float(result.lab.table_prior[y])),
        ),
        translate(
            "The kernel rules, learnt from {} pairs, agree with the exact fractions to within {}.",
            int(result.lab.table_counts.sum()),
            format_number(result.apart),
        ),
    )


def _tree(result, row=None):
    seen = join_list(f"{node} = {format_number(value)}" for node, value in result.lab.evidence.items())
    i = result.far_node
    return (
        markup(
            "Observing {} moves the mean of {} from 0 to <b>{}</b> (exact: {}).",
            seen,
            NODES[i],
            format_number(float(result.believed.means[i])),
            format_number(float(result.exact_tree.means[i])),
        ),
        translate(
            "With {}, the means are within {} of the exact ones.",
            _lam(result),
            format_number(result.off_by(result.exact_tree)),
        ),
    )


HEADLINES: dict[str, Callable[..., tuple[str | Markup, str | Markup]]] = {
    "cut": _cut,
    "bayes": _bayes,
    "filter": _filter,
    "table": _table,
    "tree": _tree,
}
IDEAS = {
    "cut": "Conditioning is linear algebra: the observed x gives each pair a weight β.",
    "bayes": "The posterior is the prior's sample with weights β. D holds the pairs' weights under the prior, which may"
    " be negative.",
    "filter": "The belief is one vector of weights over the known states. At each time it moves one step along the"
    " known path, and Bayes' rule updates it with the observation.",
    "tree": "Each node sends its neighbours a message, the conditional mean of the messages that it received. The"
    " belief at a node weights its sample by the product of the messages that reach it.",
    "table": "Under the Kronecker kernel, embeddings are probabilities, operators are tables, and the rules are those"
    " of probability.",
}


def caption(result: ConditionalResult) -> Markup:
    """Return the main idea and the contents of the picture."""
    lab = result.lab
    if lab.picture == "table":
        return markup(
            "{} The last digits differ only because λ is not 0.{}",
            translate(IDEAS["table"]),
            tries(lab, ("x = 2", {"seen": 2})),
        )
    if lab.picture == "tree":
        line = equation(MESSAGE, rf"\quad \lambda = {format_number(result.lam)}")
        drawn = translate(
            "{} joint draws, correlation of neighbours {}, seed {}.", lab.n, format_number(lab.link), lab.seed
        )
        wide = markup(
            "An observed value counts as if measured with an error of the RBF kernel's {} {}. The beliefs' means"
            " differ by at most {} from the exact means with this error.",
            BANDWIDTH,
            format_number(result.of_nodes.bandwidth),
            format_number(result.off_by(result.blurred_tree)),
        )
        shown = markup("{}{} {} {}", line, translate(IDEAS["tree"]), drawn, wide)
        return shown + tries(lab, ("b = 0 as well", {"others": '{"b":0}'}), ("bandwidth 1", {"bandwidth": 1.0}))
    if lab.picture == "filter":
        noise = (
            "" if lab.path == "rows" else translate(", sensor noise {}, seed {}", format_number(lab.sensor), lab.seed)
        )
        given = f"{_lam(result)}, λ̃ = {format_number(lab.lam_posterior)}"
        shown = markup(
            "{} {} ({}) and {} follow {}{}.{}",
            translate(IDEAS["filter"]),
            KERNEL_FILTER,
            given,
            KALMAN,
            result.course.description,
            noise,
            _apart(result),
        )
        return shown + tries(lab, ("n = 50", {"n": 50}))
    remark = " ".join(f"{side}: {text}" for side, text in zip("xy", result.remarks, strict=True) if text)
    pairs = markup("{}, n = {}, seed {}. {}", result.pairs.called, result.pairs.n, lab.seed, _kernels(result))
    return markup("{}{} {} {}", _equation(result), translate(IDEAS[lab.picture]), pairs, remark).rstrip() + tries(
        lab, *TRIES
    )


def _apart(result):
    """Return the distances of the filters' means from the exact belief's, or "" if that is Kalman's or unknown."""
    if result.fine is None:
        return ""
    kernel, kalman = (format_number(result.off(name)) for name in ("kernel", "kalman"))
    return translate(" Their means differ from the exact belief's by {} and {}.", kernel, kalman)


def _kernels(result):
    """Return one or two sentences about the kernels of x and y."""
    sides = zip(result.kernels, (result.pairs.X, result.pairs.Y), result.pairs.on_axes, strict=True)
    kx, ky = (_wide(*side) for side in sides)
    x, y = result.lab.by_gram
    if y:
        return translate(
            "{} y is known only by its similarities, so it has no density to draw.", result.lab.gram_in_words
        )
    if x:
        return markup("RBF kernel of {} {} in y. {}", BANDWIDTH, ky, result.lab.gram_in_words)
    return markup("RBF kernels of {} {} in x and {} in y.", BANDWIDTH, kx, ky)


BANDWIDTH = control("bandwidth", "bandwidth")
TRIES = (("λ = 0.0001", {"lam": 1e-4}), ("bandwidth 0.1", {"bandwidth": 0.1}))


def _wide(kernel, points, quantity):
    """Return a side's bandwidth, in the column's units if there is one column, or None for a Gram matrix."""
    if not kernel.has_bandwidth:
        return None
    return length_of(quantity, kernel.bandwidth) if points.shape[1] == 1 else format_number(kernel.bandwidth)


def _equation(result):
    """Return the formulas of the weights and of the mean of y, with their numbers."""
    lab = result.lab
    weights = rf"{BETA if lab.picture == 'cut' else POSTERIOR},\;\lambda = {format_number(result.lam)}"
    if lab.picture == "bayes":
        weights += rf",\;\tilde\lambda = {format_number(lab.lam_posterior)}"
    exact = result.exact_mean
    mean = r"\sum_i \beta_i(x)\,y_i"
    if result.of_y.centre:  # the weights need not sum to 1, so the mean depends on the origin of y
        mean = r"\bar y + \sum_i \beta_i(x)\,(y_i - \bar y)"
    return equation(
        weights,
        rf"\quad\role{{skmse}}{{{mean}}} = {format_number(result.mean)}",
        "" if exact is None else rf"\quad\role{{truth}}{{\mathrm{{E}}(y\;|\;x)}} = {format_number(exact)}",
    )


def tables(result: ConditionalResult) -> tuple[Markup, Markup]:
    """Return the table's embeddings and operators as HTML: those of the counted pairs, and the results of the rules."""
    exact, _ = result.rules
    p, q = exact.joint.shape
    ys, xs = [f"y = {j + 1}" for j in range(q)], [f"x = {i + 1}" for i in range(p)]
    mu_x, mu_y = exact.marginals
    counted = (
        (markup("μ<sub>X</sub>: P(x)"), xs, [""], mu_x[:, None]),
        (markup("μ<sub>Y</sub>: P(y)"), [""], ys, mu_y[None]),
        (markup("C<sub>XY</sub>: P(x, y)"), xs, ys, exact.joint),
        (markup("C<sub>X|Y</sub>: P(x | y)"), xs, ys, exact.conditional),
    )
    ruled = (
        (translate("chain rule: Q(x, y)"), xs, ys, exact.paired),
        (translate("sum rule: Q(x)"), xs, [""], exact.predicted[:, None]),
        (translate("Bayes' rule: Q(y | x = {})", result.lab.seen), [""], ys, exact.posterior[None]),
    )
    first, second = (
        markup("<div class='operators'>{}</div>", joined(table(*part) for part in parts)) for parts in (counted, ruled)
    )
    return first, second


STORY_VALUES = (
    "exact", "kernel", "kalman", "mean", "distance", "chosen", "before", "printed", "near", "far", "negative",
)  # fmt: skip


def story_values(result: ConditionalResult) -> dict[str, str]:
    """Return the values of the placeholders in the lab's stories."""
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
    if result.believed is not None:
        far = result.far_node
        numbers |= {"mean": float(result.believed.means[far]), "exact": float(result.exact_tree.means[far])}
    return {**in_words(numbers), "negative": "unknown" if result.negative is None else percent(result.negative)}
