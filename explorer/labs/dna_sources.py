"""Where the DNA lab's reads come from: a set of splice junctions, one that was made up, or files of one's own."""

from __future__ import annotations

import json

from explorer.checks import Refusal
from explorer.datasets import load, splice_like, spoil_strings

SOURCES = ("synthetic", "splice", "file")
CLASSES = ("EI/IE", "EI/N", "IE/N")
COMPARISONS = ("both classes", "first with itself", "second with itself")
READ_FIELDS = (
    "source",
    "classes",
    "compare",
    "n",
    "seed",
    "hash",
    "groups",
)  # of a lab: which reads there are, unspoiled
SPOILED_FIELDS = (*READ_FIELDS, "spoiled", "kind", "longer")


def the_set(lab, own, cache):
    """All strings of a lab's source, with their classes; ValueError where they are not there."""
    if lab.source == "synthetic":
        return cache.get(("strings", "synthetic"), splice_like)
    if lab.source == "splice":
        return cache.get(("strings", "splice"), _splice)
    if own is None or own.hash != lab.hash:
        asked = f"the reads of {lab.file} ({lab.rows} reads)" if lab.file else "reads of your own"
        raise Refusal(f"This page shows {asked}, which stay with their owner: choose the file under Your data.")
    return own


def _splice():
    try:
        return load("splice")
    except OSError as error:
        raise Refusal(
            "The splice junctions of the UCI repository are not on this machine: set EXPLORER_DATA to a folder with "
            "splice.csv, or stay with the synthetic ones."
        ) from error


def groups(words):
    """The two classes that a link names, () where it names none; ValueError where they are no two names."""
    try:
        names = tuple(json.loads(words)) if words else ()
    except (TypeError, ValueError):
        names = None
    if names != () and not (
        names and len(set(names)) == len(names) == 2 and all(isinstance(name, str) for name in names)
    ):
        raise Refusal(f'groups must be like ["EI", "IE"], two classes by name, not {words[:60]!r}.')
    return names


def labels(lab):
    """The two classes by name."""
    return groups(lab.groups) if lab.source == "file" else tuple(lab.classes.split("/"))


def titles(lab):
    """What the two samples are called."""
    first, second = labels(lab)
    if lab.compare == COMPARISONS[0]:
        return first, second
    one = first if lab.compare == COMPARISONS[1] else second
    return f"{one}, half 1", f"{one}, half 2"


def samples(lab, strings):
    """The reads of both samples before any is spoiled, two arrays (n,) of text; a larger n only appends."""
    if lab.compare == COMPARISONS[0]:
        return tuple(_of(strings, label).sample(lab.n, lab.seed) for label in labels(lab))
    both = _of(strings, labels(lab)[COMPARISONS.index(lab.compare) - 1]).sample(2 * lab.n, lab.seed)
    return both[0::2], both[1::2]


def spoiled(lab, Y):
    """The second sample with its spoiled reads."""
    return spoil_strings(Y, lab.spoiled, lab.kind, lab.longer, lab.seed)


def _of(strings, label):
    return strings.only(label)
