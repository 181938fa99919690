"""MKME and MMKME: what they are, what they choose, how they move with the sample, and what they refuse."""

import math
import warnings

import numpy as np
import pytest
from hard_samples import HARD
from kernels_and_estimators import CLOSED, KERNELS, drawn, law, vectors

from explorer import KME, MKME, MMKME, Delta, Embedding, Energy, Gaussian, Laplacian, Linear, Polynomial, mmd2, risk

every_kernel = pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
every_closed_form = pytest.mark.parametrize("row", CLOSED.values(), ids=CLOSED)
# the kernels that choose σ, on hard samples; and wider and narrower ones than a median heuristic gives
SEARCHED = {
    **{name: case for name, case in HARD.items() if isinstance(case[0], Gaussian)},
    "many coordinates": (Gaussian(10.0), np.random.default_rng(0).normal(size=(10, 100))),
    "many coordinates, tiny bandwidth": (Gaussian(0.1), np.random.default_rng(0).normal(size=(10, 100))),
    "one bandwidth of 1e4": (Gaussian(1e4), vectors(9)),
    "one bandwidth of 1e-6": (Gaussian(1e-6), vectors(9)),
    "an outlier at 1e8": (Gaussian(1.3), np.vstack([vectors(9), [[1e8, 0.0, 0.0]]])),
    "a constant coordinate": (Gaussian(1.0), np.column_stack([vectors(9)[:, 0], np.ones(9)])),
    "large numbers": (Gaussian(1e140), 1e140 * vectors(9)),
    "small numbers": (Gaussian(1e-140), 1e-140 * vectors(9)),
    "laplacian": (Laplacian(2.5), vectors(9)),
    "laplacian, duplicates": (Laplacian(2.5), np.repeat(vectors(4), 2, axis=0)),
    "laplacian, tiny": (Laplacian(0.01), vectors(9)),
    "laplacian, a constant coordinate": (Laplacian(1.0), np.column_stack([vectors(9)[:, 0], np.ones(9)])),
}
every_search = pytest.mark.parametrize(("kernel", "X"), SEARCHED.values(), ids=SEARCHED)


@every_kernel
def test_no_noise_is_kme(row):
    k, X = drawn(row)
    plain = KME(k).embed(X)
    assert MKME(k, 0).embed(X) == plain
    assert MMKME(k, np.zeros(X.shape[1])).embed(X) == plain


@every_closed_form
def test_equal_noise_in_all_coordinates_is_mkme(row):
    k, X = drawn(row)
    one, many = MKME(k, 0.4), MMKME(k, np.full(3, 0.4))
    assert one.embed(X) == many.embed(X)
    np.testing.assert_allclose(one.loocv(X, [0.4, 0.0]), many.loocv(X, [[0.4] * 3, [0.0] * 3]), rtol=1e-12)


@every_closed_form
def test_the_estimate_is_the_mean_of_noisy_points(row):
    k, X = drawn(row)
    sigma, Y = np.array([0.2, 0.0, 0.5]), row.data(4, seed=1)
    e = MMKME(k, sigma).embed(X)
    by_points = np.mean([k.expected(x[None], np.diag(sigma**2), Y, None)[0] for x in X], axis=0)
    np.testing.assert_allclose(e(Y), by_points, rtol=1e-12)
    np.testing.assert_array_equal(e.weights, np.full(9, 1 / 9))
    np.testing.assert_array_equal(e.covariance, np.broadcast_to(np.diag(sigma**2), (9, 3, 3)))


@pytest.mark.thorough(default=["MKME-Gaussian(bandwidth=1.3)", "MKME-Laplacian()", "MMKME-Laplacian()", "MMKME-None"])
@pytest.mark.parametrize("kernel", [Gaussian(1.3), Gaussian(), Laplacian(2.5), Laplacian(), None], ids=repr)
@pytest.mark.parametrize("make", [MKME, MMKME])
def test_what_is_chosen_is_what_embed_uses(make, kernel):
    X = vectors(9)
    chosen = make(kernel).select(X)
    assert chosen.kernel == KME(kernel).select(X).kernel
    assert chosen.select(X) == chosen
    assert chosen.embed(X) == make(kernel).embed(X)
    given = make(kernel, 0.7 if make is MKME else [0.7, 0.1, 0.0])
    assert given.select(X) == given.replace(kernel=chosen.kernel)


