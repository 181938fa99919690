"""Numbers as a reader wants them."""

from __future__ import annotations

import math
from typing import NamedTuple

from explorer.markup import joined, markup
from explorer.printing import SUPERSCRIPTS, minus

UNBROKEN = "\N{NO-BREAK SPACE}"
CLOSE = ("", "\N{DEGREE SIGN}")  # what stands beside a number without a space
WAITING = "still being computed"  # in place of a number that is on its way


def number(value):
    """Three significant digits with a true minus sign, in plain decimals where they are readable."""
    if value is None:
        return "auto"
    if math.isinf(value):
        return "∞" if value > 0 else "−∞"
    if math.isnan(value):
        return "nan"
    if value != 0 and not 1e-5 <= abs(value) < 1e6:
        digits, exponent = f"{value:.3g}".split("e")
        return f"{minus(digits)} × 10{str(int(exponent)).translate(SUPERSCRIPTS)}"
    plain = f"{float(f'{value:.3g}'):.8f}".rstrip("0").rstrip(".")
    return minus("0" if plain == "-0" else plain)


def value_of(quantity, x):
    """A number of a column in words: in the column's own units where it was scaled, with the unit that it has."""
    if not quantity.is_scaled and not quantity.dates:
        return number(float(x))
    return with_unit(minus(quantity.said(x)), quantity)


def with_unit(words, quantity):
    """A number in words, with the unit that stands beside those of a column."""
    unit = quantity.unit if quantity.unit not in quantity.name else ""
    return f"{words}{'' if unit in CLOSE else UNBROKEN}{unit}"


def length_of(quantity, x):
    """A distance along a column in words, such as a bandwidth or a deviation: as `value_of`, and no date."""
    return with_unit(number(quantity.size * float(x)), quantity) if quantity.is_scaled else number(float(x))


def word(value):
    """A number as one would type it, with all its digits."""
    return f"{value:.15g}" if value is not None and math.isfinite(value) else number(value)


def percent(share):
    """A share as a percentage without its sign, whole from 9.5 % on."""
    return f"{round(100 * abs(share), 0 if abs(share) >= 0.095 else 1):g} %"


def adding_up(terms, total):
    """Terms of a sum with as many decimals as its three digits need, although much of it cancels."""
    digits = 0 if total == 0 else 3 - math.floor(math.log10(abs(total)))
    return [minus(f"{term:.{min(max(digits, 2), 9)}f}") for term in terms]


def ratio(a, b):
    """a / b; None where b is 0: nothing is so many times 0."""
    return float(a / b) if b else None


class Compared(NamedTuple):
    """A gain of squared error in words: "X has {error} {joint} the plain average, Y {share}."."""

    error: str
    share: str
    joint: str


def compared(gain, error="squared error"):
    """A gain 1 - loss / loss of the plain average as `Compared`: a loss is a squared distance, so never "closer"."""
    if math.isnan(gain):
        return Compared("no weights that sum to one", "no weights that sum to one", "beside")
    if round(100 * gain, 1) == 0:
        return Compared(f"the same {error}", "the same", "as")
    if gain <= -1:
        times = f"{number(float(f'{1 - gain:.2g}'))} times"
        return Compared(f"{times} the {error}", f"{times} as much", "of")
    share = f"{percent(gain)} {'less' if gain > 0 else 'more'}"
    return Compared(f"{share} {error}", share, "than")


def deviations(z):
    """A standardised value in words, as in "2.1 standard deviations above"."""
    return f"{number(float(f'{abs(z):.2g}'))} standard deviations {'above' if z >= 0 else 'below'}"


def table(title, rows, columns, values):
    """Numbers (p, q) under a title, with names of rows and columns, as an HTML table."""
    head = joined(markup("<th>{}</th>", name) for name in columns)
    body = joined(
        markup("<tr><th>{}</th>{}</tr>", name, joined(markup("<td>{}</td>", number(float(v))) for v in row))
        for name, row in zip(rows, values, strict=True)
    )
    return markup("<table><caption>{}</caption><tr><th></th>{}</tr>{}</table>", title, head, body)
