"""The verdicts that the site shows.

`python tests/papers/store_verdicts.py [NAME ...]` judges the claims of some entries, or of all. Each entry is written
when it is judged. `--missing` judges the entries that the file does not have.
"""

from __future__ import annotations

import json
import sys
import time

from explorer.papers.catalogue import ENTRIES
from explorer.papers.entry import cells
from explorer.papers.stored import FILE, SEED, SIZE
from explorer.public_names.help_text import VERSION
from explorer.sweeps import InProcess, sweep


def judged(name):
    """Return the findings on the claims of an entry."""
    entry = ENTRIES[name]
    grids = [
        sweep(entry.study, grid.axes, grid.replicates, InProcess(), None, SEED, False, common=tuple(grid.axes))
        for grid in entry.grids(SIZE)
    ]
    return entry.findings(cells(grids))


def main(names):
    """Judge entries and store their verdicts."""
    rows = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    if "--missing" in names:
        names = [name for name in ENTRIES if name not in rows]
    for name in names or ENTRIES:
        begun = time.process_time()
        findings = judged(name)
        seconds = round(time.process_time() - begun, 1)
        verdicts = [[each.claim, each.word, each.explanation] for each in findings]
        rows[name] = {"version": VERSION, "seconds": seconds, "verdicts": verdicts}
        ordered = {each: rows[each] for each in ENTRIES if each in rows}
        FILE.write_text(json.dumps(ordered, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
        print(f"{name}: {seconds} s, {', '.join(each.word for each in findings)}")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
