"""The Two-sample lab in use: answers of the browser, idle updates, dragged points, rows left out."""

from __future__ import annotations

import pytest
from helpers.browsing import LabEntry
from helpers.server_process import until

from explorer.labs.twosample import TwoSampleLab
from explorer.labs.twosample.words import headline
from explorer.markup import text_of
from explorer.workbench.content import content_of

from .test_browser_accessibility import is_open_to_all

PRESETS = content_of("twosample").presets

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

PLACE = LabEntry("twosample")


def test_the_browser_answers_the_bandwidth_while_the_server_sleeps(lab_page, server):
    until(lab_page.has_table, "the table of every bandwidth")
    with server.asleep(), lab_page.answers("a step of the bandwidth"):
        lab_page.press("bandwidth", "ArrowLeft")
    lab_page.follows(bandwidth=lab_page.says("bandwidth"))
    bandwidth = lab_page.says("bandwidth")
    result = TwoSampleLab(bandwidth=float(bandwidth)).result(wait=True)
    assert text_of(headline(result, result.row)).startswith(lab_page.headline)


def test_an_outlier_masks_and_its_row_is_left_out(lab_page):
    with lab_page.answers("a preset"):
        lab_page.button("^Masked by one outlier$").click()
    until(lambda: "changes the verdict" in lab_page.trust, "the influence of single rows")
    first = lab_page.headline
    with lab_page.answers("a row left out"):
        lab_page.button("^without row 100 of Q$").click()
    lab_page.follows(dropped='["Q100"]')
    assert "differ" in lab_page.headline
    lab_page.button("^Put the rows back$").click()
    until(lambda: lab_page.headline == first, "the rows back")


def test_a_point_is_dragged(lab_page):
    until(lab_page.is_idle, "a page at rest")
    lab_page.slider("n points").scroll_into_view_if_needed()
    X = TwoSampleLab().result().samples.X
    row = int(X[:, 0].argmin())  # a point that no other is near
    x, y = place = lab_page.at("P and Q, shaded", *X[row])
    with lab_page.answers("a dragged point"):
        lab_page.drag(place, (x + 30, y - 25))
    until(lambda: f'"{row}":' in lab_page.fields["moved_p"], "the moved point in the link")


def test_an_open_page_has_no_barrier_and_a_narrow_one_does_not_scroll_sideways(lab_page, axe):
    is_open_to_all(lab_page, axe, "^null PNG$")
