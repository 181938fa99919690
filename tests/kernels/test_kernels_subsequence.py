"""The subsequence kernel's values: by hand, by enumeration, by each of its methods, and in limits that are known."""

import math
import tracemalloc
from collections import Counter

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import subsequences

from explorer import Subsequence
from explorer.kernels.subsequence import features as by_feature
from explorer.kernels.subsequence import gram as cheapest
from explorer.kernels.subsequence import kernel as subsequence
from explorer.kernels.subsequence import pairs as by_pair
from explorer.kernels.subsequence.letters import ranks

# all terms are positive, so every method is exact to its few hundred roundings; 1e-12 is what was promised
RTOL = 1e-12


def drawn(n, low, high, letters, seed=0):
    """n strings of low to high letters, (n, 1)."""
    rng = np.random.default_rng(seed)
    return np.array(["".join(rng.choice(list(letters), length)) for length in rng.integers(low, high + 1, n)])[:, None]


@pytest.mark.parametrize("decay", [0.05, 0.5, 0.9, 1.0])
def test_the_words_of_the_paper(decay):
    """Lodhi et al. 2002, section 3: c-a, c-t, a-t, ... of cat, car, bat and bar."""
    K = Subsequence(2, decay, normalized=False)(["car", "cat", "bat", "bar"])
    own = 2 * decay**4 + decay**6
    np.testing.assert_allclose(K[0], [own, decay**4, 0, decay**4], rtol=RTOL)
    np.testing.assert_allclose(np.diag(K), own, rtol=RTOL)
    np.testing.assert_allclose(Subsequence(2, decay)(["car"], ["cat"]), [[1 / (2 + decay**2)]], rtol=RTOL)


@pytest.mark.thorough(default=["*-*-0.05-True", "ab-1-*-False", "*-2-*-False"])
@pytest.mark.parametrize("normalized", [True, False])
@pytest.mark.parametrize("decay", [0.05, 0.5, 1.0])
@pytest.mark.parametrize("length", [1, 2, 3, 4])
@pytest.mark.parametrize("letters", ["ab", "ACGT", "abcdefghijklmnopqrstuvwxyz"])
def test_enumeration(letters, length, decay, normalized):
    k = Subsequence(length, decay, normalized)
    X, Y = (
        drawn(6, 0, 9, letters, seed=1),
        drawn(5, 0, 9, letters[1:] + "?", seed=2),
    )  # each has a letter the other lacks
    for A, B in ((X, None), (X, Y), (Y, X)):
        other = A if B is None else B
        np.testing.assert_allclose(k(A, B), subsequences(k, A[:, None], other[None]), rtol=RTOL)


METHODS = {
    "features": lambda x, y, a, p, decay: by_feature.gram(x, y, a, p, decay),
    "programme": lambda x, y, a, p, decay: by_pair.gram(x, y, p, decay),
}


@pytest.mark.thorough(
    default=[
        "ab-1-features",
        "ab-1-programme",
        "ab-2-programme",
        "ACGT-1-programme",
        "ACGT-2-features",
        "abcdefghij-1-programme",
        "abcdefghij-2-features",
        "abcdefghij-2-programme",
    ]
)
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("length", [1, 2, 3, 4])
@pytest.mark.parametrize("letters", ["ab", "ACGT", "abcdefghij"])
def test_each_road_is_exact(letters, length, method):
    k, X, Y = Subsequence(length, 0.7, False), drawn(7, 0, 10, letters), drawn(6, 3, 10, letters, seed=1)
    for A, B in ((X, None), (X, Y)):
        x, y, a = ranks(A, B)
        K = k.decay ** (2 * length) * METHODS[method](x, y, a, length, k.decay)
        other = A if B is None else B
        np.testing.assert_allclose(K, subsequences(k, A[:, None], other[None]), rtol=RTOL)


