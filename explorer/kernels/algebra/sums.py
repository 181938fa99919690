"""Sums and multiples of kernels: k + l, and a * k for a number a > 0."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.kernels.base import Kernel
from explorer.printing import echo
from explorer.types import ConvertedField, Gram, Matrix, Points, PointsLike, Values, Vector

from .expressions import CheckedField, Expression, check_kernel, check_weight, on_its_space, refuse_other_spaces
from .increments import SumIncrements, increments_of

if TYPE_CHECKING:
    from explorer.kernels.base import PairedPoints
    from explorer.kernels.noisy.pairs import NoisyPairs
    from explorer.kernels.polynomial import Polynomial


def terms_of(given: Sequence[tuple[float, Kernel]]) -> tuple[tuple[float, Kernel], ...]:
    """Check pairs (weight, kernel) and split sums among the kernels into their terms."""
    try:
        pairs = [(check_weight(weight), check_kernel(each)) for weight, each in given]
    except TypeError as error:
        if isinstance(error, WrongType):
            raise
        raise WrongType(f"terms must be pairs such as (2.0, Gaussian(1.0)), not {echo(given)}.") from None
    if not pairs:
        raise WrongType("terms is empty; give at least one pair such as (2.0, Gaussian(1.0)).")
    flat = []
    for weight, each in pairs:
        inner = each.terms if isinstance(each, KernelSum) else ((1.0, each),)
        flat += [(check_weight(weight * a), part) for a, part in inner]
    if len(flat) == 1 and flat[0][0] == 1:
        raise Refusal(f"a sum of one kernel with the weight 1 is that kernel; give {echo(flat[0][1])} itself.")
    refuse_other_spaces([part for _, part in flat], "sum")
    return tuple(flat)


class KernelSum(Expression):
    r"""Sum of kernels with positive weights, written k + l or 2.0 * k.

    .. math:: k(x, y) = \sum_i a_i k_i(x, y), \quad a_i > 0

    Parameters
    ----------
    terms : sequence of tuple
        Pairs (a_i, k_i) of a number above 0 and a kernel, all of the same points. Sums among the k_i are split into
        their terms. The order of the terms is no part of the value.

    Raises
    ------
    ValueError
        If the kernels take different points, or if an a_i is not above 0.
    TypeError
        If a k_i is not a kernel.

    Notes
    -----
    The kernel mean determines whatever the kernel means of the terms determine, and squared distances add up: ``|μ_P -
    μ_Q|^2`` is Σ a_i times those of the terms. So the sum is characteristic if one term is. It is universal if one term
    is, or if one is characteristic and another contains the constants. Bounded if all are; its growth is the largest.
    Expectations under Gaussian noise are the sums of the terms', and exact if those are. An automatic bandwidth is
    chosen for each term by itself.

    Examples
    --------
    >>> from explorer import Gaussian, Linear
    >>> from explorer.kernels import KernelSum
    >>> kernel: KernelSum = Gaussian(1.0) + 2.0 * Linear()
    >>> kernel
    Gaussian(bandwidth=1.0) + 2.0 * Linear()
    >>> kernel([[1.0]], [[1.0], [2.0]]).round(4)
    array([[3.    , 4.6065]])
    """

    terms: ConvertedField[Sequence[tuple[float, Kernel]], tuple[tuple[float, Kernel], ...]] = CheckedField(
        terms_of, doc="pairs (weight, kernel)"
    )

    @property
    def key(self) -> tuple[str, tuple[str, tuple[tuple[float, tuple[Any, ...]], ...]]]:
        name, (field, terms) = super().key
        return name, (field, tuple(sorted(terms, key=repr)))

    def _parts_of(self):
        return [each for _, each in self.terms]

    @property
    def _weights(self):
        return [weight for weight, _ in self.terms]

    def _rebuilt(self, parts):
        return KernelSum(tuple(zip(self._weights, parts, strict=True)))

    def _written(self, write):
        return " + ".join(write(each) if a == 1 else f"{a!r} * {write(each)}" for a, each in self.terms)

    @property
    def growth(self) -> float:
        return max(each.growth for each in self._parts_of())

    @property
    def zeros(self) -> float:
        return min(each.zeros for each in self._parts_of())

    @property
    def has_constants(self) -> bool:
        return any(each.has_constants for each in self._parts_of())

    @property
    def stationary(self) -> bool:
        return all(each.stationary for each in self._parts_of())

    @property
    def characteristic(self) -> bool:
        return any(each.characteristic for each in on_its_space(self._parts_of()))

    @property
    def universal(self) -> bool:
        if any(each.universal for each in on_its_space(self._parts_of())):
            return True
        # the constants detect weights whose sum is not 0, the characteristic term those of sum 0
        return self.has_constants and self.characteristic

    @property
    def degree(self) -> int | None:
        """The largest degree of the terms; None if one is not a polynomial of <x, y>."""
        degrees = [each.degree for each in self._parts_of()]
        return None if None in degrees else max(degree for degree in degrees if degree is not None)

    def log_mass(self, d: int) -> float | None:
        masses = [each.log_mass(d) for each in self._parts_of()]
        if None in masses or len({each.space for each in self._parts_of()}) > 1:
            return None
        return float(np.logaddexp.reduce(np.log(self._weights) + np.array(masses)))

    def _sum(self, values):
        """Sum a_i times the values of each term; raise ValueError if the sum overflows."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.finite(sum((a * each for a, each in zip(self._weights, values, strict=True)), np.zeros(())))

    def of_pairs(self, S: PairedPoints) -> Matrix:
        return self._sum(each.of_pairs(part) for each, part in zip(self._parts_of(), S, strict=True))

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        return self._sum(self._values(X, Y))

    def diagonal(self, X: PointsLike) -> Vector:
        return self._sum(each.diagonal(X) for each in self._parts_of())

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute Σ a_i E k_i(x + u, y + v).

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.

        Raises
        ------
        ValueError
            If a term has no closed form.
        """
        if C is None and D is None:
            return self(X, Y)
        return self._sum(each.expected(X, C, Y, D) for each in self._parts_of())

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        return self._sum(each.expected_diagonal(X, C) for each in self._parts_of())

    def expected_scales(self, X: Points, s: Vector, Y: Points, t: Vector, S: Matrix) -> Values | None:
        values = [each.expected_scales(X, s, Y, t, S) for each in self._parts_of()]
        return None if any(each is None for each in values) else self._sum(values)

    def expected_unlike(self, X: Points, s: Vector, S: Matrix, Y: Points, t: Vector, T: Matrix) -> Values | None:
        values = [each.expected_unlike(X, s, S, Y, t, T) for each in self._parts_of()]
        return None if any(each is None for each in values) else self._sum(values)

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        return self._sum(each.gradient(X, Y, D) for each in self._parts_of())

    def less_one(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k - k(x, x) for stationary terms, each with all its digits.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The differences.
        """
        return self._sum(each.less_one(X, C, Y, D) for each in self._parts_of())

    def contrast(self, points: Points, variance: float = 0.0) -> KernelSum | SumIncrements:
        """Return the sum's `Increments` if one term needs them, as its size would hide the other terms' digits.

        Parameters
        ----------
        points : ndarray of shape (n, d)
            Points that weights of sum zero are put on.
        variance : float, default 0.0
            Variance of Gaussians at the points.

        Returns
        -------
        Kernel or Increments
            This kernel k, or its increments k_o from an origin o.
        """
        parts = increments_of(self._parts_of(), points, variance)
        return self if parts is None else SumIncrements(self, parts[0].origin, self._weights, parts)

    def noisy_pairs(self, X: Points) -> NoisyPairs:
        if not self.stationary:
            return super().noisy_pairs(X)
        from explorer.kernels.noisy.mixtures import SummedPairs

        return SummedPairs(self, X, [each.noisy_pairs(X) for each in self.chosen()._parts_of()], self._weights)

    def differences(self, X: Points, Y: Points) -> Matrix | None:
        values = [each.differences(X, Y) for each in self._parts_of()]
        return None if any(each is None for each in values) else self._sum(values)


