"""k + l, a * k and k * l: values, the way they are written, what they say of themselves, and what makes none."""

import pickle

import numpy as np
import pytest
from covariances import points
from helpers.naming import naming
from kernels_and_estimators import PUBLIC

from explorer import (
    KME,
    SKMSE,
    ARDGaussian,
    CrossCovariance,
    Delta,
    Embedding,
    Energy,
    Exponential,
    Gaussian,
    GaussianMixture,
    Kernel,
    Landmarks,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    Precomputed,
    Product,
    RationalQuadratic,
    Subsequence,
    hsic,
    low_rank,
    mmd2,
    mmd_test,
    monk_mmd,
)
from explorer.discrepancy.mmd.frequencies import moment_differences
from explorer.kernels import KernelProduct, KernelSum
from explorer.model import code
from explorer.printing import model_text

EPS = np.finfo(float).eps


def test_values_are_sums_multiples_and_products():
    X, Y, k, l = points(6, 2), points(4, 2, seed=1), Gaussian(1.3), Polynomial(2)
    for Z in (None, Y):
        np.testing.assert_allclose((k + l)(X, Z), k(X, Z) + l(X, Z), rtol=EPS)
        np.testing.assert_allclose((2.5 * k)(X, Z), 2.5 * k(X, Z), rtol=EPS)
        np.testing.assert_allclose((k * l)(X, Z), k(X, Z) * l(X, Z), rtol=EPS)
    np.testing.assert_allclose((k + 3 * (k * l)).diagonal(X), 1 + 3 * l.diagonal(X), rtol=4 * EPS)


def test_the_laws_of_an_algebra():
    k, l, m = Gaussian(), 2.0 * Linear(), Laplacian(3.0)
    assert (k + l) + m == k + (l + m) == m + k + l
    assert (k * l) * m == k * (l * m) == m * k * l
    assert 2 * (k + l) == k * 2 + 4 * Linear()
    assert (2 * k) * (3 * m) == 6 * (k * m) == k * (6.0 * m)
    assert 0.5 * (2 * k) == 1 * k == k == 0 + k == k + 0
    assert sum([k, l, m]) == k + l + m
    assert np.float64(2.0) * k == np.int64(2) * k == 2 * k
    assert hash(k + m) == hash(m + k)
    assert k + l != k + Linear()
    assert k + m != k * m
    assert k + k != k  # nor is it merged: pairs for two terms serve any two bandwidths
    X = points(5, 2)
    np.testing.assert_allclose((k * (l + m))(X), (k * l + k * m)(X), rtol=1e-14)


WRITTEN = {
    "Gaussian(bandwidth=1.0) + 2.0 * Linear()": Gaussian(1.0) + 2.0 * Linear(),
    "0.5 * Gaussian()": Gaussian() * 0.5,
    "3.0 * Linear() * Energy() + Delta()": (3 * Linear()) * Energy() + Delta(),
    "Gaussian() * (Linear() + Energy())": Gaussian() * (Linear() + Energy()),
    "Product(factors={0: Gaussian() + Linear(), 1: 2.0 * Delta()})": Product(
        {0: Gaussian() + Linear(), 1: 2 * Delta()}
    ),
    "KME(kernel=Gaussian() + Linear())": KME(Gaussian() + Linear()),
    "2.0 * Gaussian() * (0.1 * Linear() + Matern(nu=2.5))": 2 * (Gaussian() * (0.1 * Linear() + Matern(nu=2.5))),
    "Landmarks(kernel=Gaussian(bandwidth=1.0) + Linear(), landmarks=[[0.0]])": Landmarks(
        Gaussian(1.0) + Linear(), [[0.0]]
    ),
}


@pytest.mark.parametrize(("text", "value"), WRITTEN.items(), ids=WRITTEN)
def test_it_is_written_as_it_is_made(text, value):
    assert repr(value) == code(value) == str(value) == text
    for again in (eval(text, dict(PUBLIC)), pickle.loads(pickle.dumps(value)), type(value)(**value.values())):
        assert again == value
        assert hash(again) == hash(value)


