"""Figures 1 and 2 of the shrinkage papers: exact losses, the numbers of another reproduction, and what is true of the claims."""

import itertools
import pickle
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from scipy.stats import fisher_exact

from explorer import FKMSE, KME, SKMSE, GaussianMixture
from explorer.embeddings.risk import variance
from explorer.papers.shrinkage import FIGURE_1, FIGURE_2, KERNELS, Replicate, figure_1, figure_2, smallest_eigenvalue

ROOT = Path(__file__).parents[2]
FAST, FULL = FIGURE_1["fast"][0].replicates, FIGURE_1["full"][0].replicates
T4 = "F-KMSE, theorem 4"


def cells(grids):
    """The cells of some grids, a cell that two of them share once."""
    found = [dict(zip(g.axes, values, strict=True)) for g in grids for values in itertools.product(*g.axes.values())]
    return [cell for i, cell in enumerate(found) if cell not in found[:i]]


@cache
def _losses(study, replicates, cell):
    rows = [study(**dict(cell), seed=seed) for seed in range(replicates)]
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def losses(study, replicates, **cell):
    """Estimator -> losses (replicates,) of a cell."""
    return _losses(study, replicates, tuple(cell.items()))


class Ratio(NamedTuple):
    """A mean loss over KME's, on the same samples, and the spread that one replicate contributes to it."""

    value: float
    spread: float
    count: int

    @classmethod
    def of(cls, table, name):
        """By the delta method: mean(L) / mean(K) moves with the mean of (L_i - r K_i) / mean(K)."""
        loss, plain = table[name], table["KME"]
        value = loss.mean() / plain.mean()
        return cls(value, np.std(loss - value * plain, ddof=1) / plain.mean(), len(loss))

    @property
    def z(self):
        """How many standard errors it is above 1."""
        return (self.value - 1) / (self.spread / self.count**0.5)

    def off(self, printed):
        """How many standard errors of the difference a number of the other reproduction is above it.

        The other one is the mean over 30 laws of its own, so it errs by spread / sqrt(30), and by its rounding: a uniform
        error of half a unit of the last digit, with variance unit^2 / 12.
        """
        unit = 10.0 ** -len(printed.split(".")[1])
        return (float(printed) - self.value) / np.sqrt(self.spread**2 * (1 / self.count + 1 / 30) + unit**2 / 12)


# another reproduction ------------------------------------------------------------------------------------------------
# Mean losses over KME's as other code gave them, 30 laws a cell, other random numbers.

RATIOS_1 = {  # at c = .01, .1, 1, 10
    ("LIN", "S-KMSE"): ".85 1.84 2.92 3.15",
    ("LIN", "F-KMSE"): "1.000 .999 .990 .941",
    ("POLY2", "S-KMSE"): "2.47 2.47 2.47 2.47",
    ("POLY2", "F-KMSE"): "1.000 .995 .959 .856",
    ("POLY3", "S-KMSE"): "1.38 1.38 1.38 1.38",
    ("POLY3", "F-KMSE"): ".999 .993 .936 .748",
    ("RBF", "S-KMSE"): ".999 .995 .969 1.68",
    ("RBF", "F-KMSE"): "1.000 .999 .994 .980",
}
CS = FIGURE_1["fast"][0].axes["c"]
WINS_1 = {  # samples of 30 where the estimate is nearer to the truth than KME
    ("LIN", "S-KMSE"): dict(zip(CS, (22, 3, 0, 0), strict=True)),
    ("LIN", "F-KMSE"): {10.0: 25},
    ("POLY2", "S-KMSE"): dict.fromkeys(CS, 0),
    ("POLY2", "F-KMSE"): {1.0: 30, 10.0: 26},
    ("POLY3", "S-KMSE"): dict.fromkeys(CS, 5),
    ("POLY3", "F-KMSE"): {10.0: 30},
    ("RBF", "S-KMSE"): {1.0: 28, 10.0: 5},
    ("RBF", "F-KMSE"): {10.0: 23},
}
ALL = ("S-KMSE", T4, "F-KMSE")
RATIOS_2 = {  # (kernel, n, d) -> S-KMSE, F-KMSE by Theorem 4, F-KMSE by genuine leave-one-out
    ("RBF", 10, 20): ".941 1.021 .959",
    ("RBF", 20, 20): ".973 1.094 .982",
    ("RBF", 50, 20): ".990 1.157 .991",
    ("RBF", 100, 20): ".989 1.092 .994",
    ("RBF", 20, 5): ".966 1.037 .973",
    ("RBF", 20, 50): ".974 1.079 .983",
    ("RBF", 20, 100): ".972 1.085 .984",
    ("LIN", 10, 20): ".895 .926 .975",
    ("LIN", 20, 20): ".936 1.029 .991",
    ("LIN", 100, 20): ".947 1.051 .998",
    ("LIN", 20, 5): "- - 1.05",
    ("LIN", 20, 100): ".884 1.022 .979",
    ("POLY2", 10, 20): ".840 .882 .912",
    ("POLY2", 20, 20): ".884 1.002 .969",
    ("POLY2", 100, 20): ".951 1.104 1.000",
    ("POLY2", 20, 100): ".826 .947 .927",
    ("POLY3", 10, 20): ".712 .759 .826",
    ("POLY3", 20, 20): ".768 .923 .936",
    ("POLY3", 100, 20): ".926 1.097 1.000",
    ("POLY3", 20, 5): "- - 1.03",
    ("POLY3", 20, 100): ".742 .868 .866",
}