@pytest.mark.parametrize("length", [1, 3, 5])
def test_the_roads_agree_on_long_strings_of_many_lengths(length, monkeypatch):
    """Too long to enumerate; small tables, so that blocks of strings, pairs and columns have to meet."""
    monkeypatch.setattr(by_pair, "BYTES", 300_000)
    monkeypatch.setattr(by_feature, "BYTES", 20_000)
    monkeypatch.setattr(by_feature, "ROWS", 4)
    X, Y = drawn(23, 0, 50, "ACGT"), drawn(9, 20, 40, "CGTN", seed=1)
    for A, B in ((X, None), (X, Y)):
        x, y, a = ranks(A, B)
        results = [method(x, y, a, length, 0.6) for method in METHODS.values()]
        np.testing.assert_allclose(results[0], results[1], rtol=RTOL)
        assert (results[0] > 0).any()
    own = np.diag(METHODS["features"](x, None, a, length, 0.6))
    np.testing.assert_allclose(by_feature.squares(x, a, length, 0.6), own, rtol=RTOL)
    np.testing.assert_allclose(by_pair.squares(x, length, 0.6), own, rtol=RTOL)


@pytest.mark.parametrize(
    ("letters", "rare", "length", "columns", "one_by_one"),
    [
        ("ACGT", "", 5, 4, 0),
        (
            "ACGT",
            "NDS",
            5,
            4,
            3,
        ),  # four bases go through features, three strings with a rare letter also meet one by one
        ("abcdefghijklmnopqrstuvwxyz", "", 5, 0, 60),
        ("abcdefghijklmnopqrstuvwxyz", "", 1, 26, 0),
    ],
)
def test_the_cheapest_road_is_taken(letters, rare, length, columns, one_by_one, monkeypatch):
    X = drawn(60, 40, 40, letters)
    for i, letter in enumerate(rare):
        X[i, 0] = f"{X[i, 0][:20]}{letter}{X[i, 0][21:]}"
    by_features, by_pairs, taken = by_feature.gram, by_pair.gram, [0, 0]

    def features(x, y, a, p, decay):
        taken[0] = a
        return by_features(x, y, a, p, decay)

    def pairs(x, y, p, decay):
        taken[1] = len(x)
        return by_pairs(x, y, p, decay)

    monkeypatch.setattr(by_feature, "gram", features)
    monkeypatch.setattr(by_pair, "gram", pairs)
    K = cheapest.gap_weighted(X, None, length, 0.5)
    assert taken == [columns, one_by_one]
    some = np.r_[:6, 50:60]
    np.testing.assert_allclose(K[np.ix_(some, some)], by_pairs(ranks(X[some])[0], None, length, 0.5), rtol=RTOL)
    own = cheapest.self_weighted(X, length, 0.5)
    np.testing.assert_allclose(own, np.diag(K), rtol=RTOL)


def test_a_block_of_features_has_a_given_ending():
    X = drawn(5, 0, 12, "abc")
    x, _, a = ranks(X)
    F = by_feature.features(x, a, 4, 0.6).reshape(-1, a, a, a, a)
    np.testing.assert_array_equal(by_feature.features(x, a, 4, 0.6, (2, 1)), F[:, :, :, 2, 1].reshape(len(X), -1))


def test_letters_of_one_side_alone_have_no_rank():
    """The strings below share b and a, with b more frequent; letters without a rank have no feature."""
    x, y, size = ranks(np.array([["abb?"], ["b"]]), np.array([["cab"]]))
    assert size == 2
    assert x.tolist() == [[1, 0, 0, -1], [0, -1, -1, -1]]
    assert y.tolist() == [[-1, 1, 0]]


def test_one_letter_alone_counts_by_binomials():
    """a^n spells a^p at C(n, p) places, C(l - 2, p - 2) (n - l + 1) of them with span l."""
    n, p, decay = 30, 4, 0.8
    assert Subsequence(p, 1.0, False)(["a" * n])[0, 0] == pytest.approx(math.comb(n, p) ** 2, rel=RTOL)
    psi = sum((n - l + 1) * math.comb(l - 2, p - 2) * decay**l for l in range(p, n + 1))
    assert Subsequence(p, decay, False)(["a" * n])[0, 0] == pytest.approx(psi**2, rel=RTOL)


