"""Names with which a shell completes an argument: labs, presets, stories, figures, public names and sections."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import Action, Namespace


def completed_by(action: Action, names: Callable[[Namespace], Iterable[str]]) -> None:
    """Let a shell complete an argument with the names that `names` gives of the options before it."""
    vars(action)["completer"] = lambda parsed_args, **_: list(names(parsed_args))


def labs(_: Any = None) -> Iterable[str]:
    """Return the names of the labs."""
    from explorer.workbench import registry

    return registry.names()


def presets(options: Namespace) -> Iterable[str]:
    """Return the names of the presets of the lab that is named."""
    return [preset.name for preset in _stories(options).PRESETS]


def stories(options: Namespace) -> Iterable[str]:
    """Return the keys of the stories of the lab that is named."""
    return [story.key for story in _stories(options).STORIES]


def figures(_: Any = None) -> Iterable[str]:
    """Return the names of what `explorer reproduce` computes."""
    from explorer.papers.catalogue import ENTRIES

    return ENTRIES


def public_names(_: Any = None) -> Iterable[str]:
    """Return the names that `from explorer import` takes."""
    import explorer

    return [name for name in dir(explorer) if not name.startswith("_")]


def entries_of_section(options: Namespace) -> Iterable[str]:
    """Return the names in the section of `explorer list` that is named."""
    from .list import KINDS

    return [name.removeprefix("/") for name, _ in KINDS[options.kind]()] if options.kind in KINDS else []


def _stories(options):
    from explorer.workbench import registry

    return registry.role(options.lab, "stories")
