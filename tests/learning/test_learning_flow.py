"""The MMD flow: the step by numerical differences of the MMD, a fall at every short one, noise, and refusals."""

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming

from explorer import (
    KME,
    Delta,
    Embedding,
    Energy,
    Exponential,
    Gaussian,
    GaussianMixture,
    Laplacian,
    Linear,
    Matern,
    Polynomial,
    RationalQuadratic,
    mmd_flow,
)

RNG = np.random.default_rng(2)
X, Y = RNG.normal(size=(12, 2)), RNG.normal(size=(20, 2)) + np.array([2.0, 0.0])
KERNELS = {
    "gaussian": Gaussian(1.0),
    "matern": Matern(1.5),
    "rational quadratic": RationalQuadratic(1.0, 0.5),
    "exponential": Exponential(6.0),
    "quadratic": Polynomial(2),
    "sum": Gaussian(0.5) + 0.1 * Linear(),
    "product": Gaussian(2.0) * Linear(1.0),
}
every_kernel = pytest.mark.parametrize("kernel", KERNELS.values(), ids=KERNELS)


def distances(found, target):
    return np.array([KME(target.kernel).embed(each).distance(target) for each in found])


@every_kernel
def test_a_step_goes_down_the_gradient_of_the_mmd(kernel):
    """x - step ∇f(x) is x - n step times the gradient of MMD²/2 by x_i, here by central differences."""
    mean = KME(kernel).embed(Y)
    found = mmd_flow(X, Y, kernel, steps=1, step=0.3)
    slopes = np.empty(X.shape)
    for at in np.ndindex(X.shape):
        ahead, behind = X.copy(), X.copy()
        ahead[at] += 1e-5
        behind[at] -= 1e-5
        values = [KME(kernel).embed(each).distance(mean) ** 2 / 2 for each in (ahead, behind)]
        slopes[at] = (values[0] - values[1]) / 2e-5
    np.testing.assert_array_equal(found[0], X)
    # an error of step² and eps / step
    np.testing.assert_allclose(found[1], X - 0.3 * len(X) * slopes, atol=1e-8 * (1 + np.abs(slopes).max()))


@pytest.mark.parametrize("theta", [0.2, 1.0, 5.0])
@pytest.mark.parametrize("target", ["sample", "distribution"])
def test_the_mmd_falls_at_every_step_of_up_to_two_thirds_of_the_squared_bandwidth(theta, target):
    kernel = Gaussian(theta)
    law = GaussianMixture([0.3, 0.7], [[2.0, 0.0], [0.0, 1.0]], [0.5, 1.0])
    mean = KME(kernel).embed(Y) if target == "sample" else law.embed(kernel)
    found = mmd_flow(X, mean, steps=60, step=2 / 3 * theta**2)
    falls = distances(found, mean)
    assert (np.diff(falls) < 0).all()
    assert falls[-1] < 0.9 * falls[0]


def test_a_cloud_pours_into_another():
    """The distance falls to that of as many rows drawn from the target itself."""
    kernel = Gaussian(2.0)
    mean = KME(kernel).embed(Y)
    falls = distances(mmd_flow(X, Y, kernel, steps=300, step=2.0), mean)
    drawn = np.mean([mean.distance(KME(kernel).embed(RNG.choice(Y, 12))) for _ in range(50)])
    assert falls[-1] < drawn < falls[0] / 2


def test_a_point_is_stuck_under_a_narrow_kernel_and_freed_by_noise():
    """Eight bandwidths away the witness is flat: e^-32 of its height."""
    start, end, narrow = [[0.0]], [[4.0]], Gaussian(0.5)
    still = mmd_flow(start, end, narrow, steps=500, step=0.5)
    assert np.abs(still).max() < 1e-9
    freed = mmd_flow(start, end, narrow, steps=500, step=0.5, noise=np.linspace(2, 0, 500), rng=0)
    assert freed[-1, 0, 0] == pytest.approx(4.0, abs=1e-6)


def test_more_of_a_cloud_arrives_with_noise():
    rng = np.random.default_rng(1)
    start, end = 0.3 * rng.normal(size=(2, 30, 2)) + [[[0.0, 0.0]], [[4.0, 0.0]]]
    mean = KME(Gaussian(0.5)).embed(end)
    quiet, noisy = (
        mmd_flow(start, mean, steps=600, step=0.5, noise=noise, rng=1) for noise in (0, np.linspace(2, 0, 600))
    )
    assert mean.distance(KME(mean.kernel).embed(noisy[-1])) < 0.6 * mean.distance(KME(mean.kernel).embed(quiet[-1]))


