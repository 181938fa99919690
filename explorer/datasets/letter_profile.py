"""Letter frequencies at each position of some reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from explorer import checks
from explorer.kernels.subsequence.letters import codes, strings
from explorer.types import Labels

PLACES, LETTERS = 60, 6  # largest numbers of positions and of letters in a profile
RARE = 0.01  # smallest share of all letters with which a letter has a row


@dataclass(frozen=True)
class Profile:
    """Frequencies of the most frequent letters at the first positions of two samples of strings.

    A frequency refers to the reads that are long enough to have this position.

    Attributes
    ----------
    letters : str
        The letters, sorted.
    first, second : ndarray of shape (letters, positions)
        The frequencies in each sample.
    """

    letters: str
    first: np.ndarray
    second: np.ndarray

    def __post_init__(self) -> None:
        for name in ("first", "second"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    @classmethod
    def of(cls, X: Labels, Y: Labels) -> Self:
        """Compute the profile of two samples of strings.

        Parameters
        ----------
        X : array_like of str of shape (n,)
            The first sample.
        Y : array_like of str of shape (m,)
            The second sample. If it is empty, its frequencies are 0.

        Returns
        -------
        Profile
            The frequencies.
        """
        sides = [codes(strings(side)) if len(side) else np.zeros((0, 1), dtype=np.uint32) for side in (X, Y)]
        letters, counts = np.unique(np.concatenate([side[side > 0] for side in sides]), return_counts=True)
        common = letters[(np.argsort(np.argsort(-counts, kind="stable")) < LETTERS) & (counts >= RARE * counts.sum())]
        length = min(PLACES, max(side.shape[1] for side in sides))
        first, second = (_frequencies(side[:, :length], common, length) for side in sides)
        return cls("".join(map(chr, common.tolist())), first, second)


def _frequencies(letters, common, length):
    """Return the frequencies (letters, length) of the codes of strings (n, L), 0 beyond the end of all strings."""
    hits, reached = (letters == common[:, None, None]).sum(axis=1), (letters > 0).sum(axis=0)
    out = np.zeros((len(common), length))
    out[:, : letters.shape[1]] = hits / np.maximum(reached, 1)
    return out
