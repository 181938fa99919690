"""The verdict of a comparison in two plain sentences, for the head of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.markup import joined, markup
from explorer.printing import cut, short

from .table import counted, name

if TYPE_CHECKING:
    from explorer.markup import Markup


NAMED = 5  # columns or batches that a sentence names
REASON = 120  # characters


def title_of(comparison: Any) -> str:
    """What a browser calls the page."""
    first, second = map(short, comparison.names)
    if comparison.differ:
        return f"{first} and {second} differ"
    where = f" in {comparison.compared}" if comparison.columns_left_out else ""
    return f"No difference between {first} and {second} found{where}"


def verdict_of(comparison: Any) -> tuple[Markup, ...]:
    """(Whether they differ, which columns do; copies of rows, new levels, and notes, if there are some)."""
    more = filter(None, [comparison.said_of_copies, comparison.said_of_levels, comparison.noted])
    return _joint(comparison), _columns(comparison), *(markup("{}", words) for words in more)


def _joint(comparison):
    first, second = map(name, comparison.names)
    left = _left(comparison)
    if comparison.batches:
        some = [batch for batch in comparison.batches if batch.differ]
        count = len(comparison.batches)
        if not some:
            return markup("None of {} batches is found to differ from {} (least adjusted p = {:.3g}){}.", count, first,
                          comparison.pvalue, left)  # fmt: skip
        which = _named([batch.names[1] for batch in some])
        return markup("{} of {} batches differ from {}: {} (least adjusted p = {:.3g}){}.", len(some), count, first,
                      which, comparison.pvalue, left)  # fmt: skip
    p = f"(p = {comparison.pvalue:.3g}; {comparison.n:,} and {comparison.m:,} rows)"
    if comparison.differ:
        return markup("<b>{} and {} differ</b> {}{}.", first, second, p, left)
    where = f" in {comparison.compared}" if comparison.columns_left_out else ""
    return markup("<b>No difference is found{}</b> between {} and {} {}{}.", where, first, second, p, left)


def _left(comparison):
    """Which columns and groups are not compared, and why, for the end of a sentence."""
    each = [markup("{} ({})", name(one), cut(why, REASON)) for one, why in comparison.left_out.items()]
    if not each:
        return ""
    more = f" and {len(each) - NAMED} more" if len(each) > NAMED else ""
    return markup("; not compared: {}{}", joined(each[:NAMED], ", "), more)


def _columns(comparison):
    count, level = len(comparison.columns), comparison.level
    if not count:
        return markup("Sketches keep no rows, so there are no columns to tell apart.")
    names = [column.called for column in comparison.differing]
    if count + len(comparison.gaps) == 1:
        return _only_column(comparison)
    over = f"At the level {level:g} over all {counted(comparison)},"
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
