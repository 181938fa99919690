"""Direction between two variables, if the effect is a function of the cause plus independent noise."""

from __future__ import annotations

from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy import hsic_test
from explorer.discrepancy.dependence.pairing import one_side
from explorer.discrepancy.resampling.tiled_gram import LARGE
from explorer.discrepancy.results.answer import Answer, checked_level
from explorer.discrepancy.results.test_result import TestResult
from explorer.kernels import Kernel, Linear
from explorer.printing import plural, printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.tables.alignment import aligned
from explorer.types import Matrix, Points, PointsLike, Rng

from .conditioning import FEWEST, standardise
from .embedding import ConditionalEmbedding


@printed
@record
class AdditiveNoise(Answer):
    """Result of `additive_noise`: for each direction, the test that the residuals are independent of the cause.

    Attributes
    ----------
    forward : TestResult
        Test of X and the residuals of the regression of Y on X.
    backward : TestResult
        Test of Y and the residuals of the regression of X on Y.
    lam : ndarray of shape (2,)
        Regulariser λ of both regressions.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.conditional import AdditiveNoise, additive_noise
    >>> rng = np.random.default_rng(0)
    >>> x = rng.uniform(-2.0, 2.0, size=60)
    >>> y = x**3 / 4 + 0.3 * rng.normal(size=60)
    >>> answer: AdditiveNoise = additive_noise(x, y, n_resamples=99, rng=0)
    >>> answer.direction(0.05), float(answer.forward.pvalue) > 0.05, float(answer.backward.pvalue)
    ('X -> Y', True, 0.04)
    """

    forward: TestResult
    backward: TestResult
    lam: np.ndarray

    def __post_init__(self) -> None:
        object.__setattr__(self, "lam", checks.read_only(self.lam))

    def direction(self, level: float = 0.05) -> str:
        """Return the directions that are not rejected at a level: "X -> Y", "Y -> X", "both" or "neither".

        "both" leaves the direction open, as between linear effects with Gaussian noise. "neither" means that the noise
        is not additive, that a third variable acts on both, or that a regression fits badly.

        Parameters
        ----------
        level : float, default 0.05
            Level of each of the two tests, between 0 and 1.

        Returns
        -------
        str
            The directions whose p-value is above the level.
        """
        fits = [each.pvalue > checked_level(level) for each in (self.forward, self.backward)]
        return {(True, False): "X -> Y", (False, True): "Y -> X", (True, True): "both", (False, False): "neither"}[
            fits[0], fits[1]
        ]

    def _parts(self) -> list[tuple[str, Any]]:
        parts = [
            ("forward_pvalue", self.forward.pvalue), ("backward_pvalue", self.backward.pvalue), ("lam", self.lam),
            ("n", self.forward.n), ("n_resamples", len(self.forward.null_distribution)), ("seed", self.forward.seed),
        ]  # fmt: skip
        return [(name, value) for name, value in parts if value is not None]

    def __str__(self) -> str:
        tests = (("X -> Y", self.forward), ("Y -> X", self.backward))
        both = ", ".join(f"p = {test.pvalue:.3g} for {arrow}" for arrow, test in tests)
        return f"Are residuals independent of their cause? {both}; at level 0.05 the test allows {self.direction()}."


