"""Table of kernels and estimators: the property tests run for every row."""

import math
from collections import Counter
from collections.abc import Callable
from itertools import combinations
from typing import NamedTuple

import numpy as np

import explorer
from explorer import (
    FKMSE,
    KME,
    MKME,
    MMKME,
    SKMSE,
    ARDGaussian,
    BayesianKME,
    Delta,
    Embedding,
    Energy,
    Exponential,
    Gaussian,
    GaussianMixture,
    InverseMultiquadric,
    Laplacian,
    Linear,
    Matern,
    MedianOfMeans,
    Polynomial,
    Precomputed,
    Product,
    RationalQuadratic,
    RobustKME,
    SpectralKMSE,
    Subsequence,
)
from explorer.kernels import Kernel, KernelProduct, KernelSum

PUBLIC = {name: getattr(explorer, name) for name in explorer.__all__}  # the public names
D = 3  # the dimension of the vector rows


def vectors(n, seed=0):
    """Return points in R^3 with a mean, scales and a correlation."""
    z = np.random.default_rng(seed).standard_normal((n, D))
    return np.array([0.4, -0.2, 0.3]) + z @ np.array([[1.0, 0.5, 0.0], [0.0, 0.7, 0.1], [0.0, 0.0, 1.2]])


def labels(n, seed=0):
    """Return rows of two categories; any two of more than six rows coincide somewhere."""
    return np.random.default_rng(seed).integers([3, 2], size=(n, 2)).astype(float)


def mixed(n, seed=0):
    """Return a measurement next to a category of three levels."""
    rng = np.random.default_rng(seed)
    return np.column_stack([rng.standard_normal(n), rng.integers(3, size=n)])


GRAM_ROWS = 40


def _gram():
    features = np.random.default_rng(99).standard_normal((GRAM_ROWS, 5))
    return features @ features.T  # rank 5: singular, like most Gram matrices of users


def row_numbers(n, seed=0):
    return np.random.default_rng(seed).permutation(GRAM_ROWS)[:n].astype(float)[:, None]


def strings(n, seed=0):
    """Return strings of 3 to 8 letters a and b.

    They spell 8 words of three letters, and more strings than that are dependent.
    """
    rng = np.random.default_rng(seed)
    return np.array(["".join(rng.choice(["a", "b"], length)) for length in rng.integers(3, 9, n)])[:, None]


class Row(NamedTuple):
    """A kernel, points that it takes, its definition for one pair, and whether it embeds Gaussians.

    error   error of `expected` in addition to rounding, in units of the largest value, if it is not a closed form
    draws   number of samples that a test may average over: fewer if an entry of `expected` takes 0.1 ms
    """

    kernel: Kernel
    data: Callable
    definition: Callable
    closed_form: bool
    error: float = 0.0
    draws: int = 30_000


def gaussian(k, x, y):
    return np.exp(-((x - y) ** 2).sum(-1) / (2 * k.bandwidth**2))


def laplacian(k, x, y):
    return np.exp(-np.abs(x - y).sum(-1) / k.bandwidth)


def gaussian_each(k, x, y):
    return np.exp(-(((x - y) / k.bandwidths) ** 2).sum(-1) / 2)


def matern(k, x, y):
    z = np.sqrt(2 * k.nu * ((x - y) ** 2).sum(-1)) / k.bandwidth
    return {0.5: 1, 1.5: 1 + z, 2.5: 1 + z + z**2 / 3}[k.nu] * np.exp(-z)


def rational_quadratic(k, x, y):
    return (1 + ((x - y) ** 2).sum(-1) / (2 * k.alpha * k.bandwidth**2)) ** -k.alpha


def inverse_multiquadric(k, x, y):
    return (k.scale**2 + ((x - y) ** 2).sum(-1)) ** k.exponent


def exponential(k, x, y):
    return np.exp((x * y).sum(-1) / k.scale)


