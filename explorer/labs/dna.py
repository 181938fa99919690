"""The DNA lab: two samples of strings, told apart by the subsequences they share."""

from __future__ import annotations

from functools import partial

import param

from explorer.checks import Refusal
from explorer.datasets import SPOILS
from explorer.discrepancy import MONK_METHODS
from explorer.kernels import Subsequence
from explorer.model import Odd, Whole
from explorer.printing import shown

from .base import Lab, copied
from .dna_compute import compute, rates_key, repeat
from .dna_pairs import FIRST, pair_of
from .dna_sources import CLASSES, COMPARISONS, SOURCES, groups

QUICK = 1.2e7  # additions of the features, up to which a Gram matrix takes a frame or two
QUICK_READS = 120  # per sample: up to here both tests take a frame or two


class DnaLab(Lab):
    """n reads of each of two classes, the subsequence kernel, and two tests of whether one law lies behind both.

    `compare` may take both samples from one class, without a read in common: then there is nothing to find. Spoiled
    reads replace the last of the second sample. The plain test is the permutation test by the unbiased MMD^2, the other
    MONK's with Q blocks, which swaps pairs.
    """

    aside = ("samples", "picture", "pair")
    source = param.Selector(default="synthetic", objects=list(SOURCES), doc="where the reads come from")
    classes = param.Selector(default=CLASSES[0], objects=list(CLASSES), doc="which two classes; a file has its own")
    compare = param.Selector(default=COMPARISONS[0], objects=list(COMPARISONS), doc="what is compared with what")
    n = Whole(50, bounds=(2, 700), softbounds=(10, 200), symbol="n", doc="reads in each sample")
    length = copied(Subsequence, "length", bounds=(1, 6), softbounds=(1, 6))
    decay = copied(Subsequence, "decay", softbounds=(0.1, 1), step=0.05)
    normalized = copied(Subsequence, "normalized")
    spoiled = Whole(
        0, bounds=(0, 350), softbounds=(0, 20), symbol="spoiled", doc="reads of the second sample that are spoiled"
    )
    kind = param.Selector(default=SPOILS[0], objects=list(SPOILS), doc="what a spoiled read looks like")
    longer = Whole(
        10, bounds=(1, 20), softbounds=(1, 20), symbol="longer", unit="×", doc="length of a spoiled read, in reads"
    )
    blocks = Odd(11, bounds=(1, 349), softbounds=(1, 49), symbol="Q", doc="blocks of MONK")
    method = param.Selector(default="direction", objects=list(MONK_METHODS), doc="how MONK finds its witness")
    shuffles = Whole(
        199, bounds=(19, 2000), softbounds=(20, 500), symbol="shuffles", doc="permutations of the plain test"
    )
    flips = Whole(99, bounds=(19, 1000), softbounds=(20, 500), symbol="flips", doc="sign flips of MONK's test")
    level = param.Selector(default="0.05", objects=["0.01", "0.05", "0.10"], doc="level of both tests")
    pair = param.String(default=FIRST, doc="the pair of reads that is shown letter by letter, such as X1 Y2")
    seed = Whole(1, bounds=(0, 2**32 - 1), symbol="seed", doc="of the draw of reads; one seed is one pair of samples")
    samples = Whole(0, bounds=(0, 1000), doc="further draws of reads, for the rates of both tests")
    picture = param.Selector(
        default="centred", objects=["centred", "plain"], doc="whether the Gram matrix is drawn centred"
    )
    file = param.String(default="", doc="the name of your own file; the reads stay in the session")
    second_file = param.String(default="", doc="the name of your second file, where each holds one class")
    rows = Whole(0, bounds=(0, None), doc="reads of your own files")
    hash = param.String(default="", doc="SHA-256 of your own files")
    groups = param.String(default="", doc="the two classes taken of your own file, a JSON list")

    def __init__(self, *args, **kwargs):
        self.reads = None  # the session's own StringSet
        super().__init__(*args, **kwargs)

    def move(self, **changes):
        """The same; a pair that a smaller sample lacks gives way to the first of each."""
        n = changes.get("n", self.n)
        gone = "pair" not in changes and max(place for _, place in pair_of(self.pair)) > n
        super().move(**({"pair": FIRST} if gone else {}), **changes)

    def _check(self):
        groups(self.groups)
        last = max(place for _, place in pair_of(self.pair))
        if last > self.n:
            raise Refusal(
                f"pair is {shown(self.pair)}, and each sample has {self.n} reads; name places from 1 to {self.n}."
            )
        if self.spoiled > self.n:
            raise Refusal(f"{self.spoiled} spoiled reads need n of at least {self.spoiled}, and n is {self.n}.")
        if self.blocks > self.n:
            raise Refusal(
                f"Q is {self.blocks}, and n is {self.n}: a block needs a pair of reads; take Q of at most {self.n}."
            )
        if self.samples > 200 and self.n > QUICK_READS:
            raise Refusal(
                f"{self.samples} further draws of {self.n} reads take too long; take at most 200 or n of at most "
                f"{QUICK_READS}."
            )

    @property
    def quick(self):
        """Whether a result takes a frame or two."""
        letters, longest = (
            (4, 60) if self.source != "file" or self.reads is None else (len(self.reads.alphabet), self.reads.longest)
        )
        additions = (2 * self.n + self.spoiled * self.longer) * longest * letters ** (self.length - 1)
        return additions <= QUICK and self.n <= QUICK_READS and self.method == "direction"

    def task(self):
        """A function that computes this state's DnaResult."""
        return partial(compute, self.snapshot, self.reads, self._cache)

    def more(self):
        """How often each test rejects in further draws of reads, of the seeds that follow.

        None where none are asked for.
        """
        if self.samples == 0:
            return None
        return rates_key(self), partial(repeat, self.snapshot, self.reads)
