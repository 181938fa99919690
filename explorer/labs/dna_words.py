"""The DNA lab in sentences. Every number is computed; none is typed in."""

from __future__ import annotations

from html import escape

import numpy as np

from explorer.workbench.numbers import number, percent

from .dna_pairs import pair_of
from .dna_result import DRAWN, LIT
from .dna_sources import COMPARISONS

METHODS = {"direction": "by its best direction", "bcd": "by block coordinate descent", "bcd-fast": "by BCD-Fast"}


def headline(result, row):
    """What both tests say, in HTML: one sentence, and one line that says how far to trust it."""
    first, second = (f"<span class='name'>{escape(title)}</span>" for title in result.titles)
    plain, monk = result.rejects(result.plain), result.rejects(result.monk)
    if plain and monk:
        says = f"Both tests <b>tell</b> {first} <b>from</b> {second}: the plain one and MONK."
    elif plain:
        says = f"The plain test <b>tells</b> {first} <b>from</b> {second}; MONK <b>does not</b>."
    elif monk:
        says = f"MONK <b>tells</b> {first} <b>from</b> {second}; the plain test <b>does not</b>."
    else:
        says = f"<b>Neither test</b> tells {first} from {second}."
    return f"<div class='says'>{says}</div><div class='trust'>{_trust(result)}{_rates(result)}</div>"


def _trust(result):
    lab = result.lab
    spoilt = ""
    if lab.spoiled:
        spoilt = (
            f" {lab.spoiled} of the second sample's reads {'is' if lab.spoiled == 1 else 'are'} spoiled "
            f"({lab.kind}, {lab.longer} times as long)."
        )
    same = ""
    if lab.compare != COMPARISONS[0]:
        same = " Both samples are of one class, " + (
            "but for those reads." if lab.spoiled else "so a test that tells them apart errs."
        )
    return (
        f"p = {number(result.plain.pvalue)} for the plain test and {number(result.monk.pvalue)} for MONK with "
        f"{lab.blocks} block{'' if lab.blocks == 1 else 's'}, at the level {lab.level}; n = {result.n} reads each, "
        f"{_kernel(result)}.{spoilt}{same}"
    )


def _kernel(result):
    p, normalised = result.lab.length, "normalised" if result.lab.normalized else "not normalised"
    return f"shared subsequences of {p} letter{'' if p == 1 else 's'}, decay {number(result.lab.decay)}, {normalised}"


def _rates(result):
    """How both tests do in further draws."""
    rates = result.replicates
    if rates is None:
        return ""
    plain, monk = rates.rejections(result.level)
    return f" In {rates.count} further draws of reads the plain test tells them apart in {plain}, MONK in {monk}."


def equation(result):
    """MMD^2 as what it is made of, in HTML."""
    xx, yy, xy = map(number, result.means)
    first, second = map(escape, result.titles)
    return (
        f"<div class='caption'>MMD² = k̄<sub>XX</sub> + k̄<sub>YY</sub> − 2 k̄<sub>XY</sub> = <b>{xx}</b> + <b>{yy}</b>"
        f" − 2 · <b>{xy}</b> = <b>{number(result.plain.statistic)}</b>: two reads of {first} share so much on average,"
        f" two of {second}, and one of each.</div>"
    )


def letters(result):
    """The pair that is shown, letter by letter, in HTML.

    The stronger the ground, the more of k(s, t) goes through the letter.
    """
    shares = result.shares or tuple(np.zeros(min(len(read), LIT)) for read in result.reads)
    most = max(*(float(share.max(initial=0)) for share in shares), 1e-300)
    rows = ""
    for (side, place), read, share in zip(pair_of(result.lab.pair), result.reads, shares, strict=True):
        name = escape(result.titles["XY".index(side)])
        spans = "".join(_letter(c, s / most) for c, s in zip(read, share, strict=False))
        more = f" and {len(read) - LIT} more" if len(read) > LIT else ""
        rows += f"<div><span class='who'>{name}, read {place}</span> <span class='read'>{spans}</span>{more}</div>"
    i, j = result.pair
    value = f"k(s, t) = <b>{number(float(result.K[i, j]))}</b>."
    return f"<div class='pair'>{rows}<div class='caption'>{value} {_told(result)}</div></div>"


def _letter(c, share):
    """A letter on a ground of its own; those that carry more than half as much as the first are heavy."""
    heavy = ";font-weight:700" if share > 0.5 else ""
    return (
        f"<span style='background:color-mix(in srgb, currentColor {round(42 * share)}%,"
        f" transparent){heavy}'>{escape(c)}</span>"
    )


def _told(result):
    if result.shares is None:
        return "Which letters carry it would take long to say; take a shorter pair, or smaller p."
    if not any(share.any() for share in result.shares):
        return f"These two share no subsequence of {result.lab.length} letters."
    return (
        "The stronger a letter's ground, the more of k(s, t) goes through it. Press a place of the picture for another"
        " pair."
    )


def caption(result):
    """What is drawn, and where the reads come from."""
    low, high = result.seen[1]
    drawn = "" if result.n <= DRAWN else f" Of each sample the last {DRAWN} of {result.n} reads are drawn."
    what = "of k seen from the mean of the reads that are not spoiled" if result.lab.picture == "centred" else "of k"
    note = f" {escape(result.note)}" if result.note else ""
    return (
        "k(s, t) sums decay^(letters from first to last, gaps included, in s and in t) over all subsequences of "
        f"{result.lab.length} letters that both reads have. Colours are values {what}; they end at {number(low)} and "
        f"{number(high)}, and what lies beyond has the last colour.{drawn} The plain test compares MMD² with "
        f"{result.lab.shuffles} random splits of all reads, MONK {METHODS[result.lab.method]} the median over "
        f"{result.lab.blocks} blocks of pairs with {result.lab.flips} swaps of pairs.{note}"
    )


def told(result):
    """The words that stories put their numbers in."""
    rejected = {True: "tells them apart", False: "does not tell them apart"}
    words = {
        name: f"{rejected[result.rejects(test)]} (p = {number(test.pvalue)})"
        for name, test in (("plain", result.plain), ("monk", result.monk))
    }
    n, spoilt = result.n, result.lab.spoiled
    if spoilt:
        clean, bad = result.K[n : 2 * n - spoilt, n : 2 * n - spoilt], result.K.diagonal()[2 * n - spoilt :]
        words["shout"] = number(float(bad.mean() / clean.diagonal().mean()))
    xx, yy, xy = result.means
    return words | {
        "within": number((xx + yy) / 2),
        "across": number(xy),
        "apart": percent(result.plain.statistic / ((xx + yy) / 2)),
        "reach": number(result.reach(result.plain)),
        "monk_reach": number(result.reach(result.monk)),
    }
