"""The subsequence kernel: strings are alike that share subsequences, with or without gaps."""

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

GIGABYTES = 1  # the largest array of features


class Subsequence(Kernel):
    """k(s, t) = Σ_u Σ_{i: s[i] = u} Σ_{j: t[j] = u} λ^(l(i) + l(j)) over all strings u of exactly p letters.

    i runs through the places i_1 < ... < i_p at which s spells u, l(i) = i_p - i_1 + 1 letters from the first to the
    last, the gaps included. Lodhi et al. 2002, J. Mach. Learn. Res. 2, 419, definition 1: K_p; for p = 2, k(car, cat) =
    λ^4 and k(car, car) = 2 λ^4 + λ^6. With normalized=True, k(s, t) / sqrt(k(s, s) k(t, t)), and 0 where a string is
    shorter than p.

    Points are strings: a list, an array of text or of objects, (n,) or (n, 1). A letter is a Unicode character,
    capitals and small letters differ, and none stands for another: an N in a DNA string equals another N and no A.

    Exact, and as fast as the alphabet allows: explicit features where letters are few, `features`, O(n L a^(p-1)) for n
    strings of L of a letters, else the dynamic programme, O(L^2 p) a pair, in bounded memory beside the Gram matrix.

    Bounded by 1 where normalized, else not: long strings have large values. Not characteristic: the features count
    strings of p letters alone, so all strings shorter than p embed as 0, and among longer ones of one length, of which
    there are more than features, some distributions embed alike. Not universal, for the same reason: no function of its
    RKHS distinguishes those.

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
        """With |s| the number of letters: k(s, s) is O(|s|^2), and O(|s|^(2p)) where no gap is a loss.

        0 where normalized.
        """
        return 0 if self.normalized else 2 if self.decay < 1 else 2 * self.length

    def points(self, X: PointsLike, name: str = "X", at_least: int = 1) -> Labels:
        """Strings as an (n, 1) array of text, checked."""
        return strings(X, name, at_least)

    def pairs(self, X: Points, Y: Points | None = None) -> Matrix:
        """The Gram matrix itself, (n, m), of this length and decay: another decay changes every step of the way to it.

        Unlike a squared distance it serves no other parameters; keep it under this kernel's key.
        """
        with np.errstate(over="ignore", invalid="ignore"):
            K = gap_weighted(X, Y, self.length, self.decay)
            if not self.normalized:
                K *= self.decay ** (2 * self.length)
                return self._finite(K)
            left = self._sizes(np.diag(K) if Y is None else self_weighted(X, self.length, self.decay))
            right = left if Y is None else self._sizes(self_weighted(Y, self.length, self.decay))
        for row, size in zip(K, left, strict=True):
            row /= size * right  # one factor, so that K stays symmetric to the bit
        return np.minimum(K, 1.0, out=K)  # Cauchy and Schwarz, where rounding would leave 1 + 1e-16

    def of_pairs(self, S: Matrix) -> Matrix:
        """The Gram matrix (n, m) from `pairs`, which is one already."""
        return S

    def diagonal(self, X: PointsLike) -> Vector:
        X = self.points(X)
        if self.normalized:
            return (np.char.str_len(X[:, 0]) >= self.length).astype(np.float64)
        with np.errstate(over="ignore", invalid="ignore"):
            return self._finite(self.decay ** (2 * self.length) * self_weighted(X, self.length, self.decay))

    def features(self, X: PointsLike, alphabet: str | Sequence[str] | None = None) -> Matrix:
        """ψ(s), (n, a^p), whose inner products are this kernel: features(X) @ features(X).T = k(X).

        ψ_u(s) = Σ_{i: s[i] = u} λ^(l(i)), over its norm where normalized; columns are the strings u of p letters in the
        order of itertools.product(alphabet, repeat=p). alphabet: a string or a list of the a letters, None for the
        sorted letters of X. Give the same to two samples that meet.
        Raises ValueError for letters that the alphabet lacks or repeats, and for more than a gigabyte of features.
        """
        X = self.points(X)
        letters = _letters(alphabet, X)
        a, p = len(letters), self.length
        # a^p in logarithms first: a length of a million letters is no number to compute
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
        """The norms that features are divided by.

        1 for those that are 0, since a string shorter than p has no direction.
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
    """The letters of an alphabet that has all of those of X."""
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
