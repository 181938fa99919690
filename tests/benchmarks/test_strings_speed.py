"""The subsequence kernel against the package strkernels, in pairs of strings a second.

`pytest -m benchmark --benchmark-enable`.

Its `SubsequenceStringKernel(maxlen=p, ssk_lambda=λ)`, in C on all cores, is the comparable one: the sum of K_1, ...,
K_p, while ours is K_p alone. To its dynamic programme the shorter lengths come for nothing, since K_p needs them; to
explicit features they do not, so ours is also timed on the very matrix that theirs gives.

Theirs takes half a minute and more for all 1532 strings, so in each run it gets the first 256. Its time is in
proportion to the number of pairs: 33 thousand a second for 256 strings, 35 thousand for 512, on two cores.
"""

import statistics

import numpy as np
import pytest
from test_speed import report, seconds

from explorer import Subsequence

pytestmark = pytest.mark.benchmark

N, L, P, DECAY = 1532, 60, 5, 0.5  # the splice junctions of the MONK paper: 766 strings of two classes, 60 bases
FEW = 256
PAIRS = 7  # a second and more each


@pytest.fixture(name="theirs")
def _theirs():
    strkernels = pytest.importorskip(
        "strkernels", reason="the package strkernels is not installed: nothing to compare with"
    )
    return strkernels.SubsequenceStringKernel


def drawn():
    return ["".join(s) for s in np.random.default_rng(0).choice(list("ACGT"), (N, L))]


def of_all_lengths(X):
    """Return the normalized sum of K_1, ..., K_p: what theirs computes."""
    K = sum(Subsequence(q, DECAY, normalized=False)(X) for q in range(1, P + 1))
    size = np.sqrt(np.diag(K))
    return K / np.outer(size, size)


def faster(ours, theirs):
    """Return the ratios of speeds in pairs of strings per second, after a warm-up; each function goes first in turn."""
    ours(), theirs()
    measured = []
    for i in range(PAIRS):
        times = {act: seconds(act) for act in ((ours, theirs) if i % 2 else (theirs, ours))}
        measured.append((N * (N + 1) / times[ours]) / (FEW * (FEW + 1) / times[theirs]))
    return measured


def test_the_two_kernels_are_comparable(theirs):
    X = drawn()[:40]
    np.testing.assert_allclose(of_all_lengths(X), theirs(maxlen=P, ssk_lambda=DECAY)(X, X), rtol=1e-12)
    longer, shorter = (theirs(normalizer=None, maxlen=q, ssk_lambda=DECAY)(X, X) for q in (P, P - 1))
    # K_5 is one part in a hundred of the two sums
    np.testing.assert_allclose(longer - shorter, Subsequence(P, DECAY, normalized=False)(X), rtol=1e-10)


def test_the_gram_matrix_of_the_splice_junctions(theirs, benchmark):
    X = drawn()
    some = X[:FEW]
    measured = faster(lambda: Subsequence(P, DECAY)(X), lambda: theirs(maxlen=P, ssk_lambda=DECAY)(some, some))
    benchmark.pedantic(Subsequence(P, DECAY), args=(X,), rounds=1)
    assert report(benchmark, measured) >= 50


def test_the_very_matrix_that_the_other_package_gives(theirs, benchmark):
    X = drawn()
    some = X[:FEW]
    measured = faster(lambda: of_all_lengths(X), lambda: theirs(maxlen=P, ssk_lambda=DECAY)(some, some))
    benchmark.pedantic(of_all_lengths, args=(X,), rounds=1)
    assert report(benchmark, measured) >= 50


def test_the_gram_matrix_takes_well_under_a_second(benchmark):
    """Seconds, not a ratio, since a user who drags the slider of p waits for them."""
    X = drawn()
    k = Subsequence(P, DECAY)
    k(X)
    measured = [seconds(lambda: k(X)) for _ in range(PAIRS)]
    benchmark.pedantic(k, args=(X,), rounds=1)
    benchmark.extra_info.update(seconds=statistics.median(measured))
    assert statistics.median(measured) < 0.5
