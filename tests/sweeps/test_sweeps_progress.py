"""Progress of a sweep: in a terminal, in a log, and in a notebook without ipywidgets."""

import io
import sys
import time
import types

import numpy as np
import pytest
from helpers.naming import names_all, naming

from explorer import sweep
from explorer.checks import Refusal
from explorer.sweeps import InProcess, Progress, followed, planned, progress
from explorer.sweeps.progress import progress_picture


def half(n, kind, seed):
    return {"half": n / 2 + (kind == "b")}


def slowly(n, kind, seed):
    time.sleep(0.025)  # longer than a batch, so that each cell is a step
    return half(n, kind, seed)


AXES = {"kind": ["a", "b"], "n": [1, 10, 100]}


def run_of(replicates=2):
    return planned(half, AXES, replicates, InProcess())


@pytest.fixture
def clock(monkeypatch):
    """Replace the clock by one that advances by `clock.step` seconds whenever it is read."""
    told = types.SimpleNamespace(now=0.0, step=0.0)

    def read():
        told.now += told.step
        return told.now

    monkeypatch.setattr(progress, "perf_counter", read)
    return told


def test_steps_in_words():
    step = Progress(120, 240, 0, 3.0)
    assert names_all(progress.line_of(step), "120 of 240 cells", "40.0 a second", "3.0 s left")
    done = progress.line_of(Progress(240, 240, 40, 125.0))
    assert names_all(done, "240 of 240 cells", "2 min 5 s", 40, "store")
    assert progress.line_of(Progress(0, 240, 0, 0.0)) == "0 of 240 cells"
    assert progress.duration(4320) == "1 h 12 min"


def test_a_log_has_a_line_every_so_often_and_no_carriage_return(clock, capsys):
    clock.step = 1.0
    list(followed([Progress(done, 1000, 0, float(done)) for done in range(1001)]))
    lines = capsys.readouterr().err.splitlines(keepends=True)
    assert all(line.startswith("sweep: ") and line.endswith("\n") and "\r" not in line for line in lines)
    done = [int(line.removeprefix("sweep: ").split(" of ")[0].replace(",", "")) for line in lines]
    assert done[:3] == [9, 19, 29]  # a line every ten seconds, later after each tenth of the elapsed time
    assert 20 < len(done) < 40
    assert lines[-1] == "sweep: 1,000 of 1,000 cells, in 16 min 40 s\n"


def test_a_short_sweep_leaves_a_log_alone(capsys):
    list(followed(run_of()))
    assert capsys.readouterr() == ("", "")


def test_a_terminal_has_a_bar(monkeypatch):
    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    list(followed(run_of()))
    assert "12/12" in terminal.getvalue()
    assert "\r" in terminal.getvalue()


@pytest.fixture
def cell(monkeypatch):
    """Fake notebook cell: for each output, the list of contents that it has shown."""
    outputs = []

    class Handle:
        def __init__(self, first):
            self.shown = [first.data]
            outputs.append(self.shown)

        def update(self, new):
            self.shown.append(new.data)

    def display(shown, display_id):
        return Handle(shown)

    html = type("HTML", (), {"__init__": lambda self, data: setattr(self, "data", data)})
    ipython = types.ModuleType("IPython")
    ipython.get_ipython = lambda: types.SimpleNamespace(kernel=None)
    ipython.display = types.ModuleType("IPython.display")
    ipython.display.HTML, ipython.display.display = html, display
    monkeypatch.setitem(sys.modules, "IPython", ipython)
    monkeypatch.setitem(sys.modules, "IPython.display", ipython.display)
    return outputs


def test_a_notebook_has_a_line_above_a_picture_that_fills(cell, clock, capsys):
    clock.step = 0.6
    data = sweep(half, AXES, 2, executor=InProcess())
    line, picture = cell
    assert "0 of 12 cells" in line[0]
    assert "12 of 12 cells" in line[-1]
    assert picture[0].count("<circle") < picture[-1].count("<circle") == 6
    assert names_all(picture[-1], "half", "n", "kind")
    assert capsys.readouterr() == ("", "")
    assert data["half"].size == 12


def test_a_notebook_keeps_the_line_alone_where_asked(cell, clock):
    clock.step = 0.6
    sweep(half, AXES, 2, executor=InProcess(), progress="line")
    assert len(cell) == 1
    with pytest.raises(Refusal, match=naming("progress", "True", '"line"', "False", "'bar'")):
        sweep(half, AXES, 2, executor=InProcess(), progress="bar")


def test_the_picture_has_the_means_of_what_is_done():
    run = planned(slowly, AXES, 1, InProcess())
    for step in run:
        if step.done == 4:
            break
    text = progress_picture(run)
    assert text.count("<circle") == 4
    heights = [float(each.split('"')[0]) for each in text.split('cy="')[1:]]
    values = np.array([0.5, 5.0, 50.0, 1.5])
    places = np.interp(values, [values.min(), values.max()], [max(heights), min(heights)])
    np.testing.assert_allclose(heights, places, atol=0.051)


def tenfold(n, seed):
    return {"tenfold": 10.0 * n + seed % 7}


@pytest.mark.parametrize(("sizes", "by_ratios"), [([1, 4, 16, 64], True), ([1, 4, 16], False), ([0, 4, 64], False)])
def test_the_picture_is_of_means_over_replicates_and_by_ratios_where_they_are_large(sizes, by_ratios):
    run = planned(tenfold, {"n": sizes}, 3, InProcess())
    list(run)
    run.done[-1] = False  # the last replicate of the last cell
    text = progress_picture(run)
    across, heights = ([float(each.split('"')[0]) for each in text.split(f'{c}="')[1:]] for c in ("cx", "cy"))
    places = np.log(sizes) if by_ratios else np.array(sizes)
    np.testing.assert_allclose(across, np.interp(places, places[[0, -1]], [min(across), max(across)]), atol=0.051)
    values = run.values["tenfold"].reshape(-1, 3)
    means = np.array([*values[:-1].mean(1), values[-1, :2].mean()])
    np.testing.assert_allclose(heights, np.interp(means, means[[0, -1]], [max(heights), min(heights)]), atol=0.051)


@pytest.mark.thorough
def test_a_real_kernel_has_no_warning(tmp_path):
    """In a new kernel without ipywidgets: two outputs and nothing on the error channel."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    code = (
        "import time\nfrom explorer import sweep\nfrom explorer.sweeps import InProcess\n"
        "def study(n, seed):\n    time.sleep(0.5)\n    return {'twice': 2.0 * n}\n"
        "sweep(study, {'n': [1, 2, 3, 4, 5]}, executor=InProcess())['twice'].sum().item()"
    )
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    nbclient.NotebookClient(book, timeout=120, kernel_name="python3").execute()
    outputs = book.cells[0].outputs
    assert [each.output_type for each in outputs] == ["display_data", "display_data", "execute_result"]
    assert "5 of 5 cells" in outputs[0].data["text/html"]
    assert outputs[1].data["text/html"].count("<circle") == 5
