"""Synthetic strings that look like splice junctions, for tests and for pages without a file.

No such string was ever read.
"""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.datasets.strings import StringSet
from explorer.rng import stream

LETTERS, AROUND = np.array(list("ACGT")), 30
EXON, INTRON, NEITHER = (25, 27, 28, 20), (20, 22, 32, 26), (25, 25, 25, 25)  # percent of A, C, G, T
PYRIMIDINES = (9, 38, 11, 42)  # percent at an intron's end, where C and T are frequent
# percent at each position, rounded from the consensus: ..AG|GTRAGT.. where an intron begins, ..YAG|G.. where it ends
DONOR = (
    (32, 38, 17, 13),
    (58, 14, 15, 13),
    (8, 3, 82, 7),
    (0, 0, 100, 0),
    (0, 0, 0, 100),
    (50, 2, 46, 2),
    (72, 9, 13, 6),
    (5, 5, 85, 5),
    (16, 16, 22, 46),
)
ACCEPTOR = ((24, 31, 25, 20), (3, 78, 1, 18), (100, 0, 0, 0), (0, 0, 100, 0), (27, 14, 48, 11))


def splice_like(n: int = 400, rng: int = 0) -> StringSet:
    """Draw n synthetic strings of each class of splice junctions, 60 independent letters around a junction.

    The classes are

    - "EI": an exon's 27 letters, the nine of DONOR around the junction, an intron's 24.
    - "IE": an intron's 8 letters, 18 of PYRIMIDINES, the five of ACCEPTOR around the junction, an exon's 29.
    - "N": 60 equally likely letters.

    With an int `rng` each class has a stream of its own, so a larger n only appends strings.

    Parameters
    ----------
    n : int, default 400
        Number of strings of each class, at least 1.
    rng : int, default 0
        Seed of the draws.

    Returns
    -------
    StringSet
        The 3n strings with their classes as the target.

    Examples
    --------
    >>> from explorer.datasets import splice_like
    >>> strings = splice_like(2, rng=0)
    >>> strings.target.tolist(), strings.longest, strings.alphabet
    (['EI', 'EI', 'IE', 'IE', 'N', 'N'], 60, 'ACGT')
    >>> {str(read[30:32]) for read in splice_like(200, rng=0).only("EI").X}
    {'GT'}
    """
    n = checks.whole(n, "n", 1)
    classes = {
        "EI": [EXON] * (AROUND - 3) + list(DONOR) + [INTRON] * (AROUND - 6),
        "IE": [INTRON] * 8 + [PYRIMIDINES] * 18 + list(ACCEPTOR) + [EXON] * (AROUND - 1),
        "N": [NEITHER] * (2 * AROUND),
    }
    X = [read for name, shares in classes.items() for read in _drawn(np.array(shares) / 100, n, stream(rng, name))]
    return StringSet(
        name="splice-like",
        X=np.array(X),
        names=tuple(f"{name}-{i}" for name in classes for i in range(1, n + 1)),
        target=np.repeat(list(classes), n),
        licence="CC0",
        source="explorer.datasets.toys.splice_like",
        note="Synthetic: drawn letter by letter from rounded frequencies around a junction; no read of any organism.",
    )


def _drawn(shares, n, generator):
    """Draw n strings whose letter t has the probabilities shares[t]."""
    places = (generator.random((n, len(shares), 1)) >= shares.cumsum(axis=1)[:, :-1]).sum(axis=2)
    return ["".join(LETTERS[row]) for row in places]
