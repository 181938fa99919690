"""Copy Python of the DNA lab, a few lines that reproduce the page's numbers, and the tables of its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.datasets import contaminate_strings, load, read_string_classes, read_strings, splice_like, two_classes
from explorer.discrepancy import mmd_test, monk_test
from explorer.kernels import Subsequence
from explorer.marks.mark import Numbers
from explorer.recipe import Script, recipe

if TYPE_CHECKING:
    from .result import DnaResult


def python(result: DnaResult) -> Script:
    """Return a script that prints the page's two tests and stores them in `plain` and `monk`: equal to 1e-12."""
    lab, one = result.lab, result.lab.compared_class
    (p, q), count = lab.labels, 2 * lab.n

    @recipe
    def steps():
        if lab.source == "synthetic":
            reads = splice_like()  # synthetic
        elif lab.source == "splice":
            reads = load("splice")
        elif lab.second_file:
            reads = two_classes(read_strings(lab.file), read_strings(lab.second_file))
            if reads.hash != lab.hash:
                raise ValueError("these are other files than those on the page")
        else:
            reads = read_string_classes(lab.file)
            if reads.hash != lab.hash:
                raise ValueError("this is another file than the one on the page")
        if one is None:
            X = reads.only(p).sample(lab.n, rng=lab.seed)
            Y = reads.only(q).sample(lab.n, rng=lab.seed)
        else:
            both = reads.only(one).sample(count, rng=lab.seed)
            X, Y = both[0::2], both[1::2]
        if lab.contaminated:
            Y = contaminate_strings(Y, lab.contaminated, lab.kind, times=lab.longer, rng=lab.seed)
        kernel = Subsequence(length=lab.length, decay=lab.decay, normalized=lab.normalized)
        plain = mmd_test(X, Y, kernel, n_resamples=lab.shuffles, rng=lab.seed)
        monk = monk_test(X, Y, kernel, blocks=lab.blocks, method=lab.method, n_resamples=lab.flips, rng=lab.seed)
        print(plain)
        print(monk)

    return steps.script()


def numbers(result: DnaResult) -> Numbers:
    """Return table -> column -> (rows,): the drawn Gram matrix, both tests' null values, the profile."""
    rows = result.drawn
    letters, profile = result.profile.letters, result.profile
    return {
        "gram": {
            "row": np.repeat(rows + 1, len(rows)),
            "column": np.tile(rows + 1, len(rows)),
            "k": result.K[np.ix_(rows, rows)].ravel(),
        },
        "shuffles": {"mmd2": result.plain.null_distribution},
        "flips": {"mmd_by_monk": result.monk.null_distribution},
        "profile": {
            "place": np.arange(1, profile.first.shape[1] + 1),
            **{
                f"{sample}_{letter}": table[i]
                for sample, table in (("X", profile.first), ("Y", profile.second))
                for i, letter in enumerate(letters)
            },
        },
    }
