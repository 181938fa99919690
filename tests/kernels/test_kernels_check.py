"""`check_kernel`: every kernel of the library passes, and wrong kernels fail for the right reason."""

import warnings

import numpy as np
import pytest
from helpers.guide_texts import recipe
from helpers.naming import names_all, naming
from kernels_and_estimators import KERNELS

from explorer import Gaussian, Kernel, Product, check_kernel, hsic, mmd_test
from explorer.checks import ExplorerWarning
from explorer.kernels.check import CLOSE, _definite
from explorer.parameters import LogNumber
from explorer.workbench.menu_models import check_model


@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_every_kernel_passes(row):
    check_kernel(row.kernel, row.data(12)).raise_for_failures()
    check_kernel(row.kernel).raise_for_failures()


class Difference(Kernel):
    """A base of wrong kernels: exp(-|x - y|) of the first coordinate."""

    bandwidth: float = LogNumber(default=1.0, bounds=(1e-9, 1e9), doc="length scale")

    def pairs(self, X, Y=None):
        return X[:, :1] - (X if Y is None else Y)[:, :1].T

    def of_pairs(self, S):
        return np.exp(-np.abs(S) / self.bandwidth)

    def diagonal(self, X):
        return np.ones(len(self.points(X)))


class Distance(Difference):
    def of_pairs(self, S):
        return np.abs(S)

    def diagonal(self, X):
        return np.zeros(len(self.points(X)))


class OneSided(Difference):
    def of_pairs(self, S):
        return np.exp(-np.maximum(S, 0))


class OtherDiagonal(Difference):
    def diagonal(self, X):
        return np.full(len(self.points(X)), 2.0)


class WrongGradient(Gaussian):
    def gradient(self, X, Y, D=None):
        return -super().gradient(X, Y, D)


class WrongExpectation(Gaussian):
    def expected(self, X, C, Y, D):
        return self(X, Y)


class InPlace(Difference):
    def pairs(self, X, Y=None):
        return np.abs(super().pairs(X, Y))

    def of_pairs(self, S):
        np.negative(S, out=S)
        return np.exp(S, out=S)


class NoDiagonal(Difference):
    diagonal = Kernel.diagonal


class Hidden(Difference):
    def __repr__(self):
        return "my kernel"


WRONG = {
    "distance": (Distance(), {"positive semi-definite"}, "below 0"),
    "asymmetric": (OneSided(), {"symmetric"}, "k(y, x)"),
    "diagonal": (OtherDiagonal(), {"diagonal", "expected_diagonal"}, "k(x, x) = 1"),
    "no diagonal": (NoDiagonal(), {"diagonal", "expected_diagonal"}, "NoDiagonal has no diagonal(X)"),
    "gradient": (WrongGradient(1.0), {"gradient"}, "it gives"),
    "expectation": (WrongExpectation(1.0), {"expected"}, "it gives"),
    "repr": (Hidden(), {"repr"}, "SyntaxError"),
}


@pytest.mark.parametrize(("kernel", "properties", "found"), WRONG.values(), ids=WRONG)
def test_wrong_kernels_fail_for_the_right_reason(kernel, properties, found):
    report = check_kernel(kernel)
    assert report.failures
    assert {row.property for row in report.failures} <= properties
    assert found in report.failures[0].found
    with pytest.raises(AssertionError, match=naming(report.failures[0].property)):
        report.raise_for_failures()
    assert names_all(str(report), "FAILED", report.failures[0].advice)


def test_the_guide_s_kernel_passes():
    check_kernel(recipe("## Add a kernel", Kernel)(1.3)).raise_for_failures()


def test_the_user_s_points_are_what_is_checked():
    assert not check_kernel(Distance(), [0.0, 1.0, 3.0, 4.0]).passed
    with pytest.raises(TypeError, match="kernel must be a kernel"):
        check_kernel("gaussian")  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("n", range(2, 7))
def test_a_few_points_are_enough(n):
    X = np.random.default_rng(n).normal(size=(n, 2))
    assert check_kernel(Gaussian(), X).failures == ()
    assert [row.property for row in check_kernel(WrongGradient(1.0), X).failures] == ["gradient"]


