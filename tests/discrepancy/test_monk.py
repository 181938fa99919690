"""Properties of MONK for every algorithm: robustness, invariances, results, refusals."""

import pickle
import re

import numpy as np
import pytest
from helpers.naming import names_all, naming
from kernels_and_estimators import KERNELS, vectors

from explorer import Delta, Gaussian, GaussianMixture, Linear, Polynomial, Precomputed, mmd2, monk_mmd, monk_steps
from explorer.checks import ExplorerWarning

METHODS = ["bcd", "bcd-fast", "direction"]
every_method = pytest.mark.parametrize("method", METHODS)
P = GaussianMixture([1.0], [[0.35]], 0.45**2)
Q = GaussianMixture([1.0], [[0.75]], 0.85**2)
X, Y = vectors(60, 1), vectors(60, 2) + 0.4


def value(X, Y, kernel, blocks=5, method="bcd", rng=0, iterations=40):
    return monk_mmd(X, Y, kernel, blocks, method, iterations, rng).value


def spoilt(count, magnitude, n=200):
    x, y = P.sample(n, rng=1), Q.sample(n, rng=2)
    x[n - count :], y[n - count :] = magnitude, 2 * magnitude
    return x, y


# robustness
# ------------------------------------------------------------------------------------------------------------


@every_method
@pytest.mark.parametrize("kernel", [Polynomial(2), Polynomial(3), Linear(), Gaussian(1.0)], ids=repr)
def test_outliers_ten_thousand_times_as_far_change_nothing(method, kernel):
    """More than twice as many blocks as outliers: 2e3 or 2e7, to 1e-5.

    Sums are kept apart, so it is the same to rounding.
    """
    near, far = (monk_mmd(*spoilt(5, m), kernel, 11, method, rng=3) for m in (2e3, 2e7))
    assert far.value == pytest.approx(near.value, rel=1e-5)
    assert far.value == pytest.approx(near.value, rel=1e-9)
    assert far.value < 8 * P.embed(kernel).distance(Q.embed(kernel))


@pytest.mark.thorough(default=["9-False-bcd-fast", "10-True-direction", "11-True-bcd"])
@every_method
@pytest.mark.parametrize(("blocks", "survives"), [(9, False), (10, True), (11, True)])
def test_the_cliff_lies_at_twice_the_outliers(method, blocks, survives):
    """Five outliers in five blocks, whatever the shuffle.

    Of 10 blocks the lower median is clean, the mean of two was not.
    """
    x, y = spoilt(5, 2e3, 198)
    broken = [value(x, y, Polynomial(2), blocks, method, seed, 60) > 100 for seed in range(6)]
    if survives:
        assert not any(broken)
    elif method != "bcd-fast":  # it compares blocks with themselves and takes the least: slow to break
        assert any(broken)


def test_the_biased_mmd_breaks_with_one_outlier():
    assert mmd2(*spoilt(1, 2e3), Polynomial(2), "biased") ** 0.5 > 1e4


# invariances
# -----------------------------------------------------------------------------------------------------------


@every_method
def test_no_origin_no_unit_and_no_side(method):
    k = Gaussian(1.0)
    v = value(X, Y, k, method=method)
    # distances of shifted points keep twelve digits
    assert value(X + 100, Y + 100, k, method=method) == pytest.approx(v, rel=1e-9)
    assert value(7 * X, 7 * Y, Gaussian(7.0), method=method) == pytest.approx(v, rel=1e-9)
    assert value(Y, X, k, method=method) == pytest.approx(v, rel=1e-12)
    assert value(X[:, ::-1], Y[:, ::-1], k, method=method) == pytest.approx(v, rel=1e-9)
    assert value(7 * X, 7 * Y, Linear(), method=method) == pytest.approx(
        7 * value(X, Y, Linear(), method=method), rel=1e-9
    )
    assert value(X + 9, Y + 9, Linear(), method=method) == pytest.approx(value(X, Y, Linear(), method=method), rel=1e-9)


@every_method
def test_a_multiple_of_the_kernel_and_a_constant_beside_it(method):
    K = Gaussian(1.0)(np.vstack([X, Y]))
    rows = np.arange(60), np.arange(60, 120)
    v = value(*rows, Precomputed(K), method=method)
    assert value(X, Y, Gaussian(1.0), method=method) == pytest.approx(v, rel=1e-10)  # Gram matrices agree to 1e-14
    assert value(*rows, Precomputed(9 * K), method=method) == pytest.approx(3 * v, rel=1e-12)
    assert value(*rows, Precomputed(K + 5), method=method) == pytest.approx(v, rel=1e-9)


@pytest.mark.thorough(default=["*-bcd", "gaussian-*"])
@every_method
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_every_kernel_and_kind_of_point(method, row):
    points = row.data(20)
    k = row.kernel.select(points)
    result = monk_mmd(points[:10], points[10:], k, 3, method, 20, rng=1)
    assert np.isfinite(result.value)
    largest = k.diagonal(points).max() ** 0.5
    assert np.abs(result.block_values).max() <= 2 * largest * (1 + 1e-9)  # |Δ_q| <= 2 sup |k(x, .)|