def compared(replicates, cells_2):
    """(what, z) for every number of the other reproduction."""
    for (kernel, name), printed in RATIOS_1.items():
        for c, number in zip(CS, printed.split(), strict=True):
            table = losses(figure_1, replicates, kernel=kernel, c=c, n=10, d=30)
            yield (kernel, c, name), Ratio.of(table, name).off(number)
    for kernel, n, d in cells_2:
        table = losses(figure_2, replicates, kernel=kernel, n=n, d=d)
        for name, number in zip(ALL, RATIOS_2[kernel, n, d].split(), strict=True):
            if number != "-":
                yield (kernel, n, d, name), Ratio.of(table, name).off(number)


def check_numbers(replicates, cells_2):
    """Each of the other reproduction's numbers within 3.3 standard errors of the difference, all together within 1.5.

    3.3 is passed once in 1000 by luck. The root mean square of all z is 1 where both are right; one law and sample serve
    many cells, so it is worth some 20 independent z: then 1.5 is passed once in 1000.
    """
    off = dict(compared(replicates, cells_2))
    assert {what: z for what, z in off.items() if abs(z) > 3.3} == {}
    assert np.sqrt(np.mean(np.square(list(off.values())))) < 1.5


def check_wins(replicates):
    """Fisher's exact test that both counts of wins are binomial with one probability: p above 1 in 1000."""
    for (kernel, name), wins in WINS_1.items():
        for c, count in wins.items():
            table = losses(figure_1, replicates, kernel=kernel, c=c, n=10, d=30)
            ours = int((table[name] < table["KME"]).sum())
            assert fisher_exact([[ours, replicates - ours], [count, 30 - count]]).pvalue > 1e-3, (kernel, name, c, ours)


def test_the_numbers_are_those_of_another_reproduction():
    fast = [(cell["kernel"], cell["n"], cell["d"]) for cell in cells(FIGURE_2["fast"])]
    check_numbers(FAST, [cell for cell in fast if cell in RATIOS_2])


def test_the_wins_are_those_of_another_reproduction():
    check_wins(FAST)


# verdicts --------------------------------------------------------------------------------------------------------------


def check_figure_1(size, sure):
    """Every verdict of figure 1, each `sure` standard errors of the paired difference from undecided."""
    (grid,) = FIGURE_1[size]
    for cell in cells([grid]):
        table = losses(figure_1, grid.replicates, **cell)
        assert Ratio.of(table, "F-KMSE").z < -sure, cell
        wins = (cell["kernel"] == "RBF" and cell["c"] <= 1) or (cell["kernel"] == "LIN" and cell["c"] == 0.01)
        z = Ratio.of(table, "S-KMSE").z
        assert z < -sure if wins else z > sure, cell