def test_a_seed_gives_the_path_and_noise_by_steps_is_one_number_or_each():
    one, each, other = (
        mmd_flow(X, Y, Gaussian(1.0), steps=5, noise=noise, rng=rng)
        for noise, rng in ((0.3, 4), ([0.3] * 5, 4), (0.3, 5))
    )
    np.testing.assert_array_equal(one, each)
    assert np.abs(one - other).max() > 0.01
    assert one.shape == (6, 12, 2)
    np.testing.assert_array_equal(mmd_flow(X, Y, steps=3, rng=1), mmd_flow(X, Y, steps=3, rng=2))


def test_a_target_is_a_sample_or_its_embedding_or_any_other():
    by_sample = mmd_flow(X, Y, Gaussian(1.0), steps=3)
    np.testing.assert_array_equal(by_sample, mmd_flow(X, KME(Gaussian(1.0)).embed(Y), Gaussian(1.0), steps=3))
    np.testing.assert_array_equal(
        mmd_flow(X, Y, steps=3), mmd_flow(X, Y, Gaussian().select(np.vstack([X, Y])), steps=3)
    )
    signed = Embedding(Gaussian(1.0), [[0.0, 0.0], [1.0, 1.0]], [1.5, -0.5])
    falls = distances(mmd_flow(X, signed, steps=20, step=0.3), signed)
    assert (np.diff(falls) < 0).all()


def test_units_places_and_names():
    """In other units the flow is the same with bandwidth and root of the step in them, and so it is elsewhere."""
    found = mmd_flow(X, Y, Gaussian(1.0), steps=20, step=0.5, noise=0.2, rng=0)
    moved = mmd_flow(1e6 * X + 1e7, 1e6 * Y + 1e7, Gaussian(1e6), steps=20, step=0.5e12, noise=2e5, rng=0)
    np.testing.assert_allclose((moved - 1e7) / 1e6, found, atol=1e-8)
    a, b = pd.DataFrame(X, columns=["a", "b"]), pd.DataFrame(Y, columns=["a", "b"])
    swapped = b[["b", "a"]]
    by_name = mmd_flow(a, b, Gaussian(1.0), steps=3)
    np.testing.assert_array_equal(mmd_flow(a, swapped, Gaussian(1.0), steps=3), by_name)
    named = KME(Gaussian(1.0)).embed(swapped)
    np.testing.assert_allclose(mmd_flow(a, named, steps=3)[:, :, ::-1], by_name, rtol=1e-12)


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: mmd_flow(X, Y[:, :1]), "points has 2 columns and target has 1; both need the same coordinates"),
        (lambda: mmd_flow(X, KME(Gaussian(1.0)).embed(Y[:, :1])), "points has 2 columns and the target has 1"),
        (lambda: mmd_flow(X, Y, steps=0), "steps must be at least 1, not 0"),
        (lambda: mmd_flow(X, Y, step=0), "step must be finite and above 0, not 0"),
        (lambda: mmd_flow(X, Y, step="long"), naming("step", "0")),
        (lambda: mmd_flow(X, Y, noise=-1), naming("noise", "-1", "0")),
        (lambda: mmd_flow(X, Y, noise=[1.0, 2.0]), naming("noise", "(2,)", "100")),
        (lambda: mmd_flow(X, Y, Laplacian()), "has no gradient here"),
        (lambda: mmd_flow(X, Y, Energy()), "has no gradient here"),
        (lambda: mmd_flow(["a"], ["b"], Delta()), "has no gradient here"),
        (
            lambda: mmd_flow(X, KME(Gaussian(1.0)).embed(Y), Gaussian(2.0)),
            naming("kernel", "None"),
        ),
        (lambda: mmd_flow(X[:0], Y), naming("points", "rows")),
        (lambda: mmd_flow(X, Y[:0]), naming("target", "rows")),
        (lambda: mmd_flow(X, Y, "rbf"), naming("kernel")),
        (lambda: mmd_flow(X, Y, Polynomial(3), step=1e3), "step|Polynomial"),
    ],
)
def test_what_cannot_be_is_a_sentence(act, words):
    with pytest.raises((ValueError, TypeError), match=words):
        act()
