"""`explorer export lab`: a state of a lab as one HTML file, its main slider alive without a server.

With --widget it is the main picture and that slider alone, as one element that one pastes into a page.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl

from explorer.checks import Refusal
from explorer.markup import meant
from explorer.printing import listed, shown

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

NO_PAGE = re.compile(r"\s*(?!https?:)[a-z][a-z0-9+.-]*:", re.IGNORECASE)  # an address that leads to none


def arguments(parser: ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("lab", help="such as shrinkage; explorer list labs has their names")
    state = parser.add_mutually_exclusive_group()
    state.add_argument("--preset", metavar="NAME", help="a preset, by a part of its name; default: the first")
    state.add_argument("--link", metavar="WORDS", help='a state by the words of a link, such as "n=50&lam=0.1"')
    state.add_argument("--story", metavar="KEY", help="a story of the lab, at its --step")
    parser.add_argument("--step", metavar="K", help="of the story, counted from 1; default: 1")
    parser.add_argument("-o", "--out", metavar="FILE", help="default: the lab's name with .html")
    parser.add_argument("--widget", action="store_true", help="its picture and slider alone, to paste into a page")
    parser.add_argument(
        "--script", metavar="NAME.js", help="the script that widgets share, or inline; default: kernel-mean-widget.js"
    )
    parser.add_argument("--source", metavar="ADDRESS", help="where the line below a widget leads; default: nowhere")


def run(options: Namespace) -> None:
    """Write the file, and say so."""
    from explorer.exports.onefile import one_file
    from explorer.workbench import registry

    registry.entry(options.lab)
    out = Path(options.out or f"{options.lab}.html")
    if not out.parent.is_dir():
        raise Refusal(f"there is no folder {out.parent} to write {out.name} into.")
    if out.is_dir():
        raise Refusal(f"{out} is a folder; give the name of a file.")
    if options.step and not options.story:
        raise Refusal("--step is of a story; add --story and its key.")
    if not options.widget and (options.script or options.source):
        raise Refusal("--script and --source are of a widget; add --widget.")
    lab, name = _state(options)
    if options.widget:
        _write_widget(lab, name, out, options.script, options.source or "")
        return
    page = meant(one_file(lab, name)).encode()
    before = _before(out)
    out.write_bytes(page)
    print(f"Wrote {out}, {len(page) / 1e6:.1f} MB{before}.")  # noqa: T201


def _before(out):
    return ", in place of the one that was there" if out.exists() else ""


def _write_widget(lab, name, out, script, source):
    """Write a widget, and the script that it shares beside it."""
    from explorer.exports.fragment import INLINE, SCRIPT
    from explorer.exports.widget import shared_script, widget

    script = SCRIPT if script is None else script
    if script != INLINE and not script.endswith(".js"):
        raise Refusal(f"--script takes the name of a script, which ends in .js, or {INLINE}, not {shown(script)}.")
    if NO_PAGE.match(source):
        raise Refusal(f"--source takes an address such as https://... or ../shrinkage.html, not {shown(source)}.")
    made = widget(lab, name, script, source)
    beside = None if script == INLINE else _place_of(script, out)
    before = _before(out)
    out.write_bytes(meant(made.html).encode())
    left_out = "" if made.stops == made.of else f"; {made.stops} of the {made.of} stops of its slider, to stay small"
    print(f"Wrote {out}, {made.size / 1e3:.0f} kB{before}{left_out}.")  # noqa: T201
    if beside is not None:
        whole = shared_script()
        there = beside.exists() and beside.read_text(encoding="utf-8", errors="replace") == whole
        beside.write_text(whole, encoding="utf-8")
        done = "is as it was" if there else "is written"
        print(f"All widgets of a page share {script}: {beside} {done}, {len(whole) / 1e3:.0f} kB.")  # noqa: T201


def _place_of(script, out):
    """Where the shared script is written: beside the file, or in the folder below that its name says."""
    from explorer.exports.widget import MARK

    elsewhere = script.startswith("/") or NO_PAGE.match(script) or "//" in script
    place = out.parent / (script.rpartition("/")[2] if elsewhere else script)
    if not place.parent.is_dir():
        raise Refusal(f"there is no folder {place.parent} to write {place.name} into.")
    if place.exists() and not place.read_text(encoding="utf-8", errors="replace").startswith(MARK):
        raise Refusal(f"{place} is another script, and would be lost; give --script another name.")
    return place


def _state(options):
    """(the lab at the state that is asked for, what the state is called)."""
    from explorer.workbench import registry

    lab_class, stories = registry.entry(options.lab).lab, registry.role(options.lab, "stories")
    if options.link is not None:
        return _linked(lab_class, stories.STORIES, options.link), ""
    if options.story is not None:
        return _at_step(lab_class, stories.STORIES, options.story, options.step or "1")
    preset = _preset(stories.PRESETS, options.preset) if options.preset is not None else stories.PRESETS[0]
    return lab_class(**preset.fields), preset.name


def _at_step(lab_class, stories, key, step):
    """(the lab at a step of a story, what it is called)."""
    from explorer.workbench.stories import find

    story, i = find(stories, key, step)
    return lab_class(**story.steps[i].fields), f"{story.title}, {i + 1} of {len(story.steps)}"


def _linked(lab_class, stories, link):
    """The lab at the words of a link, or of a whole address; what a link may get wrong is refused."""
    from explorer.workbench import registry
    from explorer.workbench.links import OF_THE_PAGE, VERSION, as_of

    words = dict(parse_qsl(link.rpartition("?")[2], keep_blank_values=True))
    if "story" in words:  # its fields, where the link has no others
        words = _at_step(lab_class, stories, words["story"], words.get("step", "1"))[0].flat() | words
    fields = {name: word for name, word in words.items() if name not in OF_THE_PAGE}
    lab, refused = lab_class.from_flat(as_of(words.get("v", VERSION), registry.name_of(lab_class), fields))
    if refused:
        raise Refusal(f"nothing was written: {refused[0]}")
    return lab


def _preset(presets, part):
    """The one preset whose name has a part in it, or is it, in any case."""
    word = part.strip().casefold()
    same = [preset for preset in presets if preset.name.casefold() == word]
    having = same or [preset for preset in presets if word in preset.name.casefold()]
    if len(having) != 1:
        names = listed(preset.name for preset in having or presets)
        why = "fits several presets" if having else "is the name of no preset"
        raise Refusal(f"{shown(part)} {why}; take one of {names}.")
    return having[0]
