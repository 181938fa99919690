"""Products of kernels on one space, and their expectations under Gaussians."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import reduce
from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.checks import Refusal, WrongType
from explorer.kernels.base import POINT_MASSES, Kernel
from explorer.kernels.polynomial import Linear, Polynomial
from explorer.printing import echo
from explorer.types import ConvertedField, Gram, Matrix, Points, PointsLike, Values, Vector

from .combining import equivalent, same_family
from .expressions import CheckedField, Expression, check_kernel, on_its_space, refuse_other_spaces
from .increments import ProductIncrements, increments_of
from .integrals import Integrals
from .sums import KernelSum, sum_of, times

if TYPE_CHECKING:
    from explorer.kernels.base import PairedPoints
    from explorer.kernels.noisy.pairs import NoisyPairs


POWERS = 3  # largest degree for which Polynomial has means under noise


def factors_of(given: tuple[Kernel, Kernel]) -> tuple[Kernel, ...]:
    """Check kernels and split products among them into their factors."""
    try:
        kernels = [check_kernel(each) for each in given]
    except TypeError as error:
        if isinstance(error, WrongType):
            raise
        raise WrongType(f"factors must be kernels such as (Gaussian(1.0), Linear()), not {echo(given)}.") from None
    if len(kernels) < 2:
        raise Refusal(f"factors holds {len(kernels)} of the kernels to be multiplied; give at least two.")
    flat = [part for each in kernels for part in (each.factors if isinstance(each, KernelProduct) else (each,))]
    refuse_other_spaces(flat, "product")
    return tuple(flat)


class KernelProduct(Expression):
    r"""Product of kernels at the same points, written k * l; `Product` is the product over columns.

    .. math:: k(x, y) = \prod_i k_i(x, y)

    Parameters
    ----------
    factors : sequence of Kernel
        The kernels, all of the same points. Products among them are split into their factors. The order of the factors
        is no part of the value.

    Raises
    ------
    ValueError
        If the kernels take different points.
    TypeError
        If a factor is not a kernel.

    Notes
    -----
    Bounded if all factors are; its growth is the sum of theirs. Universal if one factor is and none of the others
    vanishes anywhere, k_i(x, x) > 0. It is still characteristic if they vanish at one point only, as Linear() does at
    the origin: only a mass at that point embeds as 0, and a difference of two distributions is not such a mass. An
    automatic bandwidth is chosen for each factor by itself.

    The mean of a product is not the product of the means. Under Gaussian noise it is exact for products of Gaussian,
    ARDGaussian, Exponential, Linear and Polynomial kernels of any degree (Gaussian integrals of the tilted noise); with
    one Matern or RationalQuadratic among them it is computed by that kernel's quadrature, to 1e-13. It is also exact
    for Laplacian factors alone, which are one Laplacian, and for sums of such products. Other products raise a
    ValueError.

    Examples
    --------
    >>> from explorer import Gaussian, Linear
    >>> from explorer.kernels import KernelProduct
    >>> kernel: KernelProduct = Gaussian(1.0) * (Linear() + Gaussian(2.0))
    >>> kernel
    Gaussian(bandwidth=1.0) * (Linear() + Gaussian(bandwidth=2.0))
    >>> kernel([[1.0]], [[1.0], [2.0]]).round(4)
    array([[2.    , 1.7483]])
    """

    factors: ConvertedField[Sequence[Kernel], tuple[Kernel, ...]] = CheckedField(
        factors_of, doc="the kernels that are multiplied"
    )

    @property
    def key(self) -> tuple[str, tuple[str, tuple[tuple[str | tuple[Any, ...], ...], ...]]]:
        name, (field, factors) = super().key
        return name, (field, tuple(sorted(factors, key=repr)))

    def _parts_of(self):
        return list(self.factors)

    def _rebuilt(self, parts):
        return KernelProduct(tuple(parts))

    def _written(self, write):
        return " * ".join(f"({write(each)})" if isinstance(each, KernelSum) else write(each) for each in self.factors)

    @property
    def growth(self) -> float:
        return sum(each.growth for each in self.factors)

    @property
    def zeros(self) -> float:
        zeros = [each.zeros for each in self.factors]
        if self.space == "row numbers":
            return sum(zeros)
        return max(zeros)  # kernels of vectors vanish only at the origin, if at all

    @property
    def has_constants(self) -> bool:
        return all(each.has_constants for each in self.factors)

    @property
    def stationary(self) -> bool:
        return same_family(self.factors)

    @property
    def _has_universal_factor(self):
        """True if one factor is universal and all of them distinguish the points of the space."""
        return len(on_its_space(self.factors)) == len(self.factors) and any(each.universal for each in self.factors)

    @property
    def universal(self) -> bool:
        return self._has_universal_factor and self.zeros == 0

    @property
    def characteristic(self) -> bool:
        return self._has_universal_factor and self.zeros <= 1

    @property
    def degree(self) -> int | None:
        """The sum of the factors' degrees; None if one is not a polynomial of <x, y>."""
        degrees = [each.degree for each in self.factors]
        return None if None in degrees else sum(degree for degree in degrees if degree is not None)

    @property
    def length_scale(self) -> float | None:
        """The length scale of the product, (Σ θ_i^-2)^(-1/2).

        That is exact for Gaussian factors, and at most the shortest of all factors' length scales.
        """
        lengths = [each.length_scale for each in self.factors]
        squares = [length**-2 for length in lengths if length is not None]
        return 1 / math.sqrt(sum(squares)) if squares else None

    def log_mass(self, d: int) -> float | None:
        return self._one.log_mass(d) if self.stationary else None

    @property
    def _one(self):
        """The single kernel that factors of a family are."""
        return equivalent([each.chosen() for each in self.factors])

    def of_pairs(self, S: PairedPoints) -> Matrix:
        return self._product(each.of_pairs(part) for each, part in zip(self.factors, S, strict=True))

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        return self._product(self._values(X, Y))

    def diagonal(self, X: PointsLike) -> Vector:
        return self._product(each.diagonal(X) for each in self.factors)

    def _product(self, values):
        with np.errstate(over="ignore", invalid="ignore"):
            return self.finite(reduce(np.multiply, values))

    def expected(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E Π k_i(x + u, y + v), from the products that the factors' sums expand to.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.
        """
        if C is None and D is None:
            return self(X, Y)
        X, Y = self._two(X, Y)
        if self.stationary:
            return self._one.expected(X, C, Y, D)
        return self._over_products(lambda integrals: integrals.between(X, C, Y, D))

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        """Compute the gradient by the product rule between points; under noise that of the single kernel of the family.

        Parameters
        ----------
        X, Y : ndarray of shape (n, d) or (m, d)
            Points.
        D : ndarray of shape (d, d) or None, default None
            Covariance of the noise of Y; None stands for zero.

        Returns
        -------
        ndarray of shape (n, m, d)
            The gradients by x.
        """
        if self.stationary:
            return self._one.gradient(X, Y, D)
        self._refuse_noise_in_gradient(D)
        k = [each(X, Y)[:, :, None] for each in self.factors]
        slopes = [each.gradient(X, Y) for each in self.factors]
        with np.errstate(over="ignore", invalid="ignore"):
            return self.finite(
                sum(
                    (reduce(np.multiply, [*k[:i], slope, *k[i + 1 :]]) for i, slope in enumerate(slopes)),
                    np.zeros(()),
                )
            )

    def expected_diagonal(self, X: Points, C: Matrix | None) -> Vector:
        if C is None or self.stationary:
            return self.diagonal(X)
        X = self.points(X)
        return self._over_products(lambda integrals: integrals.diagonal(X, C))

    def _over_products(self, integral):
        """Compute Σ a times an integral, over the products that the sums among the factors expand to."""
        with np.errstate(over="ignore", invalid="ignore"):
            return self.finite(
                sum(
                    (a * integral(self._integrals(factors)) for a, factors in expand_product(self.chosen())),
                    np.zeros(()),
                )
            )

    def _integrals(self, factors):
        integrals = Integrals.of(factors)
        if integrals is None:
            raise Refusal(
                f"{echo(self)} has no closed form for Gaussian points: a product has one where its factors are "
                "Gaussian, ARDGaussian, Exponential, Linear, Polynomial and at most one Matern or RationalQuadratic, or"
                f" Laplacian alone. Take those, or point masses: {POINT_MASSES}."
            )
        return integrals

    def less_one(self, X: Points, C: Matrix | None, Y: Points, D: Matrix | None) -> Matrix:
        """Compute E k - 1 for factors of one family.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The differences.
        """
        return self._one.less_one(X, C, Y, D)

    def contrast(self, points: Points, variance: float = 0.0) -> Any:
        """Return the product's `Increments` if one factor needs them on the points.

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
        if self.stationary:
            one = self._one
            contrast = one.contrast(points, variance)
            return self if contrast is one else contrast
        terms = powers_of(self)
        if terms is not None and (self.degree or 0) <= POWERS:  # increments of powers have all digits under noise too
            powers = sum_of(terms)
            contrast = powers.contrast(points, variance)
            return self if contrast is powers else contrast
        parts = increments_of(self.factors, points, variance)
        if parts is None:
            return self
        first, kernels = parts[0], [self.factors[0]]
        for part in parts[1:]:
            kernels.append(part.kernel)
            first = ProductIncrements(KernelProduct(tuple(kernels)), part.origin, first, part)
        return first

    @property
    def joint(self) -> Kernel | None:
        return self.factors[0].joint if self.stationary else None

    def lengths(self, d: int) -> Vector:
        return self._one.lengths(d)

    def noisy_pairs(self, X: Points) -> NoisyPairs:
        return self._one.noisy_pairs(X) if self.stationary else super().noisy_pairs(X)


def powers_of(k: KernelProduct) -> list[tuple[float, Polynomial]] | None:
    """Expand a product of Linear and Polynomial kernels into terms (weight, power of <x, y> + c) that sum to it.

    c is the smallest offset of the factors. Return None if there are other kernels among the factors.
    """
    terms = []
    for weight, factors in expand_product(k):
        powers = [each for each in factors if isinstance(each, (Linear, Polynomial))]
        if len(powers) < len(factors):
            return None
        c, polynomial = min(each.offset for each in powers), np.ones(1)
        for each in powers:
            more = [math.comb(each.degree, j) * (each.offset - c) ** (each.degree - j) for j in range(each.degree + 1)]
            polynomial = np.convolve(polynomial, more)
        terms += [(weight * float(a), Polynomial(j, c)) for j, a in enumerate(polynomial) if a > 0]
    return terms


def expand_product(k: Kernel) -> list[tuple[float, tuple[Kernel, ...]]]:
    """Return pairs (weight, factors): the terms that a kernel is the sum of, with no sums among the factors."""
    if isinstance(k, KernelSum):
        return [(a * weight, factors) for a, term in k.terms for weight, factors in expand_product(term)]
    if isinstance(k, KernelProduct):
        choices = product(*(expand_product(each) for each in k.factors))
        return [(math.prod(a for a, _ in each), sum((factors for _, factors in each), ())) for each in choices]
    return [(1.0, (k,))]


def multiply(k: Kernel, other: float | Kernel) -> Kernel:
    """Return k * other, for a kernel or a number above 0; numbers come first: (2.0 * k) * l is 2.0 * (k * l).

    Parameters
    ----------
    k : Kernel
        A kernel.
    other : Kernel or float
        What it is multiplied by.

    Returns
    -------
    Kernel
        The product.

    Examples
    --------
    >>> from explorer import Gaussian, Linear
    >>> from explorer.kernels.algebra import multiply
    >>> product = multiply(Gaussian(1.0), Linear())
    >>> product([[1.0], [2.0]]).round(3).tolist()
    [[1.0, 1.213], [1.213, 4.0]]
    """
    if not isinstance(other, Kernel):
        return times(other, k)
    weight, factors = 1.0, []
    for each in (k, other):
        a, factor = each.terms[0] if isinstance(each, KernelSum) and len(each.terms) == 1 else (1.0, each)
        weight *= a
        factors.append(factor)
    return times(weight, KernelProduct(tuple(factors)))
