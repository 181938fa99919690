"""The sum rule and the chain rule, with embeddings in place of probabilities."""

from __future__ import annotations

from explorer.embeddings import Embedding
from explorer.kernels import Kernel
from explorer.kernels.low_rank import Approximation
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.tables.alignment import aligned
from explorer.types import Gram, PointsLike

from .inputs import check_inputs, point_masses, regulariser
from .smoother import Smoother, ThinSmoother, reduce_kernel, smoother
from .trial import Trial


@explain_wrong_calls
@aligned("X Y")
def sum_rule(
    X: PointsLike,
    Y: PointsLike,
    prior: Embedding,
    kernel_x: Kernel | None,
    kernel_y: Kernel | None,
    lam: float,
    approximation: Approximation | None = None,
    rank: int | None = None,
    rng: int = 0,
) -> Embedding:
    r"""Compute the distribution of x under a new prior of y, Q(x) = Σ_y P(x | y) π(y), as an embedding.

    Use it to predict x after the distribution of y has changed. For the joint distribution use `chain_rule`, for the
    posterior of y `bayes_rule`.

    P is given by n pairs (x_i, y_i), and π by an embedding.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Points x_i of the pairs.
    Y : array_like of shape (n, e)
        Points y_i of the pairs.
    prior : Embedding
        Any Embedding on the space of y, under kernel_y as chosen on Y.
    kernel_x, kernel_y : Kernel or None
        None is Gaussian(); an automatic bandwidth is the median heuristic on that side.
    lam : float
        Regulariser λ > 0, in units of k_y: n times that of the operator (erratum E-1).
    approximation : {None, "auto", "cholesky", "nystrom", "features"}, default None
        A kernel of finite rank that `low_rank` chooses on Y replaces k_y, and the prior is projected with it.
    rank : int or None, default None
        Rank of the approximation.
    rng : int, default 0
        Seed of the approximation.

    Returns
    -------
    Embedding
        The embedding of Q over the points X.

    Raises
    ------
    ValueError
        If X and Y have different numbers of rows, or if the prior has another dimension or kernel than Y.
    TypeError
        If the prior is not an Embedding, or a sample does not suit its kernel.

    Notes
    -----
    The embedding is

    .. math:: \sum_i w_i k_x(x_i, \cdot), \quad w = (G + \lambda I)^{-1} \hat\pi(Y),

    where G is the Gram matrix of Y and π̂(y_i) = <prior, k_y(y_i, .)>, which is G̃α for a prior Σ_j α_j k_y(ỹ_j, .).
    The cost is O(n³).

    An approximation takes O(n rank²). The result then has an `error`, its RKHS distance from the rule without the
    approximation, measured on 1000 of the pairs at most. The error is exact if there are no more pairs; otherwise it is
    an estimate, good to a factor of 2.

    References
    ----------
    Encyclopedia article, kernel sum rule.

    Fukumizu, Song and Gretton 2013 (J. Mach. Learn. Res. 14, 3753).

    Examples
    --------
    >>> from explorer import Delta, KME, sum_rule
    >>> weather = ["sun", "sun", "rain", "rain", "rain"]
    >>> umbrella = ["no", "no", "yes", "yes", "no"]
    >>> prior = KME(Delta()).embed(["sun", "rain"])       # half and half, from now on
    >>> sum_rule(umbrella, weather, prior, Delta(), Delta(), lam=1e-9)(["yes", "no"]).round(3)
    array([0.333, 0.667])
    """
    lam = regulariser(lam, "lam")
    g = check_inputs(X, Y, prior, kernel_x, kernel_y)
    low = reduce_kernel(g.kernel_y, g.Y, approximation, rank, rng).low
    if low is None:
        return Embedding(g.kernel_x, g.X, Smoother(g.kernel_y, g.Y, lam).of(prior))
    trial = Trial(g.kernel_y, g.Y, g.kernel_x, g.X, lam, low, rng)
    weights = ThinSmoother(low, g.Y, lam).of(prior)
    return Embedding(g.kernel_x, g.X, weights).approximating(lambda: trial.error(lambda each: each.of(prior)))


@explain_wrong_calls
@aligned("X Y")
def chain_rule(
    X: PointsLike,
    Y: PointsLike,
    prior: Embedding,
    kernel_x: Kernel | None,
    kernel_y: Kernel | None,
    lam: float,
    approximation: Approximation | None = None,
    rank: int | None = None,
    rng: int = 0,
) -> Gram:
    r"""Compute the joint distribution Q(x, y) = P(x | y) π(y) as weights of all pairs (x_i, ỹ_j).

    Use it to combine P(x | y), which pairs show, with a new distribution of y. For the distribution of x alone use
    `sum_rule`, for that of y given x `bayes_rule`.

    The ỹ are the m points of the prior.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Points x_i of the pairs.
    Y : array_like of shape (n, e)
        Points y_i of the pairs.
    prior : Embedding
        Prior of point masses on the space of y, with weights α of any sign, under kernel_y as chosen on Y.
    kernel_x, kernel_y : Kernel or None
        None is Gaussian(); an automatic bandwidth is the median heuristic on that side.
    lam : float
        Regulariser λ > 0, in units of k_y: n times that of the operator (erratum E-1).
    approximation : {None, "auto", "cholesky", "nystrom", "features"}, default None
        Approximation as in `sum_rule`. Only Λ then has size (n, m). No error is given: `sum_rule`'s is that of the row
        sums.
    rank : int or None, default None
        Rank of the approximation.
    rng : int, default 0
        Seed of the approximation.

    Returns
    -------
    ndarray of shape (n, m)
        Λ. Its row sums are the weights of `sum_rule`.

    Raises
    ------
    ValueError
        If X and Y have different numbers of rows, or if the prior has another dimension or kernel than Y.
    TypeError
        If the prior is not an Embedding, or a sample does not suit its kernel.

    Notes
    -----
    The joint is

    .. math::
        \sum_{ij} \Lambda_{ij}\, k_x(x_i, \cdot) \otimes k_y(\tilde y_j, \cdot),
        \quad \Lambda = (G + \lambda I)^{-1} \tilde G\, \mathrm{diag}(\alpha).

    The cost is O(n³ + n² m).

    References
    ----------
    Encyclopedia article, kernel chain rule.

    Examples
    --------
    >>> from explorer import Delta, KME, chain_rule
    >>> prior = KME(Delta()).embed(["sun", "rain"])
    >>> chain_rule(["no", "yes"], ["sun", "rain"], prior, Delta(), Delta(), lam=1e-9).round(3)
    array([[0.5, 0. ],
           [0. , 0.5]])
    """
    lam = regulariser(lam, "lam")
    g = check_inputs(X, Y, prior, kernel_x, kernel_y)
    points, weights = point_masses(prior, "the chain rule")
    low = reduce_kernel(g.kernel_y, g.Y, approximation, rank, rng).low
    return smoother(g.kernel_y, g.Y, lam, low).at(points) * weights
