"""Common to all answers of tests and estimates: a decision, JSON, and a repr in two lines with their settings."""

import dataclasses
import json
import math

import numpy as np
import pytest
from helpers.naming import naming

from explorer import (
    SKMSE,
    Gaussian,
    Linear,
    TestResult,
    additive_noise,
    bandwidth_curve,
    block_test,
    compress_test,
    conditional_test,
    dhsic_test,
    fssd_test,
    hsic_test,
    hsicagg_test,
    kci_test,
    ksd_test,
    ksdagg_test,
    lepski,
    linear_time,
    mmd_test,
    mmdagg_test,
    mmdfuse_test,
    monk_mmd,
    monk_test,
    row_dependence,
    scan,
)
from explorer.checks import Refusal, WrongType
from explorer.discrepancy import (
    bahsic,
    dependence_test,
    hsic_gamma,
    hsic_level,
    hsic_ranks,
    information_test,
    pearson_test,
    power_by_fraction,
    rank_columns,
    several_test,
)
from explorer.discrepancy.results.answer import Answer, Decision
from explorer.printing import REPR

RNG = np.random.default_rng(0)
X, Y = RNG.normal(size=(20, 2)), RNG.normal(size=(20, 2)) + 0.5
ANSWERS = {
    "mmd_test": lambda: mmd_test(X, Y, n_resamples=99, rng=3),
    "of an estimator": lambda: mmd_test(X, Y, None, "biased", SKMSE(), 19, rng=3),
    "of finite rank": lambda: mmd_test(X, Y, n_resamples=19, rng=3, approximation="features", rank=10),
    "block_test": lambda: block_test(X, Y, n_resamples=19, rng=3),
    "compress_test": lambda: compress_test(np.tile(X, (4, 1)), np.tile(Y, (4, 1)), size=40, n_resamples=19, rng=3),
    "monk_test": lambda: monk_test(X, Y, blocks=5, n_resamples=19, iterations=7, rng=3),
    "pooled monk_test": lambda: monk_test(X, Y, blocks=5, null="pool", n_resamples=19, iterations=7, rng=3),
    "mmdagg_test": lambda: mmdagg_test(X, Y, n_resamples=99, rng=3),
    "mmdfuse_test": lambda: mmdfuse_test(X, Y, n_resamples=99, rng=3),
    "ksd_test": lambda: ksd_test(X, lambda X: -X, n_resamples=99, rng=3),
    "ksdagg_test": lambda: ksdagg_test(X, lambda X: -X, n_resamples=99, rng=3),
    "fssd_test": lambda: fssd_test(X, lambda X: -X, n_resamples=99, rng=3),
    "several_test": lambda: several_test([X, Y, X + 1.0], n_resamples=99, rng=3),
    "scan": lambda: scan(X, n_resamples=99, rng=3),
    "memory of a scan": lambda: scan(X, n_resamples=99, rng=3).memory,
    "row_dependence": lambda: row_dependence(X, n_resamples=99, rng=3),
    "hsic_test": lambda: hsic_test(X, Y, n_resamples=99, rng=3),
    "dhsic_test": lambda: dhsic_test([X, Y, X[:, 0]], n_resamples=99, rng=3),
    "hsicagg_test": lambda: hsicagg_test(X, Y, n_resamples=99, rng=3),
    "kci_test": lambda: kci_test(X, Y, X[:, 0] ** 2, n_resamples=99, rng=3),
    "conditional_test": lambda: conditional_test(X, Y, X + 0.5, Y, n_resamples=99, rng=3),
    "additive_noise": lambda: additive_noise(X, Y, lam=0.1, n_resamples=99, rng=3),
    "hsic_gamma": lambda: hsic_gamma(X, Y),
    "pearson_test": lambda: pearson_test(X, Y, 99, rng=3),
    "dependence_test": lambda: dependence_test(X, Y, n_resamples=99, rng=3),
    "bahsic": lambda: bahsic(X, Y),
    "information_test": lambda: information_test(X[:, 0], Y[:, 0], n_resamples=99, rng=3),
    "rank_columns": lambda: rank_columns(X, Y, n_resamples=99, rng=3),
    "linear_time": lambda: linear_time(X, Y),
    "monk_mmd": lambda: monk_mmd(X, Y, blocks=5, rng=3, printed="norm"),
    "lepski": lambda: lepski(X, Y, kappa=0.5, rng=3),
    "bandwidth_curve": lambda: bandwidth_curve(X, Y, statistic="biased", n_resamples=19, rng=3),
    "hsic_ranks": lambda: hsic_ranks(X, Y),
    "power_by_fraction": lambda: power_by_fraction(X, Y, fractions=[0.5, 1.0], repetitions=3, n_resamples=9, rng=3),
    "hsic_level": lambda: hsic_level(X, Y, repetitions=5, n_resamples=9, rng=3),
}
every_answer = pytest.mark.parametrize("make", ANSWERS.values(), ids=ANSWERS)


def test_the_table_holds_every_answer():
    def below(cls):
        return {cls, *(each for child in cls.__subclasses__() for each in below(child))}

    ours = {cls for cls in below(Answer) if dataclasses.is_dataclass(cls) and cls.__module__.startswith("explorer.")}
    # those of a comparison say other things than their fields: tests/comparison has them
    ours = {cls for cls in ours if not cls.__module__.startswith("explorer.comparison")}
    assert ours == {type(make()) for make in ANSWERS.values()}


