"""No sentence of this project is longer than 600 characters, whatever the input.

Refusals and warnings repeat values in brief.
"""

import inspect
import warnings

import numpy as np
import pytest
from helpers.naming import naming

import explorer
from explorer import (
    KME,
    SKMSE,
    Delta,
    Embedding,
    Gaussian,
    GaussianMixture,
    MedianOfMeans,
    Precomputed,
    StudentT,
    load,
    mmd_test,
    sweep,
)
from explorer.checks import Refusal
from explorer.printing import WHOLE
from explorer.sweeps import Grid, InProcess

X = np.random.default_rng(0).normal(size=(8, 2))
LAW = GaussianMixture([1.0], [[0.0, 0.0]], 1.0)
NEEDED = {
    "X": X,
    "Y": X + 1,
    "law": LAW,
    "P": LAW,
    "Q": LAW,
    "kernel": Gaussian(1.0),
    "n": 5,
    "estimator": KME(Gaussian(1.0)),
    "x": X[0],
    "points": X,
    "weights": np.full(8, 0.125),
    "embedding": KME(Gaussian(1.0)).embed(X),
    "m": 3,
    "eps": 0.3,
    "path": "no such file",
    "name": "wine",
}


class Talkative:
    def __repr__(self):
        return "talkative\n" * 1000


class Table:
    """The attributes that a data frame has in common with an array."""

    shape = (100_000, 30)

    def __repr__(self):
        return "a table of many lines " * 1000


def big_embedding():
    return KME(Gaussian(1.0)).embed(np.random.default_rng(0).normal(size=(200, 5)))


LARGE = {
    "a long list": list(range(1000)),
    "a long text": "x" * 10_000,
    "a Gram matrix of 500 rows": Precomputed(np.eye(500)),
    "rows of rows": [[0.5] * 100] * 100,
    "many words": ["word" * 50] * 500,
    "a matrix": np.zeros((400, 400)),
    "missing values": np.full((500, 3), np.nan),
    "a mapping": {f"key {i}": i for i in range(2000)},
    "a set": set(range(5000)),
    "bytes": b"x" * 9999,
    "a law": GaussianMixture.random(30, rng=0),
    "an embedding": big_embedding(),
    "an estimator with a target": SKMSE(target=big_embedding()),
    "an object": Talkative(),
    "objects": np.array([Talkative()] * 50, dtype=object),
    "a table": Table(),
    "a function": lambda x: x,
    "a data set": load("wine"),
    "a result": mmd_test(X, X + 1, n_resamples=999, rng=0),
}
every_large_value = pytest.mark.parametrize("value", LARGE.values(), ids=LARGE)


def lengths(act):
    """Return the lengths of the warnings and of the refusal of a call."""
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        try:
            act()
        except Exception as error:  # which error it is, other tests say; here only how long it is
            said = [str(error)]
        else:
            said = []
    return [len(sentence) for sentence in [*said, *(str(each.message) for each in seen)]]


def callables():
    """Return (name, function, names of its arguments) of the public API."""
    # by name: names that the package loads lazily are in no dictionary before their first use
    for name, each in [(name, getattr(explorer, name)) for name in dir(explorer) if not name.startswith("_")]:
        if callable(each) and each not in (explorer.TestResult, explorer.sweep):
            kinds = inspect.signature(each).parameters
            yield name, each, [p for p in kinds if kinds[p].kind.name in ("POSITIONAL_OR_KEYWORD", "KEYWORD_ONLY")]


@pytest.mark.thorough(default=["a long list", "an embedding", "objects"])
@every_large_value
def test_every_argument_of_the_front_door_is_refused_in_short_sentences(value):
    refusals = 0
    for name, function, arguments in callables():
        kinds = inspect.signature(function).parameters
        needed = {a: NEEDED[a] for a in arguments if a in NEEDED and kinds[a].default is inspect.Parameter.empty}
        for argument in arguments:
            said = lengths(lambda given={**needed, argument: value}, function=function: function(**given))
            refusals += len(said)
            assert max(said, default=0) <= WHOLE, (name, argument)
    assert refusals > 50


