"""Test whether the distribution of y given x has changed between two samples whose x may differ."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from explorer import checks, frames
from explorer.checks import Refusal, echo
from explorer.discrepancy.resampling.groups import describe_permutations
from explorer.discrepancy.resampling.permutation import SLACK, permutations
from explorer.discrepancy.resampling.tiled_gram import LARGE, select
from explorer.discrepancy.results.test_result import TestResult
from explorer.kernels import ARDGaussian, Kernel
from explorer.kernels.bandwidth import median_and_remark
from explorer.linalg import eigh_psd
from explorer.printing import join_list, plural, printed
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.rng import seed_of
from explorer.tables.alignment import in_one_order, pooled
from explorer.types import Gram, Mask, Matrix, Points, PointsLike, Rng, Vector, VectorLike

from .assignment import draw_labels, draw_labels_by_odds, residual_products, squared_norms
from .conditioning import FEWEST, standardise
from .embedding import ConditionalEmbedding
from .leave_one_out import Refits
from .propensity import components_of, design_of, fitted_to

if TYPE_CHECKING:
    from explorer.embeddings import Embedding


DRAWS, CHAINS = "draws of the samples' labels given x", "draws of the samples' labels by the odds"
PER_LEVEL = 5  # with this many rows for each distinct x, labels are permuted among rows of equal x
MOST_FREEDOM = 1 / 3  # the estimate of p may have this share of the rows as degrees of freedom
WIDE = 10  # with more columns of x, 20 components of a kernel miss it if a single column decides
TIMES = 2  # least number of rows for each column of x
FARTHEST = 1e-6  # an estimated p is at least this far from 0 and 1
LITTLE = 0.1  # below this overlap a warning says that there is hardly anything to compare


@printed
@record(kw_only=True)
class ConditionalChange(TestResult):
    """Result of `conditional_test`: a TestResult with the overlap of x, the odds and both samples.

    Attributes
    ----------
    kernel : tuple of Kernel
        Kernels of x and y.
    overlap : float
        Σ p_i (1 - p_i) / (nm/N): 1 if both samples have the same x, 0 if no x of one sample is like those of the other.
    odds : ndarray of shape (N,)
        p_i / (1 - p_i) of each row, those of the first sample first: the odds that a row with this x belongs to the
        second sample. They are estimated, or the given ones times a factor that makes Σ p_i = m.
    lam : float
        Regulariser λ of the regression of y on x of all rows, in units of k_x.
    held : tuple of (tuple of ndarray, tuple of ndarray)
        Points of both samples: (x, y) of the first, (x, y) of the second.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.conditional import ConditionalChange, conditional_test
    >>> rng = np.random.default_rng(0)
    >>> x, x2 = rng.normal(0.0, 1.0, 80), rng.normal(1.0, 1.0, 80)
    >>> y, y2 = x + 0.5 * rng.normal(size=80), x2 + 1.0 + 0.5 * rng.normal(size=80)
    >>> result: ConditionalChange = conditional_test(x, y, x2, y2, n_resamples=199, rng=0)
    >>> result.pvalue, round(result.overlap, 1)
    (0.005, 0.9)
    >>> [round(float(side.mean()[0]), 1) for side in result.witness(0.5)]
    [0.4, 1.4]
    """

    kernel: tuple[Kernel, ...]
    overlap: float
    odds: np.ndarray
    lam: float
    held: tuple[tuple[Points, Points], tuple[Points, Points]] = field(repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "odds", checks.read_only(self.odds))

    @cached_property
    def regressions(self) -> tuple[ConditionalEmbedding, ConditionalEmbedding]:
        """The `ConditionalEmbedding` of each sample by itself, each with the λ of its own least leave-one-out score."""
        first, second = (ConditionalEmbedding(self.kernel[0], self.kernel[1]).fit(x, y) for x, y in self.held)
        return first, second

    def witness(self, x: PointsLike) -> tuple[Embedding, Embedding]:
        """Return the conditional mean embedding of y at one x, by each sample: their difference shows the change.

        It is a picture and not the test: if a sample has no rows near x, its embedding tends to 0.

        Parameters
        ----------
        x : array_like of shape (d,) or (1, d)
            One point. If the samples were DataFrames with words, x is a row of `held`.

        Returns
        -------
        first, second : Embedding
            Conditional mean embeddings of y by the first and by the second sample.
        """
        first, second = (regression.embed(x) for regression in self.regressions)
        return first, second

    def _caveat(self):
        return f" The overlap of x is {self.overlap:.2g}.{super()._caveat()}"


@explain_wrong_calls
def conditional_test(
    X: PointsLike,
    Y: PointsLike,
    X2: PointsLike | None = None,
    Y2: PointsLike | None = None,
    kernel_x: Kernel | None = None,
    kernel_y: Kernel | None = None,
    *,
    y: str | Sequence[str] | None = None,
    odds: VectorLike | None = None,
    lam: float | None = None,
    n_resamples: int = 999,
    rng: Rng = None,
) -> ConditionalChange:
    r"""Test whether y given x has the same distribution in two samples, even if their x differ.

    Use it to see whether a relation has changed, and not only its inputs. If a change of x counts too, use `mmd_test`
    or `compare`.

    Parameters
    ----------
    X : array_like of shape (n, d)
        x of the first sample: numbers, or any points that kernel_x takes.
    Y : array_like of shape (n,) or (n, e)
        y of the first sample.
    X2, Y2 : array_like or None, default None
        x and y of the second sample, m rows; n + m from 6 to 6000.
    kernel_x, kernel_y : Kernel or None, default None
        None is a Gaussian of standardised columns, its bandwidth the median heuristic on all rows, times the equality
        of categories.
    y : str, list of str or None, default None
        Instead of X2 and Y2, if X and Y are DataFrames: the name of their column of y, or several names. All other
        columns are x, and columns are matched by name; words are categories.
    odds : array_like of shape (N,) or None, default None
        Known odds p_i / (1 - p_i), X's rows first, up to a common factor. Labels are drawn with m ones and P(g) ∝ Π
        o_i^(g_i).
    lam : float or None, default None
        Regulariser λ > 0 of the regression, in units of k_x. None takes the λ with the least leave-one-out score.
    n_resamples : int, default 999
        Number of draws of the labels.
    rng : int, Generator or None, default None
        Seed or generator of the draws.

    Returns
    -------
    ConditionalChange
        The test, with the overlap of x and the odds.

    Raises
    ------
    ValueError
        If the samples do not go together, if they have more than 6000 rows, or if p has to be estimated with fewer than
        two rows for each column of x or with more than N/3 degrees of freedom.
    TypeError
        If a sample does not suit its kernel.

    Warns
    -----
    ExplorerWarning
        If the overlap of x is below 0.1: the test then hardly sees anything.

    Notes
    -----
    Let g_i = 1 for the second sample's rows, p_i the probability that a row with x_i belongs to it, and μ̂ the
    conditional mean of all N = n + m rows, a `ConditionalEmbedding` that knows no labels. The statistic is

    .. math::
        T = \Bigl\| \frac1N \sum_i (g_i - p_i)\, k_x(x_i, \cdot) \otimes (k_y(y_i, \cdot) - \hat\mu(x_i)) \Bigr\|^2
          = \frac{r^\top (K \circ R L R)\, r}{N^2}, \quad r = g - p, \quad R = \lambda (K + \lambda I)^{-1}.

    It estimates :math:`\| E\, p(1-p)\, k_x(x, \cdot) \otimes (\mu_2(x) - \mu_1(x)) \|^2`, which is 0 only if the
    conditional means agree wherever both samples have rows, for Gaussian kernels and others that are as rich.
    `treatment_test` is this test with k_x = 1.

    With known odds, p is exact if the odds are right and the rows independent, for all n, m and n_resamples, all kinds
    of x and y and any μ̂.

    Without odds, if there are five rows for each distinct x, labels are permuted among rows of equal x. p is exact if
    these are exchangeable, as independent rows are, for all kinds of x and y.

    Otherwise p_i is estimated by kernel logistic regression on the 20 leading kernel principal components, and on x
    itself if it has more than ten columns. Its ridge has the least deviance on held-out rows in five folds. Labels are
    drawn by p_i, and p_i is fitted again for each draw, as in `treatment_test`. p is then about right, for independent
    rows: it is wrong only if the errors of p_i and of μ̂ come together. At level 0.05, with 400 true nulls each of 50 +
    50 and of 200 + 200 rows with y = f(x) + N(0, 1/4), it rejects 4.8 and 3.8 % for x ~ N(0, 1) and N(1, 1), f(x) = sin
    2x; 3.3 and 4.0 % for x ~ N(0, 1) and N(0, 1/4), f(x) = x²; and 2.0 and 3.5 % for x ~ N(0, I_5) and N(1/2, I_5),
    f(x) = sin 2x_1 + x_2. If one of many columns decides, with log odds 1.5 x_1 and y = -x_1 + N(0, 1), it rejects 7,
    12 and 8 % for 20, 50 and 50 columns and n + m = 60, 100 and 200 (100 samples each). With 200 samples of 100 + 100
    rows it finds 83 % of changes of sin 2x by 0.3, 98 % of ± 0.5 by the sign of x - 1/2, which cancel over x, and 34 %
    of noise of deviation 0.8 instead of 0.5.

    A change is a change of y given the columns that x has: a column that is missing from x may be what has changed. T
    weighs rows by p (1 - p), so that it sees nothing without overlap. The cost is O(N³ + N² n_resamples).

    References
    ----------
    Statistic: Zhang, Peters, Janzing, Schölkopf 2011 (UAI 27, proposition 5), with the residual product of Shah and
    Peters 2020 (Ann. Stat. 48, 1514, section 3).

    Draws: Candès, Fan, Janson, Lv 2018 (J. R. Stat. Soc. B 80, 551) and Berrett, Wang, Barber, Samworth 2020 (B 82,
    175).

    Examples
    --------
    >>> import numpy as np
    >>> from explorer import conditional_test, mmd_test
    >>> rng = np.random.default_rng(0)
    >>> x, x2 = rng.normal(0.0, 1.0, 100), rng.normal(1.0, 1.0, 100)
    >>> noise, noise2 = 0.5 * rng.normal(size=(2, 100))
    >>> y, y2 = np.sin(2 * x) + noise, np.sin(2 * x2) + noise2
    >>> mmd_test(np.c_[x, y], np.c_[x2, y2], rng=0).pvalue
    0.001
    >>> [conditional_test(x, y, x2, y2 + change, rng=0).pvalue for change in (0.0, 0.5)]
    [0.52, 0.001]
    """
    n_resamples = checks.whole(n_resamples, "n_resamples", 1)
    if y is None:
        (X, Y), (X2, Y2) = (in_one_order(each).values() for each in ({"X": X, "Y": Y}, {"X2": X2, "Y2": Y2}))
    odds = pooled(odds, (X, X2 if y is None else Y), "odds", ("X", "X2" if y is None else "Y"))
    of_x, of_y = _sides(X, Y, X2, Y2, y)
    (x, kernel_x, names_x), (outcome, kernel_y, names_y) = _pooled(of_x, kernel_x), _pooled(of_y, kernel_y)
    n, N = len(x[0]), len(x[0]) + len(x[1])
    points, outcomes = np.concatenate(x), np.concatenate(outcome)
    kernel_x, kernel_y = select(kernel_x, points, "rows"), select(kernel_y, outcomes, "rows")
    K, L = kernel_x(points), kernel_y(outcomes)
    labels = Labels.of(K, points, np.arange(N) >= n, n_resamples, rng, odds)
    labels.warn_of_little()
    statistics, lam = labels.statistics(L, lam)
    return ConditionalChange(
        statistic=float(statistics[0]),
        null_distribution=statistics[1:],
        name="the kernel statistic of a change of y given x",
        kernel=(kernel_x, kernel_y),
        n=n,
        m=N - n,
        tolerance=labels.rounding(L),
        resamples=labels.resamples,
        columns=(names_x, names_y),
        seed=seed_of(rng),
        overlap=labels.overlap,
        odds=labels.chance / np.maximum(1 - labels.chance, np.finfo(float).tiny),
        lam=lam,
        held=((x[0], outcome[0]), (x[1], outcome[1])),
    )


class Labels(NamedTuple):
    """Labels of the two samples: their probabilities given x, and labels drawn again, for any number of outcomes.

    Attributes
    ----------
    K : ndarray of shape (N, N)
        Gram matrix of x.
    chance : ndarray of shape (N,)
        Probability p_i of each row.
    residuals : ndarray of shape (1 + B, N)
        g - p of the labels and of each draw.
    wider : float
        Factor on T of the draws, because p was fitted to the labels.
    resamples : str
        What the draws are called in a result.
    exact : bool
        Whether p of a test is exact: labels are permuted among rows of equal x, or the odds are known.
    decomposed : tuple of (ndarray, ndarray)
        Eigenvalues and eigenvectors of K.
    """

    K: Gram
    chance: Vector
    residuals: Matrix
    wider: float
    resamples: str
    exact: bool
    decomposed: tuple[Vector, Matrix]

    @classmethod
    def of(cls, K: Gram, x: Points, second: Mask, n_resamples: int, rng: Rng, odds: VectorLike | None = None) -> Labels:
        """Build the labels of N rows with points x and Gram matrix K; `second` marks the rows of the second sample.

        Parameters
        ----------
        K : ndarray of shape (N, N)
            Gram matrix of x.
        x : ndarray of shape (N, d)
            Points.
        second : ndarray of bool, shape (N,)
            Rows of the second sample.
        n_resamples : int
            Number of draws.
        rng : int, Generator or None
            Seed or generator.
        odds : array_like of shape (N,) or None, default None
            Known odds that a row belongs to the second sample.

        Returns
        -------
        Labels
            The labels and their draws.

        Raises
        ------
        ValueError
            If the odds are invalid, or if the estimate of p has more than N/3 degrees of freedom.
        """
        N, levels, wider, exact = len(K), np.unique(x, axis=0, return_inverse=True)[1].reshape(-1), 1.0, True
        if odds is not None:
            chance, resamples = _of_odds(odds, second), CHAINS
            ratio = chance / (1 - chance)
            null = (drawn - chance for drawn in draw_labels_by_odds(ratio, second, n_resamples, rng))
        elif PER_LEVEL * (levels.max() + 1) <= N:
            sizes, ones = np.bincount(levels), np.bincount(levels, second)
            chance = (ones / sizes)[levels]
            ways = _ways(sizes, ones)
            resamples = describe_permutations(levels, ways, 1 / ways, n_resamples).replace(
                "groups", "groups of equal x").replace("1 group", "1 group of equal x")  # fmt: skip
            null = (second[order] - chance for order in permutations(N, n_resamples, rng, levels))
        else:
            _refuse_few(N, np.shape(x)[1])
            design = components_of(K)
            if np.shape(x)[1] > WIDE and x.dtype.kind in "iuf":
                design = np.column_stack([design_of(x), design[:, 1:]])
            fitted = fitted_to(design, second, rng)
            fitted = fitted._replace(chance=np.clip(fitted.chance, FARTHEST, 1 - FARTHEST))
            chance, (smoother, pulled, freedom) = fitted.chance, fitted.refit()
            if freedom > MOST_FREEDOM * N:
                raise Refusal(
                    f"which sample a row is of is estimated with {freedom:.3g} degrees of freedom on {N} rows, more"
                    " than a third of them; give more rows, fewer columns of x, or known odds."
                )
            wider, resamples, exact = N / (N - freedom), DRAWS, False
            apart = (drawn - chance for drawn in draw_labels(chance, n_resamples, rng))
            null = (each - each @ fitted.design @ smoother + pulled for each in apart)
        residuals = np.concatenate([second[None] - chance, *null])[: 1 + n_resamples]
        return cls(K, chance, residuals, wider, resamples, exact, eigh_psd(K))

    def statistics(self, L: Gram, lam: float | None = None) -> tuple[Vector, float]:
        """Return T of the labels and of each draw, shape (1 + B,), and λ of the regression.

        Parameters
        ----------
        L : ndarray of shape (N, N)
            Gram matrix of the outcomes.
        lam : float or None, default None
            Regulariser λ. None takes the λ with the least leave-one-out score.

        Returns
        -------
        statistics : ndarray of shape (1 + B,)
            T of the labels, then of the draws.
        lam : float
            The regulariser that was used.
        """
        left, lam = residual_products(self.K, L, lam, self.decomposed)
        statistics = squared_norms(self.residuals, self.K * left)
        statistics[1:] *= self.wider
        return statistics, lam

    def rounding(self, L: Gram) -> float:
        """Return by how much values of T may differ if they are equal up to rounding.

        Parameters
        ----------
        L : ndarray of shape (N, N)
            Gram matrix of the outcomes.

        Returns
        -------
        float
            Tolerance of comparisons of T.
        """
        return SLACK * float(self.K.diagonal().max() * L.diagonal().max())

    def residuals_of(self, y: Vector) -> Vector:
        """Return the residuals of the regression of numbers y on x, with the λ of the least leave-one-out score.

        Parameters
        ----------
        y : ndarray of shape (N,)
            Numbers, not constant.

        Returns
        -------
        ndarray of shape (N,)
            The centred y minus its prediction.
        """
        y = y - y.mean()
        regression = Refits(self.K, np.outer(y, y) / (y @ y), decomposed=self.decomposed)
        gamma, U = self.decomposed
        lam = regression.best()
        return y - U @ (gamma / (gamma + lam) * (U.T @ y))

    @property
    def overlap(self) -> float:
        """Σ p_i (1 - p_i) over its value for equal x, from 0 to about 1."""
        share = float(np.mean(self.residuals[0] + self.chance))
        return float(np.mean(self.chance * (1 - self.chance)) / (share * (1 - share)))

    def warn_of_little(self) -> None:
        """Warn if both samples hardly share any x."""
        if self.overlap < LITTLE:
            checks.warn(
                f"the samples hardly share any x (their overlap is {self.overlap:.2g} of 1), so a change of y given x"
                " can hardly be seen and p says little. Give rows that are alike in x, or fewer columns of x."
            )


def _refuse_few(N, d):
    """Refuse N rows of d columns of x if they are too few to estimate which sample a row belongs to."""
    if N < (least := TIMES * d):
        raise Refusal(
            f"x has {plural(d, 'column')} and {N} rows, and {least} rows at least are needed to estimate which sample"
            " a row is"
            " of; give more rows, fewer columns of x, or known odds."
        )


def _ways(sizes, ones):
    """Return the number of assignments of labels with as many ones in each group, at most 10^9, which is enough."""
    ways = 1
    for size, count in zip(sizes.astype(int).tolist(), ones.astype(int).tolist(), strict=True):
        for k in range(min(count, size - count)):
            ways = ways * (size - k) // (k + 1)
            if ways > 10**9:
                return 10**9
    return ways


def _of_odds(odds, second) -> Vector:
    """Return the probabilities c o_i / (1 + c o_i), with c such that they sum to the size of the second sample."""
    N, given = len(second), checks.numbers(odds, "odds")
    if given.shape not in ((N,), (N, 1)):
        raise Refusal(f"odds has shape {given.shape} beside {N} rows; give ({N},), X's rows first.")
    given = given.reshape(-1)
    if (given <= 0).any():
        raise Refusal(f"odds holds {given[given <= 0][0]:g}; give odds p/(1 - p) above 0.")
    logs, ones = np.log(given), int(second.sum())
    logs = logs - np.median(logs)
    low, high = -float(np.abs(logs).max()) - np.log(N) - 1, float(np.abs(logs).max()) + np.log(N) + 1
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if _logistic(logs + middle).sum() < ones else (low, middle)
    return _logistic(logs + (low + high) / 2)


def _logistic(scores):
    return np.exp(-np.logaddexp(0.0, -scores))


def _sides(X, Y, X2, Y2, y):
    """Return ((x, x2), (y, y2)), as given or as columns of two DataFrames, each with the names of its two parts."""
    if y is None:
        if X2 is None or Y2 is None:
            raise Refusal(
                "one sample is given, x and y; give X, Y, X2 and Y2, or two DataFrames and y= the name of a column."
            )
        for first, second, names in ((X, Y, ("X", "Y")), (X2, Y2, ("X2", "Y2"))):
            counts = [_length(side, name) for side, name in zip((first, second), names, strict=True)]
            if counts[0] != counts[1]:
                raise Refusal(
                    f"{names[0]} has {plural(counts[0], 'row')} and {names[1]} has {counts[1]}; row i of both is one"
                    " observation."
                )
        return (*frames.together([X, X2], ["X", "X2"]), "X", "X2"), (*frames.together([Y, Y2], ["Y", "Y2"]), "Y", "Y2")
    if X2 is not None or Y2 is not None:
        raise Refusal("y= names a column of two DataFrames, and X2 or Y2 is given too; leave one of them out.")
    chosen = [y] if isinstance(y, str) else list(y)
    tables = frames.together([X, Y], ["the first", "the second"])
    names = frames.names_of(tables[0])
    if names is None or frames.names_of(tables[1]) is None:
        raise Refusal("y= names a column, and the samples are no DataFrames with names; give X, Y, X2 and Y2.")
    unknown = [name for name in chosen if name not in names]
    if unknown or not chosen:
        problem = f"there is no column {echo(unknown[0])}" if unknown else "y is empty"
        raise Refusal(f"{problem}; the columns are {join_list(map(echo, names))}.")
    rest = [name for name in names if name not in chosen]
    if not rest:
        raise Refusal("y= names all columns, so there is no x to condition on; name fewer, or take mmd_test.")
    parts = [[_columns(table, names, some) for table in tables] for some in (rest, chosen)]
    return (*parts[0], "the first", "the second"), (*parts[1], "the first", "the second")


def _length(side, name):
    frame = frames.frame_of(side)
    return len(frame) if frame is not None else len(checks.as_array(side, name))


def _columns(table, names, some):
    """Return some columns of a DataFrame or of a structured array."""
    frame = frames.frame_of(table)
    return table[some] if frame is None else frame[:, [names.index(name) for name in some]].to_native()


def _pooled(side, kernel: Kernel | None) -> tuple[tuple[Points, ...], Kernel, tuple[str, ...]]:
    """Return ((first, second) as points, the kernel, the names of columns) of both samples' x, or y."""
    first, second, *called = side
    names, each = frames.names_of(first) or (), list(zip((first, second), called, strict=True))
    mixed = frames.mixed([first, second], called, ARDGaussian()) if kernel is None else None
    if mixed is not None:
        _refuse_sizes(mixed.samples)
        return mixed.samples, mixed.kernel, mixed.names
    points = tuple((checks.sample if kernel is None else kernel.points)(sample, name) for sample, name in each)
    _refuse_sizes(points)
    if kernel is not None:
        return points, kernel, names
    checks.same_dimension(points[0], points[1], (called[0], called[1]))
    return points, scaled_gaussian(np.concatenate(points)), names


def _refuse_sizes(samples):
    """Refuse too few rows, and too many."""
    n, m = map(len, samples)
    if n + m < FEWEST or min(n, m) < 2:
        raise Refusal(f"the samples have {n} and {m} rows; give at least 2 of each, {FEWEST} in all.")
    if n + m > LARGE:
        raise Refusal(
            f"Gram matrices of {n + m} rows would be stored; give at most {LARGE} rows, such as a random part."
        )


def scaled_gaussian(P: Points) -> Kernel:
    """Return the Gaussian of the standardised columns of P, its bandwidth their median distance.

    A constant column counts as 0. The kernel does not depend on the columns' units.

    Parameters
    ----------
    P : ndarray of shape (N, d)
        Points.

    Returns
    -------
    Kernel
        An ARDGaussian with one bandwidth for each column.
    """
    Z = standardise(P)
    deviations = P.std(axis=0)
    width = median_and_remark(Z)[0] if Z.any() else 1.0
    return ARDGaussian(np.where(Z.any(axis=0), deviations, np.maximum(np.abs(P).max(axis=0), 1.0)) * width)
