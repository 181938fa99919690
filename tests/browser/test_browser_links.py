"""Links and copies: each gives the same room and the same numbers elsewhere."""

from __future__ import annotations

import pytest
from server_process import until

from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage.stories import PRESETS as SHRINKAGE
from explorer.workbench.numbers import compared

pytestmark = pytest.mark.browser

ELSEWHERE = {
    "source": "gaussian",
    "n": "40",
    "d": "3",
    "kernel": "POLY2",
    "bandwidth": "0.5",
    "lam": "0.1",
    "selection": "theorem-4",
    "outliers": "4",
    "distance": "50.0",
    "kind": "heavy tail",
    "seed": "7",
    "law_seed": "5",
    "standardise": "false",
    "moved": '{"3":[8,8]}',
}


def losses(room, error="squared error"):
    """Return the losses that copied Python computes, in the headline's words; `error` is its name for a loss."""
    scope = {}
    exec(room.copied("Copy Python"), scope)
    simple, flexible = (compared(1 - scope["losses"][name], error) for name in ("S-KMSE", "F-KMSE"))
    return [simple.error, flexible.share]


@pytest.mark.thorough
def test_a_link_restores_every_field_and_copied_python_gives_its_numbers(new_room):
    room = new_room().open(**ELSEWHERE)
    assert room.alerts == []
    assert losses(room) == room.gains
    assert "1 was moved by hand" in room.trust
    sliders = {"λ": "0.1", "bandwidth": "0.5", "n points": "40", "d coord": "3", "outliers": "4", "distance": "50"}
    assert {name: room.says(name) for name in sliders} == sliders
    boxes = {"λ": "0.1", "bandwidth": "0.5", "n": "40", "d": "3", "outliers": "4", "seed": "7"}
    assert {name: room.box(name).input_value() for name in boxes} == boxes
    menus = room.page.get_by_role("combobox")
    for choice in ("quadratic", "heavy tail", "Theorem 4", "Gaussian"):  # those of a folded row come a moment later
        until(lambda choice=choice: choice in " ".join(menus.all_inner_texts()), f"a menu that says {choice}")
    room.press("λ")
    room.follows(**{**ELSEWHERE, "lam": "0.125"})
    usual = ShrinkageLab().flat()
    assert set(room.words) == {
        "v",
        *(name for name, word in {**ELSEWHERE, "lam": "0.125"}.items() if word != usual[name]),
    }


@pytest.mark.thorough
def test_a_link_says_what_differs_from_the_defaults_and_undo_shortens_it_again(room):
    room.press("λ")
    room.follows(lam=room.says("λ"))
    assert set(room.words) <= {"v", "lam", "samples"}
    assert len(room.copied("Copy link")) < len(room.page.url.partition("?")[0]) + 30
    room.button("^Undo$").click()
    until(lambda: "lam" not in room.words, "a link that is as short as before")


@pytest.mark.thorough
def test_a_copied_link_opens_the_same_room_whatever_was_spilt_on_it_and_the_two_share_nothing(room, new_room):
    room.press("d coord")
    room.follows(d=room.says("d coord"))
    link, shown, n = room.copied("Copy link"), room.headline, room.says("n points")
    assert link == room.page.url
    other = new_room().go(f"{link}&%FF%FE&m&seed=&=&&colour=red")
    assert other.headline == shown
    until(lambda: other.alerts and "colour" in other.alerts[0], "a sentence on what is no field")
    assert other.says("n points") == n
    other.press("bandwidth")  # before the page is at rest
    other.follows(bandwidth="0.4")
    until(lambda: other.headline != shown, "another headline")
    assert other.alerts == []
    room.page.bring_to_front()
    assert room.headline == shown
    with room.answers("a step of n"):
        room.press("n points")
    room.follows(n=room.says("n points"), bandwidth="0.32")
    assert other.says("n points") == n


@pytest.mark.thorough
def test_copied_python_gives_the_estimates_of_a_table(room):
    (wine,) = (preset for preset in SHRINKAGE if preset.fields.get("source") == "wine")
    room.preset(wine.name)
    room.follows(source="wine")
    room.type("n", "60")
    room.type("λ", "0.01")
    room.follows(n="60", lam="0.01")
    assert room.alerts == []
    assert "wine" in room.trust
    assert losses(room, "estimated squared error") == room.gains


@pytest.mark.thorough
def test_copied_python_follows_the_hand(room):
    room.press("λ")
    room.follows(lam=room.says("λ"))
    assert losses(room) == room.gains


@pytest.mark.thorough
def test_the_tab_is_called_after_what_the_state_shows(room):
    until(lambda: room.page.title() == "Shrinkage: 30 % less squared error", "the finding in the tab")
    room.press("λ")
    room.follows(lam=room.says("λ"))
    until(lambda: room.page.title() == f"Shrinkage: {room.gains[0]}", "the new finding in the tab")