def methods(value):
    e, small = KME(Gaussian(1.0)).embed(X), Precomputed(np.eye(300))
    for kernel in (small, Gaussian(1.0), Delta()):
        yield from (lambda k=kernel: k(value), lambda k=kernel: k.diagonal(value), lambda k=kernel: k.select(value))
    for act in (e, e.inner, e.distance, e.__add__, e.__mul__):
        yield lambda act=act: act(value)
    for estimator in (KME(), SKMSE(), MedianOfMeans()):
        yield lambda estimator=estimator: estimator.embed(value)
    yield lambda: Gaussian().replace(bandwidth=value)
    yield lambda: setattr(Gaussian(), "bandwidth", value)
    yield lambda: LAW.embed(value)
    yield lambda: StudentT(1.1, [0.0], 1.0).embed(value)
    yield lambda: load("wine").sample(value)
    yield lambda: load("wine").where(value)
    yield lambda: mmd_test(X, X + 1, n_resamples=19, rng=0).threshold(value)
    yield lambda: sweep(value, {"n": [1]})
    yield lambda: Grid(value)
    yield lambda: Grid({"n": value})
    yield lambda: Grid({"n": [value, value]})
    yield lambda: sweep(lambda n, seed: value, {"n": [1]}, executor=InProcess(), progress=False)


@pytest.mark.thorough(default=["rows of rows", "many words", "a set", "bytes", "a law", "a table"])
@every_large_value
def test_every_method_is_refused_in_short_sentences(value):
    for i, act in enumerate(methods(value)):
        assert max(lengths(act), default=0) <= WHOLE, i


def test_two_large_kernels_that_differ_are_named_in_a_short_sentence():
    one, other = (Embedding(Precomputed(scale * np.eye(500)), [0, 1], [0.5, 0.5]) for scale in (1, 2))
    for act in (lambda: one + other, lambda: one.inner(other)):
        with pytest.raises(ValueError, match="different kernels") as refused:
            act()
        assert len(str(refused.value)) <= WHOLE
        assert "500 x 500 numbers" in str(refused.value)
        assert "k = k.select" in str(refused.value)


def test_words_of_a_link_are_refused_in_short_sentences():
    from explorer.labs.shrinkage import ShrinkageLab

    words = {"lam": "9" * 5000, "kernel": "k" * 5000, "y" * 5000: "1", "samples": "z" * 5000}
    refused = ShrinkageLab.from_flat(words)[1]
    assert len(refused) >= 3
    assert max(map(len, refused)) <= WHOLE


LONG = "n" * 900  # letters, of a column's name a thousand are taken


def many_bags(names, labels):
    rows = "".join(f'"{names[i]}","{labels[i]}",{i % 7},{i % 5}\n' for i in range(len(names)))
    return f"bag,label,x,y\n{rows}".encode()


def test_names_of_a_table_make_no_refusal_long():
    """If one is longer all the same, its beginning and its end are shown, because the end has the advice."""
    from explorer.datasets import read_bags, table_bags
    from explorer.labs.distributions import DistributionsLab

    bags = [f"bag {i // 2}{LONG}" for i in range(24)]
    two = read_bags(many_bags(bags, [f"{LONG}{i}" for i in range(24)]), "bag", "label")
    with pytest.raises(Refusal, match=naming("bag", "label")) as refused:
        table_bags(two, 12, 2, rng=0)
    assert len(str(refused.value)) <= WHOLE
    classes = read_bags(many_bags(bags, [f"{LONG}{i // 2}" for i in range(24)]), "bag", "label")
    lab = DistributionsLab(
        source="file", file="t.csv", hash=classes.hash, bag_column="bag", label_column="label", bags=12, n=2, label="no"
    )
    lab.own = classes
    with pytest.raises(Refusal, match=naming("class 'no'", "10 more")) as refused:
        lab.result().told  # noqa: B018
    assert len(str(refused.value)) <= WHOLE
    long = str(Refusal(f"{LONG} is too long; take fewer letters."))
    assert len(long) == WHOLE
    assert long.endswith("n is too long; take fewer letters.")


def test_a_bag_that_is_called_by_a_number_has_few_digits():
    from explorer.datasets import read_bags, table_bags

    names = [-1.3201527836560747, 2.0, 0.1 + 0.2, 1e6] * 2
    table = read_bags(many_bags(names, ["a", "b"] * 4), "bag", "label")
    assert sorted(table_bags(table, 4, 2, rng=0).names) == ["-1.32", "0.3", "1000000", "2"]
