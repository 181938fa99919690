"""`check_estimator`: estimators of the library and of the guide pass, and wrong ones fail for the right reason."""

import numpy as np
import pytest
from helpers.guide_texts import recipe
from kernels_and_estimators import ESTIMATORS

from explorer import KME, Embedding, Estimator, Gaussian, check_estimator
from explorer.estimators import labelled
from explorer.parameters import LogNumber

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
        return Embedding(kernel, X[::2], np.full(len(X[::2]), 1 / len(X[::2])))


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
    for each in (Half(), Shrunk(), Shrunk(lam=0.1), recipe("## Add an estimator", Estimator)()):
        check_estimator(each).raise_for_failures()


class Infinite(Half):
    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 1e308))


class Drawn(Half):
    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.random.default_rng().random(len(X)))


class Deaf(Half):
    def embed(self, X):
        return Embedding(Gaussian(1.0), X, np.full(len(X), 1 / len(X)))


class Writes(Half):
    def embed(self, X):
        X[0] = 0.0
        return super().embed(X)


class Undecided(Shrunk):
    def select(self, X):
        return self

    def embed(self, X):
        kernel, X = self._kernel(X)
        return Embedding(kernel, X, np.full(len(X), 1 / len(X)))


WRONG = {
    "infinite": (Infinite(), "embed"),
    "random": (Drawn(), "the same each time"),
    "another kernel": (Deaf(), "kernel"),
    "writes": (Writes(), "leaves the sample unchanged"),
    "no choice": (Undecided(), "select"),
}


@pytest.mark.parametrize(("estimator", "property"), WRONG.values(), ids=WRONG)
def test_wrong_estimators_fail_for_the_right_reason(estimator, property):
    assert property in [row.property for row in check_estimator(estimator).failures]


def test_no_estimator_is_refused():
    with pytest.raises(TypeError, match="estimator must be an estimator"):
        check_estimator(Gaussian())  # pyright: ignore[reportArgumentType]
