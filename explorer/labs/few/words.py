"""Sentences of the Few lab. Every number is computed; none is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.languages import translate, translate_plural
from explorer.markup import joined, markup
from explorer.printing import minus, short_name
from explorer.workbench.clouds import CALLED
from explorer.workbench.kernels import has_bandwidth, spoken
from explorer.workbench.numbers import WAITING, format_number, percent, value_of
from explorer.workbench.prose import control, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation

from .comparing import LEVEL
from .flow import PARTICLES

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .choices import Look
    from .result import FewResult


SQUARE = r"\mathrm{MMD}^2 = \|\hat\mu_P - \hat\mu_Q\|^2"
WITNESS = r"f(x) = \frac1n\sum_i k(x_i, x) - \sum_j w_j k(z_j, x)"
FLOW = r"z_j' = z_j - \frac23\theta^2\,\mathrm{grad}\, f(z_j + \epsilon_j)"
LISTED, COLUMNS = 20, 8  # the most prototypes in the list, and the most columns of a table there
HOW = {
    "herding": "chosen by herding",
    "thinning": "chosen by kernel thinning",
    "k-means": "chosen by kernel k-means",
    "random": "taken at random",
}


def headline(result: FewResult, row: int | None = None) -> Markup:
    """Return the headline: the finding of the visible picture, and a line on its basis."""
    if result.lab.picture == "flow":
        return in_html(*_flowing(result))
    if result.lab.picture == "test":
        return in_html(*_testing(result))
    look = result.look_at(row)
    return in_html(_standing(result, look), markup("{}{}", _moved(result, look), _comparison(result, look)))


def in_short(result: FewResult) -> str:
    """Return a title: the number of random rows that the points are worth, or how near the particles are.

    A test's headline is short enough to be its title.
    """
    lab = result.lab
    if lab.picture == "flow" and result.flow is not None:
        return translate("MMD {} after {} steps", _stuck(result), lab.steps)
    look = result.look_at(result.row)
    if lab.picture != "criticisms" or look.error == 0:
        return ""
    count = len(look.points)
    rows = _random_rows(result, look.error)
    return translate_plural("{} point is as good as {}", "{} points are as good as {}", count, count, rows)


def _points(count):
    return translate_plural("{} point", "{} points", count)


def _standing(result, look):
    """Return the number of random rows that the chosen points are worth, as text."""
    n, m = len(result.X), len(look.points)
    if look.error == 0:
        return markup(
            "{} {} have <b>the same kernel mean</b> as all {}.", _points(m), translate(HOW[result.lab.method]), n
        )
    rows = _random_rows(result, look.error)
    points = f"{_points(m)} {translate(HOW[result.lab.method])}"
    if m == 1:
        return markup("{} represents all {} as well as <b>{}</b> usually does.", points, n, rows)
    if _worth(result, look.error) == "1":
        return markup("{} represent all {} as well as <b>{}</b> usually does.", points, n, rows)
    return markup("{} represent all {} as well as <b>{}</b> usually do.", points, n, rows)


def _worth(result, error):
    """Return the number of random rows with this MMD as text: a whole number unless it is small."""
    worth = result.mean.worth(error)
    return f"{worth:.0f}" if worth >= 9.5 else format_number(worth, 2)


def _random_rows(result, error):
    """Return the number of random rows with this MMD and the noun, as text."""
    worth = _worth(result, error)
    return translate("1 random row") if worth == "1" else translate("{} random rows", worth)


def _moved(result, look):
    """Return the cost of the user's move, as text."""
    if abs(look.error - look.before) <= 1e-12:
        return ""
    change = "raises" if look.error > look.before else "lowers"
    return markup(
        "Moving points by hand {} the MMD from {} to <b>{}</b>. ",
        change,
        format_number(look.before),
        format_number(look.error),
    )


def _comparison(result, look):
    """Return the MMD of the chosen points and of random rows, as text."""
    random = float(result.mean.random(len(look.points)))
    told = translate("MMD {}", format_number(look.error))
    if random > 0:
        times = "" if look.error == 0 else f", {_times(random / look.error)}"
        told += translate("; random rows: {}{}", format_number(random), times)
    return f"{told} ({_kernel(result)})."


def _times(ratio):
    return translate("{} times as much", format_number(ratio))


def _kernel(result):
    wide = translate(", bandwidth {} × median", format_number(result.lab.bandwidth)) if has_bandwidth(result) else ""
    return translate("{} kernel{}", spoken(result.lab.kernel), wide)


