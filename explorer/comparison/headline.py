"""The first sentence on a comparison, which the library, the commands and the pages all print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.markup import markup
from explorer.printing import short_name

if TYPE_CHECKING:
    from explorer.markup import Markup


def headline_of(comparison: Any) -> Markup:
    """Return the first sentence, with the verdict in bold: the verdict, p, how much is compared and what is not.

    With several batches it gives the number of batches that differ and the least adjusted p; given columns come first.

    Parameters
    ----------
    comparison : Comparison
        The comparison.

    Returns
    -------
    Markup
        One sentence.
    """
    first, second = (markup("<bdi>{}</bdi>", short_name(name)) for name in comparison.names)
    left = comparison.left_out_text(160)
    left = markup("; not compared: <bdi>{}</bdi>", left) if left else ""
    apart = f"{comparison.subjects_note}{comparison.ungrouped_note}{comparison.encodings_note}"
    p, given = f"{comparison.pvalue:.3g}", comparison.given_text
    start = markup("Given <bdi>{}</bdi>, ", given) if given else ""
    if comparison.batches:
        count, some = len(comparison.batches), sum(batch.differ for batch in comparison.batches)
        none = "none" if given else "None"
        found = f"{some} of {count} batches differ" if some else f"{none} of {count} batches is found to differ"
        return markup(
            "<b>{}{} from {}</b> at the level {} over all (least adjusted p = {}{}){}.",
            start, found, first, f"{comparison.level:g}", p, apart, left,
        )  # fmt: skip
    rows, compared = f"{comparison.n:,} and {comparison.m:,} rows", comparison.compared
    part = bool(comparison.columns_left_out) and not comparison.differ
    sizes = f"{rows}, {compared}" if compared and not part else rows
    sizes = f"{sizes}{apart}"
    where = f" in {compared}" if part else ""
    if comparison.differ:
        return markup("<b>{}{} and {} differ</b> (p = {}; {}){}.", start, first, second, p, sizes, left)
    if given:
        return markup(
            "<b>{}{} and {} are not found to differ{}</b> (p = {}; {}){}.",
            start, first, second, where, p, sizes, left,
        )  # fmt: skip
    return markup(
        "<b>No difference between {} and {} is found{}</b> (p = {}; {}){}.", first, second, where, p, sizes, left
    )
