"""Copy Python of the DNA lab, a few lines that give the screen's numbers again, and its tables."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from explorer.marks.mark import Numbers
from explorer.model import code

if TYPE_CHECKING:
    from .result import DnaResult


def python(result: DnaResult) -> str:
    """A script that prints, and leaves in `plain` and `monk`, the two tests of the page: equal to 1e-12."""
    lab = result.lab
    names, lines = _reads(lab)
    one = lab.compared_class
    if one is None:
        lines += [
            f"{sample} = reads.only({label!r}).sample({lab.n}, rng={lab.seed})"
            for sample, label in zip("XY", lab.labels, strict=True)
        ]
    else:
        lines += [f"both = reads.only({one!r}).sample({2 * lab.n}, rng={lab.seed})", "X, Y = both[0::2], both[1::2]"]
    if lab.contaminated:
        names.append("contaminate_strings")
        lines.append(
            f"Y = contaminate_strings(Y, {lab.contaminated}, {lab.kind!r}, times={lab.longer}, rng={lab.seed})"
        )
    top = ["Subsequence", "mmd_test", "monk_test", *(name for name in names if name in ("load", "read_strings"))]
    below = [name for name in names if name not in top]
    lines += [
        f"kernel = Subsequence(length={lab.length}, decay={code(lab.decay)}, normalized={lab.normalized})",
        f"plain = mmd_test(X, Y, kernel, n_resamples={lab.shuffles}, rng={lab.seed})",
        (
            f"monk = monk_test(X, Y, kernel, blocks={lab.blocks}, method={lab.method!r}, n_resamples={lab.flips},"
            f" rng={lab.seed})"
        ),
        "print(plain)",
        "print(monk)",
    ]
    imports = [f"from explorer import {', '.join(sorted(top, key=lambda n: (n.lower(), n)))}"]
    if below:
        imports.append(f"from explorer.datasets import {', '.join(sorted(below))}")
    return "\n".join([*imports, "", *lines, ""])


def _reads(lab):
    """What to import, and lines that make `reads`."""
    if lab.source == "synthetic":
        return ["splice_like"], ["reads = splice_like()  # synthetic"]
    if lab.source == "splice":
        return ["load"], ['reads = load("splice")']
    if lab.second_file:
        names = ["read_strings", "two_classes"]
        line = f"reads = two_classes(read_strings({lab.file!r}), read_strings({lab.second_file!r}))"
    else:
        names, line = ["read_string_classes"], f"reads = read_string_classes({lab.file!r})"
    refusal = (
        "these are other files than those on the page"
        if lab.second_file
        else "this is another file than the one on the page"
    )
    return names, [line, f"if reads.hash != {lab.hash!r}:", f"    raise ValueError({refusal!r})"]


def numbers(result: DnaResult) -> Numbers:
    """Table -> column -> (rows,): the Gram matrix as it is drawn, both tests' null values, the profile."""
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
