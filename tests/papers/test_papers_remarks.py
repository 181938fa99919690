"""The studies of sentences: each number by a second method, verdicts that follow the cells, and refusals."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from helpers.naming import naming
from scipy.stats import binom

from explorer import FKMSE, CovarianceOperator, Gaussian, Linear, RobustKME, Subsequence, hsic_test
from explorer.checks import Refusal
from explorer.papers.catalogue import ENTRIES
from explorer.papers.entry import Cell
from explorer.papers.remarks import (
    consistency,
    covariances,
    functions,
    kinds,
    leave_one_out,
    measures,
    two_samples,
)
from explorer.rng import stream

# the rate of the MMD
# ---------------------------------------------------------------------------------------------------------------------


def gram(X, Y):
    return np.exp(-((X[:, None] - Y[None]) ** 2).sum(axis=2) / (2 * two_samples.KERNEL.bandwidth**2))


@pytest.mark.parametrize("shift", [0.0, 1.0])
def test_the_error_of_the_mmd_is_that_of_its_definition(shift):
    n, d, seed = 40, two_samples.DIMENSIONS, 3
    X, Y = stream(seed, "X").normal(size=(n, d)), shift + stream(seed, "Y").normal(size=(two_samples.FEW, d))
    found = math.sqrt(gram(X, X).mean() + gram(Y, Y).mean() - 2 * gram(X, Y).mean())
    s = two_samples.KERNEL.bandwidth**2
    inner = (s / (s + 2)) ** (d / 2)  # inner product of N(0, I) with itself under the Gaussian kernel
    truth = math.sqrt(2 * inner * (1 - math.exp(-d * shift**2 / (2 * (s + 2)))))
    row = two_samples.two_samples(n, two_samples.HELD, shift, seed)
    assert row[two_samples.ERROR] == pytest.approx(abs(found - truth), abs=1e-12)
    bound = (1 - inner) * (1 / n + 1 / two_samples.FEW)
    assert row[two_samples.BOUND] ** 2 == pytest.approx(bound, rel=1e-12)


# other ways
# ---------------------------------------------------------------------------------------------------------------------


def test_estimators_with_a_held_parameter_keep_their_bias():
    """|μ / (1 + λ) - μ| is what S-KMSE's error tends to, |μ| λ / (1 + λ)."""
    size = consistency.LAW.embed(consistency.KERNEL).norm()
    limit = size * consistency.HELD_LAM / (1 + consistency.HELD_LAM)
    row = consistency.consistency(300, 0)
    assert row["KME"] < limit < row[consistency.SHRUNK]
    assert row[consistency.SHRUNK] < limit + row["KME"]


def test_the_refits_that_are_timed_give_the_closed_form():
    X = stream(2, "sample").normal(size=(25, leave_one_out.DIMENSIONS))
    kernel = Gaussian(leave_one_out.BANDWIDTH)
    # linear systems and an eigendecomposition of one matrix of condition below 1e3 agree to a few hundred eps
    assert leave_one_out.by_refits(kernel(X), 1.0) == pytest.approx(FKMSE(kernel).loocv(X, [1.0])[0], rel=1e-12)


def test_times_are_above_zero_and_the_refits_take_longest():
    row = leave_one_out.leave_one_out(60)
    assert min(row.values()) > 0
    assert max(row, key=row.get) == leave_one_out.REFITS


def test_the_true_kernel_mean_of_a_function_is_the_closed_one():
    """Checked for N(0, 1) itself, and for |x| by a fine midpoint rule."""
    at, k = np.linspace(-3, 3, 7), functions.KERNEL
    exact = np.exp(-(at**2) / 4) / math.sqrt(2)
    assert functions.truth().map(functions.FUNCTIONS["x"])(at) == pytest.approx(exact, abs=1e-10)
    x = (np.arange(40_000) + 0.5) / 2500 - 8  # |x| has a kink, which nodes see to a thousandth
    density = np.exp(-(x**2) / 2) / math.sqrt(2 * math.pi) / 2500
    folded = k(at, np.abs(x)) @ density
    assert functions.truth().map(functions.FUNCTIONS["|x|"])(at) == pytest.approx(folded, abs=2e-3)


def test_importance_weights_are_the_ratio_of_densities():
    row = functions.functions("x", 4000, 1)
    assert max(row.values()) < 0.03  # each of order 1/sqrt(4000), 0.016


def test_order_is_written_with_as_many_of_either_letter():
    draws = stream(0, "letters").random(kinds.LETTERS)
    assert sorted(kinds.write_string(0.3, draws, kinds.ORDER)) == sorted("ab" * 6)
    assert kinds.write_string(1.0, draws, kinds.ORDER) == "ab" * 6
    assert kinds.write_string(1.0, draws, kinds.COMPOSITION) == "a" * 12
    assert kinds.write_string(0.0, draws, kinds.NOTHING) == kinds.write_string(1.0, draws, kinds.NOTHING)


def test_strings_and_numbers_are_compared_by_the_library_s_test():
    x, draws = stream(4, "numbers").random(20), stream(4, "letters").random((20, kinds.LETTERS))
    words = [kinds.write_string(a, b, kinds.ORDER) for a, b in zip(x, draws, strict=True)]
    expected = hsic_test(words, x, Subsequence(2), n_resamples=99, rng=4).pvalue
    assert kinds.kinds(kinds.ORDER, 20, 4, 99) == {kinds.STRINGS: expected, kinds.COUNTS: 1.0}


