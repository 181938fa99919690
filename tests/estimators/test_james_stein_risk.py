"""The exact risk of James and Stein's estimate: series, quadrature, Monte Carlo, limits, and what it is below."""

import math

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import gammaincc, gammaln
from scipy.stats import ncx2

from explorer import james_stein, james_stein_risk

D, SQUARE = 5, 1.38  # the spec's example: d and |θ|^2
THETA = np.array([1.0, 0.5, -0.3, 0.2, 0.0])
both_forms = pytest.mark.parametrize("positive", [False, True], ids=["plain", "positive"])


def upper(m, a):
    """P(W > a) for W ~ chi-square with m degrees of freedom."""
    return gammaincc(m / 2, a / 2)


def by_series(square, d, positive):
    """E |estimate - θ|^2 at σ = 1 as a Poisson(|θ|^2 / 2) mixture of central chi-squares W with d + 2k degrees of
    freedom.

    Plain: d - (d - 2)^2 E 1/W. Positive part, s = (1 - a/W)_+ with a = d - 2: E s^2 W - 2 |θ|^2 E_(d+2) s + |θ|^2,
    where E <x, θ> s(|x|^2) = |θ|^2 E s(W) with two degrees more.
    """
    k = np.arange(400)
    poisson = np.exp(-square / 2 + k * np.log(square / 2) - gammaln(k + 1))
    m, a = d + 2 * k, d - 2
    if not positive:
        return d - a**2 * poisson @ (1 / (m - 2))
    # E W; W > a = m P_(m+2), E 1/W; W > a = P_(m-2) / (m - 2)
    size = m * upper(m + 2, a) - 2 * a * upper(m, a) + a**2 * upper(m - 2, a) / (m - 2)
    along = upper(m + 2, a) - a * upper(m, a) / m
    return poisson @ size - 2 * square * poisson @ along + square


def by_quadrature(square, d, positive):
    """Return the risk by integrals against the densities of |x|^2.

    They are noncentral chi-square with d and d + 2 degrees of freedom.
    """
    a = d - 2

    def mean(f, degrees):
        # y^2 = |x|^2: the density of |x| vanishes at 0 and is smooth there
        low, middle, high = np.sqrt(a) if positive else 0.0, np.sqrt(square + d), np.sqrt(square + d) + 12
        pieces = zip(sorted([low, middle]), sorted([middle, high]), strict=True)
        return sum(
            quad(lambda y: 2 * y * f(y * y) * ncx2.pdf(y * y, degrees, square), *p, epsabs=1e-12)[0] for p in pieces
        )

    def factor(w):
        return 1 - a / w if w > a or not positive else 0.0

    return mean(lambda w: factor(w) ** 2 * w, d) - 2 * square * mean(factor, d + 2) + square


@both_forms
@pytest.mark.parametrize("d", [3, 4, 5, 10, 31, 100])
@pytest.mark.parametrize("square", [1e-9, 0.01, 0.5, 1.38, 3.0, 10.0, 27.0, 60.0, 200.0])
def test_the_risk_is_that_of_the_series(square, d, positive):
    # the series subtracts numbers of the size of d + |θ|^2, and takes logarithms of factorials: 1e-13 of 200 log 200
    assert james_stein_risk(square, d, positive=positive) == pytest.approx(
        by_series(square, d, positive), abs=1e-11 * (d + square)
    )


@pytest.mark.thorough(default=["0.3-3-plain", "1.38-5-plain", "9.0-10-plain", "50.0-20-positive"])
@both_forms
@pytest.mark.parametrize(("square", "d"), [(0.3, 3), (4.0, 3), (1.38, 5), (9.0, 10), (50.0, 20)])
def test_the_risk_is_that_of_quadrature(square, d, positive):
    risk = james_stein_risk(square, d, positive=positive)
    assert risk == pytest.approx(by_quadrature(square, d, positive), abs=1e-9 * d)  # what quad and SciPy's density hold


# the plain loss is a^2/|x|^2 for a short x: below five dimensions it has no variance, and no Monte Carlo
MEANS = {
    "0 in 3": (np.zeros(3), 1.0, [True]),
    "1 in 3": (np.ones(3), 1.0, [True]),
    "0 in 6": (np.zeros(6), 1.0, [False, True]),
    "1 in 10": (np.ones(10), 1.0, [False, True]),
    "the spec's": (THETA, 1.0, [False, True]),
    "a small variance": (2 * THETA, 0.3, [False, True]),
    "a large variance": (np.full(8, 2.0), 9.0, [False, True]),
    "2 dimensions": (np.ones(2), 4.0, [False, True]),
}


@pytest.mark.parametrize(("theta", "variance", "forms"), MEANS.values(), ids=MEANS)
def test_the_risk_is_the_mean_loss(theta, variance, forms):
    N = 100_000
    X = theta + np.sqrt(variance) * np.random.default_rng(0).standard_normal((N, len(theta)))
    for positive in forms:
        losses = ((james_stein(X, variance, positive) - theta) ** 2).sum(axis=1)
        risk = james_stein_risk(theta @ theta, len(theta), variance, positive)
        assert abs(losses.mean() - risk) < 4.5 * losses.std() / np.sqrt(N)  # z, seed fixed


