"""Result of a test: the statistic, its null distribution, the p-value and the sentence about them."""

from __future__ import annotations

from dataclasses import field
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.discrepancy.results.answer import Decision, checked_level
from explorer.kernels import Kernel, in_prose
from explorer.printing import printed
from explorer.record import record
from explorer.svg import inline_pictures


def pvalue(null: Any, observed: Any, tolerance: Any = 0.0) -> Any:
    """Return the permutation p-value, p = (1 + #{b : null_b + tolerance >= observed}) / (1 + B).

    The observed value is one of the B + 1 values that are equally likely under the null hypothesis, so P(p <= α) <= α
    for every B. Comparing it with the 1 - α quantile of the B others alone has the level 0.0556 at α = 0.05, B = 150
    (004; erratum E-20).

    Parameters
    ----------
    null : array_like of shape (B,) or (B, k)
        Null distribution of one statistic or of k.
    observed : float or array_like of shape (k,)
        The observed value of each statistic.
    tolerance : float or array_like of shape (k,), default 0.0
        Values that differ by at most this are ties. It covers values that differ by rounding alone, such as those of a
        split and of the same split with its sides swapped.

    Returns
    -------
    float or ndarray of shape (k,)
        The p-value of each statistic.

    Examples
    --------
    >>> import numpy as np
    >>> from explorer.discrepancy import pvalue
    >>> null = np.arange(99.0)
    >>> float(pvalue(null, 98.0)), float(pvalue(null, 200.0))
    (0.02, 0.01)
    """
    return (1 + np.count_nonzero(np.asarray(null) + tolerance >= observed, axis=0)) / (1 + len(null))


@printed
@record
class TestResult(Decision):
    """Result of a resampling test. ``str()`` is a sentence.

    Attributes
    ----------
    statistic : float
        Observed value, exactly what the function of that name returns; in squared units of k for an MMD².
    null_distribution : ndarray of shape (B,)
        Statistic of each resample, in the order in which the seed gives them; read-only.
    name : str
        Name of the statistic, such as "the unbiased MMD²".
    kernel : Kernel or tuple of Kernel
        The kernel, or the kernels.
    n : int
        Size of the first sample, or the number of pairs or of what `counted` names.
    m : int or None, default None
        Size of the second sample, or None if n counts something else.
    tolerance : float, default 0.0
        Null values that are below the statistic by at most this are ties with it.
    resamples : str, default "permutations"
        Name of the resamples that make the null distribution.
    error : float or None, default None
        Distance of the statistic from that of the kernel itself if a low-rank kernel replaced it, else None.
    columns : tuple, default ()
        Names of the DataFrame columns that the kernel compares; a tuple of them for each of several kernels.
    seed : int or None, default None
        Integer rng of the resamples; None for a Generator or fresh entropy.
    approximation : str or None, default None
        Name of what replaced the kernel, such as "features of rank 100"; None is the kernel itself.
    counted : str or None, default None
        "points" if n counts those of one sample, "rows" if it counts rows of more than two variables, else None.
    pvalue : float
        (1 + #{null >= statistic}) / (1 + B), ties counted, see `pvalue`.

    Raises
    ------
    Refusal
        If the null distribution is empty or a value is nan.

    Examples
    --------
    >>> from explorer import Gaussian, TestResult
    >>> result = TestResult(3.0, [1.0, 2.0, 3.0, 4.0], "a statistic", Gaussian(1.0), n=10)
    >>> result.pvalue
    0.6
    >>> print(result)
    A statistic is 3 with p = 0.6, under a Gaussian kernel of bandwidth 1, for n = 10 pairs against 4 permutations.
    """

    __test__ = False  # pytest must not collect this class as a test

    statistic: float
    null_distribution: np.ndarray
    name: str
    kernel: Kernel | tuple[Kernel, ...]
    n: int
    m: int | None = None
    tolerance: float = 0.0
    resamples: str = "permutations"
    error: float | None = None
    columns: tuple[Any, ...] = ()
    seed: int | None = None
    approximation: str | None = None
    counted: str | None = None
    pvalue: float = field(init=False)

    def __post_init__(self) -> None:
        null = checks.read_only(np.asarray(self.null_distribution, dtype=np.float64))
        if null.ndim != 1 or not len(null):
            raise Refusal(f"the null distribution has shape {null.shape}; give (B,) values, at least one.")
        if np.isnan(null).any() or np.isnan(self.statistic):
            raise Refusal(
                f"{self.name} is not a number on this sample or a resample of it, so nothing can be compared."
            )
        object.__setattr__(self, "statistic", float(self.statistic))
        object.__setattr__(self, "null_distribution", null)
        object.__setattr__(self, "pvalue", float(pvalue(null, self.statistic, self.tolerance)))

    def threshold(self, level: float) -> float:
        """Return the value that the statistic must exceed for p <= level.

        It is the c-th largest null value plus the tolerance for ties, for the largest c with c / (1 + B) <= level.

        Parameters
        ----------
        level : float
            Level of the test, 0 < level < 1.

        Returns
        -------
        float
            The threshold, or inf if B is too small for any p <= level.
        """
        checked_level(level)
        total = len(self.null_distribution) + 1
        # In floats 0.29 * 100 is below 29, while 29 / 100 <= 0.29. The division decides, as it does for the p-value.
        c = max((c for c in range(int(level * total) - 1, int(level * total) + 2) if c / total <= level), default=0)
        return float(np.sort(self.null_distribution)[-c]) + self.tolerance if c > 0 else np.inf

    @property
    def reaching(self) -> np.ndarray:
        """Mask of the resamples that reach the statistic, shape (B,). Ties count."""
        return self.null_distribution + self.tolerance >= self.statistic

    @property
    def scale(self) -> tuple[float, float]:
        """Mean and standard deviation of the null distribution, or (mean, 1) if its values differ by rounding alone."""
        mean, spread = float(self.null_distribution.mean()), float(self.null_distribution.std())
        return mean, spread if spread > 1e-12 * abs(mean) else 1.0

    @property
    def standardised(self) -> float:
        """Distance of the statistic from the mean of the resamples, in their standard deviations."""
        mean, spread = self.scale
        return (self.statistic - mean) / spread

    def _picture(self):
        return inline_pictures.null(self, str(self))

    def __str__(self) -> str:
        return self.sentence(self._under())

    def _under(self):
        """Return the kernels in words."""
        if not isinstance(self.kernel, tuple):
            return in_prose(self.kernel, self.columns)
        if len(self.kernel) > 2:
            first, last = in_prose(self.kernel[0]), in_prose(self.kernel[-1], self.columns)
            return f"{len(self.kernel)} kernels from {first} to {last}"
        each = self.columns if self.columns and isinstance(self.columns[0], tuple) else (self.columns,) * 2
        return " and ".join(map(in_prose, self.kernel, each))

    def sentence(self, under: str) -> str:
        """Return the result as a sentence.

        Parameters
        ----------
        under : str
            Name of the kernels, such as "a Gaussian kernel over weight and height".

        Returns
        -------
        str
            The sentence.
        """
        sizes = f"n = {self.n} {self.counted or 'pairs'}" if self.m is None else f"n = {self.n} and m = {self.m}"
        return (
            f"{self.name[:1].upper()}{self.name[1:]} is {self.statistic:.4g} with p = {self.pvalue:.3g}, under {under},"
            f" for {sizes} against {len(self.null_distribution)} {self.resamples}.{self._caveat()}"
        )

    def _caveat(self):
        if not self.error:
            return ""
        return f" Under a low-rank approximation of the kernel, the statistic is off by some {self.error:.2g} at most."
