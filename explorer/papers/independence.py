"""Figure 3 and Table 4 of "Marginalized Kernel Mean Estimators" (paper 000), as studies.

Figure 3 has two-sample tests, Table 4 independence tests.

figure_3(panel, n, d, seed=int) is one trial: two samples, and the permutation p-value of each estimator's MMD. Panels a
and b have two different mixtures, c and d have one mixture twice. table_4(eta, seed=int) is one repetition: a part η of
Eckerle4's 35 pairs, and the p-value of each estimator's HSIC. widened(eta, x, y, seed=int) is the plain test at wider
bandwidths, which is all that noise can do. FIGURE_3, TABLE_4 and WIDENED define the cells. `impossible_powers` and
`falling_powers` check the printed table. The claims of the paper are in `entries.toml`.

The paper leaves the following open. Here panels a and c go over n, b and d over d. The two mixtures are independent
draws of (35). η 35 is rounded, halves up. p = (1 + #)/(1 + B), and a test rejects if p <= α. All estimators of a trial
share the same permutations. MMD is the biased one, which for two samples of equal size has the p-value of the unbiased
one.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.datasets import load
from explorer.discrepancy import hsic_test, mmd_test
from explorer.embeddings import GaussianMixture
from explorer.estimators import FKMSE, MKME, MMKME, SKMSE
from explorer.kernels import Gaussian, median_bandwidth
from explorer.rng import stream
from explorer.types import Matrix

from .shrinkage import Grid

if TYPE_CHECKING:
    from explorer.estimators import Estimator


ESTIMATORS: dict[str, Estimator | None] = {
    "KME": None,
    "S-KMSE": SKMSE(),
    "F-KMSE": FKMSE(),
    "MKME": MKME(),
    "MMKME": MMKME(),
}
WIDE = "KME, wide"  # the plain test at the bandwidths that MKME's σ is equivalent to
PANELS = {"a": "different", "b": "different", "c": "same", "d": "same"}
PAIRS, REPETITIONS, LEVELS = 35, 200, (0.05, 0.10, 0.15)
ETAS = (0.10, 0.15, 0.20, 0.25, 0.30)


def _figure_3(sizes, dimensions, replicates, n_resamples):
    rest = {"n_resamples": (n_resamples,)}
    over_n, over_d = {"n": sizes, "d": (5,)}, {"n": (5,), "d": dimensions}
    return Grid({"panel": ("a", "c"), **over_n, **rest}, replicates), Grid(
        {"panel": ("b", "d"), **over_d, **rest}, replicates
    )


# 100 trials give a rate to 10 percentage points. The paper has 500 trials of 1000 permutations for Figure 3, and 200
# repetitions of 2000 permutations for Table 4.
FIGURE_3 = {
    "fast": _figure_3((5, 10), (2, 20), 100, 99),
    "full": _figure_3((5, 10, 20, 50), (2, 5, 10, 20, 50), 500, 1000),
}
TABLE_4 = {
    "fast": (Grid({"eta": ETAS, "n_resamples": (99,), "flexible": (False,)}, 100),),
    "full": (Grid({"eta": ETAS, "n_resamples": (2000,)}, REPETITIONS),),
}
FACTORS = (1.0, 2.0, 10.0)
WIDENED = {
    "fast": (Grid({"eta": (0.3,), "x": FACTORS, "y": FACTORS, "n_resamples": (99,)}, 40),),
    "full": (Grid({"eta": ETAS, "x": FACTORS, "y": FACTORS, "n_resamples": (2000,)}, REPETITIONS),),
}

# (α, η) -> the powers of the five estimators, as printed
_PRINTED = """
.05 .10 .070 .060 .075 .060 .100   .05 .15 .045 .065 .045 .065 .240   .05 .20 .035 .105 .009 .035 .485
.05 .25 .170 .460 .175 .015 .715   .05 .30 .070 .370 .355 .007 .880
.10 .10 .095 .095 .095 .065 .175   .10 .15 .095 .120 .125 .095 .380   .10 .20 .075 .220 .245 .075 .610
.10 .25 .070 .460 .460 .070 .775   .10 .30 .160 .665 .635 .160 .915
.15 .10 .125 .150 .140 .100 .320   .15 .15 .130 .180 .190 .135 .455   .15 .20 .120 .345 .375 .120 .695
.15 .25 .185 .650 .655 .185 .835   .15 .30 .320 .835 .805 .320 .940
"""
PRINTED_4 = {
    (float(row[0]), float(row[1])): dict(zip(ESTIMATORS, row[2:], strict=True))
    for row in np.array(_PRINTED.split()).reshape(-1, 7).tolist()
}


# studies
# -----------------------------------------------------------------------------------------------------------------


def figure_3(panel: str, n: int = 10, d: int = 5, seed: int = 0, n_resamples: int = 1000) -> dict[str, float]:
    """Return the p-value of each estimator's two-sample test on one trial.

    Parameters
    ----------
    panel : {"a", "b", "c", "d"}
        "a" and "b" have two different mixtures, "c" and "d" have one mixture twice.
    n : int, default 10
        Points in each sample, at least 2.
    d : int, default 5
        Number of coordinates, at least 1.
    seed : int, default 0
        Seed of the trial.
    n_resamples : int, default 1000
        Number of permutations.

    Returns
    -------
    dict of {str: float}
        - ``"KME"``, ``"S-KMSE"``, ``"F-KMSE"``, ``"MKME"``, ``"MMKME"``: free parameters are chosen on the pooled
          sample.
        - ``"KME, wide"``: KME at the bandwidth sqrt(θ^2 + 2σ^2), where σ is that of MKME; equal to ``"MKME"``.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.

    Notes
    -----
    Paper 000: MKME and MMKME are "competitive" with KME and always better than S- and F-KMSE. But S-KMSE multiplies MMD
    by one number, so its p-value is KME's in every trial. The others differ from it by chance:
    `entries.toml` has the claims on it.
    """
    checks.one_of(panel, "panel", PANELS)
    n, d, seed = checks.whole(n, "n", 2), checks.whole(d, "d", 1), checks.whole(seed, "seed")
    first = GaussianMixture.random(d, stream(seed, "P"))
    second = first if PANELS[panel] == "same" else GaussianMixture.random(d, stream(seed, "Q"))
    X, Y = first.sample(n, stream(seed, "sample of P")), second.sample(n, stream(seed, "sample of Q"))
    k, P = Gaussian(median_bandwidth(np.vstack([X, Y]))), np.vstack([X, Y])

    def p(kernel, estimator=None):
        return mmd_test(X, Y, kernel, "biased", estimator, n_resamples, seed).pvalue

    return {name: p(k, each) for name, each in ESTIMATORS.items()} | {WIDE: p(_wide(k, P))}


def table_4(eta: float, seed: int = 0, n_resamples: int = 2000, flexible: bool = True) -> dict[str, float]:
    """Return the p-value of each estimator's independence test on one part of Eckerle4.

    Parameters
    ----------
    eta : float
        Share of the 35 pairs, drawn without replacement: 4, 5, 7, 9, 11 pairs for .10 ... .30.
    seed : int, default 0
        Seed of the part and of the permutations.
    n_resamples : int, default 2000
        Number of permutations.
    flexible : bool, default True
        Whether to include F-KMSE. It chooses λ in each permutation, which takes 3 ms each.

    Returns
    -------
    dict of {str: float}
        The names are those of `figure_3`.

    Raises
    ------
    ValueError
        If an argument is out of its range.
    TypeError
        If an argument has the wrong type.

    Notes
    -----
    x and y have one coordinate each. So MMKME, which has a σ for each coordinate, is MKME, and MKME is KME at wider
    bandwidths. S- and F-KMSE choose λ in each permutation, which is not KME at any bandwidth.
    """
    x, y = part(eta, seed)
    k, l = (Gaussian(median_bandwidth(z)) for z in (x, y))
    chosen = {name: each for name, each in ESTIMATORS.items() if flexible or name != "F-KMSE"}
    found = {name: hsic_test(x, y, k, l, "biased", each, n_resamples, seed).pvalue for name, each in chosen.items()}
    return found | {WIDE: hsic_test(x, y, _wide(k, x), _wide(l, y), "biased", None, n_resamples, seed).pvalue}


def widened(eta: float, x: float = 1.0, y: float = 1.0, seed: int = 0, n_resamples: int = 2000) -> dict[str, float]:
    """Return {"p": p-value} of the plain test at x and y times the median bandwidths, as any noise makes of KME.

    Parameters
    ----------
    eta : float
        Share of the 35 pairs.
    x, y : float, default 1.0
        Factors of the two median bandwidths, finite and at least 1.
    seed : int, default 0
        Seed of the part and of the permutations.
    n_resamples : int, default 2000
        Number of permutations.

    Returns
    -------
    dict of {str: float}
        The p-value as ``"p"``.
    """
    for factor, name in ((x, "x"), (y, "y")):
        if not 1 <= float(checks.numbers(factor, name)) < math.inf:
            raise Refusal(
                f"{name} must be a factor of at least 1, not {checks.echo(factor)}: noise widens a bandwidth."
            )
    X, Y = part(eta, seed)
    k, l = (Gaussian(factor * median_bandwidth(Z)) for factor, Z in ((x, X), (y, Y)))
    return {"p": hsic_test(X, Y, k, l, "biased", None, n_resamples, seed).pvalue}


def part(eta: float, seed: int) -> tuple[Matrix, Matrix]:
    """Return η 35 pairs of Eckerle4, rounded, halves up: wavelengths and transmittances, both of shape (m, 1)."""
    size = math.floor(float(checks.numbers(eta, "eta")) * PAIRS + 0.5)
    if not 2 <= size <= PAIRS:
        raise Refusal(f"eta must leave 2 to {PAIRS} of the {PAIRS} pairs, and {checks.echo(eta)} leaves {size}.")
    data, rows = load("eckerle4"), stream(checks.whole(seed, "seed"), "subsample").permutation(PAIRS)[:size]
    return data.X[rows], np.asarray(data.target)[rows, None]


def _wide(kernel, Z):
    """Return the Gaussian kernel whose squared bandwidth is θ^2 + 2σ^2, where σ is MKME's choice on Z."""
    sigma = MKME(kernel).select(Z).sigma or 0.0
    return Gaussian(math.sqrt(kernel.theta() ** 2 + 2 * sigma**2))


