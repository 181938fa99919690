"""Stored verdicts on all claims: the site shows them, so that no page has a claim without its verdict.

`python tests/papers/store_verdicts.py [NAME ...]` computes them and writes `stored.json`. Tests compare the file with
the catalogue, and a thorough one computes the verdicts again.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from .claim import Finding

if TYPE_CHECKING:
    from .entry import Entry

FILE = Path(__file__).with_name("stored.json")
SIZE, SEED = "fast", 0


class StoredVerdict(NamedTuple):
    """The verdict on one claim: the claim in a sentence, the word, and the reasons."""

    claim: str
    word: str
    explanation: str


class StoredStudy(NamedTuple):
    """The verdicts on the claims of an entry, and how they were computed.

    Attributes
    ----------
    version : str
        The version of the package.
    seconds : float
        The processor time.
    verdicts : tuple of StoredVerdict
        One for each claim of the entry, in its order.
    """

    version: str
    seconds: float
    verdicts: tuple[StoredVerdict, ...]

    def findings(self, entry: Entry) -> list[Finding]:
        """Return the findings on the claims of an entry.

        Raises
        ------
        ValueError
            If the entry has other claims than those that were judged.
        """
        if [each.claim for each in self.verdicts] != [claim.says for claim in entry.claims]:
            command = f"python tests/papers/store_verdicts.py {entry.name}"
            raise ValueError(f"{FILE.name} has verdicts on other claims of {entry.name}; run: {command}")
        return [
            Finding(claim.says, each.word, each.explanation, claim.errata, claim.quote, claim.reading)
            for claim, each in zip(entry.claims, self.verdicts, strict=True)
        ]


@cache
def stored() -> dict[str, StoredStudy]:
    """Return the stored verdicts by the name of the entry."""
    rows = json.loads(FILE.read_text(encoding="utf-8"))
    return {
        name: StoredStudy(row["version"], row["seconds"], tuple(StoredVerdict(*each) for each in row["verdicts"]))
        for name, row in rows.items()
    }
