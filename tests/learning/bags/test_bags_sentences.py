"""Bad bags, labels and targets get a sentence that says what, the limit, and what to do."""

import numpy as np
import pytest
from helpers.naming import naming

from explorer import (
    KME,
    MKME,
    SKMSE,
    Delta,
    DistributionRegression,
    Embedding,
    Gaussian,
    GaussianMixture,
    LevelTwo,
    OneClassSMM,
    SupportMeasureMachine,
    bag_gram,
    bags_of,
)
from explorer.checks import Refusal

RNG = np.random.default_rng(0)
GOOD = [RNG.normal(size=(5, 2)) for _ in range(4)]
LAW = GaussianMixture([1.0], [[0.0, 0.0]], np.eye(2))
WORDS = ["a", "b", "a", "b"]
BAGS = {
    "no bags": ([], "bags is empty"),
    "an empty bag": ([*GOOD[:3], np.empty((0, 2))], naming("bags[3]", "rows")),
    "different widths": ([*GOOD[:3], np.zeros((3, 3))], naming("bags[0]", "2", "bags[3]", "3")),
    "a number": ([1.0, 2.0, 3.0, 4.0], naming("bags[0]", "number")),
    "a table": (np.zeros((4, 2)), naming("bags", "array")),
    "a list of numbers": (np.zeros(4), naming("bags", "array")),
    "words": ([*GOOD[:3], ["x", "y"]], naming("bags[3]")),
    "nan": ([*GOOD[:3], [[0.0, np.nan]]], naming("bags[3]", "1", "NaN")),
    "None": (None, naming("bags", "None")),
    "None inside": ([*GOOD[:3], None], naming("bags[3]", "None")),
    "a text": ("abcd", naming("bags", "text")),
    "a dict": ({"a": GOOD[0]}, naming("bags", "dict")),
    "a generator": ((b for b in GOOD), "give list"),
    "one distribution": (LAW, naming("bags", "GaussianMixture")),
    "another kernel": (
        [*GOOD[:3], Embedding(Gaussian(9.0), GOOD[0], np.full(5, 0.2))],
        naming("bags[3]", "Gaussian"),
    ),
    "a wide distribution": ([*GOOD[:3], GaussianMixture([1.0], [[0.0]], [[1.0]])], "all bags need the same"),
    "three dimensions": ([*GOOD[:3], np.zeros((2, 2, 2))], naming("bags[3]", "3")),
}
ACTS = {
    "gram": lambda bags: bag_gram(bags, Gaussian(1.0)),
    "machine": lambda bags: SupportMeasureMachine(Gaussian(1.0)).fit(bags, WORDS),
    "one class": lambda bags: OneClassSMM(Gaussian(1.0)).fit(bags),
    "regression": lambda bags: DistributionRegression(Gaussian(1.0)).fit(bags, [1.0, 2.0, 3.0, 4.0]),
    "prediction": lambda bags: OneClassSMM(Gaussian(1.0)).fit(GOOD).predict(bags),
}


@pytest.mark.parametrize("act", [a for n, a in ACTS.items() if n in ("gram", "one class", "prediction")])
@pytest.mark.parametrize(("bags", "words"), BAGS.values(), ids=BAGS)
def test_what_is_no_bag(act, bags, words):
    with pytest.raises(Refusal, match=words):
        act((b for b in GOOD) if words == "give list" else bags)


@pytest.mark.parametrize("name", ["machine", "regression"])
@pytest.mark.parametrize("case", ["an empty bag", "different widths", "words", "nan", "another kernel"])
def test_what_is_no_bag_for_learners_with_labels(name, case):
    bags, words = BAGS[case]
    with pytest.raises(Refusal, match=words):
        ACTS[name](bags)


LABELS = {
    "none": (None, naming("y", "None")),
    "too few": (["a", "b"], naming("label", "bag")),
    "two columns": ([["a", "b"]] * 4, naming("label", "bag")),
    "one class": (["a"] * 4, "one label alone"),
    "missing": (["a", None, "b", "a"], naming("1", "index 1")),
    "nan": ([0.0, 1.0, np.nan, 0.0], "NaN"),
    "nan among words": (np.array(["a", np.nan, "b", "a"], dtype=object), naming("1", "index 1")),
    "numbers": ([0.5, 1.0, 1.5, 0.0], naming("DistributionRegression")),
    "mixed": (np.array(["a", 1, "b", 2], dtype=object), "words and numbers"),
    "complex": ([1j, 2j, 1j, 2j], "complex"),
}


