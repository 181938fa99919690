"""The verdict of a comparison in a few plain sentences, for the head of a report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.markup import joined, markup
from explorer.printing import short_name

from .headline import headline_of
from .table import counted, name

if TYPE_CHECKING:
    from explorer.markup import Markup


NAMED = 5  # most columns or batches that a sentence names
# The reason why columns may differ although the joint test finds no difference
WHY_ALONE = (
    "Each of the two tests keeps the level, the joint test for differences of every kind, the column test for single"
    " columns only. To use whichever of them rejects would not keep it."
)


def title_of(comparison: Any) -> str:
    """Return the title of the page.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    str
        The verdict in a few words.
    """
    first, second = map(short_name, comparison.names)
    if comparison.differ:
        return f"{first} and {second} differ" + (f" given {comparison.given_text}" if comparison.given else "")
    where = f" in {comparison.compared}" if comparison.columns_left_out else ""
    where += f" given {comparison.given_text}" if comparison.given else ""
    return f"No difference between {first} and {second} found{where}"


def verdict_of(comparison: Any) -> tuple[Markup, ...]:
    """Return sentences: the verdict, the columns that differ, and those on copies of rows, new levels and notes.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    tuple of Markup
        Sentences; those that do not apply are left out.
    """
    said = [comparison.overlap_sentence, comparison.copies_sentence, comparison.new_levels_sentence, comparison.noted]
    batches = [batch.names[1] for batch in comparison.batches if batch.differ]
    which = [markup("They are {}.", _named(batches))] if batches else []
    more = [markup("{}", words) for words in said if words]
    return headline_of(comparison), *which, _columns(comparison), *more


def _columns(comparison):
    """Return a sentence on the columns that differ."""
    count, level = len(comparison.columns), comparison.level
    if not count:
        return markup("Sketches keep no rows, so single columns are not tested.")
    names = [column.label for column in comparison.differing]
    if count + len(comparison.gaps) == 1:
        return _only_column(comparison)
    over = f"At the level {level:g} over all {counted(comparison)},"
    if names and not comparison.differ:
        return markup("Tested one by one, {} differ{}: {}. {}", len(names), "s" if len(names) == 1 else "",
                      _named(names), WHY_ALONE)  # fmt: skip
    if names:
        return markup("{} {} differ{}: {}.", over, len(names), "s" if len(names) == 1 else "", _named(names))
    if not comparison.differ:
        return markup("{} none is found to differ.", over)
    return markup("{} none is found to differ by itself.{}", over, comparison.beyond_columns)


def _only_column(comparison):
    """Return a sentence on the only compared column."""
    (column,) = comparison.columns
    if comparison.differing and not comparison.differ:
        return markup("Only one column is compared, {}, and it differs by its own test. {}", name(column.name),
                      WHY_ALONE)  # fmt: skip
    if comparison.differing:
        return markup("Only one column is compared, {}, and it differs.", name(column.name))
    return markup("Only one column is compared, {}.", name(column.name))


def _named(names):
    """Return the first names, and the number of the others."""
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return markup("{}{}", joined((name(each) for each in names[:NAMED]), ", "), more)
