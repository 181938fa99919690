"""`explorer test a.csv b.csv`: tests whether tables, or groups of one table, are samples of one distribution.

The answer is that of `compare`, which `explorer report` shows too. If an option names a kernel or an approximation of
it, the answer is that of this kernel alone.
"""

from __future__ import annotations

import json
import math
import sys
from argparse import SUPPRESS
from collections.abc import Callable, Sequence
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from tqdm import tqdm

from explorer.checks import Refusal
from explorer.comparison.columns import ColumnTests, changes
from explorer.comparison.resamples import Resamples
from explorer.comparison.terminal import in_a_terminal, table_of_columns
from explorer.datasets import read_tables
from explorer.datasets.files import pipes
from explorer.datasets.files.contents import MEGABYTES
from explorer.datasets.files.encodings import use_encoding
from explorer.datasets.files.limits import TooLarge
from explorer.datasets.read_table import parse
from explorer.discrepancy import mmd_test, monk_test, several_test
from explorer.discrepancy.mmd.several_samples import SeveralResult
from explorer.discrepancy.resampling.groups import group_codes
from explorer.kernels import Energy, Gaussian, Laplacian, Linear, Polynomial
from explorer.model import code
from explorer.printing import join_list, plural, short_name
from explorer.sketches import Sketch, is_sketch
from explorer.sketches.files import is_large
from explorer.workbench.two_samples import known_labels, label_word, labels_called

from . import comparing, parts
from .parts import in_options
from .progress import waiting

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from explorer.comparison import ColumnChange, Comparison
    from explorer.datasets.common_space import Tables
    from explorer.datasets.dataset import DataSet
    from explorer.discrepancy.results.test_result import TestResult
    from explorer.kernels.base import Kernel
    from explorer.types import Points, Rows


MOST = 20  # most groups of one file that are compared pairwise: 190 pairs
ALONE = ("scale", "kernel", "bandwidth", "monk", "approximation")  # options that select a test with one kernel
ALONE_PREFIX = "Under this kernel alone"  # first words of that test's answer
ABOUT_JSON = """the object that --json prints:
  pvalue, differ, rejected, level, headline, sentence   the verdict, its first sentence, and all of it
  n, m, names, seed, resamples                          rows and names of both, and how p was drawn
  columns, by_column    names, and for each column and its missing cells p, adjusted, change, interval and the like
  pairs_of_columns      the dependence of two columns; left_out: why others are not compared; python: what repeats it
  samples, sizes, pairs, batches   of three or more files or groups: each compared with the first, pairs in short
  statistic, name, kernel, threshold, approximation, error   of the joint test, and of one kernel alone
  treatment, scale, read, dropped, missing, copies           what was done with columns and rows
"""

KERNELS: dict[str, Callable[..., Kernel]] = {
    "gaussian": Gaussian, "laplacian": Laplacian, "energy": lambda: Energy(), "linear": lambda: Linear(),
    "quadratic": lambda: Polynomial(2), "cubic": lambda: Polynomial(3),
}  # fmt: skip

