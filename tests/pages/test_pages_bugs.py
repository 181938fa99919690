"""A bug in a lab is logged with its traceback; the page says so in a sentence, keeps its last picture, and lives on."""

import logging
from contextlib import ExitStack

import pytest
from helpers.page_helpers import (
    ask,
    error_at,
    live_columns,
    notice,
    open_page,
    run_callbacks,
    same_columns,
    shows_state,
    type_in,
)

from explorer.checks import Refusal
from explorer.estimators.spectrum import Spectrum
from explorer.labs.shrinkage import ShrinkageLab
from explorer.labs.shrinkage import result as shown
from explorer.workbench.safe_call import WENT_WRONG


@pytest.fixture
def fragile(monkeypatch):
    """Make samples of 33 and of 700 points fail, as a broadcasting error of NumPy would."""

    def breaking(K):
        if len(K) in (33, 700):
            raise ValueError("operands could not be broadcast together")
        return Spectrum(K)

    monkeypatch.setattr(shown, "Spectrum", breaking)


def logged(caplog):
    """Return the tracebacks in the server's log."""
    return [record.exc_text or str(record.exc_info[1]) for record in caplog.records if record.exc_info]


@pytest.mark.usefixtures("fragile")
def test_a_bug_is_logged_and_the_last_picture_stays(caplog):
    page = open_page()
    before = live_columns(page)
    type_in(page, "n", "33")
    assert WENT_WRONG in notice(page)
    assert same_columns(before, live_columns(page))
    assert any("broadcast" in text for text in logged(caplog))
    type_in(page, "n", "34")
    assert notice(page) == ""
    assert shows_state(page, n=34)


@pytest.mark.usefixtures("fragile")
def test_a_bug_in_a_thread_is_logged_and_the_browser_goes_on(caplog, as_if_served):
    page = open_page()
    before = live_columns(page)
    type_in(page, "n", "700")
    ask(page, 3, bandwidth=[5, False])
    run_callbacks(as_if_served)
    assert WENT_WRONG in notice(page)
    assert same_columns(before, live_columns(page))
    assert page.pacer.request.answered == 3
    assert logged(caplog)


@pytest.mark.usefixtures("fragile")
def test_a_link_that_meets_a_bug_opens_at_the_first_state(caplog):
    page = open_page(n="33")
    assert WENT_WRONG in notice(page)
    assert same_columns(page.view.columns(ShrinkageLab().result()), live_columns(page))
    assert logged(caplog)


def test_a_bug_in_what_is_late_is_logged_once_and_not_tried_again(caplog, monkeypatch):
    tried = []

    def broken(*args):
        tried.append(args)
        raise IndexError("index 7 is out of bounds")

    monkeypatch.setattr(shown, "repeat", broken)
    page = open_page()
    page.toggle("samples", 100)
    page.rest()
    assert len(tried) == 1
    assert page.result.replicates is None
    assert len(logged(caplog)) == 1
    type_in(page, "bandwidth", "0.5")
    assert page.result.lab.bandwidth == 0.5


def test_a_bug_on_the_way_to_the_lab_is_said_at_the_control(caplog, monkeypatch):
    page = open_page()
    monkeypatch.setattr(ShrinkageLab, "_check_refits", lambda self: 1 / 0)
    type_in(page, "n", "30")
    assert WENT_WRONG in error_at(page, "n")
    assert page.lab.n == 20
    assert logged(caplog)


def test_a_refusal_is_no_bug(caplog):
    with caplog.at_level(logging.WARNING), ExitStack():
        page = open_page(source="wine", n="100")
        type_in(page, "n", "400")
    assert "178" in notice(page)
    assert logged(caplog) == []
    with pytest.raises(Refusal, match="178"):
        page.lab.result()
