"""Errors of estimates over repeated samples, and a paired sample: each by the functions for one sample."""

import re

import numpy as np
import pytest
from helpers.naming import naming

from explorer import KME, Gaussian, GaussianMixture, Linear, MedianOfMeans, Pareto, Polynomial, mmd2, monk_mmd
from explorer.discrepancy import (
    BlockPath,
    PairedSample,
    errors_beside_outliers,
    errors_of_means,
    lepski,
    mmd2_of_laws,
    mmd_of_laws,
    monk_of_differences,
    pair_differences,
    renewed_gram,
    signed_root,
)

P, Q = GaussianMixture([1.0], [[0.0]], 1.0), GaussianMixture([1.0], [[0.8]], 1.0)
DRAWS = [(P.sample(40, rng=i), Q.sample(40, rng=i + 9)) for i in range(2)]


def spoil(X, Y, count):
    X = X.copy()
    X[len(X) - count :] = 30.0
    return X, Y


def test_errors_beside_outliers_are_those_of_each_sample():
    kernel = Polynomial(2)
    truth = mmd_of_laws(P, Q, kernel)
    study = errors_beside_outliers(DRAWS, spoil, truth, kernel, (0, 3), (1, 11), partition=4)
    assert (study.count, study.counts) == (2, (0, 3))
    for i, clean in enumerate(DRAWS):
        for j, count in enumerate((0, 3)):
            X, Y = spoil(*clean, count)
            assert study.errors["U"][i, j] == pytest.approx(abs(signed_root(mmd2(X, Y, kernel)) - truth))
            for blocks in (1, 11):
                value = monk_mmd(X, Y, kernel, blocks, "direction", rng=4).value
                # sums over features against sums over the Gram matrix
                assert study.errors[blocks][i, j] == pytest.approx(abs(value - truth), rel=1e-9)
    assert study.quantile("U", 0.5) == pytest.approx(study.errors["U"].mean(axis=0))
    assert errors_beside_outliers(DRAWS, spoil, truth, kernel, (0,), (1,), stopped=lambda: True) is None


def test_errors_of_means_are_distances_from_the_truth():
    k = Gaussian(1.0)
    embeds, mu = {"KME": KME(k).embed, 5: lambda X: MedianOfMeans(k, 5).embed(X, 1)}, P.embed(k)
    study = errors_of_means((X for X, _ in DRAWS), mu, embeds)
    for i, (X, _) in enumerate(DRAWS):
        assert study.errors["KME"][i] == KME(k).embed(X).distance(mu)
        assert study.errors[5][i] == MedianOfMeans(k, 5).embed(X, 1).distance(mu)
    assert study.counts == ()
    assert errors_of_means([DRAWS[0][0]], mu, embeds, lambda: True) is None


def test_a_paired_sample_is_seen_through_its_kernel():
    X, Y = DRAWS[0]
    marks = np.arange(40) > 36
    pairs = PairedSample.of(X, Y, contaminated=marks)
    kernel = Gaussian().select(np.concatenate([X, Y]))
    assert pairs.kernel == kernel
    assert mmd2(X, Y, kernel) == pairs.U
    np.testing.assert_array_equal(pairs.D, pair_differences(kernel, X, Y))
    assert re.search(naming("40 pairs", 3), pairs._sentence())
    assert not PairedSample.of(X, Y, Linear()).contaminated.any()
    longest = np.sqrt(pairs.D.diagonal().max())
    assert [pairs.moved_by_one(blocks) for blocks in (1, 11, 99)] == pytest.approx([longest / 40, longest / 3, longest])
    with pytest.raises(ValueError, match=naming("statistic", "1")):
        PairedSample.of(X[:1], Y[:1])


def test_a_path_computes_each_number_of_blocks_once():
    X, Y = DRAWS[0]
    path = BlockPath(X, Y, Gaussian(1.0), rng=3)
    assert path.at(11) is path.at(11)
    assert path.nbytes > 0
    assert monk_of_differences(pair_differences(Gaussian(1.0), X, Y), Gaussian(1.0), 11, "direction", rng=3).value == (
        pytest.approx(path.at(11).value, rel=1e-12)
    )


def test_the_advice_is_odd():
    choice = lepski(*DRAWS[0], Polynomial(2), method="direction", rng=1)
    assert choice.advised_odd % 2 == 1
    assert choice.advised - choice.advised_odd in (0, 1)


def test_the_mmd_of_laws_is_the_root():
    k = Polynomial(2)
    assert mmd_of_laws(P, Q, k) == pytest.approx(mmd2_of_laws(P, Q, k) ** 0.5)
    assert mmd_of_laws(P, P, k) == 0
    with pytest.raises(ValueError, match=naming("moment", "3")):
        mmd_of_laws(Pareto(3.0), Pareto(3.0), Polynomial(3))
    assert [signed_root(value) for value in (9.0, -9.0, 0.0)] == [3, -3, 0]


@pytest.mark.parametrize("count", [0, 1, 4, 9])
def test_a_renewed_gram_matrix_is_that_of_the_new_points(count):
    k, rng = Gaussian(1.0), np.random.default_rng(0)
    old, new = rng.normal(size=(2, 9, 2))
    new[: 9 - count] = old[: 9 - count]
    K = k(old)
    np.testing.assert_allclose(renewed_gram(k, K, new, count), k(new), rtol=1e-14)
    assert np.array_equal(K, k(old))
