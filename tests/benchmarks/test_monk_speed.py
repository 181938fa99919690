"""Running times of MONK as ratios of alternating pairs: `pytest -m benchmark --benchmark-enable`."""

import statistics
from time import process_time

import numpy as np
import pytest
from helpers.monk_literal import literal_bcd, literal_fast
from scipy.spatial.distance import cdist
from test_speed import report, seconds

from explorer import Gaussian, Polynomial, monk_mmd
from explorer.discrepancy import BlockPath
from explorer.discrepancy.monk.estimates import draw_orders

pytestmark = pytest.mark.benchmark

N, BLOCKS, ITERATIONS = 2000, 11, 100
KERNEL = Gaussian(2.0)  # in ten dimensions: a pooled Gram matrix that is regular, as the literal algorithms need


def samples(d=10):
    rng = np.random.default_rng(0)
    return rng.normal(size=(N, d)), rng.normal(size=(N, d)) + 0.2


@pytest.mark.parametrize(
    ("method", "literal", "least", "pairs"), [("bcd", literal_bcd, 20, 5), ("bcd-fast", literal_fast, 5, 7)]
)
def test_monk_against_the_literal_algorithm(benchmark, method, literal, least, pairs):
    """Both start from the samples and compute a Gram matrix, and the literal one its Cholesky factors; alternating."""
    X, Y = samples()

    def ours():
        return monk_mmd(X, Y, KERNEL, BLOCKS, method, ITERATIONS, rng=0)

    def theirs():
        Z = np.vstack([X, Y])
        K = np.exp(-cdist(Z, Z, "sqeuclidean") / (2 * KERNEL.bandwidth**2))
        return literal(K, BLOCKS, draw_orders(N, method, ITERATIONS, 0))

    np.testing.assert_allclose(ours().history, theirs()[0], rtol=0, atol=1e-8)
    measured = []
    for i in range(pairs):
        times = {act: seconds(act) for act in ((ours, theirs) if i % 2 else (theirs, ours))}
        measured.append(times[theirs] / times[ours])
    benchmark.pedantic(ours, rounds=1)
    assert report(benchmark, measured) >= least


def computing(act):
    """Return the seconds of this process alone: what its neighbours take is not counted."""
    start = process_time()
    act()
    return process_time() - start


@pytest.mark.parametrize(("kernel", "d"), [(Polynomial(2), 1), (Gaussian(1.0), 1), (KERNEL, 10)], ids=repr)
def test_a_move_of_the_slider_of_q(benchmark, kernel, d):
    """Milliseconds of the processor, not a ratio, since a user who drags the slider waits for them.

    The median of 9 for each odd Q from 1 to 41.
    """
    path = BlockPath(*samples(d), kernel, rng=0)
    for Q in path.prepared:
        path.at(Q)
    moves = {Q: statistics.median(computing(lambda Q=Q: path.at(Q)) for _ in range(9)) for Q in path.prepared}
    table = statistics.median(computing(path.table) for _ in range(3))
    benchmark.pedantic(path.at, args=(BLOCKS,), rounds=1)
    benchmark.extra_info.update(slowest=max(moves.values()), median=statistics.median(moves.values()), table=table)
    assert max(moves.values()) <= 5e-3
    assert table <= 0.1
