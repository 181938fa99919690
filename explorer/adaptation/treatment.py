"""Test whether a treatment that covariates decide on has any effect: residuals of both, and treatments drawn again."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from explorer import checks, frames
from explorer.checks import Refusal
from explorer.conditional.assignment import draw_labels, residual_products, squared_norms
from explorer.conditional.propensity import propensity_of
from explorer.discrepancy.resampling.groups import describe_permutations, group_codes
from explorer.discrepancy.resampling.permutation import SLACK, permutations
from explorer.discrepancy.results.test_result import TestResult
from explorer.kernels import Gaussian, Kernel
from explorer.kernels.bandwidth_selection import select
from explorer.printing import plural
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.rng import seed_of
from explorer.tables.alignment import aligned
from explorer.types import PointsLike, Rng, Vector, VectorLike

from .counterfactual import GROUPS, marks_of, refuse_apart

DRAWS = "draws of who is treated"
MORE, TIMES = 5, 2  # the probability of treatment is estimated from at least d + MORE and TIMES * d rows of d columns


@explain_wrong_calls
@aligned("X y treated propensity groups")
def treatment_test(
    X: PointsLike,
    y: PointsLike,
    treated: VectorLike,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    *,
    lam: float | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
    propensity: float | VectorLike | None = None,
    groups: ArrayLike | None = None,
) -> TestResult:
    r"""Test whether a treatment has an effect: whether the outcome depends on who was treated, given X.

    Use it for trials, and for observations if X has everything that decides on treatment and outcome at once. To
    measure the effect, use `counterfactual_mean`.

    This is the conditional randomisation test: for the null distribution, the treated rows are drawn again, n_resamples
    times.

    Parameters
    ----------
    X : array_like of shape (n, d)
        Everything that decides on treatment and outcome at once. Unless the assignment is known, numbers with n at
        least d + 5 and 2 d.
    y : array_like of shape (n,) or (n, e)
        The outcome of each row.
    treated : array_like of shape (n,)
        True or 1 if a row had the treatment, False or 0 if not.
    kernel_x, kernel_y : Kernel or None, default None
        None is Gaussian(); an automatic bandwidth is the median heuristic on all rows.
    lam : float or None, default None
        Regulariser λ > 0 of the regression, in units of k_x. None takes the λ with the least leave-one-out score.
    n_resamples : int, default 999
        Number of draws of the treated rows.
    rng : int, Generator or None, default None
        Seed or generator of the draws.
    propensity : float, array_like of shape (n,) or None, default None
        Known probability of treatment of each row, above 0 and below 1: the draws t_i are independent with these
        probabilities, given that both groups have rows.
    groups : array_like of shape (n,) or None, default None
        Labels of the rows (words, numbers or dates), if a fixed number of each group was treated at random: strata,
        blocks, or one label for all rows of a trial with a fixed number of treated rows. `treated` is permuted within
        groups, and p_i is the treated share of i's group.

    Returns
    -------
    TestResult
        The test.

    Raises
    ------
    ValueError
        If a group is empty, a propensity is outside (0, 1), or nothing can be permuted within `groups`. If p_i is
        estimated, also if there are too few rows, if the groups do not overlap, or if X consists of words.

    Notes
    -----
    The statistic is

    .. math:: T = \Bigl\| \frac1n \sum_i (t_i - p_i)\, (k_y(y_i, \cdot) - \hat\mu(x_i)) \Bigr\|^2

    with the conditional mean μ̂ of all rows, a `ConditionalEmbedding` that knows nothing of the treatment, and p_i the
    probability of treatment. The cost is O(n³ + n² n_resamples).

    With a known propensity, p is exact if rows were treated so, for all n, d and n_resamples, all kinds of X and y and
    any μ̂. With the predictions of a model that was not trained on the row, p is about right.

    With `groups`, p is exact if all these assignments were equally likely, for all n, d and n_resamples, all kinds of X
    and y and any μ̂.

    With neither, p_i is estimated: log p/(1 - p) = a + b'x of the standardised columns, with the penalty ρ/2 |b|², ρ
    with the least deviance on held-out rows in five folds. It is estimated again for every draw, by one Newton step,
    and T of the draws is multiplied by n/(n - df), df the effective degrees of freedom. p is then about right, for
    independent rows: with both residuals in T, as in the generalised covariance measure (Shah, Peters 2020), p is wrong
    only if the errors of p_i and of μ̂ come together. At level 0.05, with ten columns and n = 20, 30, 50 and 100 rows,
    it rejects 3.8, 3.8, 4.5 and 4.9 % of 2,000 true nulls of random treatment, and 3.5, 3.2, 3.8 and 2.7 % if three
    columns decide, with log odds s = x_1 - x_2/2 + x_3/2 and y = s/2 + N(0, 1). If columns decide, more columns take
    more rows for each: with fifty columns it rejects 12 % at n = 100 and 8 % at n = 150 (of 300 and 207; 3 % of 346 at
    n = 100 of random treatment). If the log odds are not linear in x and μ̂ is poor, the test has no level: with log
    odds 2 f(x) and y = -2 f(x) + N(0, 1/4) it rejects 27 and 17 % at n = 50 and 200 for f(x) = sin(4x), faster than the
    kernel follows (of 300 each).

    The test is blind to effects that cancel over x, which `conditional_test` sees. It weighs rows by p (1 - p): without
    overlap it sees nothing.

    References
    ----------
    Candès, Fan, Janson, Lv 2018, J. R. Stat. Soc. B 80, 551.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import treatment_test
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=100)
    >>> treated = rng.random(100) < 1 / (1 + np.exp(-x))
    >>> noise = 0.5 * rng.normal(size=100)
    >>> [treatment_test(x, effect * treated - x + noise, treated, rng=0).pvalue for effect in (0, 1)]
    [0.266, 0.001]
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    if propensity is not None and groups is not None:
        raise Refusal(
            "propensity and groups are two ways to say how treatment was assigned; give propensity if each row was"
            " treated independently of the others, or groups if the number of treated rows was fixed."
        )
    kernel_x, kernel_y = (kernel or Gaussian() for kernel in (kernel_x, kernel_y))
    columns = tuple(frames.names_of(side) or () for side in (X, y))
    numbers = checks.sample(X, "X") if propensity is None and groups is None else None
    X, y = kernel_x.points(X), kernel_y.points(y, "y")
    n = len(X)
    if n != len(y):
        raise Refusal(f"X has {plural(n, 'row')} and y has {len(y)}; give the outcome of each row.")
    if numbers is not None:
        _refuse_few(*numbers.shape)
    marked = marks_of(treated, n)
    kernel_x, kernel_y = select(kernel_x, X, "rows"), select(kernel_y, y, "outcomes")
    wider = 1.0
    if numbers is not None:
        for group, name in GROUPS.items():
            refuse_apart(kernel_x, X, marked == group, name, GROUPS[not group])
        fitted, resamples = propensity_of(numbers, marked, rng), DRAWS
        chance, (smoother, pulled, freedom) = fitted.chance, fitted.refit()
        wider = n / (n - freedom)  # p was fitted to the observed treatments, so that drawn ones lie farther from it
        residuals = (drawn - chance for drawn in draw_labels(chance, n_resamples, rng))
        null = (each - each @ fitted.design @ smoother + pulled for each in residuals)
    elif groups is not None:
        codes = group_codes(groups, n, "rows")
        chance, resamples = _shares(marked, codes), _permuted(marked, codes, n_resamples)
        null = (marked[order] - chance for order in permutations(n, n_resamples, rng, codes))
    else:
        chance, resamples = _known_propensity(propensity, n), DRAWS
        null = (drawn - chance for drawn in draw_labels(chance, n_resamples, rng))
    products, _ = residual_products(kernel_x(X), kernel_y(y), lam)
    return TestResult(
        float(squared_norms(marked[None] - chance, products)[0]),
        wider * np.concatenate([squared_norms(residuals, products) for residuals in null])[:n_resamples],
        "the kernel statistic of a treatment's effect",
        (kernel_x, kernel_y),
        n=n,
        tolerance=SLACK * float(kernel_y.diagonal(y).max()),
        resamples=resamples,
        columns=columns,
        seed=seed_of(rng),
        counted="rows",
    )


