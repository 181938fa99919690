"""Strings as data: StringSet, and `read_strings` for a FASTA file or a text with a string in each line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.kernels.subsequence.letters import strings
from explorer.printing import Written, fields_of, truncate
from explorer.public_names.synonyms import explain_wrong_calls
from explorer.record import record
from explorer.rng import stream
from explorer.tables import html_tables
from explorer.types import File, Labels, Rows

from .columns.table import sha256
from .dataset import terms
from .files import contents, limits

NUCLEOTIDES = frozenset("ACGTUN")
IUPAC = NUCLEOTIDES | frozenset("RYSWKMBDHV-")
FASTA = (">", ";")  # beginnings of its first line: a name, or a comment above it


@record(repr=False)  # too many letters to print
class StringSet(Written):
    """Strings X (n,), a read-only array of text for `Subsequence`, and what is known about them.

    Parameters
    ----------
    name : str
        The name of the set.
    X : array_like of str of shape (n,)
        The strings.
    names : tuple of str
        The name of each string.
    target : array_like of shape (n,) or None, default None
        Their classes.
    licence : str, default ""
        Its terms; empty for the user's file.
    source : str, default ""
        Whom to cite; empty for the user's file.
    note : str, default ""
        What to beware of; empty for the user's file.
    hash : str, default ""
        The SHA-256 of the file's bytes, in hex.

    Examples
    --------
    >>> from explorer.datasets import StringSet
    >>> strings = StringSet("reads", ["ACGT", "TTGACA", "GGGG"], ("r1", "r2", "r3"), target=["EI", "IE", "EI"])
    >>> strings.n, strings.longest, strings.alphabet, strings.only("EI").names
    (3, 6, 'ACGT', ('r1', 'r3'))
    """

    name: str
    X: np.ndarray
    names: tuple[str, ...]
    target: np.ndarray | None = None
    licence: str = ""
    source: str = ""
    note: str = ""
    hash: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "X", checks.read_only(strings(self.X)[:, 0]))
        if self.target is not None:
            object.__setattr__(self, "target", checks.read_only(self.target))

    @property
    def n(self) -> int:
        """The number of strings."""
        return len(self.X)

    @property
    def longest(self) -> int:
        """The number of letters of the longest string."""
        return int(np.char.str_len(self.X).max())

    @property
    def alphabet(self) -> str:
        """Letters that occur, sorted: "ACGT"."""
        return "".join(sorted(set().union(*self.X.tolist())))

    def only(self, label: object) -> StringSet:
        """Return the strings of one class, in their order.

        Parameters
        ----------
        label : object
            The class.

        Returns
        -------
        StringSet
            Its strings.

        Raises
        ------
        Refusal
            If there is no such class.
        """
        known = [] if self.target is None else list(dict.fromkeys(self.target.tolist()))
        if label not in known:
            classes = f"has the classes {checks.join_list(map(str, known))}" if known else "has no classes"
            raise Refusal(f"{self.name} {classes}, and {checks.truncate(checks.echo(label), 40)} is none of them.")
        target = np.asarray(self.target)
        rows = np.flatnonzero(target == label)
        names = tuple(self.names[i] for i in rows)
        return replace(self, name=f"{label} of {self.name}", X=self.X[rows], names=names, target=target[rows])

    def sample(self, n: int, rng: int | None = None) -> Labels:
        """Draw strings in random order, each at most once.

        Parameters
        ----------
        n : int
            The number of strings.
        rng : int or None, default None
            The seed. With an int a larger n only appends strings.

        Returns
        -------
        ndarray of str of shape (n,)
            The strings.

        Raises
        ------
        Refusal
            If n is larger than the number of strings.
        """
        return self.X[self.drawn(n, rng)]

    def drawn(self, n: int, rng: int | None = None) -> Rows:
        """Return which strings `sample` draws, in the order in which they are drawn.

        Parameters
        ----------
        n : int
            The number of strings.
        rng : int or None, default None
            The seed.

        Returns
        -------
        ndarray of int of shape (n,)
            The positions of the strings, counted from 0.

        Raises
        ------
        Refusal
            If n is larger than the number of strings.
        """
        n = checks.whole(n, "n", 1)
        if n > self.n:
            raise Refusal(f"n = {n} is more than the {self.n} strings of {self.name}; take n of at most {self.n}.")
        return stream(rng, "rows").permutation(self.n)[:n]

    def _parts(self):
        return fields_of(self)

    def _brief(self, most):
        return truncate(f"<StringSet {self._sentence()}>", most)

    def _picture(self):
        labels = [""] * self.n if self.target is None else self.target.tolist()
        rows = list(zip(self.names, labels, self.X.tolist(), strict=True))
        return html_tables.table(("name", "class", "string"), rows) + terms(self)

    def _sentence(self):
        lengths = np.char.str_len(self.X)
        low, high = int(lengths.min()), int(lengths.max())
        letters = f"{low} letter{'' if low == 1 else 's'}" if low == high else f"{low} to {high} letters"
        return f"{truncate(self.name)}: {self.n} string{'' if self.n == 1 else 's'} of {letters}"


@explain_wrong_calls
def read_strings(path: File, name: str | None = None) -> StringSet:
    r"""Read a file of strings, such as DNA or protein sequences.

    Use it with the kernel `Subsequence`. For columns of numbers and categories use `read_table`.

    Parameters
    ----------
    path : str, Path, bytes or binary file
        UTF-8 text of at most 20 MB, a million lines and 500,000 strings, and of at most 100 MB if all strings were as
        long as the longest, at 4 bytes a letter. If the first line begins with > (or ;, a comment), it is FASTA: each
        line ">name" is followed by the lines of one sequence, whose white space is ignored. Otherwise each line is
        one string, without white space, commas or semicolons inside, and blank lines are ignored.
    name : str or None, default None
        The file's name in messages. None is its own name.

    Returns
    -------
    StringSet
        The strings, without a target. A string without a name is called by its position, counted from 1.

    Raises
    ------
    FileNotFoundError
        If there is no such file.
    TypeError, ValueError
        If the file cannot be read. The message states what is wrong, where, and what to do.

    Notes
    -----
    Letters keep their case, and repeated strings are kept. Only nucleotides (ACGTUN, and in FASTA the other codes of
    IUPAC) become capitals: small ones mark a stretch of a genome that repeats elsewhere, and are the same letters.

    Examples
    --------
    >>> from explorer import read_strings
    >>> read_strings(b">one\nACGT\n>two\nAGT\n").X
    array(['ACGT', 'AGT'], dtype='<U4')
    """
    file_name, raw = contents.read_contents(
        path, "set of strings", "a FASTA file or a text file", "keep only the strings you need"
    )
    name = contents.shorten_name(name or file_name)
    with contents.within_memory(name):
        return _parsed(raw, name)


def _parsed(raw, name):
    """Return the StringSet in the bytes of a file."""
    limits.refuse_lines(name, raw)
    lines = [(i, stripped) for i, line in enumerate(_text(raw, name), 1) if (stripped := line.strip(" "))]
    for i, line in lines:
        _refuse_invisible(line, i, name)
    if lines[0][1].startswith(FASTA):
        records = _fasta(lines, name)
    else:
        records = [("", _check_line(line, i, name)) for i, line in lines]
    names, sequences = zip(*records, strict=True)
    if set("".join(sequences).upper()) <= (IUPAC if lines[0][1].startswith(FASTA) else NUCLEOTIDES):
        sequences = tuple(each.upper() for each in sequences)
    limits.refuse_strings(name, list(map(len, sequences)))
    names = tuple(title or str(place) for place, title in enumerate(names, 1))
    return StringSet(name=name, X=strings(list(sequences), name)[:, 0], names=names, hash=sha256(raw))


def _text(raw, name):
    """Return the lines of a text file, with a blank for every tab."""
    try:
        text = raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line, byte = error.object.count(b"\n", 0, error.start) + 1, error.object[error.start]
        raise Refusal(
            f"{name} is no UTF-8 text (byte {byte:#04x} in line {line}); give FASTA or plain text, unpacked, in UTF-8."
        ) from error
    if "\0" in text:
        raise Refusal(f"{name} holds zero bytes, so it is no text file; give FASTA or plain text in UTF-8.")
    if not text.strip():
        raise Refusal(f"{name} is empty; give a file with at least one string.")
    return text.replace("\t", " ").replace("\r\n", "\n").replace("\r", "\n").split("\n")


def _fasta(lines, name):
    """Return (name, sequence) of each record."""
    records = []
    for i, line in lines:
        if line.startswith(">"):
            records.append((line[1:].strip(), i, []))
        elif not line.startswith(";"):
            if not records:
                raise Refusal(f"{name}: line {i} has letters before any name; begin each sequence with a line >name.")
            records[-1][2].append("".join(line.split()))
    if not records:
        raise Refusal(f"{name} has comments and no sequence; begin each sequence with a line >name.")
    for title, i, parts in records:
        if not parts:
            raise Refusal(
                f"{name}: the sequence {title!r:.60} in line {i} has no letters; add them, or take its name out."
            )
    return [(title, "".join(parts)) for title, _, parts in records]


def _check_line(line, i, name):
    """Return a line of plain text. Raises Refusal if it is not a single string."""
    if line.startswith(">"):
        raise Refusal(
            f"{name}: line {i} begins with > as in FASTA, and line 1 does not; begin every sequence with a line >name."
        )
    if "," in line or ";" in line or len(line.split()) > 1:
        inside = next(mark for mark in line if mark.isspace() or mark in ",;")
        raise Refusal(
            f"{name}: line {i} has {'white space' if inside.isspace() else repr(inside)} inside; give one string in"
            " each line and nothing else, or FASTA."
        )
    return line


def _refuse_invisible(line, i, name):
    if not line.isprintable():
        hidden = next(mark for mark in line if not mark.isprintable())
        raise Refusal(f"{name}: line {i} holds the character U+{ord(hidden):04X}, which cannot be seen; take it out.")
