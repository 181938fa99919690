"""The page that a part belongs to, as parts know it: by its class the imports would go round in a circle."""

from __future__ import annotations

from typing import Any, TypeAlias

Page: TypeAlias = Any  # a LabPage
