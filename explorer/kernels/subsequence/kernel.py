"""Subsequence kernel: strings are similar if they share subsequences, with or without gaps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.kernels.base import Kernel
from explorer.parameters import Flag, Real, Whole
from explorer.types import Labels, Matrix, Points, PointsLike, Vector

from .features import features
from .gram import gap_weighted, self_weighted
from .letters import alphabet_of, positions, strings

GIGABYTES = 1  # size of the largest array of features


class Subsequence(Kernel):
    r"""Subsequence kernel of strings, of Lodhi et al. 2002.

    Use it for strings such as DNA, where common letters in the same order count although there are gaps. For words as
    categories use `Delta`.

    .. math:: k(s, t) = \sum_u \sum_{i: s[i] = u} \sum_{j: t[j] = u} \lambda^{l(i) + l(j)}

    u runs over all strings of exactly p letters, i over the positions i_1 < ... < i_p at which s spells u, and l(i) =
    i_p - i_1 + 1 is the number of letters from the first to the last, including the gaps.

    Parameters
    ----------
    length : int, default 3
        Number p of letters of a shared subsequence.
    decay : float, default 0.5
        The factor λ, above 0 and at most 1, for every letter from the first of a subsequence to its last; at 1 gaps
        cost nothing.
    normalized : bool, default True
        Whether the kernel is k(s, t) / sqrt(k(s, s) k(t, t)), and 0 if a string is shorter than p. Then long strings do
        not outweigh short ones.

    Notes
    -----
    Lodhi et al. 2002, J. Mach. Learn. Res. 2, 419, definition 1: K_p; for p = 2, k(car, cat) = λ^4 and k(car, car) = 2
    λ^4 + λ^6.

    Points are strings: a list, an array of text or of objects, (n,) or (n, 1). A letter is a Unicode character.
    Capitals and small letters differ, and no letter matches another: an N in a DNA string equals another N but not an
    A.

    The result is exact, and as fast as the alphabet allows. If letters are few, explicit `features` take O(n L a^(p-1))
    for n strings of L letters out of a. Otherwise the dynamic programme takes O(L^2 p) for a pair, in bounded memory
    apart from the Gram matrix.

    Bounded by 1 if normalized, otherwise not bounded: long strings have large values. Not characteristic: the features
    count only strings of p letters. So all strings shorter than p embed as 0; and there are more strings of one longer
    length than features, so some distributions on them have the same embedding. Not universal, for the same reason: no
    function of its RKHS distinguishes those.

    Examples
    --------
    >>> from explorer import Subsequence
    >>> Subsequence(length=2)(["cat", "car", "dog"]).round(4)
    array([[1.    , 0.4444, 0.    ],
           [0.4444, 1.    , 0.    ],
           [0.    , 0.    , 1.    ]])
    """

    characteristic = universal = False
    text = True
    space = "strings"
    length: int = Whole(
        default=3,
        bounds=(1, None),
        softbounds=(1, 8),
        symbol="p",
        unit="letters",
        doc="letters of a shared subsequence",
    )
    decay: float = Real(
        default=0.5,
        bounds=(0, 1),
        inclusive_bounds=(False, True),
        softbounds=(0.05, 1),
        symbol="λ",
        doc="the factor for every letter from the first of a subsequence to its last; 1 counts gaps as nothing",
    )
    normalized: bool = Flag(default=True, doc="whether k(s, s) = 1, so that long strings do not outweigh short ones")

    @property
    def bounded(self) -> bool:
        return self.normalized

    @property
    def growth(self) -> int:
        """The order of growth: 0 if normalized, else 2, or 2p if gaps cost nothing.

        With ``|s|`` the number of letters, k(s, s) is ``O(|s|^2)``, and ``O(|s|^(2p))`` if gaps cost nothing.
        """
        return 0 if self.normalized else 2 if self.decay < 1 else 2 * self.length

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Labels:
        """Check strings and return them as an (n, 1) array of text.

        Parameters
        ----------
        X : array_like of str
            Strings.
        name : str, default "X"
            Name of the argument in error messages.
        at_least : int, default 1
            Smallest number of strings.

        Returns
        -------
        ndarray of shape (n, 1)
            The strings.
        """
        return strings(X, name, at_least)

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        """Compute the Gram matrix itself, for this length and decay.

        Another decay changes every step of the computation. Unlike squared distances it serves no other parameters;
        cache it under this kernel's key.

        Parameters
        ----------
        X : ndarray of shape (n, 1)
            Strings.
        Y : ndarray of shape (m, 1) or None, default None
            Other strings; None stands for X.

        Returns
        -------
        ndarray of shape (n, m)
            The Gram matrix.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            K = gap_weighted(X, Y, self.length, self.decay)
            if not self.normalized:
                K *= self.decay ** (2 * self.length)
                return self._finite(K)
            left = self._sizes(np.diag(K) if Y is None else self_weighted(X, self.length, self.decay))
            right = left if Y is None else self._sizes(self_weighted(Y, self.length, self.decay))
        for row, size in zip(K, left, strict=True):
            row /= size * right  # dividing by one factor keeps K symmetric to the bit
        return np.minimum(K, 1.0, out=K)  # by Cauchy and Schwarz k <= 1, but rounding may leave 1 + 1e-16

    def of_pairs(self, S: Matrix) -> Matrix:
        """Return the Gram matrix from `pairs`, which is one already.

        Parameters
        ----------
        S : ndarray of shape (n, m)
            The result of `pairs`.

        Returns
        -------
        ndarray of shape (n, m)
            The same array.
        """
        return S

    def diagonal(self, X: PointsLike) -> Vector:
        X = self.points(X)
        if self.normalized:
            return (np.char.str_len(X[:, 0]) >= self.length).astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            return self._finite(self.decay ** (2 * self.length) * self_weighted(X, self.length, self.decay))

    def features(self, X: PointsLike, alphabet: str | Sequence[str] | None = None) -> Matrix:
        """Compute the features ψ(s), whose inner products are this kernel: features(X) @ features(X).T = k(X).

        Parameters
        ----------
        X : array_like of str
            The n strings.
        alphabet : str or sequence of str, default None
            The a letters. None stands for the sorted letters of X. Pass the same alphabet for two samples that are
            compared.

        Returns
        -------
        ndarray of shape (n, a^p)
            The features ψ_u(s) = Σ_{i: s[i] = u} λ^(l(i)), divided by their norm if normalized. Columns are the strings
            u of p letters in the order of itertools.product(alphabet, repeat=p).

        Raises
        ------
        ValueError
            If the alphabet lacks a letter of X or repeats one, or if the features take more than a gigabyte.
        """
        X = self.points(X)
        letters = _letters(alphabet, X)
        a, p = len(letters), self.length
        # a^p is compared in logarithms first: a length of a million letters would take too long
        if p * np.log(max(a, 1)) > 60 or 8 * len(X) * a**p > GIGABYTES * 1e9:
            raise Refusal(
                f"{len(X)} strings have {a}^{p} features each, which take more than {GIGABYTES} GB; take a smaller"
                " length or fewer letters, or the Gram matrix k(X), which needs no features."
            )
        with np.errstate(over="ignore", invalid="ignore"):
            F = features(positions(X, letters), a, p, self.decay)
            if not self.normalized:
                return self._finite(self.decay**p * F)
            return F / self._sizes(np.einsum("ij,ij->i", F, F))[:, None]

    def _sizes(self, squares):
        """Return the norms that features are divided by.

        A norm of 0 becomes 1, since a string shorter than p has no direction.
        """
        return np.sqrt(np.where(squares > 0, self._finite(squares), 1.0))

    def _finite(self, values):
        if not np.isfinite(values).all():
            raise checks.Refusal(
                f"the strings are too long for {self!r}: they share more than 1e308 subsequences; take a smaller length"
                " or decay, or shorter strings."
            )
        return values


def _letters(alphabet: Any, X: Points) -> list[str]:
    """Return the letters of an alphabet, which has to contain all those of X."""
    present = alphabet_of(X)
    if alphabet is None:
        letters = list(present)
    else:
        letters = list(alphabet) if isinstance(alphabet, (str, list, tuple)) else [alphabet]
    single = all(isinstance(letter, str) and len(letter) == 1 and letter != "\0" for letter in letters)
    if not single or len(set(letters)) < len(letters):
        raise Refusal(f"alphabet must be letters, each once, as in 'ACGT', not {checks.echo(alphabet)}.")
    lacking = sorted(set(present) - set(letters))
    if lacking:
        raise Refusal(
            f"X has letters that the alphabet {checks.echo(''.join(letters))} lacks,"
            f" {checks.join_list(map(repr, lacking))}; add them, or leave out the strings that have them."
        )
    return letters
