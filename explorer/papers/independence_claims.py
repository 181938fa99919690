"""The claims of paper 000's Figure 3 and Table 4 held against rows of p-values, as findings."""

from __future__ import annotations

from scipy.stats import binom

from .entry import Finding
from .independence import PANELS, PRINTED_4, falling, impossible, power, verdicts_figure_3, verdicts_table_4

LEVEL = 0.05


def rows(cell):
    """The replicates of a cell, each {name: p-value}."""
    count = len(next(iter(cell.table.values())))
    return [{name: float(p[i]) for name, p in cell.table.items()} for i in range(count)]


def _counted(claim, words, erratum=""):
    """One finding on a claim from its verdicts in the cells: where it holds, by name."""
    true = [where for where, holds in words if holds]
    word = "holds" if len(true) == len(words) else "fails"
    where = f": {'; '.join(true)}" if 0 < len(true) < len(words) else ""
    return Finding(claim, word, f"Borne out in {len(true)} of {len(words)} cells{where}.", erratum)


def _said(values):
    return ", ".join(f"{name} = {value}" for name, value in values.items() if name not in ("n_resamples", "flexible"))


def figure_3_claims(cells):
    """What the paper says of its panels, and what is so of the estimators themselves."""
    different = [(_said(c.values), verdicts_figure_3(rows(c))) for c in cells if PANELS[c.values["panel"]] == "different"]
    found = [_counted(claim, [(where, all_of[claim]) for where, all_of in different], "10" if "no worse" in claim else "")
             for claim in (different[0][1] if different else {})]  # fmt: skip
    same = [(c, power(rows(c))) for c in cells if PANELS[c.values["panel"]] == "same"]
    kept = [(_said(c.values), all(_at_level(rate, len(rows(c))) for rate in rates.values())) for c, rates in same]
    return [*found, _counted("Under equal laws tests reject at their level", kept)] if kept else found


def _at_level(rate, count):
    """Whether a count of rejections is within the binomial's range at the level, passed once in 10 000 by luck."""
    return rate * count <= binom.isf(1e-4, count, LEVEL)


def table_4_claims(cells):
    """What the paper says of its table, what is so of the estimators themselves, and what the printed numbers cannot be."""
    found = [(_said(c.values), verdicts_table_4(rows(c))) for c in cells]
    findings = [_counted(claim, [(where, each[claim]) for where, each in found]) for claim in found[0][1]]
    odd, fall = impossible(), falling()
    said = "; ".join(f"{number} of {name} at α = {a}, η = {e}" for a, e, name, number in odd)
    findings.append(
        Finding("The printed powers are shares of 200 repetitions", "holds" if not odd else "fails", f"{said}.", "17")
    )
    said = "; ".join(f"{name} at η = {e} from α = {a} to {b}" for e, name, a, b in fall)
    word = "holds" if not fall else "fails"
    return [*findings, Finding("The printed powers rise with α, as shares of p ≤ α do", word, f"They fall for {said}.", "17")]


def printed_table_4(level=LEVEL):
    """The printed powers at one level, η -> {name: number}."""
    return {f"η = {eta}": row for (alpha, eta), row in PRINTED_4.items() if alpha == level}