def _testing(result):
    tested, lab = result.tested, result.lab
    if tested is None:
        return markup("The p of the compressed test is {}.", translate(WAITING)), _kernel(result)
    if not tested:
        return markup("The test has <b>too few rows</b> to compress: each half needs at least 32."), _kernel(result)
    kept, p = int(tested.sizes[tested.default_index]), float(tested.pvalues[tested.default_index])
    says = markup(
        "With {} of {:,} rows of each sample the test gives <b>p = {}</b>; with all rows, p = {}.",
        kept,
        tested.n,
        format_number(p),
        format_number(float(tested.pvalues[-1])),
    )
    cost = translate(
        "The compressed test needs {} of the kernel values. ", percent(float(tested.costs[tested.default_index]))
    )
    if lab.samples == 0:
        return says, translate(
            "{}The shift is {} standard deviations ({}).", cost, format_number(lab.shift), _kernel(result)
        )
    return says, markup("{}{}", cost, _again(result))


def _again(result):
    again = result.again
    if again is None:
        return markup("Its level and power are {}.", translate(WAITING))
    low, high = again.interval(again.false)
    return markup(
        "It rejects <b>{}</b> of {} pairs without a difference (95 % interval {:.0f} to {:.0f} %, level {:.0f} %) and"
        " <b>{}</b> of {} pairs with the shift.",
        again.false,
        again.count,
        100 * low,
        100 * high,
        100 * LEVEL,
        again.right,
        again.count,
    )


def _flowing(result):
    lab, flow = result.lab, result.flow
    if flow is None:
        return markup("The flow of the particles is {}.", translate(WAITING)), _kernel(result)
    after = (
        translate("Before the first step")
        if lab.steps == 0
        else translate_plural("After {} step", "After {} steps", lab.steps)
    )
    says = markup("{} the MMD of {} particles is <b>{}</b>.", after, PARTICLES, _stuck(result))
    error, first = float(flow.errors[lab.steps]), float(flow.errors[0])
    told = translate("MMD {}, at the start {}", format_number(error), format_number(first))
    if lab.spread:
        told += translate(", without noise {}", format_number(float(flow.plain[lab.steps])))
    return says, f"{told} ({_kernel(result)})."


def _stuck(result):
    """Return the MMD of the particles relative to that of as many random rows, as text."""
    if result.stuck is None:
        return format_number(result.left)
    return translate("{} times that of random rows", format_number(result.stuck))


def caption(result: FewResult) -> Markup:
    """Return the caption: the idea, in this state's numbers, and suggestions."""
    lab = result.lab
    if lab.picture == "flow":
        kernel: Any = result.kernel
        line = equation(FLOW, rf"\quad \theta = {format_number(float(kernel.bandwidth))}")
        words = markup(
            "{} Noise at the start: {}.", flow_words(result), control(f"{format_number(lab.spread)} θ", "spread")
        )
    elif lab.picture == "test":
        line = equation(SQUARE)
        words = markup("{} {}.", test_words(result), control(f"Shift {format_number(lab.shift)}", "shift"))
    else:
        line = equation(WITNESS, rf"\quad \mathrm{{MMD}} = {format_number(result.look.error)}")
        words = markup(
            "{} {} {} {} {}",
            control(_points(len(result.look.points)), "m"),
            translate_plural("represents all {}.", "represent all {}.", len(result.look.points), len(result.X)),
            rate_words(result),
            critic_words(result),
            _halving(result),
        )
    return line + words + f" {_state(result)} {result.median[1]}".rstrip() + tries(lab, *_tries(lab))


def _halving(result):
    """Return the reason why there are fewer points than the slider's setting, or ""."""
    lab, kept = result.lab, len(result.look.points)
    if kept == lab.m:
        return ""
    if lab.method == "thinning":
        return translate("Repeated halving of {} rows leaves {}, not {}.", lab.n, _points(kept), lab.m)
    return translate_plural("There is only {} point.", "There are only {} points.", kept)


def _state(result):
    lab = result.lab
    if lab.toy:
        return translate(
            "{}, noise {}, n = {}, seed {}.", translate(CALLED[lab.toy]), format_number(lab.noise), lab.n, lab.seed
        )
    return translate("{}: {} of {:,} rows, seed {}.", short_name(lab.table_name), lab.n, lab.the_table().n, lab.seed)


def _tries(lab):
    if lab.picture == "flow":
        return (("noise of 2 θ", {"spread": 2.0}), ("bandwidth 1", {"bandwidth": 1.0}))
    if lab.picture == "test":
        return (("no shift", {"shift": 0.0}), ("100 more pairs", {"samples": 100}))
    return (("kernel thinning", {"method": "thinning"}), ("64 points", {"m": 64}))


