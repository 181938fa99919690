"""`explorer test a.csv b.csv`: whether two tables are samples of one law."""

from __future__ import annotations

import json

from explorer import checks
from explorer.datasets import read_table
from explorer.discrepancy import mmd_test, monk_test
from explorer.kernels import Energy, Gaussian, Laplacian, Linear, Polynomial
from explorer.model import code

KERNELS = {
    "gaussian": Gaussian, "laplacian": Laplacian, "energy": lambda: Energy(), "linear": lambda: Linear(),
    "quadratic": lambda: Polynomial(2), "cubic": lambda: Polynomial(3),
}  # fmt: skip


def arguments(parser):
    """What the command takes."""
    parser.add_argument("first", help="a CSV, TSV, NPY, NPZ or Parquet file")
    parser.add_argument("second", help="another, with the same columns")
    parser.add_argument("--columns", nargs="+", help="columns that are compared; default: every column of numbers")
    parser.add_argument("--missing", choices=("refuse", "drop"), default="refuse", help="rows with empty cells; default: refuse")
    parser.add_argument("--kernel", choices=KERNELS, default="gaussian")
    parser.add_argument("--bandwidth", type=float, help="of the Gaussian and Laplacian kernels; default: the median distance")
    parser.add_argument(
        "--monk", type=int, metavar="Q", help="median of means over Q blocks, which outliers do not ruin; needs n = m"
    )
    parser.add_argument("--permutations", type=int, default=999)
    parser.add_argument("--level", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print one JSON object in place of sentences")


def run(options):
    """Print the verdict. A test that does not reject has done what was asked: it is no error."""
    checks.whole(options.permutations, "--permutations", 1)
    if not 0 < options.level < 1:
        raise ValueError(f"--level must lie between 0 and 1, not be {options.level}; 0.05 is the custom.")
    X, Y = (read_table(file, options.columns, options.missing) for file in (options.first, options.second))
    if sorted(X.names) != sorted(Y.names):
        own, other = ", ".join(X.names), ", ".join(Y.names)
        raise ValueError(f"{X.name} has the columns {own}, and {Y.name} {other}; name those to compare by --columns.")
    second = Y.X[:, [Y.names.index(name) for name in X.names]]
    shared = {"kernel": kernel_of(options), "n_resamples": options.permutations, "rng": options.seed}
    result = mmd_test(X.X, second, **shared) if options.monk is None else monk_test(X.X, second, blocks=options.monk, **shared)
    print(json.dumps(said(result, X.names, options)) if options.json else sentences(result, X.names, options.level))  # noqa: T201


def kernel_of(options):
    """The kernel that is asked for."""
    make = KERNELS[options.kernel]
    if options.bandwidth is None:
        return make()
    if options.kernel not in ("gaussian", "laplacian"):
        raise ValueError(f"the {options.kernel} kernel has no bandwidth; leave --bandwidth out.")
    return make(options.bandwidth)


def sentences(result, names, level):
    """The verdict in words, and what it rests on."""
    differ = result.pvalue <= level
    verdict = "The two samples differ" if differ else "No difference is found"
    return f"{verdict} at the level {level:g}, over {', '.join(names)}.\n{result}"


def said(result, names, options):
    """The same as plain values."""
    return {
        "statistic": result.statistic, "name": result.name, "pvalue": result.pvalue, "level": options.level,
        "rejected": result.pvalue <= options.level, "threshold": result.threshold(options.level),
        "kernel": code(result.kernel), "n": result.n, "m": result.m, "columns": list(names),
        "resamples": len(result.null_distribution), "seed": options.seed,
    }  # fmt: skip
