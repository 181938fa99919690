"""The Adaptation lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from explorer.adaptation.covariate import FAR
from explorer.markup import markup
from explorer.printing import briefly, listed, short
from explorer.workbench.formulas import equation, formula
from explorer.workbench.numbers import WAITING, length_of, number, percent
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html

from .lab import CALLED

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import AdaptationResult


FEW = 10  # points: an effective sample size below is too small for a line
MATCHED = 0.1  # of the target mean's norm: where less is left, x is said to match
KMM = r"\|\frac{1}{n}\sum_i b_i\,k(x_i, \cdot) - \frac{1}{m}\sum_j k(z_j, \cdot)\|^2"
BOX = formula(r"0 \le b_i \le B")
OMEGA = formula(r"\Omega = (L + \lambda I)^{-1} L")
SIZE = formula(r"(\sum b)^2 / \sum b^2")
MAPS = formula(r"x W_c + B_c")
DICA = formula(r"b^\prime K P K b")
OVER = formula(r"b^\prime (KQK + K + \lambda I) b")
DOES = {
    "weights of x": "Reweighted by x",
    "weights of y": "Reweighted by y",
    "maps": "With each class moved",
    "maps and weights": "With each class moved and reweighted",
}

EXPLAINS = markup(
    """<div class='caption'>
<p><b>Source and target.</b> A line is learnt from the source, whose y is known, and used on the target, whose y is not:
it is drawn here, and no remedy sees it. The area of a source point is its weight. Grey is the line of the source as it
is, blue the line after the remedy, dotted the target's true mean of y. Drag the diamond to move the target.</p>
<p><b>Weights of x</b> (covariate shift): kernel mean matching makes {} least over {}, the mean of b near
to one. Right where y given x is the same in both. <b>Weights of y</b> (target shift): a weight for each label, with
{} of the labels' Gram matrix, so that the mixture of x given y matches the target. Right where x given y is the
same. <b>Maps</b> (location-scale shift): each class of y is stretched and moved, {}, until the kernel means
match; under a kernel wider than the classes their scales are lost.</p>
<p><b>B and the effective sample size.</b> {} is how many points of equal weight would
be as good. A small bound B keeps it large, and lets the match be worse. The picture shows both over B:
the error on the target relative to that of the source as it is, the effective sample size relative to n.</p>
<p><b>Where it fails.</b> Where source and target do not overlap, no weights match: the distance that is left is large.
Where y given x changes, x matches, and the line gets worse: nothing in x can show that.</p>
<p><b>Domains</b>: points of several domains, in the first two components of kernel PCA, and of DICA, which makes
{} large beside {}: much variance, little of it between domains. Colours and symbols are domains. The factor of
the kernel decides how much the domains' differences count.</p>
</div>""",
    formula(KMM),
    BOX,
    OMEGA,
    MAPS,
    SIZE,
    DICA,
    OVER,
)


def samples_called(result: AdaptationResult) -> tuple[str, str] | tuple[str, ...]:
    """What source and target are called."""
    return ("source", "target") if result.lab.change else briefly(result.pair.called)[:2]


def headline(result: AdaptationResult, row: int | None = None) -> Markup:
    """Whether the remedy helps, and below it how far to trust that."""
    row = result.row if row is None else row
    if result.lab.picture == "domains":
        return in_html(_domains(result), _components(result))
    return in_html(_verdict(result, row), _trust(result, row))


def _verdict(result, row):
    fit, gain = result.at_row(row), result.gain(row)
    does = named(DOES[result.lab.remedy], "skmse")
    line = markup("{}, the line has <b>{}</b> on the target", does, _compared(gain))
    if result.unbounded.far > FAR:
        return markup(
            "<b>No overlap</b>: {} of the target's kernel mean stays unmatched, and the line rests on"
            " <b>{}</b> of {} points.",
            percent(min(fit.far, 1.0)),
            number(fit.size),
            len(fit.weights),
        )
    if _shown(gain) == 0:
        return markup("{} as before.", line)
    if gain > 0:
        return markup("{} than as it is.", line)
    if fit.far > MATCHED and fit is not result.unbounded:
        left = percent(min(fit.far, 1.0))
        return markup("{}: below this bound <b>{}</b> of the target's kernel mean stays unmatched.", line, left)
    if result.lab.source == "concept" and fit.far <= MATCHED:
        return markup("{}: x matches, but <b>y given x has changed</b>, which no weights of x can see.", line)
    return markup("{}: this remedy does not fit this change, or has too few points left.", line)


def _shown(gain):
    """The gain in percent as far as it is shown."""
    return round(100 * max(gain, -1e9), 1)


def _compared(gain):
    if _shown(gain) == 0:
        return "the same squared error"
    if gain <= -1:
        return f"{number(float(f'{1 - gain:.2g}'))} times the squared error"
    return f"{percent(gain)} {'less' if gain > 0 else 'more'} squared error"


def _trust(result, row):
    lab, fit = result.lab, result.at_row(row)
    left = f"distance left {number(fit.distance)}, {percent(fit.far)} of the target mean's norm"
    words = markup("n = {}, m = {}, seed {}. {}; {}.", lab.n, lab.m, lab.seed, _size(result, fit), left)
    before = f" {_errors(result, fit)}"
    best = "" if result.best_error is None else f"; {number(result.best_error)} with the true weights"
    badge = markup(" <span class='badge'>fewer than {} points</span>", FEW) if fit.size < FEW else ""
    return markup("{}{}{}.{}", words, before, best, badge)


def _errors(result, fit):
    """What becomes of the error, of a table in the units of y."""
    if result.lab.change:
        return f"Error {number(result.before[1])} → {number(fit.error)}"
    before, after = (length_of(result.of_y, math.sqrt(error)) for error in (result.before[1], fit.error))
    return f"Root mean square error of {short(result.of_y.name)}: {before} → {after}"


def _size(result, fit):
    return markup("{} points count like <b>{}</b>", len(fit.weights), number(fit.size))


def _domains(result):
    clouds = result.clouds
    count = int(clouds.of.max()) + 1
    of = f"{count} domains" if count > 1 else "one domain"
    if count == 1:
        return markup("Of {}, {} is kernel PCA: there is nothing to be invariant to.", of, named("DICA", "skmse"))
    return markup(
        "Between {} lies <b>{}</b> of the variance along {}'s components, and {} along those of {}.",
        of,
        percent(clouds.apart),
        named("DICA", "skmse"),
        percent(clouds.plain),
        named("kernel PCA", "kme"),
    )


def _components(result):
    lab, clouds = result.lab, result.clouds
    return (
        f"{len(clouds.of)} points, seed {lab.seed}; distributional variance {number(clouds.variance)}, kernel of size"
        f" {number(lab.size)} and bandwidth {number(lab.bandwidth)} × median."
    )


def caption(result: AdaptationResult) -> str | Markup:
    """The idea with this state's numbers, and what to try."""
    lab = result.lab
    remark = f" {result.median[1]}" if result.median[1] else ""
    if lab.picture == "domains":
        idea = markup(
            "DICA makes {} large for {} = 1. A larger {} counts the domains' differences more.",
            DICA,
            OVER,
            control("size of the kernel", "size"),
        )
        return idea + tries(lab, ("size 1", {"size": 1.0}), ("one domain", {"domains": 1}))
    about = f"{CALLED[lab.change]}." if lab.change else _of_table(result)
    if lab.bounded:
        about += markup(" No {} exceeds {}.", control("weight", "bound"), number(lab.bound))
    return _equation(result) + about + _maps(result) + _samples(result) + remark + tries(lab, *_attempts(lab))