def rate_words(result: FewResult) -> str:
    """Return the sentence on how fast the MMD falls under each method."""
    slopes = {name: result.slope(name) for name in ("herding", "thinning", "k-means", "random")}
    if result.rivals is None:
        return translate("How fast the MMD falls is {}.", translate(WAITING))
    if None in slopes.values():
        return translate("There are too few points for a rate.")
    powers = {name: minus(f"m^({slope:.2f})") for name, slope in slopes.items()}
    return translate(
        "From 4 to {} points the MMD falls like {} with herding, {} with kernel thinning, {} with kernel k-means and"
        " {} with random rows. For random rows drawn with replacement the exponent is exactly −0.5.",
        min(64, result.lab.n // 4),
        powers["herding"],
        powers["thinning"],
        powers["k-means"],
        powers["random"],
    )


def critic_words(result: FewResult) -> str:
    """Return the sentence on the criticisms, the largest first."""
    look = result.look
    if not len(look.rows):
        return translate("Every row is a chosen point, so there is no criticism.")
    rows = [f"{result.number_of(row)} ({format_number(float(look.witness[row]))})" for row in look.rows]
    return translate("Criticisms, by {} and witness: {}.", result.row_word, ", ".join(rows))


def test_words(result: FewResult) -> str:
    """Return the sentence on p and cost by the number of rows kept."""
    tested = result.tested
    if tested is None:
        return translate("The p of the compressed test is {}.", translate(WAITING))
    if not tested:
        return translate("Each sample needs at least 32 rows to be compressed.")
    each = [
        translate("{} rows: p = {} ({} of the kernel values)", int(size), format_number(float(p)), percent(float(cost)))
        for size, p, cost in zip(tested.sizes, tested.pvalues, tested.costs, strict=True)
    ]
    return f"{'; '.join(each)}."


def flow_words(result: FewResult) -> str:
    """Return the sentence on how the MMD of the particles falls."""
    flow = result.flow
    if flow is None:
        return translate("The flow of the particles is {}.", translate(WAITING))
    rises = int((np.diff(flow.errors) > 1e-12).sum())
    never = (
        translate("No step raises the MMD")
        if rises == 0
        else translate("{} of {} steps raise the MMD", rises, len(flow.errors) - 1)
    )
    random = result.mean.drawn(PARTICLES)
    return translate(
        "The MMD falls from {} to {} in {} steps. {}. For {} random rows it is {}.",
        format_number(float(flow.errors[0])),
        format_number(float(flow.errors[-1])),
        len(flow.errors) - 1,
        never,
        PARTICLES,
        format_number(random),
    )


def listing(result: FewResult) -> Markup:
    """Return the list of the first prototypes and the criticisms, row by row, with the values of the first columns."""
    look, quantities = result.look, result.quantities[:COLUMNS]
    heads = ["", result.row_word, *(short_name(each.label) for each in quantities), "witness"]

    def lines(called, rows, points):
        for row, Z in zip(rows, points, strict=True):
            cells = [str(result.number_of(row)), *map(value_of, quantities, Z)]
            witness = format_number(float(look.witness[row]))
            yield markup("<tr><th>{}</th>{}</tr>", called, joined(markup("<td>{}</td>", c) for c in [*cells, witness]))

    rows = [
        *lines("criticism", look.rows, result.X[look.rows]),
        *lines("prototype", look.chosen.rows[:LISTED], result.X[look.chosen.rows[:LISTED]]),
    ]
    head = joined(markup("<th>{}</th>", each) for each in heads)
    return markup("<div class='preview' tabindex='0'><table><tr>{}</tr>{}</table></div>", head, joined(rows))


STORY_VALUES = (
    "random", "mmd", "times", "worth", "p", "all", "cost", "false", "count", "left", "stuck", "without",
    "rate of herding", "rate of thinning",
)  # fmt: skip


def story_values(result: FewResult) -> dict[str, str]:
    """Return the values of the stories' placeholders."""
    look: Look = result.look
    random = float(result.mean.random(len(look.points)))
    words = {
        "mmd": format_number(look.error),
        "random": format_number(random),
        "times": format_number(random / look.error) if look.error > 0 else "unlimited",
        "worth": _worth(result, look.error),
    }
    for name in ("herding", "thinning"):
        slope = result.slope(name)
        words[f"rate of {name}"] = translate(WAITING) if slope is None else minus(f"{slope:.2f}")
    tested, again, flow = result.tested, result.again, result.flow
    words |= dict.fromkeys(("p", "all", "cost", "false", "count"), translate(WAITING))
    if tested:
        words |= {
            "p": format_number(float(tested.pvalues[tested.default_index])),
            "all": format_number(float(tested.pvalues[-1])),
            "cost": percent(float(tested.costs[tested.default_index])),
        }
    if again:
        words |= {"false": str(again.false), "count": str(again.count)}
    words |= dict.fromkeys(("left", "stuck", "without"), translate(WAITING))
    if flow:
        at = result.lab.steps
        words |= {
            "left": format_number(float(flow.errors[at])),
            "without": format_number(float(flow.plain[at])),
            "stuck": format_number(result.stuck or 0),
        }
    return words
