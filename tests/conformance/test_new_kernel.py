"""A new kernel is one short class: the recipe's has a row's worth of promises, and it adds and multiplies."""

import importlib

import numpy as np
import pytest
from helpers.guide_texts import recipe
from helpers.naming import naming
from kernels_and_estimators import KERNELS, Row, of_kind, vectors

import explorer
from explorer import KME, MKME, SKMSE, CrossCovariance, Gaussian, Kernel, Product, hsic, low_rank, mmd_test, monk_mmd
from explorer.kernels import KernelProduct, KernelSum

ALL, FLAGS, ANSWERS = (
    importlib.import_module(name)
    for name in ("kernels.test_kernels_all", "conformance.test_flags", "kernels.test_kernels_answers")
)
Cauchy = recipe("## Add a kernel", Kernel)


def cauchy(k, x, y):
    return 1 / (1 + ((x - y) ** 2).sum(-1) / k.bandwidth**2)


def multiplied(k, x, y):
    return cauchy(k.factors[0], x, y) * of_kind(k.factors[1], x, y)


def summed(k, x, y):
    return sum(a * (cauchy(term, x, y) if isinstance(term, Cauchy) else of_kind(term, x, y)) for a, term in k.terms)


ROWS = {
    "cauchy": Row(Cauchy(1.3), vectors, cauchy, False),
    "cauchy + gaussian": Row(0.5 * Cauchy(1.3) + 0.5 * Gaussian(), vectors, summed, False),
    "cauchy * gaussian": Row(Cauchy(1.3) * Gaussian(2.0), vectors, multiplied, False),
}
every_row = pytest.mark.parametrize("row", ROWS.values(), ids=ROWS)


def promises(module):
    """Return the tests of a module that run over every kernel, and over nothing else."""
    for name, test in vars(module).items():
        marks = getattr(test, "pytestmark", [])
        if name.startswith("test_") and [m.args[0] for m in marks if m.name == "parametrize"] == ["row"]:
            if all(len(m.args[1]) == len(KERNELS) for m in marks if m.name == "parametrize"):
                yield pytest.param(test, id=name)


@every_row
@pytest.mark.parametrize("promise", [*promises(ALL), *promises(FLAGS), *promises(ANSWERS)])
def test_it_keeps_what_all_kernels_keep(promise, row):
    promise(row)


def test_there_are_promises():
    assert len([*promises(ALL)]) >= 11
    assert len([*promises(FLAGS)]) >= 4


@every_row
def test_every_method_takes_it(row):
    X, Y = vectors(12), vectors(12, seed=1) + 0.5
    k = row.kernel
    assert KME(k).embed(X).norm() > 0
    assert SKMSE(k).select(X).lam > 0
    assert 0 < mmd_test(X, Y, k, n_resamples=19, rng=0).pvalue <= 1
    assert hsic(X, Y, k, k) > 0
    assert monk_mmd(X, Y, k, 3, rng=0).value > 0
    assert CrossCovariance(k, k).fit(X, Y).norm() > 0
    # pivots go on until rounding is left
    np.testing.assert_allclose(low_rank(k, X, "cholesky", rank=12)(X), k(X), rtol=0, atol=1e-12)
    np.testing.assert_allclose(Product({(0, 1, 2): k})(X), k(X), rtol=1e-14)
    for estimator in (MKME(k), MKME(k, 0.5)):
        with pytest.raises(ValueError, match="closed form"):
            estimator.embed(X).norm()


def test_the_base_is_of_the_front_door_and_no_kernel_itself():
    assert explorer.Kernel is Kernel
    assert issubclass(KernelSum, Kernel)
    assert issubclass(KernelProduct, Kernel)
    with pytest.raises(TypeError, match=naming("Gaussian", "subclass")):
        Kernel()
