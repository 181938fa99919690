"""`explorer site -o public`: essays, widgets, gallery, reference, lessons and labs as files for any static host."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.checks import Refusal

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

EXAMPLES = (
    "explorer site -o public",
    "explorer site -o public --fast",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("-o", "--out", metavar="FOLDER", required=True, help="where the site goes; created if missing")
    parser.add_argument("--fast", action="store_true", help="leave out parts that take longer than a minute")


def run(options: Namespace) -> None:
    """Write the site and report its size."""
    from explorer.site.build import build

    if sys.flags.optimize > 1:
        raise Refusal("the reference is made of docstrings, and python -OO leaves none; run it without -OO.")
    site = build(Path(options.out), options.fast)
    taken = sum(site.seconds.values())
    print(f"Wrote {site.pages} pages, {site.size / 1e6:.1f} MB, into {site.folder} in {taken:.0f} s.")  # noqa: T201
