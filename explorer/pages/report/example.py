"""Example that the report opens with: synthetic readings of a clinic, before and after a new device."""

from __future__ import annotations

from functools import cache

import numpy as np

from explorer.datasets.files.parsed_file import ParsedFile

from .comparison_request import ReportInput

ROWS = (180, 200)
SEED = 4
NAMES = ("before.csv", "after.csv")
SAYS = (
    "An example, made up: a clinic's readings before and after a new device. Pressure is higher, temperatures spread"
    " wider, fewer patients come to ward C, and the dose no longer follows the weight."
)


@cache
def example() -> ReportInput:
    """Return both tables as CSV files. Age and pulse have the same distribution in both."""
    rng = np.random.default_rng(SEED)
    first, second = (ParsedFile(name, _table(rng, n, k)) for k, (name, n) in enumerate(zip(NAMES, ROWS, strict=True)))
    return ReportInput(first, second)


def _table(rng, n, after):
    """Return the bytes of a table; `after` is 1 for the table with the changes, 0 for the other."""
    weight = rng.normal(0, 1, n)
    along = 0.0 if after else 0.8  # correlation of dose and weight; the distribution of each does not change
    dose = along * weight + np.sqrt(1 - along**2) * rng.normal(0, 1, n)
    columns = {
        "age": rng.normal(54, 12, n).round(),
        "pressure": rng.normal(131 if after else 124, 12, n).round(),
        "pulse": rng.normal(72, 9, n).round(),
        "temperature": rng.normal(36.8, 0.6 if after else 0.3, n).round(1),
        "weight": (74 + 11 * weight).round(1),
        "dose": (50 + 8 * dose).round(1),
        "ward": rng.choice(list("ABC"), n, p=[0.5, 0.4, 0.1] if after else [0.4, 0.3, 0.3]),
    }
    rows = zip(*(column.tolist() for column in columns.values()), strict=True)
    lines = [",".join(columns), *(",".join(map(str, row)) for row in rows)]
    return ("\n".join(lines) + "\n").encode()
