"""Strings as points: the one function that reads them, and their letters as numbers."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.printing import plural
from explorer.types import Labels, Rows, VectorLike

GIGABYTES = 1  # size of the largest array of strings: numpy stores each at the length of the longest, 4 bytes a letter


def strings(values: VectorLike, name: str = "X", at_least: int = 1) -> Labels:
    """Return points that are strings as an (n, 1) array of text no wider than its longest string needs.

    Parameters
    ----------
    values : array_like of str
        A list, an array of text or of objects (a column from pandas), in one dimension or in one column.
    name : str, default "X"
        Name of the argument in error messages.
    at_least : int, default 1
        Smallest number of strings.

    Returns
    -------
    ndarray of shape (n, 1)
        The strings.

    Raises
    ------
    TypeError
        If a value is not a string.
    ValueError
        If the shape is another one, there are fewer than `at_least` strings, a letter has code 0, with which numpy
        pads, or the array takes more than a gigabyte.
    """
    if np.ma.isMaskedArray(values):
        values = values.tolist()  # masked values become None and are refused below
    if not isinstance(values, str):  # one string is refused below, with a message about strings
        checks.refuse_other_things(values, name)
    # without dtype=object numpy would make the text '1.5' of a number between strings
    array = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if array.ndim == 0:
        what = "one string" if isinstance(array.item(), str) else f"one {type(array.item()).__name__}"
        raise Refusal(f"{name} is {what}, {array.item()!r:.40}; give a list of strings.")
    if array.ndim > 2:
        raise Refusal(f"{name} has {plural(array.ndim, 'dimension')}; give strings as a list or in one column.")
    if array.ndim == 2 and array.shape[1] != 1:
        raise Refusal(
            f"{name} has {plural(array.shape[1], 'column')}; a point is one string: give a list or one column of them."
        )
    checks.rows(array, name, at_least)
    array = array.ravel()
    if array.dtype.kind in "OT":  # objects, or numpy's own text of any length, which may hold missing values
        array = array.astype(object)
        _refuse_others(array, name)
    elif array.dtype.kind == "S":
        raise TypeError(f"{name} holds bytes; a string kernel needs text: decode them first, as in X.astype(str).")
    elif array.dtype.kind != "U":
        raise TypeError(
            f"{name} holds {array.dtype.name} values; a string kernel needs strings: give a list or a column of text."
        )
    return _text(array, name)[:, None]


def _refuse_others(array, name):
    for i, value in enumerate(array):
        if not isinstance(value, str):
            raise TypeError(
                f"{name}[{i}] is {checks.truncate(checks.echo(value), 40)}, not a string; give strings only,"
                " rows without one left out."
            )


def _text(array, name):
    lengths = np.fromiter(map(len, array.tolist()), dtype=np.int64, count=len(array))
    longest = max(1, int(lengths.max(initial=0)))
    size = 4 * longest * len(array)
    if size > GIGABYTES * 1e9:
        raise checks.Refusal(
            f"{name} takes {size / 1e9:.2g} GB, its {len(array)} strings kept at the length of the longest, {longest}"
            f" letters; cut or leave out the longest: {GIGABYTES} GB is the limit."
        )
    text = array.astype(f"<U{longest}")
    inner = (codes(text[:, None]) != 0).sum(axis=1) != lengths
    if inner.any():
        raise Refusal(f"{name}[{inner.argmax()}] holds a letter of code 0, with which numpy pads strings; take it out.")
    return text


def codes(X: Labels) -> Rows:
    """Return the Unicode numbers of the letters of strings X (n, 1), (n, L); 0 beyond a string's end.

    Parameters
    ----------
    X : ndarray of shape (n, 1)
        Strings.

    Returns
    -------
    ndarray of shape (n, L)
        The numbers.
    """
    return np.ascontiguousarray(X[:, 0]).view(np.uint32).reshape(len(X), -1)


def ranks(X: Labels, Y: Labels | None = None) -> tuple[Rows, Rows | None, int]:
    """Return ranks (n, L) and (m, M) of the letters that X and Y share, the most frequent first, and their number.

    -1 stands for a letter that only one side has, which equals no letter of the other, and marks positions beyond a
    string's end. Y=None means Y = X, and then the second array is None.
    """
    sides = [codes(X)] if Y is None else [codes(X), codes(Y)]
    size = 1 + max(int(side.max()) for side in sides)
    counts = np.array([np.bincount(side.ravel(), minlength=size) for side in sides])
    counts[:, 0] = 0
    shared = np.flatnonzero(counts.all(axis=0))
    rank = np.full(size, -1, dtype=np.int32)
    rank[shared[np.argsort(-counts.sum(axis=0)[shared], kind="stable")]] = np.arange(len(shared))
    return rank[sides[0]], None if Y is None else rank[sides[1]], len(shared)


def positions(X: Labels, alphabet: Sequence[str]) -> Rows:
    """Return each letter's position in an alphabet without repeats that contains all letters.

    The shape is (n, L), with -1 beyond a string's end.
    """
    Z = codes(X)
    given = np.array([ord(letter) for letter in alphabet], dtype=np.uint32)
    place = np.full(1 + max(int(Z.max()), int(given.max(initial=0))), -1, dtype=np.int32)
    place[given] = np.arange(len(given))
    return place[Z]


def alphabet_of(X: Labels) -> str:
    """Return the letters of strings, each once, sorted, as one string.

    Parameters
    ----------
    X : ndarray of shape (n, 1)
        Strings.

    Returns
    -------
    str
        The letters.
    """
    return "".join(map(chr, np.unique(codes(X)).tolist())).lstrip("\0")


def by_length(ranked: Rows) -> tuple[Rows, Rows]:
    """Return the rows of ranked letters (n, L) from the shortest string to the longest, and the length of each.

    A length leaves out the -1 at the end.
    """
    known = ranked >= 0
    lengths = np.where(known.any(axis=1), ranked.shape[1] - known[:, ::-1].argmax(axis=1), 0)
    return np.argsort(lengths, kind="stable"), lengths
