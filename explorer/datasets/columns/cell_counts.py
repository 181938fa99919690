"""Counts of a numeric column's cells that are not plain numbers: words, flags, limits and clock values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, TypeVar

from .durations import LENGTHS, ClockValues

K = TypeVar("K", str, float)
NONE: dict[str, int] = {}
NO_WORDS: dict[str, str] = {}
NO_LIMITS: dict[float, int] = {}
BELOW = frozenset(  # words for an unknown value or one below the limit of detection, without the characters of IGNORED
    "nd bdl bld blod bloq blq bql lod loq <lod <loq <mdl <dl <rl <mrl <pql <lloq <lld <bg <ng <nwg <bgr nn nnb nnw udn"
    " notdetected nondetect nondetected nondetectable notdetectable undetected undetectable belowdetection"
    " belowdetectionlimit belowlod belowloq belowlimit belowlimitofdetection belowlimitofquantification"
    " belowreportinglimit nichtnachweisbar nichtnachgewiesen nichtbestimmbar unternachweisgrenze"
    " unterdernachweisgrenze unterbestimmungsgrenze unterderbestimmungsgrenze nondétecté nondetecte"
    " nodetectado nodetectable nonrilevato trace traces tr spur spuren tracce trazas nb ka nichtbestimmt nichtgemessen"
    " keineangabe keinedaten notdetermined notmeasured notavailable notapplicable notreported nodata".split()
)
LONGEST = 40  # most characters of such a word
IGNORED = str.maketrans("", "", " .-_\u00a0()")  # removed before a word is compared with those of BELOW


class CellCounts(NamedTuple):
    """Counts of the cells of a numeric column that are not plain numbers.

    The operator ``|`` adds the counts of two parts of one column.

    Attributes
    ----------
    words : mapping of str to int
        Number of cells of each word that is taken as missing. Words that are missing values in any column are not
        counted.
    flags : mapping of str to int
        Number of numbers that each flag stands next to.
    lower : mapping of float to int
        Number of cells that only say that their value lies below a limit, by limit.
    upper : mapping of float to int
        Number of cells that only say that their value lies above a limit, by limit.
    clock : ClockValues
        The cells a:b for which nothing says what a and b are.
    reading : str
        What a:b was read as, because of other notations in the column.
    renamed : str
        Name of the column in its own file, if it is another one.
    respelled : mapping of str to str
        For words of the column's own file, the spelling that is used for all files.
    read_as : str
        What the column's words were read as, if another table has numbers instead.
    sizes : mapping of str to int
        Number of numbers that were multiplied for each of k, M and the like. The column's other numbers had none.
    ambiguous : str
        A number such as 1.250 if the column's numbers may be 1.25 or 1250; "" if that is known.
    grouped : str
        How such a number was read, and why.
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
        """Return the counts of two parts of one column."""
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
        """True if the numbers are durations."""
        return bool(self.clock.n or self.reading)

    @property
    def n_limits(self) -> int:
        """Number of cells that give only a limit of their value, such as <0.5."""
        return sum(self.lower.values()) + sum(self.upper.values())


NOTHING = CellCounts()
DURATIONS = CellCounts(reading=LENGTHS)  # for a column whose file says that it holds durations


def is_below(cell: str) -> bool:
    """Return whether a cell is a word such as ND: the value is unknown or below the limit of detection."""
    if cell[-1:].isdigit() or cell[:1].isdigit() or len(cell) > LONGEST:  # decides most cells at once
        return False
    return cell.lower().translate(IGNORED) in BELOW


def _sum_counts(one: Mapping[K, int], other: Mapping[K, int]) -> Mapping[K, int]:
    return {key: one.get(key, 0) + other.get(key, 0) for key in (*one, *(key for key in other if key not in one))}
