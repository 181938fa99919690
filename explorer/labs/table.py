"""The table of a lab."""

from __future__ import annotations

from explorer.checks import Refusal
from explorer.datasets import load
from explorer.workbench.fields import BUNDLED


def the_table(lab, table):
    """The table of a lab: a bundled one, or the session's own."""
    if lab.source in BUNDLED:
        data = load(lab.source)
        return data.standardised() if lab.standardise else data
    if table is None or table.hash != lab.hash:
        asked = f"the table {lab.file} ({lab.rows} rows)" if lab.file else "a table of your own"
        raise Refusal(f"This page shows {asked}, which stays with its owner: choose the file under Your data.")
    return table
