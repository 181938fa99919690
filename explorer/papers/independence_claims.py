"""Claims of paper 000 on Figure 3 and Table 4, and ours, about p-values; and its table next to ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.discrepancy import rate_interval

from .claim import Claim, Fact
from .effect import LEVEL
from .entry import TableComparison
from .evidence import rejections, share
from .independence import ESTIMATORS, LEVELS, PANELS, PRINTED_4, REPETITIONS, WIDE, falling_powers, impossible_powers
from .quantifier import Every, OnAverage
from .standard import Less, Near, NoWorse

if TYPE_CHECKING:
    from .entry import Cell


COMPETITIVE = 0.10  # share of samples: a test that misses a tenth more of them is not competitive
SIMILAR = 0.05  # share of samples, more or fewer: the level, which is the rate that every test should have
TIE = 0.05  # share of samples: ten of the paper's 200 repetitions

COMPETES = "the proposed marginalized kernel mean estimators achieve competitive performance compared with KME"
ALWAYS = "and always outperforms the shrinkage estimators S/F-KMSE"
ALIKE = "For the second case, all estimators achieve similar performance."
SETTINGS = "Our marginalized estimator MMKME is significantly better than baselines in all settings."
PERFORMS = "MMKME always performs better than MKME"


def _different(values):
    return PANELS[values["panel"]] == "different"


def _same(values):
    return PANELS[values["panel"]] == "same"


def same_p_values(says: str, first: str, second: str) -> Fact:
    """Return the fact that two estimators have equal p-values in every sample."""

    def judge(cells):
        pairs = [both for cell in cells for both in zip(cell.table[first], cell.table[second], strict=True)]
        alike = sum(a == b for a, b in pairs)
        return (alike == len(pairs) if pairs else None), f"The p-values are equal in {alike} of {len(pairs)} samples."

    return Fact(says, judge)


def _each_close_to_kme(says):
    """Return the claims that every estimator rejects about as often as KME, in every cell with equal distributions."""
    return tuple(
        Claim(f"{says}: {name} and KME", Every, Near(SIMILAR), rejections(name, "KME"), ALIKE, where=_same)
        for name in ESTIMATORS
        if name != "KME"
    )


def _outperforms(name):
    return Claim(
        f"{name} always rejects more often than S- and F-KMSE",
        Every,
        Less(tie=TIE),
        rejections(name, "S-KMSE", "F-KMSE"),
        ALWAYS,
        errata=("13",),
        where=_different,
    )


def _competes(name):
    return Claim(
        f"{name} is competitive with KME",
        OnAverage,
        NoWorse(COMPETITIVE),
        rejections(name, "KME"),
        COMPETES,
        errata=("13",),
        where=_different,
    )


FIGURE_3_CLAIMS = (
    _competes("MKME"),
    _competes("MMKME"),
    _outperforms("MKME"),
    _outperforms("MMKME"),
    *_each_close_to_kme("For two samples of one distribution the estimators perform alike"),
    Claim(
        "For two samples of one distribution every test rejects in less than twice its level",
        Every,
        Less(2 * (1 - LEVEL)),
        share("it rejected", lambda cell, name: cell.table[name] <= 1 - LEVEL, tuple(ESTIMATORS)),
        where=_same,
    ),
    same_p_values("S-KMSE has the p-values of KME", "S-KMSE", "KME"),
    same_p_values("MKME has the p-values of KME at a wider bandwidth", "MKME", WIDE),
)


def _impossible(_):
    odd = impossible_powers()
    said = "; ".join(f"{number} of {name} at α = {a}, η = {e}" for a, e, name, number in odd)
    return bool(odd), f"No count of {REPETITIONS} gives {said}."


def _falling(_):
    found = falling_powers()
    said = "; ".join(f"{name} at η = {e} from α = {a} to {b}" for e, name, a, b in found)
    return bool(found), f"It falls for {said}."


TABLE_4_CLAIMS = (
    Claim(
        "MMKME is significantly better than KME, S-KMSE and F-KMSE in all settings",
        Every,
        Less(tie=TIE),
        rejections("MMKME", "KME", "S-KMSE", "F-KMSE", levels=LEVELS),
        SETTINGS,
        ("17",),
    ),
    Claim(
        "MMKME always performs better than MKME",
        Every,
        Less(tie=TIE),
        rejections("MMKME", "MKME", levels=LEVELS),
        PERFORMS,
        ("17",),
    ),
    Claim("KME rejects more often than MKME", OnAverage, Less(), rejections("KME", "MKME", levels=LEVELS)),
    Claim("S-KMSE rejects more often than KME", OnAverage, Less(), rejections("S-KMSE", "KME", levels=LEVELS)),
    same_p_values("MMKME has the p-values of MKME", "MMKME", "MKME"),
    same_p_values("MKME has the p-values of KME at wider bandwidths", "MKME", WIDE),
    Fact("Some printed powers cannot be shares of 200 repetitions", _impossible, errata=("17",)),
    Fact("A printed power falls as α rises, which no share of p ≤ α does", _falling, errata=("17",)),
)


# the printed table next to ours ---------------------------------------------------------------------------------------


def compare_with_printed(cells: Sequence[Cell]) -> TableComparison:
    """Return the printed Table 4 next to ours: a row for each α and η, two columns for each estimator.

    A mark shows that the printed and our number differ by more than sampling noise: the Clopper-Pearson intervals of
    the two counts do not overlap. The intervals are so wide that all of them together hold with 95 %. A printed share
    that is not a count of 200 is taken as the nearest one.
    """
    ours = {(level, cell.values["eta"]): cell.table for cell in cells for level in LEVELS}
    compared = [(at, name) for at in PRINTED_4 if at in ours for name in ESTIMATORS if name in ours[at]]
    confidence = 1 - (1 - LEVEL) / (2 * max(len(compared), 1))
    rows, apart = [], []
    for at, printed in PRINTED_4.items():
        words = [f"α = {at[0]}, η = {at[1]}"]
        for name in ESTIMATORS:
            if (at, name) not in compared:
                words += [printed[name], "not computed"]
                continue
            p = ours[at][name]
            rejected = int((p <= at[0]).sum())
            words += [printed[name], f"{rejected / len(p):.3f}"]
            if not _meet(float(printed[name]), rejected, len(p), confidence):
                words[-1] += " ≠"
                apart.append((at, name))
        rows.append(tuple(words))
    columns = ("", *(f"{name}, {which}" for name in ESTIMATORS for which in ("printed", "ours")))
    return TableComparison(
        "Power, as printed and ours; ≠ marks differences that chance does not explain.",
        columns,
        tuple(rows),
        _remarks(compared, apart),
    )


def _meet(printed, rejected, count, confidence):
    """Return whether the intervals of a printed share of 200 and of our count overlap."""
    low, high = rate_interval(round(printed * REPETITIONS), REPETITIONS, confidence)
    our_low, our_high = rate_interval(rejected, count, confidence)
    return low <= our_high and our_low <= high


def _remarks(compared, apart):
    """Return sentences on how much of the table can be matched, and why the rest cannot."""
    twins = sum(row["MKME"] == row["KME"] for row in PRINTED_4.values())
    by_name = {name: sum(each == name for _, each in apart) for name in ESTIMATORS}
    off = ", ".join(f"{count} of {name}" for name, count in by_name.items() if count)
    said = [
        f"Chance does not explain the difference in {len(apart)} of {len(compared)} compared powers"
        f"{': ' if off else ''}{off}.",
        "MMKME: wavelength and transmittance have one coordinate each, so MMKME is MKME, whose test is KME's at the"
        " bandwidths sqrt(θ² + 2σ²). At η = .30, α = .05 bandwidths up to ten times as wide have a tenth of the printed"
        " power of .880.",
        f"In {twins} of {len(PRINTED_4)} rows the printed power of MKME is that of KME, to the digit.",
        "Two printed powers are not shares of 200, and one falls as α rises (erratum 17); these levels cannot be"
        " reproduced.",
        "The paper leaves open how the p-value is computed (erratum 13), how η times 35 is rounded, and whether λ and"
        " σ are chosen again in every permutation.",
    ]
    if len(compared) < len(PRINTED_4) * len(ESTIMATORS):
        said.append(
            "What is not computed takes the full size: F-KMSE chooses λ in every permutation, which takes minutes."
        )
    return tuple(said)
