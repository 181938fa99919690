"""Base class of the kernels: the Gram matrix of points and, if the kernel has a closed form, that of Gaussians."""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, overload

import numpy as np
from numpy.typing import NDArray

from explorer import checks, frames
from explorer.checks import Refusal, WrongType
from explorer.execution import memory_limits
from explorer.model import Model
from explorer.parameters import Part, RequiredPart
from explorer.types import Covariances, Gram, Matrix, Points, PointsLike, Values, Vector, Weights

if TYPE_CHECKING:
    from explorer.kernels.noisy.gaussian import NoisyMixture
    from explorer.kernels.noisy.pairs import NoisyPairs


SMOOTH = (
    "Gaussian, ARDGaussian, RationalQuadratic, InverseMultiquadric, Matern of nu 1.5 or 2.5, Linear, Polynomial or"
    " Exponential"
)
# the estimators that take every kernel, for messages
POINT_MASSES = "KME, SKMSE, FKMSE, SpectralKMSE, MedianOfMeans, RobustKME or BayesianKME"


class Kernel(Model):
    """Base class of kernels: a positive semi-definite function k(x, y); an immutable value.

    Use it as the base of a kernel of your own, and `check_kernel` to check it. For a Gram matrix that you have already
    use `Precomputed`.

    Every kernel is called on points, k(X, Y) -> (n, m), adds and multiplies (k + l, 2.0 * k, k * l) and works with
    every estimator and test. A subclass declares its parameters and implements three methods:

    - pairs(X, Y): what the Gram matrix needs for any values of the parameters; Y=None stands for X.
    - of_pairs(S): the Gram matrix of shape (n, m) from it.
    - diagonal(X): k(x_i, x_i), shape (n,).

    It also sets those of the attributes below whose default is not true for it. A kernel with `expected` and
    `expected_diagonal`, its expectations under Gaussian noise, has exact losses, risks, MKME and MMKME. One with
    `select` and `chosen` has an automatic bandwidth, one with `points` takes points other than rows of numbers, and one
    with `gradient` has points that flow.

    Attributes
    ----------
    label : str
        Name of the user's kernel in the menus of the labs; without a label it is in no menu.
    bounded : bool
        Whether sup k(x, x) < inf: no single point can move a kernel mean far.
    characteristic : bool
        Whether the mean embedding is injective on the probability distributions that have one, those with E k(x,
        x)^(1/2) < inf. If k is bounded that is all of them.
    universal : bool
        Whether the RKHS is dense in the continuous functions on every compact set.
    growth : float
        The order g of ``k(x, x) = O(|x|^g)``, or inf if there is none. A distribution with finite moments of order g /
        2 has a kernel mean, one with those of order g a finite E k(x, x).
    zeros : float
        Number of points with k(x, x) = 0, where every function of the RKHS vanishes; inf if unknown.
    has_constants : bool
        Whether k - c is a kernel for some c > 0, so that the RKHS contains the constants.
    space : {"numbers", "categories", "strings", "row numbers", "tables"}
        What the points are.
    text : bool
        Whether points may be words.
    stationary : bool
        Whether k(x, y) depends on x - y alone, and `expected` and `less_one`, E k - k(x, x), are known for it.
    degree : int or None
        The degree p if k(x, y) is a polynomial of <x, y>, so that the moments up to p determine the embedding; None if
        it is not.
    has_bandwidth : bool
        Whether the kernel has a `bandwidth` in units of the points, which `with_bandwidth` sets.
    metric : {"sqeuclidean", "cityblock"}
        The distance whose median the bandwidth is measured by, as `median_bandwidth` names it.
    finite_rank : bool
        Whether k is <φ(x), φ(y)> with finitely many `features` φ, a FiniteRank. Sums over points are then sums of
        features.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import KME, Kernel
    >>> class Minimum(Kernel):
    ...     growth = 1
    ...     def pairs(self, X, Y=None):
    ...         return np.minimum(X, (X if Y is None else Y).T)
    ...     def of_pairs(self, S):
    ...         return S
    ...     def diagonal(self, X):
    ...         return self.points(X)[:, 0]
    >>> KME(Minimum()).embed([1.0, 3.0])([0.5, 2.0])
    array([0.5, 1.5])
    """

    bounded = characteristic = universal = text = stationary = has_bandwidth = finite_rank = False
    has_constants = False
    label = ""
    degree = None
    metric: ClassVar[str] = "sqeuclidean"
    space = "numbers"
    __array_ufunc__ = None  # makes numpy's numbers leave 2.0 * k to the methods below

    def _check(self):
        if type(self) is Kernel:
            raise WrongType("Kernel is what all kernels are; take one, such as Gaussian(), or write a subclass.")

    @classmethod
    def _for_none(cls):
        """Return the kernel that None stands for in a field."""
        return import_module("explorer.kernels").Gaussian()

    @property
    def growth(self) -> float:
        """The order g of ``k(x, x) = O(|x|^g)``: 0 if k is bounded, inf if there is none."""
        return 0 if self.bounded else math.inf

    @property
    def zeros(self) -> float:
        """Number of points with k(x, x) = 0, where every function of the RKHS vanishes; inf if it is not known."""
        if self.universal:
            return 0
        return 1 if self.characteristic else math.inf  # the point masses at two zeros would both embed as 0

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        """Check points and return them as the kernel takes them, here as an (n, d) array of finite numbers.

        Parameters
        ----------
        X : array_like
            Points.
        name : str, default "X"
            Name of the argument in error messages.
        at_least : int, default 1
            Smallest number of points.

        Returns
        -------
        ndarray of shape (n, d)
            The points.
        """
        return checks.sample(X, name, at_least)

    @overload
    def _two(self, X: PointsLike, Y: None) -> tuple[Points, None]: ...
    @overload
    def _two(self, X: PointsLike, Y: PointsLike) -> tuple[Points, Points]: ...
    @overload
    def _two(self, X: PointsLike, Y: PointsLike | None) -> tuple[Points, Points | None]: ...
    def _two(self, X: PointsLike, Y: PointsLike | None) -> tuple[Points, Points | None]:
        """Return the checked points of a Gram matrix; refuse a matrix that does not fit in memory."""
        if Y is None:
            X = self.points(X)
            memory_limits.refuse_large_gram(len(X))
            return X, None
        first, second = frames.together((X, Y), ("X", "Y"))
        X, Y = self.points(first), self.points(second, "Y")
        checks.same_dimension(X, Y)
        memory_limits.refuse_large_gram(len(X), len(Y))
        return X, Y

    def log_mass(self, d: int) -> float | None:
        """Return log ∫ k(x, y) dy over R^d, or log Σ_y k(x, y) over labels.

        Parameters
        ----------
        d : int
            Number of coordinates.

        Returns
        -------
        float or None
            The logarithm of the integral, or None if it is infinite or depends on x.
        """
        return None

    @property
    def length_scale(self) -> float | None:
        """The distance over which the kernel falls, in units of the points; None for a kernel without one."""
        return getattr(self, "bandwidth", None) if self.has_bandwidth else None

    def with_bandwidth(self, bandwidth: float) -> Kernel:
        """Return this kernel with another bandwidth; return the kernel unchanged if it has none.

        Parameters
        ----------
        bandwidth : float
            The bandwidth, in units of the points.

        Returns
        -------
        Kernel
            The kernel with this bandwidth.
        """
        return self.replace(bandwidth=bandwidth) if self.has_bandwidth else self

    @property
    def joint(self) -> Any:
        """Kernel that equals a product of kernels like this one, applied to all coordinates over their `lengths`.

        None if there is no such kernel. If there is one, noise may couple the factors of a Product.
        """
        return None

    def lengths(self, d: int) -> Vector:
        """Return the bandwidths of d coordinates, for a kernel that has a `joint`.

        Parameters
        ----------
        d : int
            Number of coordinates.

        Returns
        -------
        ndarray of shape (d,)
            One bandwidth for each coordinate.
        """
        return np.full(d, self.length_scale)

    def select(self, X: PointsLike) -> Self:
        """Choose the automatic parameters on a sample; return the kernel unchanged if it has none.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample.

        Returns
        -------
        Kernel
            The kernel with all its parameters chosen.
        """
        return self

    def chosen(self) -> Self:
        """Return this kernel, or raise if an automatic parameter has not been chosen yet.

        Returns
        -------
        Kernel
            This kernel.

        Raises
        ------
        ValueError
            If an automatic parameter is still open.
        """
        return self

    def pairs(self, X: Points, Y: Points | None = None) -> Any:
        """Compute what the Gram matrix needs of all pairs of points, for any values of the kernel's parameters.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points.
        Y : ndarray of shape (m, d) or None, default None
            Other points; None stands for X.

        Returns
        -------
        ndarray of shape (n, m) or object
            What `of_pairs` takes, such as the squared distances.
        """
        raise self._unwritten("pairs(X, Y=None)", "what of_pairs takes, such as the squared distances")

    def of_pairs(self, S: Any) -> Gram:
        """Compute the Gram matrix from `pairs`, so that another bandwidth reuses the distances.

        Parameters
        ----------
        S : ndarray or object
            The result of `pairs`.

        Returns
        -------
        ndarray of shape (n, m)
            The Gram matrix.
        """
        raise self._unwritten("of_pairs(S)", "the Gram matrix, shape (n, m)")

    def _unwritten(self, method, result):
        """Return the exception of a subclass that lacks a method."""
        return NotImplementedError(f"{type(self).__name__} has no {method}; write one that returns {result}.")

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        """Compute the Gram matrix k(x_i, y_j), (n, m) float64; Y=None means Y=X."""
        X, Y = self._two(X, Y)
        return self.select(X if Y is None else np.concatenate([X, Y])).of_pairs(self.pairs(X, Y))

    def radial(self, S: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """Return φ, φ' and φ'' at squared distances, where ``k(x, y) = φ(|x - y|²)``: the terms of the Stein kernel.

        Parameters
        ----------
        S : ndarray of shape (n, m)
            Squared distances.

        Returns
        -------
        value, first, second : ndarray of shape (n, m)
            The function φ and its two derivatives.

        Raises
        ------
        ValueError
            If k is not such a function, or one that is not smooth at 0.
        """
        raise Refusal(
            f"{checks.echo(self)} has no Stein kernel: that takes two derivatives of a function of |x - y|², as"
            " Gaussian(), InverseMultiquadric() and RationalQuadratic() have."
        )

    def diagonal(self, X: PointsLike) -> Vector:
        """Compute k(x_i, x_i).

        Parameters
        ----------
        X : array_like of shape (n, d)
            Points.

        Returns
        -------
        ndarray of shape (n,)
            The values.
        """
        raise self._unwritten("diagonal(X)", "k(x_i, x_i), shape (n,)")

    def expected(self, X: Points, C: Covariances | None, Y: Points, D: Covariances | None) -> Gram:
        """Compute E k(x_i + u, y_j + v) for independent Gaussian noise u ~ N(0, C) and v ~ N(0, D).

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points, the means of Gaussians.
        C : ndarray of shape (d, d) or None
            Covariance of u; None stands for zero.
        Y : ndarray of shape (m, d)
            Other points.
        D : ndarray of shape (d, d) or None
            Covariance of v; None stands for zero.

        Returns
        -------
        ndarray of shape (n, m)
            The expectations.

        Raises
        ------
        ValueError
            If the kernel has no closed form.
        """
        if C is None and D is None:
            return self(X, Y)
        self._refuse_noise()

    def _refuse_noise(self) -> NoReturn:
        placeless = self.space not in ("numbers", "tables")
        why = f": it compares {self.space}, and noise is put on coordinates" if placeless else ""
        raise Refusal(
            f"{self!r} has no closed form for Gaussian points{why}; it takes point masses only. "
            f"These estimators give point masses: {POINT_MASSES}."
        )

    def contrast(self, points: Points, variance: float = 0.0) -> Any:
        """Return the kernel that weights of sum zero use, which keeps the digits that k itself would lose.

        Usually that is the kernel itself. If its values on most points agree in so many digits that sums of them would
        be rounding, it is its `Increments` k(x, y) - k(x, o) - k(o, y) + k(o, o) from an origin o among the points,
        computed without the difference. Both are called on points and have `expected` and `expected_diagonal`.

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
        return self

    def less_one(self, X: Points, C: Covariances | None, Y: Points, D: Covariances | None) -> Matrix:
        """Compute E k - k(x, x) without cancellation if it is small, for a kernel that is `stationary`.

        Parameters
        ----------
        X, C, Y, D : ndarray or None
            Points (n, d) and (m, d) and covariances of their noise, as in `Kernel.expected`.

        Returns
        -------
        ndarray of shape (n, m)
            The differences.
        """
        raise self._unwritten("less_one(X, C, Y, D)", "E k - k(x, x), shape (n, m)")

    def expected_scales(self, X: Points, s: Vector, Y: Points, t: Vector, S: Covariances) -> NDArray[np.float64] | None:
        """Compute E k(x_i + u, y_j + v) for u ~ N(0, s_q S), v ~ N(0, t_q S) at many scales at once.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points.
        s : ndarray of shape (q,)
            Scales of the noise of X, at least 0.
        Y : ndarray of shape (m, d)
            Other points.
        t : ndarray of shape (q,)
            Scales of the noise of Y, at least 0.
        S : ndarray of shape (d, d)
            Covariance that the scales multiply.

        Returns
        -------
        ndarray of shape (q, n, m) or None
            The expectations, or None if q calls of `expected` are as fast.
        """
        return None

    def expected_unlike(
        self, X: Points, s: Vector, S: Covariances, Y: Points, t: Vector, T: Covariances
    ) -> NDArray[np.float64] | None:
        """Compute E k as `expected_scales` does, for u ~ N(0, s_q S) and v ~ N(0, t_q T) that are not proportional.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points.
        s : ndarray of shape (q,)
            Scales of the noise of X, at least 0.
        S : ndarray of shape (d, d)
            Covariance of the noise of X at scale 1.
        Y : ndarray of shape (m, d)
            Other points.
        t : ndarray of shape (q,)
            Scales of the noise of Y, at least 0.
        T : ndarray of shape (d, d)
            Covariance of the noise of Y at scale 1.

        Returns
        -------
        ndarray of shape (q, n, m) or None
            The expectations, or None if q calls of `expected` are as fast.
        """
        return None

    def noisy_pairs(self, X: Points) -> NoisyPairs:
        """Return the object that computes means over all pairs of points that carry Gaussian noise.

        It is a `StationaryPairs` if the kernel is stationary; that class also has what a search for the best noise
        needs.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points, n >= 2.

        Returns
        -------
        NoisyPairs
            The pairs of X under this kernel.
        """
        from .noisy.pairs import NoisyPairs

        return NoisyPairs(self, X)

    def noisy_mixture(
        self, weights: Weights, points: Points, covariances: Values | None = None, shape: Vector | None = None
    ) -> NoisyMixture | None:
        """Return a mixture whose inner products with added noise N(0, v T²) are fast at many v, T = diag(shape).

        Parameters
        ----------
        weights : ndarray of shape (p,)
            Weights of the Gaussians.
        points : ndarray of shape (p, d)
            Their means.
        covariances : ndarray of shape (p, d, d) or None, default None
            Their covariances; None stands for point masses.
        shape : ndarray of shape (d,) or None, default None
            Standard deviations of the noise; None stands for ones.

        Returns
        -------
        NoisyMixture or None
            The mixture, or None if as many calls of `expected` are as fast.
        """
        return None

    def widened(self, variance: float, d: int) -> tuple[Any, float] | None:
        """Return (kernel, factor) with E k(x, y + u) = factor * kernel(x, y) for u ~ N(0, vI).

        Parameters
        ----------
        variance : float
            Variance v of the noise, at least 0.
        d : int
            Number of coordinates.

        Returns
        -------
        tuple of Kernel and float, or None
            The kernel and the factor, or None if there is no such kernel.
        """
        return None

    def differences(self, X: Points, Y: Points) -> Matrix | None:
        """Compute <k(x_i, .) - k(y_i, .), k(x_j, .) - k(y_j, .)> for samples of the same n.

        Parameters
        ----------
        X, Y : ndarray of shape (n, d)
            The samples.

        Returns
        -------
        ndarray of shape (n, n) or None
            The inner products, or None if the sums and differences of four Gram matrices are as fast.
        """
        return None

    def expected_diagonal(self, X: Points, C: Covariances | None) -> Vector:
        """Compute E k(x_i + u, x_i + u) for u ~ N(0, C), with the same u in both arguments.

        Parameters
        ----------
        X : ndarray of shape (n, d)
            Points.
        C : ndarray of shape (d, d) or None
            Covariance of their noise; None stands for zero.

        Returns
        -------
        ndarray of shape (n,)
            The expectations.
        """
        if C is None:
            return self.diagonal(X)
        self._refuse_noise()

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        """Compute ∇_x E k(x_i, y_j + v) for v ~ N(0, D).

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

        Raises
        ------
        ValueError
            If the kernel has no gradient at some point, or none is known.
        """
        raise Refusal(
            f"{self!r} has no gradient here, as it has a kink where two points meet, or none is known; take {SMOOTH},"
            " or sums and products of these."
        )

    def _refuse_noise_in_gradient(self, D: Matrix | None) -> None:
        """Refuse a gradient at Gaussians if only that at points is known."""
        if D is not None:
            raise Refusal(
                f"{self!r} has a gradient here between points alone, and these are Gaussians; take a sample of them."
            )

    def __add__(self, other: Kernel | float) -> Kernel:
        return algebra().add(self, other)

    def __radd__(self, other: float) -> Kernel:
        return algebra().add(self, other)

    def __mul__(self, other: Kernel | float) -> Kernel:
        return algebra().multiply(self, other)

    def __rmul__(self, other: float) -> Kernel:
        return algebra().multiply(self, other)


def kernel_field(doc: str = "the kernel; None is Gaussian()", required: bool = False) -> Any:
    """Return the parameter of a kernel, which may be None.

    Parameters
    ----------
    doc : str, default "the kernel; None is Gaussian()"
        The parameter's description.
    required : bool, default False
        Whether the parameter has to be given, None too. If not, None is its default.

    Returns
    -------
    Part
        The parameter.
    """
    if required:
        return RequiredPart(class_=Kernel, allow_None=True, doc=doc)
    return Part(class_=Kernel, default=None, allow_None=True, doc=doc)


def algebra() -> Any:
    """Return the package that adds and multiplies kernels; it consists of kernels, so it is imported on first use."""
    return import_module("explorer.kernels.algebra")


class PairedPoints(tuple):
    """The `pairs` of a kernel that is made of others, one entry for each of them."""

    __slots__ = ()

    def copy(self) -> PairedPoints:
        """Copy every entry."""
        return PairedPoints(each.copy() for each in self)


def total(C: Matrix | None, D: Matrix | None) -> Matrix | None:
    """Return the covariance of a difference of two independent points.

    Parameters
    ----------
    C, D : ndarray of shape (d, d) or None
        Covariances of the points; None stands for zero.

    Returns
    -------
    ndarray of shape (d, d) or None
        C + D, or None if both are zero.
    """
    return D if C is None else C if D is None else C + D
