"""`explorer film lab`: the animation that Play shows at a state of a lab, as a GIF or an MP4."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.checks import Refusal
from explorer.languages import use_language
from explorer.printing import echo, join_list

from .lab_state_args import add_state, lab_state, language_of
from .output import Output
from .progress import waiting

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

EXAMPLES = (
    "explorer film shrinkage",
    "explorer film shrinkage --dark --width 480 -o shrinkage.mp4",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    add_state(parser)
    parser.add_argument(
        "-o",
        "--out",
        metavar="FILE",
        help="ends in .gif or .mp4, or - for a GIF on standard output; default: the lab's name with .gif",
    )
    parser.add_argument("--dark", action="store_true", help="on a dark background")
    parser.add_argument(
        "--seconds", type=float, metavar="S", help="length of the film; default: 0.15 for each stop, at most 10.5"
    )
    parser.add_argument("--width", type=int, metavar="PX", help="width of the film, 320 to 1600; default: 720")


def run(options: Namespace) -> None:
    """Write the film and report its size."""
    from explorer.exports.film import WIDTH, Film
    from explorer.exports.footage import KINDS
    from explorer.workbench import registry

    registry.entry(options.lab)
    out = Output.of(options.out or f"{options.lab}.gif")
    kind = "gif" if out.path is None else out.path.suffix.lower().removeprefix(".")
    if kind not in KINDS:
        raise Refusal(
            f"a film ends in {join_list((f'.{each}' for each in KINDS), between=' or ')},"
            f" not {echo(Path(out.name).name)}."
        )
    begun = time.monotonic()
    with waiting(f"A film of {options.lab}"), use_language(language_of(options)):
        film = Film.of(lab_state(options)[0], WIDTH if options.width is None else options.width, options.dark)
        made = KINDS[kind](film, options.seconds)
    taken, before = time.monotonic() - begun, out.replaced
    out.write(made)
    wide, high = film.size
    out.say(
        f"Wrote {out.name}, {len(film)} stops in {film.times(options.seconds).sum():.3g} s, {wide} × {high} px,"
        f" {len(made) / 1e6:.2f} MB, in {taken:.1f} s{before}."
    )
