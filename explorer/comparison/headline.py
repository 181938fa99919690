"""The first sentence on a comparison, which the library, the commands and the pages all print."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from explorer.markup import markup
from explorer.printing import short

if TYPE_CHECKING:
    from explorer.markup import Markup


def headline_of(comparison: Any) -> Markup:
    """Whether they differ, p, how much is compared and what is not, with the verdict in bold.

    Of several batches how many differ, and the least adjusted p.
    """
    first, second = (markup("<bdi>{}</bdi>", short(name)) for name in comparison.names)
    left = comparison.left_in_words(160)
    left = markup("; not compared: <bdi>{}</bdi>", left) if left else ""
    p = f"{comparison.pvalue:.3g}"
    if comparison.batches:
        count, some = len(comparison.batches), sum(batch.differ for batch in comparison.batches)
        found = f"{some} of {count} batches differ" if some else f"None of {count} batches is found to differ"
        return markup(
            "<b>{} from {}</b> at the level {} over all (least adjusted p = {}){}.",
            found, first, f"{comparison.level:g}", p, left,
        )  # fmt: skip
    rows, compared = f"{comparison.n:,} and {comparison.m:,} rows", comparison.compared
    sizes = f"{rows}, {compared}" if compared else rows
    if comparison.differ:
        return markup("<b>{} and {} differ</b> (p = {}; {}){}.", first, second, p, sizes, left)
    if comparison.columns_left_out:
        return markup(
            "<b>No difference between {} and {} is found in {}</b> (p = {}; {}){}.",
            first, second, compared, p, rows, left,
        )  # fmt: skip
    return markup("<b>No difference between {} and {} is found</b> (p = {}; {}){}.", first, second, p, sizes, left)
