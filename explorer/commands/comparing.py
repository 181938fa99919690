"""Options of the commands that compare tables as `compare` does, and the comparison that they ask for."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from explorer import checks
from explorer.checks import Refusal, echo
from explorer.comparison import Comparison, GroupComparison, compare, compare_groups
from explorer.comparison.periods import PERIODS
from explorer.discrepancy.results.answer import checked_level

from . import parts
from .parts import in_options

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def arguments(parser: ArgumentParser) -> None:
    """Add the files and the options that say what is compared, and how."""
    parser.add_argument("first", help=f"{parts.FILES}; or a folder, a sketch, or - for standard input: the reference")
    parser.add_argument("others", nargs="*", metavar="other", help="one or more files, each compared with the first")
    parts.arguments(parser)
    parser.add_argument(
        "--by",
        metavar="COLUMN",
        help="a column that names the groups of one file: the first group is compared with each of the others; "
        f"{', '.join(PERIODS)}: if no column has this name, the groups are these periods of the file's dates",
    )
    parser.add_argument(
        "--groups", nargs="+", metavar="GROUP", help="two or more of these groups, the reference first; default: all"
    )
    parser.add_argument("--reference", metavar="GROUP", help="the group of --by that the others are compared with")
    parser.add_argument(
        "--within",
        metavar="COLUMN",
        help="a column that names subjects, such as patients: values are compared within each subject, and subjects "
        "of one sample only are left out",
    )
    parser.add_argument(
        "--given",
        nargs="+",
        metavar="COLUMN",
        help="columns whose own change does not count (conditional_test): the other columns are compared given these",
    )
    parser.add_argument("--columns", nargs="+", help="columns to compare; default: numbers and categories")
    parser.add_argument(
        "--missing",
        choices=("value", "drop", "refuse"),
        help="empty cells: value compares them as data, drop leaves their rows out, refuse stops; default: value",
    )
    parser.add_argument(
        "--placeholders",
        choices=("missing", "value"),
        default="missing",
        help="numbers such as -999 that recur far from all others: empty cells, or values; default: missing",
    )
    parser.add_argument(
        "--order",
        action="append",
        metavar="COLUMN=WORD,WORD,...",
        help="the words of a column in their order, for scales that are not recognised; may be repeated",
    )
    parser.add_argument(
        "--all", action="store_true", help="print a row for each column, not only for those that differ"
    )
    encoding_argument(parser)
    resamples_argument(parser, 999)
    parser.add_argument(
        "--level", type=float, default=0.05, help="level of the verdict, and of all columns together; default: 0.05"
    )
    parser.add_argument("--seed", type=int, default=0)


def encoding_argument(parser: ArgumentParser) -> None:
    """Add the option that names the encoding of text files."""
    parser.add_argument(
        "--encoding",
        help="the encoding of text files, such as cp1250, shift_jis or utf-16; default: UTF-8, or the encoding that "
        "turns the bytes into words",
    )


def resamples_argument(parser: ArgumentParser, default: int) -> None:
    """Add --n-resamples, the library's `n_resamples`, with its alternative names."""
    parser.add_argument(
        "--n-resamples",
        "--resamples",
        "--permutations",
        type=int,
        default=default,
        metavar="N",
        help="number of permutations for the p-value, the library's n_resamples; default: %(default)s",
    )


def check(options: Namespace) -> None:
    """Refuse impossible options before any file is read, and turn the files into addresses of the parts to read."""
    parts.addressed(options, "first", "others")
    checks.whole(options.n_resamples, "--n-resamples", 1)
    checked_level(options.level)
    files = [options.first, *options.others]
    if len(files) == 1 and options.by is None:
        raise Refusal("there is one table, and nothing to compare it with; give a second file, or --by COLUMN.")
    if len(files) > 1 and options.by is not None:
        raise Refusal("--by names the groups of one file; give one, or leave --by out.")
    if options.groups and options.by is None:
        raise Refusal("--groups names groups of one file; give --by with the column that they are in.")
    if options.groups and len(options.groups) == 1:
        raise Refusal(f"--groups names {echo(options.groups[0])} alone; give two groups or more.")
    if options.reference is not None and options.by is None:
        raise Refusal("--reference names a group of --by, and of files the first is the reference; put it first.")


def compared(options: Namespace) -> Comparison:
    """Return the Comparison of the files, or of the groups of one file."""
    check(options)
    others = options.others if len(options.others) > 1 else (options.others or [None])[0]
    with in_options():
        alone = {name: getattr(options, name) for name in ("by", "groups", "reference", "given")}
        return compare(options.first, others, **alone, **_how(options))


def each_pair_compared(options: Namespace) -> GroupComparison:
    """Return the GroupComparison of the groups of one file."""
    check(options)
    if options.by is None:
        raise Refusal("--pairs compares every pair of groups of one file; give --by COLUMN.")
    if options.given:
        raise Refusal("--given is for the comparison of two tables, or of groups with one; leave --pairs out.")
    if options.groups:
        raise Refusal("--pairs compares every pair of all groups; leave --groups out.")
    if options.reference is not None:
        raise Refusal(
            "--pairs compares every pair of groups, and --reference one group with all others; leave one of them out."
        )
    with in_options():
        return compare_groups(options.first, by=options.by, **_how(options))


def _how(options) -> dict[str, Any]:
    """Return the arguments that all comparisons share."""
    how = {"columns": options.columns, "within": options.within, "level": options.level}
    how |= {"missing": options.missing or "value", "order": orders_of(options.order)}
    how |= {"placeholders": options.placeholders, "encoding": options.encoding}
    return how | {"n_resamples": options.n_resamples, "rng": options.seed}


def orders_of(given: Sequence[str] | None) -> dict[str, list[str]] | None:
    """Return {column: its words in order} for arguments such as size=small,medium,large, or None if there are none."""
    if not given:
        return None
    orders: dict[str, list[str]] = {}
    for each in given:
        name, equals, words = each.partition("=")
        if not equals or not name or not words:
            raise Refusal(f"--order takes COLUMN=WORD,WORD,..., such as size=small,medium,large, not {echo(each)}.")
        if name in orders:
            raise Refusal(f"--order names column {echo(name)} twice; give each column one order.")
        orders[name] = next(csv.reader([words], skipinitialspace=True))
    return orders
