"""State of the DNA lab: two samples of strings, a kernel, and two tests."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from explorer.checks import Refusal
from explorer.datasets import CONTAMINATIONS, contaminate_strings, load
from explorer.datasets.toys.splice_like import splice_like
from explorer.kernels import Subsequence
from explorer.parameters import Choice, Odd, Text, Whole
from explorer.printing import echo, short_name
from explorer.types import Labels, MonkMethod, Rows
from explorer.workbench import Lab, copied
from explorer.workbench.fields import samples_field, seed_field

if TYPE_CHECKING:
    from explorer.datasets.strings import StringSet


SOURCES = ("synthetic", "splice", "file")
CLASSES = ("EI/IE", "EI/N", "IE/N")
COMPARISONS = ("both classes", "first with itself", "second with itself")
FIRST = "X1 Y1"
PAIR = re.compile(r"([XY])([1-9]\d{0,8}) ([XY])([1-9]\d{0,8})")
MANY, REPEATED = 200, 120  # with more than REPEATED reads per sample, at most MANY more draws


def pair_of(text: str) -> tuple[tuple[str, int], tuple[str, int]]:
    """Parse the pair of reads in a link such as "X1 Y2" as ((sample, number), (sample, number)).

    Raises
    ------
    Refusal
        If the text does not name a pair.
    """
    match = PAIR.fullmatch(text)
    if match is None:
        raise Refusal("pair must be like 'X1 Y2', two reads by their numbers in the samples, not {!r}.", text[:40])
    one, number, other, its_number = match.groups()
    return (one, int(number)), (other, int(its_number))


def pair_at(row: int, column: int, n: int) -> str:
    """Return the pair of two rows of the pooled sample, with n reads per sample. Rows count from 0."""
    return " ".join(f"{'XY'[i // n]}{i % n + 1}" for i in (int(row), int(column)))


def rows_of(text: str, n: int) -> tuple[int, int]:
    """Return the two rows of the pooled sample that a pair names. Rows count from 0."""
    first, second = ("XY".index(sample) * n + number - 1 for sample, number in pair_of(text))
    return first, second


def groups(text: str) -> tuple[str, ...]:
    """Parse the two classes in a link, or return () if it names none.

    Raises
    ------
    Refusal
        If the text does not name two different classes.
    """
    names: Any = None
    with suppress(ValueError):
        names = json.loads(text) if text else []
    two = isinstance(names, list) and len(names) == 2 and all(isinstance(name, str) for name in names)
    if names != [] and not (two and names[0] != names[1]):
        raise Refusal('groups must be like ["EI", "IE"], two classes by name, not {!r}.', text[:60])
    return tuple(names)


class DnaLab(Lab):
    """n reads of each of two classes, the subsequence kernel, and two tests of equal distributions.

    `compare` can take both samples from one class, without a read in common. Then the distributions do not differ.
    Contaminated reads replace the last reads of the second sample. The plain test is the permutation test by the
    unbiased
    MMD². The other is MONK's test with Q blocks, which swaps pairs.
    """

    aside: ClassVar[tuple[str, ...]] = ("samples", "picture", "pair")
    chosen_anew: ClassVar[tuple[str, ...]] = ("source",)
    # old links call this field "spoiled"
    was: ClassVar[Mapping[str, str]] = {"spoiled": "contaminated"}
    source: str = Choice(
        default="synthetic",
        objects={"synthetic junctions": "synthetic", "UCI's junctions": "splice", "your reads": "file"},
        doc="source of the reads",
        label="reads",
    )
    classes: str = Choice(
        default=CLASSES[0],
        objects=list(CLASSES),
        doc="the two classes; a file has its own",
        label="classes",
        when=lambda result: result.lab.source != "file",
    )
    compare: str = Choice(
        default=COMPARISONS[0], objects=list(COMPARISONS), doc="the two samples that are compared", label="compare"
    )
    n: int = Whole(
        50, bounds=(2, 700), softbounds=(10, 200), symbol="n", doc="reads in each sample", label="n reads each"
    )
    length: int = copied(Subsequence, "length", bounds=(1, 6), softbounds=(1, 6), label="p letters")
    decay: float = copied(Subsequence, "decay", softbounds=(0.1, 1), step=0.05, label="decay")
    normalized: bool = copied(Subsequence, "normalized", label="normalised")
    contaminated: int = Whole(
        0,
        bounds=(0, 350),
        softbounds=(0, 20),
        symbol="contaminated",
        doc="contaminated reads of the second sample",
        label="contaminated reads",
    )
    kind: str = Choice(
        default=CONTAMINATIONS[0],
        objects=list(CONTAMINATIONS),
        doc="kind of a contaminated read",
        label="contaminated reads are",
    )
    longer: int = Whole(
        10,
        bounds=(1, 20),
        softbounds=(1, 20),
        symbol="longer",
        unit="×",
        doc="length of a contaminated read, as a multiple of a read's",
        label="length of a contaminated read, ×",
    )
    blocks: int = Odd(11, bounds=(1, 349), softbounds=(1, 49), symbol="Q", doc="blocks of MONK", label="Q blocks")
    method: MonkMethod = Choice(
        default="direction",
        objects={"best direction": "direction", "BCD": "bcd", "BCD-Fast": "bcd-fast"},
        doc="how MONK finds its witness",
        label="MONK's witness",
    )
    shuffles: int = Whole(
        199,
        bounds=(19, 2000),
        softbounds=(20, 500),
        symbol="permutations",
        doc="permutations of the plain test",
        label="permutations of the plain test",
    )
    flips: int = Whole(
        99,
        bounds=(19, 1000),
        softbounds=(20, 500),
        symbol="flips",
        doc="sign flips of MONK's test",
        label="flips of MONK's test",
    )
    level: str = Choice(default="0.05", objects=["0.01", "0.05", "0.10"], doc="level of both tests", label="level")
    pair: str = Text(default=FIRST, doc="the pair of reads that is shown letter by letter, such as X1 Y2")
    seed: int = seed_field(doc="seed of the draw of reads; one seed is one pair of samples")
    samples: int = samples_field("more draws of reads, for the rates of both tests")
    picture: str = Choice(
        default="centred", objects=["centred", "plain"], doc="whether the Gram matrix is drawn centred", label="picture"
    )
    file: str = Text(default="", doc="the name of your own file; the reads stay in the session")
    second_file: str = Text(default="", doc="the name of your second file, where each holds one class")
    rows: int = Whole(0, bounds=(0, None), doc="reads of your own files")
    hash: str = Text(default="", doc="SHA-256 of your own files")
    groups: str = Text(default="", doc="the two classes taken of your own file, a JSON list")

    def move(self, **changes: Any) -> None:
        """Change several fields at once. A pair outside the new samples is replaced by the first read of each."""
        n = changes.get("n", self.n)
        if "pair" not in changes and max(number for _, number in pair_of(self.pair)) > n:
            changes["pair"] = FIRST
        super().move(**changes)

    def _check(self):
        groups(self.groups)
        if max(number for _, number in pair_of(self.pair)) > self.n:
            raise Refusal(
                "pair is {}, but each sample has {} reads; use numbers from 1 to {}.",
                echo(self.pair),
                self.n,
                self.n,
            )
        if self.contaminated > self.n:
            count = self.contaminated
            raise Refusal("{} contaminated reads need n of at least {}, not {}.", count, count, self.n)
        if self.blocks > self.n:
            raise Refusal("Each block needs a pair of reads, so Q may be at most n = {}, not {}.", self.n, self.blocks)
        if self.samples > MANY and self.n > REPEATED:
            raise Refusal(
                "{} more draws of {} reads take too long; take at most {}, or n of at most {}.",
                self.samples,
                self.n,
                MANY,
                REPEATED,
            )

    @property
    def played(self) -> str:
        """The number of contaminated reads, which is what the lab's question is about."""
        return "contaminated"

    @property
    def labels(self) -> tuple[str, ...]:
        """The names of the two classes."""
        return groups(self.groups) if self.source == "file" else tuple(self.classes.split("/"))

    @property
    def compared_class(self) -> str | None:
        """The class of both samples, or None if each sample has its own class."""
        return None if self.compare == COMPARISONS[0] else self.labels[COMPARISONS.index(self.compare) - 1]

    @property
    def titles(self) -> tuple[str, str]:
        """The titles of the two samples."""
        one = self.compared_class
        if one is not None:
            return f"{short_name(one)}, half 1", f"{short_name(one)}, half 2"
        first, second = map(short_name, self.labels)
        return first, second

    def the_set(self) -> StringSet:
        """Return all strings of the source, with their classes.

        Raises
        ------
        Refusal
            If the source is not available: the session lacks the user's file, or the machine lacks the data set.
        """
        if self.source == "synthetic":
            return _synthetic()
        if self.source == "splice":
            return _splice()
        strings, asked = self.own, self.hash
        if strings is None or strings.hash != asked:
            name = f"the reads of {short_name(self.file)} ({self.rows} reads)" if self.file else "reads of your own"
            raise Refusal("This page shows {}, which stay with their owner: choose the file under Your data.", name)
        return strings

    def draw(self, strings: StringSet, seed: int) -> tuple[Labels, Labels]:
        """Draw the clean reads of both samples, two arrays (n,) of text. A larger n only appends reads."""
        one = self.compared_class
        if one is None:
            X, Y = (strings.only(label).sample(self.n, seed) for label in self.labels)
            return X, Y
        both = strings.only(one).sample(2 * self.n, seed)
        return both[0::2], both[1::2]

    def numbers(self, strings: StringSet, seed: int) -> tuple[Rows, Rows]:
        """Return the position in its file of each read that `draw` returns, from 1, as two arrays (n,).

        If each class has its own file, the files are counted separately.
        """
        one = self.compared_class

        def numbered(label, n):
            rows = np.flatnonzero(np.asarray(strings.target) == label)
            drawn = strings.only(label).drawn(n, seed)
            return 1 + (drawn if self.second_file else rows[drawn])

        if one is None:
            X, Y = (numbered(label, self.n) for label in self.labels)
            return X, Y
        both = numbered(one, 2 * self.n)
        return both[0::2], both[1::2]

    def with_contaminated(self, Y: Labels, seed: int) -> Labels:
        """Return the second sample with its contaminated reads."""
        return contaminate_strings(Y, self.contaminated, self.kind, self.longer, seed) if self.contaminated else Y


@cache
def _synthetic():
    """Return the synthetic junctions, generated once for all sessions."""
    return splice_like()


@cache
def _loaded(folder):
    """Return the splice junctions of a folder, read and checked once for all sessions."""
    return load("splice")


def _splice():
    try:
        return _loaded(os.environ.get("EXPLORER_DATA"))
    except OSError as error:
        raise Refusal(
            "The splice junctions of the UCI repository are not on this machine: set EXPLORER_DATA to a folder with "
            "splice.csv, or use the synthetic ones."
        ) from error
