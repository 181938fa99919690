"""The options of commands that compare tables as `compare` does, and the Comparison of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer import checks
from explorer.checks import Refusal
from explorer.comparison import Comparison, GroupComparison, compare, compare_groups
from explorer.comparison.periods import PERIODS
from explorer.discrepancy.answer import level_checked

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def arguments(parser: ArgumentParser) -> None:
    """Add the options that say what is compared, and how."""
    parser.add_argument(
        "--by",
        metavar="COLUMN",
        help="a column that names the groups of one file: the first is compared with each of the others; "
        f"{', '.join(PERIODS)}, if no column is called so, are those of its dates",
    )
    parser.add_argument("--reference", metavar="GROUP", help="the group of --by that the others are compared with")
    parser.add_argument(
        "--within",
        metavar="COLUMN",
        help="a column that names subjects, such as patients, that are in both samples: values are compared within "
        "each of them, and rows of others are left out",
    )
    parser.add_argument("--columns", nargs="+", help="columns to compare; default: all that can be compared")
    parser.add_argument(
        "--missing",
        choices=("value", "drop", "refuse"),
        default="value",
        help="empty cells: compared as data, or their rows dropped, or refused; default: value",
    )
    parser.add_argument("--permutations", type=int, default=999)
    parser.add_argument("--level", type=float, default=0.05, help="of the verdict, and of all columns together")
    parser.add_argument("--seed", type=int, default=0)


def check(options: Namespace) -> None:
    """Refuse options that cannot be, before anything is read."""
    checks.whole(options.permutations, "--permutations", 1)
    level_checked(options.level)
    files = [options.first, *options.others]
    if len(files) == 1 and options.by is None:
        raise Refusal("there is one table, and nothing to compare it with; give a second file, or --by COLUMN.")
    if len(files) > 1 and options.by is not None:
        raise Refusal("--by names the groups of one file; give one, or leave --by out.")
    if options.reference is not None and options.by is None:
        raise Refusal("--reference names a group of --by, and of files the first is the reference; put it first.")


def compared(options: Namespace) -> Comparison:
    """Return the Comparison of the files, or of the groups of one."""
    check(options)
    from .test import in_options  # which may use this module's options itself

    others = options.others if len(options.others) > 1 else (options.others or [None])[0]
    with in_options():
        return compare(options.first, others, by=options.by, reference=options.reference, **_how(options))


def each_pair_compared(options: Namespace) -> GroupComparison:
    """Return the GroupComparison of the groups of one file."""
    check(options)
    if options.by is None:
        raise Refusal("--pairs compares each two groups of one file; give --by COLUMN.")
    if options.reference is not None:
        raise Refusal("--pairs compares each two groups, and --reference one with all others; leave one of them out.")
    from .test import in_options

    with in_options():
        return compare_groups(options.first, by=options.by, **_how(options))


def _how(options) -> dict[str, Any]:
    """The arguments that all comparisons have in common."""
    how = {"columns": options.columns, "within": options.within, "missing": options.missing, "level": options.level}
    return how | {"n_resamples": options.permutations, "rng": options.seed}