def test_one_point_is_too_few():
    with pytest.raises(ValueError, match=naming("X", "1 row", "2")):
        check_kernel(Gaussian(), [[1.0, 2.0]])


def test_a_test_function_warns_once_of_what_is_no_kernel():
    class Absolute(Distance):
        pass

    X, Y = np.arange(6.0)[:, None], np.arange(6.0)[:, None] + 1
    with pytest.warns(ExplorerWarning, match=naming("Absolute()", "not positive semi-definite", "check_kernel")):
        mmd_test(X, Y, Absolute(), n_resamples=19, rng=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mmd_test(X, Y, Absolute(), n_resamples=19, rng=0)
        hsic(X, Y, Difference(), Difference())


COMPOSED = {
    "sum": lambda kernel: kernel + Gaussian(1.0),
    "multiple": lambda kernel: 2 * kernel,
    "product": lambda kernel: kernel * Gaussian(1.0),
    "columns": lambda kernel: Product({0: kernel}),
}


@pytest.mark.parametrize("compose", COMPOSED.values(), ids=COMPOSED)
def test_what_is_made_of_no_kernel_is_warned_of_once(compose):
    class Absolute(Distance):
        pass

    X, Y = np.arange(6.0)[:, None], np.arange(6.0)[:, None] + 1
    with pytest.warns(ExplorerWarning, match=naming("Absolute()", "not positive semi-definite")):
        mmd_test(X, Y, compose(Absolute()), n_resamples=19, rng=0)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mmd_test(X, Y, compose(Absolute()), n_resamples=19, rng=0)


def test_a_sum_that_is_a_kernel_is_not_warned_of():
    class Absolute(Distance):
        pass

    X, Y = np.arange(6.0)[:, None], np.arange(6.0)[:, None] + 1
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mmd_test(X, Y, 1e-3 * Absolute() + Gaussian(1.0), n_resamples=19, rng=0)
        mmd_test(X, Y, 2 * Difference() + Gaussian(1.0), n_resamples=19, rng=0)


def test_a_method_that_is_not_written_is_named():
    class Still(Difference):
        stationary = True

    with pytest.raises(NotImplementedError, match=naming("Still", "less_one")):
        Still().less_one(np.ones((1, 1)), None, np.ones((1, 1)), None)


def test_menus_refuse_what_is_no_kernel():
    check_model(Difference())
    with pytest.raises(ValueError, match="positive semi-definite"):
        check_model(Distance())


class Zero(Distance):
    def of_pairs(self, S):
        return np.zeros(S.shape)

    def expected(self, X, C, Y, D):
        return self(X, Y)

    def gradient(self, X, Y, D=None):
        return np.zeros((len(X), len(Y), X.shape[1]))


def test_the_zero_kernel_is_a_kernel():
    check_kernel(Zero()).raise_for_failures()


@pytest.mark.parametrize(("error", "fails"), [(0.5, False), (2.0, True)])
def test_a_diagonal_may_be_wrong_by_the_tolerance(error, fails):
    class AlmostDiagonal(Difference):
        def diagonal(self, X):
            return np.full(len(self.points(X)), 1 + error * CLOSE)

    assert ("diagonal" in {row.property for row in check_kernel(AlmostDiagonal()).failures}) is fails


@pytest.mark.parametrize(("error", "fails"), [(0.5, False), (2.0, True)])
def test_an_eigenvalue_may_be_negative_by_the_tolerance(error, fails):
    """The largest eigenvalue of ones is n; at points that differ a ridge of -r takes the others down to -r."""

    class AlmostDefinite(Difference):
        def of_pairs(self, S):
            return 1.0 - error * CLOSE * len(S) * (S == 0)

        def diagonal(self, X):
            return np.full(len(self.points(X)), 1.0 - error * CLOSE * len(X))

    row = _definite(AlmostDefinite(), np.arange(6.0)[:, None])
    assert row.passed is not fails
