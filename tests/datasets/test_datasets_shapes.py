"""Pairs on shapes: their formulas, their noise, and what does not correlate."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer.datasets.toys.dependent_pairs import SHAPES, shape, strings_and_numbers


def test_shapes_are_their_formulas():
    """Without noise; a fan's spread is its own."""
    X, Y = shape("ring", 50, noise=0.0, rng=1)
    assert X**2 + Y**2 == pytest.approx(1)
    X, Y = shape("cross", 50, noise=0.0, rng=1)
    assert np.abs(X) == pytest.approx(np.abs(Y))
    assert set(np.sign(X * Y).ravel()) == {-1.0, 1.0}
    X, Y = shape("sine", 50, noise=0.0, waves=3, rng=1)
    assert pytest.approx(np.sin(3 * np.pi * X)) == Y
    X, Y = shape("line", 50, noise=0.0, rng=1)
    assert np.array_equal(X, Y)
    X, Y = shape("fan", 20_000, noise=0.1, rng=1)
    right = X[:, 0] > 0.8
    # y has variance (0.4 (1 + t))^2 + 0.1^2; a variance of 2000 normal values is known to 3 %, three times over
    assert Y[right].var() == pytest.approx(0.16 * ((1 + X[right]) ** 2).mean() + 0.01, rel=0.1)


@pytest.mark.parametrize("kind", SHAPES)
def test_a_larger_sample_keeps_the_pairs_and_noise_adds_up(kind):
    (X, Y), (A, B) = (shape(kind, n, 0.3, 2, 7) for n in (60, 20))
    assert np.array_equal(X[:20], A)
    assert np.array_equal(Y[:20], B)
    clean, doubled = shape(kind, 60, 0.0, 2, 7)[1], shape(kind, 60, 0.6, 2, 7)[1]
    assert doubled - clean == pytest.approx(2 * (Y - clean))


@pytest.mark.parametrize("kind", ["ring", "cross", "fan", "none"])
def test_these_shapes_have_no_correlation(kind):
    X, Y = shape(kind, 40_000, 0.1, 2, 1)
    # r of 40 000 uncorrelated pairs has a standard deviation of about 0.005, of dependent ones up to twice that
    assert abs(np.corrcoef(X[:, 0], Y[:, 0])[0, 1]) < 0.03


def test_there_are_no_other_shapes():
    with pytest.raises(ValueError, match=naming("'spiral'", *SHAPES)):
        shape("spiral", 5)


def test_strings_and_the_count_of_a_pair_of_letters():
    words, Y = strings_and_numbers(40, noise=0.0, rng=1)
    assert Y[:, 0].tolist() == [word.count("CG") for word in words]
    assert {len(word) for word in words} == {10}
    more, Z = strings_and_numbers(60, noise=0.0, rng=1)
    assert more[:40].tolist() == words.tolist()
    assert (Z[:40] == Y).all()
    assert strings_and_numbers(200, noise=0.5, rng=1)[1].std() > 0.5
