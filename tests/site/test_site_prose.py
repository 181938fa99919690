"""Prose of the site in Markdown files: values in the places of their names, and errors with file and line."""

import re

import pytest
from helpers.naming import naming

from explorer.markup import markup
from explorer.site import sections
from explorer.site.prose import Prose
from explorer.site.sections import Sections

PACKAGE = sections.FILE.parent


@pytest.fixture
def written(tmp_path):
    """Return a function that writes a Markdown file and returns its path."""

    def write(text):
        path = tmp_path / "some.md"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def html_of(prose, values):
    return prose.html([token for block in prose.blocks for token in block], values)


def test_values_are_text_and_formulas_and_code_keep_their_braces(written):
    values = {"n": 0.12345, "many": 12_345, "name": "a & *b*", "tiny": -1.5e-7, "link": markup("<b>{}</b>", "c & d")}
    values["share"] = "5 % less"
    prose = Prose(written("*{n}* of {many},\n{name}, `{n}`: {tiny}&nbsp;s, {link}, {share}\n"))
    prose.check(values)
    assert html_of(prose, values) == (
        "<p><em>0.123</em> of 12345,\na &amp; *b*, <code>{n}</code>: −1.5\xa0×\xa010⁻⁷\xa0s, <b>c &amp; d</b>,"
        " 5\xa0% less</p>\n"
    )
    formulas = Prose(written("Of $\\frac{n}{2}$:\n\n$$\\sum_{n} {n}$$\n"))
    formulas.check({})
    assert html_of(formulas, {}).count("<math") == 2


@pytest.mark.parametrize(
    ("text", "line"),
    [("One.\n\nTwo\n*{m}*, {n}.\n", 4), ("- {n}\n- [{m}](#n)\n", 2), ("| a | b |\n|---|---|\n| {n} | {m} |\n", 3)],
)
def test_a_name_without_a_value_is_refused(written, text, line):
    with pytest.raises(ValueError, match=naming(f"some.md:{line}", "'m'", "n")):
        Prose(written(text)).check({"n": 1})


def test_a_value_that_is_not_named_is_refused(written):
    with pytest.raises(ValueError, match=naming("some.md:1", "m")):
        Prose(written("{n}\n")).check({"n": 1, "m": 2})


@pytest.mark.parametrize("tex", ["$\\fraction{1}{2}$", "$$\\fraction{1}{2}$$", "$x_{1$"])
def test_a_formula_that_cannot_be_read_is_refused(written, tex):
    with pytest.raises(ValueError, match=naming("some.md:4", "formula")):
        Prose(written(f"One.\n\nTwo\n{tex}\n"))


def test_tags_in_the_prose_and_in_values_are_text(written):
    prose = Prose(written("<b>{n}</b>\n"))
    assert html_of(prose, {"n": "<i>"}) == "<p>&lt;b&gt;&lt;i&gt;&lt;/b&gt;</p>\n"


# short texts --------------------------------------------------------------------------------------------------------


def test_each_short_text_has_its_values(written):
    texts = Sections(written("# Some\n\n## one\n\n{n} of\n\n{m}\n\n## two\n\nNone.\n"))
    assert [len(texts.paragraphs("one", {"n": 1, "m": 2})), len(texts.paragraphs("two", {}))] == [2, 1]
    with pytest.raises(ValueError, match=naming("some.md:7", "'m'", "n")):
        texts.paragraphs("one", {"n": 1})
    with pytest.raises(ValueError, match=naming("some.md:9", "n")):
        texts.paragraphs("two", {"n": 1})
    with pytest.raises(ValueError, match=naming("some.md", "'three'", "one, two")):
        texts.paragraphs("three", {})
    with pytest.raises(ValueError, match=naming("some.md:9", "'one'")):
        Sections(written("# Some\n\n## one\n\nA.\n\nB.\n\n## one\n\nC.\n"))


def test_each_short_text_is_called_for():
    calls = re.compile(r'\b(?:text|line)\("([\w-]+)"')
    called = [name for path in PACKAGE.rglob("*.py") for name in calls.findall(path.read_text(encoding="utf-8"))]
    assert sorted(called) == sorted(sections.sections().texts)
