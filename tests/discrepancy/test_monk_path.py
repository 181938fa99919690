"""The direction estimate: near the supremum, and the same numbers along a slider of Q."""

import numpy as np
import pytest
from helpers.monk_literal import sup_median_2d
from helpers.naming import naming
from kernels_and_estimators import vectors

from explorer import Gaussian, GaussianMixture, Linear, Polynomial, monk_mmd
from explorer.discrepancy import BlockPath
from explorer.discrepancy.monk.paired_sample import features, pair_differences
from explorer.estimators.medianofmeans.majority import best_direction

P = GaussianMixture([1.0], [[0.35]], 0.45**2)
Q = GaussianMixture([1.0], [[0.75]], 0.85**2)


def pair(n, seed, outliers=0, magnitude=2e3):
    x, y = P.sample(n, rng=seed), Q.sample(n, rng=seed + 100)
    x[n - outliers :], y[n - outliers :] = magnitude, 2 * magnitude
    return x, y


def block_means(psi, blocks, seed):
    order = np.random.default_rng(seed).permutation(len(psi))
    return np.array([psi[S].mean(axis=0) for S in np.array_split(order, blocks)])


# near the supremum
# -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("outliers", [0, 5])
@pytest.mark.parametrize("blocks", [5, 11, 20, 41])
def test_the_best_direction_has_95_percent_of_the_supremum(outliers, blocks):
    """The quadratic kernel in one dimension has two features, (sqrt(2) x, x^2): there the supremum is known."""
    for seed in range(10):
        x, y = pair(200, seed, outliers)
        Z = block_means(np.column_stack([np.sqrt(2) * (x - y), x**2 - y**2]), blocks, seed)
        value, chosen = best_direction(Z @ Z.T)
        sup = sup_median_2d(Z)
        assert 0.95 * sup <= value <= sup * (1 + 1e-12)
        inner = Z @ Z[chosen] / np.linalg.norm(Z[chosen])
        assert value == pytest.approx(np.sort(inner)[(blocks - 1) // 2], rel=1e-12)


def test_the_supremum_by_a_second_road():
    """sup_median_2d against 10^5 directions: the median falls by at most the angle times the largest block mean."""
    for seed in range(5):
        Z = np.random.default_rng(seed).normal((0.5, 0.0), size=(7, 2))
        angles = np.linspace(0, 2 * np.pi, 10**5)
        swept = np.sort(np.column_stack([np.cos(angles), np.sin(angles)]) @ Z.T, axis=1)[:, 3].max()
        gap = 2 * np.pi / 10**5 * np.linalg.norm(Z, axis=1).max()
        assert swept <= sup_median_2d(Z) + 1e-12
        assert swept >= sup_median_2d(Z) - gap


def test_f_equal_0_is_a_direction_too():
    """For two opposite means every direction to one has a negative lower median."""
    G = np.array([[1.0, -1.0], [-1.0, 1.0]])
    assert best_direction(G) == (0.0, -1)
    assert best_direction(np.zeros((3, 3))) == (0.0, -1)
    values, chosen = best_direction(np.stack([G, np.eye(2) + 1]))
    np.testing.assert_allclose(values, [0, 1 / np.sqrt(2)], rtol=1e-12)
    np.testing.assert_array_equal(chosen, [-1, 0])


# along a slider
# --------------------------------------------------------------------------------------------------------

CASES = {
    "two features": (Polynomial(2), *pair(150, 1, 3), 2),
    "a smooth kernel": (Gaussian(1.0), *pair(150, 1, 3), None),
    "three features": (Linear(), vectors(90, 1), vectors(90, 2), 3),
    "no low rank": (Gaussian(0.2), vectors(150, 1), vectors(150, 2), "none"),
}
every_case = pytest.mark.parametrize(("kernel", "X", "Y", "rank"), CASES.values(), ids=CASES)


@every_case
def test_it_is_monk_mmd_for_every_number_of_blocks(kernel, X, Y, rank):
    path = BlockPath(X, Y, kernel, rng=7)
    if rank is not None:
        assert path.rank == (None if rank == "none" else rank)
    for blocks in [*range(1, 12), 20, 41, len(X)]:
        whole, quick = monk_mmd(X, Y, kernel, blocks, "direction", rng=7), path.at(blocks)
        # features leave 1e-13 of each |ψ|^2 out; a value may be a tenth of them
        np.testing.assert_allclose(quick.history, whole.history, rtol=1e-10)
        assert quick.value == path.value(blocks) == pytest.approx(whole.value, rel=1e-10)
        scale = np.abs(whole.block_values).max()
        np.testing.assert_allclose(quick.block_values, whole.block_values, rtol=0, atol=1e-10 * scale)
        assert quick.median_block == whole.median_block
        for a, b in zip(quick.blocks, whole.blocks, strict=True):
            np.testing.assert_array_equal(a, b)
        assert str(quick) == str(whole)


@every_case
def test_the_table_is_the_path(kernel, X, Y, rank):
    path = BlockPath(X, Y, kernel, rng=7)
    table = path.table()
    np.testing.assert_array_equal(table.blocks, range(1, 42, 2))
    assert table.block_values.shape == (21, 41)
    for blocks, value, row, median in zip(
        table.blocks, table.values, table.block_values, table.median_block, strict=True
    ):
        result = path.at(blocks)
        assert value == result.value
        np.testing.assert_array_equal(row[:blocks], result.block_values)
        assert np.isnan(row[blocks:]).all()
        assert row[median] == np.sort(row[:blocks])[blocks // 2]
    assert not table.values.flags.writeable


def test_few_pairs_have_a_short_table():
    path = BlockPath([0.0, 1.0, 3.0, 2.0], [1.0, 1.0, 0.0, 5.0], Linear(), rng=0)
    np.testing.assert_array_equal(path.table().blocks, [1, 3])
    with pytest.raises(ValueError, match=naming("5", "blocks", "4")):
        path.at(5)


@pytest.mark.parametrize("kernel", [Polynomial(2), Gaussian(1.0)], ids=repr)
def test_clean_blocks_keep_their_digits_beside_an_outlier(kernel):
    """At 2e7 an entry of D is 1e30. Where the outlier's own block is left out of count, nothing of it is seen."""
    near, far = (BlockPath(*pair(200, 3, 1, m), kernel, rng=2) for m in (2e3, 2e7))
    for blocks in (3, 10, 11, 41):
        a, b = near.grams(blocks), far.grams(blocks)
        assert near.value(blocks) == pytest.approx(far.value(blocks), rel=1e-9)
        for A, B in zip(a, b, strict=True):
            clean = np.arange(blocks) != np.argmax(B.diagonal()) if kernel == Polynomial(2) else np.ones(blocks, bool)
            clean = np.ix_(clean, clean)
            np.testing.assert_allclose(A[clean], B[clean], rtol=0, atol=1e-10 * np.median(A.diagonal()))


def test_without_features_too(monkeypatch):
    """Features replace sums over D; these give the same numbers, even with an outlier."""
    from explorer.discrepancy.monk import block_path as monk_path

    x, y = pair(200, 3, 2, 2e5)
    with_features = BlockPath(x, y, Polynomial(2), rng=2)
    monkeypatch.setattr(monk_path, "features", lambda D: None)
    without = BlockPath(x, y, Polynomial(2), rng=2)
    assert (with_features.rank, without.rank) == (2, None)
    for blocks in (1, 5, 12, 41):
        np.testing.assert_allclose(with_features.at(blocks).history, without.at(blocks).history, rtol=1e-10)


def test_features_are_a_root_of_the_differences():
    for kernel, X, Y, rank in CASES.values():
        D = pair_differences(kernel, X, Y)
        psi = features(D)
        if rank == "none":
            assert psi is None
            continue
        # 1e-13 of each |ψ|^2 is left out, so at most that share of |ψ_i| |ψ_j| of <ψ_i, ψ_j>; of the median if that is
        # more
        size = np.sqrt(np.maximum(D.diagonal(), np.median(D.diagonal())))
        assert np.abs((psi @ psi.T - D) / np.outer(size, size)).max() < 1e-12
        assert psi.shape[1] <= 64