def energy(k, x, y):
    return (np.linalg.norm(x, axis=-1) + np.linalg.norm(y, axis=-1) - np.linalg.norm(x - y, axis=-1)) / 2


def inner_product(k, x, y):
    return ((x * y).sum(-1) + k.offset) ** k.degree


def equality(k, x, y):
    return (x == y).all(-1).astype(float)


def spelt(k, s):
    """Return Σ_i decay^(l(i)) for every string that the letters of s at positions i_1 < ... < i_p spell.

    It is computed by enumeration.
    """
    found = Counter()
    for i in combinations(range(len(s)), k.length):
        found["".join(s[j] for j in i)] += k.decay ** (i[-1] - i[0] + 1)
    return found


def subsequences(k, x, y):
    def of_one_pair(s, t):
        S, T = spelt(k, s), spelt(k, t)
        value, *norms = (sum(A[u] * B[u] for u in A) for A, B in ((S, T), (S, S), (T, T)))
        return value if not k.normalized else value / math.sqrt(math.prod(norms)) if all(norms) else 0.0

    return np.vectorize(of_one_pair, otypes=[float])(x[..., 0], y[..., 0])


def factors(k, x, y):
    parts = ((list(columns), factor) for columns, factor in k.factors)
    return math.prod(of_kind(factor, x[..., c], y[..., c]) for c, factor in parts)


def summed(k, x, y):
    return sum(a * of_kind(term, x, y) for a, term in k.terms)


def multiplied(k, x, y):
    return math.prod(of_kind(factor, x, y) for factor in k.factors)


def of_kind(k, x, y):
    """Return the definition of a kernel that is part of another."""
    return OF_KIND[type(k)](k, x, y)


def entry(k, x, y):
    return k.gram[x[..., 0].astype(int), y[..., 0].astype(int)]


OF_KIND = {
    Gaussian: gaussian,
    ARDGaussian: gaussian_each,
    Laplacian: laplacian,
    Matern: matern,
    RationalQuadratic: rational_quadratic,
    InverseMultiquadric: inverse_multiquadric,
    Exponential: exponential,
    Energy: energy,
    Linear: inner_product,
    Polynomial: inner_product,
    Delta: equality,
    Precomputed: entry,
    KernelSum: summed,
    KernelProduct: multiplied,
}

