"""Sentences of the Independence lab. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from explorer.datasets.columns.quantity import Quantity
from explorer.languages import translate
from explorer.marks.nulls import null_words
from explorer.markup import markup, text_of
from explorer.printing import minus, short_name
from explorer.workbench.kernels import at_median, spoken
from explorer.workbench.numbers import WAITING, deviations, format_number, length_of, percent, value_of
from explorer.workbench.pairs import LEAST
from explorer.workbench.prose import NOISY_BANDWIDTH, control, landmarks_of, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation

from .lab import DRAWN, STRINGS, TABLES
from .small import whole

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import IndependenceResult


HSIC, SHAPE = r"\mathrm{HSIC} = \frac{\mathrm{tr}(KHLH)}{n^2}", r"= \|\hat C\|^2"

CALLED = {"LIN": "linear kernels", "POLY2": "quadratic kernels", "distance": "distance kernels (distance covariance)"}


def headline(result: IndependenceResult, row: int | None = None) -> Markup:
    """Return both verdicts in HTML, by Pearson's r and by HSIC, and how the permutations compare."""
    if not result.enough:
        return _few(result.pairs.n)
    draft = markup(" <span class='badge'>draft</span>") if result.draft else ""
    says = markup("{}{}{}{}{}", _verdicts(result, row), _alarm(result, row), _beyond(result), _of_all(result), draft)
    return in_html(says, _test(result, row) + of_fresh(result, row) + _how_of_all(result))


def _verdicts(result, row):
    """Say whether x and y look dependent by HSIC, and whether the linear coefficient shows it."""
    p, r, alpha = result.trial_at(row).test.pvalue, result.pearson.pvalue, result.lab.alpha
    hsic = markup("HSIC, <b>p = {}</b>", format_number(p))
    straight = markup("{}, p = {}", linear(result), format_number(r))
    names = _between(result)
    if p <= alpha < r:
        return markup("{} look <b>dependent</b> ({}), but <b>not linearly</b> ({}).", names, hsic, straight)
    if p <= alpha:
        return markup("{} look <b>dependent</b> ({}), also linearly ({}).", names, hsic, straight)
    if r <= alpha:
        return markup("{} look <b>dependent</b> only <b>linearly</b> ({}); {}.", names, straight, hsic)
    return markup("{} show <b>no dependence</b> ({}), nor a linear one ({}).", names, hsic, straight)


def _alarm(result, row):
    """Say that a dependence that HSIC or Pearson's r finds is a false alarm, if x and y are known to be independent."""
    pairs, found = result.pairs, min(result.trial_at(row).test.pvalue, result.pearson.pvalue) <= result.lab.alpha
    is_independent = result.lab.source == "none" and not pairs.placed and not len(pairs.moved)
    return markup(" They are independent: <b>a false alarm</b>.") if found and is_independent else ""


def in_short(result: IndependenceResult) -> str:
    """Say for a title which of the two finds a dependence, or "" if there are too few pairs."""
    if not result.enough:
        return ""
    alpha = result.lab.alpha
    hsic, pearson = result.trial_at(None).test.pvalue <= alpha, result.pearson.pvalue <= alpha
    if hsic == pearson:
        return (
            translate("HSIC and Pearson's r find a dependence")
            if hsic
            else translate("Neither HSIC nor Pearson's r finds a dependence")
        )
    found, missed = ("HSIC", translate("Pearson's r")) if hsic else (translate("Pearson's r"), "HSIC")
    return translate("{} finds a dependence, {} does not", found, missed)


def _beyond(result):
    """Say what the selected picture finds in addition to both tests, or "" if it finds nothing of its own."""
    picture, lab = result.lab.picture, result.lab
    if picture == "bandwidths" and not lab.by_gram[0]:
        if result.aggregated is None:
            return translate(" All bandwidths together (HSICAgg): {}.", translate(WAITING))
        test = result.agreed
        if test is None:
            return f" {result.aggregated}"
        verdict = translate("a dependence") if test.pvalue <= lab.alpha else translate("no dependence")
        return markup(
            " Over all bandwidths, HSICAgg finds <b>{}</b> (<b>p = {}</b>).", verdict, format_number(test.pvalue)
        )
    if picture == "canonical":
        fit = result.canonical
        if fit is None:
            return translate(" The canonical functions: {}.", translate(WAITING))
        if fit.refused:
            return f" {fit.refused}"
        held = translate(WAITING) if result.held_out is None else markup("<b>{}</b>", signed(result.held_out))
        return markup(
            " Canonical functions: correlation <b>{}</b>, rank correlation on held-out pairs {}.",
            signed(fit.together),
            held,
        )
    return ""


