"""Sentences in HTML: names in the colours of their curves, what one may try, and a headline with its line of trust."""

from __future__ import annotations

import re
from html import escape
from urllib.parse import urlencode

from explorer.checks import Refusal
from explorer.model import word_of

from .formulas import formula


def named(words, role):
    """The name of a curve; the page gives it the colour of the curve's role, see `explorer.views.style.ROLES`."""
    return f"<span class='name {role}'>{escape(words)}</span>"


def control(words, field):
    """Words that name the control of a field, which lights up on the page when they are pointed at."""
    return f"<span class='control' data-field='{field}'>{words}</span>"


def attempt(words, **fields):
    """Words that set fields of the lab when they are pressed."""
    link = urlencode({name: word_of(value) for name, value in fields.items()})
    return f"<button type='button' class='try' data-set='{escape(link)}'>{words}</button>"


def tries(lab, *attempts):
    """A sentence that proposes what to try, each (its words, fields), of what leads to another state of the lab."""
    buttons = [attempt(words, **fields) for words, fields in attempts if _leads_on(lab, fields)]
    return f"<span class='tries'> Try {' or '.join(buttons)}.</span>" if buttons else ""


def _leads_on(lab, fields):
    try:
        return lab.replace(**fields) != lab
    except Refusal:
        return False


def still(markup):
    """A caption for where nothing can be pressed: without what it proposes to try."""
    return re.sub("<button[^>]*>(.*?)</button>", r"\1", re.sub("<span class='tries'>.*?</span>", "", markup))


# where RBF is as wide as a marginalized one of noise σ
NOISY_BANDWIDTH = formula(r"\sqrt{\theta^2 + 2\sigma^2}")


def headline(says, trust):
    """What a state shows, in one sentence, and below it how far to trust that."""
    return f"<div class='says'>{says}</div><div class='trust'>{trust}</div>"


def beside_average(first, second):
    """Two estimators beside the plain average, each (its name in HTML, its gain as `Compared`)."""
    (one, gain), (other, second_gain) = first, second
    return f"{one} has <b>{gain.error}</b> {gain.joint} the plain average, {other} <b>{second_gain.share}</b>."