def _refuse_few(n, d):
    """Refuse n rows of d columns if they are too few to estimate the probability of treatment."""
    if n < (least := max(d + MORE, TIMES * d)):
        raise Refusal(
            f"X has {plural(n, 'row')} of {plural(d, 'column')}, which need {least} rows at least to estimate who is"
            " treated; give more rows or fewer columns, or, if treatment was assigned at random, its propensity or the"
            " groups within which it was."
        )


def _known_propensity(propensity, n) -> Vector:
    """Return the known probability of treatment of each row, shape (n,)."""
    chance = checks.numbers(propensity, "propensity")
    if chance.shape not in ((), (n,), (n, 1)):
        raise Refusal(
            f"propensity has shape {chance.shape} beside {n} rows of X; give one number, or ({n},), the probability of"
            " treatment of each row."
        )
    chance = np.broadcast_to(chance.reshape(-1), n)
    outside = chance[(chance <= 0) | (chance >= 1)]
    if len(outside):
        raise Refusal(
            f"propensity holds {outside[0]:g}; give probabilities of treatment above 0 and below 1, and leave out rows"
            " that were sure to be treated, or sure not to be."
        )
    return chance


def _shares(marked, codes) -> Vector:
    """Return the share of treated rows in each row's group, shape (n,)."""
    return (np.bincount(codes, marked) / np.bincount(codes))[codes]


def _permuted(marked, codes, count):
    """Describe `count` permutations of treated within groups. Refuse groups within which nothing can be permuted."""
    sizes, treated = np.bincount(codes), np.bincount(codes, marked).astype(int)
    ways = math.prod(math.comb(int(n), int(k)) for n, k in zip(sizes, treated, strict=True))
    if ways == 1:
        raise Refusal(
            "every group of groups holds treated rows alone or controls alone, so permutations within groups change"
            " nothing and p can only be 1; give groups that have rows of both."
        )
    alike = 2 if np.array_equal(2 * treated, sizes) else 1  # exchanging both in all groups changes no statistic
    return describe_permutations(codes, ways, alike / ways, count)