def sum_of(terms: Sequence[tuple[float, Polynomial]]) -> KernelSum | Polynomial:
    """Return Σ a k over pairs (a, k), or the kernel itself for one term of weight 1."""
    return terms[0][1] if len(terms) == 1 and terms[0][0] == 1 else KernelSum(tuple(terms))


def add(k: Kernel, other: int | Kernel | None) -> Kernel:
    """Return k + other, for a kernel; for the number 0, with which sum() begins, return k itself.

    Parameters
    ----------
    k : Kernel
        A kernel.
    other : Kernel or 0
        What is added.

    Returns
    -------
    Kernel
        The sum.

    Raises
    ------
    TypeError
        If `other` is neither a kernel nor 0.

    Examples
    --------
    >>> from explorer import Gaussian, Linear
    >>> from explorer.kernels.algebra import add
    >>> total = add(Gaussian(1.0), Linear())
    >>> total([[1.0], [2.0]]).round(3).tolist()
    [[2.0, 2.607], [2.607, 5.0]]
    """
    if isinstance(other, Kernel):
        return KernelSum(((1.0, k), (1.0, other)))
    if type(other) in (int, float) and other == 0:
        return k
    raise TypeError(f"a kernel adds to another kernel, not to {echo(other)}.")


def times(weight: float, k: Kernel) -> Kernel:
    """Return weight * k: k itself for 1, and the kernel inside a multiple k if the two numbers cancel."""
    weight = check_weight(weight)
    if isinstance(k, KernelSum) and len(k.terms) == 1:
        inner, k = k.terms[0]
        weight = check_weight(weight * inner)
    return k if weight == 1 else KernelSum(((weight, k),))