EXAMPLES = (
    "explorer test a.csv b.csv",
    "explorer test trial.csv --by arm",
    "explorer test a.csv b.csv --columns age weight --json",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.epilog = ABOUT_JSON
    comparing.arguments(parser)
    parser.add_argument(
        "--strict",
        action="store_true",
        help="refuse unusual files: decimal commas, units in cells, other encodings, - as missing, and the like",
    )
    parser.add_argument("--lenient", action="store_true", help=SUPPRESS)  # the default; accepted for older scripts
    alone = parser.add_argument_group(
        "one kernel alone", "With one of these the answer is the MMD² under that kernel, and no longer the verdict."
    )
    alone.add_argument(
        "--scale",
        choices=("auto", "common", "none"),
        default="auto",
        help="divide numbers by scales common to both files; default: auto, which does so if the scales of two columns "
        "differ by more than a factor of 10",
    )
    alone.add_argument("--kernel", choices=KERNELS, help="kernel of the columns of numbers; categories have their own")
    alone.add_argument(
        "--bandwidth", type=float, help="bandwidth of the Gaussian and Laplacian kernels; default: the median distance"
    )
    alone.add_argument(
        "--monk",
        type=int,
        metavar="Q",
        help="median of means over Q blocks, which is robust to outliers; for files of equal length",
    )
    alone.add_argument(
        "--approximation",
        choices=("auto", "exact", "cholesky", "nystrom", "features"),
        default="auto",
        help="what replaces the kernel if there are many rows; default: auto, which is exact if that takes at most two "
        "seconds, and otherwise uses random landmarks and states the error",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object instead of sentences, see below")


def run(options: Namespace) -> None:
    """Print the verdict. The exit code is 0 also if the test does not reject."""
    with pipes.copy_pipes([options.first, *options.others]) as (options.first, *options.others):
        _answer(options)


def _answer(options):
    """Print the answer for files that can be read twice."""
    _refuse_what_does_not_fit(options)
    if alone := _alone(options):
        _refuse_for_the_verdict(options, alone[0])
        with use_encoding(options.encoding):
            print(_under_one_kernel(options))  # noqa: T201
        return
    files, comparison = [options.first, *options.others], _compared(options)
    if not options.json:
        print(in_a_terminal(comparison, options.all))  # noqa: T201
        return
    found = comparison_values(comparison, options.by is not None)
    if comparison.inputs is None:
        each = [Sketch.load(file).columns for file in files if is_sketch(file)]
        found["columns"] = list(next(filter(None, each), ()))
    print(json.dumps(found))  # noqa: T201


def _alone(options):
    """Return the given options that select a test with one kernel."""
    values = vars(options)
    given = [name for name in ("kernel", "bandwidth", "monk") if values[name] is not None]
    return given + [name for name in ("approximation", "scale") if values[name] != "auto"]


def _refuse_what_does_not_fit(options):
    """Refuse files and options that exclude each other."""
    parts.addressed(options, "first", "others")
    if any(map(is_sketch, [options.first, *options.others])):
        unused = ("by", "groups", "reference", "within", "given", "order", "columns", "strict", *ALONE)
        if given := [name for name in unused if vars(options)[name] not in (None, False, "auto")]:
            raise Refusal(f"--{given[0]} is for files of rows, and a sketch has none; leave it out.")
        return
    comparing.check(options)


def _refuse_for_the_verdict(options, alone):
    """Refuse options that a test with one kernel lacks: gaps as data, given columns, orders, a reference group."""
    if options.missing == "value":
        raise Refusal(
            f"--missing value compares empty cells as data, and the test that --{alone} asks for does not; give"
            " --missing drop or refuse, or leave both out."
        )
    for option in ("reference", "given", "order"):
        if getattr(options, option) is not None:
            raise Refusal(
                f"--{option} is for the verdict, and --{alone} asks for one kernel alone; leave one of them out."
            )
    if options.within and options.by is not None:
        raise Refusal(f"--within names a column of several files, if --{alone} is given; leave one of them out.")
    options.missing = options.missing or "refuse"


def _compared(options) -> Comparison:
    """Return the Comparison that `explorer report` shows for the same files and options."""
    if options.strict:
        with use_encoding(options.encoding):
            _refuse_unusual([options.first, *options.others])
    with waiting("Comparing"):
        return comparing.compared(options)


def _refuse_unusual(files):
    """Refuse files that only a lenient reader reads correctly."""
    if any(map(is_large, files)):
        raise Refusal(
            f"--strict is for files of at most {MEGABYTES} MB, which are read whole; leave it out, or keep only the"
            " columns and rows that you need."
        )
    for table in (parse(file, lenient=True) for file in files):
        if table.remarks:
            raise Refusal(f"{table.name} has {', '.join(table.remarks)}; without --strict it is read so.")


def comparison_values(comparison: Comparison, grouped: bool = False) -> dict[str, Any]:
    """Return a comparison as plain values for --json.

    They are those of `Comparison.to_dict` and those that programs expect of a test. `grouped` says that the samples are
    groups of one file.
    """
    found, joint = comparison.to_dict(), comparison.joint
    found |= {
        "rejected": comparison.differ,
        "by_column": [*found["columns"], *found["gaps"]],
        "columns": [column.name for column in comparison.columns],
        "pairs_of_columns": found["pairs"],
    }
    del found["pairs"], found["gaps"]
    if joint is not None:
        tested = {key: found["joint"][key] for key in ("statistic", "name", "kernel", "approximation")}
        found |= tested | {"error": joint.error, "threshold": joint.threshold(comparison.level)}
    if comparison.inputs is not None:
        tables = comparison.samples.tables
        found |= {
            "scale": tables.scale,
            "treatment": [asdict(column) for column in tables.columns],
            "read": [list(said) for said in tables.remarks],
            "samples": [one.name for one in tables],
            "sizes": [one.n for one in tables],
        } | ({"groups": [one.name for one in tables]} if grouped else {})
    if comparison.batches:
        found["pairs"] = [
            {
                "first": batch.names[0],
                "second": batch.names[1],
                "statistic": None if batch.joint is None else batch.joint.statistic,
                "pvalue": batch.pvalue,
                "adjusted": batch.adjusted,
                "rejected": batch.differ,
            }
            for batch in comparison.batches
        ]
    return found


def _under_one_kernel(options):
    """Return the printed answer of the test with one kernel."""
    files = [options.first, *options.others]
    numeric = kernel_of(options)
    if any(map(is_large, files)):
        return _of_large(files, numeric, options)
    try:
        tables = read(options)
    except TooLarge:
        if len(files) != 2 or _only_for_whole(options):
            raise
        return _of_large(files, numeric, options)
    if not tables.scales and (options.kernel not in (None, "gaussian") or options.bandwidth is not None):
        raise Refusal("--kernel and --bandwidth are for columns of numbers, and there are none; leave them out.")
    compared = samples(tables, options)
    result = tested(compared, tables.product(numeric), options)
    groups = [] if options.by is None else [one.name for one in compared]
    called = groups or names_of(tables, options)
    columns = ()
    if len(compared) == 2:
        columns = by_column(tables, compared[0].X, compared[1].X, result, options, within(compared, options))
    return _verdict(result, tables, options, called, groups, columns)


def by_column(
    tables: Tables, a: Points, b: Points, result: TestResult, options: Namespace, groups: Rows | None = None
) -> tuple[ColumnChange, ...]:
    """Return the change of each column between two samples, tested with the same permutations."""
    by_blocks = options.approximation == "auto" and result.approximation not in (None, "exact")
    resamples = Resamples(len(a), len(b), options.n_resamples, options.seed, by_blocks, groups)
    tests = ColumnTests.of(np.concatenate([a, b]), tables, resamples)
    return changes(tables, a, b, tests, options.level)


def _verdict(result, tables, options, called, groups=(), columns=()):
    """Return the printed text: one JSON object, or sentences and the table of columns."""
    if options.json:
        several = pair_values(result, called, options.level) if isinstance(result, SeveralResult) else {}
        each = {"by_column": [column.to_dict() for column in columns]} if columns else {}
        return json.dumps(
            result_values(result, tables, options) | several | ({"groups": groups} if groups else {}) | each
        )
    if isinstance(result, SeveralResult):
        return sentences_of_several(result, tables, options.level, called, bool(groups))
    table = table_of_columns(columns, called, options.level)
    return "\n".join([sentences(result, tables, options.level, groups), "", table])


def _of_large(files, numeric, options):
    """Return the verdict on two files that are read in chunks and never held whole in memory."""
    from explorer.sketches.streaming_test import streamed_test

    if len(files) != 2:
        raise Refusal(f"files of more than {MEGABYTES} MB, and folders, are compared two at a time; give two.")
    if given := _only_for_whole(options):
        if given == "approximation":
            raise Refusal(
                f"files of more than {MEGABYTES} MB, and folders, are compared by --approximation auto; leave it out."
            )
        raise Refusal(
            f"--{given} is for files of at most {MEGABYTES} MB, which are read whole; leave it out, or keep only the"
            " columns and rows that you need."
        )
    how = (options.columns, options.missing, options.scale, options.n_resamples, options.seed)
    with in_options():
        result, tables, rows = streamed_test(files, numeric, *how, watched=_watched)
    verdict = _verdict(
        result, tables, options, names_of(tables, options), columns=by_column(tables, *rows, result, options)
    )
    sizes = tuple(map(len, rows))
    if options.json or sizes == (result.n, result.m):
        return verdict
    return f"{verdict}\nThe table is of {sizes[0]:,} and {sizes[1]:,} random rows."


def _only_for_whole(options):
    """Return the first given option that needs files in memory, or "" if there is none."""
    given = [name for name in ("by", "groups", "within", "strict", "monk") if vars(options)[name]]
    return (given or ["approximation" if options.approximation != "auto" else ""])[0]


def _watched(pieces, about):
    """Return the chunks with a progress bar, which appears in a terminal after two seconds."""
    return tqdm(pieces, about, unit=" pieces", delay=2, disable=not sys.stderr.isatty(), leave=False)


def read(options: Namespace) -> Tables:
    """Read the files as tables of one space; a refusal advises the command's own options."""
    files = [options.first, *options.others]
    how = {"target": options.by or options.within, "lenient": not options.strict, "encoding": options.encoding}
    with in_options():
        return read_tables(files, options.columns, options.missing, options.scale, **how)


def samples(tables: Tables, options: Namespace) -> Tables | list[DataSet]:
    """Return the tables, or the groups of one table as separate samples.

    Parameters
    ----------
    tables : Tables
        The tables that were read.
    options : Namespace
        `by` and `groups`: the column of groups, and the groups to compare (default: all).

    Returns
    -------
    samples : Tables or list of DataSet
        The samples to compare.

    Raises
    ------
    Refusal
        If there are fewer than two groups, or more than MOST.
    """
    if options.by is None:
        return tables
    table, named = tables[0], options.groups or []
    if twice := [name for name in named if named.count(name) > 1]:
        raise Refusal(f"--groups names {twice[0]!r} twice; give groups that differ.")
    labels = labels_called(table, named, options.by)
    if len(labels) > MOST:
        raise Refusal(
            f"{len(labels)} groups of column {options.by!r} are too many to compare each with each; give --groups with"
            f" at most {MOST} of {join_list(known_labels(table))}."
        )
    return [replace(table.where(label), name=label_word(label)) for label in labels]


def tested(samples: Tables | Sequence[DataSet], kernel: Kernel, options: Namespace) -> TestResult:
    """Return the TestResult of two samples, or the SeveralResult of more."""
    shared = {"kernel": kernel, "n_resamples": options.n_resamples, "rng": options.seed}
    if options.monk is None:
        labels = _labels(samples, options)
        if len(samples) > 2:
            _refuse_single_rows(samples)
            if options.approximation not in ("auto", "exact"):
                raise Refusal(
                    "three samples and more are compared by --approximation auto or exact, not by"
                    f" {options.approximation}."
                )
            approximation = "auto" if options.approximation == "auto" else None
            return several_test([one.X for one in samples], **shared, groups=labels, approximation=approximation)
        approximation: Any = None if options.approximation == "exact" else options.approximation
        return mmd_test(samples[0].X, samples[1].X, **shared, groups=labels, approximation=approximation)
    if options.within is not None:
        raise Refusal("--monk exchanges the files' rows pair by pair, in their order; leave --within out.")
    if len(samples) > 2:
        raise Refusal(f"--monk compares two samples, and here are {len(samples)}; give two, or leave --monk out.")
    first, second = samples
    if first.n != second.n:
        longer, shorter = (first, second) if first.n > second.n else (second, first)
        raise Refusal(
            f"--monk compares pairs of rows, and {first.name} has {plural(first.n, 'row')} and {second.name}"
            f" {second.n}: keep "
            f"{shorter.n} of the rows of {longer.name}, chosen at random, or leave --monk out."
        )
    return monk_test(first.X, second.X, blocks=options.monk, **shared)


def _labels(samples, options):
    """Return the value of the --within column for each row of all samples, or None without --within."""
    return None if options.within is None else np.concatenate([np.asarray(one.target) for one in samples])


def within(samples: Sequence[DataSet], options: Namespace) -> Rows | None:
    """Return the code of each row's group, within which rows are permuted, or None without --within."""
    labels = _labels(samples, options)
    return None if labels is None else group_codes(labels, len(labels))


def _refuse_single_rows(samples):
    """Refuse samples of fewer than two rows."""
    for one in samples:
        if one.n < 2:
            raise Refusal(f"{one.name} has {one.n} row, and every sample needs two; leave it out.")


def kernel_of(options: Namespace) -> Kernel:
    """Return the kernel of the numeric columns."""
    name = options.kernel or "gaussian"
    make = KERNELS[name]
    if options.bandwidth is None:
        return make()
    if name not in ("gaussian", "laplacian"):
        raise Refusal(f"the {name} kernel has no bandwidth; leave --bandwidth out.")
    return make(options.bandwidth)


def sentences(result: TestResult, tables: Tables, level: float, groups: Sequence[str] = ()) -> str:
    """Return the verdict as text, with the treatment of the columns and the numbers behind the verdict."""
    differ = result.pvalue <= level
    called = f"groups {' and '.join(groups)}" if groups else "two samples"
    verdict = f"{ALONE_PREFIX} the {called} differ" if differ else f"{ALONE_PREFIX} no difference is found"
    verdict += f" between the {called}" if groups and not differ else ""
    rests = result.sentence(_kernel_text(result, tables))
    return f"{_treated(f'{verdict} at the level {level:g}', tables)}\n{rests}"


def _kernel_text(result, tables):
    """Return the kernels of a result as text."""
    kernels = result.kernel if isinstance(result.kernel, tuple) else (result.kernel,)
    return " and ".join(map(tables.spoken, kernels))


def _treated(verdict, tables):
    """Return the verdict, the columns that it covers, and the treatment of the files."""
    dropped = [_dropped(one, gaps) for one, gaps in zip(tables, tables.gaps, strict=False) if one.dropped]
    rows = f" Rows left out for missing values: {', '.join(dropped)}." if dropped else ""
    read = [f"{one.name}: {', '.join(said)}." for one, said in zip(tables, tables.remarks, strict=False) if said]
    reading = f"Read in {' In '.join(read)}\n" if read else ""
    without = [short_name(column.name) for column in tables.columns if column.kind == "left out" and column.numeric]
    over = f"over {', '.join(tables[0].names)}{f', and not over {join_list(without)}' if without else ''}"
    return f"{verdict}, {over}.\n{reading}{tables}{rows}"


def sentences_of_several(
    result: SeveralResult, tables: Tables, level: float, called: Sequence[str], groups: bool
) -> str:
    """Return the verdict on several samples as text: whether any two differ, and which pairs do."""
    many = f"{len(called)} {'groups' if groups else 'samples'}"
    differ = result.pvalue <= level
    verdict = (
        f"{ALONE_PREFIX} the {many} differ" if differ else f"{ALONE_PREFIX} no difference is found among the {many}"
    )
    found = [
        f"{short_name(called[pair.first])} and {short_name(called[pair.second])} (p = {pair.adjusted:.3g})"
        for pair in sorted(result.differing(level), key=lambda pair: pair.adjusted)
    ]
    rests = [result.sentence(_kernel_text(result, tables))]
    if result.pvalue <= level:
        among = f"Of {len(result.pairs)} pairs, {len(found)} differ at this level over all"
        rests.append(f"{among}{': ' if found else ''}{join_list(found, 400, '; ')}.")
        # factor of the smallest p of a pair: at most this many pairs are equal if any two differ
        equal = (len(called) - 1) * (len(called) - 2) // 2
        if (least := equal / (1 + len(result.null_distribution))) > level:
            enough = math.ceil(equal / level) - 1
            rests.append(f"No pair's p can be below {least:.2g}; give --n-resamples {enough} to find which differ.")
    return "\n".join([_treated(f"{verdict} at the level {level:g}", tables), *rests])


def pair_values(result: SeveralResult, called: Sequence[str], level: float) -> dict[str, Any]:
    """Return the samples and their pairs as plain values."""
    pairs = [
        {
            "first": called[pair.first],
            "second": called[pair.second],
            "statistic": pair.test.statistic,
            "pvalue": pair.test.pvalue,
            "adjusted": pair.adjusted,
            "rejected": pair.adjusted <= level,
        }
        for pair in result.pairs
    ]
    return {"samples": called, "sizes": list(result.sizes), "pairs": pairs}


def names_of(tables: Tables, options: Namespace) -> list[str]:
    """Return the names of the files, or their paths if two names are equal."""
    names = [one.name for one in tables]
    return names if len(set(names)) == len(names) else list(map(pipes.original_path, [options.first, *options.others]))


def _dropped(table, gaps):
    """Return the number of rows that were left out of a file, and the columns in which they have gaps."""
    columns = [f"{count} in {short_name(name)}" for name, count in gaps.items()]
    return f"{table.dropped} of {table.name} ({join_list(columns)})"


def _plain(result, options):
    """Return a test result as plain values."""
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
        "approximation": result.approximation,
        "error": result.error,
        "resamples": len(result.null_distribution),
        "seed": options.seed,
    }


def result_values(result: TestResult, tables: Tables, options: Namespace) -> dict[str, Any]:
    """Return the verdict and the treatment of the files as plain values."""
    return {
        **_plain(result, options),
        "columns": list(tables[0].names),
        "scale": tables.scale,
        "treatment": [asdict(column) for column in tables.columns],
        "dropped": [one.dropped for one in tables],
        "gaps": list(tables.gaps),
        "read": [list(said) for said in tables.remarks],
    }
