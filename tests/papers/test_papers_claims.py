"""Figures 1 and 2 of the shrinkage papers: another reproduction's numbers, and what is true of the claims."""

import numpy as np
import pytest
from reproduction import FAST, FULL, RATIOS_2, T4, WINS_1, Ratio, cells, compared, losses
from scipy.stats import fisher_exact

from explorer.papers.shrinkage import FIGURE_1, FIGURE_2, KERNELS, figure_1, figure_2

pytestmark = pytest.mark.thorough

# another reproduction ------------------------------------------------------------------------------------------------


def check_numbers(replicates, cells_2):
    """Check that each of the other reproduction's numbers is within 3.3 standard errors of the difference.

    Chance exceeds 3.3 once in 1000. The root mean square of all z is 1 if both are right, and is checked to be below
    1.5. One distribution and sample serve many cells, so it is worth some 20 independent z: then chance exceeds 1.5
    once in 1000.
    """
    off = dict(compared(replicates, cells_2))
    assert {what: z for what, z in off.items() if abs(z) > 3.3} == {}
    assert np.sqrt(np.mean(np.square(list(off.values())))) < 1.5


def check_wins(replicates):
    """Check by Fisher's exact test that both counts of wins are binomial with one probability: p above 1 in 1000."""
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


# verdicts
# --------------------------------------------------------------------------------------------------------------


def check_figure_1(size, sure):
    """Check every verdict of figure 1, each `sure` standard errors of the paired difference from undecided."""
    (grid,) = FIGURE_1[size]
    for cell in cells([grid]):
        table = losses(figure_1, grid.replicates, **cell)
        assert Ratio.of(table, "F-KMSE").z < -sure, cell
        wins = (cell["kernel"] == "RBF" and cell["c"] <= 1) or (cell["kernel"] == "LIN" and cell["c"] == 0.01)
        z = Ratio.of(table, "S-KMSE").z
        assert z < -sure if wins else z > sure, cell


def check_figure_2(size, sure):
    """Check the verdicts of figure 2 that hold at every cell; averages are `sure` standard errors from undecided."""
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
    """F-KMSE is on average a little worse than KME in cells where 300 distributions are too noisy to show it.

    Two runs of 3000 gave 1.010 and 1.016, 1.029 and 1.051, 1.029 and 1.042, 1.0014 and 1.0028, with standard errors of
    .003, .008, .007 and .0005: the means of both are 5 or more standard errors above 1, and at_most is as far above
    them.
    """
    ratio = Ratio.of(losses(figure_2, 3000, kernel=kernel, n=n, d=d), name)
    assert ratio.z > 2.5
    assert ratio.value < at_most
