"""What the texts claim in a sentence, with no figure or table of it, as studies with verdicts."""

from __future__ import annotations

from .entries import REMARKS as REMARKS
