"""How often each letter stands at each place of some reads."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

import numpy as np

from explorer import checks
from explorer.kernels.subsequence.letters import codes, strings
from explorer.types import Labels

PLACES, LETTERS = 60, 6  # that are shown: the first places, and the most frequent letters
RARE = 0.01  # of all letters: what is rarer has no row


@dataclass(frozen=True)
class Profile:
    """letters, sorted, and how often each stands at each of the first places of two samples, (letters, places) each.

    A frequency is of the reads that reach so far.
    """

    letters: str
    first: np.ndarray
    second: np.ndarray

    def __post_init__(self) -> None:
        for name in ("first", "second"):
            object.__setattr__(self, name, checks.read_only(getattr(self, name)))

    @classmethod
    def of(cls, X: Labels, Y: Labels) -> Self:
        """Of two samples of strings; a second one without any has frequencies of 0."""
        sides = [codes(strings(side)) if len(side) else np.zeros((0, 1), dtype=np.uint32) for side in (X, Y)]
        letters, counts = np.unique(np.concatenate([side[side > 0] for side in sides]), return_counts=True)
        common = letters[(np.argsort(np.argsort(-counts, kind="stable")) < LETTERS) & (counts >= RARE * counts.sum())]
        length = min(PLACES, max(side.shape[1] for side in sides))
        first, second = (_frequencies(side[:, :length], common, length) for side in sides)
        return cls("".join(map(chr, common.tolist())), first, second)


def _frequencies(letters, common, length):
    """(letters, length) of the codes of strings (n, L), 0 beyond a string's end."""
    hits, reached = (letters == common[:, None, None]).sum(axis=1), (letters > 0).sum(axis=0)
    out = np.zeros((len(common), length))
    out[:, : letters.shape[1]] = hits / np.maximum(reached, 1)
    return out
