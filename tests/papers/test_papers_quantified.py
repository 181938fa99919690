"""Each claim tests what its paper states; and the claims of papers 000 and 004 on cells that are made up."""

from __future__ import annotations

import numpy as np
import pytest

from explorer.papers.catalogue import ENTRIES
from explorer.papers.claim import Claim
from explorer.papers.entry import Cell
from explorer.papers.monk.errors import BLOCKS, PANELS, truth
from explorer.papers.quantifier import Every, Most, OnAverage, Some
from explorer.papers.standard import Less, Near, NoWorse

CLAIMS = [claim for entry in ENTRIES.values() for claim in entry.claims]
WORDS = {
    "all the time": Every, " always": Every, "almost always": Most,
    "all settings": Every, "does not depend": Every, "with probability": Every,
    "all estimators": Every, "all 3 techniques": Every, "worst cases": Every,
    "in most cases": Most, "tend to": Most,
    "can completely": Some, "chosen properly": Some, "some cases": Some,
    "outperform the standard": OnAverage, "slightly better": OnAverage, "more substantial": OnAverage,
    "competitive performance": OnAverage,
}  # fmt: skip
STANDARDS = {
    "perform as well as": NoWorse,
    "competitive": NoWorse,
    "comparable": Near,
    "similar": Near,
    "same order": Near,
}


@pytest.mark.parametrize(("words", "quantifier"), WORDS.items())
def test_words_on_how_often_are_read_as_one_quantifier(words, quantifier):
    hedged = [claim for claim in CLAIMS if "almost always" in claim.quote and words == " always"]
    quoted = [claim for claim in CLAIMS if isinstance(claim, Claim) and words in claim.quote and claim not in hedged]
    assert quoted
    assert {claim.quantifier for claim in quoted} == {quantifier}


@pytest.mark.parametrize(("words", "standard"), STANDARDS.items())
def test_words_on_how_much_are_read_as_one_standard(words, standard):
    quoted = [claim for claim in CLAIMS if isinstance(claim, Claim) and words in claim.quote]
    assert quoted
    assert {type(claim.standard) for claim in quoted} == {standard}


def test_papers_claims_have_words_and_ours_have_none():
    assert all(isinstance(claim, Claim) for claim in CLAIMS if claim.quote)
    ours = {claim.says for claim in CLAIMS if not claim.quote}
    assert {"Much noise (σ² = 100) does harm", "A little noise (σ² up to 1) gains"} < ours
    assert any("Q = 5" in says for says in ours)
    assert {claim.says for claim in ENTRIES["atlas"].claims} <= ours
    names = [claim.says for claim in CLAIMS]
    assert len(set(names)) == len(names)


def words(name, cells):
    return {finding.claim: finding.word for finding in ENTRIES[name].findings(cells)}


def losses(**factors):
    """Return losses on 30 samples that are these multiples of KME's, each with some noise."""
    rng = np.random.default_rng(0)
    plain = 1 + rng.random(30)
    return {"KME": plain} | {
        name: factor * plain * (1 + 0.01 * rng.normal(size=30)) for name, factor in factors.items()
    }


def test_all_the_time_and_in_most_cases_differ():
    """MKME and MMKME are ahead in two cells of three, and far ahead on average."""
    names = {"S-KMSE": 0.9, "F-KMSE, theorem 4": 1.1}
    ahead, behind = losses(**names, MKME=0.5, MMKME=0.5), losses(**names, MKME=0.95, MMKME=0.95)
    found = words("marginalized-figure-2", [Cell({"n": n}, t) for n, t in ((1, ahead), (2, ahead), (3, behind))])
    assert found["MKME outperforms the baselines in most cases"] == "holds"
    assert found["MMKME outperforms the baselines all the time"] == "fails"


def test_where_sigma_is_chosen_properly_is_one_sigma():
    cells = [
        Cell({"variance": v}, losses(MKME=factor)) for v, factor in ((0.0, 1), (1.0, 0.9), (10.0, 1.2), (100.0, 5))
    ]
    assert set(words("marginalized-figure-1", cells).values()) == {"holds"}
    none = [Cell(cell.values, losses(MKME=2.0)) for cell in cells]
    assert list(words("marginalized-figure-1", none).values()) == ["fails", "fails", "holds"]