KERNELS = {
    "linear": Row(Linear(), vectors, inner_product, True),
    "linear + .7": Row(Linear(offset=0.7), vectors, inner_product, True),
    "polynomial 2": Row(Polynomial(2), vectors, inner_product, True),
    "polynomial 2 + 0": Row(Polynomial(2, 0.0), vectors, inner_product, True),
    "polynomial 3": Row(Polynomial(3), vectors, inner_product, True),
    "polynomial 4": Row(Polynomial(4), vectors, inner_product, False),
    "gaussian": Row(Gaussian(1.3), vectors, gaussian, True),
    "gaussian, automatic": Row(Gaussian(), vectors, gaussian, True),
    # Gauss rules in three dimensions: measured against finer ones, 1e-6 and at worst 1e-5 of the value at x = y
    "laplacian": Row(Laplacian(2.5), vectors, laplacian, True, error=1e-5, draws=400),
    "laplacian, automatic": Row(Laplacian(), vectors, laplacian, True, error=1e-5, draws=400),
    # a scale large enough for E k(x, x)^4 under the laws here, without which there is no Monte Carlo of variances
    "exponential": Row(Exponential(12.0), vectors, exponential, True),
    "energy": Row(Energy(), vectors, energy, True),
    "matern 3/2": Row(Matern(1.6), vectors, matern, True),
    "matern 5/2, automatic": Row(Matern(nu=2.5), vectors, matern, True),
    "rational quadratic": Row(RationalQuadratic(1.1, 0.7), vectors, rational_quadratic, True),
    "inverse multiquadric": Row(InverseMultiquadric(1.0, -0.8), vectors, inverse_multiquadric, True),
    "one bandwidth each": Row(ARDGaussian(), vectors, gaussian_each, True),
    "sum": Row(Gaussian() + 2.0 * Linear(), vectors, summed, True),
    "sum of stationary": Row(0.5 * Gaussian(1.3) + 0.5 * Matern(2.0), vectors, summed, True),
    "multiple": Row(3.0 * Polynomial(2), vectors, summed, True),
    "product on one space": Row(Gaussian() * Linear(0.5), vectors, multiplied, True),
    "gaussians' product": Row(Gaussian(1.5) * Gaussian(3.0), vectors, multiplied, True),
    "polynomials' product": Row(Polynomial(2, 0.5) * Linear(), vectors, multiplied, True),
    "product of sums": Row((Gaussian(2.0) + Linear()) * RationalQuadratic(1.5), vectors, multiplied, True),
    "product without a closed form": Row(Energy() * Gaussian(1.5), vectors, multiplied, False),
    "delta": Row(Delta(), labels, equality, False),
    # one column, so that distributions in one dimension have it too; several factors: test_kernels_product.py
    "product": Row(Product({0: Gaussian(0.9)}), vectors, factors, True),
    "product, mixed": Row(Product({0: Gaussian(), 1: Delta()}), mixed, factors, False),
    "product of sums over columns": Row(
        Product({0: 0.5 * Gaussian(1.2) + 0.5 * Matern(nu=2.5), 1: Delta()}), mixed, factors, False
    ),
    "subsequence": Row(Subsequence(), strings, subsequences, False),
    "subsequence, as it is": Row(Subsequence(2, 0.8, False), strings, subsequences, False),
    "precomputed": Row(Precomputed(_gram()), row_numbers, entry, False),
}
CLOSED = {name: row for name, row in KERNELS.items() if row.closed_form}


def drawn(row, n=9, seed=0):
    """Return the row's points and its kernel with the bandwidth chosen on them."""
    X = row.data(n, seed)
    return row.kernel.select(X), X


def target(kernel, X):
    """Return a target of shrinkage: a signed combination of the first points."""
    return Embedding(kernel, X[:3], [0.5, 0.3, -0.1])


def sigma(k, chosen):
    """Return None if `chosen` and the kernel lets a σ be chosen.

    Otherwise return a σ in units of the bandwidth, 0 without a closed form.
    """
    if k.stationary:
        return None if chosen else 0.3 * (k.length_scale or 1.0)
    return 0.3 if takes_noise(k) else 0.0


def takes_noise(k):
    """Return whether E k has a closed form."""
    if isinstance(k, (Product, KernelSum)):
        return all(takes_noise(part) for _, part in (k.factors if isinstance(k, Product) else k.terms))
    if isinstance(k, KernelProduct):
        return all(takes_noise(part) and not isinstance(part, Energy) for part in k.factors)
    return type(k).expected is not Kernel.expected and (k.degree or 0) <= 3


def sigmas(k, f, chosen):
    """Return a σ, as `sigma` does, for each of the target's coordinates, no two equal."""
    one, d = sigma(k, chosen), D if f is None else f.points.shape[1]
    return None if one is None else one * np.linspace(1.0, 0.5, d)


