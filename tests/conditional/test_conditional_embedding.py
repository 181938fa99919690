"""The conditional embedding: against operators, refits and tables; what it refuses."""

import pickle

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming

from explorer import (
    FKMSE,
    ConditionalEmbedding,
    Delta,
    Embedding,
    Gaussian,
    Laplacian,
    Linear,
    Polynomial,
    Precomputed,
    Subsequence,
)
from explorer.checks import Refusal


def banana(n=40, seed=0):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 2))
    return x, np.column_stack([x[:, 0] ** 2 + x[:, 1], x[:, 0]]) + 0.2 * rng.normal(size=(n, 2))


ROWS = np.arange(20.0)[:, None]
FEATURES = np.random.default_rng(5).normal(size=(20, 3))
WORDS = ["".join(np.random.default_rng(i).choice(["a", "b"], 5)) for i in range(15)]
CASES = {
    "gaussian": (*banana(), None, None),
    "laplacian to gaussian": (*banana(seed=1), Laplacian(1.5), Gaussian(0.7)),
    "linear, rank 2": (*banana(), Linear(1.0), Linear()),
    "categories": (np.repeat([0.0, 1.0, 2.0], 7), np.tile([0.0, 1.0, 1.0], 7), Delta(), Delta()),
    "strings": (WORDS, [w.count("a") / 5 for w in WORDS], Subsequence(2), Gaussian(0.5)),
    "precomputed of rank 3": (ROWS, FEATURES, Precomputed(FEATURES @ FEATURES.T), Gaussian(1.0)),
}
every_case = pytest.mark.parametrize("case", CASES)


@every_case
def test_weights_solve_the_ridge_regression(case):
    X, Y, k, l = CASES[case]
    C = ConditionalEmbedding(k, l, 0.3).fit(X, Y)
    K = C.kernel_x_(C.X_)
    # two factorisations of a matrix of condition |K| / 0.3 <= 1e4
    assert C.weights(C.X_[:5]) == pytest.approx(np.linalg.solve(K + 0.3 * np.eye(len(K)), K[:, :5]), abs=1e-11)
    assert C.weights(C.X_[:1])[:, 0] == pytest.approx(C.embed(C.X_[0]).weights)


def degree_2(Z):
    """Return features of (<x, y> + 1)^2 for x in the plane."""
    a, b = Z.T
    r = np.sqrt(2)
    return np.column_stack([np.ones(len(Z)), r * a, r * b, a**2, b**2, r * a * b])


def test_the_gram_form_is_the_operator():
    """C_YX (C_XX + λ/n I)^-1 φ(x) in the six coordinates of degree-2 features: erratum E-1's two λ."""
    X, Y = banana()
    C = ConditionalEmbedding(Polynomial(2), Polynomial(2), 0.5).fit(X, Y)
    P, Q, n = degree_2(X), degree_2(Y), len(X)
    operator = (Q.T @ P / n) @ np.linalg.inv(P.T @ P / n + C.operator_lam_ * np.eye(6))
    at = np.array([[0.3, -1.0], [2.0, 0.1]])
    # conditions of some 1e3
    assert Q.T @ C.weights(at) == pytest.approx(operator @ degree_2(at).T, rel=1e-8)
    same = (Q.T @ P / n) @ np.linalg.inv(P.T @ P / n + C.lam_ * np.eye(6)) @ degree_2(at).T
    assert np.linalg.norm(same - operator @ degree_2(at).T) > 0.1 * np.linalg.norm(same)


@every_case
def test_leave_one_out_is_that_of_refits(case):
    X, Y, k, l = CASES[case]
    lams = [1e-3, 0.1, 5.0]
    scores = ConditionalEmbedding(k, l).loocv(X, Y, lams)
    C = ConditionalEmbedding(k, l, 1.0).fit(X, Y)
    for lam, score in zip(lams, scores, strict=True):
        squares = []
        for i in range(len(C.X_)):
            rest = np.delete(np.arange(len(C.X_)), i)
            refit = ConditionalEmbedding(C.kernel_x_, C.kernel_y_, lam).fit(C.X_[rest], C.Y_[rest])
            target = Embedding(C.kernel_y_, C.Y_[i : i + 1], [1.0])
            squares.append(target.distance(refit.embed(C.X_[i])) ** 2)
        # conditions of up to 1e5 at the smallest λ
        assert score == pytest.approx(np.mean(squares), rel=1e-9)


