"""`explorer cite FKMSE mmd_test`: BibTeX of the papers behind names of the library, with the software's own entry."""

from __future__ import annotations

from typing import TYPE_CHECKING

from . import completers
from .completers import completed_by

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

EXAMPLES = (
    "explorer cite FKMSE",
    "explorer cite mmd_test hsic_test > papers.bib",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    names = parser.add_argument(
        "names", nargs="+", metavar="NAME", help="such as FKMSE: what `from explorer import` takes"
    )
    completed_by(names, completers.public_names)


def run(options: Namespace) -> None:
    """Print one line per name, with the keys of its papers, and then the BibTeX entry of each paper once."""
    from explorer.citations import SOFTWARE, behind

    papers = {name: behind(name) for name in dict.fromkeys(options.names)}
    for name, references in papers.items():
        keys = ", ".join(reference.key for reference in references)
        print(f"% {name}: {keys or 'no paper of its own'}")  # noqa: T201
    entries = {reference.key: reference.bibtex for references in papers.values() for reference in references}
    for entry in (SOFTWARE, *entries.values()):
        print(f"\n{entry}")  # noqa: T201
