"""The reference: a page for every public name of the library, which Sphinx makes from its docstring.

`names` finds the names, `page` writes a document for each that asks autodoc for its docstring, and `indexes` and
`bibliography` write the ways in. `sphinx_hooks` is an extension of Sphinx for what its own leave open, and `examples`
draws the pictures of examples.
"""

from __future__ import annotations

from pathlib import Path

from explorer.citations import cited
from explorer.site.documents import write_file

from . import indexes
from .bibliography import bibliography
from .names import PublicName, packages, public_names
from .page import page


def write(source: Path, fast: bool) -> None:
    """Write the documents of the reference. All examples run, which takes some seconds, in a fast build too.

    Parameters
    ----------
    source : Path
        The folder of the site's documents.
    fast : bool
        Unused: every section takes it.

    Raises
    ------
    WrongExample
        If the output of an example differs from the one in its docstring.
    """
    folder, names, modules = source / "reference", public_names(), packages()
    for each in names:
        write_file(folder, f"{each.page}.md", page(each))
    for package, module in modules.items():
        write_file(folder, f"room-{package}.md", indexes.package_page(package, module, names))
    for topic in indexes.TOPICS:
        write_file(folder, f"{topic.page}.md", indexes.topic_page(topic, names))
    write_file(folder, "topics.md", indexes.topics(names))
    write_file(folder, "types.md", indexes.types())
    write_file(folder, "models.md", indexes.models())
    write_file(folder, "bibliography.md", bibliography(citing(names)))
    write_file(folder, "index.md", indexes.front(modules, names))


def citing(names: list[PublicName]) -> dict[str, list[PublicName]]:
    """Return, by the keys of papers, the names whose docstrings cite them."""
    by_key: dict[str, list[PublicName]] = {}
    for each in names:
        for reference in cited(each.documentation):
            by_key.setdefault(reference.key, []).append(each)
    return by_key
