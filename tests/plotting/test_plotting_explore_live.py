"""`explore` in a notebook is alive where outputs are plain HTML, as in VS Code, and needs no network there."""

import pytest
from browsing import launched
from offline_pages import block_network
from running_kernel import Kernel
from server_process import until

# a kernel's process warns of its own sockets
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
CELLS = (
    "from explorer import SKMSE, explore\ne = explore(SKMSE(lam=0.1))\ne",
    "import holoviews as hv\nhv.Curve([1, 2, 3])",  # what has been shown has not changed how plots are
    "from explorer.labs.shrinkage import ShrinkageLab\nf = explore(ShrinkageLab(n=50, lam=0.1))\nf",
)
LIGHT = 2_300_000  # bytes: of each, the first with the scripts of HoloViews


def pixels(cell):
    return cell.locator("canvas:visible").evaluate_all("all => all.map((canvas) => canvas.toDataURL())")


def moves(kernel, sheet, cell, name):
    """Move λ by a key in a cell, and by code in its kernel, where the cell's value has this name."""
    until(cell.locator("canvas:visible").count, "a picture")
    slider = cell.get_by_role("slider").first
    slider.focus()
    sheet.keyboard.press("ArrowRight")
    until(lambda: kernel.run(f"print({name}.value.lam > 0.1)")[0] == "True", "λ in the kernel")
    said, seen = slider.get_attribute("aria-valuetext"), pixels(cell)
    kernel.run(f"{name}.move(lam=1.0)")
    until(lambda: slider.get_attribute("aria-valuetext") != said, "λ in the browser")
    until(lambda: pixels(cell) != seen, "another picture")


@pytest.mark.thorough
def test_hand_and_code_move_what_is_explored(tmp_path):
    kernel = Kernel()
    try:
        shown = [kernel.run(source)[1] for source in CELLS]
        assert max(map(len, shown)) < LIGHT
        file = tmp_path / "cells.html"
        file.write_text(f"<!doctype html><meta charset='utf-8'><body>{''.join(shown)}", encoding="utf-8")
        with launched() as browser:
            sheet = browser.new_page()
            asked, errors = block_network(sheet)
            sheet.goto(file.as_uri())
            connected = "print(e.session.comm is not None and f.page.session.comm is not None)"
            until(lambda: kernel.run(connected)[0] == "True", "a connection", 60)
            for name, cell in zip("ef", sheet.locator(".explorer-cell").all(), strict=True):
                moves(kernel, sheet, cell, name)
        assert asked == []
        assert errors == []
    finally:
        kernel.close()
