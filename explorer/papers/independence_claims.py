"""Measures and facts of the claims on paper 000's Figure 3 and Table 4, about p-values; and its table next to ours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from explorer.discrepancy import rate_interval

from .effect import LEVEL
from .entry import TableComparison
from .evidence import rejections, share
from .independence import ESTIMATORS, LEVELS, PRINTED_4, REPETITIONS, falling_powers, impossible_powers

if TYPE_CHECKING:
    from .effect import Measure
    from .entry import Cell


# measures and facts of claims ----------------------------------------------------------------------------------------


def rejections_at_each_level(ours: str, *rivals: str) -> Measure:
    """Return the measure of a claim that `ours` rejects more often than any rival, at each level of Table 4."""
    return rejections(ours, *rivals, levels=LEVELS)


def rejected(*names: str) -> Measure:
    """Return the measure of how often the tests of some names reject at 5 %."""
    return share("it rejected", lambda cell, name: cell.table[name] <= 1 - LEVEL, names)


def same_p_values(cells: Sequence[Cell], first: str, second: str) -> tuple[bool | None, str]:
    """Return (whether two estimators have equal p-values in every sample, a sentence that counts the samples)."""
    pairs = [both for cell in cells for both in zip(cell.table[first], cell.table[second], strict=True)]
    alike = sum(a == b for a, b in pairs)
    return (alike == len(pairs) if pairs else None), f"The p-values are equal in {alike} of {len(pairs)} samples."


def impossible(_: Sequence[Cell]) -> tuple[bool, str]:
    """Return (whether some printed powers cannot be shares of 200 tests, a sentence that lists them)."""
    said = "; ".join(f"{number} of {name} at α = {a}, η = {e}" for a, e, name, number in impossible_powers())
    return bool(said), f"No count of {REPETITIONS} gives {said}."


def falling(_: Sequence[Cell]) -> tuple[bool, str]:
    """Return (whether a printed power falls as α rises, a sentence that lists where)."""
    said = "; ".join(f"{name} at η = {e} from α = {a} to {b}" for e, name, a, b in falling_powers())
    return bool(said), f"It falls for {said}."


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
