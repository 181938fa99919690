"""One-dimensional input gives one-dimensional output, and rows give rows."""

import numpy as np
import pandas as pd
import pytest

from explorer import (
    ConditionalEmbedding,
    DistributionRegression,
    Gaussian,
    KernelPCA,
    LocationScaleShift,
    TargetShift,
    bags_of,
)

rng = np.random.default_rng(0)
X, Z = rng.normal(size=20), rng.normal(size=6)
CLASSES, BAGS = np.arange(20) % 2, [rng.normal(size=(5, 2)) for _ in range(20)]


def shifted(x, target):
    return LocationScaleShift().fit(x, CLASSES, target)


GIVEN = {  # what is given in one dimension or as a column, and what answers it: as many rows
    "ConditionalEmbedding.predict": lambda v, w: ConditionalEmbedding(lam=0.1).fit(X, v).predict(Z),
    "ConditionalEmbedding.expectation": lambda v, w: ConditionalEmbedding(lam=0.1).fit(X, X).expectation(v, Z),
    "approximated": lambda v, w: ConditionalEmbedding(lam=0.1, approximation="cholesky", rank=5).fit(X, v).predict(Z),
    "KernelPCA.pre_image": lambda v, w: KernelPCA(Gaussian(1.0), 2).fit(v).pre_image(w),
    "KernelPCA.pre_image of scores": lambda v, w: KernelPCA(Gaussian(1.0), 2).fit(v).pre_image(scores=np.zeros((6, 2))),
    "KernelPCA.pre_image, regression": lambda v, w: KernelPCA(n_components=2).fit(v).pre_image(w, method="regression"),
    "DistributionRegression.predict": lambda v, w: DistributionRegression(lam=0.1).fit(BAGS, v).predict(BAGS[:6]),
    "LocationScaleShift.transform": lambda v, w: shifted(v, w).transform(w, CLASSES[:6]),
    "LocationScaleShift.fit_transform": lambda v, w: LocationScaleShift().fit_transform(v, CLASSES, w)[:6],
    "TargetShift.y_": lambda v, w: TargetShift().fit(X, v, Z).y_[:6],
    "bags_of": lambda v, w: bags_of(v, np.arange(20) // 6)[0],
}


@pytest.mark.parametrize("answer", GIVEN.values(), ids=GIVEN)
def test_one_dimension_stays_one(answer):
    flat, column = answer(X, Z), answer(X[:, None], Z[:, None])
    assert flat.shape == (6,)
    assert column.shape == (6, 1)
    np.testing.assert_array_equal(flat, column[:, 0])
    for named in (pd.Series(X), list(X)):
        np.testing.assert_array_equal(answer(named, Z), flat)
    framed = answer(pd.DataFrame({"x": X}), pd.DataFrame({"x": Z}))
    np.testing.assert_array_equal(framed, column)


def test_residuals_are_one_for_each_pair():
    fit = ConditionalEmbedding().fit(X, X**2)
    assert (X**2 - fit.predict(X)).shape == (20,)
    right = 1 - np.sum((X**2 - fit.predict(X)) ** 2) / np.sum((X**2 - np.mean(X**2)) ** 2)
    assert fit.score(X, X**2) == pytest.approx(right, rel=1e-12)
