"""Plots in a notebook are self-contained: nothing is fetched, and one cell holds the scripts."""

import nbformat
import pytest
from helpers.browsing import launched
from helpers.naming import naming
from helpers.offline_pages import COLOURS, block_network, outputs_as_html
from helpers.server_process import until
from nbclient import NotebookClient

from explorer.plotting import extension

CELLS = (
    "from explorer import KME, SKMSE, Gaussian, mmd_test, plot\nX, Y = [0.1, 0.4, 1.3], [1.6, 2.2, 3.1]",
    "plot(mmd_test(X, Y, n_resamples=99, rng=0))",
    "plot(KME(Gaussian(1.0)).embed(X)) * plot(SKMSE(Gaussian(1.0)).embed(X), role='skmse')",
    "plot(Gaussian(1.0), X=X) + plot({'KME': [1.0, 0.5]}, x=[1, 2])",
)
BESIDE_A_LAB = (
    "import holoviews as hv\nfrom explorer.plotting import extension\nextension()",
    "hv.Curve([1, 2, 3])",
    "from explorer import KME, explore\nexplore(KME())",
    "hv.Curve([2, 2, 2])",
    "from explorer.pages import ShrinkagePage\nShrinkagePage(n=50)",
    "hv.Curve([3, 2, 1])",
    "from explorer import Gaussian, plot\nplot(Gaussian(1.0), X=[0.1, 0.4, 1.3])",
)
SCRIPTS, PLOT = 1.45e6, 0.12e6  # bytes of the first plot, which holds the compressed scripts, and of each other
LAB = 6e6  # bytes of a notebook with one lab, an exploration and plots around them


def executed(sources):
    """Return a notebook of these cells with their outputs."""
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    NotebookClient(notebook, timeout=120, kernel_name="python3", shutdown_kernel="immediate").execute()
    return notebook


def drawn(notebook, file, pictures):
    """Return a notebook's requests to other hosts and its errors, until `pictures` pictures are drawn."""
    file.write_text(outputs_as_html(notebook.cells), encoding="utf-8")
    with launched() as browser:
        page = browser.new_page()
        asked, errors = block_network(page)
        page.goto(file.as_uri())
        canvases = page.locator("canvas:visible")
        until(
            lambda: sum(colours > 3 for colours in canvases.evaluate_all(f"all => all.map({COLOURS})")) >= pictures,
            "plots",
            60,
        )
    return asked + errors


# the kernel's process warns about its own sockets
@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.thorough
def test_plots_in_a_notebook_are_drawn_without_a_network(tmp_path):
    notebook = executed(CELLS)
    sizes = [len(nbformat.writes(nbformat.v4.new_notebook(cells=[cell]))) for cell in notebook.cells]
    assert sizes[1] < SCRIPTS
    assert max(sizes[2:]) < PLOT
    assert drawn(notebook, tmp_path / "plots.html", 4) == []


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
@pytest.mark.thorough
def test_plots_on_either_side_of_a_lab_are_drawn_without_a_network(tmp_path):
    """Importing a lab's page loads a widget set, which would be fetched for each plot."""
    notebook = executed(BESIDE_A_LAB)
    assert len(nbformat.writes(notebook)) < LAB
    assert drawn(notebook, tmp_path / "beside.html", 7) == []  # the lab has two


def test_a_backend_that_there_is_none_of_is_a_sentence():
    with pytest.raises(ValueError, match=naming("backend", "bokeh", "matplotlib")):
        extension("plotly")