def _of_all(result):
    """Say what HSIC finds in all rows, if only some of a table's are drawn."""
    if not result.lab.some_drawn:
        return ""
    rows, test = f"{result.lab.own.n:,}", result.of_all
    if test is None:
        return translate(" All {} rows: {}.", rows, translate(WAITING))
    if isinstance(test, str):
        return markup(" All {} rows could not be tested: {}", rows, test)
    found = markup(
        "<b>{}</b>", translate("a dependence") if test.pvalue <= result.lab.alpha else translate("no dependence")
    )
    return markup(" In all {} rows HSIC finds {} (<b>p = {}</b>).", rows, found, format_number(test.pvalue))


def _how_of_all(result):
    """Describe the test of all rows, or return "" if there is none."""
    lab, test = result.lab, result.tested_of_all
    if test is None:
        return ""
    kernels = translate("{} kernels{}", spoken(lab.kernel), at_median(lab.kernel, test.n))
    return translate(" In all rows, HSIC is {} with {}{}.", format_number(test.statistic), kernels, landmarks_of(test))


def _between(result):
    """Name the two variables, as the start of a sentence; those of a table by their columns."""
    pairs = result.pairs
    if result.lab.source not in TABLES or result.lab.by_gram[0]:
        return translate("x and y")
    sides = pairs.names[: pairs.X.shape[1]], pairs.names[pairs.X.shape[1] :]
    x, y = (short_name(names[0]) if len(names) == 1 else translate("{} columns", len(names)) for names in sides)
    return translate("{} and {}", x, y)


def _few(n):
    if not n:
        says = markup("The canvas is <b>empty</b>: click to draw pairs.")
    elif n == 1:
        says = markup("<b>1</b> pair so far: draw more.")
    else:
        says = markup("<b>{}</b> pairs so far: draw more.", n)
    return in_html(says, translate("A test of independence needs at least {} pairs.", LEAST))


def linear(result: IndependenceResult) -> str:
    """Return the linear coefficient: Pearson's r, or for several columns the RV coefficient."""
    if max(result.pairs.X.shape[1], result.pairs.Y.shape[1]) > 1:
        return f"RV = {format_number(result.pearson.value)}"
    return translate("Pearson's r = {}", signed(result.pearson.value))


def signed(value: float) -> str:
    """Format a number with two decimals and a true minus sign."""
    return minus(f"{value:.2f}".replace("-0.00", "0.00"))


def _test(result, row):
    """Say how many permutations reach the observed HSIC, and with which kernels."""
    trial = result.trial_at(row)
    count, total = trial.reached, len(trial.test.null_distribution)
    reach = {
        0: translate("none of {} permutations reaches", total),
        1: translate("1 of {} permutations reaches", total),
    }
    reached = reach.get(count, translate("{} of {} permutations reach", count, total))
    return translate(
        "With {}, {} the observed HSIC = {}.", _kernels(result, row), reached, format_number(trial.test.statistic)
    )


def _kernels(result, row):
    x, y = result.lab.by_gram
    if y:
        return translate("the Gram matrices themselves")
    if x:
        _, kernel = result.lab.kernels(result.medians)
        at = translate(" at {} × the median distance", format_number(result.lab.bandwidth))
        width = f"{at} ({format_number(kernel.bandwidth)})" if kernel.has_bandwidth else ""
        what = (
            translate("the subsequence kernel of the strings")
            if result.lab.source == STRINGS
            else translate("the Gram matrix of x")
        )
        return translate("{} and the {} kernel of y{}", what, spoken(result.lab.kernel), width)
    if result.lab.kernel in CALLED:
        return translate(CALLED[result.lab.kernel])
    times, sigma = result.lab.bandwidth, result.sigma_at(row)
    plain = translate("{} kernels at {} × the median distances", spoken(result.lab.kernel), format_number(times))
    if sigma == 0:
        return plain
    if sigma is None:
        a, b = map(format_number, result.sigmas)
        both = translate(" and ").join(format_number(kernel.bandwidth) for kernel in result.kernels)
        return translate(
            "RBF kernels and σ by leave-one-out, {} and {} (the same test as at bandwidths {} without noise)",
            a,
            b,
            both,
        )
    wide = format_number(math.hypot(times, math.sqrt(2) * sigma))
    return translate(
        "{} and noise σ = {} × (the same test as at {} × without noise)", plain, format_number(sigma), wide
    )


def of_fresh(result: IndependenceResult, row: int | None = None) -> str | Markup:
    """Report the fresh samples, if the page has them for this state."""
    fresh = result.fresh
    if fresh is None or row not in (None, result.row):
        return ""
    none = translate("{} of {} samples", fresh.none, fresh.count)
    if fresh.kernel is None:
        return translate(" With the pairing permuted, HSIC finds a dependence in {}.", none)
    found = markup("in <b>{}</b> of {} fresh samples and Pearson's r in {}", fresh.kernel, fresh.count, fresh.pearson)
    return markup(" HSIC finds a dependence {}. With the pairing permuted, HSIC finds one in {}.", found, none)


