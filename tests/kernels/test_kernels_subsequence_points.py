"""Points of the subsequence kernel, the features it offers, and strings that it cannot distinguish."""

from itertools import product

import numpy as np
import pandas as pd
import pytest
from helpers.naming import naming
from kernels_and_estimators import spelt

from explorer import Embedding, Gaussian, Subsequence
from explorer.kernels.subsequence import kernel as subsequence
from explorer.kernels.subsequence import letters as text

WORDS = ["rain", "train", "", "sun"]


@pytest.mark.parametrize(
    "given",
    [
        WORDS,
        tuple(WORDS),
        np.array(WORDS),
        np.array(WORDS)[:, None],
        np.array(WORDS, dtype="U40"),
        np.array(WORDS, dtype=">U5"),
        np.array(WORDS, dtype=object),
        [[word] for word in WORDS],
        pd.Series(WORDS),
        pd.DataFrame({"word": WORDS}),
        np.ma.array(WORDS),
    ],
)
def test_strings_come_in_many_shapes_and_become_one(given):
    points = Subsequence(2).points(given)
    assert (points.shape, points.dtype) == ((4, 1), np.dtype("U5"))
    assert points[:, 0].tolist() == WORDS
    np.testing.assert_array_equal(Subsequence(2)(given), Subsequence(2)(WORDS))


def test_numpys_own_text_of_any_length():
    if not hasattr(np.dtypes, "StringDType"):  # numpy 1
        pytest.skip("this numpy has no such type")
    text = np.array(["rain", "sun"], dtype=np.dtypes.StringDType(na_object=None))
    np.testing.assert_array_equal(Subsequence(2).points(text), [["rain"], ["sun"]])
    text[1] = None
    with pytest.raises(TypeError, match=naming("X[1]", "None")):
        Subsequence(2)(text)


@pytest.mark.parametrize(
    ("bad", "error", "said"),
    [
        ([1.0, 2.0], TypeError, "X[0] 1.0"),
        (np.array([1.0, 2.0]), TypeError, "X float64"),
        (["rain", 1.5], TypeError, "X[1] 1.5"),
        (["rain", None], TypeError, "X[1] None"),
        (
            pd.Series(["rain", np.nan], dtype=object),
            TypeError,
            "X[1] nan",
        ),
        (np.ma.array(["rain", "sun"], mask=[0, 1]), TypeError, "X[1] None"),
        (np.array([b"rain"]), TypeError, "X bytes X.astype(str)"),
        ("rain", ValueError, "X 'rain' list"),
        ("x" * 1000, ValueError, "X list"),
        (None, TypeError, "X None"),
        ([["a", "b"]], ValueError, "X 2"),
        (np.full((2, 2, 2), "a"), ValueError, "X 3"),
        ([], ValueError, "X 1 rows"),
        (["rain", "su\0n"], ValueError, "X[1] 0"),
        (["rain", "sun\0"], ValueError, "X[1] 0"),
        (np.array(["rain", "su\0n"]), ValueError, "X[1] 0"),
    ],
)
def test_what_is_no_sample_of_strings(bad, error, said):
    for act in (Subsequence(), Subsequence().diagonal, Subsequence().features):
        with pytest.raises(error, match=naming(*said.split())):
            act(bad)
    if bad is not None:  # Y=None means Y=X
        with pytest.raises(error, match=naming(*said.replace("X[", "Y[").replace("X ", "Y ").split())):
            Subsequence()(["rain"], bad)


def test_strings_in_the_place_of_numbers():
    with pytest.raises(TypeError, match=naming("Delta")):
        Gaussian(1.0)(["rain", "sun"])
    with pytest.raises(TypeError, match=naming("Delta")):
        Gaussian(1.0)([1.0, "sun"])


def test_one_very_long_string_among_many_is_a_sentence(monkeypatch):
    monkeypatch.setattr(text, "GIGABYTES", 1e-3)
    Subsequence().points(["a" * 1000] * 250)
    with pytest.raises(ValueError, match=naming("251", "1000")):
        Subsequence().points(["a"] * 250 + ["a" * 1000])


@pytest.mark.parametrize(
    ("parameters", "error", "said"),
    [
        ({"length": 0}, ValueError, "Subsequence.length 1 0"),
        ({"length": 2.5}, TypeError, "Subsequence.length 2.5"),
        ({"decay": 0}, ValueError, "Subsequence.decay 0 1"),
        ({"decay": 1.1}, ValueError, "Subsequence.decay 0 1 1.1"),
        ({"normalized": 2}, ValueError, "Subsequence.normalized True False"),
    ],
)
def test_parameters_have_bounds(parameters, error, said):
    with pytest.raises(error, match=naming(*said.split())):
        Subsequence(**parameters)


