"""Strings of several classes in one file, and two files as two classes."""

from __future__ import annotations

from collections import Counter

import numpy as np

from explorer.checks import Refusal
from explorer.printing import echo, plural, truncate

from .columns.table import sha256
from .files import contents, limits
from .strings import FASTA, StringSet, read_strings

CUTS = (",", ";", "\t", " ")  # possible delimiters between cells
NAMES = ("sequence", "sequences", "seq", "string", "strings", "read", "reads")  # possible names of the last column


class NoClasses(Refusal):
    """Refusal of a file that may hold strings, but does not name the class of each.

    Parameters
    ----------
    sentence : str
        The message.
    """


def read_string_classes(path: str, name: str | None = None) -> StringSet:
    r"""Read a file of strings that names the class of each.

    Parameters
    ----------
    path : str, Path, bytes or binary file
        UTF-8 text of at most 20 MB. In FASTA the class is the last word of a string's name, as in ">read17 EI". In
        other text each line is a class, perhaps names, and a string last, with commas, semicolons, tabs or blanks
        between them. The first line may be "class,sequence".
    name : str or None, default None
        The file's name in messages. None is its own name.

    Returns
    -------
    StringSet
        The strings, with their classes as the target.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    NoClasses
        If the file names no classes.
    TypeError, ValueError
        If the file cannot be read. The message states what is wrong, where, and what to do.

    Examples
    --------
    >>> from explorer.datasets import read_string_classes
    >>> strings = read_string_classes(b">read1 EI\nACGT\n>read2 IE\nTTGA\n", "reads")
    >>> strings.X.tolist(), strings.target.tolist()
    (['ACGT', 'TTGA'], ['EI', 'IE'])
    """
    file_name, raw = contents.read_contents(
        path, "set of strings", "a FASTA file or a text file", "keep only the strings you need"
    )
    name = contents.shorten_name(name or file_name)
    limits.refuse_lines(name, raw)
    with contents.within_memory(name):
        return _parsed(raw, name)


def _parsed(raw, name):
    """Return the StringSet in the bytes of a file, with its classes."""
    text = raw.decode("utf-8-sig", errors="replace")
    if text.lstrip().startswith(FASTA):
        sequences = read_strings(raw, name)
        target = [title.split()[-1] if " " in title else "" for title in sequences.names]
        if "" in target:
            lacks = sequences.names[target.index("")]
            raise NoClasses(f"{name}: the name {lacks!r:.60} has no class after it; write each as in '>read17 EI'.")
        X = sequences.X
    else:
        rows = [cells for line in text.replace("\r", "\n").split("\n") if (cells := _cells(line))]
        if rows and [cell.lower() for cell in rows[0]][-1] in NAMES:
            rows = rows[1:]
        short = next((cells for cells in rows if len(cells) < 2), None)
        if short is not None or not rows:
            problem = "it has no line" if short is None else f"the line {short[0]!r:.60} has no class"
            raise NoClasses(f"{name}: {problem}; write a class and a string in each line, as in 'EI,CCAGCTG'.")
        target = [cells[0] for cells in rows]
        X = read_strings("\n".join(cells[-1] for cells in rows).encode(), name).X
    counts = Counter(target)
    if len(counts) < 2:
        raise Refusal(f"{name} has the one class {truncate(echo(target[0]), 40)}; two are needed to compare anything.")
    if len(counts) > 50:
        raise Refusal(
            f"{name} has {plural(len(counts), 'class', 'classes')}, which are hardly any; write the class first in"
            " each line."
        )
    long = next((label for label in counts if len(label) > limits.CLASS), None)
    if long is not None:
        raise Refusal(
            f"{name} has a class whose name, {echo(long)}, is of {len(long):,} letters, and {limits.CLASS} is the"
            " limit; shorten it."
        )
    return StringSet(
        name=name, X=X, names=tuple(map(str, range(1, len(X) + 1))), target=np.array(target), hash=sha256(raw)
    )


def _cells(line):
    """Split a line into cells."""
    cut = next((cut for cut in CUTS if cut in line.strip()), None)
    return [cell.strip() for cell in line.split(cut) if cell.strip()] if cut else line.split()


def two_classes(first: StringSet, second: StringSet) -> StringSet:
    """Combine two sets of strings into one with two classes, named after the sets. Its hash covers both.

    Parameters
    ----------
    first, second : StringSet
        The sets.

    Returns
    -------
    StringSet
        The strings of both.

    Raises
    ------
    Refusal
        If the sets have equal names or the same bytes.

    Examples
    --------
    >>> from explorer.datasets import StringSet, two_classes
    >>> coding, other = StringSet("coding", ["ACGT", "ACGA"], ("a", "b")), StringSet("other", ["TTTT"], ("c",))
    >>> strings = two_classes(coding, other)
    >>> strings.X.tolist(), strings.target.tolist()
    (['ACGT', 'ACGA', 'TTTT'], ['coding', 'coding', 'other'])
    """
    if first.hash and first.hash == second.hash:
        raise Refusal(f"{first.name} and {second.name} hold the same bytes; give two files that differ.")
    limits.refuse_words(
        f"{first.name} with {second.name}", first.n + second.n, max(first.longest, second.longest)
    )  # two small sets may be large together if the strings of one are long
    names = (first.name, second.name)
    if first.name == second.name:
        raise Refusal(f"Both files are called {first.name}; rename one, since its name is that of its class.")
    return StringSet(
        name=f"{names[0]} and {names[1]}",
        X=np.concatenate([first.X, second.X]),
        names=(*first.names, *second.names),
        target=np.repeat(names, (first.n, second.n)),
        hash=sha256((first.hash + second.hash).encode()),
    )
