"""Plots in a notebook are drawn by what the notebook itself holds: nothing is fetched, one cell brings the scripts."""

import nbformat
import pytest
from browsing import launched
from nbclient import NotebookClient
from offline import alone, outputs_as_html
from serving import until

CELLS = (
    "from explorer import KME, SKMSE, Gaussian, mmd_test, plot\nX, Y = [0.1, 0.4, 1.3], [1.6, 2.2, 3.1]",
    "plot(mmd_test(X, Y, n_resamples=99, rng=0))",
    "plot(KME(Gaussian(1.0)).embed(X)) * plot(SKMSE(Gaussian(1.0)).embed(X), role='skmse')",
    "plot(Gaussian(1.0), X=X) + plot({'KME': [1.0, 0.5]}, x=[1, 2])",
)
COLOURS = """c => c.width < 99 ? 0 :
    new Set(new Uint32Array(c.getContext('2d').getImageData(0, 0, c.width, c.height).data.buffer)).size
"""
SCRIPTS, PLOT = 6.3e6, 0.12e6  # bytes: of the first plot's scripts, which HoloViews stores twice, and of each plot


# what a kernel's process warns of its sockets is its own affair
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.thorough
def test_plots_in_a_notebook_are_drawn_without_a_network(tmp_path):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in CELLS])
    NotebookClient(notebook, timeout=120, kernel_name="python3", shutdown_kernel="immediate").execute()
    sizes = [len(nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))) for cell in notebook.cells]
    assert sizes[1] < SCRIPTS
    assert max(sizes[2:]) < PLOT
    file = tmp_path / "plots.html"
    file.write_text(outputs_as_html(notebook.cells), encoding="utf-8")
    with launched() as browser:
        page = browser.new_page()
        asked, errors = alone(page)
        page.goto(file.as_uri())
        canvases = page.locator("canvas:visible")
        until(
            lambda: sum(colours > 3 for colours in canvases.evaluate_all(f"all => all.map({COLOURS})")) >= 4,
            "plots",
            60,
        )
    assert asked == errors == []