def described(result: IndependenceResult) -> str:
    """Describe the pairs."""
    lab, pairs = result.lab, result.pairs
    noise = translate(", noise {}", format_number(lab.noise)) if lab.source in DRAWN else ""
    hand = translate(", {} added by hand", pairs.placed) if pairs.placed and lab.source != "drawn" else ""
    moved = translate(", {} moved by hand", len(pairs.moved)) if len(pairs.moved) else ""
    gram = f". {lab.gram_in_words}".rstrip(". ")
    return translate("{}{}{}{}, n = {}, seed {}{}", pairs.called, noise, hand, moved, pairs.n, lab.seed, gram)


def caption(result: IndependenceResult) -> Markup:
    """Return the idea, the shape of the dependence, the identity of the marginalized kernels, and the remarks."""
    idea = translate("HSIC averages the products of matching entries of the two centred Gram matrices")
    if not result.enough:
        return markup("{}{}. {}.", equation(HSIC, SHAPE), idea, described(result))
    trial, total, remark, noise = result.trial, len(result.test.null_distribution), "", ""
    below = translate("{} of {}", total - trial.reached, total) if trial.reached else translate("all {}", total)
    noisier = [("a noise of 1", {"noise": 1.0})] if result.lab.source in DRAWN else []
    linear_one = () if result.lab.by_gram[1] else (("the linear kernel", {"kernel": "LIN", "sigma": 0.0}),)
    n, value = trial.test.n, trial.test.statistic
    numbers = rf"= \frac{{{format_number(n**2 * value)}}}{{{n}^2}} = {format_number(value)}"
    if result.lab.kernel not in CALLED:
        remark = " ".join(f"{side}: {text}" for side, text in zip("xy", result.remarks, strict=True) if text)
    if result.lab.kernel not in CALLED and result.lab.sigma != 0:
        noise = markup(
            " With noise {} the kernel is RBF at bandwidth {}, times a constant.",
            control("σ", "sigma"),
            NOISY_BANDWIDTH,
        )
    return (
        markup(
            "{}{}. Here it exceeds <b>{}</b> {}, and lies {} their mean. {}.{} {} for {} of {}; their correlation is"
            " {}.{}{}{} {} {}",
            equation(HSIC, SHAPE, numbers),
            idea,
            below,
            named(translate("permuted values"), "kme"),
            deviations(trial.test.standardised),
            described(result),
            _widths(result),
            _leading(result),
            percent(trial.shape.share),
            whole(result),
            format_number(trial.shape.together),
            noise,
            _distance(result),
            _of_picture(result),
            remark,
            trial.shape.remark,
        )
    ).rstrip() + tries(result.lab, *_attempts(result), *linear_one, *noisier)


def _attempts(result):
    """Return what to try if the canonical functions are shown."""
    if result.lab.picture != "canonical":
        return ()
    return ("ε = 0.0001", {"eps": 1e-4}), ("RobustKME's weights", {"robust": True})


def _of_picture(result):
    """Explain the small picture's numbers, or return "" if the help suffices."""
    if result.lab.picture == "bandwidths" and result.agreed is not None:
        test = result.agreed
        return translate(
            " HSICAgg tests {} pairs of RBF bandwidths with {} common permutations. Their smallest p is {}, which is"
            " not a valid p-value.",
            len(test.pvalues),
            len(test.null_distribution),
            format_number(float(test.pvalues.min())),
        )
    if result.lab.picture == "canonical" and result.canonical is not None and not result.canonical.refused:
        fit = result.canonical
        eps = format_number(fit.lam / result.unit)
        weights = ""
        if result.lab.robust:
            share = translate("{} of the largest", percent(fit.least)) if fit.least else "0"
            weights = translate(" RobustKME weighs the pairs; the smallest weight is {}.", share)
        chosen = translate(", chosen by leave-one-out") if result.lab.eps is None else ""
        return markup(" {}{}, so λ = {}.{}", control(f"ε = {eps}", "eps"), chosen, format_number(fit.lam), weights)
    if result.lab.picture == "measures" and result.information is not None:
        known = result.information
        return translate(
            " Mutual information is {} nats (p = {} against {} permutations), as much as a Gaussian pair with |r| ="
            " {} has.",
            format_number(known.statistic),
            format_number(known.pvalue),
            len(known.null_distribution),
            format_number(known.correlation),
        )
    return ""


