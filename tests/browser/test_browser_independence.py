"""The Independence lab under hand.

It tries σ while the server sleeps, points by click, drag and key, a canvas of one's own, a table.
"""

from __future__ import annotations

import json
from functools import cache

import numpy as np
import pytest
from browsing import DESK, PHONE, Place, Room
from serving import until

from explorer import Laplacian
from explorer.labs.independence import IndependenceLab
from explorer.labs.independence.stories import PRESETS
from explorer.labs.independence.words import headline
from explorer.markup import text_of

from .test_browser_accessibility import barriers

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE, CANVAS = Place("independence", "noise", 3, PRESETS[0].name), "Click adds"
NEAR = 0.05  # units of x, ten pixels of the canvas


@pytest.fixture(scope="module")
def kept(profile, server):
    room = Room(profile, server.url, PLACE).open()
    until(room.tabled, "the table of every σ", 60)  # once: from then on the session has it
    return room


def points(room):
    """The pairs added by hand that are in the link."""
    return json.loads(room.fields.get("placed") or "[]")


def agrees(room):
    """The headline is what the library alone says at the words of the link."""

    @cache
    def meant(words):
        lab, refused = IndependenceLab.from_flat({name: word for name, word in words if name != "v"})
        assert refused == []
        return text_of(headline(lab.result(wait=True)).partition("</div>")[0])

    until(lambda: room.headline == meant(tuple(room.fields.items())), "the headline of the link")


def test_the_browser_answers_sigma_while_the_server_sleeps(room, server):
    until(room.tabled, "the table of every σ")
    with server.asleep(), room.answers("so much σ"):
        room.press("σ", "End")
    until(lambda: float(room.fields["sigma"]) == float(room.says("σ")), "σ in the link")
    assert f"σ = {room.says('σ')} ×: the same p as at" in room.trust
    agrees(room)


def test_keys_move_the_other_sliders_and_shuffle(room):
    for name, field in {"noise": "noise", "n pairs": "n", "bandwidth": "bandwidth"}.items():
        before = room.pictures()
        room.press(name)
        room.follows(**{field: room.says(name)})
        until(lambda before=before: room.pictures() != before, f"a new picture after {name}")
    agrees(room)
    before = room.pictures()
    room.page.keyboard.press("b")
    room.follows(shuffle="1")
    until(lambda: room.pictures() != before, "a shuffle in the pictures")


def test_a_click_adds_a_drag_moves_and_a_key_removes(room):
    room.scroll_up()
    with room.answers("a click"):
        room.page.mouse.click(*room.spot(CANVAS, 0.1, 0.2))
    until(lambda: len(points(room)) == 1, "a pair in the link")
    assert points(room)[0] == pytest.approx([0.1, 0.2], abs=NEAR)
    with room.answers("a drag"):
        room.drag(room.spot(CANVAS, *points(room)[0]), room.spot(CANVAS, 0.3, 0.1), room.spot(CANVAS, 0.4, -0.1))
    until(lambda: points(room)[0] == pytest.approx([0.4, -0.1], abs=NEAR), "the end of the drag in the link")
    agrees(room)
    with room.answers("Delete"):
        room.page.keyboard.press("Delete")
    until(lambda: room.headline == room.first, "the first headline")
    pairs = IndependenceLab().result().pairs
    row = int(pairs.X[:, 0].argmin())  # a point that no other is near
    x, y = place = room.spot(CANVAS, pairs.X[row, 0], pairs.Y[row, 0])
    with room.answers("a dragged point"):
        room.drag(place, (x + 40, y + 30))
    until(lambda: f'"{row}":' in room.fields["moved"], "the moved pair in the link")
    agrees(room)


def test_a_drawing_of_ones_own(room):
    room.button("^Draw your own$").click()
    until(lambda: "empty" in room.headline, "an empty canvas")
    room.scroll_up()
    for i in range(-2, 3):
        said = room.headline
        room.page.mouse.click(*room.spot(CANVAS, i / 2, i * i / 4 - 0.5))
        until(lambda said=said: room.headline != said, "a point in the canvas")
    until(lambda: len(points(room)) == 5, "five pairs in the link")
    agrees(room)


def test_columns_of_a_table_of_ones_own(room, tmp_path):
    file = tmp_path / "t.csv"
    file.write_text("a,b,c\n" + "".join(f"{i},{i * i % 7},{(i - 20) ** 2}\n" for i in range(40)))
    room.unfold("Your data")
    room.choose(file)
    room.button("^Use this table$").click()
    room.follows(file="t.csv", n="40")
    until(lambda: "HSIC finds a dependence" in room.headline, "the verdict on a parabola")
    room.pick("y", "b")
    room.follows(y="b")
    room.button("^Columns$").click()
    room.follows(picture="columns")
    room.turn(expanded=False)


def test_an_open_page_has_no_barrier(room, axe):
    room.turn(expanded=True)
    room.button("^sample PNG$").wait_for()
    found = barriers(room, axe)
    nameless = room.nameless()
    room.turn(expanded=False)
    assert not found, "\n".join(found)
    assert nameless == []


def test_a_narrow_page_does_not_scroll_sideways(room):
    room.page.set_viewport_size(PHONE["viewport"])
    until(room.still, "a narrow page")
    assert room.too_wide() == []
    room.page.set_viewport_size(DESK)


def test_gram_matrices_of_ones_own(room, tmp_path):
    """One with y in a column beside it, then one for each side."""
    rng = np.random.default_rng(2)
    Z = rng.normal(size=(40, 2))
    age = Z[:, 0] ** 2
    K, L = Laplacian(1.0)(Z), Laplacian(1.0)(age[:, None])
    rows = (",".join(map(repr, [*row, a])) for row, a in zip(K.tolist(), age.tolist(), strict=True))
    (tmp_path / "kin.csv").write_text("\n".join([",".join([*(f"k{j}" for j in range(40)), "age"]), *rows]))
    np.save(tmp_path / "K.npy", K)
    np.save(tmp_path / "L.npy", L)
    room.unfold("Your data")
    room.choose(tmp_path / "kin.csv")
    room.button("^Use this table$").click()
    room.follows(file="kin.csv", gram="true", n="40", columns='["age"]')
    until(lambda: "x by its Gram matrix, y by the RBF kernel" in room.trust, "the matrix in the trust line")
    until(lambda: "HSIC finds a dependence" in room.headline, "the verdict")
    room.unfold("Your data")
    room.choose(tmp_path / "K.npy")
    zone = room.page.locator("input[type=file]").nth(1)
    zone.wait_for(state="attached")
    zone.set_input_files(tmp_path / "L.npy")
    until(lambda: room.page.get_by_text("For y: L.npy, 40 rows.").is_visible(), "the second matrix")
    room.button("^Use this table$").click()
    room.follows(file="K.npy", file2="L.npy", gram="true")
    until(lambda: "The Gram matrices themselves" in room.trust, "both matrices in the trust line")
    until(lambda: "HSIC finds a dependence" in room.headline, "the verdict on both")
    assert room.alerts == []
