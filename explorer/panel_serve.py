"""What `panel serve` loads of an installed explorer before it starts: the entry point of group panel.io.rest.

A process serves the files of a widget set once it has imported it. With --num-procs the processes part before any page
is shown, and one that has shown none would answer 404, to a browser that then shows an empty page. So the pages are
loaded before they part.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

if any(word.startswith("--num-procs") for word in sys.argv):
    from explorer.pages import page as page


def health(files: Sequence[str], endpoint: str) -> Sequence[Any]:
    """The routes of `panel serve --rest-provider explorer`: /healthz and /preview, as `explorer serve` has them."""
    from explorer.pages.previews.page_urls import serve_pictures
    from explorer.pages.serving.panel_plugin import ROUTES

    serve_pictures()
    return ROUTES
