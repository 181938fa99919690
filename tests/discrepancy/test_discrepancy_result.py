"""TestResult and the p-value: counting, ties, thresholds and the sentence."""

import numpy as np
import pytest
from helpers.naming import naming
from hypothesis import given
from hypothesis import strategies as st

from explorer import Gaussian, Precomputed, TestResult
from explorer.discrepancy import pvalue
from explorer.printing import model_text


def result(statistic=1.0, null=(0.0, 1.0, 2.0), **more):
    return TestResult(statistic, null, "the unbiased MMD²", Gaussian(1.5), 4, 5, **more)


def test_the_p_value_counts_the_observed_value_and_its_ties():
    assert result(3.0).pvalue == 1 / 4
    assert result(1.0).pvalue == 3 / 4
    assert result(1.0 + 1e-12).pvalue == 2 / 4
    assert result(1.0 + 1e-12, tolerance=1e-11).pvalue == 3 / 4
    assert result(-1.0).pvalue == 1.0


def test_the_p_value_of_many_statistics_at_once():
    null = np.random.default_rng(0).normal(size=(50, 3))
    observed = np.array([-1.0, 0.0, 1.0])
    assert pvalue(null, observed).tolist() == [pvalue(null[:, i], observed[i]) for i in range(3)]


values = st.integers(-8, 8).map(lambda i: i / 4)


@given(st.lists(values, min_size=1, max_size=40), values, st.floats(0.001, 0.999), st.sampled_from([0.0, 0.5]))
def test_the_threshold_is_passed_just_where_the_p_value_is_at_most_the_level(null, statistic, level, tolerance):
    r = result(statistic, null, tolerance=tolerance)
    assert (r.statistic > r.threshold(level)) == (r.pvalue <= level)


@given(st.integers(1, 300), st.data())
def test_levels_that_are_whole_shares_of_the_count(B, data):
    """0.29 * 100 is 28.999999999999996: a floor of the product would lose the level 0.29 at B = 99."""
    null = np.arange(B, dtype=float)
    at_least = data.draw(st.integers(1, B))
    r = result(B - at_least + 0.5, null)
    assert r.pvalue == at_least / (1 + B)
    assert r.statistic > r.threshold(at_least / (1 + B))


def test_too_few_resamples_never_reject():
    assert result(1e9).threshold(0.05) == np.inf
    assert result(1e9, np.zeros(19)).threshold(0.05) == 0.0


def test_the_result_is_read_only_and_a_copy():
    null = np.zeros(3)
    r = result(null=null)
    null[0] = 9.0
    assert r.null_distribution[0] == 0.0
    with pytest.raises(ValueError, match="read-only"):
        r.null_distribution[0] = 1.0
    with pytest.raises(AttributeError):
        r.statistic = 2.0


def test_the_sentence():
    assert (
        str(result(1.23456, np.zeros(999)))
        == "The unbiased MMD² is 1.235 with p = 0.001, under a Gaussian kernel of bandwidth 1.5, for n = 4 and m = 5"
        " against 999 permutations."
    )
    pairs = TestResult(1.0, [0.0], "HSIC", (Gaussian(1.0), Gaussian(2.0)), 30, resamples="sign flips")
    assert (
        str(pairs)
        == "HSIC is 1 with p = 0.5, under a Gaussian kernel of bandwidth 1 and a Gaussian kernel of bandwidth 2,"
        " for n = 30 pairs against 1 sign flips."
    )
    many = TestResult(1.0, [0.0], "it", tuple(Gaussian(float(t)) for t in range(1, 11)), 3, 3)
    assert "under 10 kernels from a Gaussian kernel of bandwidth 1 to a Gaussian kernel of bandwidth 10," in str(many)


def test_a_kernel_too_long_for_a_sentence_is_named_by_its_shape():
    assert model_text(Precomputed(np.eye(300))) == "Precomputed(gram=array of shape (300, 300))"
    assert model_text(Precomputed(np.eye(2))) == "Precomputed(gram=[[1.0, 0.0], [0.0, 1.0]])"
    assert model_text(Gaussian()) == "Gaussian()"
    assert model_text(Gaussian(1.23456789)) == "Gaussian(bandwidth=1.235)"


@pytest.mark.parametrize("level", [0, 1, -0.1, 1.5, np.nan])
def test_a_level_lies_between_zero_and_one(level):
    with pytest.raises(ValueError, match=naming("level", "0", "1", "0.05")):
        result().threshold(level)


@pytest.mark.parametrize(
    ("statistic", "null", "said"),
    [
        (1.0, [], naming("null", "0")),
        (1.0, [[1.0]], naming("null", "1")),
        (1.0, [np.nan], naming("MMD²", "not a number")),
        (np.nan, [1.0], naming("MMD²", "not a number")),
    ],
)
def test_what_is_no_result(statistic, null, said):
    with pytest.raises(ValueError, match=said):
        result(statistic, null)


def test_scale_standardised_and_reaching_are_of_the_null_distribution():
    result = TestResult(3.0, [1.0, 2.0, 3.0, 6.0], "a statistic", Gaussian(1.0), n=10)
    assert result.scale == (3.0, pytest.approx(np.sqrt(3.5)))
    assert result.standardised == 0.0
    assert result.reaching.tolist() == [False, False, True, True]
    assert (1 + result.reaching.sum()) / 5 == result.pvalue
    flat = TestResult(3.0, [1.0, 1.0], "a statistic", Gaussian(1.0), n=10)
    assert (flat.scale, flat.standardised) == ((1.0, 1.0), 2.0)
    rounded = TestResult(0.1, [0.1, np.nextafter(0.1, 1), 0.1], "a statistic", Gaussian(1.0), n=10)
    assert rounded.scale[1] == 1.0