def check_figure_2(size, sure):
    """The verdicts of figure 2 that hold at every cell, the average ones `sure` standard errors from undecided."""
    count = FIGURE_2[size][0].replicates
    for cell in cells(FIGURE_2[size]):
        table = losses(figure_2, count, **cell)
        kernel, n, d = cell.values()
        # S-KMSE beats KME, and, as the papers say, F-KMSE as they print it
        assert Ratio.of(table, "S-KMSE").z < -sure, cell
        assert Ratio.of({"KME": table[T4], "S-KMSE": table["S-KMSE"]}, "S-KMSE").z < -sure, cell
        # F-KMSE never loses more than .2 %, except where the test of 3000 laws says how much
        if (n, d) != (20, 5) or kernel == "RBF":
            assert Ratio.of(table, "F-KMSE").value < 1.002, cell
        # by Theorem 4 it loses for RBF, by what takes more laws to tell at n = 10, and for every kernel at large n
        if n == 100 or (kernel == "RBF" and n > 10):
            assert Ratio.of(table, T4).z > sure, cell
        if kernel != "RBF":
            continue
        # S-KMSE beats it in 28 to 30 of 30 samples, by the other reproduction, but KME in about 20 of 30
        ahead = int((table["S-KMSE"] < table[T4]).sum())
        assert fisher_exact([[ahead, count - ahead], [29, 1]]).pvalue > 1e-3, cell
        assert ahead > 0.8 * count
        ahead = int((table["S-KMSE"] < table["KME"]).sum())
        assert fisher_exact([[ahead, count - ahead], [20, 10]]).pvalue > 1e-3, cell
        assert ahead < 0.9 * count


def gain(size, kernel, n, d):
    return 1 - Ratio.of(losses(figure_2, FIGURE_2[size][0].replicates, kernel=kernel, n=n, d=d), "S-KMSE").value


def test_figure_1_f_kmse_always_wins_and_s_kmse_where_its_lambda_happens_to_be_small():
    check_figure_1("fast", sure=3)


def test_figure_2_s_kmse_wins_on_average_and_theorem_4_loses():
    # 60 laws give the sign of each mean; by how many standard errors is for the full size
    check_figure_2("fast", sure=0)


def test_figure_2_gains_most_at_small_n_but_for_rbf_not_at_large_d():
    for kernel in KERNELS:
        gains = [gain("fast", kernel, n, 20) for n in (10, 20, 100)]
        assert gains == sorted(gains, reverse=True)
    # "more substantial in the large d, small n paradigm": at the median bandwidth α* hardly depends on d
    assert gain("fast", "RBF", 20, 100) < gain("fast", "RBF", 20, 5)


@pytest.mark.slow
def test_the_full_size_says_the_same():
    check_numbers(FULL, list(RATIOS_2))
    check_wins(FULL)
    check_figure_1("full", sure=4.5)
    check_figure_2("full", sure=2.5)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "n", "d", "name", "at_most"),
    [
        ("RBF", 10, 20, T4, 1.03),
        ("LIN", 20, 5, "F-KMSE", 1.07),
        ("POLY3", 20, 5, "F-KMSE", 1.07),
        ("POLY2", 20, 5, "F-KMSE", 1.004),
    ],
)
def test_what_takes_3000_laws_to_tell(kernel, n, d, name, at_most):
    """Where F-KMSE is on average a little worse than KME: within the luck of 300 laws.

    Two runs of 3000 gave 1.010 and 1.016, 1.029 and 1.051, 1.029 and 1.042, 1.0014 and 1.0028, with standard errors of .003,
    .008, .007 and .0005: the means of both are 5 or more standard errors above 1, and at_most is as far above them.
    """
    ratio = Ratio.of(losses(figure_2, 3000, kernel=kernel, n=n, d=d), name)
    assert ratio.z > 2.5
    assert ratio.value < at_most


# one replicate ---------------------------------------------------------------------------------------------------------

SMALL = [("LIN", 10, 30), ("LIN", 15, 4), ("POLY2", 20, 2), ("POLY3", 12, 3), ("RBF", 10, 20)]
every_small = pytest.mark.parametrize(("kernel", "n", "d"), SMALL, ids=lambda v: str(v))


def by_hand(kernel, n, d, seed):
    """The law's embedding and the sample, by the front door alone."""
    law = GaussianMixture.random(d, rng=seed)
    X = law.sample(n, rng=seed)
    k = KERNELS[kernel].select(X)
    return k, X, law.embed(k)


