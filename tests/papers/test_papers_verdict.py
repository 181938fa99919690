"""Standards and quantifiers on cases with known truth: ties, one case, open questions, and many chance results."""

from __future__ import annotations

import re

import numpy as np
import pytest
from helpers.naming import names_all, naming
from scipy.special import ndtri
from scipy.stats import binom

from explorer.papers.catalogue import ENTRIES
from explorer.papers.claim import Claim, Fact
from explorer.papers.effect import LEVEL, Case, Effect, Measure
from explorer.papers.entry import Cell
from explorer.papers.evidence import loss
from explorer.papers.quantifier import Every, Most, OnAverage, Some, tally
from explorer.papers.standard import Less, More, Near, NoWorse
from explorer.papers.verdict import verdict

QUANTIFIERS = (Every, Most, Some, OnAverage)
STANDARDS = (Less(), Less(tie=0.5), More(), NoWorse(0.5), Near(0.5))
GOOD, BAD, OPEN, TIE = (-1.0, 0.1), (1.0, 0.1), (-1.0, 5.0), (0.0, 0.01)  # an estimate and its standard error


def case(value, error, where=""):
    """Return a case whose interval is the normal one."""

    def effect(confidence):
        reach = ndtri((1 + confidence) / 2) * error
        return Effect(value, value - reach, value + reach)

    return Case(where, effect)


def word(quantifier, standard, *pairs):
    return quantifier.word([case(*pair) for pair in pairs], standard)


# standards ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("standard", "low", "high", "shows", "denies"),
    [
        (Less(), -2, -1, True, False),
        (Less(), -1, 1, False, False),
        (Less(), 1, 2, False, True),
        (Less(), 0, 0, False, True),  # all losses are equal: nothing is better
        (Less(tie=0.5), -0.4, 0.4, False, True),  # shown to differ by less than matters
        (Less(tie=0.5), -0.4, -0.1, True, False),  # little better, but better
        (Less(tie=0.5), -0.6, 0.4, False, False),
        (Less(3.0), 1, 2, True, False),
        (More(), 1, 2, True, False),
        (More(), -1, 1, False, False),
        (More(), -2, 0, False, True),
        (NoWorse(0.5), -9, 0.4, True, False),
        (NoWorse(0.5), 0.1, 0.4, True, False),  # worse, by less than the margin
        (NoWorse(0.5), -0.1, 0.6, False, False),
        (NoWorse(0.5), 0.1, 0.6, False, True),
        (Near(0.5), -0.4, 0.4, True, False),
        (Near(0.5), -0.6, 0.4, False, False),
        (Near(0.5), 0.6, 0.7, False, True),
        (Near(0.1, at=-0.5), -0.55, -0.45, True, False),
        (Near(0.1, at=-0.5), -0.3, 0.0, False, True),
    ],
)
def test_what_an_interval_shows(standard, low, high, shows, denies):
    effect = Effect((low + high) / 2, low, high)
    assert (standard.shows(effect), standard.denies(effect)) == (shows, denies)


@pytest.mark.parametrize("standard", STANDARDS)
def test_no_interval_shows_a_claim_and_its_contrary(standard):
    grid = np.linspace(-1, 1, 21)
    for low in grid:
        for high in grid[grid >= low]:
            effect = Effect(0.0, float(low), float(high))
            assert not (standard.shows(effect) and standard.denies(effect))


# quantifiers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("quantifier", QUANTIFIERS)
@pytest.mark.parametrize("standard", STANDARDS)
@pytest.mark.parametrize("count", [1, 3, 20])
def test_what_is_open_never_holds(quantifier, standard, count):
    assert word(quantifier, standard, *[(0.3, 50.0)] * count) == "undecided"


@pytest.mark.parametrize("quantifier", QUANTIFIERS)
def test_of_one_case_all_quantifiers_say_the_same(quantifier):
    found = [word(quantifier, Less(tie=0.1), pair) for pair in (GOOD, BAD, TIE, OPEN)]
    assert found == ["holds", "fails", "fails", "undecided"]


