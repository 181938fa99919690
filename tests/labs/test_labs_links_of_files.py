"""Links that name a file although the source is not one: the file's parameters are shown nowhere."""

from __future__ import annotations

import json

import pytest
from bokeh.document import Document
from helpers.lab_pictures import descriptions
from helpers.page_helpers import open_page, unfold

from explorer.pages import page_class
from explorer.pages.page_title import of_result
from explorer.pages.previews.link_summary import state_of
from explorer.workbench import registry

MARK = "zqxjkvbw"
FILES = ("file", "file2", "second_file")
TAKING = [name for name in registry.names() if "file" in registry.entry(name).lab.fields]


def link(name, source):
    """Return the parameters of a link to a source, which also name files."""
    lab = registry.entry(name).lab
    named = {field: f"{MARK}-{field}.csv" for field in FILES if field in lab.fields}
    return {lab.taken_from: source, "hash": "0" * 64, "rows": "7", **named}


def sources(name):
    """Return the sources of a lab that are not files.

    By default only the last one is tested, which is a table if the lab has one.
    """
    lab = registry.entry(name).lab
    *others, last = [source for source in lab.fields[lab.taken_from].objects if source not in ("file", "splice")]
    return [pytest.param(name, source, marks=pytest.mark.thorough) for source in others] + [(name, last)]


SOURCES = [case for name in TAKING for case in sources(name)]


def texts(name, lab):
    """Return all texts of a state."""
    result, words = lab.result(), registry.role(name, "words")
    yield from (words.headline(result, result.row), words.caption(result), words.story_values(result))
    yield from descriptions(result)
    yield from of_result(name, result)
    yield registry.role(name, "script").python(result)


@pytest.mark.parametrize(("name", "source"), SOURCES)
def test_a_file_is_not_named_where_the_source_is_none(name, source):
    lab, refused = registry.entry(name).lab.from_flat(link(name, source))
    assert refused == []
    assert MARK not in repr([lab.flat(), lab])
    assert MARK not in state_of(name, link(name, source)).query
    # a page whose user has gone from a file to another source has its name still
    stays = lab.replace(**{field: value for field, value in link(name, source).items() if field in FILES})
    assert MARK in repr(stays)
    assert not [text for text in texts(name, stays) if MARK in str(text)]


@pytest.mark.parametrize("name", TAKING)
def test_the_file_of_a_link_to_a_file_is_named(name):
    lab, _ = registry.entry(name).lab.from_flat(link(name, "file"))
    assert MARK in lab.file


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "source"), [case[:2] for case in SOURCES if type(case) is tuple])
def test_no_model_of_a_page_has_its_name(name, source):
    page, doc = unfold(open_page(page_class(name), **link(name, source))), Document()
    doc.add_root(page.chrome.page.get_root(doc))
    assert MARK not in json.dumps(doc.to_json(), default=str)