def rank(kernel, n, d):
    """Of the Gram matrix of n points in general position: n, or the number of monomials."""
    monomials = {"LIN": d, "POLY2": (d + 1) * (d + 2) // 2, "POLY3": (d + 1) * (d + 2) * (d + 3) // 6, "RBF": n}
    return min(n, monomials[kernel])


@every_small
@pytest.mark.parametrize("c", [0.01, 1.0, 10.0])
def test_figure_1_is_the_loss_of_the_estimators(kernel, n, d, c):
    k, X, truth = by_hand(kernel, n, d, seed=5)
    lam = c * np.linalg.eigvalsh(k(X))[-rank(kernel, n, d)]
    expected = {"KME": KME(k), "S-KMSE": SKMSE(k, lam), "F-KMSE": FKMSE(k, lam)}
    expected = {name: estimator.embed(X).distance(truth) ** 2 for name, estimator in expected.items()}
    # differences of terms up to 1e3 times the loss: 1e-13; γ0 is good to eps γ_max / γ0, 1e-12 here
    assert figure_1(kernel, c, n, d, seed=5) == pytest.approx(expected, rel=1e-9, abs=0)


@every_small
def test_figure_2_is_the_loss_of_the_estimators(kernel, n, d):
    k, X, truth = by_hand(kernel, n, d, seed=6)
    expected = {"KME": KME(k), "S-KMSE": SKMSE(k), "F-KMSE": FKMSE(k), T4: FKMSE(k, selection="theorem-4")}
    expected = {name: estimator.embed(X).distance(truth) ** 2 for name, estimator in expected.items()}
    assert figure_2(kernel, n, d, seed=6) == pytest.approx(expected, rel=1e-9, abs=0)  # as above


@every_small
def test_the_ends_of_lambda(kernel, n, d):
    """At c = 0 both are KME; far beyond every eigenvalue both are 0 and lose |μ|^2."""
    at_zero = figure_1(kernel, 0, n, d, seed=1)
    assert at_zero == pytest.approx(dict.fromkeys(at_zero, at_zero["KME"]), rel=1e-12, abs=0)
    _, _, truth = by_hand(kernel, n, d, seed=1)
    at_end = figure_1(kernel, 1e18, n, d, seed=1)
    # what is left of F-KMSE is γ_max / λ, at most 1e5 / 1e18 here, of S-KMSE 1 / λ
    assert [at_end["S-KMSE"], at_end["F-KMSE"]] == pytest.approx([truth.norm() ** 2] * 2, rel=1e-9)


@pytest.mark.parametrize(("kernel", "n", "d"), [("LIN", 15, 4), ("POLY2", 20, 2), ("POLY3", 30, 2)])
def test_the_smallest_eigenvalue_is_none_of_rounding(kernel, n, d):
    """A singular Gram matrix shares its other eigenvalues with that of the monomials, which is regular."""
    drawn = Replicate.draw(kernel, n, d, seed=2)
    X = by_hand(kernel, n, d, seed=2)[1]
    if kernel != "LIN":
        x, y, one = X[:, 0], X[:, 1], np.ones(n)
        X = {"POLY2": np.sqrt([1, 2, 2, 1, 2, 1]) * np.column_stack([one, x, y, x * x, x * y, y * y]),
             "POLY3": np.sqrt([1, 3, 3, 3, 6, 3, 1, 3, 3, 1])
                      * np.column_stack([one, x, y, x**2, x * y, y**2, x**3, x**2 * y, x * y**2, y**3])}[kernel]  # fmt: skip
    gamma = np.linalg.svd(X, compute_uv=False) ** 2  # the features' own singular values: no product is formed
    found = smallest_eigenvalue(drawn.spectrum.gamma)
    # an eigenvalue is good to a few n eps γ_max; rounding alone leaves some of that size too
    assert found == pytest.approx(gamma[-1], rel=0, abs=100 * n * np.finfo(float).eps * gamma[0])
    assert found > 0.5 * gamma[-1]
    assert drawn.spectrum.gamma.min() < 0.01 * found


@pytest.mark.parametrize("kernel", ["LIN", "POLY2", "POLY3"])
def test_kmes_losses_average_to_its_exact_risk(kernel):
    """E |μ̂ - μ|^2 = Δ for each law, the kernel being fixed; so the losses minus Δ have mean 0 over laws."""
    excess = []
    for seed in range(200):
        delta = variance(GaussianMixture.random(3, rng=seed), KERNELS[kernel], 6)
        excess.append(figure_1(kernel, 1.0, 6, 3, seed)["KME"] / delta - 1)
    assert abs(np.mean(excess)) < 4.5 * np.std(excess) / np.sqrt(len(excess))


def test_a_seed_is_a_law_and_a_sample():
    cell = {"kernel": "RBF", "n": 6, "d": 3}
    assert figure_2(**cell, seed=4) == figure_2(**cell, seed=4)
    assert figure_1(**cell, c=0.1, seed=4) == figure_1(**cell, c=0.1, seed=4)
    # other cells with the same seed see the same points
    same = {figure_1(**cell, c=c, seed=4)["KME"] for c in CS} | {figure_2(**cell, seed=4)["KME"]}
    assert len(same) == 1


def test_other_seeds_are_independent():
    """The losses of one cell do not tell those of another with other seeds, nor those of the next seed."""
    a = losses(figure_1, 400, kernel="LIN", c=0.1, n=5, d=2)["KME"]
    b = np.array([figure_1("RBF", 0.1, 5, 2, seed)["KME"] for seed in range(400, 800)])
    assert len(set(a) | set(b)) == 800
    for x, y in ((a, b), (a[1:], a[:-1]), (b[1:], b[:-1])):
        assert abs(np.corrcoef(np.argsort(np.argsort(x)), np.argsort(np.argsort(y)))[0, 1]) < 4.5 / np.sqrt(len(x))


def test_one_eigendecomposition_serves_all(monkeypatch):
    from explorer.estimators import spectrum

    calls = []
    monkeypatch.setattr(spectrum, "eigh_psd", lambda K, whole=spectrum.eigh_psd: calls.append(len(K)) or whole(K))
    figure_2("RBF", 8, 3, seed=0)
    assert calls == [8]


@pytest.mark.parametrize("study", [figure_1, figure_2])
def test_a_study_can_be_sent_to_a_worker_and_its_losses_back(study):
    assert pickle.loads(pickle.dumps(study)) is study
    row = study("LIN", **({"c": 1.0} if study is figure_1 else {}), n=4, d=2, seed=np.int64(3))
    assert all(type(value) is float for value in row.values())
    assert pickle.loads(pickle.dumps(row)) == row


@pytest.mark.parametrize(("study", "figure"), [(figure_1, FIGURE_1), (figure_2, FIGURE_2)])
def test_the_grids_are_cells_of_their_studies(study, figure):
    fast, full = (cells(figure[size]) for size in ("fast", "full"))
    assert all(cell in full for cell in fast)
    assert {cell["kernel"] for cell in fast} == set(KERNELS)
    assert len(full) == {figure_1: 4 * 4, figure_2: 4 * (6 + 5 - 1)}[study]  # both pictures share n = d = 20
    assert all(value > 0 for value in study(**fast[0], seed=0).values())
    assert {grid.replicates for grid in figure["fast"]} == {FAST}
    assert {grid.replicates for grid in figure["full"]} == {FULL}


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (ValueError, "kernel must be one of LIN, POLY2, POLY3, RBF, not 'rbf'", {"kernel": "rbf"}),
        (ValueError, "kernel must be one of", {"kernel": ["LIN"]}),
        (ValueError, "c must be a finite number of at least 0, not -1", {"c": -1}),
        (ValueError, "c must be a finite number of at least 0, not nan", {"c": np.nan}),
        (ValueError, "c must be a finite number of at least 0, not inf", {"c": np.inf}),
        (TypeError, "c must be a number, not True", {"c": True}),
        (TypeError, "c must be a number, not '1'", {"c": "1"}),
        (ValueError, "n must be at least 2, not 1", {"n": 1}),
        (TypeError, "n must be a whole number, not 10.0", {"n": 10.0}),
        (ValueError, "d must be at least 1, not 0", {"d": 0}),
        (ValueError, "seed must be at least 0, not -1", {"seed": -1}),
        (TypeError, "seed must be a whole number, not None", {"seed": None}),
    ],
)
def test_bad_arguments_get_a_sentence(error, said, arguments):
    with pytest.raises(error, match=said):
        figure_1(**{"kernel": "LIN", "c": 1.0, **arguments})


def test_the_room_is_entered_only_when_asked_for():
    code = "import explorer, sys; print('explorer.papers' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert done.stdout.strip() == "False"
