"""References in the lists of errata and of topics: objects, studies, labs and lessons."""

from __future__ import annotations

from importlib import import_module
from urllib.parse import parse_qsl, urlsplit

from helpers.lessons import NOTEBOOKS, prose_of, read

from explorer.papers.catalogue import ENTRIES
from explorer.workbench import registry


def resolve(name):
    """Return the object that a dotted name refers to."""
    parts = name.split(".")
    for end in range(len(parts), 0, -1):
        try:
            thing = import_module(".".join(parts[:end]))
        except ModuleNotFoundError:
            continue
        for part in parts[end:]:
            thing = getattr(thing, part)
        return thing
    raise AssertionError(name)


def open_reference(where):
    """Return what a reference names: the object of a dotted name, a study, a lab in its state, or a lesson's prose."""
    kind, _, name = where.rpartition(" ")
    if kind == "reproduce":
        return ENTRIES[name].study
    if kind == "lesson":
        return next(prose_of(read(path)) for path in NOTEBOOKS if path.stem.startswith(name))
    if kind == "lab":
        link = urlsplit(name)
        lab, refused = registry.entry(link.path.strip("/")).lab.from_flat(dict(parse_qsl(link.query)))
        assert refused == []
        return lab.result()
    return resolve(where)
