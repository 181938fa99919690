"""Sentences of the DNA lab. Every number is computed; none is typed in."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.languages import translate, translate_plural
from explorer.markup import Later, joined, markup
from explorer.workbench.numbers import adding_up, format_number
from explorer.workbench.prose import control, named, tries
from explorer.workbench.prose import headline as in_html
from explorer.workbench.tex_to_mathml import equation as set_apart

from .lab import COMPARISONS, pair_of
from .result import DRAWN, LIT

if TYPE_CHECKING:
    from explorer.markup import Markup

    from .result import DnaResult


METHODS = {"direction": "by its best direction", "bcd": "by block coordinate descent", "bcd-fast": "by BCD-Fast"}

PLAIN, MONK = Later("<span class='name kme'>The plain test</span>"), named("MONK", "monk")


def headline(result: DnaResult, row: int) -> Markup:
    """Return which tests reject, in HTML: one sentence, and one line with both p-values and the contamination."""
    first, second = (markup("<span class='name'>{}</span>", title) for title in result.titles)
    plain, monk = result.rejects(result.plain), result.rejects(result.monk)
    if plain and monk:
        says = markup("Both tests <b>distinguish</b> {} from {}.", first, second)
    elif plain:
        says = markup("{} <b>distinguishes</b> {} from {}; {} <b>does not</b>.", PLAIN, first, second, MONK)
    elif monk:
        says = markup("{} <b>distinguishes</b> {} from {}; the plain test <b>does not</b>.", MONK, first, second)
    else:
        says = markup("<b>Neither test</b> distinguishes {} from {}.", first, second)
    return in_html(says, _trust(result) + _rates(result))


def _trust(result):
    lab = result.lab
    contaminated = same = ""
    if lab.contaminated:
        contaminated = translate_plural(
            " {} of the second sample's reads is contaminated ({}, {} times as long).",
            " {} of the second sample's reads are contaminated ({}, {} times as long).",
            lab.contaminated,
            lab.contaminated,
            translate(lab.kind),
            lab.longer,
        )
    if lab.compare != COMPARISONS[0]:
        same = (
            translate(" Otherwise both samples are of one class.")
            if lab.contaminated
            else translate(" Both samples are of one class, so a test that rejects is wrong.")
        )
    return translate(
        "The plain test gives p = {}, MONK with {} p = {}.{}{}",
        format_number(result.plain.pvalue),
        translate_plural("{} block", "{} blocks", lab.blocks),
        format_number(result.monk.pvalue),
        contaminated,
        same,
    )


def _kernel(result):
    p, normalised = result.lab.length, translate("normalised" if result.lab.normalized else "not normalised")
    letters, decay = translate_plural("{} letter", "{} letters", p), format_number(result.lab.decay)
    return translate("shared subsequences of {}, decay {}, {}", letters, decay, normalised)


def _rates(result):
    """Say how often both tests reject in more draws."""
    rates = result.replicates
    if rates is None:
        return ""
    plain, monk = rates.rejections(result.level)
    return translate(" In {} more draws the plain test rejects in {}, MONK in {}.", rates.count, plain, monk)


def equation(result: DnaResult) -> Markup:
    """Return MMD² from the average similarities, in HTML."""
    total = result.plain.statistic
    xx, yy, xy = adding_up(result.means, total)
    first, second = result.titles
    numbers = set_apart(
        r"\mathrm{MMD}^2 = \bar k_{XX} + \bar k_{YY} - 2\,\bar k_{XY}",
        rf"= {xx} + {yy} - 2 \cdot {xy} = \role{{kme}}{{{format_number(total)}}}",
    )
    return markup(
        "<div class='caption'>{}Average similarity within {}, within {}, and between them.</div>",
        numbers,
        first,
        second,
    )


def letters(result: DnaResult) -> Markup:
    """Return the selected pair letter by letter, in HTML. A darker letter carries more of k(s, t)."""
    shares = result.shares or tuple(np.zeros(min(len(read), LIT)) for read in result.reads)
    most = max(*(float(share.max(initial=0)) for share in shares), 1e-300)
    rows = ""
    for (sample, place), read, share in zip(pair_of(result.lab.pair), result.reads, shares, strict=True):
        name, place = result.titles["XY".index(sample)], result.number_of(sample, place)
        spans = joined(_letter(c, s / most) for c, s in zip(read, share, strict=False))
        more = translate(" and {} more", len(read) - LIT) if len(read) > LIT else ""
        rows += markup(
            "<div><span class='who'>{}, read {}</span> <span class='read'>{}</span>{}</div>", name, place, spans, more
        )
    i, j = result.pair
    value = markup("k(s, t) = <b>{}</b>.", format_number(float(result.K[i, j])))
    return markup("<div class='pair'>{}<div class='caption'>{} {}</div></div>", rows, value, _carried(result))


def _letter(c, share):
    """Return a letter on a shade of its own, in bold if it carries more than half as much as the strongest."""
    heavy = ";font-weight:700" if share > 0.5 else ""
    return markup(
        "<span style='background:color-mix(in srgb, currentColor {}%, transparent){}'>{}</span>",
        round(42 * share),
        heavy,
        c,
    )


def _carried(result):
    """Explain the shades of the letters, or say why there are none."""
    if not result.lit:
        return translate(
            "The shares of the letters take too long to compute here; choose a shorter pair or a smaller p."
        )
    if result.shares is None:
        return translate("The shares of the letters are being computed ...")
    if not any(share.any() for share in result.shares):
        return translate("These two reads share no subsequence of {} letters.", result.lab.length)
    return translate(
        "The darker a letter's shade, the more it contributes to k(s, t). Press a cell of the square for another pair."
    )


def _kernel_equation(result):
    """Return the kernel as a sum over shared subsequences, and its value for the selected pair of reads."""
    lab, (i, j) = result.lab, result.pair
    name = r"\kappa" if lab.normalized else "k"
    value = format_number(float(result.K[i, j]))
    powers = r"^{\ell_s(u) + \ell_t(u)}"
    scaled = r"\quad k(s, t) = \frac{\kappa(s, t)}{\sqrt{\kappa(s, s)\,\kappa(t, t)}}" if lab.normalized else ""
    return set_apart(
        rf"{name}(s, t) = \sum_{{|u| = p}} \lambda{powers}",
        rf"= \sum_{{|u| = {lab.length}}} {format_number(lab.decay)}{powers}",
        scaled,
        rf"= {value}",
    )


def caption(result: DnaResult) -> Markup:
    """Return the kernel, the colours, both tests and the source of the reads."""
    lab, low, high = result.lab, format_number(result.square.low), format_number(result.square.high)
    drawn = (
        ""
        if result.n <= DRAWN
        else translate(" The square shows the last {} of {} reads of each sample.", DRAWN, result.n)
    )
    what = translate("k, centred at the mean of the clean reads,") if lab.picture == "centred" else "k"
    note = f" {result.strings.note}" if result.strings.note else ""
    return markup(
        "{}The kernel sums over {}. ℓ is the span of a subsequence in s and in t, gaps included. Colours show {}"
        " from {} to {}; values beyond take the last colour.{} {} compares MMD² with {} permutations of all reads."
        " {} {} compares the median over {} of pairs with {} swaps of pairs. Both use the level {} and n = {} reads"
        " of each sample.{}{}",
        _kernel_equation(result),
        _kernel(result),
        what,
        low,
        high,
        drawn,
        PLAIN,
        lab.shuffles,
        MONK,
        translate(METHODS[lab.method]),
        control(f"{lab.blocks} blocks", "blocks"),
        lab.flips,
        lab.level,
        result.n,
        note,
        tries(
            lab,
            ("three contaminated reads, not normalised", {"contaminated": 3, "normalized": False}),
            ("a decay of 0.9", {"decay": 0.9}),
        ),
    )


STORY_VALUES = ("monk", "plain", "shout", "within", "across", "reach", "monk_reach")


def story_values(result: DnaResult) -> dict[str, str]:
    """Return the values of the placeholders in stories."""
    rejected = {True: translate("distinguishes them"), False: translate("does not distinguish them")}
    words = {
        name: f"{rejected[result.rejects(test)]} (p = {format_number(test.pvalue)})"
        for name, test in (("plain", result.plain), ("monk", result.monk))
    }
    if 0 < result.lab.contaminated < result.n:
        diagonal = result.K.diagonal()[result.n :]
        clean, contaminated = np.split(diagonal, [result.n - result.lab.contaminated])
        words["shout"] = format_number(float(contaminated.mean() / clean.mean()))
    xx, yy, xy = result.means
    return words | {
        "within": translate("{} and {}", format_number(xx), format_number(yy)),
        "across": format_number(xy),
        "reach": format_number(result.reach(result.plain)),
        "monk_reach": format_number(result.reach(result.monk)),
    }


def gram_words(result: DnaResult) -> str:
    """Describe the average k within and between the samples, and k of the selected pair."""
    xx, yy, xy = result.means
    drawn = result.K[np.ix_(result.drawn, result.drawn)]
    count = result.lab.contaminated
    last = translate_plural(" The last row is a contaminated read.", " The last {} rows are contaminated reads.", count)
    contaminated = last if count else ""
    return translate(
        "The Gram matrix, {} of {} rows drawn. The average k is {} within {}, {} within {} and {} between them. The"
        " largest value drawn is {}.{} {}",
        len(drawn),
        len(result.K),
        format_number(xx),
        result.titles[0],
        format_number(yy),
        result.titles[1],
        format_number(xy),
        format_number(float(drawn.max())),
        contaminated,
        _pair(result),
    )


def nulls_words(result: DnaResult) -> str:
    """Describe both statistics, their thresholds, and the number of null values below them."""
    sentences = []
    for name, test in ((translate("The plain statistic"), result.plain), (translate("MONK's statistic"), result.monk)):
        below = int((test.null_distribution < test.statistic - test.tolerance).sum())
        sentences.append(
            translate(
                "{} is {}, which is {} times its threshold at the level {}. It exceeds {} of {} null values.",
                name,
                format_number(test.statistic),
                format_number(result.reach(test)),
                result.lab.level,
                below,
                len(test.null_distribution),
            )
        )
    return " ".join(sentences)


def profile_words(result: DnaResult) -> str:
    """Describe where the letters of the samples differ most."""
    profile = result.profile
    apart = np.abs(profile.first - profile.second)
    letter, place = np.unravel_index(int(apart.argmax()), apart.shape)
    return translate(
        "The samples differ most at position {} of {}, where {} has the frequency {} in {} and {} in {}. The kernel"
        " ignores positions.",
        place + 1,
        apart.shape[1],
        profile.letters[letter],
        format_number(float(profile.first[letter, place])),
        result.titles[0],
        format_number(float(profile.second[letter, place])),
        result.titles[1],
    )


def _pair(result):
    i, j = result.pair
    names = translate(" and ").join(
        translate("read {} of {}", result.number_of(sample, place), result.titles["XY".index(sample)])
        for sample, place in pair_of(result.lab.pair)
    )
    return translate("The pair shown is {}, with k = {}.", names, format_number(float(result.K[i, j])))