@pytest.mark.parametrize(("positive", "printed"), [(False, 2.70), (True, 2.25)])
def test_the_risk_in_five_dimensions(positive, printed):
    """About 2.70 and 2.25, where x itself has 5."""
    assert THETA @ THETA == pytest.approx(SQUARE)
    exact = james_stein_risk(SQUARE, D, positive=positive)
    assert exact == pytest.approx(printed, abs=0.02)  # those were simulated, with 5.01 for 5; exactly 2.687 and 2.245
    N = 200_000
    X = THETA + np.random.default_rng(0).standard_normal((N, D))
    losses = ((james_stein(X, positive=positive) - THETA) ** 2).sum(axis=1)
    assert losses.mean() < ((X - THETA) ** 2).sum(axis=1).mean()


# limits and bounds ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("d", [3, 4, 10])
def test_the_risk_is_below_that_of_x_everywhere(d):
    for square in (0.0, 1e-6, 0.5, 3.0, 40.0):
        assert james_stein_risk(square, d, positive=True) < james_stein_risk(square, d) < d
    assert james_stein_risk(1e-6, d) == pytest.approx(2, abs=1e-5)  # at θ = 0, d - (d - 2) = 2


@pytest.mark.parametrize("d", [3, 5, 40, 1000])
def test_the_risk_rises_with_the_length_of_the_mean_and_that_of_the_positive_part_lies_below(d):
    squares = np.concatenate([[0.0], np.geomspace(1e-6, 1e6, 200)]) * d
    plain, positive = ([james_stein_risk(square, d, positive=p) for square in squares] for p in (False, True))
    assert np.diff(plain).min() >= -1e-12 * d  # rounding, if it is flat
    assert np.diff(positive).min() >= -1e-12 * d
    assert np.max(np.subtract(positive, plain)) <= 1e-12 * d
    assert min(plain) == pytest.approx(2, abs=1e-12 * d)
    # Efron and Morris 1973: 0 < risk of the positive part at 0 < 2
    assert 0 < positive[0] < plain[0]


@pytest.mark.parametrize("d", [3, 5, 40])
def test_the_limit_of_a_long_mean(d):
    """d - (d - 2)^2 / (|θ|^2 + d - 4) + O(|θ|^-4), and the positive part differs by less than any power."""
    for square in (1e6, 1e9, 1e15, 1e300):
        for positive in (False, True):
            gain = d - james_stein_risk(square, d, positive=positive)
            # E 1/W is 1/(|θ|^2 + d - 4) up to d / |θ|^4 of itself; a difference of numbers of size d
            assert gain == pytest.approx((d - 2) ** 2 / (square + d - 4), rel=1e-6, abs=1e-14 * d)
    assert james_stein_risk(1e300, d, 1e-300) == d * 1e-300  # their ratio is beyond the floats


def test_the_risk_at_zero():
    """E a^2/W = a, so the plain form has d - a = 2; the positive part is E (1 - a/W)^2 W over W > a."""
    for d in (3, 4, 7, 50):
        assert james_stein_risk(0, d) == pytest.approx(2, rel=1e-13)
    # in three dimensions a = 1 and y = |x| has the density (2/π)^(1/2) y^2 e^(-y^2/2)
    risk = quad(lambda y: (y * y - 1) ** 2 * math.exp(-y * y / 2), 1, 40, epsabs=1e-13)[0] * math.sqrt(2 / math.pi)
    assert james_stein_risk(0, 3, positive=True) == pytest.approx(risk, abs=1e-11)  # what quad holds


@pytest.mark.parametrize("d", [1, 2])
@both_forms
def test_below_three_dimensions_the_risk_is_that_of_x(d, positive):
    for square, variance in ((0.0, 1.0), (3.0, 0.2), (1e9, 5.0)):
        assert james_stein_risk(square, d, variance, positive) == d * variance


@both_forms
def test_the_unit_is_free(positive):
    for scale in (1e-12, 0.3, 1e12):
        assert james_stein_risk(3.0 * scale, 6, scale, positive) == pytest.approx(
            scale * james_stein_risk(3.0, 6, 1.0, positive), rel=1e-13
        )


@pytest.mark.parametrize(("each", "gains"), [(0.0, [0, 0, 46.58, 87.42]), (1.0, [0, 0, 18.26, 38.91])])
def test_what_shrinking_gains_over_x(each, gains):
    """In percent of d, for the positive part at θ = (each, ... each) in 1, 2, 3 and 10 dimensions."""
    for d, gain in zip((1, 2, 3, 10), gains, strict=True):
        risk = james_stein_risk(each**2 * d, d, positive=True)
        assert 100 * (1 - risk / d) == pytest.approx(gain, abs=0.005)  # as printed
        if d > 2:
            assert 100 * (1 - by_series(max(each**2 * d, 1e-12), d, True) / d) == pytest.approx(gain, abs=0.005)


# what is refused --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "given"),
    [
        (ValueError, {"square": -1.0}),
        (ValueError, {"square": math.inf}),
        (ValueError, {"square": math.nan}),
        (TypeError, {"square": [1.0, 2.0]}),
        (TypeError, {"square": True}),
        (ValueError, {"d": 0}),
        (TypeError, {"d": 3.0}),
        (ValueError, {"variance": 0.0}),
        (ValueError, {"variance": math.inf}),
        (TypeError, {"variance": "1"}),
        (TypeError, {"positive": 1}),
    ],
)
def test_a_risk_of_what_makes_no_sense_is_refused(error, given):
    with pytest.raises(error, match=f"^{next(iter(given))} must be"):
        james_stein_risk(**{"square": 1.0, "d": 5, **given})