def _equation(result):
    if not result.lab.bounded:
        return ""
    square = number(float(f"{result.fit.distance**2:.3g}"))
    most = f"\\quad 0 \\le b_i \\le {number(result.lab.bound)}"
    return equation(
        KMM if result.lab.remedy == "weights of x" else KMM.replace("b_i", r"(\Omega b)_i"), f"= {square}", most
    )


def _of_table(result):
    pair = result.pair
    of, to, both = briefly(pair.called)
    return f"{short(pair.names[-1])} by a line in {listed(map(short, pair.names[:-1]))}: from {of} to {to}{both}."


def _maps(result):
    fit, words = result.fit, ""
    if fit.scale is not None:
        each = [f"({number(float(w[0]))}, {number(float(b[0]))})" for w, b in zip(fit.scale, fit.shift, strict=True)]
        words = f" Scale and shift of each class: {', '.join(each[:6])}."
    if fit.shares is not None and len(fit.shares) <= 6:
        words += f" Shares of the classes in the target: {', '.join(percent(float(s)) for s in fit.shares)}."
    return words


def _samples(result):
    if result.lab.picture != "samples":
        return ""
    if result.more is None:
        return f" What more samples give is {WAITING}."
    gains = result.more.gains[0]
    return f" In {len(gains)} more samples the remedy helps {int((gains > 0).sum())} times."


def _attempts(lab):
    if lab.source == "covariate":
        return ("shift 2", {"shift": 2.0}), ("B = 3", {"bound": 3.0})
    if lab.source == "target" and lab.remedy == "weights of y":
        return ("weights of x instead", {"remedy": "weights of x"}), ("n = 300", {"n": 300})
    if lab.source == "location-scale" and not lab.bounded:
        return ("weights of x instead", {"remedy": "weights of x"}), ("shift 0", {"shift": 0.0})
    return ("bandwidth 1", {"bandwidth": 1.0}), ("B = 3", {"bound": 3.0})


def told(result: AdaptationResult) -> dict[str, str]:
    """The words that stories put their numbers in."""
    fit, more = result.fit, result.more
    return {
        "gain": percent(result.gain()),
        "error": number(fit.error),
        "before": number(result.before[1]),
        "size": number(fit.size),
        "far": percent(min(fit.far, 1.0)),
        "share": "unknown" if fit.shares is None else percent(float(fit.shares[-1])),
        "wins": "unknown" if more is None else str(int((more.gains[0] > 0).sum())),
        "apart": "unknown" if result.clouds is None else percent(result.clouds.apart),
        "plain": "unknown" if result.clouds is None else percent(result.clouds.plain),
    }
