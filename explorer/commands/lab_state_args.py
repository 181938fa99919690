"""Arguments that name a state of a lab: a preset, the query parameters of a link, or a step of a story."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl

from explorer.checks import Refusal
from explorer.languages import ENGLISH
from explorer.printing import echo, join_list

from . import completers
from .completers import completed_by

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

    from explorer.workbench.lab import Lab
    from explorer.workbench.stories import Preset, Story


def add_state(parser: ArgumentParser) -> None:
    """Add the arguments that name a lab and one of its states."""
    lab = parser.add_argument("lab", help="such as shrinkage; explorer list labs has their names")
    completed_by(lab, completers.labs)
    state = parser.add_mutually_exclusive_group()
    preset = state.add_argument("--preset", metavar="NAME", help="a preset, by a part of its name; default: the first")
    completed_by(preset, completers.presets)
    state.add_argument("--link", metavar="WORDS", help='a state by the query of a link, such as "n=50&lam=0.1"')
    story = state.add_argument("--story", metavar="KEY", help="a story of the lab, at its --step")
    completed_by(story, completers.stories)
    parser.add_argument("--step", metavar="K", help="of the story, counted from 1; default: 1")


def language_of(options: Namespace) -> str:
    """Return the language code that the link asks for with lang; English by default."""
    return dict(parse_qsl((options.link or "").rpartition("?")[2])).get("lang", ENGLISH)


def lab_state(options: Namespace) -> tuple[Lab, str]:
    """Return (lab, name): the lab at the requested state, and the name of that state."""
    from explorer.workbench import registry
    from explorer.workbench.content import content_of

    lab_class, content = registry.entry(options.lab).lab, content_of(options.lab)
    if options.step and not options.story:
        raise Refusal("--step is a step of a story; add --story and its key.")
    if options.link is not None:
        return _from_link(lab_class, content.stories, options.link), ""
    if options.story is not None:
        return _at_step(lab_class, content.stories, options.story, options.step or "1")
    preset = _preset(content.presets, options.preset) if options.preset is not None else content.presets[0]
    return lab_class(**preset.fields), preset.name


def _at_step(lab_class: type[Lab], stories: tuple[Story, ...], key: str, step: str) -> tuple[Any, str]:
    """Return (lab, name): the lab at a step of a story, and the name of the step."""
    from explorer.workbench.stories import find

    story, i = find(stories, key, step)
    return lab_class(**story.steps[i].fields), f"{story.title}, {i + 1} of {len(story.steps)}"


def _from_link(lab_class: type[Lab], stories: tuple[Story, ...], link: str) -> Lab:
    """Return the lab at the query parameters of a link or of a whole address; refuse parameters that do not fit."""
    from explorer.workbench import registry
    from explorer.workbench.links import OF_THE_PAGE, VERSION, as_of

    words = dict(parse_qsl(link.rpartition("?")[2], keep_blank_values=True))
    if "story" in words:  # The fields of the story's step; the link's own fields take precedence.
        words = _at_step(lab_class, stories, words["story"], words.get("step", "1"))[0].flat() | words
    fields = {name: word for name, word in words.items() if name not in OF_THE_PAGE}
    lab, refused = lab_class.from_flat(as_of(words.get("v", VERSION), registry.name_of(lab_class), fields))
    if refused:
        raise Refusal(f"nothing was written: {refused[0]}")
    return lab


def _preset(presets: tuple[Preset, ...], part: str) -> Preset:
    """Return the preset whose name equals `part`, or the only one whose name contains it. Case does not matter."""
    word = part.strip().casefold()
    same = [preset for preset in presets if preset.name.casefold() == word]
    having = same or [preset for preset in presets if word in preset.name.casefold()]
    if len(having) != 1:
        names = join_list(preset.name for preset in having or presets)
        why = "fits several presets" if having else "is the name of no preset"
        raise Refusal(f"{echo(part)} {why}; take one of {names}.")
    return having[0]
