"""Sentences in HTML: names in the colours of curves, suggestions to try, and headlines with a line on their trust."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, TypeAlias
from urllib.parse import urlencode

from explorer.checks import Refusal
from explorer.languages import translate
from explorer.markup import markup, rewritten, taken_out, text_of
from explorer.model import link_text

from .numbers import IMPOSSIBLE, WAITING, format_number
from .tex_to_mathml import formula

if TYPE_CHECKING:
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.markup import Markup

    from .lab import Lab
    from .numbers import Compared
    from .result import Result


IN_SHORT = 72  # longest title in characters
WORD = re.compile(r"[^\W\d_]{3,}")
# label, and the fields of the state to which it leads
Attempt: TypeAlias = tuple[str, Mapping[str, float | str | None]]


def named(words: str, role: str) -> Markup:
    """Return the name of a curve; the page colours it by role, see `explorer.views.style.ROLES`.

    Parameters
    ----------
    words : str
        The name.
    role : str
        Role of the curve.

    Returns
    -------
    Markup
        A span.
    """
    return markup("<span class='name {}'>{}</span>", role, words)


def control(words: str, field: str) -> Markup:
    """Return text that names the control of a field; pointing at it highlights the control on the page.

    Parameters
    ----------
    words : str
        The text.
    field : str
        The field.

    Returns
    -------
    Markup
        A span with the translated text.
    """
    return markup("<span class='control' data-field='{}'>{}</span>", field, translate(words))


def attempt(words: str, **fields: float | str | None) -> Markup:
    """Return a button that sets fields of the lab.

    Parameters
    ----------
    words : str
        Its label.
    **fields : float, str or None
        The values.

    Returns
    -------
    Markup
        The button with the translated label.
    """
    link = urlencode({name: link_text(value) for name, value in fields.items()})
    return markup("<button type='button' class='try' data-set='{}'>{}</button>", link, translate(words))


def tries(lab: Lab, *attempts: Attempt) -> Markup:
    """Return the sentence that suggests what to try: the first attempt that leads to another state of the lab.

    Parameters
    ----------
    lab : Lab
        The lab.
    *attempts : tuple
        Label and fields of each attempt.

    Returns
    -------
    Markup
        Empty if no attempt leads to another state.
    """
    for words, fields in attempts:
        if _leads_on(lab, fields):
            return markup("<span class='tries'> Try {}.</span>", attempt(words, **fields))
    return markup("")


def _leads_on(lab, fields):
    """Return whether the fields lead to another, valid state of the lab."""
    here = lab.values()
    there = here | fields
    return there != here and _can_be(type(lab), tuple(there.items()))


# creating a lab takes as long as the rest of a caption, and a caption is made at every idle update
@lru_cache(maxsize=1000)
def _can_be(lab_class, fields):
    """Return whether a lab accepts these fields."""
    try:
        lab_class(**dict(fields))
    except Refusal:
        return False
    return True


def still(caption: Markup) -> Markup:
    """Return a caption for a place without interaction: without its suggestions, links and buttons.

    Parameters
    ----------
    caption : Markup
        The caption.

    Returns
    -------
    Markup
        The caption.
    """
    return rewritten(r"<(button|a)\b[^>]*>(.*?)</\1>", r"\2", invited(caption)[0])


def invited(caption: Markup) -> tuple[Markup, Markup]:
    """Return a caption without its suggestions, and the suggestions.

    Parameters
    ----------
    caption : Markup
        The caption.

    Returns
    -------
    caption, suggestions : Markup
        Both parts.
    """
    return taken_out("<span class='tries'>.*?</span>", caption)


# the bandwidth at which RBF is as wide as a marginalized RBF with noise σ
NOISY_BANDWIDTH = formula(r"\sqrt{\theta^2 + 2\sigma^2}")


def headline(says: str | Markup, trust: str | Markup) -> Markup:
    """Return what a state shows, in one sentence, and below it how far to trust that.

    Parameters
    ----------
    says : str or Markup
        The sentence.
    trust : str or Markup
        The line of trust.

    Returns
    -------
    Markup
        Two blocks.
    """
    return markup("<div class='says'>{}</div><div class='trust'>{}</div>", says, trust)


def in_the_end(words: Markup, result: Result[Any]) -> Markup:
    """Return a result's text; "still being computed" becomes "impossible" once everything missing was refused.

    Parameters
    ----------
    words : Markup
        The text.
    result : Result
        The result.

    Returns
    -------
    Markup
        The text.
    """
    return words.replace(translate(WAITING), translate(IMPOSSIBLE)) if result.refused_all else words


def finding(headline: Markup) -> str:
    """Return a headline as a plain sentence, without its line of trust and its badges.

    Parameters
    ----------
    headline : Markup
        The headline.

    Returns
    -------
    str
        The sentence.
    """
    return text_of(rewritten(r"\s*<span class='badge'>.*?</span>|</div>.*", "", headline))


def shortened(headline: Markup) -> str:
    """Return a headline short enough for a title; "" if it is still being computed.

    The candidates, in order, are its first sentence, with its parentheses if there is room for them, the first clause,
    the text in bold, and the text before a comma. A clause that only gives a condition, as in "With λ chosen by hand:
    ...", comes after text in bold that follows it.
    """
    sentence = re.split(r"\.(?:\s|$)", finding(headline), maxsplit=1)[0]
    bare = re.sub(r"\s*\([^()]*\)", "", sentence)
    clause = re.split("[;:] ", bare, maxsplit=1)[0]
    # text never contains this character
    bold = finding(rewritten("<b>(.*?)</b>", "\x00\\1\x00", headline)).split("\x00")[1::2]
    worded = [part for part in bold if len(WORD.findall(part)) > 1]
    only_when = bold and bold[0] in worded and bold[0] not in clause
    for each in (sentence, bare, *worded, clause) if only_when else (sentence, bare, clause, *worded):
        if len(each) <= IN_SHORT and translate(WAITING) not in each:
            return each
    if translate(WAITING) in clause:
        return ""
    begun = clause[: IN_SHORT - 1]  # leaves space for the ellipsis
    return begun.rpartition(", ")[0] or f"{begun.rpartition(' ')[0]} …"


def landmarks_of(test: TestResult) -> str:
    """Return the number of landmarks of an automatic test, and the error bound of its statistic.

    Parameters
    ----------
    test : TestResult
        The test.

    Returns
    -------
    str
        Starts with a comma; empty if the test was not approximated.
    """
    if not test.error or test.approximation is None:
        return ""
    count = test.approximation.removeprefix("nystrom of rank ")
    return translate(", approximated by {} random landmarks and off by at most {}", count, format_number(test.error))


def versus_average(first: tuple[Markup, Compared], second: tuple[Markup, Compared]) -> Markup:
    """Return the sentence that compares two estimators with the plain average.

    Parameters
    ----------
    first, second : tuple
        The name in HTML and the gain as `Compared`.

    Returns
    -------
    Markup
        The sentence.
    """
    (one, gain), (other, second_gain) = first, second
    return markup(
        "{} has <b>{}</b> {} the plain average, {} <b>{}</b>.", one, gain.error, gain.joint, other, second_gain.share
    )
