"""`explorer export lab`: a state of a lab as one HTML file, whose main slider works without a server.

With --widget the file holds only the main picture and that slider, as one HTML element to paste into a page.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from explorer.checks import Refusal
from explorer.files.file_endings import PAGES
from explorer.files.whole_files import writable, write
from explorer.languages import use_language
from explorer.markup import meant
from explorer.printing import echo

from .lab_state_args import add_state, lab_state, language_of
from .output import Output

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

# a scheme such as javascript: or file:, which does not lead to a web page
NO_PAGE = re.compile(r"\s*(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)

EXAMPLES = (
    "explorer export shrinkage",
    'explorer export twosample --preset "no difference" -o twosample.html',
    "explorer export shrinkage --widget -o widget.html",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_state(parser)
    parser.add_argument(
        "-o", "--out", metavar="FILE", help="or - for standard output; default: the lab's name with .html"
    )
    parser.add_argument("--widget", action="store_true", help="only its picture and slider, to paste into a page")
    parser.add_argument(
        "--script", metavar="NAME.js", help="the script that widgets share, or inline; default: kernel-mean-widget.js"
    )
    parser.add_argument("--source", metavar="ADDRESS", help="the link of the line below a widget; default: none")


def run(options: Namespace) -> None:
    """Write the file and report its size."""
    from explorer.exports.state_pages import one_file
    from explorer.workbench import registry

    registry.entry(options.lab)
    out = Output.of(options.out or f"{options.lab}.html")
    out.kind(PAGES, "an exported lab")
    if not options.widget and (options.script or options.source):
        raise Refusal("--script and --source are options of a widget; add --widget.")
    lab, name = lab_state(options)
    with use_language(language_of(options)):
        if options.widget:
            _write_widget(lab, name, out, options.script, options.source or "")
            return
        page = meant(one_file(lab, name)).encode()
    before = out.replaced
    out.write(page)
    out.say(f"Wrote {out.name}, {len(page) / 1e6:.1f} MB{before}.")


def _write_widget(lab, name, out, script, source):
    """Write a widget and, next to it, the script that it shares with other widgets."""
    from explorer.exports.widget import INLINE, SCRIPT, shared_script, widget

    script = SCRIPT if script is None else script
    if script != INLINE and not script.endswith(".js"):
        raise Refusal(f"--script takes the name of a script, which ends in .js, or {INLINE}, not {echo(script)}.")
    if NO_PAGE.match(source):
        raise Refusal(f"--source takes an address such as https://... or ../shrinkage.html, not {echo(source)}.")
    if out.path is None and script != INLINE:
        raise Refusal(f"a widget on standard output has no folder for its script; add --script {INLINE}.")
    beside = None if script == INLINE or out.path is None else _place_of(script, out.path)
    made = widget(lab, name, script, source)
    before = out.replaced
    out.write(meant(made.html))
    left_out = "" if made.stops == made.of else f"; {made.stops} of the {made.of} stops of its slider, to stay small"
    out.say(f"Wrote {out.name}, {made.size / 1e3:.0f} kB{before}{left_out}.")
    if beside is not None:
        whole = shared_script()
        there = beside.exists() and beside.read_text(encoding="utf-8", errors="replace") == whole
        write(beside, whole)
        done = "is unchanged" if there else "is written"
        print(f"All widgets of a page share {script}: {beside} {done}, {len(whole) / 1e3:.0f} kB.")  # noqa: T201


def _place_of(script, out):
    """Return the path of the shared script: in the file's folder, or in the folder below it that its name gives."""
    from explorer.exports.widget import MARK

    elsewhere = script.startswith("/") or NO_PAGE.match(script) or "//" in script
    place = out.parent / (script.rpartition("/")[2] if elsewhere else script)
    writable(place)
    if place.exists() and not place.read_text(encoding="utf-8", errors="replace").startswith(MARK):
        raise Refusal(f"{place} is a different script, and would be overwritten; give --script another name.")
    return place
