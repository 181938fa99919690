"""What every kernel is: a Gram matrix of points, and, where it has one, the Gram matrix of Gaussians."""

from __future__ import annotations

import math
from importlib import import_module
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn, Self, overload

import numpy as np
from numpy.typing import NDArray

from explorer import checks, frames, memory
from explorer.checks import Refusal, WrongType
from explorer.model import Model
from explorer.types import Covariances, Gram, Matrix, Points, PointsLike, Values, Vector, Weights

if TYPE_CHECKING:
    from explorer.kernels.noisy.gaussian import NoisyMixture
    from explorer.kernels.noisy.pairs import NoisyPairs


SMOOTH = (
    "Gaussian, ARDGaussian, RationalQuadratic, InverseMultiquadric, Matern of nu 1.5 or 2.5, Linear, Polynomial or"
    " Exponential"
)
POINT_MASSES = (
    "KME, SKMSE, FKMSE, SpectralKMSE, MedianOfMeans, RobustKME or BayesianKME"  # estimators that take every kernel
)


class Kernel(Model):
    """A positive semi-definite function k(x, y); an immutable value.

    Every kernel is called on points, k(X, Y) -> (n, m), adds and multiplies (k + l, 2.0 * k, k * l) and serves every
    estimator and test. A subclass declares its parameters and gives three methods:

    pairs(X, Y)  what the Gram matrix needs whatever the parameters, Y=None standing for X
    of_pairs(S)  the Gram matrix (n, m) from it
    diagonal(X)  k(x_i, x_i), (n,)

    and, where they are true, what follows. With `expected` and `expected_diagonal`, its expectations under Gaussian
    noise, exact losses, risks, MKME and MMKME follow; with `select` and `chosen` an automatic bandwidth; with `points`
    points other than rows of numbers; with `gradient` points that flow.

    label           how the menus of labs name a kernel of your own; one without is in no menu
    bounded         sup k(x, x) < inf: no single point can move a kernel mean far
    characteristic  the mean embedding is injective on the probability distributions that have one, those with E k(x,
                    x)^(1/2) < inf; where k is bounded that is all of them
    universal       its RKHS is dense in the continuous functions on every compact set
    growth          the order g of k(x, x) = O(|x|^g), inf where there is none: a distribution with finite moments of
                    order g / 2 has a kernel mean, one with those of order g a finite E k(x, x)
    zeros           how many points have k(x, x) = 0, where every function of the RKHS vanishes; inf for unknown
    has_constants   whether k - c is a kernel for some c > 0, so that the RKHS holds the constants
    space           what its points are: "numbers", "categories", "strings", "row numbers" or "tables"
    text            whether points may be words
    stationary      k(x, y) depends on x - y alone, and `expected` and `less_one`, E k - k(x, x), are known for it
    degree          p where k(x, y) is a polynomial of <x, y> of degree p, so that moments up to p say all; else None
    has_bandwidth   whether it has a `bandwidth` in units of the points, which `with_bandwidth` sets
    metric          the distance whose median that bandwidth is counted in, as `median_bandwidth` calls it
    finite_rank     whether it is <φ(x), φ(y)> of finitely many `features` φ, a FiniteRank: sums over points are then
                    sums of features

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
    __array_ufunc__ = None  # numpy's numbers leave 2.0 * k to the methods below

    def _check(self):
        if type(self) is Kernel:
            raise WrongType("Kernel is what all kernels are; take one, such as Gaussian(), or write a subclass.")

    @property
    def growth(self) -> float:
        """The order g of k(x, x) = O(|x|^g): 0 where k is bounded, inf where there is none."""
        return 0 if self.bounded else math.inf

    @property
    def zeros(self) -> float:
        """How many points have k(x, x) = 0, where every function of the RKHS vanishes; inf where that is not known."""
        if self.universal:
            return 0
        return 1 if self.characteristic else math.inf  # the point masses at two zeros would both embed as 0

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Points:
        """What the kernel takes as points, checked: here rows of an (n, d) array of finite numbers."""
        return checks.sample(X, name, at_least)

    @overload
    def _two(self, X: PointsLike, Y: None) -> tuple[Points, None]: ...
    @overload
    def _two(self, X: PointsLike, Y: PointsLike) -> tuple[Points, Points]: ...
    @overload
    def _two(self, X: PointsLike, Y: PointsLike | None) -> tuple[Points, Points | None]: ...
    def _two(self, X: PointsLike, Y: PointsLike | None) -> tuple[Points, Points | None]:
        """The checked points of a Gram matrix, which memory is to hold."""
        if Y is None:
            X = self.points(X)
            memory.refuse_large_gram(len(X))
            return X, None
        first, second = frames.together((X, Y), ("X", "Y"))
        X, Y = self.points(first), self.points(second, "Y")
        checks.same_dimension(X, Y)
        memory.refuse_large_gram(len(X), len(Y))
        return X, Y

    def log_mass(self, d: int) -> float | None:
        """log ∫ k(x, y) dy over R^d, or log Σ_y k(x, y) over labels; None where that is infinite or depends on x."""
        return None

    @property
    def length_scale(self) -> float | None:
        """The length over which the kernel falls, in units of the points; None for a kernel without one."""
        return getattr(self, "bandwidth", None) if self.has_bandwidth else None

    def with_bandwidth(self, bandwidth: float) -> Kernel:
        """This kernel with another bandwidth, in units of the points; itself where it has none."""
        return self.replace(bandwidth=bandwidth) if self.has_bandwidth else self

    @property
    def joint(self) -> Any:
        """The kernel that a product of kernels like this one is, of all their coordinates over their `lengths`.

        None where there is no such kernel; where there is, noise may couple the factors of a Product.
        """
        return None

    def lengths(self, d: int) -> Vector:
        """The bandwidths of d coordinates, (d,), of a kernel that has a `joint`."""
        return np.full(d, self.length_scale)

    def select(self, X: PointsLike) -> Self:
        """This kernel with its automatic parameters chosen on the sample X (n, d); itself where it has none."""
        return self

    def chosen(self) -> Self:
        """This kernel; ValueError where an automatic parameter is still open."""
        return self

    def pairs(self, X: Points, Y: Points | None = None) -> Any:
        """What the Gram matrix needs of X (n, d) and Y (m, d) whatever the kernel's parameters: (n, m)."""
        raise NotImplementedError

    def of_pairs(self, S: Any) -> Gram:
        """The Gram matrix (n, m) from `pairs`, so that a moved bandwidth reuses the distances."""
        raise NotImplementedError

    def __call__(self, X: PointsLike, Y: PointsLike | None = None) -> Gram:
        """Gram matrix k(x_i, y_j), (n, m) float64; Y=None means Y=X."""
        X, Y = self._two(X, Y)
        return self.select(X if Y is None else np.concatenate([X, Y])).of_pairs(self.pairs(X, Y))

    def radial(self, S: Matrix) -> tuple[Matrix, Matrix, Matrix]:
        """φ, φ' and φ'' at squared distances S, where k(x, y) = φ(|x - y|^2): what its Stein kernel is made of.

        ValueError where k is no such function, or one that is not smooth at 0.
        """
        raise Refusal(
            f"{checks.echo(self)} has no Stein kernel: that takes two derivatives of a function of |x - y|², as"
            " Gaussian(), InverseMultiquadric() and RationalQuadratic() have."
        )

    def diagonal(self, X: PointsLike) -> Vector:
        """k(x_i, x_i), (n,)."""
        raise NotImplementedError

    def expected(self, X: Points, C: Covariances | None, Y: Points, D: Covariances | None) -> Gram:
        """E k(x_i + u, y_j + v), (n, m), for independent u ~ N(0, C), v ~ N(0, D); None stands for a zero covariance.

        Raises ValueError where the kernel has no closed form.
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
        """The kernel that weights of sum zero are to meet in place of k on points (n, d), Gaussians of that variance.

        The kernel itself; or, where its values on most points agree in so many digits that sums of them would be
        rounding, its `Increments` k(x, y) - k(x, o) - k(o, y) + k(o, o) from an origin o among the points, computed
        without the difference. Either is called on points and has `expected` and `expected_diagonal`.
        """
        return self

    def less_one(self, X: Points, C: Covariances | None, Y: Points, D: Covariances | None) -> Matrix:
        """E k - k(x, x), (n, m), in its own digits, of a kernel that is `stationary`."""
        raise NotImplementedError

    def expected_scales(self, X: Points, s: Vector, Y: Points, t: Vector, S: Covariances) -> NDArray[np.float64] | None:
        """E k(x_i + u, y_j + v), (q, n, m), for independent u ~ N(0, s_q S), v ~ N(0, t_q S), s and t >= 0 (q,).

        None where q calls are as quick.
        """
        return None

    def expected_unlike(
        self, X: Points, s: Vector, S: Covariances, Y: Points, t: Vector, T: Covariances
    ) -> NDArray[np.float64] | None:
        """As `expected_scales`, for u ~ N(0, s_q S) and v ~ N(0, t_q T) whose covariances are in no proportion."""
        return None

    def noisy_pairs(self, X: Points) -> NoisyPairs:
        """The `NoisyPairs` of points X (n, d), n >= 2: means over all pairs of points that carry Gaussian noise.

        `StationaryPairs` where the kernel is stationary: they have what a search for the best noise needs besides.
        """
        from .noisy.pairs import NoisyPairs

        return NoisyPairs(self, X)

    def noisy_mixture(
        self, weights: Weights, points: Points, covariances: Values | None = None, shape: Vector | None = None
    ) -> NoisyMixture | None:
        """A mixture with any noise N(0, v T²) on top, T = diag(shape), for inner products at many v at once.

        weights (p,), points (p, d), covariances (p, d, d) or None for point masses, shape (d,) or None for ones. None
        where as many calls of `expected` are as quick.
        """
        return None

    def widened(self, variance: float, d: int) -> tuple[Any, float] | None:
        """A kernel and a factor with E k(x, y + u) = factor * kernel(x, y) for u ~ N(0, vI) in d dimensions, v >= 0.

        None where there is no such kernel.
        """
        return None

    def differences(self, X: Points, Y: Points) -> Matrix | None:
        """<k(x_i, .) - k(y_i, .), k(x_j, .) - k(y_j, .)> for samples of the same n, (n, n).

        None where the sums and differences of four Gram matrices are as quick.
        """
        return None

    def expected_diagonal(self, X: Points, C: Covariances | None) -> Vector:
        """E k(x_i + u, x_i + u), (n,), for u ~ N(0, C): the same u twice."""
        if C is None:
            return self.diagonal(X)
        self._refuse_noise()

    def gradient(self, X: Points, Y: Points, D: Matrix | None = None) -> Values:
        """∇_x E k(x_i, y_j + v), (n, m, d), for v ~ N(0, D); None stands for a zero covariance.

        Raises ValueError where the kernel has no gradient at some point, or none is known.
        """
        raise Refusal(
            f"{self!r} has no gradient here, as it has a kink where two points meet, or none is known; take {SMOOTH},"
            " or sums and products of these."
        )

    def _refuse_noise_in_gradient(self, D: Matrix | None) -> None:
        """A sentence where the gradient is wanted at Gaussians, and only that at points is known."""
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


def algebra() -> Any:
    """How kernels add and multiply: a room that is made of kernels, and so is imported when one adds or multiplies."""
    return import_module("explorer.kernels.algebra")


class PairedPoints(tuple):
    """The `pairs` of a kernel that is made of others, one entry for each of them."""

    __slots__ = ()

    def copy(self) -> PairedPoints:
        return PairedPoints(each.copy() for each in self)


def total(C: Matrix | None, D: Matrix | None) -> Matrix | None:
    """The covariance of a difference of independent points; None stands for zero."""
    return D if C is None else C if D is None else C + D
