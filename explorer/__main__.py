"""`python -m explorer serve`: the dashboard on this machine."""

from __future__ import annotations

import argparse
import os
import sys


def main(arguments=None):
    """Read the command line and do what it says."""
    parser = argparse.ArgumentParser(prog="explorer", description="Kernel Mean Explorer")
    commands = parser.add_subparsers(dest="command", required=True)
    serve_command = commands.add_parser("serve", help="serve the labs and open a browser on them")
    serve_command.add_argument("--port", type=int, default=None, help="default: $PORT, else 5006")
    serve_command.add_argument("--no-open", action="store_true", help="do not open a browser")
    options = parser.parse_args(arguments)
    serve(_port(parser, options.port), opens=not options.no_open)


def _port(parser, given):
    word = os.environ.get("PORT", "5006") if given is None else str(given)
    if not word.isdigit() or not 0 < int(word) < 65536:
        parser.error(f"the port must be a whole number from 1 to 65535, not {word!r}; set PORT or --port.")
    return int(word)


def serve(port, opens=True):
    """Serve every lab at its own address; blocks until it is interrupted."""
    os.environ.setdefault("BOKEH_RESOURCES", "server")  # no page asks another host for anything
    import panel as pn

    from explorer.pages import open_page
    from explorer.pages.addresses import LABS, page_class

    home = f"http://localhost:{port}/{next(iter(LABS))}"
    print(f"Kernel Mean Explorer is at {home}\nStop it with Ctrl+C.", flush=True)  # noqa: T201, the command's output
    for name in LABS:
        page_class(name)()  # what a page imports as it goes, the first visitor does not wait for
    pages = {name: (lambda name=name: open_page(name)) for name in LABS}
    pn.serve(pages, port=port, title="Kernel Mean Explorer", show=opens and _has_screen(), verbose=False)


def _has_screen():
    """Whether a browser could open; elsewhere opening one would start a text browser in the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


if __name__ == "__main__":
    main()
