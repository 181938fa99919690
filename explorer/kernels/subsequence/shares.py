"""Shares of two strings' letters in a value of the subsequence kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.types import Matrix, Vector

from .letters import codes, strings

if TYPE_CHECKING:
    from .kernel import Subsequence


NONE = "\ue000"  # a letter that no string has: Unicode reserves it for private use
PAIRS = 500_000  # largest number of pairs of letters whose tables are kept in memory


def letter_shares(kernel: Subsequence, s: str, t: str, most: int | None = None) -> tuple[Vector, Vector]:
    """Compute the share of k(s, t) that comes from subsequences that use each letter of s, and of t.

    A subsequence of p letters counts for each of them, so the shares of s sum to p, and those of t too. All are 0 if
    k(s, t) is.

    Parameters
    ----------
    kernel : Subsequence
        The kernel.
    s, t : str
        The strings.
    most : int or None, default None
        Number of letters of each, from the first, whose shares are returned; None stands for all.

    Returns
    -------
    of_s, of_t : ndarray
        The shares, one for each letter.

    Examples
    --------
    >>> from explorer import Subsequence
    >>> from explorer.kernels.subsequence import letter_shares
    >>> of_s, of_t = letter_shares(Subsequence(2, 0.5), "ACT", "AT")
    >>> of_s.round(2).tolist(), of_t.round(2).tolist()
    ([1.0, 0.0, 1.0], [1.0, 1.0])
    """
    if len(s) * len(t) <= PAIRS:
        through = _through(s, t, kernel.length, kernel.decay)
        total = through.sum() / kernel.length
        through = through / (total if total > 0 else 1.0)
        return through.sum(axis=1)[:most], through.sum(axis=0)[:most]
    kernel = kernel.replace(normalized=False)
    return _by_leaving_out(kernel, s, t, most), _by_leaving_out(kernel, t, s, most)


def _through(s: str, t: str, p: int, decay: float) -> Matrix:
    """Compute the part of Σ_u Σ_i Σ_j λ^(gaps) that has s_a matched with t_b as one of its p letters, (|s|, |t|).

    F_1 = [s_a = t_b]; F_r = F_1 times the sum of λ^(gaps) F_{r-1} over earlier a and b counts what ends there with the
    r-th letter. The sums over later a and b count what continues from there.
    """
    match = (codes(strings([s])).T == codes(strings([t]))).astype(np.float64)[: len(s), : len(t)]
    ending, going_on = [match], [match]
    for _ in range(p - 1):
        ending.append(match * _earlier(_earlier(ending[-1], decay).T, decay).T)
        going_on.append(match * _earlier(_earlier(going_on[-1][::-1, ::-1], decay).T, decay).T[::-1, ::-1])
    parts = (before * after for before, after in zip(ending, reversed(going_on), strict=True))
    return sum(parts, np.zeros(match.shape))


def _earlier(F, decay):
    """Compute Σ_{b < a} λ^(a - b - 1) F_b for each row a of F."""
    sums = np.zeros(F.shape)
    for a in range(1, len(F)):
        np.multiply(sums[a - 1], decay, out=sums[a])
        sums[a] += F[a - 1]
    return sums


def _by_leaving_out(kernel, s, t, most):
    """Compute 1 - k(s', t) / k(s, t), where one letter of s' is replaced by one that t lacks.

    So its gaps are as long as before.
    """
    letters = range(len(s) if most is None else min(len(s), most))
    values = kernel([s, *(s[:a] + NONE + s[a + 1 :] for a in letters)], [t])[:, 0]
    if values[0] == 0:
        return np.zeros(len(letters))
    return np.clip(1 - values[1:] / values[0], 0.0, 1.0)  # rounding may leave -1e-16