def fields_in_repr(answer):
    """Return all but the data that an answer keeps to draw from, which the user has."""
    return [field for field in dataclasses.fields(answer) if field.repr]


@every_answer
def test_a_dict_is_json_with_every_field(make):
    answer = make()
    said = answer.to_dict()
    again = json.loads(json.dumps(said, allow_nan=False))
    assert again == said
    assert set(said) >= {field.name for field in fields_in_repr(answer)} | {"sentence"}
    if isinstance(answer, Decision):
        np.testing.assert_array_equal(said["pvalue"], answer.pvalue)
    for field in fields_in_repr(answer):
        value = getattr(answer, field.name)
        if isinstance(value, np.ndarray):
            np.testing.assert_array_equal(np.asarray(said[field.name], dtype=value.dtype), value)


def test_what_json_has_no_word_for_is_a_word():
    answer = TestResult(math.inf, [math.inf, 1.0], "it", (Gaussian(1.0), Linear()), 3)
    said = json.loads(json.dumps(answer.to_dict(), allow_nan=False))
    assert said["statistic"] == "inf"
    assert float(said["null_distribution"][0]) == math.inf
    assert said["kernel"] == ["Gaussian(bandwidth=1.0)", "Linear()"]


@pytest.mark.parametrize("level", [0.01, 0.05, 0.6, 0.61])
def test_rejected_is_to_exceed_the_threshold(level):
    """The p-value at most the level, and equivalently the statistic above its threshold."""
    answer = TestResult(3.0, [1.0, 2.0, 3.0, 4.0], "a statistic", Gaussian(1.0), n=10)
    assert answer.rejected(level) is (answer.pvalue <= level) is (answer.statistic > answer.threshold(level))


@every_answer
def test_a_decision_is_at_the_usual_level_unless_another_is_given(make):
    answer = make()
    if isinstance(answer, Decision):
        np.testing.assert_array_equal(answer.rejected(), np.asarray(answer.pvalue) <= 0.05)
        assert np.all(answer.rejected(0.999)) or np.max(answer.pvalue) > 0.999


@pytest.mark.parametrize("level", [0, 1, 5, -0.1, math.nan])
def test_a_level_lies_between_0_and_1(level):
    for answer in (mmd_test(X, Y, n_resamples=9), rank_columns(X, Y, n_resamples=9), hsic_gamma(X, Y)):
        with pytest.raises(Refusal, match=naming("level", "0", "1")):
            answer.rejected(level)


def test_a_level_is_a_number():
    for level in ("0.05", None, True):
        with pytest.raises(WrongType, match=naming("level", "0", "1")):
            mmd_test(X, Y, n_resamples=9).rejected(level)


# settings that a result depends on and that its numbers do not show
ASKED = {
    "mmd_test": ["'the unbiased MMD²'", "resamples='permutations'", "seed=3", "<99 numbers>", "tolerance="],
    "of an estimator": ["SKMSE(lam="],
    "of finite rank": ["approximation='features of rank 10'", "error=", "seed=3"],
    "compress_test": ["rows that stand for the samples'", "resamples='permutations of 40 bins'", "seed=3"],
    "monk_test": ["'bcd' with 5 blocks and 7 iterations", "'sign flips'", "seed=3"],
    "pooled monk_test": ["'pooled re-pairings'", "and 7 iterations"],
    "mmdfuse_test": ["temperature=19.4", "seed=3"],  # sqrt(20 * 19)
    "scan": ["'the largest standardised MMD²'", "resamples='permutations'", "min_size=10", "seed=3"],
    "hsic_test": ["'the biased HSIC'", "kernel=(Gaussian(bandwidth="],
    "pearson_test": ["Linear(), Linear()", "seed=3"],
    "dependence_test": ["gamma_pvalue=", "correlation=", "sigmas=(0.0, 0.0)", "seed=3"],
    "additive_noise": ["forward_pvalue=", "backward_pvalue=", "lam=[0.1, 0.1]", "n_resamples=99", "seed=3"],
    "rank_columns": ["n_resamples=99"],
    "monk_mmd": ["printed='norm'", "method='bcd'", "seed=3"],
    "lepski": ["kappa=0.5", "method='bcd'", "seed=3"],
    "bandwidth_curve": ["'the biased MMD²'", "seed=3"],
    "hsic_ranks": ["statistic='biased'"],
}


@pytest.mark.parametrize("name", ANSWERS)
def test_a_repr_has_two_lines_with_what_the_answer_depends_on(name):
    answer = ANSWERS[name]()
    text = repr(answer)
    assert len(text) <= REPR
    assert "\n" not in text
    assert "fields>" not in text
    assert [word for word in ASKED.get(name, []) if word not in text] == []
    named = {"null"}  # by `resamples`
    hidden = [
        field.name
        for field in dataclasses.fields(answer)
        if field.repr and f"{field.name}=" not in text and field.name not in named
    ]
    for value in (getattr(answer, field) for field in hidden):
        assert value in (None, False, "") or isinstance(value, (Answer, tuple))
        assert not isinstance(value, tuple) or not any(value) or name == "scan"  # a column each; no columns have names
