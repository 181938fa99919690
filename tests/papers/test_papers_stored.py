"""The stored verdicts are those of the catalogue's claims, and computing them again gives the same."""

from __future__ import annotations

import pytest
from store_verdicts import judged

from explorer.papers.catalogue import ENTRIES
from explorer.papers.quantifier import FAILS, HOLDS, NOT_SEEN, UNDECIDED
from explorer.papers.stored import stored

# studies of processor time: another machine may be faster at one of the sizes, so that only words without size compare
TIMED = {"monk-table-1", "monk-seconds", "shrinkage-seconds"}
SLOW = 10.0  # seconds of a processor
CASES = [
    pytest.param(name, marks=[pytest.mark.slow] if study.seconds > SLOW else []) for name, study in stored().items()
]


def test_every_claim_has_a_stored_verdict():
    assert list(stored()) == list(ENTRIES)
    for name, entry in ENTRIES.items():
        findings = stored()[name].findings(entry)
        assert [each.claim for each in findings] == [claim.says for claim in entry.claims]
        assert all(each.word.startswith((HOLDS, FAILS, NOT_SEEN, UNDECIDED)) for each in findings)
        assert all(each.explanation for each in findings)


def test_verdicts_on_other_claims_are_refused():
    entry = ENTRIES["article-rate"]
    with pytest.raises(ValueError, match=r"store_verdicts\.py article-rate"):
        stored()["article-rate"].findings(entry._replace(claims=entry.claims[:1]))


@pytest.mark.thorough
@pytest.mark.parametrize("name", CASES)
def test_a_verdict_computed_again_is_the_stored_one(name):
    found, before = judged(name), stored()[name].findings(ENTRIES[name])
    words = [(old.word, new.word) for old, new in zip(before, found, strict=True)]
    if name in TIMED:
        assert not [pair for pair in words if {HOLDS, FAILS} == set(pair)]
    else:
        assert [new for _, new in words] == [old for old, _ in words]
