"""A lab in a notebook works both ways: the kernel gets the user's moves, and the cell shows the kernel's.

As in VS Code, where a cell's output is HTML and no front end connects it: by the socket of the kernel itself.
"""

import re

import pytest
from helpers.browsing import launched
from helpers.running_kernel import Kernel
from helpers.server_process import until

pytestmark = [
    pytest.mark.thorough,
    # a kernel's process warns of its own sockets
    pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning"),
]


@pytest.fixture
def kernel():
    kernel = Kernel()
    yield kernel
    kernel.close()


def test_hand_and_kernel_move_the_same_lab(kernel, tmp_path):
    _, cell = kernel.run("from explorer.pages import ShrinkagePage\npage = ShrinkagePage(n=50)\npage")
    _, other = kernel.run("other = ShrinkagePage(n=20)\nother")
    file = tmp_path / "cells.html"
    file.write_text(f"<!doctype html><meta charset='utf-8'><body>{cell}{other}", encoding="utf-8")
    errors = []
    with launched() as browser:
        sheet = browser.new_page()
        sheet.on("pageerror", lambda error: errors.append(str(error)))
        sheet.goto(file.as_uri())
        first = sheet.locator(".explorer-cell").first
        slider, points = (first.get_by_role("slider", name=re.compile(name)).first for name in ("^λ", "^n points"))
        slider.wait_for(state="attached", timeout=60_000)
        until(lambda: kernel.run("print(page.session.comm is not None)")[0] == "True", "a connection", 30)
        slider.focus()
        sheet.keyboard.press("ArrowRight")
        until(lambda: kernel.run("print(page.lab.lam)")[0] == slider.get_attribute("aria-valuetext"), "λ in the kernel")
        points.focus()
        sheet.keyboard.press("ArrowRight")
        until(lambda: kernel.run("print(page.lab.n)")[0] == "60", "n in the kernel")
        kernel.run("page.lab = ShrinkagePage.lab_class(n=100, lam=1.0)")
        until(lambda: slider.get_attribute("aria-valuetext") == "1", "λ in the browser")
        until(lambda: points.get_attribute("aria-valuetext") == "100", "n in the browser")
        assert kernel.run("print(other.lab.n)")[0] == "20"
        # a cell that is drawn again, as after its notebook is reopened, shows the current state
        sheet.reload()
        until(lambda: points.count() and points.get_attribute("aria-valuetext") == "100", "the present state", 60)
        # a busy kernel answers the other cell later, which until then reports that it has no kernel
        until(lambda: not sheet.locator(".explorer-notice").count(), "no notice left", 30)
    assert errors == []
