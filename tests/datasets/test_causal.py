"""Three variables, some of which act on others: their equations, their dependences, bad input."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import dhsic_test, hsic_test
from explorer.datasets import CAUSES, causal
from explorer.datasets.toys.causal import ARROWS, LAWS

EFFECTS = {
    "line": lambda u: u,
    "bend": lambda u: np.tanh(2 * u),
    "square": lambda u: u**2,
    "sine": lambda u: np.sin(3 * u),
}


@pytest.mark.parametrize("effect", EFFECTS)
def test_without_noise_an_effect_is_a_function_of_its_causes(effect):
    f = EFFECTS[effect]
    rows = {kind: causal(kind, 30, effect, 0.0, frequency=3.0, rng=0).T for kind in CAUSES}
    x, y, z = rows["fork"]
    np.testing.assert_allclose([x, y], [f(z), f(z)])
    x, y, z = rows["chain"]
    np.testing.assert_allclose([z, y], [f(x), f(f(x))])
    x, y, z = rows["collider"]
    np.testing.assert_allclose(z, f(x) + f(y))
    x, y, _ = rows["arrow"]
    np.testing.assert_allclose(y, f(x))
    x, y, z = rows["xor"]
    np.testing.assert_array_equal(np.sign(z), np.sign(x * y))


@pytest.mark.parametrize("kind", CAUSES)
@pytest.mark.parametrize("law", ["normal", "uniform"])
def test_rows_append_and_noise_and_the_arrow_are_added(kind, law):
    few, many = (causal(kind, n, "sine", 0.5, direct=0.25, law=law, rng=4) for n in (10, 25))
    np.testing.assert_array_equal(few, many[:10])
    plain = causal(kind, 25, "sine", 0.5, law=law, rng=4)
    np.testing.assert_allclose(many[:, 1] - plain[:, 1], 0.25 * many[:, 0])
    np.testing.assert_array_equal(many[:, 0], plain[:, 0])


def test_causes_and_noises_have_variance_one():
    for law in ("normal", "uniform"):
        X = causal("none", 40_000, law=law, rng=0)
        # 4.5 standard errors of a variance of 40,000 numbers, at most those of the normal distribution's
        np.testing.assert_allclose(X.var(axis=0), 1, atol=4.5 * np.sqrt(2 / 40_000))


def test_of_three_only_together_dependent_any_two_are_independent():
    x, y, z = causal("xor", 300, rng=0).T
    assert all(hsic_test(a, b, n_resamples=199, rng=0).pvalue > 0.05 for a, b in ((x, y), (x, z), (y, z)))
    assert dhsic_test([x, y, z], n_resamples=199, rng=0).pvalue == 0.005


def test_arrows_are_known_of_every_kind():
    assert set(ARROWS) == set(CAUSES)


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: causal("loop", 5), ("kind", *CAUSES, "loop")),
        (lambda: causal("fork", 5, "cube"), ("effect", *EFFECTS, "cube")),
        (lambda: causal("fork", 5, law="t"), ("law", *LAWS, "t")),
        (lambda: causal("fork", 0), ("n",)),
    ],
    ids=["kind", "effect", "law", "n"],
)
def test_bad_input_gets_a_sentence(call, says):
    with pytest.raises(ValueError, match=naming(*says)):
        call()
