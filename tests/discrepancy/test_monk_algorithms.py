"""MONK without Cholesky factors against Algorithms 1 and 2 letter by letter, and what is printed against what is
meant.
"""

import numpy as np
import pytest
from helpers.monk_literal import literal_bcd, literal_fast, pooled_gram
from helpers.naming import naming
from kernels_and_estimators import KERNELS, vectors

from explorer import Gaussian, Linear, Polynomial, Precomputed, mmd2, monk_mmd, monk_steps
from explorer.checks import ExplorerWarning
from explorer.discrepancy.monk.estimates import draw_orders

N = 42
X, Y = vectors(N, 1), vectors(N, 2) + 0.4
K = Gaussian(1.0)
METHODS = ["bcd", "bcd-fast", "direction"]
every_method = pytest.mark.parametrize("method", METHODS)
# 5 and 11 do not divide 42; 6 is even; 42 are single pairs
every_number = pytest.mark.parametrize("blocks", [1, 2, 3, 5, 6, 11, 42])


def literally(blocks, method, seed, kernel=K, **variant):
    gram = pooled_gram(kernel, X, Y)
    literal = literal_bcd if method == "bcd" else literal_fast
    return literal(gram, blocks, draw_orders(N, method, 90, seed), **variant)


@pytest.mark.thorough(default=["*-*-1", "0-bcd-*"])
@every_number
@pytest.mark.parametrize("method", METHODS[:2])
@pytest.mark.parametrize("seed", [0, 1])
def test_it_is_the_literal_algorithm(blocks, method, seed):
    history, means = literally(blocks, method, seed)
    result = monk_mmd(X, Y, K, blocks, method, 90, seed)
    # sums of a hundred terms of size 1 under a Gram matrix of condition 1e4
    np.testing.assert_allclose(result.history, history, rtol=0, atol=1e-10)
    np.testing.assert_allclose(result.block_values, means, rtol=0, atol=1e-10)
    assert result.value == pytest.approx(history[30:].mean(), abs=1e-10)
    assert [len(S) for S in result.blocks] == [len(S) for S in np.array_split(np.arange(N), blocks)]
    assert sorted(np.concatenate(result.blocks)) == list(range(N))


@pytest.mark.parametrize(
    "row", (vector := {name: r for name, r in KERNELS.items() if r.data is vectors}).values(), ids=vector
)
@every_method
def test_one_block_is_the_biased_mmd(row, method):
    k = row.kernel.select(np.vstack([X, Y]))
    result = monk_mmd(X, Y, k, 1, method, 5, rng=0)
    # the root of a difference of sums of N^2 terms; a relative 1e-12 would be 1e-24 of the square, so it is measured
    # there
    assert result.value**2 == pytest.approx(mmd2(X, Y, k, "biased"), rel=1e-9, abs=1e-13 * k.diagonal(X).max())
    np.testing.assert_allclose(result.history, result.value, rtol=1e-12)


@every_method
def test_a_singular_gram_matrix_is_no_obstacle(method):
    """Rank 3 under the quadratic kernel in one dimension; numpy's Cholesky would raise."""
    x, y = X[:, :1], Y[:, :1]
    with pytest.raises(np.linalg.LinAlgError):
        np.linalg.cholesky(pooled_gram(Polynomial(2), x, y))
    full = monk_mmd(x, y, Polynomial(2), 5, method, rng=0).value
    # its features (sqrt(2) x, x^2) under the linear kernel have the same differences
    features = [np.column_stack([np.sqrt(2) * z, z**2]) for z in (x, y)]
    assert full == pytest.approx(monk_mmd(*features, Linear(), 5, method, rng=0).value, rel=1e-12)
    # repeated pairs
    repeated = monk_mmd(np.repeat(x, 3, axis=0), np.repeat(y, 3, axis=0), Gaussian(1.0), 5, method, rng=0)
    assert np.isfinite(repeated.history).all()


