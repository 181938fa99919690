"""Entry point of the group panel.io.rest, which `panel serve` loads from an installed explorer before it starts.

A process serves the files of a widget set once it has imported it. With --num-procs the server forks before any page
is shown, and a process that has shown no page would answer 404; the browser would then show an empty page. So the pages
are imported before the fork.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

if any(word.startswith("--num-procs") for word in sys.argv):
    from explorer.pages import page as page


def health(files: Sequence[str], endpoint: str) -> Sequence[Any]:
    """Return the routes of `panel serve --rest-provider explorer`: /healthz and /preview, as in `explorer serve`."""
    from explorer.pages.previews.meta_tags import serve_pictures
    from explorer.pages.serving.panel_plugin import ROUTES

    serve_pictures()
    return ROUTES
