"""Criticisms: the witness by the definition, the greedy determinant by brute force, and what is refused."""

import numpy as np
import pytest
from helpers.naming import naming
from selection_kernels import every_kernel

from explorer import KME, Embedding, Gaussian, Linear, criticisms, thin
from explorer.kernels import Delta

RNG = np.random.default_rng(0)
X = RNG.normal(size=(40, 2)) + np.array([1.0, 0.0])


@pytest.mark.thorough(default=["gaussian", "quadratic"])
@every_kernel
def test_values_are_the_witness_between_the_sample_and_the_prototypes(kernel):
    few = thin(X, 6, kernel)
    found = criticisms(X, few.points, kernel, 4)
    witness = KME(kernel).embed(X)(X) - few.embedding(X)
    np.testing.assert_allclose(found.values, witness[found.rows], rtol=1e-9, atol=1e-9 * np.abs(witness).max())
    np.testing.assert_array_equal(found.points, X[found.rows])
    assert not set(found.rows) & set(few.rows)


@pytest.mark.parametrize("kernel", [Gaussian(0.7), Gaussian(5.0)])
def test_each_is_the_best_next_one_by_determinants(kernel):
    few = thin(X, 6, kernel)
    witness = np.abs(KME(kernel).embed(X)(X) - few.embedding(X))
    chosen = []
    for row in criticisms(X, few.points, kernel, 4).rows:
        free = [i for i in range(len(X)) if i not in few.rows and i not in chosen]
        sets = [[*chosen, i] for i in free]
        weight = 0.2 * max(witness[i] for i in range(len(X)) if i not in few.rows)
        values = [witness[each].sum() + weight * np.linalg.slogdet(kernel(X[each]))[1] for each in sets]
        assert row == free[int(np.argmax(values))]
        chosen.append(int(row))


def test_without_the_determinant_they_are_the_largest_and_weights_count():
    kernel, few, w = Gaussian(1.0), X[:3], np.array([0.5, 0.4, 0.1])
    found = criticisms(X, few, kernel, 5, weights=w, diversity=0)
    witness = np.abs(KME(kernel).embed(X)(X) - Embedding(kernel, few, w)(X))
    witness[:3] = 0
    np.testing.assert_array_equal(found.rows, np.argsort(-witness)[:5])


def test_a_group_that_no_prototype_represents_is_criticised_first():
    Y = np.vstack([X, 9.0 + 0.1 * RNG.normal(size=(20, 2))])
    found = criticisms(Y, thin(X, 8, Gaussian(1.0)).points, Gaussian(1.0), 1)
    assert found.rows[0] >= 40
    assert found.values[0] > 0.3  # a third of the rows, and they are alike


def test_few_rows_left_and_alike_rows_give_fewer():
    assert len(criticisms([0.0, 1.0], [0.0, 1.0], Gaussian(1.0)).rows) == 0
    assert criticisms([0.0, 1.0, 2.0], [0.0], Gaussian(1.0), 9).rows.size == 2
    assert criticisms([[1.0], [1.0], [2.0]], [[2.0]], Gaussian(1.0), 9).rows.size == 1  # one of two equal rows
    assert criticisms([1.0, 2.0, 3.0], [2.5], Linear(), 9).rows.size == 1  # rank 1: no other is independent
    assert criticisms(["a", "b", "b"], ["b"], Delta(), 2).rows.tolist() == [0]


@pytest.mark.parametrize(
    ("fails", "says"),
    [
        (lambda: criticisms(X, X[:2, :1]), naming("2", "1")),
        (lambda: criticisms(X, X[:2], count=0), "count"),
        (lambda: criticisms(X, X[:2], weights=[1.0]), "weights"),
        (lambda: criticisms(X, X[:2], diversity=True), naming("diversity", "True")),
        (lambda: criticisms(X, X[:2], diversity=-1), naming("diversity", "0", "-1")),
        (lambda: criticisms(X, [[np.nan, 0.0]]), "prototypes"),
    ],
)
def test_what_is_refused(fails, says):
    with pytest.raises((ValueError, TypeError), match=says):
        fails()