@every_method
def test_equal_samples_are_at_no_distance(method):
    for points in (X, np.zeros((6, 1)), np.repeat(X[:2], 5, axis=0)):
        for kernel in (Linear(), Polynomial(2), Precomputed(np.zeros((6, 6)))):
            rows = np.arange(6.0) if isinstance(kernel, Precomputed) else points
            result = monk_mmd(rows, rows, kernel, 3, method, rng=0)
            # sums of products that cancel: the root of 1e-16 times their size
            assert result.value == pytest.approx(0, abs=1e-7 * np.sqrt(kernel.diagonal(rows).max()))
            assert np.isfinite(result.block_values).all()


@every_method
def test_what_is_below_zero_by_rounding_is_f_equal_0(method):
    """A matrix that is not positive semi-definite, as rounding leaves some: v'Kv <= 0."""
    bad = Precomputed.trusted(-np.eye(8))
    result = monk_mmd(np.arange(4), np.arange(4, 8), bad, 2, method, 9, rng=0)
    assert result.value == 0
    np.testing.assert_array_equal(result.block_values, 0)


def test_the_steps_are_the_history():
    for method in METHODS[:2]:
        result, steps = monk_mmd(X, Y, K, 5, method, 30, 3), list(monk_steps(X, Y, K, 5, method, 30, 3))
        np.testing.assert_array_equal([s.value for s in steps], result.history)
        np.testing.assert_array_equal(steps[-1].after, result.block_values)
        np.testing.assert_array_equal(steps[0].before, 0)
        assert steps[0].median_block == 2  # the stable median of five zeros
        for step in steps:
            assert np.sort(step.before)[2] == step.before[step.median_block]
            assert sorted(np.concatenate(step.blocks)) == list(range(N))


def test_a_step_makes_the_median_block_the_witness():
    """f = Δ_q / |Δ_q|: its mean over block q is |Δ_q|, and every block's is bounded by that block's own norm."""
    for step in monk_steps(X, Y, K, 5, "bcd", 20, rng=1):
        norms = [np.sqrt(mmd2(X[S], Y[S], K, "biased")) for S in step.blocks]
        assert step.after[step.median_block] == pytest.approx(norms[step.median_block], rel=1e-10)
        assert (np.abs(step.after) <= np.array(norms) * (1 + 1e-10)).all()


# bcd-fast
# --------------------------------------------------------------------------------------------------------------


def test_bcd_fast_knows_blockwise_v_statistics_only_and_stalls():
    """Erratum E-17: after (Q + 1) / 2 turns the value is the least V-statistic of the blocks that had one."""
    blocks = 7
    steps = list(monk_steps(X, Y, K, blocks, "bcd-fast", 10, rng=4))
    assert [s.value for s in steps[:3]] == [0, 0, 0]
    visited = {s.median_block for s in steps[:4]}
    assert len(visited) == 4
    own = {q: np.sqrt(mmd2(X[steps[0].blocks[q]], Y[steps[0].blocks[q]], K, "biased")) for q in visited}
    for step in steps[3:]:
        assert step.value == pytest.approx(min(own.values()), rel=1e-10)
    assert {s.median_block for s in steps[4:]} == {min(own, key=own.get)}


def one_dimension(seed, mean, sd, n=210):
    return mean + sd * np.random.default_rng(seed).standard_normal((n, 1))


@pytest.mark.parametrize(("other", "low", "high"), [((0.75, 0.85), 0.0, 0.7), ((0.35, 0.45), 2.0, np.inf)])
def test_bcd_fast_is_too_small_where_there_is_something_to_see_and_too_large_elsewhere(other, low, high):
    """Means over 10 pairs of samples against BCD's, Q = 21.

    About .5 for the paper's Gaussian pair, 2.7 for equal laws.
    """
    pairs = [(one_dimension(s, 0.35, 0.45), one_dimension(s + 50, *other)) for s in range(10)]
    fast, slow = (np.mean([monk_mmd(*pair, K, 21, m, rng=0).value for pair in pairs]) for m in ("bcd-fast", "bcd"))
    assert low < fast / slow < high


