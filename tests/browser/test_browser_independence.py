"""The Independence lab in use: σ while the server is suspended, points by click, drag and key, Gram matrices."""

from __future__ import annotations

import json

import numpy as np
import pytest
from helpers.browsing import LabEntry
from helpers.naming import names_all
from helpers.server_process import until

from explorer import Laplacian
from explorer.labs.independence import IndependenceLab

from .test_browser_accessibility import is_open_to_all

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE, CANVAS = LabEntry("independence"), "The pairs"
NEAR = 0.05  # units of x, ten pixels of the canvas


def points(lab_page):
    """Return the pairs in the link that the user has added."""
    return json.loads(lab_page.fields.get("placed") or "[]")


def test_the_browser_answers_sigma_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every σ")
    with server.asleep(), lab_page.answers("so much σ"):
        lab_page.press("σ", "End")
    until(lambda: float(lab_page.fields["sigma"]) == float(lab_page.says("σ")), "σ in the link")
    assert names_all(lab_page.trust, f"σ = {lab_page.says('σ')}", "same test")
    lab_page.agrees(late=True)


def test_a_click_adds_a_drag_moves_and_a_key_removes(lab_page):
    lab_page.scroll_up()
    with lab_page.answers("a click"):
        lab_page.page.mouse.click(*lab_page.at(CANVAS, 0.1, 0.2))
    until(lambda: len(points(lab_page)) == 1, "a pair in the link")
    assert points(lab_page)[0] == pytest.approx([0.1, 0.2], abs=NEAR)
    with lab_page.answers("a drag"):
        lab_page.drag(
            lab_page.at(CANVAS, *points(lab_page)[0]),
            lab_page.at(CANVAS, 0.3, 0.1),
            lab_page.at(CANVAS, 0.4, -0.1),
        )
    until(lambda: points(lab_page)[0] == pytest.approx([0.4, -0.1], abs=NEAR), "the end of the drag in the link")
    lab_page.agrees(late=True)
    with lab_page.answers("Delete"):
        lab_page.page.keyboard.press("Delete")
    until(lambda: lab_page.headline == lab_page.first, "the first headline")
    pairs = IndependenceLab().result().pairs
    row = int(pairs.X[:, 0].argmin())  # a point that no other is near
    x, y = place = lab_page.at(CANVAS, pairs.X[row, 0], pairs.Y[row, 0])
    with lab_page.answers("a dragged point"):
        lab_page.drag(place, (x + 40, y + 30))
    until(lambda: f'"{row}":' in lab_page.fields["moved"], "the moved pair in the link")
    lab_page.agrees(late=True)


def test_a_drawing_of_ones_own(lab_page):
    lab_page.button("^Draw your own$").click()
    until(lambda: "empty" in lab_page.headline, "an empty canvas")
    lab_page.scroll_up()
    for i in range(-2, 3):
        said = lab_page.headline
        lab_page.page.mouse.click(*lab_page.at(CANVAS, i / 2, i * i / 4 - 0.5))
        until(lambda said=said: lab_page.headline != said, "a point in the canvas")
    until(lambda: len(points(lab_page)) == 5, "five pairs in the link")
    lab_page.agrees(late=True)


def test_an_open_page_has_no_barrier_and_a_narrow_one_does_not_scroll_sideways(lab_page, axe):
    is_open_to_all(lab_page, axe, "^sample PNG$")


def test_gram_matrices_of_ones_own(lab_page, tmp_path):
    """Each side is a binary file."""
    Z = np.random.default_rng(2).normal(size=(40, 2))
    np.save(tmp_path / "K.npy", Laplacian(1.0)(Z))
    np.save(tmp_path / "L.npy", Laplacian(1.0)(Z[:, :1] ** 2))
    lab_page.unfold("Your data")
    lab_page.choose(tmp_path / "K.npy")
    zone = lab_page.page.locator("input[type=file]").nth(1)
    zone.wait_for(state="attached")
    until(lab_page.is_still, "the second zone at rest")
    zone.set_input_files(tmp_path / "L.npy")
    until(lambda: lab_page.page.get_by_text("For y: L.npy, 40 rows.").is_visible(), "the second matrix")
    lab_page.button("^Use this table$").click()
    lab_page.follows(file="K.npy", file2="L.npy", gram="true")
    until(lambda: "With the Gram matrices themselves" in lab_page.trust, "both matrices in the trust line")
    until(lambda: "dependent (HSIC" in lab_page.headline, "the verdict on both")
    assert lab_page.alerts == []
