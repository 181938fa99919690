"""The seconds of section 5.2 of paper 004, as a study: BCD-Fast and U on all 766 + 766 DNA strings.

"Taking all the samples (N = 766) in the DNA benchmark with Q = 15, computing MONK BCD-Fast (U-Stat) takes 32s (1m28s)",
from the strings on, the kernel included, on the authors' machine. dna_seconds(n, seed=int) is one replicate of that: n
strings of either class in random order, and the processor seconds of each estimate.

The paper does not name its string kernel; here it is that of Figure 2, subsequences of three letters. BCD-Fast was the
faster one because of the kernel: it needs values within blocks only, U needs all. This library has the strings'
explicit features, whose Gram matrix is fast to compute, and makes one matrix of all pairs for either method.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.datasets import load
from explorer.discrepancy import mmd2, monk_mmd
from explorer.discrepancy.monk.coordinate_descent import SHUFFLE
from explorer.execution.processors import one_thread
from explorer.kernels import Subsequence
from explorer.papers.entry import TableComparison
from explorer.papers.evidence import median, median_error
from explorer.papers.shrinkage import Grid
from explorer.rng import stream

from .dna import STRINGS
from .times import ITERATIONS, seconds

if TYPE_CHECKING:
    from explorer.papers.effect import Measure
    from explorer.papers.entry import Cell


BLOCKS = 15
PRINTED = {"U": 88.0, "Fast": 32.0}
SECONDS = {
    "fast": (Grid({"n": (200, STRINGS)}, 8),),
    "full": (Grid({"n": (100, 200, 400, STRINGS)}, 40),),
}


def dna_seconds(n: int = STRINGS, seed: int = 0) -> dict[str, float]:
    """Return the processor seconds of "U", "BCD" and "Fast", starting from n strings of either class.

    Parameters
    ----------
    n : int, default 766
        Strings of either class, from 15 (one for each block) to 766.
    seed : int, default 0
        Seed of the order of the strings.

    Returns
    -------
    dict of {str: float}
        Seconds as ``"U"``, ``"BCD"`` and ``"Fast"``. ``"kernel"`` is the time of the Gram matrix of all 2n strings.

    Raises
    ------
    ValueError
        If `n` is out of its range.
    TypeError
        If an argument is not a whole number.
    FileNotFoundError
        If the data set splice is not available.
    """
    n, seed = checks.whole(n, "n", BLOCKS), checks.whole(seed, "seed")
    if n > STRINGS:
        raise Refusal(f"n must be at most {STRINGS}, the strings that there are, not {n}.")
    data, kernel = load("splice"), Subsequence(3, 0.5)
    X, Y = (
        data.only(label).X[:STRINGS][stream(seed, label).permutation(STRINGS)[:n]] for label in ("EI", "IE")
    )  # the first 766, as in Figure 2
    both = np.concatenate([X, Y])
    acts = {
        "kernel": lambda: kernel(both),
        "U": lambda: mmd2(X, Y, kernel),
        "BCD": lambda: monk_mmd(X, Y, kernel, BLOCKS, "bcd", ITERATIONS, rng=seed),
        "Fast": lambda: monk_mmd(X, Y, kernel, BLOCKS, "bcd-fast", ITERATIONS, rng=seed),
    }
    with one_thread():
        return {name: seconds(act) for name, act in acts.items()}


def kernel_values(n: int, blocks: int = BLOCKS, iterations: int = ITERATIONS) -> dict[str, int]:
    """Return the number of kernel values that U and BCD-Fast need for n pairs, as {"U": count, "Fast": count}.

    U takes every pair of the 2n points once, n (2n - 1). A block of s pairs has 2s points and s (2s + 1) pairs of them,
    including each point with itself. BCD-Fast takes all of them again at every shuffle, because the blocks are new.

    >>> kernel_values(4, blocks=2, iterations=10)
    {'U': 28, 'Fast': 20}
    """
    size, larger = divmod(n, blocks)
    within = larger * (size + 1) * (2 * size + 3) + (blocks - larger) * size * (2 * size + 1)
    return {"U": n * (2 * n - 1), "Fast": -(-iterations // SHUFFLE) * within}


def fewer_values(cells: Sequence[Any]) -> tuple[bool, str]:
    """Return (whether BCD-Fast needs fewer kernel values than U for all strings, a sentence with the counts)."""
    count = kernel_values(STRINGS)
    share = count["Fast"] / count["U"]
    return share < 1, (
        f"At N = {STRINGS}, Q = {BLOCKS} and {ITERATIONS // SHUFFLE} shuffles BCD-Fast needs {count['Fast']:,} values,"
        f" {share:.2f} of U's {count['U']:,}; the printed seconds have the ratio"
        f" {PRINTED['Fast'] / PRINTED['U']:.2f}."
    )


def fast_over_u() -> Measure:
    """Return the measure of how much faster BCD-Fast is than U."""
    return median_error(("Fast",), "U", "that of U")._replace(
        about="the median time of BCD-Fast over that of U",
        sentence=lambda effect: f"The median time of BCD-Fast is {10**effect.value:.3g} times that of U",
    )


def compare_with_printed(cells: Sequence[Cell]) -> TableComparison:
    """Return the printed seconds of the authors' machine next to ours."""
    cell = next((cell for cell in cells if cell.values["n"] == STRINGS), None)
    rows = []
    for name, method in (("U", "U-Stat"), ("BCD", "MONK BCD"), ("Fast", "MONK BCD-Fast")):
        printed = f"{PRINTED[name]:.0f} s" if name in PRINTED else "not printed"
        rows.append((method, printed, f"{median(cell.table[name]).value:.3g} s" if cell else "not computed"))
    kernel = f"{median(cell.table['kernel']).value:.3g} s" if cell else "not computed"
    remarks = (
        "The printed seconds are those of another machine and of another program: they can be put beside ours, and no"
        " more. What can be compared is which of two methods is faster on one machine.",
        f"Of ours the kernel, a Gram matrix of all {2 * STRINGS} strings, takes {kernel}: explicit features, where the"
        " usual recursion of string kernels takes minutes. A kernel that costs nearly nothing leaves BCD-Fast nothing"
        " to save, and its iterations come on top.",
    )
    return TableComparison(
        f"Seconds for {STRINGS} + {STRINGS} strings, Q = {BLOCKS}, from the strings on.",
        ("method", "printed, another machine", "ours, median"),
        tuple(rows),
        remarks,
    )