@pytest.mark.parametrize(
    ("quantifier", "cases", "expected"),
    [
        # "all the time"
        (Every, [GOOD] * 3, "holds"),
        (Every, [GOOD, OPEN, OPEN], "holds in part (1 of 3)"),
        (Every, [GOOD, GOOD, BAD], "fails"),
        (Every, [GOOD, TIE, OPEN], "fails"),  # a tie is not better
        (Every, [OPEN] * 3, "undecided"),
        # "in most cases"
        (Most, [GOOD, GOOD, BAD], "holds"),
        (Most, [GOOD, BAD], "fails"),  # half is not most
        (Most, [GOOD, OPEN], "undecided"),
        (Most, [GOOD, BAD, BAD], "fails"),
        (Most, [GOOD, OPEN, BAD], "undecided"),
        # "where it is chosen properly"
        (Some, [BAD, BAD, GOOD], "holds"),
        (Some, [BAD, TIE, BAD], "fails"),
        (Some, [BAD, OPEN, BAD], "undecided"),
        # "outperforms"
        (OnAverage, [(-3.0, 0.1), BAD], "holds"),
        (OnAverage, [GOOD, (3.0, 0.1)], "fails"),
        (OnAverage, [GOOD, BAD], "undecided"),
        (OnAverage, [TIE, TIE], "fails"),
    ],
)
def test_in_how_many_cases(quantifier, cases, expected):
    assert word(quantifier, Less(tie=0.1), *cases) == expected


def test_mmkme_all_the_time_is_no_claim_on_the_average():
    """One case of three is beyond chance, and so is the mean of all: it holds on average, and not all the time."""
    cases = [(-5.0, 0.1), (-0.02, 0.01), TIE]
    assert word(OnAverage, Less(tie=0.1), *cases) == "holds"
    assert word(Every, Less(tie=0.1), *cases) == "fails"
    assert word(Every, Less(tie=0.001), (-5.0, 0.1), OPEN, OPEN) == "holds in part (1 of 3)"


def test_an_average_is_no_surer_than_its_cases_where_they_err_together():
    """With n equal cases the interval is that of one, and not narrower by sqrt(n)."""
    assert word(OnAverage, Less(), *[(-1.0, 0.6)] * 25) == "undecided"


# sampling noise ------------------------------------------------------------------------------------------------------


def verdict_rate(quantifier, truths, verdict, repetitions=400):
    """Return how often a verdict occurs, up to its count, on cases with these true numbers and standard error 1."""
    rng = np.random.default_rng(7)
    found = [
        word(quantifier, Less(), *[(truth + z, 1.0) for truth, z in zip(truths, row, strict=True)])
        for row in rng.normal(size=(repetitions, len(truths)))
    ]
    return sum(each.split(" (")[0] == verdict for each in found)


@pytest.mark.thorough(default=["Every-truths0-holds", "Most-truths5-holds", "Most-truths6-fails"])
@pytest.mark.parametrize(
    ("quantifier", "truths", "wrong"),
    [
        (Every, [-9.0] * 19 + [0.0], "holds"),  # 19 of 20 are better
        (Every, [0.0] * 20, "holds in part"),  # no case is better
        (Every, [-1e-9] * 20, "fails"),  # all are better, by nothing that can be seen
        (Some, [0.0] * 20, "holds"),
        (Some, [9.0] * 19 + [-1e-9], "fails"),
        (Most, [-9.0] * 10 + [0.0] * 10, "holds"),  # half are better
        (Most, [-9.0] * 11 + [-1e-9] * 9, "fails"),
        (OnAverage, [0.0] * 20, "holds"),
    ],
)
def test_a_wrong_verdict_is_rarer_than_one_in_twenty(quantifier, truths, wrong):
    """The wrong verdicts in 400 repetitions are at most as many as a chance of 5 % exceeds once in 100 000."""
    assert verdict_rate(quantifier, truths, wrong) <= binom.isf(1e-5, 400, 1 - LEVEL)


def test_intervals_that_each_hold_alone_would_be_wrong_often():
    """With 20 cases without a gain, each by its own interval of 95 %, one of them shows a gain two times in five."""
    rng = np.random.default_rng(7)
    alone = sum(tally([case(z, 1.0) for z in row], Less()).n_shown > 0 for row in rng.normal(size=(200, 20)))
    chance = 1 - 0.975**20
    assert binom.ppf(1e-4, 200, chance) <= alone <= binom.isf(1e-4, 200, chance)


def test_what_is_so_is_found_where_it_can_be_seen():
    for quantifier in QUANTIFIERS:
        assert verdict_rate(quantifier, [-6.0] * 5, "holds", 100) >= 95


# sentences ------------------------------------------------------------------------------------------------------------


def measure(*cases):
    return Measure(
        "the number", lambda cells: list(cases), lambda effect: f"It is {effect.value:.2f}", "{:+.2f}".format
    )


