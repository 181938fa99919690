"""The error bound of the plain average, which holds with probability 1 - δ: as proved and as the article prints it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple

from explorer.languages import translate
from explorer.markup import markup
from explorer.workbench.numbers import format_number
from explorer.workbench.tex_to_mathml import formula

if TYPE_CHECKING:
    from explorer.markup import Markup


BOUND = "1/√n + √(log(1/δ)/n)"  # in plain words
SET = formula(r"1/\sqrt{n} + \sqrt{\mathrm{log}(1/\delta)/n}")


class Bound(NamedTuple):
    """The error |μ̂ - μ| of a sample, an RKHS distance, and the values that it is compared with.

    Attributes
    ----------
    error : float
        The error of this sample.
    usual : float
        The exact root of the expected squared error.
    proved : float
        The bound 1 / sqrt(n) + sqrt(log(1/δ) / n), for independent points and 0 <= k <= 1 (erratum E-9).
    printed : float
        The bound 2 / sqrt(n) + sqrt(log(2/δ) / 2n) of the encyclopedia article, which is not proved.
    """

    error: float
    usual: float
    proved: float
    printed: float


def bound_of(result: Any) -> Bound | None:
    """Return the bound on the plain average's error, or None if none applies.

    None is proved for an unknown distribution, an unbounded kernel, or samples with outliers or moved points.
    """
    lab = result.lab
    if result.law is None or not result.kernel.bounded or lab.outliers or lab.moved:
        return None
    n, delta = lab.n, lab.delta
    return Bound(
        math.sqrt(max(result.empirical_loss, 0.0)),
        math.sqrt(result.truth.variance),
        (1 + math.sqrt(math.log(1 / delta))) / math.sqrt(n),
        (2 + math.sqrt(math.log(2 / delta) / 2)) / math.sqrt(n),
    )


def bound_words(result: Any, rule: Markup = SET) -> str | Markup:
    """Return the sentence on the plain average's error bound, or "" if its picture is hidden; `rule` is the formula."""
    if result.lab.picture != "errors":
        return ""
    bound, others = result.bound, result.replicates
    if bound is None:
        return translate(
            " The error bound needs independent points of a known distribution and a kernel with 0 ≤ k ≤ 1, such as RBF"
            " or Laplacian."
        )
    words = markup(
        " With probability at least 1 − δ = {} the plain average's error ‖μ̂ − μ‖ is at most {} = {}. The paper prints"
        " {}. On this sample the error is {}, and its root mean square over samples is {}.",
        format_number(1 - result.lab.delta),
        rule,
        format_number(bound.proved),
        format_number(bound.printed),
        format_number(bound.error),
        format_number(bound.usual),
    )
    if others is None:
        return markup("{} +100 samples draws the histogram.", words)
    beyond = int((others.empirical > bound.proved**2).sum())
    return markup("{} {} of {} more samples exceed the bound.", words, beyond, others.count)
