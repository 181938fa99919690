"""A parameter that a link omits keeps the default of the link's version: changed defaults need a new version.

`defaults.json` has version -> lab -> field -> its default, as text. To store those of new fields and labs:

    PYTHONPATH=.:tests python tests/labs/test_labs_defaults.py
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from explorer.workbench import links, registry

FILE = Path(__file__).parent / "defaults.json"
STORED = json.loads(FILE.read_text()) if FILE.exists() else {}
ADVICE = "add a version to links.VERSIONS, enter the old default in links.FORMER, then run this file"


def meant(version, name):
    """Return field -> the value in effect if a link of this version to a lab omits the field."""
    return registry.entry(name).lab().flat() | links.as_of(version, name, {})


@pytest.mark.parametrize("version", STORED)
def test_what_a_link_leaves_out_has_the_default_of_its_version(version):
    for name, defaults in STORED[version].items():
        cls = registry.entry(name).lab
        now = meant(version, name)
        known = {cls.was.get(field, field): word for field, word in defaults.items()}
        changed = {field: (word, now[field]) for field, word in known.items() if now.get(field, word) != word}
        assert changed == {}, f"{name}: {ADVICE}"


def test_every_default_is_stored():
    assert list(STORED) == list(links.VERSIONS)
    for name in registry.names():
        new = registry.entry(name).lab.fields.keys() - STORED[links.VERSION].get(name, {}).keys()
        assert new == set(), f"{name}: run this file, which stores the defaults of new fields"


def test_former_defaults_are_of_fields_and_can_be():
    for version, labs in links.FORMER.items():
        assert version in links.VERSIONS[:-1]
        for name, words in labs.items():
            assert registry.entry(name).lab.from_flat(words)[1] == []


def test_a_link_of_an_older_version_has_the_default_of_its_time(monkeypatch):
    monkeypatch.setattr(links, "VERSIONS", ("1", "2", "3"))
    monkeypatch.setattr(
        links, "FORMER", {"1": {"dna": {"n": "7"}}, "2": {"dna": {"n": "8", "contaminated": "2"}}, "3": {}}
    )
    assert links.as_of("1", "dna", {}) == {"n": "7", "contaminated": "2"}
    assert links.as_of("2", "dna", {"seed": "3"}) == {"n": "8", "contaminated": "2", "seed": "3"}
    assert links.as_of("2", "dna", {"n": "9", "spoiled": "1"}) == {"n": "9", "spoiled": "1"}
    assert links.as_of("3", "dna", {}) == links.as_of("99", "dna", {}) == {}


def store():
    """Add the defaults that are not stored yet; those that are stay."""
    for version in links.VERSIONS:
        labs = STORED.setdefault(version, {})
        for name in registry.names():
            labs[name] = meant(version, name) | labs.get(name, {})
    lines = []
    for version, labs in STORED.items():
        inside = ",\n".join(f"  {json.dumps(name)}: {json.dumps(words)}" for name, words in labs.items())
        lines.append(f" {json.dumps(version)}: {{\n{inside}\n }}")
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")


if __name__ == "__main__":
    store()