def test_long_ones_are_short_in_sentences():
    long = sum((RationalQuadratic(float(b), 0.25) for b in range(1, 30)), 0)
    assert repr(long) == "<KernelSum of 29 kernels>"
    assert eval(code(long), dict(PUBLIC)) == long
    assert model_text(Gaussian(1.23456) + 2.0 * Linear()) == "Gaussian(bandwidth=1.235) + 2.0 * Linear()"
    assert "Gaussian(bandwidth=1.235) * Linear()" in str(KME(Gaussian(1.23456) * Linear()).embed([0.0, 1.0]))


def test_they_do_not_change():
    k = Gaussian() + Linear()
    with pytest.raises(TypeError, match=naming(type(k).__name__, "terms")):
        k.terms = ()
    assert k.replace(terms=[(2.0, Linear())]) == 2 * Linear()
    with pytest.raises(TypeError, match="not support item assignment"):
        k.terms[0] = (1.0, Linear())


# automatic parameters, and what is reused --------------------------------------------------------------------------


def test_every_part_chooses_its_own():
    X, Y = points(7, 2), 3 * points(8, 2, seed=1)
    P = np.vstack([X, Y])
    k = Gaussian() + Laplacian() * (Matern() + ARDGaussian())
    chosen = k.select(P)
    parts = Gaussian().select(P), Laplacian().select(P), Matern().select(P), ARDGaussian().select(P)
    assert chosen == parts[0] + parts[1] * (parts[2] + parts[3])
    assert chosen.chosen() == chosen == chosen.select(X)
    np.testing.assert_array_equal(k(X, Y), chosen(X, Y))
    assert mmd_test(X, Y, k, n_resamples=9, rng=0).kernel == chosen
    with pytest.raises(ValueError, match=naming("bandwidth", "Gaussian()")):
        k.chosen()
    with pytest.raises(ValueError, match=naming("bandwidth", "Gaussian()")):
        k.expected(X, np.eye(2), X, None)


def test_pairs_serve_a_moved_parameter():
    X = points(6, 3)
    pairs = (Gaussian(1.0) + Matern(2.0) * Linear()).pairs(X)
    moved = 3.0 * Gaussian(2.0) + Matern(0.3) * Linear(1.0)
    np.testing.assert_allclose(moved.of_pairs(pairs), moved(X), rtol=1e-13)
    nested = Product({0: Gaussian(1.0) + Linear(), (1, 2): ARDGaussian([1.0, 2.0])})
    moved = Product({0: Gaussian(3.0) + 0.1 * Linear(), (1, 2): ARDGaussian([0.3, 0.4])})
    np.testing.assert_allclose(moved.of_pairs(nested.pairs(X)), moved(X), rtol=1e-13)


# spaces --------------------------------------------------------------------------------------------------------------

APART = [
    (Delta(), Subsequence(), "categories strings"),
    (Precomputed(np.eye(2)), Gaussian(), "row numbers"),
    (Subsequence(), Gaussian(), "strings numbers"),
    (Precomputed(np.eye(2)), Precomputed(np.eye(3)), "2 3"),
    (Gaussian() + Linear(), Subsequence(), "numbers strings"),
    (Product({0: Gaussian(), 1: Delta()}), Precomputed(np.eye(2)), "tables row"),
]


@pytest.mark.parametrize(("one", "other", "said"), APART, ids=[said for *_, said in APART])
def test_kernels_of_different_points_do_not_combine(one, other, said):
    for make, what in ((lambda: one + other, "sum"), (lambda: one * other, "product")):
        with pytest.raises(ValueError, match=naming(*said.split(), what)):
            make()


def test_what_their_points_decide_is_a_sentence_at_the_first_points():
    noisy = Gaussian(1.0) + 0.1 * Delta()  # with noise of its own at every point
    X = points(4, 2)
    np.testing.assert_allclose(noisy(X), Gaussian(1.0)(X) + 0.1 * np.eye(4), rtol=EPS)
    with pytest.raises(TypeError, match=naming("numbers")):
        noisy(["a", "b"])
    table = Product({0: Gaussian(1.0), 1: Delta()})
    np.testing.assert_allclose((table + Linear())([[1.0, 2.0]]), [[6.0]], rtol=EPS)
    with pytest.raises(TypeError, match=naming("numbers")):
        (table + Linear())([[1.0, "a"]])
    with pytest.raises(ValueError, match=naming("column", "1")):
        (table * Linear())([[1.0]])
    with pytest.raises(ValueError, match=naming("X", "2", "Y", "1")):
        (Gaussian() + Linear())(X, X[:, :1])


