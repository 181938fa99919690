"""The site's first page."""

from __future__ import annotations

from pathlib import Path

from explorer.markup import markup

from .documents import contents, document, written
from .theme import TITLE

PLACES = ("essays", "widgets", "gallery", "reference", "lessons", "labs", "guide")


def write(source: Path, fast: bool) -> None:
    """Write the page."""
    there = [f"{name}/index" for name in PLACES if (source / name / "index.md").exists()]
    written(
        source,
        "index.md",
        document(TITLE, markup("<p>{}</p>", "See how estimates of a kernel mean behave."), contents(there), wide=True),
    )
