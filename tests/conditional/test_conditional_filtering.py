"""The HMM filter: the forward algorithm on tables, a Kalman filter on a line, and what it refuses."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from helpers.naming import naming
from probability_tables import forward

from explorer import Delta, Gaussian, HMMFilter
from explorer.checks import Refusal

TRANSITION = np.array([[0.5, 0.25, 0.25], [0.25, 0.75, 0.0], [0.5, 0.0, 0.5]])
EMISSION = np.array([[0.75, 0.25], [0.25, 0.75], [0.5, 0.5]])


def exact_sequence():
    """Return a sequence with each (s, o, s') in proportion to P(s) P(s'|s) P(o|s).

    A circle through all edges of a graph whose nodes have as many ways in as out (Hierholzer); the symbol that is
    seen in a state does not depend on the way that follows.
    """
    share = np.linalg.matrix_power(TRANSITION, 200)[0]  # 0.4, 0.4, 0.2
    flows = np.round(share[:, None] * TRANSITION * 120).astype(int)  # multiples of 4
    assert (flows.sum(axis=0) == flows.sum(axis=1)).all()
    left, path, circle = flows.copy(), [0], []
    while path:
        ways = np.flatnonzero(left[path[-1]])
        if len(ways):
            left[path[-1], ways[0]] -= 1
            path.append(int(ways[0]))
        else:
            circle.append(path.pop())
    states, count = np.array(circle[::-1]), np.zeros((3, 3), dtype=int)
    seen = []
    for s, after in pairwise(states):
        # number of each four transitions of a kind that show symbol 0
        seen.append(0 if count[s, after] % 4 < 4 * EMISSION[s, 0] else 1)
        count[s, after] += 1
    return states, np.array([*seen, 0])


@pytest.mark.parametrize("two_step", [False, True])
def test_on_a_table_it_is_the_forward_algorithm(two_step):
    states, seen = exact_sequence()
    now = states[:-1]
    model = HMMFilter(Delta(), Delta(), 1e-10, 1e-10, two_step).fit(states, seen)
    observed = [0, 1, 1, 0, 1, 1, 0]
    beliefs = model.filter(observed)
    tables = np.column_stack([beliefs[:, now == s].sum(axis=1) for s in range(3)])
    exact = forward(np.bincount(now) / len(now), TRANSITION, EMISSION, observed)
    # λ̃ = 1e-10 is small next to probabilities squared of 0.01 and more
    assert tables == pytest.approx(exact, abs=1e-6)
    assert beliefs.sum(axis=1) == pytest.approx(np.ones(7), abs=1e-12)


def walk(T, seed=0):
    """Return a state that forgets, s' = 0.9 s + N(0, 0.3²), seen as o = s + N(0, 0.5²)."""
    rng = np.random.default_rng(seed)
    s = np.zeros(T)
    for t in range(1, T):
        s[t] = 0.9 * s[t - 1] + 0.3 * rng.normal()
    return s, s + 0.5 * rng.normal(size=T)


def kalman(observed, variance):
    mean, means = 0.0, []
    for o in observed:
        mean, variance = 0.9 * mean, 0.81 * variance + 0.09
        gain = variance / (variance + 0.25)
        mean, variance = mean + gain * (o - mean), (1 - gain) * variance
        means.append(mean)
    return np.array(means)


@pytest.mark.parametrize("two_step", [False, True])
def test_on_a_line_it_comes_near_the_kalman_filter(two_step):
    model = HMMFilter(None, None, 0.5, 1e-4, two_step).fit(*walk(501))
    states, observed = walk(121, seed=1)
    means = model.filter(observed) @ model.states_[:, 0]
    best = kalman(observed, 0.09 / 0.19)
    error, least, raw = (np.sqrt(np.mean((m - states)[20:] ** 2)) for m in (means, best, observed))
    assert least < error < 1.3 * least
    assert error < 0.75 * raw


def test_a_step_is_the_formula():
    """D K((DK)² + λ̃)^-1 D k_o with the prediction's D, by dense solves."""
    s, o = walk(60)
    model = HMMFilter(Gaussian(0.5), Gaussian(0.5), 0.1, 1e-3, two_step=True).fit(s, o)
    k, S, n = Gaussian(0.5), s[:-1, None], 59
    G, after, K = k(S), k(S, s[1:, None]), k(o[:-1, None])
    belief = np.full(n, 1 / n)
    for t, weights in enumerate(model.filter([0.3, -0.4])):
        spread = np.linalg.solve(G + 0.1 * np.eye(n), G @ belief)
        D = np.linalg.solve(G + 0.1 * np.eye(n), after @ spread)
        DK = D[:, None] * K
        belief = DK @ np.linalg.solve(DK @ DK + 1e-3 * np.eye(n), D * k(o[:-1, None], [[(0.3, -0.4)[t]]])[:, 0])
        belief /= belief.sum()
        assert weights == pytest.approx(belief, abs=1e-10)


def test_initial_weights_are_the_belief_before_the_first_prediction():
    model = HMMFilter(None, None, 0.5, 1e-4).fit(*walk(100))
    beliefs = model.filter([0.1, 0.5, 0.4])
    assert model.filter([0.4], initial=beliefs[1])[0] == pytest.approx(beliefs[2], abs=1e-12)


def test_its_code_names_what_has_no_default():
    model = HMMFilter(None, Delta(), 0.1, 0.2)
    assert repr(model) == "HMMFilter(kernel_state=None, kernel_obs=Delta(), lam=0.1, lam_posterior=0.2)"
    assert eval(repr(model), {"HMMFilter": HMMFilter, "Delta": Delta}) == model


def test_it_pickles():
    model = HMMFilter(None, None, 0.5, 1e-4).fit(*walk(50))
    assert np.array_equal(pickle.loads(pickle.dumps(model)).filter([0.1]), model.filter([0.1]))


REFUSED = {
    "no lam": (lambda s, o: HMMFilter(None, None, 0, 0.1), ("HMMFilter.lam", "0")),
    "an infinite one": (lambda s, o: HMMFilter(None, None, 0.1, np.inf), ("HMMFilter.lam_posterior", "0")),
    "not fitted": (lambda s, o: HMMFilter(None, None, 0.1, 0.1).filter(o), ("fit(states, observations)",)),
    "one state": (lambda s, o: HMMFilter(None, None, 0.1, 0.1).fit(s[:1], o[:1]), ("1", "2")),
    "other lengths": (lambda s, o: HMMFilter(None, None, 0.1, 0.1).fit(s, o[1:]), ("20", "19")),
    "an unseen symbol": (
        lambda s, o: HMMFilter(None, Delta(), 0.1, 0.1).fit(s, ["a", "b"] * 10).filter(["a", "c", "b"]),
        ("row 1 of the observations",),
    ),
    "initial of another length": (
        lambda s, o: HMMFilter(None, None, 0.1, 0.1).fit(s, o).filter([0.0], initial=[1.0]),
        ("initial", "(1,)", "19 points"),
    ),
    "another width": (
        lambda s, o: HMMFilter(None, None, 0.1, 0.1).fit(s, o).filter([[0.0, 1.0]]),
        ("2 columns",),
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_refused(case):
    act, parts = REFUSED[case]
    with pytest.raises(Refusal, match=naming(*parts)):
        act(*walk(20))