def test_words_strings_and_row_numbers_have_sums_and_products():
    words = ["exon", "intron", "exons"]
    k, l = Subsequence(2), Subsequence(1)
    np.testing.assert_allclose((k + 2 * l)(words), k(words) + 2 * l(words), rtol=EPS)
    np.testing.assert_allclose((k * l)(words), k(words) * l(words), rtol=EPS)
    table = Product({0: Gaussian(1.0), 1: Delta()}) + Product({0: Linear(), 1: Delta()})
    np.testing.assert_allclose(table([[1.0, "a"], [2.0, "b"]]), [[2.0, 0.0], [0.0, 5.0]], rtol=EPS)
    gram = np.array([[2.0, 1.0], [1.0, 2.0]])
    np.testing.assert_allclose((Precomputed(gram) * Precomputed(gram))([1, 0]), gram**2, rtol=EPS)
    assert (2.0 * Delta() + Delta())(["a", "b"]).tolist() == [[3.0, 0.0], [0.0, 3.0]]


# what they say of themselves ---------------------------------------------------------------------------------------


def test_growth_and_degree():
    assert (Gaussian() + Polynomial(3)).growth == 6
    assert (Gaussian() * Polynomial(3)).growth == 6
    assert (Linear() * Polynomial(3)).growth == 8
    assert (Energy() + Exponential()).growth == (Energy() * Exponential()).growth == np.inf
    assert (Linear() + Polynomial(3)).degree == 3
    assert (Linear() * Polynomial(3)).degree == 4
    assert (Linear() + Gaussian()).degree is (Linear() * Gaussian()).degree is None


def test_the_mass_is_the_sum_of_masses():
    k = Gaussian(1.3) + 2.0 * Matern(0.7)
    mass = np.exp(Gaussian(1.3).log_mass(2)) + 2 * np.exp(Matern(0.7).log_mass(2))
    assert np.exp(k.log_mass(2)) == pytest.approx(mass, rel=1e-14)
    assert (Gaussian(3.0) * Gaussian(4.0)).log_mass(3) == pytest.approx(Gaussian(2.4).log_mass(3), rel=1e-14)
    assert (Gaussian(1.0) + Linear()).log_mass(1) is (Gaussian(1.0) * Linear()).log_mass(1) is None
    assert (Gaussian(1.0) + Delta()).log_mass(1) is None  # one has a density's unit, the other a share's
    density = Embedding(k, [[0.0]], [1.0]).density(np.linspace(-60, 60, 4001)[:, None])
    assert np.trapezoid(density, dx=0.03) == pytest.approx(1, abs=1e-7)  # Matérn's third derivative jumps at zero


@pytest.mark.parametrize(
    ("make", "error", "said"),
    [
        (lambda: Gaussian() + 1, TypeError, "kernel 1"),
        (lambda: 1.5 + Gaussian(), TypeError, "kernel 1.5"),
        (lambda: Gaussian() + None, TypeError, "kernel None"),
        (lambda: 0 * Gaussian(), ValueError, "finite 0"),
        (lambda: -2.0 * Gaussian(), ValueError, "finite 0 -2.0"),
        (lambda: np.inf * Gaussian(), ValueError, "finite 0 inf"),
        (lambda: np.nan * Gaussian(), ValueError, "finite 0 nan"),
        (lambda: 10**400 * Gaussian(), ValueError, "finite 0"),
        (lambda: 1e200 * (1e200 * Gaussian()), ValueError, "finite 0 inf"),
        (lambda: True * Gaussian(), TypeError, "0 kernel True"),
        (lambda: Gaussian() * "2", TypeError, "0 kernel '2'"),
        (lambda: np.ones(3) * Gaussian(), TypeError, "0 kernel"),
        (lambda: KernelSum([]), TypeError, "terms empty"),
        (lambda: KernelSum([(1.0, Linear())]), ValueError, "1 Linear()"),
        (lambda: KernelSum(3), TypeError, "terms 3"),
        (lambda: KernelSum([(1.0, 2.0)]), TypeError, "Gaussian(1.0)"),
        (lambda: KernelProduct([Linear()]), ValueError, "factors 1"),
        (lambda: KernelProduct("ab"), TypeError, "Gaussian(1.0)"),
        (lambda: KernelProduct(None), TypeError, "factors None"),
        (Kernel, TypeError, "Kernel Gaussian()"),
    ],
)
def test_what_makes_no_kernel_is_a_sentence(make, error, said):
    with pytest.raises(error, match=naming(*said.split())):
        make()


