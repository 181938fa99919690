"""`explorer export lab`: a state of a lab as one HTML file, its main slider alive without a server."""

from __future__ import annotations

from typing import TYPE_CHECKING

from explorer.markup import meant

from .states import add_state, replaced, state_of, writable

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    add_state(parser)
    parser.add_argument("-o", "--out", metavar="FILE", help="default: the lab's name with .html")


def run(options: Namespace) -> None:
    """Write the file, and say so."""
    from explorer.exports.onefile import one_file
    from explorer.workbench import registry

    registry.entry(options.lab)
    out = writable(options.out or f"{options.lab}.html")
    page = meant(one_file(*state_of(options))).encode()
    before = replaced(out)
    out.write_bytes(page)
    print(f"Wrote {out}, {len(page) / 1e6:.1f} MB{before}.")  # noqa: T201
