"""Links and copies: each gives the same page and the same numbers elsewhere."""

from __future__ import annotations

import pytest
from helpers.naming import names_all
from helpers.server_process import until

from explorer.labs.shrinkage import ShrinkageLab
from explorer.workbench.content import content_of
from explorer.workbench.numbers import compared

SHRINKAGE = content_of("shrinkage").presets

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


def losses(lab_page, error="squared error"):
    """Return the losses that copied Python computes, in the headline's words; `error` is its name for a loss."""
    scope = {}
    exec(lab_page.copied("Copy Python"), scope)
    simple, flexible = (compared(1 - scope["losses"][name], error) for name in ("S-KMSE", "F-KMSE"))
    return [simple.error, flexible.share]


@pytest.mark.thorough
def test_a_link_restores_every_field_and_copied_python_gives_its_numbers(new_lab_page):
    lab_page = new_lab_page().open(**ELSEWHERE)
    assert lab_page.alerts == []
    assert losses(lab_page) == lab_page.gains
    assert names_all(lab_page.trust, "1", "moved")
    sliders = {"λ": "0.1", "bandwidth": "0.5", "n points": "40", "d coord": "3", "outliers": "4", "distance": "50"}
    assert {name: lab_page.says(name) for name in sliders} == sliders
    boxes = {"λ": "0.1", "bandwidth": "0.5", "n": "40", "d": "3", "outliers": "4", "seed": "7"}
    assert {name: lab_page.box(name).input_value() for name in boxes} == boxes
    menus = lab_page.page.get_by_role("combobox")
    for choice in ("quadratic", "heavy tail", "Theorem 4", "Gaussian"):  # those of a folded row come a moment later
        until(lambda choice=choice: choice in " ".join(menus.all_inner_texts()), f"a menu that says {choice}")
    lab_page.press("λ")
    lab_page.follows(**{**ELSEWHERE, "lam": "0.125"})
    usual = ShrinkageLab().flat()
    assert set(lab_page.params) == {
        "v",
        *(name for name, word in {**ELSEWHERE, "lam": "0.125"}.items() if word != usual[name]),
    }


@pytest.mark.thorough
def test_a_link_says_what_differs_from_the_defaults_and_undo_shortens_it_again(lab_page):
    lab_page.press("λ")
    lab_page.follows(lam=lab_page.says("λ"))
    assert set(lab_page.params) <= {"v", "lam", "samples"}
    assert len(lab_page.copied("Copy link")) < len(lab_page.page.url.partition("?")[0]) + 30
    lab_page.button("^Undo$").click()
    until(lambda: "lam" not in lab_page.params, "a link that is as short as before")


@pytest.mark.thorough
def test_a_copied_link_opens_the_same_room_whatever_was_spilt_on_it_and_the_two_share_nothing(lab_page, new_lab_page):
    lab_page.press("d coord")
    lab_page.follows(d=lab_page.says("d coord"))
    link, shown, n = lab_page.copied("Copy link"), lab_page.headline, lab_page.says("n points")
    assert link == lab_page.page.url
    other = new_lab_page().go(f"{link}&%FF%FE&m&seed=&=&&colour=red")
    assert other.headline == shown
    until(lambda: other.alerts and "colour" in other.alerts[0], "a sentence on what is no field")
    assert other.says("n points") == n
    other.press("bandwidth")  # before the page is at rest
    other.follows(bandwidth="0.4")
    until(lambda: other.headline != shown, "another headline")
    assert other.alerts == []
    lab_page.page.bring_to_front()
    assert lab_page.headline == shown
    with lab_page.answers("a step of n"):
        lab_page.press("n points")
    lab_page.follows(n=lab_page.says("n points"), bandwidth="0.32")
    assert other.says("n points") == n


@pytest.mark.thorough
def test_copied_python_gives_the_estimates_of_a_table(lab_page):
    (wine,) = (preset for preset in SHRINKAGE if preset.fields.get("source") == "wine")
    lab_page.preset(wine.name)
    lab_page.follows(source="wine")
    lab_page.type("n", "60")
    lab_page.type("λ", "0.01")
    lab_page.follows(n="60", lam="0.01")
    assert lab_page.alerts == []
    assert "wine" in lab_page.trust
    assert losses(lab_page, "estimated squared error") == lab_page.gains


@pytest.mark.thorough
def test_copied_python_follows_the_hand(lab_page):
    lab_page.press("λ")
    lab_page.follows(lam=lab_page.says("λ"))
    assert losses(lab_page) == lab_page.gains


@pytest.mark.thorough
def test_the_tab_is_called_after_what_the_state_shows(lab_page):
    until(lambda: lab_page.page.title() == "Shrinkage: 30 % less squared error", "the finding in the tab")
    lab_page.press("λ")
    lab_page.follows(lam=lab_page.says("λ"))
    until(lambda: lab_page.page.title() == f"Shrinkage: {lab_page.gains[0]}", "the new finding in the tab")
