"""Names with which a shell completes an argument: labs, presets, stories, figures and public names."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from argparse import Action, Namespace


def completed_by(action: Action, names: Callable[[Namespace], Iterable[str]]) -> None:
    """Register the names that complete an argument in a shell: `names` computes them from the options before it."""
    vars(action)["completer"] = lambda parsed_args, **_: list(names(parsed_args))


def labs(_: Any = None) -> Iterable[str]:
    """Return the names of the labs."""
    return [each.name for each in iter_modules(import_module("explorer.labs").__path__) if each.ispkg]


def presets(options: Namespace) -> Iterable[str]:
    """Return the names of the presets of the lab that the options name."""
    return [preset.name for preset in _content(options).presets]


def stories(options: Namespace) -> Iterable[str]:
    """Return the keys of the stories of the lab that the options name."""
    return [story.key for story in _content(options).stories]


def figures(_: Any = None) -> Iterable[str]:
    """Return the names of the figures and tables that `explorer reproduce` computes."""
    from explorer.papers.catalogue import ENTRIES

    return ENTRIES


def public_names(_: Any = None) -> Iterable[str]:
    """Return the names that `from explorer import` accepts."""
    return [name for name in dir(import_module("explorer")) if not name.startswith("_")]


def _content(options):
    """Return the content of the lab that the options name."""
    from explorer.workbench.content import content_of

    return content_of(options.lab)
