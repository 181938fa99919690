"""MKME and MMKME: the mean of points that carry Gaussian noise, of one σ or of one for each coordinate."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Self

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.embeddings import Embedding
from explorer.embeddings.law import Law
from explorer.estimators.base import Estimator
from explorer.parameters import Array, LogNumber
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.types import ConvertedField, PointsLike, Vector, VectorLike

from .risk import marginalized_risk
from .search import LARGEST_SIGMA, best_sigma, best_variances


class Marginalized(Estimator):
    """Base class of MKME and MMKME: weights 1/n, and the covariance diag(σ^2) that every point carries.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.

    Attributes
    ----------
    sigma : float or array_like of shape (d,) or None
        The standard deviation of the noise, a parameter of the subclasses.

    Examples
    --------
    >>> from explorer import MKME, MMKME, Gaussian
    >>> from explorer.estimators.marginalized import Marginalized
    >>> estimators: list[Marginalized] = [MKME(Gaussian(1.0), 0.5), MMKME(Gaussian(1.0), [0.5, 0.1])]
    >>> [estimator.embed([[0.0, 0.0], [1.0, 1.0]])([[0.0, 0.0]]).round(3).item() for estimator in estimators]
    [0.58, 0.627]
    """

    free = "sigma"
    equal_weights = noisy = True

    if TYPE_CHECKING:  # the subclasses declare their σ, one or one for each coordinate

        def _declared(self) -> None:
            self.sigma: Any

        def _best(self, pairs: Any) -> Any: ...

        def _variances(self, d: int) -> Vector: ...

        def _example(self, d: int) -> str: ...

    @property
    def point_noise(self) -> float | Vector | None:
        """The noise's σ, a number or one for each coordinate (d,); None before it is chosen."""
        return self.sigma

    def embed(self, X: PointsLike) -> Embedding:
        chosen, kernel, X = self._chosen(X)
        variances = chosen._variances(X.shape[1])
        if variances.any():  # so a kernel without a closed form is refused here, not at the first use
            kernel.expected(X[:1], np.diag(variances), X[:1], np.diag(variances))
        return Embedding(kernel, X, np.full(len(X), 1 / len(X)), variances)

    def select(self, X: PointsLike) -> Self:
        return self._chosen(X)[0]

    @explain_wrong_calls
    def risk(self, law: Law, n: int) -> float:
        """Return the exact risk E |μ̃ - μ|^2 at a given σ, see `marginalized_risk`.

        Parameters
        ----------
        law : Law
            The true distribution.
        n : int
            The number of points of a sample.

        Returns
        -------
        float
            The risk, in squared units of k.

        Raises
        ------
        Refusal
            If σ is None, or the kernel is not stationary as Gaussian is.
        """
        if self.sigma is None:
            raise Refusal(
                f"{type(self).__name__}(sigma=None) chooses σ on each sample and has no exact risk; give sigma."
            )
        return marginalized_risk(law, self._fixed_kernel(), n, self._variances(law.d))

    def _chosen(self, X):
        """Return this estimator with its open parameters chosen, its kernel and the checked points."""
        kernel, X = self._kernel(X)
        if self.sigma is not None:
            self._variances(X.shape[1])  # raises if their number is not that of the coordinates
            return self.replace(kernel=kernel), kernel, X
        if not kernel.stationary:
            self._refuse_to_choose(kernel, X)
        return self.replace(kernel=kernel, sigma=self._best(self._pairs(kernel, X))), kernel, X

    def _refuse_to_choose(self, kernel, X):
        """Raise a Refusal that names what works for this kernel: a given σ if it takes noise, or other estimators."""
        little = 1e-100 * np.eye(X.shape[1])  # an exponential kernel takes a small variance only
        kernel.expected(X[:1], little, X[:1], little)  # a kernel that takes no noise raises, and names others that do
        raise Refusal(
            f"{type(self).__name__} chooses σ for a Gaussian, ARDGaussian, Matern, RationalQuadratic or Laplacian"
            f" kernel only, and for sums of them, and this one is {checks.echo(kernel)}; give sigma, such as"
            f" {type(self).__name__}(kernel, {self._example(X.shape[1])})."
        )

    def _pairs(self, kernel, X):
        """Return the pairs of at least two points under noise."""
        checks.rows(X, f"X, for the leave-one-out score of {type(self).__name__},", 2)
        return kernel.noisy_pairs(X)


