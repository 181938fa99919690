"""Sections of a report other than the columns: pairs of columns, robustness of the verdict, and power."""

from __future__ import annotations

import warnings
from typing import Any

from explorer.checks import ExplorerWarning
from explorer.kernels.bandwidth_selection import LARGE
from explorer.markup import Markup, joined, markup
from explorer.printing import minus, plural

from .pairs import MOST
from .power import POWER
from .robustness import agreement
from .table import Details, name, no_details

SHOWN = 10  # most pairs in the section on pairs, and most columns in the section on power
FEWEST = 9  # least rows of a sample for the section on robustness; the median of means needs 7


def pairs(comparison: Any, details: Details = no_details) -> Markup | str:
    """Return the pairs of columns whose dependence differs, least p first; `details(pair)` is placed after each."""
    if len(comparison.columns) < 2:
        return ""
    if len(comparison.columns) > MOST:
        return markup("<p>Pairs of at most {} columns are compared: name the columns that matter.</p>", MOST)
    order = sorted(comparison.pairs, key=lambda pair: pair.adjusted)
    found = [pair for pair in order if pair.adjusted <= comparison.level]
    within = " Permuted within subjects." if comparison.subjects is not None else ""
    about = (
        "How columns depend on each other, whatever their own distributions: computed from the ranks within each"
        f" sample.{within}"
    )
    if not found:
        least = f"{order[0].adjusted:.3g}"
        several = f"The dependence is not found to differ in any of {len(order)} pairs (least adjusted p = {least})."
        one = f"Their dependence is not found to differ (p = {least})."
        return markup("<p>{} {}</p>", about, several if len(order) > 1 else one)
    told = joined(markup("<li>{}{}</li>", _pair(pair), details(pair)) for pair in found[:SHOWN])
    rest = f"and {plural(len(found) - SHOWN, 'more pair')}" if len(found) > SHOWN else ""
    of_all = f"{len(found)} of {plural(len(order), 'pair')} differ{'s' if len(found) == 1 else ''}."
    return markup("<p>{} {}</p><ul>{}</ul>{}", about, of_all, told, markup("<p>{}</p>", rest) if rest else "")


def _pair(pair):
    """Return a sentence on a pair."""
    before, after = (minus(f"{value:.2f}") for value in (pair.before, pair.after))
    return markup(
        "{} and {}: {} is {} before and {} after (adjusted p = {:.3g}).",
        name(pair.first), name(pair.second), pair.measure, before, after, pair.adjusted,
    )  # fmt: skip


def robustness(comparison: Any) -> Markup | str:
    """Return sentences on whether the verdict rests on a few rows; "" without a difference, and for several batches.

    Within subjects it is the median of means only: the other methods require independent rows.
    """
    if comparison.batches or not comparison.differ or min(comparison.n, comparison.m) < FEWEST:
        return ""
    subjects = comparison.subjects is not None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ExplorerWarning)  # rows that mostly coincide give no bandwidth, which warns
        few = comparison.n + comparison.m <= LARGE and not subjects
        without = comparison.without_influential_rows(3) if few else None
        withstood = None if subjects else comparison.rows_withstood()
        said = agreement(comparison.level, without, withstood, comparison.median_of_means_test())
    return markup("<ul>{}</ul>", joined(markup("<li>{}</li>", each) for each in said))


def power(comparison: Any, details: Details = no_details) -> Markup | str:
    """Return what each column's test would have detected at these sizes; `details(column)` is placed after each.

    Return "" within subjects, since the power is not known there.
    """
    if comparison.subjects is not None:
        return ""
    each = comparison.detectable
    told = joined(markup("<li><bdi>{}</bdi>{}</li>", str(found), details(found.column)) for found in each[:SHOWN])
    rest = f"and {plural(len(each) - SHOWN, 'more column')}" if len(each) > SHOWN else ""
    about = (
        f"The least change that would be detected at these sizes in {100 * POWER:g} of 100 samples, at the level"
        f" {comparison.level:g} over all columns."
    )
    return markup("<p>{}</p><ul>{}</ul>{}", about, told, markup("<p>{}</p>", rest) if rest else "")
