"""A typed link that names a source and no size opens with as many rows as that source has."""

import pytest
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.workbench import registry

SOURCES = [
    (name, source)
    for name, entry in registry.entries().items()
    if "source" in entry.lab.fields
    for source in entry.lab.fields["source"].objects
    if source != "file"
]


def lab_of_link(name, **words):
    lab, refused = registry.entry(name).lab.from_flat(words)
    assert refused == []
    return lab


@pytest.mark.thorough(default=["twosample-wine", "conditional-wine", "adaptation-wine", "independence-eckerle4"])
@pytest.mark.parametrize(("name", "source"), SOURCES, ids=["-".join(each) for each in SOURCES])
def test_every_source_opens_without_a_size(name, source):
    lab = lab_of_link(name, source=source)
    lab.result()
    plain = registry.entry(name).lab(source=source)
    assert {field for field in type(lab).fields if getattr(lab, field) != getattr(plain, field)} <= {"n", "m"}


def test_a_size_that_the_link_gives_is_kept_and_refused_with_its_limit():
    lab = lab_of_link("twosample", source="wine", n="100")
    assert (lab.n, lab.m) == (100, 71)
    with pytest.raises(Refusal, match=naming("n", 100, 59)):
        lab.result()
    assert lab_of_link("twosample", source="wine", n="20").n == 20


def test_tables_that_are_not_here_change_no_size():
    assert lab_of_link("twosample", source="file").n == registry.entry("twosample").lab().n
    assert lab_of_link("shrinkage", source="file").n == registry.entry("shrinkage").lab().n
    assert lab_of_link("twosample", source="wine", groups='["9", "8"]').n == 100
