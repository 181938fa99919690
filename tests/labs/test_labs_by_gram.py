"""Labs of pairs where a side is a Gram matrix: every number is that of the matrix itself, as Precomputed has it."""

import numpy as np
import pytest
from helpers.lab_pictures import descriptions
from helpers.naming import naming
from helpers.saved_bytes import npy

from explorer import ConditionalEmbedding, Gaussian, Laplacian, Precomputed, hsic_test, median_bandwidth
from explorer.checks import Refusal
from explorer.conditional import HMMFilter
from explorer.datasets import read_table
from explorer.labs.conditional import ConditionalLab
from explorer.labs.independence import IndependenceLab
from explorer.markup import text_of
from explorer.rng import stream
from explorer.workbench import registry
from explorer.workbench.gram_pairs import both_by_gram

N = 40
RNG = np.random.default_rng(11)
Z = RNG.normal(size=(N, 2))
AGE = Z[:, 0] ** 2 + 0.3 * RNG.normal(size=N)
K, L = Laplacian(2.0)(Z), Laplacian(1.0)(AGE[:, None] + 0.1 * RNG.normal(size=(N, 1)))


def matrix_with_columns(*columns, matrix=K, names=("age", "height")):
    """Return a CSV file of a matrix with further columns next to it."""
    head = ",".join([*(f"k{j}" for j in range(len(matrix))), *names[: len(columns)]])
    rows = np.column_stack([matrix, *columns]).tolist()
    return "\n".join([head, *(",".join(map(repr, row)) for row in rows)]).encode()


HEIGHT = RNG.normal(size=N)
ONE = read_table(matrix_with_columns(AGE, HEIGHT), name="t.csv", gram=True, beside=["age", "height"], standardise=True)
TWO = both_by_gram(read_table(npy(K), name="K.npy", gram=True), read_table(npy(L), name="L.npy", gram=True))


def lab_of(kind, own, **fields):
    first, second = own.hash[:64], own.hash[64:]
    fields = {"source": "file", "file": own.name, "rows": own.n, "hash": first, "hash2": second, "gram": True, **fields}
    lab = kind(n=fields.pop("n", N), **fields)
    lab.own = own
    return lab


def rows_of(lab):
    """Return the rows that a lab draws, as DataSet.sample has them."""
    return stream(lab.seed, "rows").permutation(N)[: lab.n]


def scaled(column):
    return ((column - column.mean()) / column.std())[:, None]


@pytest.mark.parametrize("n", [N, 17])
def test_hsic_is_that_of_the_matrix_with_its_permutations(n):
    lab = lab_of(IndependenceLab, ONE, n=n, y="age")
    rows, test = rows_of(lab), lab.result(wait=True).test
    y = scaled(AGE)[rows]
    kernel = Gaussian(lab.bandwidth * median_bandwidth(y))
    expected = hsic_test(rows, y, Precomputed(K), kernel, n_resamples=999, rng=lab.seed)
    assert test.pvalue == expected.pvalue
    assert test.statistic == pytest.approx(expected.statistic, rel=1e-9)  # two ways to round K's n² sums
    assert test.null_distribution == pytest.approx(expected.null_distribution, rel=1e-9, abs=1e-15)


@pytest.mark.parametrize("n", [N, 23])
def test_hsic_of_two_matrices(n):
    lab = lab_of(IndependenceLab, TWO, n=n)
    rows, test = rows_of(lab), lab.result(wait=True).test
    expected = hsic_test(rows, rows, Precomputed(K), Precomputed(L), n_resamples=999, rng=lab.seed)
    assert test.pvalue == expected.pvalue
    assert test.statistic == pytest.approx(expected.statistic, rel=1e-9)


def along_the_first_axis(x, X):
    """Return the Gram matrix of the sample, and of the point x with it: (n + 1, n + 1)."""
    every = np.vstack([X, x])
    return every @ every.T


@pytest.mark.parametrize("n", [N, 25])
def test_the_conditional_weights_are_those_of_the_matrix(n):
    lab = lab_of(ConditionalLab, ONE, n=n, y='["age"]')
    rows, result = rows_of(lab), lab.result(wait=True)
    X, y = result.pairs.X, scaled(AGE)[rows]
    assert np.abs(X @ X.T - K[np.ix_(rows, rows)]).max() < 1e-12
    G = along_the_first_axis(result.x, X)
    model = ConditionalEmbedding(Precomputed(G), Gaussian(lab.bandwidth * median_bandwidth(y))).fit(np.arange(n), y)
    assert result.lam == pytest.approx(model.lam_, rel=1e-6)  # at the minimum of one score
    weights = model.replace(lam=result.lam).fit(np.arange(n), y).weights(n)[:, 0]
    assert result.belief.weights == pytest.approx(weights, rel=1e-9, abs=1e-12)
    assert result.fan.weights[result.row] == pytest.approx(weights, rel=1e-9, abs=1e-12)


