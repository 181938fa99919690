"""Students get the texts and questions of a lesson, and no line of its solutions."""

import json
from pathlib import Path

import nbformat
import pytest

from explorer.__main__ import main

NOTEBOOKS = Path(__file__).parents[2] / "notebooks"


def test_copies_of_all_lessons_have_no_solution_and_no_output(tmp_path, capsys):
    main(["handout", str(NOTEBOOKS), "-o", str(tmp_path / "class" / "copies")])
    solutions = 0
    for path in sorted(NOTEBOOKS.glob("*.ipynb")):
        lesson = nbformat.read(path, as_version=4)
        copy = nbformat.read(tmp_path / "class" / "copies" / path.name, as_version=4)
        nbformat.validate(copy)
        assert [cell.id for cell in copy.cells] == [cell.id for cell in lesson.cells]
        for mine, yours in zip(lesson.cells, copy.cells, strict=True):
            if "solution" in mine.metadata.get("tags", ()):
                solutions += 1
                assert yours.source == "# your solution\n"
                assert yours.metadata == {}
            else:
                assert yours.source == mine.source
            assert not yours.get("outputs")
            assert yours.get("execution_count") is None
    count = len(list(NOTEBOOKS.glob("*.ipynb")))
    assert capsys.readouterr().out.split(" into ")[0] == f"Wrote {count} lessons"
    assert solutions >= count


def test_a_lesson_alone(tmp_path, capsys):
    cells = [nbformat.v4.new_code_cell("1", metadata={"tags": ["solution"]}), nbformat.v4.new_markdown_cell("2")]
    nbformat.write(nbformat.v4.new_notebook(cells=cells), tmp_path / "a.ipynb")
    main(["handout", str(tmp_path / "a.ipynb"), "-o", str(tmp_path / "b")])
    assert capsys.readouterr().out == f"Wrote 1 lesson into {tmp_path / 'b'}, without 1 solution.\n"


def test_links_lead_to_the_labs_that_the_class_reaches(tmp_path):
    text = "See [the lab](http://localhost:5006/shrinkage?n=50)."
    nbformat.write(nbformat.v4.new_notebook(cells=[nbformat.v4.new_markdown_cell(text)]), tmp_path / "a.ipynb")
    main(["handout", str(tmp_path / "a.ipynb"), "-o", str(tmp_path / "b"), "--labs", "https://lab.example.org/x/"])
    copy = nbformat.read(tmp_path / "b" / "a.ipynb", as_version=4)
    assert copy.cells[0].source == "See [the lab](https://lab.example.org/x/shrinkage?n=50)."


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere", "-o", "out"], "there is no notebook or folder nowhere."),
        (["empty", "-o", "out"], "the folder empty has no notebook; their names end in .ipynb."),
        (["text.ipynb", "-o", "out"], "text.ipynb is not a notebook: "),
        (["list.ipynb", "-o", "out"], "list.ipynb is not a notebook of Jupyter's format 4: it has no list of cells."),
        (["one/a.ipynb", "-o", "one"], "the copies would replace the lessons in one; give another folder."),
        (["one/a.ipynb", "-o", "text.ipynb"], "text.ipynb is a file; give the name of a folder."),
        (["one", "-o", "out", "--labs", "lab"], "--labs must be an address such as http://lab.example.org:5006, not"),
        (["one", "two", "-o", "out"], "two of the lessons are called a.ipynb; "),
    ],
)
def test_what_cannot_be_handed_out_is_a_sentence_and_writes_nothing(tmp_path, monkeypatch, capsys, words, said):
    monkeypatch.chdir(tmp_path)
    for name, text in {"text.ipynb": "hello", "list.ipynb": "[]"}.items():
        Path(name).write_text(text)
    for folder in ("empty", "one", "two"):
        Path(folder).mkdir()
    for folder in ("one", "two"):
        Path(folder, "a.ipynb").write_text(json.dumps(nbformat.v4.new_notebook()))
    with pytest.raises(SystemExit, match="2"):
        main(["handout", *words])
    assert f"explorer handout: {said}" in capsys.readouterr().err
    assert not Path("out").exists()