# name -> (kernel, target) -> estimator
ESTIMATORS = {
    "KME": lambda k, f: KME(k),
    "SKMSE": lambda k, f: SKMSE(k),
    "SKMSE, target": lambda k, f: SKMSE(k, target=f),
    "SKMSE .3": lambda k, f: SKMSE(k, 0.3),
    "SKMSE .3, target": lambda k, f: SKMSE(k, 0.3, f),
    "SKMSE inf": lambda k, f: SKMSE(k, math.inf),
    "SKMSE .3, sum to one": lambda k, f: SKMSE(k, 0.3, weights="sum-to-one"),
    "SKMSE .3, target, sum to one": lambda k, f: SKMSE(k, 0.3, f, "sum-to-one"),
    "SKMSE, simplex": lambda k, f: SKMSE(k, weights="simplex"),
    "SKMSE .3, simplex": lambda k, f: SKMSE(k, 0.3, weights="simplex"),
    "SKMSE inf, simplex": lambda k, f: SKMSE(k, math.inf, weights="simplex"),
    "FKMSE": lambda k, f: FKMSE(k),
    "FKMSE, theorem 4": lambda k, f: FKMSE(k, selection="theorem-4"),
    "FKMSE .3": lambda k, f: FKMSE(k, 0.3),
    "FKMSE 0": lambda k, f: FKMSE(k, 0),
    "FKMSE inf": lambda k, f: FKMSE(k, math.inf),
    "FKMSE, simplex": lambda k, f: FKMSE(k, weights="simplex"),
    "FKMSE 0, sum to one": lambda k, f: FKMSE(k, 0, weights="sum-to-one"),
    "tikhonov": lambda k, f: SpectralKMSE(k),
    "tikhonov .3": lambda k, f: SpectralKMSE(k, "tikhonov", 0.3),
    "iterated Tikhonov": lambda k, f: SpectralKMSE(k, "iterated-tikhonov"),
    "iterated Tikhonov .3": lambda k, f: SpectralKMSE(k, "iterated-tikhonov", 0.3),
    "iterated Tikhonov .3, 5": lambda k, f: SpectralKMSE(k, "iterated-tikhonov", 0.3, 5),
    "landweber": lambda k, f: SpectralKMSE(k, "landweber"),
    "landweber 7": lambda k, f: SpectralKMSE(k, "landweber", steps=7),
    "nu": lambda k, f: SpectralKMSE(k, "nu"),
    "nu 7": lambda k, f: SpectralKMSE(k, "nu", steps=7),
    "tsvd": lambda k, f: SpectralKMSE(k, "tsvd"),
    "tsvd .3": lambda k, f: SpectralKMSE(k, "tsvd", 0.3),
    "tsvd 0, sum to one": lambda k, f: SpectralKMSE(k, "tsvd", 0, weights="sum-to-one"),
    "MKME": lambda k, f: MKME(k, sigma(k, chosen=True)),
    "MKME .3": lambda k, f: MKME(k, sigma(k, chosen=False)),
    "MMKME": lambda k, f: MMKME(k, sigmas(k, f, chosen=True)),
    "MMKME .3 to .15": lambda k, f: MMKME(k, sigmas(k, f, chosen=False)),
    # two blocks at most: the tests here have samples of two points
    "MedianOfMeans 1": lambda k, f: MedianOfMeans(k, 1),
    "MedianOfMeans 2": lambda k, f: MedianOfMeans(k, 2),
    "MedianOfMeans 2, geometric": lambda k, f: MedianOfMeans(k, 2, "geometric"),
    "RobustKME": lambda k, f: RobustKME(k),
    "RobustKME, hampel": lambda k, f: RobustKME(k, "hampel"),
    "BayesianKME": lambda k, f: BayesianKME(k),
    "BayesianKME .3": lambda k, f: BayesianKME(k, 0.3),
    "BayesianKME 0": lambda k, f: BayesianKME(k, 0),
    "BayesianKME inf": lambda k, f: BayesianKME(k, math.inf),
}


def law():
    """Return a mixture in R^3 with a full, a singular and a zero covariance."""
    a = np.array([[1.0, 0.3, 0.0], [0.0, 0.5, 0.2]])
    return GaussianMixture(
        [0.5, 0.3, 0.2],
        [[0.0, 0.0, 0.0], [1.0, -1.0, 0.5], [-0.5, 0.5, 1.0]],
        [np.diag([0.8, 0.5, 0.3]) + 0.1, a.T @ a, np.zeros((3, 3))],
    )