@pytest.mark.thorough(
    default=[
        "an outlier",
        "a constant coordinate",
        "large numbers",
        "small numbers",
        "laplacian, duplicates",
        "laplacian, a constant coordinate",
    ]
)
@every_search
def test_hard_samples_have_an_answer_no_worse_than_kmes(kernel, X):
    """The scores show it, and nothing warns. MMKME's is never above MKME's: 1e-13 is for rounding."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        one, many = MKME(kernel).select(X), MMKME(kernel).select(X)
        scores = [MKME(kernel).loocv(X, [0.0, one.sigma]), MMKME(kernel).loocv(X, [many.sigma])]
        assert np.isfinite([one.embed(X).norm(), many.embed(X).norm()]).all()
    (at_zero, at_one), (at_many,) = scores
    assert at_one <= at_zero
    assert at_many <= at_one + 1e-13
    assert at_zero == pytest.approx(KME(kernel).loocv(X), abs=1e-12)
    assert one.sigma > 0
    assert (many.sigma >= 0).all()


@pytest.mark.parametrize("kernel", [Gaussian(1.0), Laplacian(1.0)], ids=repr)
def test_equal_points_are_left_as_they_are(kernel):
    X = np.full((4, 2), 3.0)
    assert MKME(kernel).select(X).sigma == 0
    np.testing.assert_array_equal(MMKME(kernel).select(X).sigma, 0.0)
    np.testing.assert_allclose(MKME(kernel).loocv(X, [0.0]), 0.0, atol=1e-15)


def test_two_points_choose_what_the_formula_says():
    """For n = 2 the score is 1 - 2 k_v(x, y) + k_2v(x, x); its least value over a fine grid."""
    X, theta2 = np.array([[0.0], [1.5]]), 1.0
    v = np.linspace(0, 4, 400_001)
    score = 1 - 2 * np.exp(-0.5 * 2.25 / (theta2 + v)) / np.sqrt(1 + v) + 1 / np.sqrt(1 + 2 * v)
    assert MKME(Gaussian(1.0)).select(X).sigma ** 2 == pytest.approx(v[score.argmin()], abs=1e-5)


# moving the sample
# -----------------------------------------------------------------------------------------------------------


def rotation(d):
    return np.linalg.qr(np.random.default_rng(8).normal(size=(d, d)))[0]


@pytest.mark.parametrize("kernel", [Gaussian(1.3), Gaussian(0.2), Gaussian()], ids=repr)
def test_the_chosen_sigma_knows_no_direction_and_no_origin(kernel):
    X = vectors(12)
    moved = X @ rotation(3).T + [5.0, -3.0, 100.0]
    # a search ends where the score is flat to rounding: 1e-7 of σ or so
    assert MKME(kernel).select(moved).sigma == pytest.approx(MKME(kernel).select(X).sigma, rel=1e-5)


@pytest.mark.parametrize("kernel", [Gaussian(1.3), Gaussian(0.4), Laplacian(2.5)], ids=repr)
def test_mmkme_moves_with_the_axes(kernel):
    X, order = vectors(12), [2, 0, 1]
    before, after = MMKME(kernel).select(X), MMKME(kernel).select(X[:, order] * [1, -1, 1] + [5.0, -3.0, 100.0])
    np.testing.assert_allclose(after.sigma, before.sigma[order], rtol=1e-3, atol=1e-4)
    scores = before.loocv(X, [before.sigma, after.sigma[np.argsort(order)]])
    assert scores[0] == pytest.approx(scores[1], abs=1e-9)  # of the score hardly anything is left to gain


@pytest.mark.thorough(
    default=[
        "Gaussian(bandwidth=1.3)-7.0-MKME",
        "Gaussian(bandwidth=1.3)-7.0-MMKME",
        "Laplacian(bandwidth=2.5)-7.0-MMKME",
        "Laplacian(bandwidth=2.5)-100000.0-MKME",
    ]
)
@pytest.mark.parametrize("make", [MKME, MMKME])
@pytest.mark.parametrize("a", [1e-3, 7.0, 1e5])
@pytest.mark.parametrize("kernel", [Gaussian(1.3), Laplacian(2.5)], ids=repr)
def test_the_chosen_sigma_has_the_unit_of_the_points(kernel, a, make):
    X = vectors(12)
    scaled = kernel.replace(bandwidth=a * kernel.bandwidth)
    np.testing.assert_allclose(
        make(scaled).select(a * X).sigma, a * np.asarray(make(kernel).select(X).sigma), rtol=1e-3
    )


def test_mmkme_turns_with_nothing():
    """Noise along the axes is not noise along turned axes."""
    X = vectors(12) * [5.0, 1.0, 0.2]
    one, other = MMKME(Gaussian(0.5)).embed(X), MMKME(Gaussian(0.5)).embed(X @ rotation(3).T)
    assert abs(one.norm() - other.norm()) > 1e-3


# what is refused
# -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "said", "ask"),
    [
        (
            ValueError,
            "MKME.sigma must be a number of at least 0 .* automatic choice, not -0.1",
            lambda: MKME(sigma=-0.1),
        ),
        (ValueError, "not nan", lambda: MKME(sigma=math.nan)),
        (ValueError, "not inf", lambda: MKME(sigma=math.inf)),
        (TypeError, "MKME.sigma must be a number", lambda: MKME(sigma=[0.1, 0.2])),
        (ValueError, "MMKME.sigma holds -0.1; σ is a standard deviation, at least 0", lambda: MMKME(sigma=[0.2, -0.1])),
        (
            ValueError,
            r"MMKME.sigma has shape \(\); give one .* for each coordinate, or take MKME",
            lambda: MMKME(sigma=0.3),
        ),
        (ValueError, r"has shape \(1, 2\)", lambda: MMKME(sigma=[[0.3, 0.1]])),
        (ValueError, "NaN or infinite", lambda: MMKME(sigma=[np.inf])),
        (
            ValueError,
            "has 2 entries and the points have 3 coordinates",
            lambda: MMKME(sigma=[0.3, 0.1]).embed(vectors(4)),
        ),
        (
            ValueError,
            "has 2 entries and the points have 3 coordinates",
            lambda: MMKME(sigma=[0.3, 0.1]).select(vectors(4)),
        ),
        (ValueError, "1 row; at least 2 are needed", lambda: MKME(Gaussian(1.0)).embed([[0.0]])),
        (ValueError, "1 row; at least 2 are needed", lambda: MMKME(Laplacian(1.0)).select([[0.0]])),
        (ValueError, "1 row; at least 2 are needed", lambda: MKME(Gaussian(1.0)).loocv([[0.0]], [0.1])),
        (
            ValueError,
            r"Laplacian kernel only.* sigma, such as MKME\(kernel, 0.5\)",
            lambda: MKME(Linear()).embed(vectors(4)),
        ),
        (ValueError, r"such as MMKME\(kernel, \[0.5, 0.5, 0.5\]\)", lambda: MMKME(Energy()).select(vectors(4))),
        (ValueError, "no closed form for Gaussian points", lambda: MKME(Delta(), 0.1).embed([[0.0]])),
        (ValueError, "degrees 1, 2 and 3 have one", lambda: MKME(Polynomial(4), 0.1).embed(vectors(4))),
        (ValueError, "degrees 1, 2 and 3 have one", lambda: MKME(Polynomial(4)).loocv(vectors(4), [0.1])),
        (
            ValueError,
            "values holds -1; σ is a standard deviation",
            lambda: MKME(Gaussian(1.0)).loocv(vectors(4), [0.1, -1]),
        ),
        (
            ValueError,
            r"values has shape \(1, 2\); give MKME's σ as",
            lambda: MKME(Gaussian(1.0)).loocv(vectors(4), [[0.1, 1]]),
        ),
        (
            ValueError,
            r"shape \(3,\); give MMKME's σ as rows of 3",
            lambda: MMKME(Gaussian(1.0)).loocv(vectors(4), [0.1, 1, 0]),
        ),
        (
            ValueError,
            "values has 1 value that is NaN or infinite",
            lambda: MKME(Gaussian(1.0)).loocv(vectors(4), [np.nan]),
        ),
        (ValueError, "has no exact risk; give sigma", lambda: risk(MKME(Gaussian(1.0)), law(), 5)),
        (ValueError, "Linear.* has no exact risk with noise here", lambda: risk(MKME(Linear(), 0.1), law(), 5)),
        (ValueError, "no bandwidth", lambda: risk(MKME(sigma=0.1), law(), 5)),
        (ValueError, "has 2 entries", lambda: risk(MMKME(Gaussian(1.0), [0.1, 0.2]), law(), 5)),
    ],
)
def test_bad_input_gets_a_sentence(error, said, ask):
    with pytest.raises(error, match=said):
        ask()


def test_one_point_with_its_noise_is_an_embedding():
    assert MKME(Gaussian(1.0), 0.5).embed([[1.0, 2.0]]) == Embedding(Gaussian(1.0), [[1.0, 2.0]], [1.0], 0.25)


def test_a_two_sample_statistic_takes_both():
    """The common noise widens the kernel: MMD^2 at θ^2 + 2σ^2, times (θ^2 / (θ^2 + 2σ^2))^(d/2)."""
    X, Y, k = vectors(9), vectors(11, seed=1) + 0.3, Gaussian(1.3)
    wide = Gaussian(math.sqrt(1.3**2 + 2 * 0.6**2))
    for statistic in ("biased", "unbiased"):
        times = (1.3 / wide.bandwidth) ** 3
        expected = times * mmd2(X, Y, wide, statistic)
        assert mmd2(X, Y, k, statistic, MKME(sigma=0.6)) == pytest.approx(expected, rel=1e-10)
        assert mmd2(X, Y, k, statistic, MMKME(sigma=[0.6] * 3)) == pytest.approx(expected, rel=1e-10)