@pytest.mark.parametrize(("y", "words"), LABELS.values(), ids=LABELS)
def test_what_is_no_label(y, words):
    with pytest.raises(Refusal, match=words):
        SupportMeasureMachine(Gaussian(1.0)).fit(GOOD, y)


@pytest.mark.parametrize(
    ("y", "words"),
    [
        (None, naming("y", "None")),
        ([1.0, 2.0], naming("number", "bag")),
        ([1.0, 2.0, np.nan, 1.0], "NaN"),
        (["a"] * 4, "numbers only"),
        (np.zeros((4, 0)), naming("number", "bag")),
        (np.zeros((4, 1, 1)), naming("number", "bag")),
    ],
)
def test_what_is_no_target(y, words):
    for act in (DistributionRegression(Gaussian(1.0)).fit, lambda b, y: DistributionRegression().loocv(b, y, [1.0])):
        with pytest.raises(Refusal, match=words):
            act(GOOD, y)


def test_the_bags_that_are_asked_about_have_the_width_of_those_learnt_from():
    fitted = OneClassSMM(Gaussian(1.0)).fit(GOOD)
    with pytest.raises(Refusal, match=naming("bags", "3", "2")):
        fitted.predict([np.zeros((4, 3))])
    with pytest.raises(Refusal, match=naming("(bags, other)[0]", 2, "(bags, other)[1]", 3)):
        bag_gram(GOOD, Gaussian(1.0), [np.zeros((4, 3))])


def test_estimators_say_which_bag_they_cannot_choose_on():
    with pytest.raises(Refusal, match=naming("bags[1]", "2")):
        bag_gram([GOOD[0], GOOD[1][:1]], Gaussian(1.0), estimator=SKMSE())
    assert bag_gram([GOOD[0], GOOD[1][:1]], Gaussian(1.0), estimator=SKMSE(lam=0.1)).shape == (2, 2)
    with pytest.raises(Refusal, match=naming("estimator", "kernel")):
        SupportMeasureMachine(Gaussian(1.0), estimator=KME(Gaussian(2.0)))
    with pytest.raises(Refusal, match="under"):
        bag_gram(GOOD, Gaussian(1.0), estimator=KME(approximation="features", rank=5))
    with pytest.raises(Refusal, match=naming("Delta()", "closed form")):
        bag_gram([["a", "b"], ["a"]], Delta(), estimator=MKME(sigma=0.1))


def test_distributions_alone_choose_no_bandwidth():
    with pytest.raises(Refusal, match=naming("Gaussian()", "bandwidth", "Gaussian(1.0)")):
        bag_gram([LAW, LAW], Gaussian())
    assert bag_gram([LAW, GOOD[0]], Gaussian()).shape == (2, 2)


@pytest.mark.parametrize("nu", [0.0, -0.1, 1.5, np.nan])
def test_a_nu_that_is_none(nu):
    with pytest.raises(ValueError, match=naming("OneClassSMM.nu")):
        OneClassSMM(nu=nu)


def test_parts_of_other_kinds():
    for make in (
        lambda: SupportMeasureMachine(kernel="rbf"),
        lambda: SupportMeasureMachine(level_two="gaussian"),
        lambda: SupportMeasureMachine(level_two=None),
        lambda: SupportMeasureMachine(estimator="KME"),
        lambda: SupportMeasureMachine(C=0.0),
        lambda: DistributionRegression(lam=0.0),
        lambda: DistributionRegression(lam=np.inf),
    ):
        with pytest.raises(Refusal):
            make()
    assert SupportMeasureMachine().level_two == LevelTwo()


def test_a_column_of_bags_that_is_none():
    X = np.zeros((4, 2))
    for labels, words in (
        (None, naming("labels", "None")),
        ([1, 2], naming("labels", "2", "X", "4")),
        ([1.0, np.nan, 2.0, 1.0], "NaN"),
        (["a", None, "b", "a"], "no category"),
        (np.zeros((4, 2)), naming("labels", "2")),
    ):
        with pytest.raises(Refusal, match=words):
            bags_of(X, labels)
    with pytest.raises(Refusal, match=naming("X", "3")):
        bags_of(np.zeros((2, 2, 2)), [0, 1])
    with pytest.raises(Refusal, match="no rows"):
        bags_of(np.zeros((0, 2)), [])
