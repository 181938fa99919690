"""A refusal names what to do instead, and a caller who follows it is not refused again."""

import re

import numpy as np
import pytest
from helpers.naming import naming
from kernels_and_estimators import KERNELS, drawn

import explorer
from explorer import MKME, MMKME, Polynomial

ASKED = {
    "MKME": lambda k, d: MKME(k),
    "MKME .3": lambda k, d: MKME(k, 0.3),
    "MMKME": lambda k, d: MMKME(k),
    "MMKME .3": lambda k, d: MMKME(k, np.full(d, 0.3)),
}
ESTIMATOR = re.compile(r"point masses: (.*)\.$")
EXAMPLE = re.compile(r"give sigma, such as (.*)\.$")


def advised(sentence, kernel):
    """Return the estimators that a refusal's last words name."""
    named, example = ESTIMATOR.search(sentence), EXAMPLE.search(sentence)
    assert named or example, sentence
    if example:
        return [eval(example[1], {"kernel": kernel, "MKME": MKME, "MMKME": MMKME})]
    return [getattr(explorer, name)(kernel) for name in re.split(r", | or ", named[1])]


@pytest.mark.thorough(default=["*-MKME", "gaussian-*"])
@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
@pytest.mark.parametrize("row", KERNELS.values(), ids=KERNELS)
def test_what_a_marginalized_estimator_advises_works(row, ask):
    k, X = drawn(row, 12)
    estimator = ask(k, X.shape[1])
    for act in (estimator.embed, estimator.select):
        try:
            act(X)
        except ValueError as refusal:
            for other in advised(str(refusal), k):
                e = other.embed(X)
                assert np.isfinite(e.weights).all()
                assert e.norm() >= 0


def test_every_kernel_without_a_closed_form_is_refused():
    for row in KERNELS.values():
        k, X = drawn(row, 4)
        if not row.closed_form:
            for ask in ASKED.values():
                with pytest.raises(ValueError, match=naming("KME", "SKMSE", "FKMSE")):
                    ask(k, X.shape[1]).embed(X)


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_the_degrees_that_a_polynomial_advises_take_noise(degree):
    with pytest.raises(ValueError, match=naming("1", "2", "3")):
        MKME(Polynomial(4), 0.3).embed([[0.0], [1.0]])
    assert MKME(Polynomial(degree), 0.3).embed([[0.0], [1.0]]).norm() > 0
