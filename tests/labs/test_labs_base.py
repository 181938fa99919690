"""Properties of every lab: a change is complete or has no effect, and memory is bounded."""

from functools import partial

import numpy as np
import pytest
from helpers.naming import naming

from explorer import Gaussian, GaussianMixture, Precomputed
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage import result as shown
from explorer.labs.shrinkage.lab import LAWS
from explorer.workbench import kernels
from explorer.workbench.cache import Cache, bytes_of
from explorer.workbench.fields import BUNDLED
from explorer.workbench.slider_stops import log_steps, with_value

WRONG = [
    ("n", 1),
    ("n", 2001),
    ("n", 2.5),
    ("n", "20"),
    ("n", True),
    ("n", None),
    ("d", 0),
    ("d", 101),
    ("lam", -1e-9),
    ("lam", np.nan),
    ("lam", "auto"),
    ("bandwidth", 0),
    ("bandwidth", None),
    ("bandwidth", np.inf),
    ("distance", 0),
    ("seed", -1),
    ("seed", 2**32),
    ("kernel", "SPLINE"),
    ("source", "iris"),
    ("kind", "ghosts"),
    ("selection", "theorem-5"),
    ("missing", "keep"),
    ("standardise", "yes"),
    ("file", 3),
    ("rows", -1),
]


def watched_batches(lab):
    """Return the batches of field names that a watcher of the lab hears."""
    batches = []
    lab.param.watch(lambda *events: batches.append({e.name for e in events}), list(ShrinkageLab.fields))
    return batches


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_wrong_value_is_a_sentence_and_changes_nothing(field, value):
    lab = ShrinkageLab(lam=0.1)
    before, batches = lab.key, watched_batches(lab)
    for attempt in (
        (lambda: setattr(lab, field, value), lambda: lab.move(seed=9, **{field: value}))
        if field != "seed"
        else (
            lambda: setattr(lab, field, value),
            lambda: lab.move(n=9, **{field: value}),
        )
    ):
        with pytest.raises((TypeError, ValueError), match=field):
            attempt()
        assert lab.key == before
    assert batches == []


def test_what_the_lab_as_a_whole_cannot_be_changes_nothing():
    lab = ShrinkageLab(n=10, outliers=4)
    before, batches = lab.key, watched_batches(lab)
    for attempt in (
        lambda: setattr(lab, "n", 4),
        lambda: setattr(lab, "outliers", 10),
        lambda: lab.move(n=30, outliers=30),
    ):
        with pytest.raises(ValueError, match=naming("outliers", "n")):
            attempt()
    with pytest.raises(TypeError, match="lambda"):
        lab.move(seed=2, **{"lambda": 0.1})
    assert lab.key == before
    assert batches == []


def test_a_move_is_one_batch_whatever_the_order():
    lab = ShrinkageLab(n=10, outliers=4)
    batches = watched_batches(lab)
    lab.move(outliers=20, n=30, seed=5)  # one field at a time, 20 outliers of 10 would be refused
    lab.move(n=3, outliers=0)
    assert (lab.n, lab.outliers, lab.seed) == (3, 0, 5)
    assert batches == [{"outliers", "n", "seed"}, {"n", "outliers"}]
    lab.lam = 0.5
    assert batches[2:] == [{"lam"}]


# remembering


def test_the_oldest_goes_first_and_what_is_too_large_alone_is_not_kept():
    cache, made = Cache(limit=6000), []

    def get(key, size):
        value = cache.get(key)
        return cache.put(key, made.append(key) or np.zeros(size, np.uint8)) if value is None else value

    for key, size in (("a", 2500), ("b", 2500), ("a", 2500), ("c", 2500), ("a", 2500), ("b", 2500), ("huge", 7000)):
        get(key, size)
        cache.weigh()
    assert made == ["a", "b", "c", "b", "huge"]  # b was the one used longest ago when c came
    assert cache.get("huge") is None
    assert cache.get("b") is not None
    assert 5000 < cache.size <= 6000


class Holder:
    """Something with an array in an attribute."""

    def __init__(self, array):
        self.inside = {"deep": [array]}


HIDDEN = {
    "alone": lambda a: a,
    "in a tuple": lambda a: (1, (a,)),
    "in an object": Holder,
    "in a closure": lambda a: lambda: a,
    "in a partial": lambda a: partial(len, a),
    "in a bound method": lambda a: Holder(a).__init__,
    "behind a view": lambda a: a[:3],
    "in a model": lambda a: Precomputed(np.eye(int(len(a) ** 0.5))),
}


