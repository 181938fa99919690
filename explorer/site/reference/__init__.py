"""The reference: a page for every public name of the library, made of its docstring.

`names` finds the names, `docstring` reads what stands at each, `prose`, `equations` and `parts` set it, `examples` runs
it, and `page` puts it together; `indexes` and `bibliography` are the ways in.
"""

from __future__ import annotations

from pathlib import Path

from explorer.citations import cited
from explorer.site.documents import written

from . import indexes
from .bibliography import bibliography
from .names import Thing, rooms, things
from .page import documentation, members, page


def write(source: Path, fast: bool) -> None:
    """Write the pages; fast leaves out the pictures of examples. RuntimeError where an example is not true."""
    folder, every, places = source / "reference", things(), rooms()
    for thing in every:
        written(folder, f"{thing.page}.md", page(thing, pictures=not fast))
    for name, module in places.items():
        written(folder, f"room-{name}.md", indexes.room(name, module, every))
    for topic in indexes.TOPICS:
        written(folder, f"{topic.page}.md", indexes.topic_page(topic, every))
    written(folder, "topics.md", indexes.topics(every))
    written(folder, "types.md", indexes.types())
    written(folder, "models.md", indexes.models())
    written(folder, "bibliography.md", bibliography(citing(every)))
    written(folder, "index.md", indexes.front(places, every))


def citing(every: list[Thing]) -> dict[str, list[Thing]]:
    """The keys of papers -> the names whose docstrings cite them."""
    found: dict[str, list[Thing]] = {}
    for thing in every:
        own = list(members(thing)) if thing.is_class else []
        for reference in cited(documentation(thing, own)):
            found.setdefault(reference.key, []).append(thing)
    return found