def test_the_reasons_have_the_effect_its_interval_and_the_counts():
    found = verdict(Every, Less(), measure(case(-1, 0.1, "n = 1"), case(2, 0.1, "n = 2"), case(0, 9, "n = 3")), [])
    assert found.word == "fails"
    assert re.search(naming(0.33, "95% interval -5.68 to +6.34", "on average", "3 cases"), found.explanation)
    assert re.search(naming("n = 2", "2.00", "95% interval +1.80 to +2.20"), found.explanation)
    # without a contradiction it is the one whose interval reaches farthest
    wide = verdict(Every, Near(0.5), measure(case(0.3, 0.01, "n = 1"), case(0.1, 2, "n = 2")), [])
    assert re.search(naming("n = 2", "0.10"), wide.explanation)
    some = verdict(Some, Less(), measure(case(-1, 0.1, "n = 1"), case(9, 0.1, "n = 2")), [])
    assert "on average" not in some.explanation  # a claim on one case is not about their mean
    assert re.search(naming("n = 1", "-1.00", "95% interval -1.20 to -0.80"), some.explanation)
    assert verdict(Every, Less(), measure(case(-1, 0.1)), []) == ("holds", "It is -1.00 (95% interval -1.20 to -0.80).")
    word_of_none, why = verdict(Every, Less(), measure(), [])
    assert word_of_none == "undecided"
    assert names_all(why, "no cell")


def test_a_claim_is_judged_on_the_cells_that_it_is_of_and_says_whose_it_is():
    rng = np.random.default_rng(0)
    plain = 1 + rng.exponential(size=50)
    good = {"KME": plain, "S-KMSE": 0.9 * plain}
    cells = [Cell({"n": 1}, good), Cell({"n": 2}, {"KME": plain, "S-KMSE": plain})]
    gains = Claim("it gains", Every, Less(tie=0.005), loss("S-KMSE", "KME"), "it gains everywhere", ("31",))
    both = gains.finding(cells)
    assert (both.claim, both.word, both.errata, both.source) == ("it gains", "fails", ("31",), "paper")
    assert both.quote == "it gains everywhere"
    assert names_all(both.reading, "mean loss of S-KMSE", "KME", "below 0", "0.50%", "every case", "95% sure")
    assert re.search(naming("50 of 100 samples", "5 %", "1 of 2 cases"), both.explanation)
    first = gains._replace(quote="", where=lambda values: values["n"] == 1).finding(cells)
    assert (first.word, first.source) == ("holds", "ours")
    none = gains._replace(where=lambda values: values["n"] == 3).finding(cells)
    assert none.word == "undecided"


def test_a_claim_on_growth_without_end_is_seen_or_not_seen():
    """No size refutes it. The rule by which it is judged is the same."""

    def finding(values, **options):
        at = measure(*(case(value, 0.01) for value in values))
        return Claim("it falls", Every, Less(), at, **options).finding([Cell({"n": n}, {}) for n in (10, 1600, 400)])

    assert finding([0.3]).word == "fails"
    endless = finding([0.3], endless="n")
    assert endless.word == "not seen up to n = 1600"
    assert endless.reading == f"{finding([0.3]).reading}, over these n"
    assert endless.explanation == finding([0.3]).explanation
    assert finding([-0.3], endless="n").word == "holds"
    assert finding([0.001], endless="n").word == "undecided"
    assert finding([-0.3, 0.0], endless="n").word == "holds in part (1 of 2)"


@pytest.mark.parametrize(
    ("excesses", "word"),
    [([-0.9], "holds"), ([-1.9], "not seen up to n = 400"), ([-1.9, -0.5], "holds"), ([0.5], "not seen up to n = 400")],
)
def test_a_bound_on_growth_that_could_not_fail_is_not_seen(excesses, word):
    """A time that goes as n^0.1 over these n is that of calls, and does not test a bound of n²."""
    at = measure(*(case(excess, 0.01) for excess in excesses))
    claim = Claim("it grows as n² at most", Every, NoWorse(0.25), at, endless="n")
    finding = claim.finding([Cell({"n": n}, {}) for n in (100, 400)])
    assert finding.word == word
    assert ("do not test it" in finding.explanation) == (word != "holds" and excesses[0] < 0)
    assert claim._replace(endless="").finding([Cell({"n": 1}, {})]).word in ("holds", "fails")


def test_what_a_paper_claims_of_a_rate_is_endless():
    rates = [
        (name, claim)
        for name, entry in ENTRIES.items()
        for claim in entry.claims
        if isinstance(claim, Claim) and claim.quote and re.search(r"rate|O\(|order", claim.quote)
    ]
    assert {name for name, _ in rates} >= {"article-rate", "article-conditional"}
    judged = [claim for _, claim in rates if re.search("slope|exponent", claim.measure.about)]
    assert judged
    assert all(claim.endless for claim in judged)


def test_claims_on_dica_s_error_are_ours():
    assert {each.finding([]).source for each in ENTRIES["article-domains"].claims} == {"ours"}


def test_facts_are_looked_up():
    words = [Fact("so", lambda cells, so=so: (so, "why")).finding([]).word for so in (True, False, None)]
    assert words == ["holds", "fails", "undecided"]
    assert isinstance(Claim("so", Every, Less(), measure()).finding([]).reading, str)
