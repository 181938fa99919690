"""Cells of the table of levels: how often an entry rejects nulls of a kind, with limits, and the file of them."""

from __future__ import annotations

import json
import os
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

from level_claims import LEVEL, Entry
from null_kinds import EVERY, Size, generator
from scipy.stats import binom

from explorer.checks import Refusal
from explorer.discrepancy import rate_interval

KEPT = Path(__file__).parents[2] / "explorer" / "site" / "guide" / "levels.json"
RARELY = 0.001  # a rate is too high if it is above its ceiling with this error


class Count(NamedTuple):
    """Numbers of rejections, runs and refusals of an answer, and the last refusal."""

    rejected: int
    runs: int
    refused: int = 0
    refusal: str = ""

    def __add__(self, more: Count) -> Count:  # type: ignore[override]
        """Return the count of these runs and of others."""
        sums = (self.rejected + more.rejected, self.runs + more.runs, self.refused + more.refused)
        return Count(*sums, more.refusal or self.refusal)

    def high(self, ceiling: float = LEVEL) -> bool:
        """Return whether the lower 99.9 % limit of the rate lies above the ceiling."""
        return bool(binom.sf(self.rejected - 1, self.runs, ceiling) < RARELY)

    def interval(self, confidence: float = 0.95) -> tuple[float, float]:
        """Return the interval of Clopper and Pearson for the rate."""
        return rate_interval(self.rejected, self.runs, confidence)


def measured(entry: Entry, kind: str, size: Size, repetitions: int, first: int = 0) -> dict[str, Count]:
    """Return answer -> Count over repetitions with the seeds first, first + 1, ...; refused runs reject nothing."""
    rejected, refused, refusal = dict.fromkeys(entry.claims, 0), 0, ""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for seed in range(first, first + repetitions):
            try:
                found = entry.call(EVERY[kind], generator(kind, size, seed), size, seed)
            except Refusal as error:
                refused, refusal = refused + 1, str(error)
                continue
            for answer in entry.claims:
                rejected[answer] += bool(found[answer] <= LEVEL * (1 + 1e-12))
    return {answer: Count(count, repetitions, refused, refusal) for answer, count in rejected.items()}


def key(entry: str, answer: str, kind: str, size: Any) -> str:
    """Return the name of a cell in the file."""
    return f"{entry} | {answer} | {kind} | {size}"


def claimed(entry: Entry, answer: str, size: Size) -> dict[str, Any]:
    """Return what is kept of a claim."""
    claim = entry.claim(answer, size)
    return {"claim": claim.word, "ceiling": None if claim.word == "none" else claim.ceiling}


def record(entry: Entry, answer: str, kind: str, size: Size, count: Count, seconds: float) -> dict[str, Any]:
    """Return what is kept of a cell."""
    return {
        "function": entry.function,
        "entry": entry.name,
        "answer": answer,
        **claimed(entry, answer, size),
        "kind": kind,
        "n": size.n,
        "m": size.m,
        "resamples": entry.resamples,
        "rejected": count.rejected,
        "runs": count.runs,
        "refused": count.refused,
        "refusal": count.refusal if count.refused == count.runs else "",
        "seconds": round(seconds, 1),
    }


def read(path: Path = KEPT) -> dict[str, dict[str, Any]]:
    """Return the cells of a file by their keys, or an empty dict if the file does not exist."""
    if not path.exists():
        return {}
    cells = json.loads(path.read_text(encoding="utf-8"))
    return {key(each["entry"], each["answer"], each["kind"], Size(each["n"], each["m"])): each for each in cells}


def write(cells: dict[str, dict[str, Any]], path: Path = KEPT) -> None:
    """Write cells to a file, one per line, and replace the file at the end: an interruption keeps the old one."""
    lines = ",\n".join(json.dumps(cells[name], ensure_ascii=False) for name in sorted(cells))
    beside = path.with_suffix(".part")
    beside.write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    os.replace(beside, path)


def timed(entry: Entry, kind: str, size: Size, repetitions: int, first: int = 0) -> tuple[dict[str, Count], float]:
    """Return `measured` and the seconds of the processor that it took."""
    begun = time.process_time()
    found = measured(entry, kind, size, repetitions, first)
    return found, time.process_time() - begun
