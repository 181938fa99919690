"""`check_estimator`: estimators of the library and of the guide pass, and wrong ones fail for the right reason."""

import contextlib
from typing import Any

import numpy as np
import pytest
from helpers.guide_texts import recipe
from helpers.naming import naming
from kernels_and_estimators import ESTIMATORS

from explorer import KME, Embedding, Estimator, Gaussian, check_estimator, mmd2, sweep
from explorer.checks import ExplorerWarning
from explorer.estimators import labelled
from explorer.estimators.check import first_failure
from explorer.parameters import LogNumber, Real, Seed
from explorer.sweeps import InProcess

TARGET = KME(Gaussian(1.0)).embed(np.array([[0.0], [1.0]]))


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if "target" not in name and "MMKME" not in name])
def test_estimators_pass(name):
    check_estimator(ESTIMATORS[name](Gaussian(1.0), None)).raise_for_failures()


@pytest.mark.parametrize("kind", labelled().values(), ids=labelled())
def test_defaults_pass(kind):
    check_estimator(kind()).raise_for_failures()


class Half(Estimator):
    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 0.5 / len(X)))


class EverySecond(Estimator):
    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X[::2], np.full(len(X[::2]), 1 / len(X[::2])))


class Drawing(EverySecond):
    """Every second row in an order that a seed draws."""

    rng: int | None = Seed(default=0, doc="seed of the order")

    def embed(self, X):
        return super().embed(np.random.default_rng(self.rng).permutation(self._kernel(X)[1]))


class Chosen(Half):
    """Average of a weight that the base class chooses."""

    free = "share"
    share: Any = Real(default=None, allow_None=True, bounds=(0, 1), doc="the weight")

    def embed(self, X):
        chosen = self.select(X)
        kernel, X = chosen._kernel(X)
        return Embedding(kernel, X, np.full(len(X), chosen.share / len(X)))


class Shrunk(Estimator):
    """An average of a weight that the sample chooses."""

    free = "lam"
    lam: float | None = LogNumber(default=None, allow_None=True, bounds=(1e-6, 1e6), doc="shrinkage")

    def select(self, X):
        return self if self.lam is not None else self.replace(lam=1 / len(self._kernel(X)[1]))

    def embed(self, X):
        kernel, X = self._kernel(X)
        lam = self.select(X).lam or 0.0
        return Embedding(kernel, X, np.full(len(X), 1 / len(X) / (1 + lam)))


def test_estimators_of_a_user_pass():
    for each in (
        Half(),
        Shrunk(),
        Shrunk(lam=0.1),
        Drawing(),
        Chosen(),
        Chosen(share=0.4),
        recipe("## Add an estimator", Estimator)(),
    ):
        check_estimator(each).raise_for_failures()


class Infinite(Half):
    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 1e308))


class Drawn(Half):
    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.random.default_rng().random(len(X)))


class Sampled(Half):
    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, np.random.default_rng().permutation(X)[:1], [1.0])


class Weights(Half):
    def embed(self, X):
        return np.full(len(X), 1 / len(X))


class Deaf(Half):
    def embed(self, X):
        return Embedding(Gaussian(1.0), X, np.full(len(X), 1 / len(X)))


class Writes(Half):
    def embed(self, X):
        X[0] = 0.0
        return super().embed(X)


class Sorted(Half):
    """All rows but the farthest; of rows that are equally far, the last."""

    def embed(self, X):
        kernel, X, K = self._gram(X)
        kept = np.argsort(K.diagonal() - 2 * K.mean(axis=1), kind="stable")[: max(len(X) - 1, 1)]
        return Embedding(kernel, X[kept], np.full(len(kept), 1 / len(kept)))


class Inverse(Half):
    """Weights that solve K β = 1, without a ridge."""

    def embed(self, X):
        kernel, X, K = self._gram(X)
        return Embedding(kernel, X, np.linalg.solve(K, np.ones(len(X))))


class Near(Half):
    """The average of the rows within a length of the median, in units that no parameter names."""

    def embed(self, X):
        kernel, X = self._kernel(X)
        near = np.linalg.norm(X - np.median(X, axis=0), axis=1) <= 1.0
        near |= ~near.any()
        return Embedding(kernel, X, near / near.sum())


class Undecided(Shrunk):
    def select(self, X):
        return self

    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 1 / len(X)))


WRONG = {
    "infinite": (Infinite(), "embed"),
    "random": (Drawn(), "the same each time"),
    "random rows": (Sampled(), "the same each time"),
    "no embedding": (Weights(), "embed"),
    "another kernel": (Deaf(), "kernel"),
    "writes": (Writes(), "leaves the sample unchanged"),
    "no choice": (Undecided(), "select"),
    "positions": (EverySecond(), "order of the rows"),
    "ties": (Sorted(), "order of the rows"),
    "singular": (Inverse(Gaussian(0.1)), "equal rows"),
    "units": (Near(), "units of the points"),
}


@pytest.mark.parametrize(("estimator", "property"), WRONG.values(), ids=WRONG)
def test_wrong_estimators_fail_for_the_right_reason(estimator, property):
    assert property in [row.property for row in check_estimator(estimator).failures]


@pytest.mark.parametrize("kind", [EverySecond, Sorted, Infinite, Drawn, Deaf, Writes])
def test_a_test_function_warns_once_of_a_wrong_estimator(kind):
    class Mine(kind):
        pass

    X = np.random.default_rng(0).normal(size=(6, 1))

    def twice():
        for _ in range(2):
            with contextlib.suppress(ValueError), np.errstate(all="ignore"):  # a wrong one may be refused later
                mmd2(X, X.copy(), Gaussian(1.0), "biased", Mine())

    with pytest.warns(ExplorerWarning, match=naming("Mine()", "check_estimator")) as told:
        twice()
    assert len(told) == 1


def test_a_sweep_warns_once_of_a_wrong_estimator():
    class Mine(EverySecond):
        pass

    axes = {"estimator": [Mine(Gaussian(1.0)), Mine(Gaussian(2.0)), Half(Gaussian(1.0))]}
    with pytest.warns(ExplorerWarning, match=naming("Mine", "order of the rows")) as told:
        sweep(_norm, axes, executor=InProcess(), progress=False)
    assert len(told) == 1


def _norm(estimator, seed):
    return {"norm": estimator.embed([0.0, 1.0]).norm()}


@pytest.mark.parametrize("name", [name for name in ESTIMATORS if "target" not in name and "MMKME" not in name])
def test_estimators_of_the_library_pass_the_short_check(name):
    assert first_failure(ESTIMATORS[name](Gaussian(1.0), None)) is None


def test_an_estimator_without_embed_is_named():
    class Nothing(Estimator):
        pass

    with pytest.raises(NotImplementedError, match=naming("Nothing", "embed(X)")):
        Nothing().embed([0.0, 1.0])


def test_what_does_not_embed_fails_one_check_only():
    report = check_estimator(Weights())
    assert [row.property for row in report.failures] == ["embed"]
    assert {row.found for row in report.rows if row.passed is None} == {"embed fails"}


def test_no_estimator_is_refused():
    with pytest.raises(TypeError, match="estimator must be an estimator"):
        check_estimator(Gaussian())  # pyright: ignore[reportArgumentType]