def test_leave_one_out_does_not_ask_whether_y_s_gram_matrix_is_thin():
    X, Y = banana(60)
    thin = ConditionalEmbedding(None, Linear()).loocv(X, Y, [0.01, 1.0])
    features = Y @ np.linalg.cholesky(np.eye(2))
    wide = ConditionalEmbedding(None, Precomputed(features @ features.T + 0.0)).loocv(X, np.arange(60), [0.01, 1.0])
    assert thin == pytest.approx(wide, rel=1e-10)
    full = ConditionalEmbedding(None, Gaussian(0.05))
    C = full.fit(X, Y)
    W = np.linalg.inv(C.kernel_x_(X) + 0.1 * np.eye(60))
    G = C.kernel_y_(Y)
    assert full.loocv(X, Y, [0.1])[0] == pytest.approx(np.mean(np.diag(W @ G @ W) / np.diag(W) ** 2), rel=1e-10)


def test_the_chosen_lam_has_the_least_score():
    X, Y = banana(50)
    C = ConditionalEmbedding().fit(X, Y)
    around = C.lam_ * np.array([0.5, 0.9, 1.0, 1.1, 2.0])
    scores = ConditionalEmbedding(C.kernel_x_, C.kernel_y_).loocv(X, Y, around)
    assert scores.argmin() == 2
    grid = ConditionalEmbedding(C.kernel_x_, C.kernel_y_).loocv(X, Y, np.geomspace(1e-8, 1e4, 100))
    assert scores[2] <= grid.min() * (1 + 1e-9)


def test_categories_give_the_table():
    counts = np.array([[3, 1, 0], [2, 2, 4]])
    x = np.repeat([0, 0, 0, 1, 1, 1], counts.ravel())
    y = np.repeat([0, 1, 2, 0, 1, 2], counts.ravel())
    C = ConditionalEmbedding(Delta(), Delta(), 1e-9).fit(x, y)
    table = counts / counts.sum(axis=1, keepdims=True)
    for value in (0, 1):
        # λ takes 1e-9 of a weight
        assert C.embed(value)([0, 1, 2]) == pytest.approx(table[value], abs=1e-8)
        assert C.expectation([1.0, 0.0, 5.0] @ np.eye(3)[:, y], value) == pytest.approx(
            table[value] @ [1, 0, 5], abs=1e-7
        )
    assert C.embed(7).weights == pytest.approx(np.zeros(len(x)))


def test_predictions_are_the_means_of_the_weights():
    X, Y = banana()
    C = ConditionalEmbedding(lam=0.2).fit(X, Y)
    at = np.array([[0.0, 1.0], [-1.0, 0.5], [30.0, 30.0]])
    assert C.predict(at) == pytest.approx(C.weights(at).T @ Y, abs=1e-11)
    assert C.expectation(Y[:, 0], at) == pytest.approx(C.predict(at)[:, 0])
    assert C.predict([0.0, 1.0]).shape == (1, 2)
    # far from all x the prediction is 0, not renormalised
    assert np.abs(C.predict(at[2:])).max() < 1e-12


def test_fkmse_is_the_average_of_the_weights_at_the_sample_s_own_points():
    X, _ = banana()
    C = ConditionalEmbedding(Gaussian(1.0), Gaussian(1.0), 0.7).fit(X, X)
    assert C.weights(X).mean(axis=1) == pytest.approx(FKMSE(Gaussian(1.0), 0.7).embed(X).weights, abs=1e-13)


def test_a_lam_below_rounding_is_as_good_as_rounding():
    x = np.arange(20.0)
    predicted = [ConditionalEmbedding(Gaussian(7.0), None, lam).fit(x, x).predict([3.5])[0] for lam in (1e-300, 1e-15)]
    # interpolation of a straight line by wide kernels: their weights keep only some digits
    assert predicted == pytest.approx([3.5, 3.5], abs=1e-3)