def test_the_conditional_weights_of_two_matrices():
    lab = lab_of(ConditionalLab, TWO)
    rows, result = rows_of(lab), lab.result(wait=True)
    G = along_the_first_axis(result.x, result.pairs.X)
    # x's points are rows of G, y's rows of the sample's own L
    model = ConditionalEmbedding(Precomputed(G), Precomputed(L[np.ix_(rows, rows)])).fit(np.arange(N), np.arange(N))
    assert result.lam == pytest.approx(model.lam_, rel=1e-6)
    weights = model.replace(lam=result.lam).fit(np.arange(N), np.arange(N)).weights(N)[:, 0]
    assert result.belief.weights == pytest.approx(weights, rel=1e-9, abs=1e-12)
    assert result.belief.mean()[0] == pytest.approx(weights @ result.pairs.Y[:, 0], rel=1e-12)


def test_the_filter_sees_through_the_matrix():
    lab = lab_of(ConditionalLab, ONE, picture="filter", path="rows", n=25, lam=0.1, y='["age"]')
    result, age = lab.result(wait=True), scaled(AGE)
    kernel = Gaussian(lab.bandwidth * median_bandwidth(age[:26]))
    model = HMMFilter(kernel, Precomputed(K), 0.1, lab.lam_posterior).fit(age[:26], np.arange(26))
    assert result.beliefs == pytest.approx(model.filter(np.arange(26, N)), rel=1e-6, abs=1e-9)  # errors add up in time


def test_bayes_rule_has_a_mean():
    result = lab_of(ConditionalLab, ONE, picture="bayes", y='["age"]').result(wait=True)
    assert np.isfinite(result.mean)


@pytest.mark.parametrize(
    ("kind", "own", "fields", "said"),
    [
        (IndependenceLab, ONE, {"sigma": 1.0}, "noise added to points"),
        (IndependenceLab, ONE, {"placed": "[[0, 0]]"}, "none is moved or added"),
        (IndependenceLab, ONE, {"moved": '{"1": [0, 0]}'}, "none is moved or added"),
        (IndependenceLab, ONE, {"x": '["age"]'}, "Leave x empty"),
        (IndependenceLab, ONE, {"y": "weight"}, "no column 'weight'; it has age, height"),
        (IndependenceLab, ONE, {"y": "axis 1"}, "no column 'axis 1'"),
        (IndependenceLab, ONE, {"gram": False}, "choose the file under Your data"),
        (IndependenceLab, TWO, {"hash2": "f" * 64, "file2": "M.npy"}, r"and M\.npy"),
        (ConditionalLab, TWO, {"picture": "bayes"}, "prior of y"),
        (ConditionalLab, TWO, {"picture": "filter", "path": "rows"}, "density of y"),
        (
            IndependenceLab,
            read_table(npy(K), name="K.npy", gram=True),
            {},
            naming("y", "K.npy"),
        ),
    ],
)
def test_what_a_matrix_does_not_know_is_a_sentence(kind, own, fields, said):
    with pytest.raises(Refusal, match=said):
        lab_of(kind, own, **fields).result()


def test_two_matrices_of_different_sizes():
    with pytest.raises(Refusal, match=naming("K.npy", 40, "L.npy", 12)):
        both_by_gram(TWO_FIRST, read_table(npy(L[:12, :12]), name="L.npy", gram=True))


TWO_FIRST = read_table(npy(K), name="K.npy", gram=True)


@pytest.mark.parametrize("picture", ["pair", "gram", "measures", "ranks", "power", "columns"])
def test_independence_has_every_picture_and_its_words(picture):
    words = registry.role("independence", "words")
    for own in (ONE, TWO):
        result = lab_of(IndependenceLab, own, picture=picture, permutations="199", n=20).result(wait=True)
        assert "Gram matri" in words.headline(result)
        assert "principal axes" in words.caption(result)
        assert all(descriptions(result))
        assert registry.role("independence", "script").numbers(result)


def test_conditional_says_what_has_no_density():
    words = registry.role("conditional", "words")
    one, two = (lab_of(ConditionalLab, own).result(wait=True) for own in (ONE, TWO))
    assert "principal axes" in words.caption(one)
    assert "has no density" in words.caption(two)
    assert "y's first axis" in text_of(words.headline(two))
    density = registry.role("conditional", "figures").density
    assert density.is_visible(one)
    assert not density.is_visible(two)  # no empty picture
    assert not two.density.any()


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_the_scale_of_a_matrix_changes_no_p(scale):
    own = read_table(matrix_with_columns(AGE, matrix=scale * K), name="t.csv", gram=True, beside=["age"])
    plain = read_table(matrix_with_columns(AGE), name="t.csv", gram=True, beside=["age"])
    tests = [lab_of(IndependenceLab, each, permutations="199").result(wait=True).test for each in (own, plain)]
    assert tests[0].pvalue == tests[1].pvalue
    assert tests[0].statistic == pytest.approx(scale * tests[1].statistic, rel=1e-9)


def test_a_matrix_of_rank_one():
    v = np.arange(1.0, 13)
    own = read_table(matrix_with_columns(v**2, matrix=np.outer(v, v)), name="t.csv", gram=True, beside=["age"])
    for kind in (IndependenceLab, ConditionalLab):
        result = lab_of(kind, own, n=12).result(wait=True)
        assert result.pairs.X.shape == (12, 1)