def _leading(result):
    """Name the pair of functions, and explain the uncentred operator if it is drawn."""
    pair = translate("leading functions f(x) and g(y)")
    if result.lab.centred:
        return translate("The {} account", pair)
    return translate("The background is the uncentred operator; the test uses the centred one. Its {} account", pair)


def _widths(result):
    """Return the bandwidths of both kernels in the units of x and y, or "" if there are not two of them."""
    if any(result.lab.by_gram) or result.lab.kernel in CALLED:
        return ""
    sides = (result.pairs.X, result.pairs.Y)
    x, y = (
        length_of(of if Z.shape[1] == 1 else Quantity(""), result.lab.bandwidth * median)
        for of, Z, median in zip(result.pairs.on_axes, sides, result.medians, strict=True)
    )
    return translate(" The bandwidths are {} in x and {} in y.", x, y)


def _distance(result):
    if result.distance is None:
        return ""
    scaled = translate(" of the scaled columns") if any(each.is_scaled for each in result.pairs.quantities) else ""
    words = translate(
        " The distance covariance{} is {}, and the distance correlation is {} (p = {}).",
        scaled,
        format_number(result.covariance),
        format_number(result.distance.value),
        format_number(result.distance.pvalue),
    )
    peer = result.peer
    if peer is None:
        return words
    if peer.trouble:
        return f"{words} {peer.trouble}"
    apart = abs(peer.covariance - result.covariance)
    compared = (
        translate("the same to the last digit")
        if apart == 0
        else translate("a difference of {}", format_number(apart, 1))
    )
    return translate("{} dcor {} gives {}, {}.", words, peer.version, format_number(peer.covariance), compared)


STORY_VALUES = (
    "canonical", "fresh", "pearson_fresh", "count", "column", "column_p", "held", "p", "r", "r_p", "z", "share",
    "together", "reached", "times",
)  # fmt: skip


def story_values(result: IndependenceResult) -> Any:
    """Return the values of the placeholders in stories."""
    late = ("fresh", "pearson_fresh", "count", "column", "column_p", "canonical", "held")
    words = dict.fromkeys(late, translate(WAITING))
    if not result.enough:
        return words | dict.fromkeys("p r r_p z share together reached times".split(), translate("unknown"))
    trial, fresh, c = result.trial, result.fresh, result.columns
    words |= {
        "p": format_number(result.pvalue),
        "r": signed(result.pearson.value),
        "r_p": format_number(result.pearson.pvalue),
        "z": deviations(trial.test.standardised),
        "share": percent(trial.shape.share),
        "together": format_number(trial.shape.together),
        "reached": translate("{} of {}", trial.reached, len(trial.test.null_distribution)),
        "times": format_number(math.hypot(result.lab.bandwidth, math.sqrt(2) * (result.lab.sigma or 0.0))),
    }
    if result.canonical:
        words["canonical"] = signed(result.canonical.together)
    if result.held_out is not None:
        words["held"] = signed(result.held_out)
    if fresh:
        counts = {"fresh": fresh.kernel, "pearson_fresh": fresh.pearson, "count": fresh.count}
        words |= {name: str(value) for name, value in counts.items()}
    if c:
        words |= {"column": short_name(c.names[0]), "column_p": format_number(float(c.pvalue[0]))}
    return words


def pairs_words(result: IndependenceResult) -> str:
    """Describe the pairs in numbers, and the fresh samples."""
    pairs = result.pairs
    if not result.enough:
        return translate("{} pairs.", pairs.n)
    sides = zip(pairs.on_axes, (pairs.X[:, 0], pairs.Y[:, 0]), strict=True)
    (x, dx), (y, dy) = ((value_of(of, Z.mean()), length_of(of, Z.std())) for of, Z in sides)
    return translate(
        "{}. {} has mean {} and standard deviation {}, and {} has mean {} and standard deviation {}. {}, p = {}. {}",
        described(result),
        short_name(pairs.names[0]),
        x,
        dx,
        short_name(pairs.on_axes[1].name),
        y,
        dy,
        linear(result),
        format_number(result.pearson.pvalue),
        text_of(of_fresh(result)),
    ).rstrip()


def null_and_gamma(result: IndependenceResult) -> str:
    """Describe the null values in HSIC's own units, and the gamma distribution."""
    if not result.enough:
        return ""
    gamma = result.trial.gamma
    null = null_words(result.test, result.lab.alpha, translate("permutations give HSIC"))
    return translate(
        "{} Over all orders the mean is exactly {} and the standard deviation {}; the gamma distribution with these"
        " gives p = {}.",
        null,
        format_number(gamma.mean),
        format_number(math.sqrt(gamma.variance)),
        format_number(gamma.pvalue),
    )
