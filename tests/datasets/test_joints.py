"""Joint distributions and motions: densities that integrate to one, conditionals by counting, posteriors in closed
form.
"""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import KME, Gaussian, GaussianMixture
from explorer.checks import Refusal
from explorer.datasets import JOINTS, MOTIONS, joint, motion


@pytest.mark.parametrize("kind", JOINTS)
def test_the_density_of_y_is_that_of_the_mixture_and_its_mean_the_mean(kind):
    y, law = np.linspace(-12, 12, 4801), joint(kind).given(0.7)
    density = joint(kind).density([0.7], y)[0]
    assert density == pytest.approx(np.exp(law.logpdf(y[:, None])), abs=1e-12)
    assert density.sum() * (y[1] - y[0]) == pytest.approx(1.0, abs=1e-9)
    assert joint(kind).mean([0.7]) == pytest.approx(law.mean)


@pytest.mark.parametrize("kind", JOINTS)
def test_pairs_near_a_place_are_like_the_conditional_there(kind):
    X, Y = joint(kind).sample(200_000, 1)
    near = Y[np.abs(X[:, 0] - 0.7) < 0.02]
    k = Gaussian(0.5)
    # some 2500 pairs: a kernel mean's error is about 1/50
    assert KME(k).embed(near).distance(joint(kind).given(0.7).embed(k)) < 0.06


@pytest.mark.parametrize("kind", JOINTS)
def test_a_larger_sample_keeps_the_pairs(kind):
    (X, Y), (X2, Y2) = joint(kind).sample(5, 1), joint(kind).sample(9, 1)
    assert (X2[:5] == X).all()
    assert (Y2[:5] == Y).all()


def test_the_posterior_of_two_gaussians_is_the_known_one():
    prior, k = GaussianMixture([1.0], [[0.5]], [[0.25]]), Gaussian(0.7)
    variance = 1 / (1 / 0.25 + 0.8**2 / 0.36)  # x given y is N(0.8 y, 0.36)
    mean = variance * (0.5 / 0.25 + 0.8 * 0.8 / 0.36)
    known = GaussianMixture([1.0], [[mean]], [[variance]]).embed(k)
    assert joint("gaussian").posterior(0.8, prior, k).distance(known) < 1e-7


@pytest.mark.parametrize("kind", JOINTS)
def test_the_posterior_is_what_rejection_keeps(kind):
    prior, k = GaussianMixture([1.0], [[0.3]], [[0.4**2]]), Gaussian(0.5)
    X, Y = joint(kind).sample(400_000, 2)
    near = Y[np.abs(X[:, 0] - 0.6) < 0.02, 0]
    marginal = np.exp(-0.5 * np.linspace(-6, 6, 481) ** 2) @ joint(kind).density(np.linspace(-6, 6, 481), near)
    weights = np.exp(prior.logpdf(near[:, None])) / marginal  # p(y | x) over p(y), times the prior
    kept = (weights / weights.sum()) @ k(near[:, None], [[0.0], [0.5], [1.0]])
    assert joint(kind).posterior(0.6, prior, k)([[0.0], [0.5], [1.0]]) == pytest.approx(kept, abs=0.05)


def test_an_impossible_x_and_unknown_names_are_sentences():
    with pytest.raises(Refusal, match=naming("x = -30", "prior")):
        joint("banana").posterior(-30.0, GaussianMixture([1.0], [[0.0]], [[1e-6]]), Gaussian(1.0))
    for call, names in ((joint, JOINTS), (motion, MOTIONS)):
        with pytest.raises(Refusal, match=naming("'spiral'", *names)):
            call("spiral")


@pytest.mark.parametrize("kind", MOTIONS)
def test_a_motion_steps_as_it_says(kind):
    states, seen = motion(kind).sequence(20_000, 0.5, 3)
    left = states[1:] - motion(kind).forward(states[:-1])
    assert left.std() == pytest.approx(motion(kind).step, rel=0.03)  # 20,000 steps know it to half a percent
    assert (seen - states).std() == pytest.approx(0.5, rel=0.03)
    assert np.abs(states).max() < 6
    again, _ = motion(kind).sequence(10, 0.5, 3)
    assert (again == states[:10]).all()


def test_the_line_keeps_its_variance():
    states, _ = motion("line").sequence(20_000, 0.5, 4)
    assert states.var() == pytest.approx(1.0, abs=0.1)
