"""Type of the page that owns a part. Importing `LabPage` in parts would be circular, so they use this name."""

from __future__ import annotations

from typing import Any, TypeAlias

Page: TypeAlias = Any  # a LabPage