def test_no_decay_counts_shared_subsequences():
    """abab and aabb share ab at 3 x 4 pairs of places, aa at 1 x 1, bb at 1 x 1."""
    assert Subsequence(2, 1.0, False)(["abab"], ["aabb"])[0, 0] == pytest.approx(14, rel=RTOL)


def test_under_a_strong_decay_only_runs_without_gaps_count():
    """The spectrum kernel, as a limit; λ^6 underflows here, and the normalized kernel does not need it."""
    X, p = drawn(12, 3, 40, "ACGT"), 3
    runs = [Counter(s[i : i + p] for i in range(len(s) - p + 1)) for s in X[:, 0]]
    spectrum = np.array([[sum(R[u] * S[u] for u in R) for S in runs] for R in runs], dtype=float)
    size = np.sqrt(np.diag(spectrum))
    # one gap is a factor 1e-100
    np.testing.assert_allclose(Subsequence(p, 1e-100)(X), spectrum / np.outer(size, size), rtol=RTOL, atol=1e-99)


def test_letters_are_names_and_strings_read_backwards_too():
    X, k = drawn(15, 2, 30, "ACGT"), Subsequence(4, 0.7)
    table = str.maketrans("ACGT", "ä漢\U0001d538c")  # one of them beyond 16 bits
    renamed, backwards = [s.translate(table) for s in X[:, 0]], [s[::-1] for s in X[:, 0]]
    np.testing.assert_allclose(k(renamed), k(X), rtol=RTOL)
    np.testing.assert_allclose(k(backwards), k(X), rtol=RTOL)


def test_strings_shorter_than_the_length_have_no_direction():
    k, X = Subsequence(3), ["", "ab", "abc", "abc", "cab"]
    K = k(X)
    np.testing.assert_array_equal(K[:2], 0)
    np.testing.assert_allclose(K[2:, 2:], [[1, 1, 0], [1, 1, 0], [0, 0, 1]], rtol=RTOL)
    np.testing.assert_array_equal(k.diagonal(X), [0, 0, 1, 1, 1])
    np.testing.assert_array_equal(k(["", "a"]), 0)
    for normalized in (True, False):
        far = Subsequence(10**9, normalized=normalized)  # longer than every string
        np.testing.assert_array_equal(far(X, ["abc"]), np.zeros((5, 1)))
        np.testing.assert_array_equal(far.diagonal(X), 0)


def test_normalization_is_that_of_every_kernel():
    X, Y, k = drawn(20, 3, 40, "ACGT"), drawn(10, 3, 40, "CGTN", seed=1), Subsequence(3, 0.6, normalized=False)
    left, right = np.sqrt(k.diagonal(X)), np.sqrt(k.diagonal(Y))
    np.testing.assert_allclose(k.replace(normalized=True)(X, Y), k(X, Y) / left[:, None] / right, rtol=RTOL)


def test_too_many_subsequences_are_a_sentence(monkeypatch):
    facts = naming("1e308", "length", "decay")
    with pytest.raises(ValueError, match=facts):
        Subsequence(250, 1.0)(["a" * 520])  # C(520, 250)^2 = 1e310
    k = Subsequence(2, 1.0, normalized=False)
    for method, act in (("gap_weighted", k), ("self_weighted", k.diagonal), ("features", k.features)):
        monkeypatch.setattr(subsequence, method, lambda *_: np.array([[np.inf]]))
        with pytest.raises(ValueError, match=facts):
            act(["aa"])


def test_memory_is_bounded_beside_the_gram_matrix(monkeypatch):
    """4^6 features of 300 strings are 10 MB, and the programme's tables for all pairs of 100 of them would be 22 MB."""
    monkeypatch.setattr(by_feature, "BYTES", 2_000_000)
    monkeypatch.setattr(by_pair, "BYTES", 2_000_000)
    X = drawn(300, 20, 20, "ACGT")
    x, _, a = ranks(X)
    for method, rows in (("features", 300), ("programme", 100)):
        tracemalloc.start()
        K = METHODS[method](x[:rows], None, a, 6, 0.5)
        peak = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        # two Gram matrices, one of them a block's, the features or tables, and what a chunk of strings needs
        assert peak < 2 * K.nbytes + 3 * 2_000_000, method