def test_what_overflows_is_a_sentence():
    X = 1e160 * points(3, 2)
    for k in (Gaussian(1.0) + Linear(), Gaussian(1e149) * Linear(), 1e300 * Energy()):
        with pytest.raises(ValueError, match=naming("rescale")):
            k(X)


# what is made of them ----------------------------------------------------------------------------------------------


def test_squared_distances_of_a_sum_add_up():
    X, Y, k, l = points(9, 2), 1 + points(8, 2, seed=1), Gaussian(1.3), Linear()
    for statistic in ("biased", "unbiased"):
        parts = mmd2(X, Y, k, statistic) + 2 * mmd2(X, Y, l, statistic)
        assert mmd2(X, Y, k + 2 * l, statistic) == pytest.approx(parts, rel=1e-12)
    Z = Y[:8]
    assert hsic(X[:8], Z, k + l, 3 * k) == pytest.approx(3 * (hsic(X[:8], Z, k, k) + hsic(X[:8], Z, l, k)), rel=1e-10)
    law = GaussianMixture.random(2, rng=0)
    squares = [KME(each).embed(X).distance(law.embed(each)) ** 2 for each in (k + 2 * l, k, l)]
    assert squares[0] == pytest.approx(squares[1] + 2 * squares[2], rel=1e-10)
    assert law.variance(k + 2 * l) == pytest.approx(law.variance(k) + 2 * law.variance(l), rel=1e-12)


def test_a_multiple_changes_units_alone():
    X, Y, k = points(12, 2), 1 + points(12, 2, seed=1), Gaussian(1.3)
    one, nine = (mmd_test(X, Y, each, n_resamples=99, rng=0) for each in (k, 9.0 * k))
    assert (nine.statistic, nine.pvalue) == (pytest.approx(9 * one.statistic, rel=1e-12), one.pvalue)
    monk, monk_nine = (monk_mmd(X, Y, each, 3, rng=0).value for each in (k, 9.0 * k))
    assert monk_nine == pytest.approx(3 * monk, rel=1e-6)  # values after 100 steps, which ties may separate
    np.testing.assert_allclose(SKMSE(9.0 * k, 0.3).embed(X).weights, SKMSE(k, 0.3).embed(X).weights, rtol=1e-12)
    three = CrossCovariance(9.0 * k, k).fit(X, Y).norm()
    assert three == pytest.approx(3 * CrossCovariance(k, k).fit(X, Y).norm(), rel=1e-10)


def test_polynomials_of_features_are_linear_in_them():
    """<x, y> (<x, y> + 1) is the linear kernel of x x' and x side by side."""
    X, Y = points(9, 3), points(7, 3, seed=1)

    def features(Z):
        return np.hstack([np.einsum("ij,ik->ijk", Z, Z).reshape(len(Z), -1), Z])

    k = Linear() * Linear(1.0)
    np.testing.assert_allclose(k(X, Y), features(X) @ features(Y).T, rtol=0, atol=1e-12)
    assert mmd2(X, Y, k, "biased") == pytest.approx(np.sum((features(X).mean(0) - features(Y).mean(0)) ** 2), rel=1e-12)


def test_low_rank_takes_them():
    X, k = points(30, 2), Gaussian(1.0) + Linear(1.0)
    np.testing.assert_allclose(low_rank(k, X, "cholesky", rank=30)(X), k(X), rtol=0, atol=1e-12)
    with pytest.raises(ValueError, match=naming("approximation='features'", "approximation='cholesky'")):
        low_rank(k, X, "features", rank=4)
    mixed = Landmarks(Gaussian(1.0), X[:5]) + Linear()
    np.testing.assert_allclose(mixed(X), Landmarks(Gaussian(1.0), X[:5])(X) + X @ X.T, rtol=0, atol=1e-12)


def test_moments_one_by_one_are_of_one_polynomial():
    with pytest.raises(TypeError, match=naming("Linear", "Polynomial")):
        moment_differences(points(4, 1), points(4, 1), Linear() + Polynomial(2))
