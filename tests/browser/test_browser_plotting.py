"""A sweep's picture and an exploration in a real browser: no request to another host, and it reacts to input."""

import os
import re
import subprocess
import sys

import numpy as np
import pytest
from helpers.server_process import until

from explorer import plot, sweep
from explorer.plotting import files
from explorer.sweeps import InProcess

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


@pytest.fixture
def page(chromium):
    """Return a page, its requests, and the browser's complaints."""
    page = chromium.new_page()
    page.asked, page.complaints = [], []
    page.on("request", lambda request: page.asked.append(request.url))
    page.on("pageerror", lambda error: page.complaints.append(str(error)))
    page.on("console", lambda said: page.complaints.append(said.text) if said.type == "error" else None)
    yield page
    page.close()


def study(n, lam, seed):
    e = np.random.default_rng(seed).gamma(5.0, 0.2) / n
    return {"KME": e, "S-KMSE": e / (1 + lam) ** 2 + 0.05 * (lam / (1 + lam)) ** 2}


@pytest.mark.parametrize("value", [None, "S-KMSE"])
def test_a_page_of_a_sweep_is_drawn_without_a_network(page, tmp_path, value):
    axes = {"n": [10, 100], "lam": np.geomspace(1e-3, 10, 12).tolist()}
    data = sweep(study, axes, 5, executor=InProcess(), progress=False)
    path = tmp_path / "out.html"
    files.write(plot(data, value=value), path, "a study")
    page.goto(path.as_uri())
    page.locator("canvas").first.wait_for()
    assert page.title() == "a study"
    assert page.complaints == []
    assert not [url for url in page.asked if not url.startswith(("file:", "data:", "blob:"))]


SCRIPT = """
import panel as pn
from explorer import SKMSE, explore

def opened():
    e = explore(SKMSE(lam=0.1))
    e.param.watch(lambda event: print(repr(event.new.lam), flush=True), "value")
    return e

pn.serve(opened, port=0, show=False)
"""


@pytest.fixture
def served(tmp_path):
    """Return the address of a script that serves an exploration, and the values that it has printed."""
    log = tmp_path / "served.log"
    with log.open("w") as out:
        process = subprocess.Popen(
            [sys.executable, "-u", "-c", SCRIPT],
            stdout=out,
            stderr=subprocess.DEVNULL,
            env={**os.environ, "BOKEH_RESOURCES": "server"},
        )
    try:
        address = until(lambda: re.search(r"Launching server at (http://\S+)\n", log.read_text()), "the server", 60)[1]
        yield address, lambda: log.read_text().splitlines()[1:]
    finally:
        process.kill()
        process.wait()


def test_a_slider_moves_the_value_once_a_step(page, served):
    address, values = served
    page.goto(address)
    handle = page.locator(".noUi-handle").first
    handle.wait_for()
    assert values() == []
    for steps in (1, 2):
        handle.press("ArrowRight")
        until(lambda steps=steps: len(values()) == steps, "the move", 20)
        assert float(values()[-1]) == pytest.approx(10 ** (-1 + steps * 6 / 200), rel=1e-9)  # the axis has six decades
    assert page.complaints == []
    assert not [url for url in page.asked if "localhost" not in url and not url.startswith(("data:", "blob:"))]
