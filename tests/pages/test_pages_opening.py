"""A page opens before its result is computed, and a forbidden state gives a message."""

import asyncio

import pytest
from bokeh.server.callbacks import NextTickCallback
from every_lab import ROWS
from helpers.page_helpers import live_columns, notice, run_callbacks, same_columns, type_in
from panel.io.document import _cleanup_doc as discard

from explorer.labs.conditional.page import ConditionalPage
from explorer.labs.monk.page import MonkPage
from explorer.pages import page_class
from explorer.pages.widgets.menus import DisclosureButton
from explorer.workbench import cost
from explorer.workbench.cost import CostItem

DEAR = {"n": "1000", "picture": "embedding", "blocks": "801"}
FADED = "0.1"


def opacities(page):
    return {picture.styles.get("opacity", "1") for picture in page.arranged.pictures.values()}


@pytest.mark.thorough
def test_a_slow_state_is_computed_by_a_thread_and_the_page_says_so(as_if_served):
    page = ConditionalPage({"n": "800"})
    assert "Computing" in page.chrome.headline.object
    assert opacities(page) == {FADED}
    assert page.lab.n == 800
    assert page.controls["n"].box.value == "800"
    run_callbacks(as_if_served)
    assert page.result.lab.n == 800
    assert "Computing" not in page.chrome.headline.object
    assert opacities(page) == {"1"}
    page.rest()
    assert same_columns(page.view.columns(ConditionalPage.lab_class(n=800).result()), live_columns(page))


def test_a_page_that_is_closed_while_it_computes_asks_its_document_for_nothing(as_if_served):
    page = ConditionalPage({"n": "800"})
    (computing,) = [c for c in as_if_served.session_callbacks if isinstance(c, NextTickCallback)]

    async def close_meanwhile():
        running = asyncio.ensure_future(computing.callback())
        await asyncio.sleep(0)
        page.release()
        discard(as_if_served)
        await running

    asyncio.run(close_meanwhile())
    assert page.blank


@pytest.mark.thorough
def test_a_state_that_is_too_dear_is_a_sentence_and_lower_numbers_are_shown(as_if_served):
    page = MonkPage(DEAR)
    assert "lower blocks or n" in notice(page)
    assert opacities(page) == {FADED}
    assert (page.lab.blocks, page.blank) == (801, True)
    type_in(page, "blocks", "5")
    run_callbacks(as_if_served)
    assert (page.result.lab.blocks, page.blank, notice(page)) == (5, False, "")
    assert opacities(page) == {"1"}


def test_a_move_that_is_too_dear_keeps_the_last_picture(as_if_served):
    page = MonkPage({"picture": "embedding", "n": "100"})
    run_callbacks(as_if_served)
    before = live_columns(page)
    page.move(None, n=2000, blocks=1999)
    run_callbacks(as_if_served)
    assert "lower blocks or n" in notice(page)
    assert same_columns(before, live_columns(page))
    assert page.chrome.pictures.styles["opacity"] == "0.6"  # the picture shows another state


@pytest.mark.few(3)
@pytest.mark.thorough(default=["shrinkage"])
@pytest.mark.parametrize("name", ROWS)
def test_a_page_at_its_first_state_shares_the_result_that_the_process_has(as_if_served, name):
    one, other = page_class(name)(), page_class(name)()
    if one.lab == type(one.lab)():
        assert one.result is other.result


@pytest.mark.few(3)
@pytest.mark.thorough(default=["monk"])
@pytest.mark.parametrize("name", ROWS)
def test_what_nobody_sees_becomes_models_when_it_is_shown(as_if_served, name):
    page, doc = page_class(name)(), as_if_served
    doc.add_root(page.__panel__().get_root(doc))
    few, left_out = len(list(doc.models)), set(page.arranged.unseen.parts())
    assert left_out.isdisjoint(page.chrome.page.select())
    for opener in page.chrome.page.select(DisclosureButton):
        opener.open = True
    for place, _ in page.arranged.conditions:
        page.arranged.unseen.build(place)
    assert left_out <= set(page.chrome.page.select())
    assert (len(list(doc.models)) > few) == bool(left_out)
    for control in page.sliders.values():
        (model,) = (model for model, _ in control.slider._models.values())
        assert model.data.js_property_callbacks, control  # the browser watches it


def test_what_it_costs_is_the_time_of_all_parts_and_the_memory_of_the_largest():
    parts = [CostItem("one", cost.RATE, 10, ("n",)), CostItem("two", 2 * cost.RATE, 30, ("d",), late=True)]
    assert (cost.seconds(parts), cost.seconds(parts, late=True)) == (1.0, 2.0)
    assert cost.most_bytes(parts) == 240
