"""`explorer handout notebooks -o class`: lessons for students, without solutions and without cell outputs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from explorer.checks import Refusal
from explorer.files.whole_files import make_folder, writable, write
from explorer.printing import echo
from explorer.workbench.lessons import LABS, SOLUTION

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


YOURS = "# your solution\n"

EXAMPLES = (
    "explorer handout notebooks -o class",
    "explorer handout notebooks -o class --labs http://lab.example.org:5006",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("lessons", nargs="+", metavar="LESSON", help="notebooks, or folders of notebooks")
    parser.add_argument("-o", "--out", metavar="FOLDER", required=True, help="where the copies go; created if missing")
    parser.add_argument("--labs", metavar="ADDRESS", default=LABS, help=f"where links find the labs; default: {LABS}")


def run(options: Namespace) -> None:
    """Write the copies and report their number."""
    lessons = [path for given in options.lessons for path in _notebooks_at(Path(given))]
    names = [path.name for path in lessons]
    if twice := next((name for name in names if names.count(name) > 1), None):
        raise Refusal(f"two of the lessons are called {twice}; hand them out one after the other, into two folders.")
    out = Path(options.out)
    if out.exists() and not out.is_dir():
        raise Refusal(f"{out} is a file; give the name of a folder.")
    if any(path.resolve().parent == out.resolve() for path in lessons):
        raise Refusal(f"the copies would replace the lessons in {out}; give another folder.")
    if not options.labs.startswith(("http://", "https://")):
        raise Refusal(f"--labs must be an address such as http://lab.example.org:5006, not {echo(options.labs)}.")
    copies = {path.name: for_students(_read(path), path, options.labs.rstrip("/")) for path in lessons}
    make_folder(out)
    for name in copies:
        writable(out / name, lessons)
    for name, (notebook, _) in copies.items():
        write(out / name, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")
    left = sum(count for _, count in copies.values())
    lesson, solution = "lesson" if len(copies) == 1 else "lessons", "solution" if left == 1 else "solutions"
    print(f"Wrote {len(copies)} {lesson} into {out}, without {left} {solution}.")  # noqa: T201


def for_students(notebook: Any, path: Path, labs: str = LABS) -> tuple[dict[str, Any], int]:
    """Return (notebook, count): a copy without outputs and with its `count` solutions replaced by empty cells.

    Its links lead to the labs at the address `labs`.
    """
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list) or not all(isinstance(cell, dict) for cell in cells):
        raise Refusal(f"{path} is not a notebook of Jupyter's format 4: it has no list of cells.")
    solved = [SOLUTION in cell.get("metadata", {}).get("tags", ()) for cell in cells]
    return {**notebook, "cells": [_empty(*each, labs) for each in zip(cells, solved, strict=True)]}, sum(solved)


def _empty(cell, solution, labs):
    """Return a cell without its outputs, and without its text if it is a solution."""
    if cell.get("cell_type") != "code":
        text = "".join(cell.get("source", ()))
        return {**cell, "source": "" if solution else text.replace(f"({LABS}", f"({labs}")}
    return {**cell, "execution_count": None, "outputs": []} | ({"source": YOURS, "metadata": {}} if solution else {})


def _notebooks_at(path):
    """Return the notebooks at a path, sorted by name."""
    if path.is_dir():
        found = sorted(path.glob("*.ipynb"))
        if not found:
            raise Refusal(f"the folder {path} has no notebook; their names end in .ipynb.")
        return found
    if not path.is_file():
        raise Refusal(f"there is no notebook or folder {path}.")
    return [path]


def _read(path):
    """Return the parsed JSON of a notebook file."""
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise Refusal(f"{path} is not a notebook: {echo(str(error))}.") from error
