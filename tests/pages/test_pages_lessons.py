"""The lessons' page: a list of all lessons with their labs; each lesson is readable without scripts or a network."""

import gc
import re
import tomllib
import weakref
from html import unescape
from pathlib import Path

import pytest
from helpers.lessons import NOTEBOOKS, code_of, is_solution, read
from helpers.naming import names_all

from explorer.markup import text_of
from explorer.pages import LessonsPage
from explorer.pages.index import lessons_text, notebook_reader
from explorer.pages.index.lessons import content
from explorer.workbench import lessons, registry
from explorer.workbench.lessons import LABS, LESSONS

pytestmark = pytest.mark.thorough
every = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: str(lesson.number))
TAGS = set(
    "h1 h2 h3 p div strong em code pre a ul ol li table thead tbody tr th td img details summary nav article"
    " blockquote hr br span math mrow mi mn mo mtext mspace mfrac msqrt msub msup msubsup munder mover munderover"
    " mstyle".split()
)


def links(markup):
    return [unescape(address) for address in re.findall(r"href=[\"']([^\"']*)[\"']", markup)]


def test_the_list_has_every_lesson_with_its_lab():
    listed = links(lessons_text.every_lesson())
    assert listed == [address for each in LESSONS for address in (each.address, each.lab)]
    assert {each.lab for each in LESSONS} <= set(registry.names())


def test_the_lessons_are_those_of_the_repository():
    assert [each.path for each in LESSONS] == NOTEBOOKS
    for each in LESSONS:
        assert read(each.path).cells[0].source.startswith(f"# {each.number}. {each.title}\n")


def test_an_installed_package_has_them():
    built = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text(encoding="utf-8"))
    places = built["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert lessons.PACKAGE.parent / places["notebooks"] == lessons.FOLDERS[0]


@every
def test_a_lesson_links_to_its_lab(lesson):
    assert f"{LABS}/{lesson.lab}" in "".join(cell.source for cell in read(lesson.path).cells)


@every
def test_a_lesson_can_be_read(lesson):
    page, notebook = content(str(lesson.number)), read(lesson.path)
    assert page.count("<h1>") == 1
    assert page.count("<details>") == sum(map(is_solution, code_of(notebook)))
    assert page.count("<img ") == sum(
        "image/png" in out.get("data", {}) for c in code_of(notebook) for out in c.outputs
    )
    assert "$" not in text_of(re.sub(r"<pre.*?</pre>|<code>.*?</code>", "", page, flags=re.DOTALL))


@every
def test_a_lesson_asks_no_other_host_and_runs_nothing(lesson):
    page = content(str(lesson.number))
    assert set(re.findall(r"<([a-z]+\d?)", page)) <= TAGS
    assert not re.search(r"<[^>]*\son\w+=", page)
    for address in links(page):
        name = address.removeprefix("./").partition("?")[0]
        assert name in (*registry.names(), "lessons", "report"), address


def test_the_ends_have_one_neighbour():
    first, last = (
        links(lessons_text.around(each, lessons_text.every_lesson()))[:3] for each in (LESSONS[0], LESSONS[-1])
    )
    assert first == ["lessons", LESSONS[0].lab, LESSONS[1].address]
    assert last == ["lessons", LESSONS[-1].lab, LESSONS[-2].address]


def test_html_in_a_lesson_is_text():
    hostile = notebook_reader.prose("<script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=y>")
    assert "<script" not in hostile
    assert "<img" not in hostile
    assert "href" not in hostile


def test_a_picture_that_is_no_base64_is_not_shown():
    output = {"output_type": "display_data", "data": {"image/png": "'><script>", "text/plain": "a plot"}}
    assert notebook_reader.output(output) == "<pre class='output' tabindex='0'>a plot</pre>"


@pytest.mark.parametrize("word", ["0", "16", "one", "<b>"])
def test_a_lesson_that_there_is_not_leads_to_the_list(word):
    page = content(word)
    assert names_all(page, "no lesson")
    assert "<b>" not in page
    assert LESSONS[0].address in links(page)


def test_a_lesson_whose_notebook_is_missing_says_so(monkeypatch):
    monkeypatch.setattr(lessons, "FOLDERS", (Path("nowhere"),))
    assert lessons_text.MISSING in unescape(content("3"))


def test_the_page_opens_at_a_lesson_and_goes():
    page = LessonsPage({"lesson": "6", "theme": "dark"})
    assert "6. Two-sample tests" in page.text.object
    assert page.page.dark_theme
    left = weakref.ref(page)
    page.release()
    del page
    gc.collect()
    assert left() is None
