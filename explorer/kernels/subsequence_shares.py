"""Which letters a value of the subsequence kernel comes from."""

from __future__ import annotations

import numpy as np

NONE = "\ue000"  # a letter of nobody's: Unicode keeps it free


def letter_shares(kernel, s, t, most=None):
    """What share of k(s, t) comes from subsequences that use each letter of s: (|s|,), and of t: (|t|,).

    The share of letter a is 1 - k(s', t) / k(s, t), unnormalised, where s' has at a a letter that t has not: what it
    took part in is gone, and every gap is as long as before. A subsequence of p letters counts for each of them, so the
    shares of s sum to p, and those of t too. All are 0 where k(s, t) is. most: only the first so many letters of each.
    """
    kernel = kernel.replace(normalized=False)
    return _shares(kernel, s, t, most), _shares(kernel, t, s, most)


def _shares(kernel, s, t, most):
    letters = range(len(s) if most is None else min(len(s), most))
    values = kernel([s, *(s[:a] + NONE + s[a + 1 :] for a in letters)], [t])[:, 0]
    if values[0] == 0:
        return np.zeros(len(letters))
    return np.clip(1 - values[1:] / values[0], 0.0, 1.0)  # rounding may leave -1e-16
