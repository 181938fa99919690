"""Numbers as a reader wants them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from explorer.languages import translate
from explorer.markup import joined, markup
from explorer.printing import format_number as format_number
from explorer.printing import length_of as length_of
from explorer.printing import minus
from explorer.printing import percent as percent
from explorer.printing import value_of as value_of
from explorer.printing import with_unit as with_unit
from explorer.types import Matrix

if TYPE_CHECKING:
    from explorer.markup import Markup


WAITING = "still being computed"  # in place of a number that is on its way
IMPOSSIBLE = "impossible to compute here"  # in its place once it was refused; a sentence above the pictures says why


def word(value: float | None) -> str:
    """A number as one would type it, with all its digits."""
    return f"{value:.15g}" if value is not None and math.isfinite(value) else format_number(value)


def adding_up(terms: tuple[float, float, float], total: float) -> list[str]:
    """Terms of a sum with as many decimals as its three digits need, although much of it cancels."""
    digits = 0 if total == 0 else 3 - math.floor(math.log10(abs(total)))
    return [minus(f"{term:.{min(max(digits, 2), 9)}f}") for term in terms]


def ratio(a: float, b: float) -> float | None:
    """a / b; None where b is 0: nothing is so many times 0."""
    return float(a / b) if b else None


class Compared(NamedTuple):
    """A gain of squared error in words: "X has {error} {joint} the plain average, Y {share}."."""

    error: str
    share: str
    joint: str


def compared(gain: float, error: str = "squared error") -> Compared:
    """A gain 1 - loss / loss of the plain average as `Compared`: a loss is a squared distance, so never "closer"."""
    if math.isnan(gain):
        none = translate("no weights that sum to one")
        return Compared(none, none, translate("beside"))
    if round(100 * gain, 1) == 0:
        return Compared(translate(f"the same {error}"), translate("the same"), translate("as"))
    if gain <= -1:
        times = format_number(float(f"{1 - gain:.2g}"))
        return Compared(
            translate(f"{{}} times the {error}", times), translate("{} times as much", times), translate("of")
        )
    share, word = percent(gain), "less" if gain > 0 else "more"
    return Compared(translate(f"{{}} {word} {error}", share), translate(f"{{}} {word}", share), translate("than"))


def deviations(z: float) -> str:
    """A standardised value in words, as in "2.1 standard deviations above"."""
    return f"{format_number(float(f'{abs(z):.2g}'))} standard deviations {'above' if z >= 0 else 'below'}"


def table(title: str | Markup, rows: Sequence[str], columns: Sequence[str], values: Matrix) -> Markup:
    """Numbers (p, q) under a title, with names of rows and columns, as an HTML table."""
    head = joined(markup("<th>{}</th>", name) for name in columns)
    body = joined(
        markup("<tr><th>{}</th>{}</tr>", name, joined(markup("<td>{}</td>", format_number(float(v))) for v in row))
        for name, row in zip(rows, values, strict=True)
    )
    return markup("<table><caption>{}</caption><tr><th></th>{}</tr>{}</table>", title, head, body)
