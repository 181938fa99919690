"""Sentences of the distributions lab about a user's table: how well its bags are classified, and their origin."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate, translate_plural
from explorer.markup import markup
from explorer.printing import join_list, short_name
from explorer.workbench.numbers import format_number, length_of
from explorer.workbench.prose import headline

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import DistributionsResult


LEAST = 0.01  # R² below which nothing counts as predicted
FEW = 10  # number of bags below which a share of them is unreliable


def of_own(result: DistributionsResult, row: int, plain_sentence: str | Markup) -> Markup:
    """Return the headline of a user's table: the number of recognised bags, and the class of the stretched one.

    `plain_sentence` is a sentence with the number recognised with plain averages.
    """
    if result.detects:
        return headline(_outside(result), markup("{} {}", _bag(result, row), _cut(result)))
    says = _numbers(result) if result.number else _classes(result)
    few = translate("Only {} bags, too few to be sure: ", len(result.y)) if len(result.y) < FEW else ""
    return headline(
        markup("{}{}", few, says), markup("{} {} {}", _guess(result, plain_sentence), _bag(result, row), _cut(result))
    )


def rows_of(result: DistributionsResult) -> str:
    """Return the number of rows in a bag, or its range."""
    sizes = {len(bag) for bag in result.drawn.bags}
    return f"{min(sizes)}" if len(sizes) == 1 else translate("{} to {}", min(sizes), max(sizes))


def label_of(result: DistributionsResult) -> str:
    """Return the name of the label column."""
    return short_name(result.lab.label_column)


def _outside(result):
    outside = np.flatnonzero(~result.right)
    names = join_list([short_name(result.drawn.names[i]) for i in outside.tolist()])
    which = f": {names}" if len(outside) else ""
    return markup("<b>{} of {}</b> bags of {} rows lie outside{}.", len(outside), len(result.y), rows_of(result), which)


def _classes(result):
    held, (told, other) = result.held_out, result.sides
    right = round(result.share_of(held) * len(held.values))
    of = markup("<b>{} of {}</b> bags of {} rows", right, len(held.values), rows_of(result))
    return markup("{} are recognised as <b>{}</b> or {}.", of, told, other)


def _numbers(result):
    score, name = result.score_of(result.held_out), label_of(result)
    if score is None:
        return markup("All bags have the same {}, so there is nothing to learn.", name)
    if score < LEAST:
        return markup(
            "<b>{}</b> cannot be predicted from the rows of a bag: R² = <b>{}</b>.",
            name,
            format_number(round(score, 2)),
        )
    return markup("<b>{}</b> is predicted from the rows of a bag with R² = <b>{}</b>.", name, format_number(score))


def _guess(result, plain_sentence):
    """Return the number of bags that are right by chance, after the number with plain averages."""
    if result.number:
        return markup("Each of {} bags is left out in turn; guessing the mean gives R² = 0.", len(result.y))
    told = int((result.y > 0).sum())
    most, name = max((told, result.sides[0]), (len(result.y) - told, result.sides[1]))
    return markup("Each is left out in turn.{} Always guessing {} gets {}.", plain_sentence, name, most)


def _bag(result, row):
    """Return the class of the stretched bag, or the number predicted for it."""
    value, spread = float(result.curve[row]), format_number(result.stops[row])
    name, target = short_name(result.drawn.names[result.chosen]), result.drawn.targets[result.chosen]
    called = name if name.startswith("bag ") else translate("bag {}", name)
    if result.number:
        own = f"({label_of(result)} {format_number(float(target))})"
        return translate("At spread {} the prediction for {} {} is {}.", spread, called, own, format_number(value))
    of = next(word for word, label in result.labels.items() if label == target)
    verdict = result.verdicts[0 if value >= 0 else 1]
    does = translate("lies" if result.detects else "is classified as")
    return translate("At spread {} {} ({}) {} {}.", spread, called, result.in_words(of), does, verdict)


def _cut(result):
    """Return the origin of the bags."""
    lab = result.lab
    if lab.cuts:
        return translate("The bags are cut from the rows of each {} in {}.", label_of(result), short_name(lab.file))
    return translate("The bags come from the column {} of {}.", short_name(lab.bag_column), short_name(lab.file))


def drawn(result: DistributionsResult) -> str:
    """Return a sentence with the columns that the clouds show."""
    across, *up = (short_name(each.label) for each in result.drawn_quantities)
    most = ""
    if len(result.quantities) > len(result.coordinates):
        one, several = " The bags differ most in this column.", " The bags differ most in these columns."
        most = translate_plural(one, several, len(result.drawn_quantities))
    return translate(
        "The clouds show {}{}.{}{}",
        across,
        translate(" across and {} up", up[0]) if up else "",
        most,
        _bags_said(result),
    )


def _bags_said(result):
    """Return a sentence with the number of rows in bags; empty if all are used and no bags are missing."""
    bags, whole = result.drawn.bags, result.lab.the_points().n
    inside = sum(map(len, bags))
    more = (
        translate(", the most that are possible with {} rows per bag", result.lab.n)
        if len(bags) < result.lab.bags
        else ""
    )
    return (
        translate(" {:,} of {:,} rows are in {} bags{}.", inside, whole, len(bags), more)
        if more or inside < whole
        else ""
    )


def bandwidth(result: DistributionsResult) -> str:
    """Return the kernel's bandwidth: of one column in its units, of several in the units of their scaling."""
    theta = result.lab.bandwidth * result.median[0]
    if len(result.quantities) == 1:
        return length_of(result.quantities[0], theta)
    scaled = all(each.is_scaled for each in result.quantities)
    return translate("{} standard deviations of the columns", format_number(theta)) if scaled else format_number(theta)


def spread_of(result: DistributionsResult) -> str:
    """Return the range of each drawn column over all bags, in its units."""
    points = np.concatenate(result.drawn.bags)
    ends = []
    for j, each in zip(result.coordinates, result.drawn_quantities, strict=True):
        low, high = each.format(points[:, j].min()), each.format(points[:, j].max())
        ends.append(translate("{} from {} to {}", short_name(each.label), low, high))
    return join_list(ends)
