"""The lessons' pages: the content of the notebooks, with links that lead to the site's own files."""

import re

import pytest
from helpers.naming import one_sentence_names

from explorer.site import lessons, links
from explorer.workbench.lessons import LABS, LESSONS, SOLUTION


@pytest.fixture(scope="module")
def source(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lessons")
    lessons.write(folder, True)
    return folder


def page(source, lesson):
    return (source / "lessons" / f"{links.page_of(lesson)}.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda each: f"{each.number:02}")
def test_a_lesson_has_its_headings_and_solutions(source, lesson):
    text, cells = page(source, lesson), lessons._cells(lesson)
    prose = "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")
    for heading in re.findall(r"^## .+$", prose, re.MULTILINE):
        assert f"\n{heading}\n" in text
    solved = sum(SOLUTION in cell["metadata"].get("tags", ()) for cell in cells)
    assert text.count("<details class='solution'>") == solved > 0


@pytest.mark.parametrize("lesson", LESSONS, ids=lambda each: f"{each.number:02}")
def test_no_link_of_a_lesson_leads_to_a_server(source, lesson):
    text = page(source, lesson)
    assert not re.findall(r"""href=["']https?:""", text)
    assert "runs beside this notebook" not in text
    assert "three dots" not in text
    numbered = re.findall(r'href="#(state-\d+)"', text)
    assert set(re.findall(r"id='(state-\d+)'", text)) == set(numbered)
    assert text.count(f"<code>{LABS}/") == len(set(numbered))


def test_the_notebooks_are_there_to_download(source):
    for lesson in LESSONS:
        copy = source / "_extra" / "lessons" / lesson.path.name
        assert copy.read_bytes() == lesson.path.read_bytes()
        assert f"href='{lesson.path.name}' download" in page(source, lesson)


def test_the_list_says_what_one_learns_and_how_long_it_takes(source):
    text = (source / "lessons" / "index.md").read_text(encoding="utf-8")
    for lesson in LESSONS:
        assert lesson.says.split("'")[0] in text
        assert f"href='{links.page_of(lesson)}.html'" in text
    assert text.count(" minutes ·") == len(LESSONS)


def test_a_preset_is_its_own_file_and_another_state_the_first_presets():
    assert links.lab("shrinkage") == links.LabLink("../labs/shrinkage-a-little-helps.html", True)
    assert links.lab("shrinkage?seed=4").exact
    assert links.lab("shrinkage?seed=4").file != links.lab("shrinkage").file
    assert links.lab("shrinkage?picture=risk") == links.LabLink(links.lab("shrinkage").file, False)


def test_a_public_name_has_a_page_and_a_part_of_the_house_none():
    assert links.reference("explorer.SKMSE.loocv") == "../reference/SKMSE.html"
    assert links.reference("explorer.estimators.constraints.on_simplex") == ""


def test_a_lesson_without_its_notebook_says_so(monkeypatch):
    lesson = LESSONS[0]
    monkeypatch.setattr(lessons, "_cells", lambda each: [])
    assert one_sentence_names(lessons._page(lesson), "notebook", "missing")