@explain_wrong_calls
@aligned("X Y")
def additive_noise(
    X: PointsLike,
    Y: PointsLike,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    *,
    lam: float | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
) -> AdditiveNoise:
    r"""Test in which direction one of two variables causes the other, by the noise of a fit each way.

    Use it if one variable causes the other, with additive noise and without a common cause. To test whether they depend
    on each other at all, use `hsic_test`.

    It fits Y = f(X) + noise and X = g(Y) + noise, and tests by HSIC whether each noise is independent of its cause.

    If Y = f(X) + noise with noise independent of X, then no such model goes from Y to X, except for few f and
    distributions: linear f with Gaussian X and noise is one.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Numbers, n >= 6 and at most 6000 rows, not constant.
    Y : array_like of shape (n, e)
        Numbers, not constant. Row i of X and Y is one observation.
    kernel_x : Kernel or None, default None
        Kernel of the regression on X. None is Gaussian(); an automatic bandwidth is the median heuristic on X.
    kernel_y : Kernel or None, default None
        Kernel of the regression on Y.
    lam : float or None, default None
        Regulariser λ of both regressions. None takes the λ with the least leave-one-out score, for each by itself.
    n_resamples : int, default 999
        Number of permutations of each test.
    rng : int, Generator or None, default None
        Seed or generator of the permutations.

    Returns
    -------
    AdditiveNoise
        Both tests and both λ. `direction` names the directions that are not rejected.

    Raises
    ------
    ValueError
        If the samples do not go together, are constant, or are too few or too many.
    TypeError
        If a sample does not consist of numbers.

    Notes
    -----
    f and g are each a `ConditionalEmbedding` of the columns. The residuals are those of the n refits that each
    leave one row out,

    .. math:: r_i = \frac{y_i - f(x_i)}{1 - \beta_i(x_i)},

    so that a fit that follows its own points too closely is not rewarded. The tests are `hsic_test` under Gaussian
    kernels of median bandwidth. The cost is O(n^3 + B n^2) for B resamples.

    p is about right, not exact, because f is estimated, and it tends to be too large if f is fitted well. At level
    0.05, for samples of n = 50, 100 and 200 rows with y = tanh(2x) + noise of deviation 0.3 and x ~ N(0, 1), the true
    direction is rejected in 0.7, 0.4 and 0.3 % of the samples, and the other one in 19, 69 and 99 %. The function f(x)
    = sin(8x) varies faster than a median bandwidth follows. Its residuals still contain f, in waves that HSIC at its
    median bandwidth hardly sees: for n = 100 rows both directions are left in 94 % of the samples. If most values of x
    are alike and the others far off, f is fitted poorly and p is too small: with f = tanh(2x) as above and n = 60 the
    true direction is rejected in 15 % for Cauchy x, 14 % for x = 1 in 5 % of the rows and 0 in the others, and 12 % for
    an exponential x that is 0 in 80 % of the rows (250 samples each).

    References
    ----------
    Hoyer, Janzing, Mooij, Peters, Schölkopf 2009 (Advances in Neural Information Processing Systems 21).

    Mooij, Peters, Janzing, Zscheischler, Schölkopf 2016 (J. Mach. Learn. Res. 17, 32).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import additive_noise
    >>> rng = np.random.default_rng(0)
    >>> x, noise = rng.normal(size=(2, 200))
    >>> additive_noise(x, np.tanh(2 * x) + 0.3 * noise, n_resamples=199, rng=0).direction()
    'X -> Y'
    >>> additive_noise(x, x + noise, n_resamples=199, rng=0).direction()
    'both'
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    sides = _side(X, "X"), _side(Y, "Y")
    x, y = sides
    if len(x) != len(y):
        raise Refusal(
            f"X has {plural(len(x), 'row')} and Y has {len(y)}; row i of both is one observation: give equally many."
        )
    if len(x) > LARGE:
        raise Refusal(f"the direction of a pair takes Gram matrices of {len(x)} rows; give at most {LARGE} rows.")
    (forward, one), (backward, two) = residuals(x, y, kernel_x, lam), residuals(y, x, kernel_y, lam)
    tests = [hsic_test(cause, left, n_resamples=n_resamples, rng=rng) for cause, left in ((x, forward), (y, backward))]
    return AdditiveNoise(tests[0], tests[1], np.array([one, two]))


def residuals(
    cause: Points, effect: Points, kernel: Kernel | None = None, lam: float | None = None
) -> tuple[Matrix, float]:
    """Return the residuals of the effect after a regression on the cause, each row left out in turn, and λ.

    Parameters
    ----------
    cause : ndarray of shape (n, d)
        Points of the cause.
    effect : ndarray of shape (n, e)
        Numbers of the effect.
    kernel : Kernel or None, default None
        Kernel of the cause. None is Gaussian().
    lam : float or None, default None
        Regulariser λ. None takes the λ with the least leave-one-out score.

    Returns
    -------
    residuals : ndarray of shape (n, e)
        Each row of the standardised effect minus its prediction by the regression on all other rows.
    lam : float
        The regulariser that was used.
    """
    scaled = standardise(effect)
    given, kernel, _ = one_side(cause, kernel, "X")
    fit = ConditionalEmbedding(kernel, Linear(), lam).fit(given, scaled)
    weights = fit.weights(given)
    return (scaled - weights.T @ scaled) / (1 - weights.diagonal())[:, None], fit.lam_


def _side(given, name):
    """Return one side of the pair as checked points. A constant side or one with too few rows is refused."""
    points = checks.sample(given, name)
    checks.rows(points, f"{name}, one side of a pair,", FEWEST)
    if (points == points[0]).all():
        raise Refusal(f"all rows of {name} are equal, and a constant acts on nothing; give a variable that varies.")
    checks.warn_of_lost_digits(points, name)
    return points
