"""Copy Python of the DNA lab, a few lines that reproduce the page's numbers, and the tables of its numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.marks.mark import Numbers
from explorer.snippets import Snippet, identifier, imports, snippet
from explorer.workbench.script import script

if TYPE_CHECKING:
    from .result import DnaResult


def python(result: DnaResult) -> Snippet:
    """Return a script that prints the page's two tests and stores them in `plain` and `monk`: equal to 1e-12."""
    lab = result.lab
    names, lines = _reads(lab)
    one = lab.compared_class
    if one is None:
        lines += [
            snippet("{} = reads.only({}).sample({}, rng={})", identifier(sample), label, lab.n, lab.seed)
            for sample, label in zip("XY", lab.labels, strict=True)
        ]
    else:
        lines += [
            snippet("both = reads.only({}).sample({}, rng={})", one, 2 * lab.n, lab.seed),
            snippet("X, Y = both[0::2], both[1::2]"),
        ]
    if lab.contaminated:
        names.append("contaminate_strings")
        lines.append(
            snippet(
                "Y = contaminate_strings(Y, {}, {}, times={}, rng={})", lab.contaminated, lab.kind, lab.longer, lab.seed
            )
        )
    top = ["Subsequence", "mmd_test", "monk_test", *(each for each in names if each in ("load", "read_strings"))]
    below = [each for each in names if each not in top]
    lines += [
        snippet("kernel = Subsequence(length={}, decay={}, normalized={})", lab.length, lab.decay, lab.normalized),
        snippet("plain = mmd_test(X, Y, kernel, n_resamples={}, rng={})", lab.shuffles, lab.seed),
        (
            snippet(
                "monk = monk_test(X, Y, kernel, blocks={}, method={}, n_resamples={}, rng={})",
                lab.blocks,
                lab.method,
                lab.flips,
                lab.seed,
            )
        ),
        snippet("print(plain)"),
        snippet("print(monk)"),
    ]
    return script(top, lines, after=[imports("explorer.datasets", below)] if below else [])


def _reads(lab):
    """Return the names to import, and the lines that define `reads`."""
    if lab.source == "synthetic":
        return ["splice_like"], [snippet("reads = splice_like()  # synthetic")]
    if lab.source == "splice":
        return ["load"], [snippet('reads = load("splice")')]
    if lab.second_file:
        names = ["read_strings", "two_classes"]
        line = snippet("reads = two_classes(read_strings({}), read_strings({}))", lab.file, lab.second_file)
    else:
        names, line = ["read_string_classes"], snippet("reads = read_string_classes({})", lab.file)
    refusal = (
        "these are other files than those on the page"
        if lab.second_file
        else "this is another file than the one on the page"
    )
    return names, [line, snippet("if reads.hash != {}:", lab.hash), snippet("    raise ValueError({})", refusal)]


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
