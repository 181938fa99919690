"""Texts as a notebook holds them and `unpacking.js` unpacks them: gzip in base 64, a third of their length."""

from __future__ import annotations

import base64
import gzip


def compressed(text: str) -> str:
    """A text of JSON as the browser unpacks it."""
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
