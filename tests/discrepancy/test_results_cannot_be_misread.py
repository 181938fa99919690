"""Results: no truth value, no pair of numbers, the names of other libraries lead to ours, and equality by value."""

import pickle

import numpy as np
import pytest
from kernels_and_estimators import vectors

from explorer import SKMSE, Gaussian, TestResult, compare, hsic_test, linear_time, mmd_test, monk_mmd
from explorer.estimators import KME

X, Y = vectors(20, 1), vectors(20, 2)


def decisions():
    return {
        "TestResult": mmd_test(X, Y, rng=0),
        "LinearTime": linear_time(X, Y, Gaussian(1.0)),
        "Comparison": compare(X, Y, rng=0),
    }


@pytest.mark.parametrize("kind", ["TestResult", "LinearTime", "Comparison"])
def test_a_decision_is_neither_true_nor_a_pair(kind):
    """A result would be true whatever p is."""
    result = decisions()[kind]
    with pytest.raises(TypeError, match=r"rejected\(0\.05\)"):
        bool(result)
    with pytest.raises(TypeError, match=r"\.pvalue"):
        _, _ = result


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        ("p_value", "pvalue"),
        ("pval", "pvalue"),
        ("stat", "statistic"),
        ("test_statistic", "statistic"),
        ("reject", "rejected"),
        ("critical_value", "threshold"),
        ("asdict", "to_dict"),
    ],
)
def test_the_names_of_other_libraries_lead_to_ours(theirs, ours):
    result = decisions()["TestResult"]
    with pytest.raises(AttributeError, match=f" {ours}\\.$") as error:
        getattr(result, theirs)
    assert error.value.name == theirs
    assert hasattr(result, ours)
    assert not hasattr(result, theirs)


def test_advice_names_only_what_the_result_has():
    with pytest.raises(AttributeError, match=r"has no p_value\.$"):
        _ = monk_mmd(X, Y, Gaussian(1.0), 5).p_value
    with pytest.raises(AttributeError, match="it is value"):
        _ = monk_mmd(X, Y, Gaussian(1.0), 5).stat


@pytest.mark.parametrize("estimator", [SKMSE(), KME(Gaussian(1.0))])
@pytest.mark.parametrize("name", ["fit", "fit_transform", "predict"])
def test_an_estimator_leads_to_embed(estimator, name):
    with pytest.raises(AttributeError, match=r"embed\(X\)"):
        getattr(estimator, name)
    assert not hasattr(estimator, name)  # scikit-learn asks so


def test_results_are_equal_by_value():
    one, again, other = mmd_test(X, Y, rng=0), mmd_test(X, Y, rng=0), mmd_test(X, Y, rng=1)
    assert one == again
    assert hash(one) == hash(again)
    assert one != other
    assert pickle.loads(pickle.dumps(one)) == one
    assert one != hsic_test(X, Y, rng=0)
    assert one != one.statistic
    assert compare(X, Y, rng=0) == compare(X, Y, rng=0)
    assert compare(X, Y, rng=0) != compare(X, Y + 1, rng=0)


def test_equality_compares_each_array_and_counts_nan_as_itself():
    def result(null, **more):
        return TestResult(3.0, null, "a statistic", Gaussian(1.0), n=10, **more)

    assert result([1.0, np.inf]) == result(np.array([1.0, np.inf]))
    assert result([1.0, 2.0]) != result([2.0, 1.0])
    assert result([1.0, 2.0]) != result([1.0, 2.0, 2.0])
    assert result([1.0], error=float("nan")) == result([1.0], error=float("nan"))
    assert result([1.0], columns=("a", "b")) != result([1.0], columns=("a",))
