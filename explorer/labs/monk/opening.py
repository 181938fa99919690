"""The study of errors that the lab opens with, computed beforehand: its picture is there as soon as the page is."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

import numpy as np

from explorer.discrepancy.monk.error_study import ErrorStudy

if TYPE_CHECKING:
    from collections.abc import Mapping

# all fields that the study depends on; the bandwidth is none of them, as the stored study's kernel has no bandwidth
FIELDS = ("laws", "n", "d", "shift", "kernel", "planted", "distance", "partition", "seed")
FILE = "opening.json"
DIGITS = 6


def study_at(lab: Any) -> ErrorStudy | None:
    """The stored ErrorStudy where a lab's fields are those that it was computed for, else None."""
    fields, study = _stored()
    return study if all(getattr(lab, name) == value for name, value in fields.items()) else None


def text_of(lab: Any, study: ErrorStudy) -> str:
    """What the file holds of a lab's study."""
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