class MKME(Marginalized):
    """Marginalized kernel mean estimator (MKME): μ̃ = (1/n) sum_i E k(x_i + u, .), u ~ N(0, σ^2 I).

    Use it if the distribution is smooth and the sample small. For strings, categories and other points without noise
    use `SKMSE`.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.
    sigma : float or None, default None
        The σ >= 0, a standard deviation in units of x; None takes the least leave-one-out score.

    Notes
    -----
    σ = 0 is KME. The estimate is the embedding of a kernel density estimate, see `density`. For σ > 0 it is not a
    combination of the k(x_i, .), see `approximations` and erratum 6 in `explorer list errata`. Every kernel with a
    closed form for Gaussian noise takes a σ; a kernel of x - y such as Gaussian, Laplacian or Matern chooses it, see
    `best_sigma`. Under a Gaussian kernel the score, like the risk, falls at σ = 0 unless all points are equal, so some
    noise is always chosen (erratum 12).

    References
    ----------
    Xia et al. 2021, Kernel Mean Estimation by Marginalized Corrupted Distributions, eq. (7) and (9)
    ([xia2021corrupted]).

    Examples
    --------
    >>> from explorer import MKME, Gaussian
    >>> X = [[0.0], [1.0], [4.0]]
    >>> estimate = MKME(Gaussian(1.0), sigma=0.5).embed(X)
    >>> estimate.covariance[0]
    array([[0.25]])
    >>> round(MKME(Gaussian(1.0)).select(X).sigma, 3)
    3.311
    """

    label = "MKME"

    sigma: float | None = LogNumber(
        default=None,
        bounds=(0, LARGEST_SIGMA),
        softbounds=(1e-2, 1e1),
        allow_None=True,
        symbol="σ",
        unit="units of x",
        doc="the standard deviation of the noise that every point carries",
    )

    def loocv(self, X: PointsLike, values: VectorLike) -> Vector:
        """Return the leave-one-out score of n true refits at each σ.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample, n >= 2.
        values : array_like of shape (m,)
            The values of σ.

        Returns
        -------
        ndarray of shape (m,)
            The scores.

        References
        ----------
        Xia et al. 2021, eq. (25) ([xia2021corrupted]).
        """
        pairs, sigmas = self._pairs(*self._kernel(X)), np.atleast_1d(_sigmas(values))
        if sigmas.ndim > 1:
            raise Refusal(f"values has shape {sigmas.shape}; give MKME's σ as numbers (m,).")
        return pairs.score(pairs.isotropic(sigmas**2))

    def _best(self, pairs):
        return best_sigma(pairs)

    def _variances(self, d):
        sigma: Any = self.sigma  # which is chosen
        return np.full(d, sigma**2)

    def _example(self, d):
        return "0.5"


class MMKME(Marginalized):
    """MKME with a σ for each coordinate (MMKME): u ~ N(0, diag(σ_1^2, ..., σ_d^2)).

    Use it if the distribution is narrow in some coordinates and wide in others, and the bandwidth is small. Otherwise
    use `MKME`, whose one σ fits less noise.

    Parameters
    ----------
    kernel : Kernel or None, default None
        The kernel; None is ``Gaussian()``.
    sigma : array_like of shape (d,) or None, default None
        The σ, standard deviations >= 0 in units of x; None takes the least leave-one-out score, see `best_variances`.

    Notes
    -----
    Equal σ are MKME. The search starts from MKME's σ, so the score is never above MKME's. The loss often is: d
    parameters fit the sampling noise, and on the paper's mixtures MKME loses less on average. MMKME wins if the
    distribution is narrow in some coordinates and wide in others and θ is small.

    References
    ----------
    Xia et al. 2021, Kernel Mean Estimation by Marginalized Corrupted Distributions, eq. (10), whose e_l are the σ_l^2
    ([xia2021corrupted]).

    Examples
    --------
    >>> from explorer import MMKME, Gaussian
    >>> X = [[0.0, 0.0], [1.0, 10.0], [4.0, -10.0]]
    >>> mean = MMKME(Gaussian(1.0), sigma=[0.5, 5.0]).embed(X)
    >>> mean.covariance[0]
    array([[ 0.25,  0.  ],
           [ 0.  , 25.  ]])
    """

    label = "MMKME"

    sigma: ConvertedField[VectorLike | None, Vector | None] = Array(
        default=None, required=False, doc="σ (d,), the standard deviation of the noise in each coordinate"
    )

    def _check(self):
        if self.sigma is None:
            return
        if self.sigma.ndim != 1 or not len(self.sigma):
            raise Refusal(
                f"MMKME.sigma has shape {self.sigma.shape}; give one standard deviation for each coordinate, or take"
                " MKME."
            )
        _sigmas(self.sigma, "MMKME.sigma")

    def loocv(self, X: PointsLike, values: VectorLike) -> Vector:
        """Return the leave-one-out score at each row of σ.

        Parameters
        ----------
        X : array_like of shape (n, d)
            The sample, n >= 2.
        values : array_like of shape (m, d)
            Rows of σ, one for each coordinate.

        Returns
        -------
        ndarray of shape (m,)
            The scores.
        """
        pairs, sigmas = self._pairs(*self._kernel(X)), _sigmas(values)
        if sigmas.ndim != 2 or sigmas.shape[1] != pairs.d:
            raise Refusal(
                f"values has shape {sigmas.shape}; give MMKME's σ as rows of {pairs.d}, one for each coordinate."
            )
        return pairs.score(pairs.drops(sigmas**2))

    def _best(self, pairs):
        return np.sqrt(best_variances(pairs, best_sigma(pairs) ** 2))

    def _variances(self, d):
        sigma: Any = self.sigma  # which is chosen
        if len(sigma) != d:
            raise Refusal(
                f"MMKME.sigma has {plural(len(sigma), 'entry', 'entries')} and the points have"
                f" {plural(d, 'coordinate')}; give one for each."
            )
        return sigma**2

    def _example(self, d):
        return f"[{', '.join(['0.5'] * min(d, 3))}{', ...' if d > 3 else ''}]"


def _sigmas(values, name="values"):
    """Return checked standard deviations, of any shape."""
    array = checks.numbers(values, name)
    if array.size and (array.min() < 0 or array.max() > LARGEST_SIGMA):
        wrong = array.min() if array.min() < 0 else array.max()
        raise Refusal(f"{name} holds {wrong:g}; σ is a standard deviation, at least 0 and at most {LARGEST_SIGMA:g}.")
    return array
