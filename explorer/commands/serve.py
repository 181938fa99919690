"""`explorer serve`: the dashboard on this machine."""

from __future__ import annotations

import os
import sys

from explorer.checks import Refusal
from explorer.printing import shown


def arguments(parser):
    """What the command takes."""
    parser.add_argument("--port", type=int, default=None, help="default: $PORT, else 5006")
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")


def run(options):
    """Serve every lab at its own address; blocks until it is interrupted."""
    port = port_of(options.port)
    os.environ.setdefault("BOKEH_RESOURCES", "server")  # no page asks another host for anything
    import panel as pn

    from explorer.pages import open_page
    from explorer.pages.addresses import LABS, page_class

    home = f"http://localhost:{port}/{next(iter(LABS))}"
    print(f"Kernel Mean Explorer is at {home}\nStop it with Ctrl+C.", flush=True)  # noqa: T201, the command's output
    for name in LABS:
        page_class(name)()  # what a page imports as it goes, the first visitor does not wait for
    pages = {name: (lambda name=name: open_page(name)) for name in LABS}
    pn.serve(pages, port=port, title="Kernel Mean Explorer", show=not options.no_open and _has_screen(), verbose=False)


def port_of(given):
    """The port that is asked for."""
    word = os.environ.get("PORT", "5006") if given is None else str(given)
    if not word.isdigit() or not 0 < int(word) < 65536:
        raise Refusal(f"the port must be a whole number from 1 to 65535, not {shown(word)}; set PORT or --port.")
    return int(word)


def _has_screen():
    """Whether a browser could open; elsewhere opening one would start a text browser in the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
