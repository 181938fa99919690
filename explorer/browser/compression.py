"""Compression of texts in a notebook, for `unpacking.js`: gzip in base 64, a third of their length."""

from __future__ import annotations

import base64
import gzip


def compress_text(text: str) -> str:
    """Compress a JSON text for the browser.

    Parameters
    ----------
    text : str
        The text.

    Returns
    -------
    str
        The text in gzip and base 64.
    """
    return base64.b64encode(gzip.compress(text.encode(), 9, mtime=0)).decode()
