"""Numbers as a reader wants them."""

from __future__ import annotations

import math

WAITING = "still being computed"  # in place of a number that is on its way


def number(value):
    """Three significant digits, in plain decimals where they are readable."""
    if value is None:
        return "auto"
    if math.isinf(value):
        return "∞"
    if value != 0 and not 1e-5 <= abs(value) < 1e6:
        return f"{value:.3g}"
    return f"{float(f'{value:.3g}'):.8f}".rstrip("0").rstrip(".")


def signed(value):
    """A number with a true minus sign."""
    return number(value).replace("-", "−")


def word(value):
    """A number as one would type it, with all its digits."""
    return f"{value:.15g}" if value is not None and math.isfinite(value) else number(value)


def percent(share):
    """A share as a percentage without its sign, whole from 9.5 % on."""
    return f"{round(100 * abs(share), 0 if abs(share) >= 0.095 else 1):g} %"


def ratio(a, b):
    """a / b; None where b is 0, as what is nowhere apart is by no factor farther."""
    return float(a / b) if b else None


def compared(gain):
    """A gain in words, with the two small words that follow: ("26 % closer", "to", "than")."""
    if math.isnan(gain):
        return "without weights that sum to one", "to", "than"
    if round(100 * gain, 1) == 0:
        return "no closer", "to", "than"
    if gain <= -1:
        return f"{number(float(f'{1 - gain:.2g}'))} times as far", "from", "as"
    return (f"{percent(gain)} closer", "to", "than") if gain > 0 else (f"{percent(gain)} further", "from", "than")


def deviations(z):
    """A standardised value in words, as in "2.1 standard deviations above"."""
    return f"{number(float(f'{abs(z):.2g}'))} standard deviations {'above' if z >= 0 else 'below'}"


def table(title, rows, columns, values):
    """Numbers (p, q) under a title, with names of rows and columns, as an HTML table."""
    head = "".join(f"<th>{name}</th>" for name in columns)
    body = "".join(
        f"<tr><th>{name}</th>{''.join(f'<td>{number(float(v))}</td>' for v in row)}</tr>"
        for name, row in zip(rows, values, strict=True)
    )
    return f"<table><caption>{title}</caption><tr><th></th>{head}</tr>{body}</table>"
