"""Report on all pairs of groups of a table: one HTML page with the verdict and a table of pairs."""

from __future__ import annotations

from typing import Any

from explorer.markup import Markup, joined, markup
from explorer.printing import plural, truncate
from explorer.recipe import pasted

from .report import WIDE, page_html, section, table
from .table import name

WIDEST = 60  # most characters of a cell in a terminal
HEAD = ("Groups", "Rows", "Adjusted p", "Columns that differ")


def pairs_report(found: Any) -> Markup:
    """Return the whole page."""
    heading = markup("The groups of {}", name(found.by))
    verdict = markup("<p class='verdict'>{}</p>", found.verdict)
    how = markup("<pre tabindex='0'><code>{}</code></pre>", pasted(found.python))
    sections = joined([section("Pairs of groups", table_of_pairs(found)), section("How to repeat it", how)])
    title = f"{plural(len(found.differing), 'pair')} of groups differ{'s' if len(found.differing) == 1 else ''}"
    return page_html(title, heading, verdict, sections)


def table_of_pairs(found: Any) -> Markup:
    """Return an HTML table with a row for each pair, least adjusted p first."""
    about = markup(
        "<p>Every pair of groups is compared, and p is adjusted for all {}. The columns listed differ at the level {:g}"
        " over all columns of the pair.</p>",
        plural(len(found.pairs), "pair"), found.level,
    )  # fmt: skip
    rows = [_row(pair) for pair in sorted(found.pairs, key=lambda pair: pair.adjusted)]
    return markup("{}{}", about, table("pairs", HEAD, rows, "Pairs of groups"))


def _row(pair):
    """Return the cells of a pair's row."""
    badge = markup(' <b class="differs">differs</b>') if pair.differ else ""
    columns = joined((name(column.label) for column in pair.differing[:WIDE]), ", ")
    more = f" and {len(pair.differing) - WIDE} more" if len(pair.differing) > WIDE else ""
    return (
        markup("{} and {}{}", *map(name, pair.names), badge),
        pair.sizes,
        f"{pair.adjusted:.3g}",
        markup("{}{}", columns or "none", more),
    )


def pairs_in_a_terminal(found: Any) -> str:
    """Return a line for each pair, least adjusted p first: the groups, their rows, p, and the columns that differ.

    Parameters
    ----------
    found : GroupComparison
        The comparison of all pairs.

    Returns
    -------
    str
        Lines with aligned columns.
    """
    order = sorted(found.pairs, key=lambda pair: pair.adjusted)
    rows = [tuple(map(str.lower, HEAD))]
    for pair in order:
        columns = ", ".join(column.label for column in pair.differing) or "none"
        words = (" and ".join(pair.names), f"{pair.n:,} and {pair.m:,}", f"{pair.adjusted:.3g}", columns)
        rows.append(tuple(truncate(each, WIDEST) for each in words))
    widths = [max(len(row[j]) for row in rows) for j in range(len(HEAD) - 1)]
    return "\n".join("  ".join([*map(str.ljust, row, widths), row[-1]]) for row in rows)
