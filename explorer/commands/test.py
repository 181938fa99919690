"""`explorer test a.csv b.csv`: whether two tables, or two groups of one, are samples of one distribution."""

from __future__ import annotations

import json
import shlex
from argparse import SUPPRESS
from dataclasses import asdict, replace

from explorer import checks
from explorer.checks import Refusal
from explorer.datasets import TableRefusal, read_tables
from explorer.discrepancy import mmd_test, monk_test
from explorer.kernels import Energy, Gaussian, Laplacian, Linear, Polynomial
from explorer.model import code
from explorer.printing import listed, short
from explorer.workbench.two_samples import known_labels, label_word, labels_of

KERNELS = {
    "gaussian": Gaussian, "laplacian": Laplacian, "energy": lambda: Energy(), "linear": lambda: Linear(),
    "quadratic": lambda: Polynomial(2), "cubic": lambda: Polynomial(3),
}  # fmt: skip


def arguments(parser):
    """What the command takes."""
    parser.add_argument("first", help="a CSV, TSV, NPY, NPZ or Parquet file")
    parser.add_argument("second", nargs="?", help="another, with the same columns")
    parser.add_argument("--by", metavar="COLUMN", help="a column that names the groups of one file: compare these")
    parser.add_argument("--groups", nargs=2, metavar="GROUP", help="two of these groups, where there are more")
    parser.add_argument("--columns", nargs="+", help="columns to compare; default: numbers, and words of few levels")
    parser.add_argument(
        "--missing", choices=("refuse", "drop"), default="refuse", help="rows with empty cells; default: refuse"
    )
    parser.add_argument(
        "--strict",
        action="store_true",
        help="refuse what is unusual: decimal commas, units in cells, other encodings, - as missing, and the like",
    )
    parser.add_argument("--lenient", action="store_true", help=SUPPRESS)  # what it does without --strict
    parser.add_argument(
        "--scale",
        choices=("auto", "common", "none"),
        default="auto",
        help="divide numbers by scales common to both files; default: auto, where two columns' scales differ by more "
        "than a factor of 10",
    )
    parser.add_argument(
        "--kernel",
        choices=KERNELS,
        default="gaussian",
        help="kernel of the columns of numbers; categories have their own",
    )
    parser.add_argument(
        "--bandwidth", type=float, help="bandwidth of the Gaussian and Laplacian kernels; default: the median distance"
    )
    parser.add_argument(
        "--monk",
        type=int,
        metavar="Q",
        help="median of means over Q blocks, which outliers do not ruin; for files of equal length",
    )
    parser.add_argument("--permutations", type=int, default=999)
    parser.add_argument("--level", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--json", action="store_true", help="print one JSON object in place of sentences")


def run(options):
    """Print the verdict. A test that does not reject has done what was asked: it is no error."""
    checks.whole(options.permutations, "--permutations", 1)
    if not 0 < options.level < 1:
        raise Refusal(f"--level must be between 0 and 1, not {options.level}; 0.05 is usual.")
    numeric = kernel_of(options)
    tables = read(options)
    if not tables.scales and (options.kernel != "gaussian" or options.bandwidth is not None):
        raise Refusal("--kernel and --bandwidth are for columns of numbers, and there are none; leave them out.")
    compared = samples(tables, options)
    result = tested(compared, tables.product(numeric), options)
    groups = [] if options.by is None else [one.name for one in compared]
    if options.json:
        verdict = json.dumps(said(result, tables, options) | ({"groups": groups} if groups else {}))
    else:
        verdict = sentences(result, tables, options.level, groups)
    print(verdict)  # noqa: T201


def read(options):
    """The files as tables of one space; what would help to read them is said in the command's own options."""
    if (options.second is None) == (options.by is None):
        raise Refusal("the samples are two files, or two groups of one: give a second file, or --by COLUMN.")
    if options.groups and options.by is None:
        raise Refusal("--groups names two groups of one file; give --by with the column that they are in.")
    try:
        files = [options.first] if options.second is None else [options.first, options.second]
        how = {"target": options.by, "lenient": not options.strict}
        return read_tables(files, options.columns, options.missing, options.scale, **how)
    except TableRefusal as error:
        if error.argument == "lenient":
            raise Refusal(f"{error.found}; leave --strict out {error.effect}.") from error
        values = [error.value] if isinstance(error.value, str) else error.value
        option = shlex.join([f"--{error.argument}", *values])
        raise Refusal(f"{error.found}; give {option} {error.effect}.") from error


def samples(tables, options):
    """The two tables, or two groups of one; Refusal where it has more or fewer and none are named."""
    if options.by is None:
        return tables
    known = known_labels(tables[0])
    if options.groups and options.groups[0] == options.groups[1]:
        raise Refusal(f"--groups names {options.groups[0]!r} twice; give two groups that differ.")
    if len(known) > 2 and not options.groups:
        raise Refusal(
            f"{tables[0].name} has {len(known)} groups in column {options.by!r}; give --groups with two of"
            f" {listed(known)}."
        )
    labels = labels_of(tables[0], json.dumps(options.groups) if options.groups else "", options.by)
    return [replace(tables[0].where(label), name=label_word(label)) for label in labels]


def tested(samples, kernel, options):
    """The TestResult of the two samples."""
    first, second = samples
    shared = {"kernel": kernel, "n_resamples": options.permutations, "rng": options.seed}
    if options.monk is None:
        return mmd_test(first.X, second.X, **shared)
    if first.n != second.n:
        longer, shorter = (first, second) if first.n > second.n else (second, first)
        raise Refusal(
            f"--monk compares pairs of rows, and {first.name} has {first.n} rows and {second.name} {second.n}: keep "
            f"{shorter.n} of the rows of {longer.name}, chosen at random, or leave --monk out."
        )
    return monk_test(first.X, second.X, blocks=options.monk, **shared)


def kernel_of(options):
    """The kernel of the columns of numbers."""
    make = KERNELS[options.kernel]
    if options.bandwidth is None:
        return make()
    if options.kernel not in ("gaussian", "laplacian"):
        raise Refusal(f"the {options.kernel} kernel has no bandwidth; leave --bandwidth out.")
    return make(options.bandwidth)


def sentences(result, tables, level, groups=()):
    """The verdict in words, what was done with each column, and what the verdict rests on."""
    differ = result.pvalue <= level
    called = f"groups {' and '.join(groups)}" if groups else "two samples"
    verdict = f"The {called} differ" if differ else "No difference is found"
    verdict += f" between the {called}" if groups and not differ else ""
    dropped = [_dropped(one, gaps) for one, gaps in zip(tables, tables.gaps, strict=False) if one.dropped]
    rows = f" Rows left out for missing values: {', '.join(dropped)}." if dropped else ""
    read = [f"{one.name}: {', '.join(said)}." for one, said in zip(tables, tables.remarks, strict=False) if said]
    reading = f"Read in {' In '.join(read)}\n" if read else ""
    rests = result.sentence(tables.spoken(result.kernel))
    return f"{verdict} at the level {level:g}, over {', '.join(tables[0].names)}.\n{reading}{tables}{rows}\n{rests}"


def _dropped(table, gaps):
    """How many rows of a file were left out, and which columns they miss."""
    columns = [f"{count} in {short(name)}" for name, count in gaps.items()]
    return f"{table.dropped} of {table.name} ({listed(columns)})"


def said(result, tables, options):
    """The verdict as plain values."""
    return {
        "statistic": result.statistic,
        "name": result.name,
        "pvalue": result.pvalue,
        "level": options.level,
        "rejected": result.pvalue <= options.level,
        "threshold": result.threshold(options.level),
        "kernel": code(result.kernel),
        "n": result.n,
        "m": result.m,
        "columns": list(tables[0].names),
        "scale": tables.scale,
        "treatment": [asdict(column) for column in tables.columns],
        "dropped": [one.dropped for one in tables],
        "gaps": list(tables.gaps),
        "read": [list(said) for said in tables.remarks],
        "resamples": len(result.null_distribution),
        "seed": options.seed,
    }
