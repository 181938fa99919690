"""Numbers as text for readers."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from explorer.languages import message, translate
from explorer.markup import joined, markup
from explorer.printing import format_number as format_number
from explorer.printing import length_of as length_of
from explorer.printing import minus
from explorer.printing import percent as percent
from explorer.printing import value_of as value_of
from explorer.printing import with_unit as with_unit
from explorer.public_names.retired_names import forward as _forward
from explorer.types import Matrix

if TYPE_CHECKING:
    from explorer.markup import Markup


WAITING = "still being computed"  # replaces a number that is still being computed
# replaces a number whose computation was refused; a message above the pictures says why
IMPOSSIBLE = "impossible to compute here"


def word(value: float | None) -> str:
    """Return a number as one would type it, with all its digits.

    Parameters
    ----------
    value : float or None
        The number.

    Returns
    -------
    str
        At most 15 significant digits.
    """
    return f"{value:.15g}" if value is not None and math.isfinite(value) else format_number(value)


def in_words(numbers: Mapping[str, float | None], missing: str = "unknown") -> dict[str, str]:
    """Return numbers as text, such as the values of a story's placeholders.

    Parameters
    ----------
    numbers : mapping of str to float or None
        Number by name.
    missing : str, default "unknown"
        Translated in place of None; WAITING for numbers of deferred stages.

    Returns
    -------
    dict of str to str
        Text by name.
    """
    return {n: translate(missing) if value is None else format_number(value) for n, value in numbers.items()}


def adding_up(terms: tuple[float, float, float], total: float) -> list[str]:
    """Return the terms of a sum with as many decimals as three digits of the total need.

    Much of a sum may cancel, so that the terms need more digits than they have on their own.

    Parameters
    ----------
    terms : tuple of float
        The terms.
    total : float
        Their sum.

    Returns
    -------
    list of str
        The terms as text, with two to nine decimals.
    """
    digits = 0 if total == 0 else 3 - math.floor(math.log10(abs(total)))
    return [minus(f"{term:.{min(max(digits, 2), 9)}f}") for term in terms]


def ratio(a: float, b: float) -> float | None:
    """Return a / b, or None if b is 0.

    Parameters
    ----------
    a, b : float
        The numbers.

    Returns
    -------
    float or None
        The ratio.
    """
    return float(a / b) if b else None


def _gains(error):
    """Return what is said of a gain, with the name of its error: the same, a multiple, less, and more."""
    return f"the same {error}", f"{{}} times the {error}", f"{{}} less {error}", f"{{}} more {error}"


# whole phrases, because in other languages their words depend on each other
GAINS = message(
    {
        "squared error": (
            "the same squared error",
            "{} times the squared error",
            "{} less squared error",
            "{} more squared error",
        ),
        "estimated squared error": (
            "the same estimated squared error",
            "{} times the estimated squared error",
            "{} less estimated squared error",
            "{} more estimated squared error",
        ),
    }
)


class Compared(NamedTuple):
    """Parts of a sentence on a relative change of an error, which always name its direction.

    The sentence is "X has {error} {joint} the plain average, Y {share}."

    Attributes
    ----------
    error : str
        The gain with the name of the error, such as "30 % less squared error".
    share : str
        The gain without it, such as "30 % less". "squared error" or another noun may follow.
    joint : str
        The word before "the plain average".
    """

    error: str
    share: str
    joint: str


def compared(gain: float, error: str = "squared error") -> Compared:
    """Return the parts of a sentence on a relative change, such as "30 % less" or "3 times as much".

    All sentences on relative changes use them, because a percentage alone does not tell a gain from a loss. A loss is a
    squared distance, so the sentence never says "closer".

    Parameters
    ----------
    gain : float
        The relative reduction, such as 1 - loss / loss of the plain average, which is negative if the amount rises; NaN
        if no weights sum to one.
    error : str, default "squared error"
        Name of the error.

    Returns
    -------
    Compared
        The translated parts.
    """
    if math.isnan(gain):
        none = translate("no weights that sum to one")
        return Compared(none, none, translate("compared with"))
    same, many, less, more = GAINS[error] if error in GAINS else _gains(error)
    if round(100 * gain, 1) == 0:
        # Translators: as in "the same squared error as the plain average"
        return Compared(translate(same), translate("the same"), translate("as"))
    if gain <= -1:
        # Translators: as in "3 times the squared error of the plain average"
        times = format_number(1 - gain, 2)
        return Compared(translate(many, times), translate("{} times as much", times), translate("of"))
    share = percent(abs(gain))
    if gain > 0:
        # Translators: as in "30 % less squared error than the plain average"
        return Compared(translate(less, share), translate("{} less", share), translate("than"))
    return Compared(translate(more, share), translate("{} more", share), translate("than"))


def deviations(z: float) -> str:
    """Return a standardised value as text, such as "2.1 standard deviations above".

    Parameters
    ----------
    z : float
        The value.

    Returns
    -------
    str
        With two significant digits.
    """
    return translate("{} standard deviations {}", format_number(abs(z), 2), "above" if z >= 0 else "below")


def table(title: str | Markup, rows: Sequence[str], columns: Sequence[str], values: Matrix) -> Markup:
    """Return an HTML table of numbers with names of rows and columns.

    Parameters
    ----------
    title : str or Markup
        The caption.
    rows, columns : sequence of str
        The p and q names.
    values : ndarray of shape (p, q)
        The numbers.

    Returns
    -------
    Markup
        The table.
    """
    head = joined(markup("<th>{}</th>", name) for name in columns)
    body = joined(
        markup("<tr><th>{}</th>{}</tr>", name, joined(markup("<td>{}</td>", format_number(float(v))) for v in row))
        for name, row in zip(rows, values, strict=True)
    )
    return markup("<table><caption>{}</caption><tr><th></th>{}</tr>{}</table>", title, head, body)


_RETIRED = {"number": "format_number"}
__getattr__ = _forward(__name__, _RETIRED, globals())