def test_as_well_as_in_the_worst_cases_is_no_average():
    found = words(
        "shrinkage-figure-2",
        [
            Cell({"kernel": "RBF", "n": n, "d": 5}, losses(**{"S-KMSE": s, "F-KMSE": 0.9, "F-KMSE, theorem 4": 1.1}))
            for n, s in ((10, 0.5), (100, 1.05))
        ],
    )
    assert found["S-KMSE outperforms the standard KME"] == "holds"
    assert found["In the worst cases S-KMSE performs as well as KME"] == "fails"
    assert found["In the worst cases F-KMSE, by the genuine score, performs as well as KME"] == "holds"
    assert found["S-KMSE gains more at small n"] == "holds"
    assert found["S-KMSE gains more at large d"] == "undecided"  # there is one d


def test_equal_p_values_are_never_always_better():
    p = np.random.default_rng(1).random(200)
    table = dict.fromkeys(("KME", "S-KMSE", "F-KMSE", "MKME", "MMKME", "KME, wide"), p)
    found = words("marginalized-figure-3", [Cell({"panel": panel, "n": 5, "d": 5}, table) for panel in "ac"])
    assert found["MKME is competitive with KME"] == "holds"
    assert found["MKME always rejects more often than S- and F-KMSE"] == "fails"
    assert found["For two samples of one distribution the estimators perform alike: MMKME and KME"] == "holds"
    assert found["S-KMSE has the p-values of KME"] == "holds"
    ten = {name: values[:10] for name, values in table.items()}
    few = words("marginalized-figure-3", [Cell({"panel": "a", "n": 5, "d": 5}, ten)])
    assert few["MKME is competitive with KME"] == "undecided"  # ten samples without a difference show little


def errors(**factors):
    """Return errors of 40 samples with medians at these multiples of the MMD, in every panel with an MMD above 0."""
    rng = np.random.default_rng(2)
    spread = np.exp(0.3 * rng.normal(size=40))
    return [
        Cell(
            {"panel": panel, "n": 200},
            {name: (truth(panel) or 1.0) * value * spread for name, value in factors.items()},
        )
        for panel in PANELS
    ]


def test_robust_resistant_comparable_and_ruined():
    names = {f"{kind} {Q}": value for kind, value in (("BCD", 0.05), ("Fast", 0.5)) for Q in BLOCKS}
    found = words("monk-figure-1", errors(U=0.04, **{"U, clipped": 0.0}, **names))
    assert found["On clean data the error of MONK BCD is of the same order as that of U"] == "holds"
    assert found["On clean data the error of MONK BCD-Fast is of the same order as that of U"] == "fails"
    assert found["Five outliers can ruin U under the quadratic kernel"] == "fails"
    assert found["With suitable Q (11 and 21, more than 2 Nc) MONK BCD is robust to them"] == "holds"
    assert found["Under the RBF kernel, which is bounded, U is resistant to outliers"] == "holds"
    assert found["There MONK BCD-Fast is comparable with U"] == "fails"
    assert found["On the Pareto distribution MONK BCD is more robust than U, taken as sqrt(max(U, 0))"] == "fails"
    assert found["MONK BCD with Q = 5, no more blocks than outliers, is ruined by them, too"] == "fails"
    ruined = words("monk-figure-1", errors(U=1e5, **{"U, clipped": 1e5}, **(names | {"BCD 5": 1e5})))
    assert ruined["Five outliers can ruin U under the quadratic kernel"] == "holds"
    assert ruined["MONK BCD with Q = 5, no more blocks than outliers, is ruined by them, too"] == "holds"
    assert ruined["Under the RBF kernel, which is bounded, U is resistant to outliers"] == "fails"


def test_a_gap_that_may_be_zero_tells_nothing_apart():
    rng = np.random.default_rng(3)
    noise = rng.normal(size=(3, 20))
    cells = [
        Cell({"panel": panel, "n": n}, dict(zip(("U", "BCD", "Fast"), shift + noise / n, strict=True)))
        for panel, shift in (("EI-IE", 5.0), ("EI-EI", 0.0), ("IE-IE", 0.0))
        for n in (1, 10)
    ]
    found = words("monk-figure-2", cells)
    assert found["All three tests distinguish EI from IE: the estimate is above the quantile"] == "holds"
    # an absence of a difference is not a gap below the quantile
    assert found["None distinguishes two samples of one class: the estimate is below the quantile"] == "undecided"
    assert found["U becomes stable: it spreads less at the largest n than at the smallest"] == "holds"


def test_a_tie_has_a_margin_wherever_something_better_is_claimed_of_losses():
    for name in ("shrinkage-figure-1", "shrinkage-figure-2", "marginalized-figure-1", "marginalized-figure-2"):
        comparisons = [claim for claim in ENTRIES[name].claims if "mean loss" in claim.measure.about]
        assert comparisons
        assert all(claim.standard.tie > 0 for claim in comparisons if isinstance(claim.standard, Less))
