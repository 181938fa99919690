"""Claims that the texts state in a sentence, without a figure or table, as studies with verdicts."""

from __future__ import annotations

from .entries import REMARKS as REMARKS
