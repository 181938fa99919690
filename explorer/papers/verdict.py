"""Verdicts: whether cells support a claim, by what a case has to show and in how many cases, in one of five words.

A claim has a quantifier over cases and a standard that each case has to meet. The standard (`standard`) defines what
"better", "no worse" and "comparable" mean for an interval: Less, More, NoWorse, Near. The quantifier (`quantifier`)
defines in how many cases: Every, Most, Some, or OnAverage over all. The words of the papers are read as follows:

    "all the time", "always", "in all settings", "consistently"         Every
    a rate, a bound, or what "the estimators" of a family all are       Every
    "in most cases", "tend to", "in general", "almost always"           Most
    "can", "where σ is chosen properly", "in some cases"                Some
    "outperforms", "is better", and no word on how often                OnAverage
    "significantly"                                                     beyond chance, as every standard requires
    "no worse", "as well as", "competitive"                             NoWorse than a margin that is named
    "comparable", "similar", "of the same order", a limit               Near, within a margin that is named

An interval that leaves a question open never makes a claim hold. The verdicts are

    holds                   the intervals show what is claimed
    fails                   the intervals show the contrary
    holds in part (k of m)  a claim on every case: shown in k, and neither shown nor contradicted in the others
    not seen up to n = m    a claim on growth without end, such as a rate: the contrary is shown over these n, or a
                            growth so far below the claimed bound that these n do not test it
    undecided               neither
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from .effect import LEVEL, averaged
from .quantifier import UNDECIDED, Some, tally

if TYPE_CHECKING:
    from explorer.papers.standard import Standard

    from .effect import Case, Measure


class Verdict(NamedTuple):
    """One of the words, and the reasons in sentences."""

    word: str
    explanation: str


def verdict(quantifier: type[Any], standard: Standard, measure: Measure, cells: Sequence[Any]) -> Verdict:
    """Return the verdict of cells on a claim: `measure` meets `standard` as often as `quantifier` demands."""
    cases = measure.cases(cells)
    if not cases:
        return Verdict(UNDECIDED, "This size has no cell that could decide the claim.")
    return Verdict(quantifier.word(cases, standard), reasons(quantifier, standard, measure, cases))


def reasons(quantifier: type[Any], standard: Standard, measure: Measure, cases: Sequence[Case]) -> str:
    """Return the reasons: the effect with its interval, the wins, and how many of several cases show the claim."""
    effects = [case.effect(LEVEL) for case in cases]
    if len(cases) == 1:
        return f"{measure.tell(effects[0])}.{_wins(effects)}"
    count, mean = tally(cases, standard), averaged(effects)
    said = []
    if quantifier is not Some and all(map(math.isfinite, mean[:3])):
        said.append(f"{measure.tell(mean)}, on average over {len(cases)} cases.{_wins(effects)}")
    open_ = count.cases - count.n_shown_jointly - count.n_denied_jointly
    said.append(
        f"Of {count.cases} cases {count.n_shown_jointly} show the claim, {count.n_denied_jointly} contradict it and"
        f" {open_} leave it open (simultaneous intervals; by separate intervals {count.n_shown} show it and"
        f" {count.n_denied} contradict it)."
    )
    # a case that contradicts the claim is less favourable than one that is merely open
    order = sorted(range(len(cases)), key=lambda i: (standard.denies(effects[i]), standard.shortfall(effects[i])))
    which, kind = (order[0], "Most") if quantifier is Some else (order[-1], "Least")
    return " ".join([*said, f"{kind} favourable case: {cases[which].where}. {measure.tell(effects[which])}."])


def _wins(effects):
    """Return a sentence on the samples won, if samples are compared, and the cases with a majority by the sign test."""
    rivals = [effect for effect in effects if effect.rival and effect.samples]
    if not rivals:
        return ""
    wins, count, majorities = (sum(getattr(e, part) for e in rivals) for part in ("wins", "samples", "majority"))
    cases = f" in {majorities} of {len(effects)} cases" if len(effects) > 1 else ""
    sign = f", a majority by the sign test at 5 %{cases}" if majorities else ""
    return f" Better in {wins} of {count} samples{sign}."
