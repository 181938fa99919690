"""What stands in a column beside its plain numbers, and how often: words for missing values, flags, limits, clocks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from .durations import LENGTHS, ClockValues

K = TypeVar("K", str, float)
NONE: dict[str, int] = {}
NO_WORDS: dict[str, str] = {}
NO_LIMITS: dict[float, int] = {}
BELOW = frozenset(  # words for a value below the limit of detection or not known, without blanks, points and hyphens
    "nd bdl bld blod bloq blq bql lod loq <lod <loq <mdl <dl <rl <mrl <pql <lloq <lld <bg <ng <nwg <bgr nn nnb nnw udn"
    " notdetected nondetect nondetected nondetectable notdetectable undetected undetectable belowdetection"
    " belowdetectionlimit belowlod belowloq belowlimit belowlimitofdetection belowlimitofquantification"
    " belowreportinglimit nichtnachweisbar nichtnachgewiesen nichtbestimmbar unternachweisgrenze"
    " unterdernachweisgrenze unterbestimmungsgrenze unterderbestimmungsgrenze nondétecté nondetecte"
    " nodetectado nodetectable nonrilevato trace traces tr spur spuren tracce trazas nb ka nichtbestimmt nichtgemessen"
    " keineangabe keinedaten notdetermined notmeasured notavailable notapplicable notreported nodata".split()
)
LONGEST = 40  # letters of such a word
IGNORED = str.maketrans("", "", " .-_\u00a0()")


class CellCounts(NamedTuple):
    """What stands beside the plain numbers of a column.

    words   word -> how many cells of it are taken as missing, beside those that are missing in any column
    flags   flag -> how many numbers it stands at
    lower, upper  limit -> how many cells only say that their value lies below, or above it
    clock   the cells a:b of which nothing says what a and b are; reading: what a:b was read as beside other forms
    renamed the name of the column in its own file, if it is another one
    respelled  word of its own file -> the spelling that stands for it in all files
    read_as what its words were read as, if another table has numbers in their place
    sizes   k, M and the like -> how many numbers were multiplied for it; other numbers of the column had none
    either  a number such as 1.250 of a column that may be 1.25 or 1250, "" if that is known; grouped  what says so
    """

    words: Mapping[str, int] = NONE
    flags: Mapping[str, int] = NONE
    lower: Mapping[float, int] = NO_LIMITS
    upper: Mapping[float, int] = NO_LIMITS
    clock: ClockValues = ClockValues()
    reading: str = ""
    renamed: str = ""
    respelled: Mapping[str, str] = NO_WORDS
    read_as: str = ""
    sizes: Mapping[str, int] = NONE
    ambiguous: str = ""
    grouped: str = ""

    def __or__(self, other: CellCounts) -> CellCounts:
        """Return what stands beside the numbers of two parts of one column."""
        if other is NOTHING:
            return self
        return CellCounts(
            _sum_counts(self.words, other.words),
            _sum_counts(self.flags, other.flags),
            _sum_counts(self.lower, other.lower),
            _sum_counts(self.upper, other.upper),
            self.clock | other.clock,
            self.reading or other.reading,
            self.renamed or other.renamed,
            {**self.respelled, **other.respelled},
            self.read_as or other.read_as,
            _sum_counts(self.sizes, other.sizes),
            self.ambiguous or other.ambiguous,
            self.grouped or other.grouped,
        )

    @property
    def are_durations(self) -> bool:
        """Whether the numbers are lengths of time."""
        return bool(self.clock.n or self.reading)

    @property
    def n_limits(self) -> int:
        """How many cells are limits."""
        return sum(self.lower.values()) + sum(self.upper.values())


NOTHING = CellCounts()
DURATIONS = CellCounts(reading=LENGTHS)  # of a column whose file itself says that it holds lengths of time


def is_below(cell: str) -> bool:
    """Return whether a cell is a word for a value below the limit of detection, or unknown, as ND and no data."""
    if cell[-1:].isdigit() or cell[:1].isdigit() or len(cell) > LONGEST:  # most cells, seen sooner
        return False
    return cell.lower().translate(IGNORED) in BELOW


def _sum_counts(one: Mapping[K, int], other: Mapping[K, int]) -> Mapping[K, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in (*one, *(key for key in other if key not in one))}
