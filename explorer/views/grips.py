"""How near a hand must be to what a figure lets it hold."""

from __future__ import annotations

REACH = 12  # px around a handle
