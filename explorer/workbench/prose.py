"""Sentences in HTML: names in the colours of their curves, what one may try, and a headline with its line of trust."""

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

from .formulas import formula
from .numbers import IMPOSSIBLE, WAITING, format_number

if TYPE_CHECKING:
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.markup import Markup

    from .lab import Lab
    from .numbers import Compared
    from .result import Result


IN_SHORT = 72  # letters at most of what a title says
WORD = re.compile(r"[^\W\d_]{3,}")
Attempt: TypeAlias = tuple[str, Mapping[str, float | str | None]]  # its words, and the fields of where it leads to


def named(words: str, role: str) -> Markup:
    """The name of a curve; the page gives it the colour of the curve's role, see `explorer.views.style.ROLES`."""
    return markup("<span class='name {}'>{}</span>", role, words)


def control(words: str, field: str) -> Markup:
    """Words that name the control of a field, which lights up on the page when they are pointed at."""
    return markup("<span class='control' data-field='{}'>{}</span>", field, translate(words))


def attempt(words: str, **fields: float | str | None) -> Markup:
    """Words that set fields of the lab when they are pressed."""
    link = urlencode({name: link_text(value) for name, value in fields.items()})
    return markup("<button type='button' class='try' data-set='{}'>{}</button>", link, translate(words))


def tries(lab: Lab, *attempts: Attempt) -> Markup:
    """A sentence that proposes what to try: the first that leads to another state of the lab."""
    for words, fields in attempts:
        if _leads_on(lab, fields):
            return markup("<span class='tries'> Try {}.</span>", attempt(words, **fields))
    return markup("")


def _leads_on(lab, fields):
    """Whether the lab would be another one by these fields, and can be."""
    here = lab.values()
    there = here | fields
    return there != here and _can_be(type(lab), tuple(there.items()))


@lru_cache(maxsize=1000)  # to make a lab takes as long as all else of a caption, and a caption is made at every rest
def _can_be(lab_class, fields):
    try:
        lab_class(**dict(fields))
    except Refusal:
        return False
    return True


def still(caption: Markup) -> Markup:
    """A caption for where nothing can be pressed: without what it proposes to try."""
    return rewritten(r"<(button|a)\b[^>]*>(.*?)</\1>", r"\2", invited(caption)[0])


def invited(caption: Markup) -> tuple[Markup, Markup]:
    """(a caption without what it proposes to try, that)."""
    return taken_out("<span class='tries'>.*?</span>", caption)


# where RBF is as wide as a marginalized one of noise σ
NOISY_BANDWIDTH = formula(r"\sqrt{\theta^2 + 2\sigma^2}")


def headline(says: str | Markup, trust: str | Markup) -> Markup:
    """What a state shows, in one sentence, and below it how far to trust that."""
    return markup("<div class='says'>{}</div><div class='trust'>{}</div>", says, trust)


def in_the_end(words: Markup, result: Result[Any]) -> Markup:
    """Return the words of a result, in which nothing is still being computed once all that it lacks was refused."""
    return words.replace(translate(WAITING), translate(IMPOSSIBLE)) if result.refused_all else words


def finding(headline: Markup) -> str:
    """What a headline says, as a plain sentence, without its line of trust and its badges."""
    return text_of(rewritten(r"\s*<span class='badge'>.*?</span>|</div>.*", "", headline))


def shortened(headline: Markup) -> str:
    """What a headline says, in so few words that they fit into a title; "" where that is still to be computed.

    That is its first sentence, with what is in parentheses where there is room for that, or the first clause of it,
    else the words of it in bold, else what comes before a comma.
    A clause that only says when, as in "With λ chosen by hand: ...", comes after words in bold that follow it.
    """
    sentence = re.split(r"\.(?:\s|$)", finding(headline), maxsplit=1)[0]
    bare = re.sub(r"\s*\([^()]*\)", "", sentence)
    clause = re.split("[;:] ", bare, maxsplit=1)[0]
    bold = finding(rewritten("<b>(.*?)</b>", "\x00\\1\x00", headline)).split("\x00")[1::2]  # no text has that
    worded = [part for part in bold if len(WORD.findall(part)) > 1]
    only_when = bold and bold[0] in worded and bold[0] not in clause
    for each in (sentence, bare, *worded, clause) if only_when else (sentence, bare, clause, *worded):
        if len(each) <= IN_SHORT and WAITING not in each:
            return each
    if WAITING in clause:
        return ""
    begun = clause[: IN_SHORT - 1]  # with room for what says that it goes on
    return begun.rpartition(", ")[0] or f"{begun.rpartition(' ')[0]} …"


def landmarks_of(test: TestResult) -> str:
    """What stood for the kernel of an automatic test, and how far its statistic may be off; empty where nothing did."""
    if not test.error or test.approximation is None:
        return ""
    count = test.approximation.removeprefix("nystrom of rank ")
    return f", approximated by {count} random landmarks and off by at most {format_number(test.error)}"


def beside_average(first: tuple[Markup, Compared], second: tuple[Markup, Compared]) -> Markup:
    """Two estimators beside the plain average, each (its name in HTML, its gain as `Compared`)."""
    (one, gain), (other, second_gain) = first, second
    return markup(
        "{} has <b>{}</b> {} the plain average, {} <b>{}</b>.", one, gain.error, gain.joint, other, second_gain.share
    )
