"""MMD^2 between laws: closed forms written out, Monte Carlo, and what kernels do not see."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Delta, Gaussian, GaussianMixture, Laplacian, Linear, Polynomial, StudentT, mmd2_of_laws

M1, S1 = np.array([0.3, -0.2, 0.5]), np.array([[1.0, 0.2, 0.0], [0.2, 0.6, 0.1], [0.0, 0.1, 0.4]])
M2, S2 = np.array([-0.1, 0.4, 0.2]), np.array([[0.5, 0.0, 0.1], [0.0, 0.9, 0.0], [0.1, 0.0, 1.2]])


def law(m, S):
    return GaussianMixture([1.0], [m], [S])


def rbf(m1, C1, m2, C2, theta):
    """s^d |S1 + S2 + s^2 I|^(-1/2) exp(-(m1-m2)'(S1 + S2 + s^2 I)^(-1) (m1-m2) / 2)."""
    S = C1 + C2 + theta**2 * np.eye(len(m1))
    return theta ** len(m1) / np.sqrt(np.linalg.det(S)) * np.exp(-0.5 * (m1 - m2) @ np.linalg.solve(S, m1 - m2))


def moments(m1, C1, m2, C2):
    """E <x, z>, E <x, z>^2, E <x, z>^3 for independent Gaussians, by the moments of Gaussians (Isserlis)."""
    e1 = m1 @ m2
    e2 = e1**2 + np.trace(C1 @ C2) + m1 @ C2 @ m1 + m2 @ C1 @ m2
    e3 = e1**3 + 3 * e1 * m2 @ C1 @ m2 + 3 * (e1 * (m1 @ C2 @ m1 + np.trace(C1 @ C2)) + 2 * m2 @ C1 @ C2 @ m1)
    return e1, e2, e3


def polynomial(p, c):
    def inner(m1, C1, m2, C2):
        e1, e2, e3 = moments(m1, C1, m2, C2)
        return (e1 + c, e2 + 2 * c * e1 + c**2, e3 + 3 * c * e2 + 3 * c**2 * e1 + c**3)[p - 1]

    return inner


FORMS = [
    (Gaussian(0.8), lambda *a: rbf(*a, 0.8)),
    (Gaussian(3.0), lambda *a: rbf(*a, 3.0)),
    (Linear(0.4), polynomial(1, 0.4)),
    (Polynomial(2, 0.7), polynomial(2, 0.7)),
    (Polynomial(3, 0.7), polynomial(3, 0.7)),
]


@pytest.mark.parametrize(("kernel", "inner"), FORMS, ids=[repr(k) for k, _ in FORMS])
def test_between_gaussians_the_printed_closed_forms(kernel, inner):
    a, b = (M1, S1), (M2, S2)
    expected = inner(*a, *a) + inner(*b, *b) - 2 * inner(*a, *b)
    assert mmd2_of_laws(law(*a), law(*b), kernel) == pytest.approx(expected, rel=1e-11)


@pytest.mark.parametrize(("kernel", "inner"), FORMS, ids=[repr(k) for k, _ in FORMS])
def test_between_mixtures_by_bilinearity(kernel, inner):
    parts = [(0.3, M1, S1), (0.7, M2, S2), (-0.6, M2 + 1, S1), (-0.4, -M1, S2)]  # P - Q
    P = GaussianMixture([0.3, 0.7], [M1, M2], [S1, S2])
    Q = GaussianMixture([0.6, 0.4], [M2 + 1, -M1], [S1, S2])
    expected = sum(v * w * inner(m, S, l, T) for v, m, S in parts for w, l, T in parts)
    assert mmd2_of_laws(P, Q, kernel) == pytest.approx(expected, rel=1e-10)


@pytest.mark.thorough(default=["Linear(offset=0.4)"])
@pytest.mark.parametrize("kernel", [Gaussian(0.8), Laplacian(1.5), Linear(0.4), Polynomial(2), Polynomial(3)], ids=repr)
def test_four_expectations_by_monte_carlo(kernel):
    """E k(x, x') + E k(y, y') - E k(x, y) - E k(x', y') over independent draws, z-scored."""
    P, Q, rng = law(M1[:1], S1[:1, :1]), law(M2[:1] + 1, S2[:1, :1]), np.random.default_rng(0)
    draws = 20_000
    x, x2 = P.sample(2 * draws, rng).reshape(2, draws, 1)
    y, y2 = Q.sample(2 * draws, rng).reshape(2, draws, 1)

    def k(a, b):
        parts = [np.diag(kernel(a[i : i + 50], b[i : i + 50])) for i in range(0, draws, 50)]
        return np.concatenate(parts)

    terms = k(x, x2) + k(y, y2) - k(x, y) - k(x2, y2)
    z = (terms.mean() - mmd2_of_laws(P, Q, kernel)) / (terms.std(ddof=1) / np.sqrt(draws))
    assert abs(z) < 4.5


def test_the_quadratic_kernel_sees_two_moments():
    c, (m1, s1), (m2, s2) = 0.6, (0.4, 1.3), (-0.3, 0.8)
    P, Q = law([m1], [[s1**2]]), law([m2], [[s2**2]])
    expected = 2 * c * (m1 - m2) ** 2 + ((m1**2 + s1**2) - (m2**2 + s2**2)) ** 2
    assert mmd2_of_laws(P, Q, Polynomial(2, c)) == pytest.approx(expected, rel=1e-12)
    # N(0, 1) against a symmetric mixture of the same mean and variance: exactly 0, and the Gaussian kernel is not blind
    twin = GaussianMixture([0.5, 0.5], [[-0.8], [0.8]], [[[0.36]], [[0.36]]])
    assert mmd2_of_laws(law([0.0], [[1.0]]), twin, Polynomial(2, c)) == pytest.approx(0, abs=1e-15)
    assert mmd2_of_laws(law([0.0], [[1.0]]), twin, Gaussian(1.0)) > 1e-3


def test_a_law_is_at_distance_zero_from_itself():
    P = GaussianMixture.random(2, rng=0)
    assert mmd2_of_laws(P, P, Gaussian(2.0)) == 0


def test_other_laws_take_part():
    heavy, light = (StudentT(df, [0.0], 1.0) for df in (3, 300))
    assert (
        mmd2_of_laws(heavy, light, Gaussian(1.0))
        > 10 * mmd2_of_laws(StudentT(30, [0.0], 1.0), light, Gaussian(1.0))
        > 0
    )


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (
            lambda: mmd2_of_laws(M1[:, None], law(M2, S2), Gaussian(1.0)),
            TypeError,
            naming("P", "samples", "mmd2(X, Y)"),
        ),
        (
            lambda: mmd2_of_laws(law([0.0], [[1.0]]), law(M1, S1), Gaussian(1.0)),
            ValueError,
            naming("P", "1", "Q", "3"),
        ),
        (lambda: mmd2_of_laws(law(M1, S1), law(M2, S2), Gaussian()), ValueError, naming("bandwidth")),
        (lambda: mmd2_of_laws(law(M1, S1), law(M2, S2), Delta()), ValueError, "no closed form"),
        (lambda: mmd2_of_laws(law(M1, S1), law(M2, S2), Polynomial(4)), ValueError, "no closed form"),
    ],
)
def test_what_is_refused(call, error, said):
    with pytest.raises(error, match=said):
        call()