def test_single_pairs_have_no_order():
    """With a block a pair the direction estimate depends only on the set of pairs; a descent depends on its start."""
    order, k = np.random.default_rng(0).permutation(60), Gaussian(1.0)
    assert value(X[order], Y[order], k, 60, "direction") == pytest.approx(value(X, Y, k, 60, "direction"), rel=1e-12)


# results
# ------------------------------------------------------------------------------------------------------------------


@every_method
@pytest.mark.parametrize("blocks", [1, 4, 7])
def test_the_result_hangs_together(method, blocks):
    result = monk_mmd(X, Y, Gaussian(1.0), blocks, method, 40, rng=5)
    assert len(result.blocks) == len(result.block_values) == blocks
    assert sorted(np.concatenate(result.blocks)) == list(range(60))
    rank = (blocks - 1) // 2
    assert result.block_values[result.median_block] == np.sort(result.block_values)[rank] == result.history[-1]
    for array in (result.block_values, result.history, *result.blocks):
        assert not array.flags.writeable
    if method == "direction":
        assert result.value == np.median(result.history)
        assert len(result.history) == 8
    else:
        assert result.value == result.history[13:].mean()  # 40 - 40 // 3 of them
        assert len(result.history) == 40


@every_method
def test_the_same_seed_the_same_result(method):
    a, b, c = (monk_mmd(X, Y, Gaussian(1.0), 5, method, rng=rng) for rng in (7, 7, 8))
    assert a.value == b.value != c.value
    again = monk_mmd(X, Y, Gaussian(1.0), 5, method, rng=np.random.default_rng(1)).value
    assert again == monk_mmd(X, Y, Gaussian(1.0), 5, method, rng=np.random.default_rng(1)).value
    assert pickle.loads(pickle.dumps(a)).value == a.value


def test_it_prints_as_a_sentence():
    said = str(monk_mmd(X, Y, Gaussian(2.0), 5, rng=0))
    assert said.startswith("MONK's MMD is 0.")
    assert re.search(naming("'bcd'", "5 blocks", "bandwidth 2", "n = 60 pairs", "100 iterations"), said)
    assert names_all(str(monk_mmd(X, Y, Linear(), 1, "direction")), "1 block", "linear kernel")


def test_the_bandwidth_is_the_pooled_median():
    result = monk_mmd(X, Y, blocks=5, rng=0)
    assert result.kernel == Gaussian().select(np.vstack([X, Y]))
    with pytest.warns(ExplorerWarning, match="bandwidth 1"):
        assert monk_mmd(np.ones((5, 2)), np.ones((5, 2)), blocks=3).value == 0


def test_categories_too():
    a, b = np.array(list("aabbccaabb")), np.array(list("bbccccbbcc"))
    table = np.array([(a == c).mean() - (b == c).mean() for c in "abc"])
    assert monk_mmd(a, b, Delta(), 1).value == pytest.approx(np.linalg.norm(table), rel=1e-12)


# refusals
# ----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "said", "arguments"),
    [
        (
            ValueError,
            naming("X", "60", "Y", "59", "MONK", "1", "mmd2"),
            {"Y": Y[:59]},
        ),
        (ValueError, naming("61", "blocks", "60"), {"blocks": 61}),
        (ValueError, naming("2", "blocks", "1"), {"X": X[:1], "Y": Y[:1], "blocks": 2}),
        (ValueError, naming("blocks", "1", "0"), {"blocks": 0}),
        (TypeError, naming("blocks", "5.0"), {"blocks": 5.0}),
        (TypeError, naming("blocks", "True"), {"blocks": True}),
        (ValueError, naming("method", "'bcd'", "'bcd-fast'", "'direction'", "'mean'"), {"method": "mean"}),
        (ValueError, naming("iterations", "1", "0"), {"iterations": 0}),
        (TypeError, naming("iterations"), {"iterations": 1e2}),
        (TypeError, naming("rng"), {"rng": "seed"}),
        (ValueError, naming("X", "3", "Y", "2"), {"Y": Y[:, :2]}),
        (ValueError, naming("X", "1", "NaN"), {"X": np.where(X == X[3, 1], np.nan, X)}),
        (TypeError, naming("kernel", "rbf"), {"kernel": "rbf"}),
        (TypeError, "numbers", {"X": np.array([["a"]] * 60)}),
        (ValueError, "overflow", {"X": X * 1e200, "kernel": Polynomial(2)}),
    ],
)
def test_bad_arguments_get_a_sentence(error, said, arguments):
    with pytest.raises(error, match=said):
        monk_mmd(**{"X": X, "Y": Y, "kernel": Gaussian(1.0), "rng": 0, **arguments})


def test_steps_are_of_what_iterates():
    with pytest.raises(ValueError, match=naming("method", "'bcd'", "'bcd-fast'", "'direction'")):
        next(monk_steps(X, Y, Gaussian(1.0), 5, "direction"))