def test_in_the_units_of_x_and_y_nothing_changes():
    X, Y = banana()
    C, far = ConditionalEmbedding().fit(X, Y), ConditionalEmbedding().fit(1e3 * X, 1e-3 * Y + 5)
    assert far.lam_ == pytest.approx(C.lam_, rel=1e-5)  # the search's own precision in a flat valley


def test_it_pickles_with_what_it_has_learnt():
    X, Y = banana()
    C = ConditionalEmbedding(lam=0.1).fit(X, Y)
    again = pickle.loads(pickle.dumps(C))
    assert np.array_equal(again.weights(X[:3]), C.weights(X[:3]))
    assert again == C


REFUSED = [
    (lambda X, Y: ConditionalEmbedding(lam=0.0), ("ConditionalEmbedding.lam", "0")),
    (lambda X, Y: ConditionalEmbedding(lam=-1.0), ("ConditionalEmbedding.lam", "0")),
    (lambda X, Y: ConditionalEmbedding(lam=np.inf), ("ConditionalEmbedding.lam", "0")),
    (lambda X, Y: ConditionalEmbedding().weights(X), ("fit(X, Y)",)),
    (lambda X, Y: ConditionalEmbedding().fit(X, Y[:-1]), ("X", "40", "Y", "39")),
    (lambda X, Y: ConditionalEmbedding().fit(X[:1], Y[:1]), ("1", "2")),
    (lambda X, Y: ConditionalEmbedding().loocv(X, Y, [0.1, 0.0]), ("values", "0")),
    (lambda X, Y: ConditionalEmbedding().loocv(X, Y, [[0.1]]), ("values", "list")),
    (lambda X, Y: ConditionalEmbedding().loocv(X, Y, [np.inf]), ("values", "infinite")),
    (lambda X, Y: ConditionalEmbedding().fit(X, Y).embed(X), ("40 points", "one")),
    (lambda X, Y: ConditionalEmbedding().fit(X[:, 0], Y).embed([1.0, 2.0]), ("2 points", "one")),
    (lambda X, Y: ConditionalEmbedding().fit(X, Y).weights([[1.0, 2.0, 3.0]]), ("3 columns", "2")),
    (lambda X, Y: ConditionalEmbedding().fit(X, Y).embed(np.nan), ("NaN",)),
    (lambda X, Y: ConditionalEmbedding().fit(X, Y).expectation([1.0], X), ("values", "(1,)", "40 points")),
    (lambda X, Y: ConditionalEmbedding(None, Delta(), 0.1).fit(X, ["a", "b"] * 20).predict(X), ("Y", "embed(x)")),
]


@pytest.mark.parametrize(("act", "parts"), REFUSED)
def test_what_is_refused(act, parts):
    with pytest.raises(Refusal, match=naming(*parts)):
        act(*banana())


def test_one_pair_is_enough_for_a_lam_of_one_s_own():
    C = ConditionalEmbedding(Gaussian(1.0), Gaussian(1.0), 1.0).fit([[1.0]], [[2.0]])
    assert C.weights([[1.0]]) == pytest.approx(np.array([[0.5]]))


@pytest.mark.parametrize("wrap", [list, np.asarray, pd.Series])
def test_targets_in_one_dimension_come_back_in_one(wrap):
    X, Y = banana(30)
    flat = ConditionalEmbedding(lam=0.2).fit(X, wrap(Y[:, 0]))
    deep = ConditionalEmbedding(lam=0.2).fit(X, Y[:, :1])
    assert flat.predict(X[:4]).shape == (4,)
    assert deep.predict(X[:4]).shape == (4, 1)
    assert np.array_equal(flat.predict(X[:4]), deep.predict(X[:4])[:, 0])
    assert flat.fit(X, Y[:, :1]).predict(X[:4]).shape == (4, 1)  # of the last fit


def test_values_that_are_all_0_are_predicted_by_any_lam():
    """Features of zero are zero under a linear kernel."""
    X = np.arange(12.0)
    C = ConditionalEmbedding(Gaussian(1.0), Linear()).fit(X, np.zeros(12))
    np.testing.assert_array_equal(C.predict(X), np.zeros(12))
    assert C.loocv(X, np.zeros(12), [0.1, 1.0]).tolist() == [0.0, 0.0]
