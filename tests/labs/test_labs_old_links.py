"""Links of an earlier version open at the state that they named, and its numbers are what they were.

`links_v1.json` has every preset and step of a story of two versions from before the labs had a house of their own:
all words that such a link carried (those in `all` where a link does not say otherwise), and the numbers of the state
as that version computed them. Numbers that have another name now have it here.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.stories import find

CORPUS = json.loads((Path(__file__).parent / "links_v1.json").read_text())
NEAR = 1e-5  # relative tolerance: the λ of the least score is found to 1e-6, by another search than at the time


def states(name):
    """Return (query parameters, numbers) of each stored link of a lab."""
    return [(CORPUS[name]["all"] | link["words"], link["numbers"]) for link in CORPUS[name]["links"]]


def lab_of_link(name, words):
    """Return the lab that a link opens."""
    lab, refused = registry.entry(name).lab.from_flat(words)
    assert refused == []
    return lab


@pytest.mark.parametrize("name", CORPUS)
def test_an_old_link_opens_at_its_state(name):
    for words, _ in states(name):
        lab = lab_of_link(name, words)
        assert lab.flat().items() >= {lab.was.get(field, field): word for field, word in words.items()}.items()


@pytest.mark.thorough(default=["shrinkage"])
@pytest.mark.parametrize("name", CORPUS)
def test_an_old_link_shows_its_numbers(name):
    for words, numbers in states(name):
        measured = lab_of_link(name, words).result().measured()
        assert {each: measured[each] for each in numbers} == pytest.approx(numbers, rel=NEAR, abs=1e-9)


def test_names_that_fields_and_stories_had_once_still_lead_there():
    assert lab_of_link("dna", {"spoiled": "3"}).contaminated == 3
    assert lab_of_link("sweep", {"lab": "dna", "x": "spoiled", "y": "n"}).chosen_fields == ("contaminated", "n")
    stories = content_of("dna").stories
    assert find(stories, "spoiled", "2") == find(stories, "contaminated", "2")
