"""Kernels in the words of a verdict: "a Gaussian kernel of bandwidth 1.5 over weight, height"."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Real

import numpy as np

from explorer.printing import join_list

from .algebra import KernelProduct, KernelSum
from .base import Kernel
from .discrete import Delta, Equality, Precomputed
from .product import Product

NAMES = {
    "Linear": "linear",
    "Polynomial": "polynomial",
    "Exponential": "exponential",
    "Energy": "energy",
    "ARDGaussian": "Gaussian",
    "Matern": "Matérn",
    "RationalQuadratic": "rational quadratic",
    "InverseMultiquadric": "inverse multiquadric",
    "Subsequence": "string subsequence",
}
ALWAYS = ("bandwidth", "degree", "length", "nu")  # fields that are stated even if they have their default


def in_prose(kernel: Kernel, columns: Sequence[str] = ()) -> str:
    """Describe a kernel in words.

    Parameters
    ----------
    kernel : Kernel
        The kernel.
    columns : sequence of str, default ()
        Names of what it compares, one for each coordinate, if they are known.

    Returns
    -------
    str
        A noun phrase.

    Examples
    --------
    >>> from explorer import Delta, Gaussian, Product
    >>> from explorer.kernels import in_prose
    >>> print(in_prose(Gaussian(0.5)))
    a Gaussian kernel of bandwidth 0.5
    >>> print(in_prose(Product({0: Gaussian(2.0), 1: Delta()}), ["height", "sex"]))
    a Gaussian kernel of bandwidth 2 over height, 0 where sex differs
    """
    if isinstance(kernel, Product):
        factors = [_factor(part, _named(numbers, columns)) for numbers, part in kernel.factors]
        factors.sort(key=lambda words: words.startswith(BELOW))
        if factors[0].startswith(BELOW):
            factors[0] = f"a kernel that is {factors[0]}"
        return ", ".join(factors)
    words = _alone(kernel)
    return f"{words} over {join_list(columns, 200)}" if columns else words


BELOW = ("halved where", "0 where")  # a factor that equality decides reduces the value of the others


def _factor(kernel, names):
    if isinstance(kernel, Delta) or _equality(kernel):
        return f"{BELOW[isinstance(kernel, Delta) and not _equality(kernel)]} {names} differs"
    return f"{_alone(kernel)} over {names}"


def _named(numbers, columns):
    """Return the columns of a factor by their names, or by their numbers."""
    if columns:
        return join_list([columns[j] for j in numbers], 200)
    return f"column{'s' if len(numbers) > 1 else ''} {join_list(map(str, numbers), 200)}"


def _equality(kernel):
    """Return whether a kernel only distinguishes equal levels, with 1, from unequal ones, with 1/2."""
    if not isinstance(kernel, Precomputed):
        return isinstance(kernel, Equality)
    n = len(kernel.gram)
    return n > 1 and bool((kernel.gram == (np.ones((n, n)) + np.eye(n)) / 2).all())


def _alone(kernel):
    if isinstance(kernel, Equality):
        return "a kernel that is 1 at equal points, else 1/2"
    if isinstance(kernel, Delta):
        return "equality"
    if isinstance(kernel, Precomputed):
        return "a given Gram matrix"
    if isinstance(kernel, KernelSum):
        terms = [_alone(part) if weight == 1 else f"{weight:.4g} times {_alone(part)}" for weight, part in kernel.terms]
        return " plus ".join(terms)
    if isinstance(kernel, KernelProduct):
        return " times ".join(in_prose(part) for part in kernel.factors)
    if isinstance(kernel, Product):
        return " times ".join(in_prose(part) for _, part in kernel.factors)
    name = NAMES.get(type(kernel).__name__, type(kernel).__name__)
    words = f"{'an' if name[0] in 'aeioAEIO' else 'a'} {name} kernel"
    fields = kernel.values()
    given = dict(kernel._parts()) | {field: fields[field] for field in ALWAYS if field in fields}
    values = [f"{field} {value:.4g}" for field, value in given.items() if isinstance(value, Real) and value is not True]
    return f"{words} of {', '.join(values)}" if values else words
