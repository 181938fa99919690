"""The sum rule and the chain rule, with embeddings in place of probabilities."""

from __future__ import annotations

from explorer.alignment import aligned
from explorer.elsewhere import explain_wrong_calls
from explorer.embeddings import Embedding
from explorer.kernels import Kernel
from explorer.kernels.low_rank import Approximation
from explorer.types import Gram, PointsLike

from .inputs import check_inputs, point_masses, regulariser
from .smoother import Smoother
from .thin import ThinSmoother, reduce_kernel, smoother
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
    """The embedding of Q(x) = Σ_y P(x | y) π(y), from n pairs (x_i, y_i) of P and a prior embedding of π: over X.

    Σ_i w_i k_x(x_i, .) with w = (G + λI)^-1 π̂(Y), G the Gram matrix of Y and π̂(y_i) = <prior, k_y(y_i, .)>, which is
    G̃α for a prior Σ_j α_j k_y(ỹ_j, .). Fukumizu, Song and Gretton 2013 (J. Mach. Learn. Res. 14, 3753).

    X, Y      pairs, (n, d) and (n, e)
    prior     any Embedding on the space of y, under kernel_y as it is chosen on Y
    kernel_x, kernel_y   None is Gaussian(), an automatic bandwidth the median heuristic on that side
    lam       λ > 0 in units of k_y: n times that of the operator (erratum E-1)
    approximation, rank, rng   None, "auto", "cholesky", "nystrom" or "features", of which rank, by which seed: a kernel
              of finite rank that `low_rank` chooses on Y stands for k_y, the prior is projected with it, and it takes
              O(n rank²). The answer then has an `error`, its RKHS distance from the rule without it, on 1000 of the
              pairs at most: exact where there are no more, and else an estimate, good to a factor of 2

    Encyclopedia article, kernel sum rule. Raises ValueError, TypeError for what does not go together; O(n³).

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
    """The joint Q(x, y) = P(x | y) π(y) as weights of all pairs (x_i, ỹ_j), (n, m), ỹ the m points of the prior.

    Σ_ij Λ_ij k_x(x_i, .) ⊗ k_y(ỹ_j, .) with Λ = (G + λI)^-1 G̃ diag(α). Its row sums are the weights of `sum_rule`.

    The arguments are those of `sum_rule`; the prior has point masses, of weights α of any sign. Under an approximation
    Λ alone has size (n, m), and no error is given: `sum_rule`'s is that of the row sums.
    Encyclopedia article, kernel chain rule. Raises ValueError, TypeError for what does not go together; O(n³ + n² m).

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
