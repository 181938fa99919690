"""Labs in a real JupyterLab without a network: drawn, dragged, and read in the kernel."""

import json
import time
from copy import deepcopy

import nbformat
import pytest
from helpers.browsing import launched
from helpers.in_jupyterlab import JupyterLabPage, jupyterlab
from helpers.lessons import code_of, every_lesson, read
from helpers.offline_pages import COLOURS
from helpers.server_process import free_port, until

LIGHT = 6_000_000  # bytes of a notebook with two labs
SHRINKAGE = "from explorer.pages import ShrinkagePage\npage = ShrinkagePage(n=50)\npage"
PRINTED = """
import json
print(json.dumps(page.lab.flat(), sort_keys=True))
print(json.dumps({control.slider.label: name for name, control in page.sliders.items()}))
"""


@pytest.fixture(scope="module")
def workplace(tmp_path_factory):
    """Return (browser, address of a JupyterLab, folder of its notebooks); tests share it, because it starts slowly."""
    folder = tmp_path_factory.mktemp("jupyterlab")
    with jupyterlab(folder, free_port()) as address, launched() as browser:
        yield browser, address, folder / "notebooks"


@pytest.fixture
def jupyter(workplace):
    jupyter = JupyterLabPage(*workplace)
    yield jupyter
    jupyter.close()


def sliders(cell):
    """Return the sliders of a cell; a picture that keys move has the role of a slider, too."""
    return cell.locator("input[type=range]:visible:enabled")


def drawn(cell):
    """Wait for the pictures of a lab's cell."""
    until(
        lambda: max(cell.locator("canvas:visible").evaluate_all(f"all => all.map({COLOURS})"), default=0) > 3,
        "pictures",
        60,
    )


def notice(cell, word, patience=20):
    """Wait for a cell to show this notice."""
    cell.locator(".explorer-notice").get_by_text(word).wait_for(timeout=1000 * patience)


@pytest.mark.thorough
def test_two_labs_are_dragged_and_read(jupyter):
    second = "from explorer.pages import TwoSamplePage\nsecond = TwoSamplePage()\nsecond"
    notebook = jupyter.open([SHRINKAGE, second, "page.lab.lam"], "labs.ipynb")
    first = notebook.run(0)
    slider = sliders(first).first
    slider.wait_for(timeout=60_000)
    drawn(first)
    notebook.drag(slider)
    said = until(lambda: slider.get_attribute("aria-valuetext"), "the slider's word")

    def lam():
        notebook.run(2)
        shown = notebook.cell(2).locator(".jp-OutputArea-output").inner_text().strip()
        return shown and float(shown)

    until(lambda: lam() == float(said), "the slider's value in the kernel", 30)
    drawn(notebook.run(1))
    notebook.save()
    assert 3_000_000 < notebook.file.stat().st_size <= LIGHT
    assert jupyter.asked == []
    assert jupyter.errors == []


@pytest.mark.slow
@every_lesson
def test_a_lesson_runs_and_its_lab_is_dragged_and_read(jupyter, path):
    lesson = deepcopy(read(path))
    lab = next(i for i, cell in enumerate(lesson.cells) if "page = " in cell.source and "Page(" in cell.source)
    last = len(lesson.cells)
    lesson.cells.append(nbformat.v4.new_code_cell(PRINTED))
    notebook = jupyter.open(lesson, path.name)
    seconds = notebook.run_all()
    shown = [output for cell in notebook.cells() if cell for output in cell["outputs"]]
    assert [output["text"] for output in shown if output["name"] == "stderr"] == []

    def state():
        return map(json.loads, notebook.printed(last).splitlines())

    cell = notebook.cell(lab)
    drawn(cell)
    slider = sliders(cell).first
    name = slider.get_attribute("aria-label")
    before, names = state()
    notebook.drag(slider)

    def moved():
        notebook.run(last)
        return next(state())[names[name]] != before[names[name]]

    until(moved, f"another {name} in the kernel")
    assert cell.locator(".explorer-notice").count() == 0
    stored = notebook.save()
    size = notebook.file.stat().st_size
    assert size <= LIGHT
    after = next(state())[names[name]]
    # one lesson writes the files of its lab to a folder that it names at its beginning
    first_cell = code_of(lesson)[0].source if "add_folder" in lesson.cells[lab].source else "import explorer"
    alone = jupyter.open([first_cell, lesson.cells[lab].source], "lab.ipynb")
    alone.run(0)
    begun = time.monotonic()
    sliders(alone.run(1, wait=False)).first.wait_for(timeout=60_000)
    first = time.monotonic() - begun
    bytes_ = len(nbformat.writes(nbformat.v4.new_notebook(cells=[stored.cells[lab]])))
    print(  # noqa: T201  (with -s)
        f"\n{path.stem}: all cells {seconds:.1f} s, first slider {first:.1f} s, "
        f"lab's cell {bytes_ / 1e6:.2f} MB, notebook {size / 1e6:.2f} MB, "
        f"{name}: {before[names[name]]} to {after}"
    )
    assert jupyter.asked == []
    assert jupyter.errors == []


@pytest.mark.slow
def test_a_page_lives_where_it_was_shown_last_and_says_when_its_kernel_is_gone(jupyter):
    notebook = jupyter.open([SHRINKAGE, "page", "print(page.lab.lam)"], "twice.ipynb")

    def drags(cell):
        """Return the value that the kernel has after a drag in this cell."""
        index = int(cell.get_attribute("data-windowed-list-index"))
        slider = sliders(notebook.cell(index)).first
        slider.wait_for(timeout=60_000)
        drawn(cell)
        notebook.drag(slider)
        said = slider.get_attribute("aria-valuetext")

        def heard():
            notebook.run(2)
            return notebook.printed(2).strip() == said

        until(heard, f"λ = {said} in the kernel")

    for _ in range(2):  # the second run shows a new page
        drags(notebook.run(0))
    first = notebook.cell(0)
    drags(notebook.run(1))
    notebook.cell(0)
    notice(first, "has moved")
    drags(notebook.run(0))
    assert first.locator(".explorer-notice").count() == 0
    notebook.restart()
    notebook.drag(sliders(notebook.cell(0)).first)
    notice(first, "is gone")
    drags(notebook.run(0))
    assert jupyter.asked == []
    assert jupyter.errors == []
