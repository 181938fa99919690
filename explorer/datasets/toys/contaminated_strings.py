"""Reads that a machine has contaminated: what outliers look like among strings."""

from __future__ import annotations

import numpy as np

from explorer import checks
from explorer.checks import Refusal
from explorer.kernels.subsequence.letters import strings
from explorer.rng import stream
from explorer.types import Labels

CONTAMINATIONS = ("poly-A", "random letters", "repeated read")


def contaminate_strings(X: Labels, count: int, kind: str = "poly-A", times: int = 5, rng: int | None = None) -> Labels:
    """Strings X (n,) whose last `count` are contaminated, each `times` as long as the one it replaces.

    kind  "poly-A"          the letter A over and over
          "random letters"  letters drawn from all of X, so as frequent as there, in no order
          "repeated read"   the read itself, joined end to end

    An int rng gives the letters; one more contaminated string leaves the others as they were. Raises ValueError or
    TypeError for a count beyond n and for what is none of these.

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
