"""What a narrow page does differently."""

from __future__ import annotations

from explorer.browser import NARROW as QUERY

NARROW = f"@media {QUERY}"  # below it the columns of a lab stand one below the other
