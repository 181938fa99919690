"""Verdict of the MONK lab on the user's pairs: the test, and whether their sides differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.languages import translate, translate_plural
from explorer.markup import Later, markup
from explorer.printing import short_name
from explorer.workbench.numbers import WAITING, format_number
from explorer.workbench.prose import headline, named

from .result import SWAPS, is_tested

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import MonkLabResult


LEVEL = 0.05  # the p above which no difference is reported
FEWEST = 6  # with fewer pairs even the clearest difference has a p above the level, as half of all swaps are mirrored
METHODS = {"direction": "MONK", "bcd": "MONK by BCD", "bcd-fast": "MONK by BCD-Fast"}
NAMES = {name: "monkfast" if name == "bcd-fast" else "monk" for name in METHODS}  # the role whose colour a method has
U = Later("<span class='name kme'>U-statistic</span>")


def user_headline(result: MonkLabResult, row: int, vote: str | Markup) -> Markup:
    """Return the headline of the user's pairs at a row of the slider's tables.

    It says whether the sides differ and what was compared, and ends with the sentence `vote`.
    """
    return headline(_says(result, row), f"{_compared(result, row)} {vote}".rstrip())


def by_monk(result: MonkLabResult, row: int) -> Markup:
    """Return MONK's name with its number of blocks, in the colour of its curve."""
    blocks, method = len(result.estimate_at(row).blocks), result.lab.method
    return markup(
        "{} with {}",
        named(translate(METHODS[method]), NAMES[method]),
        translate_plural("{} block", "{} blocks", blocks),
    )


def _says(result, row):
    n, (one, other), monk = result.lab.n, result.names, by_monk(result, row)
    if n < FEWEST:
        return markup("Only <b>{} pairs</b> of {} and {}: too few to show any difference.", n, one, other)
    plain, robust = result.plain_test, result.test if row == result.row else None
    if plain is None:
        return markup("{} and {}: {}.", one, other, _unknown(result))
    if robust is None:
        return markup("{}; p by {} is {}.", _by_u(plain.pvalue, one, other), monk, translate(WAITING))
    return _both(plain.pvalue, robust.pvalue, one, other, monk)


def _unknown(result):
    """Return the reason for a missing verdict."""
    if not is_tested(result.lab):
        return translate("there are too many pairs and blocks to test; take fewer blocks")
    return translate("whether they differ is {}", translate(WAITING))


def _by_u(p, one, other):
    if p <= LEVEL:
        return markup("{} and {} <b>differ</b> by the {} (p = {})", one, other, U, format_number(p))
    return markup("<b>No difference shown</b> between {} and {} by the {} (p = {})", one, other, U, format_number(p))


def _both(plain, robust, one, other, monk):
    """Return the sentence on both p-values."""
    differ, by_u = robust <= LEVEL, plain <= LEVEL
    p, q = format_number(robust), format_number(plain)
    if differ == by_u:
        both = markup("p = <b>{}</b> by {}, {} by the {}", p, monk, q, U)
        if differ:
            return markup("{} and {} <b>differ</b>: {}.", one, other, both)
        return markup("<b>No difference shown</b> between {} and {}: {}.", one, other, both)
    finds = markup("{} finds that {} and {} <b>differ</b> (p = <b>{}</b>)", monk, one, other, p)
    if differ:
        return markup("{}; the {} does not (p = {}).", finds, U, q)
    finds = markup("{} finds <b>no difference</b> between {} and {} (p = <b>{}</b>)", monk, one, other, p)
    return markup("{}; the {} does (p = {}).", finds, U, q)


def _compared(result, row):
    """Return a line on what was compared, the test, and the estimates."""
    u = format_number(result.u_mmd) if result.U >= 0 else translate("MMD² = {} < 0", format_number(result.U))
    width, monk = result.halves.width, format_number(result.estimate_at(row).value)
    columns = translate(" in {} columns ({} differs most)", width, short_name(result.axis.name)) if width > 1 else ""
    if result.lab.gram:
        columns = translate(", by their Gram matrix")
    test = translate(" p comes from {} random swaps within pairs.", SWAPS) if is_tested(result.lab) else ""
    return translate(
        "{} pairs from {}{}.{} MMD = {} by MONK and {} by the U-statistic{}.",
        result.lab.n,
        result.halves.source,
        columns,
        test,
        monk,
        u,
        _units(result),
    )


def _units(result):
    """Return the units of the MMD as text, or "" for a bounded kernel, which has none."""
    if result.kernel.bounded:
        return ""
    if result.lab.gram:
        return translate(", in units of your Gram matrix")
    return translate(", in scaled columns") if result.lab.standardise else translate(", in the columns' own units")


def plain_verdict(result: MonkLabResult) -> str:
    """Return the verdict as plain text, for readers who do not see the page."""
    plain, robust = result.plain_test, result.test
    if plain is None or robust is None:
        return f"{_unknown(result)[:1].upper()}{_unknown(result)[1:]}"
    monk = translate(METHODS[result.lab.method])
    p, q = format_number(robust.pvalue), format_number(plain.pvalue)
    return translate("With {} random swaps within pairs, p is {} by {} and {} by U", SWAPS, p, monk, q)