@pytest.mark.parametrize("hide", HIDDEN.values(), ids=HIDDEN)
def test_an_array_is_counted_wherever_it_is(hide):
    array = np.zeros(10_000)
    assert array.nbytes <= bytes_of(hide(array)) < array.nbytes + 20_000


def test_what_is_held_twice_is_counted_once():
    array = np.zeros(10_000)
    assert bytes_of((array, [array], Holder(array))) < 1.2 * array.nbytes


@pytest.fixture
def computations(monkeypatch):
    """Counts of the computed distances, medians, eigendecompositions and truths."""
    counts = dict.fromkeys(("pairs", "median", "spectrum", "truth", "sample"), 0)

    def count(name, owner, attribute):
        inner = getattr(owner, attribute)

        def counting(*args, **kwargs):
            counts[name] += 1
            return inner(*args, **kwargs)

        monkeypatch.setattr(owner, attribute, counting)

    count("pairs", Gaussian, "pairs")
    count("median", kernels, "median_and_remark")
    count("spectrum", shown, "Spectrum")
    count("truth", GaussianMixture, "embed")
    count("sample", GaussianMixture, "sample")
    return counts


def test_a_move_computes_only_what_depends_on_it(computations):
    lab = ShrinkageLab()

    def after(**move):
        lab.move(**move)
        lab.result()
        return tuple(computations[name] for name in ("sample", "pairs", "median", "spectrum", "truth"))

    assert after() == (1, 1, 1, 1, 1)
    assert after(lam=0.1) == (1, 1, 1, 1, 1)
    assert after(lam=0.1234) == (1, 1, 1, 1, 1)
    assert after(selection="theorem-4") == (1, 1, 1, 1, 1)
    assert after(bandwidth=0.5) == (1, 1, 1, 2, 2)
    assert after(bandwidth=0.32) == (1, 1, 1, 2, 2)  # the previous value
    assert after(kernel="LIN") == (1, 1, 1, 3, 3)
    assert after(seed=2) == (2, 1, 1, 4, 4)
    assert after(kernel="RBF") == (2, 2, 2, 5, 5)


def test_two_labs_share_nothing(computations):
    one, two = ShrinkageLab(), ShrinkageLab()
    a, b = one.result(), two.result()
    assert computations["spectrum"] == 2
    assert one._cache._entries is not two._cache._entries
    for values in ((a.X, b.X), (a.flexible_curve.weights, b.flexible_curve.weights), (a.simple.loss, b.simple.loss)):
        assert not np.shares_memory(*values)
    one.n = 50
    assert two.n == 20


@pytest.mark.parametrize("source", [*LAWS, *BUNDLED])
def test_what_a_lab_hands_out_cannot_be_written_to(source):
    lab = ShrinkageLab(source=source, outliers=2)
    result = lab.result()
    owners = (result.simple, result.flexible)
    arrays = {f: v for o in owners for f, v in vars(o).items() if isinstance(v, np.ndarray)}
    parts = (result.sample, result.simple_curve, result.flexible_curve)
    arrays |= {f"{type(p).__name__}.{f}": v for p in parts for f, v in p._asdict().items() if isinstance(v, np.ndarray)}
    assert len(arrays) >= 9
    assert [name for name, array in arrays.items() if array.flags.writeable] == []


# the values a slider stops at


def test_steps_are_decimals_a_hand_can_type():
    steps = log_steps(1e-4, 1e2)
    assert len(steps) == 61
    assert steps == sorted(set(steps))
    assert (steps[0], steps[-1]) == (1e-4, 1e2)
    assert all(len(f"{step:e}".split("e")[0].rstrip("0").replace(".", "")) <= 3 for step in steps)
    ratios = np.divide(steps[1:], steps[:-1])
    assert ratios.min() > 1.2  # R10 rounds 10^(1/10) = 1.259 to two or three digits
    assert ratios.max() < 1.3


def test_a_value_of_ones_own_finds_its_place():
    assert with_value([1, 2, 4], 3) == [1, 2, 3, 4]
    assert with_value([1, 2, 4], 2) == [1, 2, 4]
    assert with_value([1.0, 2.0], float("inf")) == [1.0, 2.0, float("inf")]
    assert with_value([1.0, 2.0], 0) == [0, 1.0, 2.0]