# the printed table
# -------------------------------------------------------------------------------------------------------


def impossible_powers(
    printed: Mapping[tuple[float, float], Mapping[str, float]] = PRINTED_4, repetitions: int = REPETITIONS
) -> list[tuple[Any, ...]]:
    """Return (α, η, name, number) of the printed powers that cannot be shares of `repetitions` tests (erratum 17).

    A number is compared to the digits printed.
    """
    return [
        (*cell, name, number)
        for cell, row in printed.items()
        for name, number in row.items()
        if not _is_share(number, repetitions)
    ]


def _is_share(number, repetitions):
    """Return whether some count / repetitions rounds to the number as printed."""
    value, half = Fraction(number), Fraction(1, 2 * 10 ** len(number.split(".")[1]))
    return any(abs(Fraction(count, repetitions) - value) <= half for count in range(repetitions + 1))


def falling_powers(
    printed: Mapping[tuple[float, float], Mapping[str, float]] = PRINTED_4,
) -> list[tuple[float, str, float, float]]:
    """Return (η, name, smaller α, larger α) of the printed powers that fall as α rises.

    No share of rejections can: p <= α for a smaller α implies it for a larger one.
    """
    found = []
    for eta in dict.fromkeys(eta for _, eta in printed):
        levels = sorted(alpha for alpha, other in printed if other == eta)
        found += [
            (eta, name, low, high)
            for low, high in pairwise(levels)
            for name in printed[low, eta]
            if float(printed[high, eta][name]) < float(printed[low, eta][name])
        ]
    return found
