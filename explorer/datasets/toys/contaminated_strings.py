"""Contaminated strings: outliers among sequencing reads, as a machine makes them."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.kernels.subsequence.letters import strings
from explorer.languages import message
from explorer.rng import stream
from explorer.types import Labels

CONTAMINATIONS = message(("poly-A", "random letters", "repeated read"))


def contaminate_strings(X: Labels, count: int, kind: str = "poly-A", times: int = 5, rng: int | None = None) -> Labels:
    """Replace the last `count` strings of a sample by contaminated ones.

    With an int `rng`, one more contaminated string leaves the others unchanged.

    Parameters
    ----------
    X : array_like of str of shape (n,)
        The strings.
    count : int
        Number of contaminated strings, from 0 to n.
    kind : {"poly-A", "random letters", "repeated read"}, default "poly-A"
        Contents of a contaminated string: the letter A throughout; letters drawn from all of X, as frequent as in X
        and in random order; or the replaced string itself, joined end to end.
    times : int, default 5
        Length of a contaminated string as a multiple of the length of the one it replaces, at least 1.
    rng : int or None, default None
        Seed of the random letters.

    Returns
    -------
    ndarray of str of shape (n,)
        The sample with its last `count` strings replaced.

    Raises
    ------
    ValueError
        If `count` is not between 0 and n, `times` is below 1 or `kind` is another name.
    TypeError
        If `count` or `times` is not a whole number, or X holds no strings.

    Examples
    --------
    >>> from explorer.datasets import contaminate_strings
    >>> contaminate_strings(["ACGT", "CCGT", "TTGA"], count=1, kind="repeated read", times=2).tolist()
    ['ACGT', 'CCGT', 'TTGATTGA']
    """
    X = strings(X)[:, 0]
    count, times = checks.whole(count, "count"), checks.whole(times, "times", 1)
    if kind not in CONTAMINATIONS:
        raise Refusal(f"kind must be one of {', '.join(CONTAMINATIONS)}, not {checks.echo(kind)}.")
    if count > len(X):
        raise Refusal(f"{count} contaminated strings are more than the {len(X)} there are; take at most {len(X)}.")
    kept, letters, generator = X.tolist(), np.array(list("".join(X.tolist()))), stream(rng, "outliers")
    for i in range(len(kept) - 1, len(kept) - 1 - count, -1):
        read = kept[i]
        if kind == "repeated read":
            kept[i] = read * times
        elif kind == "poly-A":
            kept[i] = "A" * (times * len(read))
        else:
            kept[i] = "".join(generator.choice(letters, times * len(read)))
    return strings(kept)[:, 0]
