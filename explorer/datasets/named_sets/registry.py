"""Registry of the papers' data sets: shape, hash, citation, terms and cautions of each. It contains no data."""

from __future__ import annotations

from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

from explorer.checks import Refusal, WrongType
from explorer.files.toml_rows import read_rows
from explorer.printing import echo, printed


@printed
@dataclass(frozen=True)
class Entry:
    """Facts about one data set of n rows and d numeric columns, in a CSV file whose last column is the target.

    Attributes
    ----------
    name : str
        Name of the set.
    n : int
        Number of rows.
    d : int
        Number of numeric columns, or length of the strings.
    sha256 : str
        SHA-256 of the file's bytes, in hex.
    source : str
        Whom to cite.
    licence : str
        Terms of use.
    note : str, default ""
        Cautions.
    words : tuple of str, default ()
        Feature columns that hold words; X leaves them out.
    vectors : bool, default True
        False for n strings of d letters, in a CSV file of class and sequence.
    openml : int or None, default None
        Number of the same set on OpenML, or None if it has none.
    unused : tuple of str, default ()
        Columns that only OpenML's file has.
    codes : bool, default False
        Whether OpenML's file has words in place of the codes 1, 2, ... of this set, which number the words in their
        declared order.

    Examples
    --------
    >>> from explorer.datasets import REGISTRY, Entry
    >>> wine: Entry = REGISTRY["wine"]
    >>> wine.n, wine.d, wine.file, wine.licence
    (178, 13, 'wine.csv', 'CC BY 4.0 (UCI Machine Learning Repository terms)')
    """

    name: str
    n: int
    d: int
    sha256: str
    source: str
    licence: str
    note: str = ""
    words: tuple[str, ...] = ()
    vectors: bool = True
    openml: int | None = None
    unused: tuple[str, ...] = ()
    codes: bool = False

    @property
    def file(self) -> str:
        """Name of the set's file."""
        return f"{self.name}.csv"


REGISTRY: dict[str, Entry] = read_rows(Path(__file__).with_name("registry.toml"), Entry)


def find_entry(name: str) -> Entry:
    """Return the entry of a data set.

    Parameters
    ----------
    name : str
        Name of the set.

    Returns
    -------
    Entry
        The set's facts.

    Raises
    ------
    Refusal
        If there is no set of that name. The message suggests a similar name.
    WrongType
        If `name` is not a string.
    """
    if not isinstance(name, str):
        raise WrongType(f"load takes the name of a data set, such as 'wine', not {echo(name)}.")
    if name not in REGISTRY:
        close = get_close_matches(name.lower(), REGISTRY, n=1)
        meant = f" Did you mean {close[0]!r}?" if close else ""
        raise Refusal(f"There is no data set {echo(name)}.{meant} The known ones are {', '.join(sorted(REGISTRY))}.")
    return REGISTRY[name]
