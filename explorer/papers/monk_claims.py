"""The claims of paper 004 held against the errors of Figure 1 and the gaps of Figure 2, as findings."""

from __future__ import annotations

import math

import numpy as np

from .entry import Finding
from .monk import PANELS

BLOCKS = (5, 11, 21)


def claims(cells):
    """What the paper says of the six panels: medians over replicates, cell by cell."""
    by_panel = {panel: [c for c in cells if c.values["panel"] == panel] for panel in PANELS}
    clean, dirty, bounded = by_panel["a"] + by_panel["d"], by_panel["b"], by_panel["e"]
    return [
        _every("On clean data MONK BCD is as accurate as U, within a factor of 1.6", clean,
               lambda m: max(m[f"BCD {Q}"] / m["U"] for Q in BLOCKS), at_most=1.6, said="BCD's median error is {} that of U"),
        _every("On clean data MONK BCD-Fast is as accurate as U, within a factor of 1.6", clean,
               lambda m: max(m[f"Fast {Q}"] / m["U"] for Q in BLOCKS), at_most=1.6,
               said="BCD-Fast's median error is {} that of U", erratum="E-17"),
        _every("Even a small number of outliers can completely ruin U, where the kernel is unbounded", dirty,
               lambda m: m["U"], at_least=100, said="its median error is {}"),
        _every("MONK BCD with more than 2 Nc blocks (Q = 11, 21) is robust to them", dirty,
               lambda m: max(m["BCD 11"], m["BCD 21"]), at_most=1.0, said="its median error is {}", erratum="E-21"),
        _every("MONK BCD with Q = 5 is robust to them, too", dirty, lambda m: m["BCD 5"], at_most=1.0,
               said="its median error is {}"),
        _every("Under a bounded kernel U is resistant by construction", bounded, lambda m: m["U"], at_most=0.1,
               said="its median error is {}"),
        _every("There BCD-Fast is comparable, within a factor of 2, for every Q", bounded,
               lambda m: max(m[f"Fast {Q}"] / m["U"] for Q in BLOCKS), at_most=2.0, said="its median error is {} that of U"),
        _every("On Pareto's law MONK BCD 21 is more robust than sqrt|U|", by_panel["c"],
               lambda m: m["BCD 21"] / m["U"], at_most=1.0, said="its median error is {} that of sqrt|U|", erratum="E-23"),
        _every("On Pareto's law MONK BCD 21 is more robust than sqrt(max(U, 0))", by_panel["c"],
               lambda m: m["BCD 21"] - m["U, clipped"], at_most=0,
               said="its median error less that of sqrt(max(U, 0)), which is often 0, the truth, is {}", erratum="E-16"),
    ]  # fmt: skip


def dna_claims(cells):
    """What the paper says of the splice junctions: means over replicates, more than 3 standard errors from 0, and rates."""
    names = ("U", "BCD", "Fast")
    inter = [c for c in cells if c.values["panel"] == "EI-IE"]
    intra = [c for c in cells if c.values["panel"] != "EI-IE"]
    lowest = {_where(c): min(_z(c.table[name]) for name in names) for c in inter}
    highest = {_where(c): max(_z(c.table[name]) for name in names) for c in intra}
    found = [
        Finding("All three tell the classes apart", _surely(min(lowest.values())),
                f"The mean gap is at least {min(lowest.values()):+.1f} standard errors from 0, at {_least(lowest)}."),
        Finding("None tells two halves of one class apart", _surely(-max(highest.values())),
                f"The mean gap is at most {max(highest.values()):+.1f} standard errors from 0."),
    ]  # fmt: skip
    ratios = [float(c.table["Fast"].mean() / c.table["U"].mean()) for c in inter]
    return [*found, Finding("BCD-Fast is as far above the quantile as U", "holds" if min(ratios) >= 0.9 else "fails",
                            f"Its mean gap is {min(ratios):.2f} to {max(ratios):.2f} that of U.")]  # fmt: skip


def _every(claim, cells, measure, said, at_most=math.inf, at_least=-math.inf, erratum=""):
    """A claim on medians that is to hold in every cell."""
    found = [float(measure({name: np.median(v) for name, v in c.table.items()})) for c in cells]
    held = sum(at_least <= value <= at_most for value in found)
    word = "holds" if held == len(found) else "fails"
    low, high = min(found), max(found)
    between = f"{low:.3g} to {high:.3g}" if len(found) > 1 else f"{high:.3g}"
    sentence = f"{said.format(between)}; so in {held} of {len(found)} cells."
    return Finding(claim, word, sentence[0].upper() + sentence[1:], erratum)


def _where(cell):
    return ", ".join(f"{name} = {value}" for name, value in cell.values.items())


def _least(values):
    return min(values, key=values.get)


def _surely(z):
    """A word for a claim that a mean is above 0, in standard errors."""
    return "holds" if z > 3 else "fails" if z < -3 else "open"


def _z(gaps):
    """The mean in standard errors."""
    return float(gaps.mean() / (gaps.std(ddof=1) / np.sqrt(len(gaps))))
