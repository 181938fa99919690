"""What a narrow page does differently."""

from __future__ import annotations

NARROW = "@media (max-width: 700px)"  # below it the columns of a lab stand one below the other
