"""`explore` works in a notebook with plain HTML outputs, as in VS Code, without a network."""

import pytest
from helpers.browsing import launched
from helpers.offline_pages import block_network
from helpers.running_kernel import Kernel
from helpers.server_process import until

# the kernel's process warns about its own sockets
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::ResourceWarning")
CELLS = (
    "from explorer import SKMSE, explore\ne = explore(SKMSE(lam=0.1))\ne",
    "import holoviews as hv\nhv.Curve([1, 2, 3])",  # showing `explore` does not change later plots
    "from explorer.labs.shrinkage import ShrinkageLab\nf = explore(ShrinkageLab(n=50, lam=0.1))\nf",
)
LIGHT = 2_500_000  # bytes of a cell; the first holds HoloViews' scripts


def pixels(cell):
    return cell.locator("canvas:visible").evaluate_all("all => all.map((canvas) => canvas.toDataURL())")


def moves(kernel, sheet, cell, name):
    """Move λ by a key in a cell, and by code in its kernel, which has the cell's value under this name."""
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