def test_bcd_fast_with_too_few_iterations_says_so():
    with pytest.warns(ExplorerWarning, match=naming("0", "42", "blocks", "iterations", "63")):
        assert monk_mmd(X, Y, K, 42, "bcd-fast", 20, rng=0).value == 0
    assert (monk_mmd(X, Y, K, 42, "bcd-fast", 63, rng=0).history[21:] > 0).all()


# as printed
# --------------------------------------------------------------------------------------------------------------


def printed_norm(L, v):
    return np.linalg.norm(L @ v)


@pytest.mark.parametrize("method", METHODS[:2])
@pytest.mark.parametrize("blocks", [1, 5])
def test_the_printed_norm_has_no_transpose(method, blocks):
    """Erratum E-15: |L v| for |L'v|."""
    history, _ = literally(blocks, method, 0, norm=printed_norm)
    result = monk_mmd(X, Y, K, blocks, method, 90, 0, printed="norm")
    np.testing.assert_allclose(result.history, history, rtol=0, atol=1e-10)
    true = monk_mmd(X, Y, K, blocks, method, 90, 0)
    assert np.abs(result.history - true.history).max() > 0.01 * true.value


def test_the_printed_norm_leaves_the_unit_ball():
    """With one block the best f of norm 1 has the biased MMD; a larger value is of a larger f."""
    true = np.sqrt(mmd2(X, Y, K, "biased"))
    n, L = 2 * N, np.linalg.cholesky(pooled_gram(K, X, Y))
    v = np.repeat([1.0, -1.0], N)
    c = v / printed_norm(L, v)
    length = np.linalg.norm(L.T @ c)
    assert n == len(L)
    assert monk_mmd(X, Y, K, 1, "bcd", 1, 0, printed="norm").value == pytest.approx(length * true, rel=1e-10)
    assert abs(length - 1) > 0.01


def test_kept_witnesses_are_the_literal_ones():
    """Erratum E-18."""
    for blocks in (3, 6, 11):
        history, means = literally(blocks, "bcd-fast", 1, keep=True)
        result = monk_mmd(X, Y, K, blocks, "bcd-fast", 90, 1, printed="kept")
        np.testing.assert_allclose(result.history, history, rtol=0, atol=1e-10)
        np.testing.assert_allclose(result.block_values, means, rtol=0, atol=1e-10)


def test_a_kept_witness_meets_an_outlier_with_the_wrong_norm():
    """One bad pair, just shuffled: a witness of norm 1 sees at most |Δ_q| in its block.

    A kept one sees 1e3 times as much.
    """
    x, y = X[:, :1].copy(), Y[:, :1].copy()
    x[0], y[0] = 2000.0, 4000.0
    worst = {}
    for printed in (None, "kept"):
        results = [monk_mmd(x, y, Polynomial(2), 5, "bcd-fast", 21, rng=seed, printed=printed) for seed in range(6)]
        norms = np.sqrt([[mmd2(x[S], y[S], Polynomial(2), "biased") for S in r.blocks] for r in results])
        worst[printed] = (np.array([r.block_values for r in results]) / norms).max()
    assert worst[None] <= 1 + 1e-9
    assert worst["kept"] > 1e3


@pytest.mark.parametrize(
    ("said", "arguments"),
    [
        (naming("printed", "'norm'", "'kept'", "'eq. 8'"), {"printed": "eq. 8"}),
        (naming("printed", "'norm'", "1", "2"), {"printed": "norm", "method": "direction"}),
        (naming("printed", "'kept'", "2", "method", "'bcd-fast'", "'bcd'"), {"printed": "kept"}),
        ("singular, so it has no Cholesky factor", {"printed": "norm", "kernel": Linear()}),
    ],
)
def test_what_is_not_printed_is_a_sentence(said, arguments):
    with pytest.raises(ValueError, match=said):
        monk_mmd(X, Y, **{"kernel": K, "blocks": 5, **arguments})