def test_pairs_are_the_gram_matrix():
    k = Subsequence(2, 0.7)
    S = k.pairs(k.points(WORDS))
    np.testing.assert_array_equal(S, k(WORDS))
    assert k.of_pairs(S) is S


def test_a_gram_matrix_is_symmetric_to_the_bit():
    rng = np.random.default_rng(0)
    for letters, p in (("ACGT", 3), ("abcdefghijklmnopqrstuvwxyz", 5)):
        K = Subsequence(p)(["".join(rng.choice(list(letters), 20)) for _ in range(60)])
        np.testing.assert_array_equal(K, K.T)


# features --------------------------------------------------------------------------------------------------------


@pytest.mark.thorough(
    default=["None-1-False", "None-3-True", "None-3-False", "rtniaus-2-True", "rtniaus-2-False", "alphabet2-3-True"]
)
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("length", [1, 2, 3])
@pytest.mark.parametrize("alphabet", [None, "rtniaus", list("zyabinrstu")])
def test_features_are_the_definition_in_the_order_of_the_alphabet(alphabet, length, normalized):
    k = Subsequence(length, 0.6, normalized)
    letters = sorted(set("".join(WORDS))) if alphabet is None else alphabet
    columns = ["".join(u) for u in product(letters, repeat=length)]
    psi = np.array([[spelt(k, s)[u] for u in columns] for s in WORDS])
    if normalized:
        norms = np.linalg.norm(psi, axis=1, keepdims=True)
        psi = np.divide(psi, norms, out=np.zeros_like(psi), where=norms > 0)
    F = k.features(WORDS, alphabet)
    np.testing.assert_allclose(F, psi, rtol=1e-13, atol=0)
    np.testing.assert_allclose(F @ F.T, k(WORDS), rtol=1e-13)


def test_features_of_nothing():
    assert Subsequence().features(["", ""]).shape == (2, 0)
    np.testing.assert_array_equal(Subsequence(3).features(["a", ""]), np.zeros((2, 1)))
    np.testing.assert_array_equal(Subsequence(10**7).features(["aa"]), [[0.0]])


@pytest.mark.parametrize(
    ("length", "alphabet", "said"),
    [
        (3, "rain", "X 'rain' 's' 't' 'u'"),
        (3, "rrain", "alphabet 'ACGT' 'rrain'"),
        (3, ["r", "ain"], "alphabet 'ACGT'"),
        (3, "rainstu\0", "alphabet 'ACGT'"),
        (3, 7, "alphabet 7"),
        (10, None, "4 7^10 1 length"),
        (10**9, None, "4 7^1000000000"),
    ],
)
def test_features_that_cannot_be_given(length, alphabet, said):
    with pytest.raises(ValueError, match=naming(*said.split())):
        Subsequence(length).features(WORDS, alphabet)


def test_as_many_features_as_fit(monkeypatch):
    monkeypatch.setattr(subsequence, "GIGABYTES", 4 * 7**3 * 8 / 1e9)
    assert Subsequence(3).features(WORDS).shape == (4, 343)
    with pytest.raises(ValueError, match=naming("GB")):
        Subsequence(3).features([*WORDS, "rain"])


# its texts ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("k", [Subsequence(2), Subsequence(2, normalized=False), Subsequence(3, 1.0)])
def test_two_laws_on_short_strings_embed_alike(k):
    gap = Embedding(k, ["a"], [1.0]).distance(Embedding(k, ["b"], [1.0]))
    assert gap == 0
    assert not k.characteristic
    assert not k.universal


def test_longer_strings_outnumber_the_features():
    X = ["".join(s) for s in product("ab", repeat=6)]
    assert len(X) == 64
    assert np.linalg.matrix_rank(Subsequence(3)(X)) <= 8


@pytest.mark.parametrize(("decay", "length", "growth"), [(0.5, 3, 2), (1.0, 1, 2), (1.0, 2, 4)])
def test_long_strings_have_large_values_unless_normalized(decay, length, growth):
    k, X = Subsequence(length, decay, False), ["ab" * 300, "ab" * 900]
    assert k.growth == growth
    near, far = k.diagonal(X)
    # the ends are 1 letter in 100
    assert far / near == pytest.approx(3.0**growth, rel=0.02)
    assert k.replace(normalized=True).growth == 0
    assert k.replace(normalized=True).bounded
    assert not k.bounded