@pytest.mark.thorough
def test_mutual_information_permutes_one_side():
    """The p-values of independent pairs are uniform: at most 10 % in a share of samples that 10 % allows."""
    rng = np.random.default_rng(0)
    found = [measures.information_pvalue(*rng.normal(size=(2, 12)), 19, seed) for seed in range(20)]
    low, high = binom.interval(0.99, 20, 0.1)
    assert low <= sum(p <= 0.1 for p in found) <= high
    x = rng.normal(size=60)
    assert measures.information_pvalue(x, x**2, 19, 0) == 0.05


@pytest.mark.thorough
def test_a_covariance_operator_s_error_is_that_of_matrices():
    """Under a linear kernel the operator is the matrix of covariances, robust weights too."""
    X = stream(0, "sample").normal(size=(50, 2)) * covariances.SPREAD
    C = CovarianceOperator(Linear(), RobustKME(), RobustKME()).fit(X)
    centred = X - C.centre_.weights @ X
    assert C.norm() == pytest.approx(np.linalg.norm((centred * C.weights_[:, None]).T @ centred), rel=1e-10)
    plain, robust = (covariances.covariances(20, 0)[name] for name in (covariances.PLAIN, covariances.HUBER))
    assert robust < plain / 2
    rows = [covariances.covariances(20, seed) for seed in range(3)]
    table = {name: np.array([row[name] for row in rows]) for name in rows[0]}
    drawn = covariances.relative_to_average(table)
    assert set(ENTRIES["monk-covariance"].lines) < set(drawn)
    name = covariances.HUBER + covariances.PCA
    assert drawn[name].value == pytest.approx(table[name].mean() / table[covariances.PLAIN + covariances.PCA].mean())


# verdicts
# ---------------------------------------------------------------------------------------------------------------------


def fabricated(name, number, replicates=40):
    """Return cells of an entry's fast size: number(line, values) for every line, with noise of a percent."""
    entry, rng, found = ENTRIES[name], np.random.default_rng(0), []
    for grid in entry.grids("fast"):
        for values in product(*grid.axes.values()):
            cell = dict(zip(grid.axes, values, strict=True))
            noise = np.exp(0.01 * rng.normal(size=(len(entry.lines), replicates)))
            found.append(Cell(cell, {line: number(line, cell) * noise[i] for i, line in enumerate(entry.lines)}))
    return found


def words(name, number):
    return {claim.says: claim.finding(fabricated(name, number)).word for claim in ENTRIES[name].claims}


@pytest.mark.parametrize(("power", "word"), [(-0.5, "holds"), (-0.2, "not seen up to n = ")])
def test_rates_hold_where_errors_fall_so(power, word):
    held = {consistency.SHRUNK, consistency.NOISY}
    found = words("marginalized-consistency", lambda line, cell: cell["n"] ** (0.0 if line in held else power))
    assert len(found) == 6
    assert all(each.startswith("holds" if "held" in says else word) for says, each in found.items())
    found = words("functions", lambda line, cell: cell["n"] ** power)
    assert all(each.startswith(word) for each in found.values())


def test_a_sample_that_does_not_grow_stops_the_error():
    def number(line, cell):
        second = cell["n"] if cell["m"] == two_samples.AS_MANY else two_samples.FEW
        bound = math.sqrt(1 / cell["n"] + 1 / second)
        return bound if line == two_samples.BOUND or cell["shift"] == 0 else bound / 2

    assert set(words("monk-rate", number).values()) == {"holds"}
    found = words("monk-rate", lambda line, cell: cell["n"] ** -0.5)
    assert [word for says, word in found.items() if "thirty" in says] == ["fails"]


@pytest.mark.parametrize(("power", "word"), [(2.0, "holds"), (3.0, "not seen up to n = 400")])
def test_times_are_held_to_their_exponents(power, word):
    exponents = {leave_one_out.REFITS: 4.0, leave_one_out.EIGEN: 3.0}
    found = words("shrinkage-seconds", lambda line, cell: 1e-9 * cell["n"] ** exponents.get(line, power))
    assert [each for says, each in found.items() if "score grows" in says or "closed form grows" in says] == [word] * 2
    assert all(each == "holds" for says, each in found.items() if "refits grows" in says or "takes less" in says)


@pytest.mark.parametrize(
    ("study", "arguments", "parts"),
    [
        (two_samples.two_samples, {"n": 5, "m": "20"}, ("m", "n", "30", "'20'")),
        (consistency.consistency, {"n": 1}, ("n", "2")),
        (leave_one_out.leave_one_out, {"n": 1}, ("n", "2")),
        (measures.measures, {"shape": "square"}, ("shape", "none", "line", "parabola")),
        (measures.measures, {"shape": "line", "n": 4}, ("n", "5")),
        (kinds.kinds, {"carries": "weight"}, ("carries", "nothing", "composition", "order", "'weight'")),
        (covariances.covariances, {"outliers": 50}, ("outliers", "100", "50")),
        (functions.functions, {"f": "exp", "n": 5}, ("f", "x", "sin 3x")),
    ],
)
def test_bad_arguments_get_a_sentence(study, arguments, parts):
    with pytest.raises(Refusal, match=naming(*parts)):
        study(**arguments)
