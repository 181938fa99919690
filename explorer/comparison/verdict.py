"""The verdict of a comparison in two plain sentences, for the head of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.markup import joined, markup
from explorer.printing import short

from .table import name

if TYPE_CHECKING:
    from explorer.markup import Markup


NAMED = 5  # columns or batches that a sentence names


def title_of(comparison: Any) -> str:
    """What a browser calls the page."""
    first, second = map(short, comparison.names)
    return f"{first} and {second} differ" if comparison.differ else f"No difference between {first} and {second} found"


def verdict_of(comparison: Any) -> tuple[Markup, Markup]:
    """(Whether they differ, which columns do)."""
    return _joint(comparison), _columns(comparison)


def _joint(comparison):
    first, second = map(name, comparison.names)
    if comparison.batches:
        some = [batch for batch in comparison.batches if batch.differ]
        count = len(comparison.batches)
        if not some:
            return markup("None of {} batches is found to differ from {} (least adjusted p = {:.3g}).", count, first,
                          comparison.pvalue)  # fmt: skip
        which = _named([batch.names[1] for batch in some])
        return markup("{} of {} batches differ from {}: {} (least adjusted p = {:.3g}).", len(some), count, first,
                      which, comparison.pvalue)  # fmt: skip
    sizes = f"{comparison.n:,} and {comparison.m:,} rows"
    if comparison.differ:
        return markup("<b>{} and {} differ</b> (p = {:.3g}; {}).", first, second, comparison.pvalue, sizes)
    return markup(
        "<b>No difference is found</b> between {} and {} (p = {:.3g}; {}).", first, second, comparison.pvalue, sizes
    )


def _columns(comparison):
    count, level = len(comparison.columns), comparison.level
    if not count:
        return markup("Sketches keep no rows, so there are no columns to tell apart.")
    names = [column.name for column in comparison.differing]
    if count == 1:
        return _only_column(comparison)
    over = f"At the level {level:g} over all {count} columns,"
    if names:
        return markup("{} {} differ{}: {}.", over, len(names), "s" if len(names) == 1 else "", _named(names))
    if not comparison.differ:
        return markup("{} none is found to differ.", over)
    return markup("{} none is found to differ by itself.{}", over, comparison.beyond_columns)


def _only_column(comparison):
    (column,) = comparison.columns
    if comparison.differing:
        return markup("They are compared by one column, {}, which differs.", name(column.name))
    return markup("They are compared by one column, {}.", name(column.name))


def _named(names):
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return markup("{}{}", joined((name(each) for each in names[:NAMED]), ", "), more)
