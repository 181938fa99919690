"""The precomputed study of errors that the lab opens with, so that its picture appears together with the page."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.discrepancy.monk.error_study import ErrorStudy

if TYPE_CHECKING:
    from collections.abc import Mapping

# All fields that the study depends on. The stored study's kernel has no bandwidth.
FIELDS = ("laws", "n", "d", "shift", "kernel", "planted", "distance", "partition", "seed")
FILE = "opening.json"
DIGITS = 6


def study_at(lab: Any) -> ErrorStudy | None:
    """Return the stored study if it was computed for the lab's fields, or None."""
    fields, study = _stored()
    return study if all(getattr(lab, name) == value for name, value in fields.items()) else None


def text_of(lab: Any, study: ErrorStudy) -> str:
    """Return the content of the file that stores a lab's study."""
    errors = {str(name): [list(map(_short, row)) for row in rows] for name, rows in study.errors.items()}
    fields = {name: getattr(lab, name) for name in FIELDS}
    return json.dumps({"fields": fields, "counts": study.counts, "errors": errors}) + "\n"


def _short(error):
    return float(f"{error:.{DIGITS}g}")


@cache
def _stored() -> tuple[Mapping[str, Any], ErrorStudy]:
    kept = json.loads(files("explorer.labs.monk").joinpath(FILE).read_text(encoding="utf-8"))
    errors = {int(name) if name.isdecimal() else name: np.array(rows) for name, rows in kept["errors"].items()}
    return kept["fields"], ErrorStudy(errors, tuple(kept["counts"]))
