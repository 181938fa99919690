"""What every lab can do: change as a whole or not at all, and remember within bounds."""

from functools import partial

import numpy as np
import pytest

from explorer import Gaussian, GaussianMixture, Precomputed
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage import result as shown
from explorer.labs.shrinkage.lab import LAWS
from explorer.model import Model
from explorer.parameters import Whole
from explorer.workbench import Result
from explorer.workbench.cache import CACHE_BYTES, Cache, bytes_of
from explorer.workbench.fields import BUNDLED
from explorer.workbench.steps import log_steps, with_value

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


def heard(lab):
    """The batches of field names that a watcher of the lab hears."""
    batches = []
    lab.param.watch(lambda *events: batches.append({e.name for e in events}), list(ShrinkageLab.fields))
    return batches


@pytest.mark.parametrize(("field", "value"), WRONG)
def test_a_wrong_value_is_a_sentence_and_changes_nothing(field, value):
    lab = ShrinkageLab(lam=0.1)
    before, batches = lab.key, heard(lab)
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
    before, batches = lab.key, heard(lab)
    for attempt in (
        lambda: setattr(lab, "n", 4),
        lambda: setattr(lab, "outliers", 10),
        lambda: lab.move(n=30, outliers=30),
    ):
        with pytest.raises(ValueError, match=r"outliers need n of at least .*\.$"):
            attempt()
    with pytest.raises(TypeError, match="lambda"):
        lab.move(seed=2, **{"lambda": 0.1})
    assert lab.key == before
    assert batches == []


def test_a_move_is_one_batch_whatever_the_order():
    lab = ShrinkageLab(n=10, outliers=4)
    batches = heard(lab)
    lab.move(outliers=20, n=30, seed=5)  # one field at a time, 20 outliers of 10 would be refused
    lab.move(n=3, outliers=0)
    assert (lab.n, lab.outliers, lab.seed) == (3, 0, 5)
    assert batches == [{"outliers", "n", "seed"}, {"n", "outliers"}]
    lab.lam = 0.5
    assert batches[2:] == [{"lam"}]


# remembering


def equal(a, b):
    """Two results, stage by stage, to the last bit."""
    if isinstance(a, Result):
        return all(equal(getattr(a, name), getattr(b, name)) for name in a.stages())
    if hasattr(a, "__dataclass_fields__"):
        return all(equal(getattr(a, f), getattr(b, f)) for f in a.__dataclass_fields__)
    if isinstance(a, tuple):
        return len(a) == len(b) and all(map(equal, a, b))
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    return a == b or not isinstance(a, (float, int, str, bool, type(None), Model))


WALK = [
    {"lam": 0.1},
    {"bandwidth": 0.5},
    {"kernel": "POLY2"},
    {"kernel": "LIN"},
    {"selection": "theorem-4"},
    {"lam": None},
    {"n": 40},
    {"outliers": 5},
    {"distance": 30.0},
    {"kind": "heavy tail"},
    {"kernel": "RBF"},
    {"d": 5},
    {"seed": 2},
    {"law_seed": 2},
    {"source": "gaussian"},
    {"source": "wine"},
    {"standardise": False},
    {"source": "mixture"},
    {"bandwidth": 0.32},
    {"lam": 0.1},
]


def test_what_is_remembered_is_what_would_be_computed():
    lab = ShrinkageLab()
    for step in WALK + WALK[::-1]:
        lab.move(**step)
        assert equal(lab.result(), lab.replace().result()), step


def arrays(value, found):
    """The arrays that a value holds, by their identity, counted from outside."""
    if isinstance(value, np.ndarray):
        found[id(value)] = value.nbytes
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, (tuple, list)) else ()
    for each in (*inside, *getattr(value, "__dict__", {}).values()):
        arrays(each, found)
    return found


def held(cache):
    """The bytes of all arrays that a cache holds."""
    return sum(sum(arrays(value, {}).values()) for value, _ in cache._kept.values())


def test_a_lab_remembers_64_mb():
    assert ShrinkageLab()._cache.limit == CACHE_BYTES == 64 * 2**20


@pytest.mark.thorough(default=["{'source': 'wdbc', 'n': 10}"])
@pytest.mark.parametrize("fields", [{"n": 30}, {"n": 20, "d": 100}, {"source": "wdbc", "n": 10}], ids=str)
def test_memory_is_bounded_and_nothing_is_lost_by_it(fields):
    lab = ShrinkageLab(**fields)
    lab._cache.limit = 150_000  # a few samples' worth
    first = lab.result()
    for seed in range(2, 20):
        lab.seed = seed
        lab.result()
        assert held(lab._cache) <= lab._cache.size <= lab._cache.limit
    lab.seed = 1
    assert equal(lab.result(), first)


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
def counted(monkeypatch):
    """How often distances, medians, eigendecompositions and truths were computed."""
    counts = dict.fromkeys(("pairs", "median", "spectrum", "truth", "sample"), 0)

    def count(name, owner, attribute):
        inner = getattr(owner, attribute)

        def counting(*args, **kwargs):
            counts[name] += 1
            return inner(*args, **kwargs)

        monkeypatch.setattr(owner, attribute, counting)

    count("pairs", Gaussian, "pairs")
    count("median", shown, "median_and_remark")
    count("spectrum", shown, "Spectrum")
    count("truth", GaussianMixture, "embed")
    count("sample", GaussianMixture, "sample")
    return counts


def test_a_move_computes_only_what_depends_on_it(counted):
    lab = ShrinkageLab()

    def after(**move):
        lab.move(**move)
        lab.result()
        return tuple(counted[name] for name in ("sample", "pairs", "median", "spectrum", "truth"))

    assert after() == (1, 1, 1, 1, 1)
    assert after(lam=0.1) == (1, 1, 1, 1, 1)
    assert after(lam=0.1234) == (1, 1, 1, 1, 1)
    assert after(selection="theorem-4") == (1, 1, 1, 1, 1)
    assert after(bandwidth=0.5) == (1, 1, 1, 2, 2)
    assert after(bandwidth=0.32) == (1, 1, 1, 2, 2)  # where it was before
    assert after(kernel="LIN") == (1, 1, 1, 3, 3)
    assert after(seed=2) == (2, 1, 1, 4, 4)
    assert after(kernel="RBF") == (2, 2, 2, 5, 5)


def test_two_labs_share_nothing(counted):
    one, two = ShrinkageLab(), ShrinkageLab()
    a, b = one.result(), two.result()
    assert counted["spectrum"] == 2
    assert one._cache._kept is not two._cache._kept
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


def test_every_number_of_the_lab_has_bounds_and_words():
    for name, field in ShrinkageLab.fields.items():
        assert field.doc, name
        if isinstance(field, Whole):
            assert field.bounds[0] is not None, name
