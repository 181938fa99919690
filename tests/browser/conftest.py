"""Fixtures of browser tests: one server for the session, one Chromium per module, and pages that allow no complaint."""

from __future__ import annotations

import pytest
from helpers.browsing import DESK, PHONE, SHRINKAGE, BrowserPage, axe_script, launched
from helpers.server_process import Server, until


def pytest_collection_modifyitems(items):
    """Run a failed test once more: on a busy machine a browser may pause for long. Real faults fail twice."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """Serve the labs; no test of the session may leave a complaint in the server's log."""
    served = Server(tmp_path_factory.mktemp("server") / "log")
    yield served
    served.stop()
    assert served.troubles() == []


# The scope is this folder, not the session: Playwright's event loop counts as running as long as it lives, and other
# folders' tests start event loops themselves.
@pytest.fixture(scope="package")
def chromium():
    """Start a browser."""
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def axe():
    """Return the path of axe-core's script."""
    return axe_script()


@pytest.fixture(scope="package")
def profile(chromium):
    """Return one browser profile, whose cache all pages share."""
    context = chromium.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def new_lab_page(chromium, profile, server):
    """Yield a function that opens a page, in a profile of its own if it gets options.

    The test fails if the browser logged a complaint on any of the pages.
    """
    lab_pages = []

    def make(**options):
        context = chromium.new_context(**{"viewport": DESK, **options}) if options else profile
        lab_pages.append(BrowserPage(context, server.url))
        return lab_pages[-1]

    yield make
    complaints = [complaint for lab_page in lab_pages for complaint in lab_page.complaints]
    for lab_page in lab_pages:
        lab_page.page.close()
        if lab_page.page.context is not profile:
            lab_page.page.context.close()
    assert complaints == []


@pytest.fixture(scope="package")
def lab_pages(profile, server):
    """Return a function that maps a LabEntry to the lab's page. Tests share the pages: opening one takes seconds.

    A page that another module has used, perhaps with a user's table, is reset.
    """
    opened = {}

    def of(place):
        lab_page = opened.get(place.address)
        if lab_page is None:
            opened[place.address] = lab_page = BrowserPage(profile, server.url, place).open()
        else:
            lab_page.place = place
            lab_page.start_over()
        return lab_page

    return of


@pytest.fixture(scope="module")
def shared_page(request, lab_pages):
    """Return the page of the lab that the module names as PLACE, or of the Shrinkage lab."""
    place = getattr(request.module, "PLACE", SHRINKAGE)
    lab_page = lab_pages(place)
    if place.lab_class.slider:  # once: from then on the session has it
        until(lab_page.has_table, "the table of the slider's stops", 90)
    return lab_page


@pytest.fixture(scope="package")
def shared_phone(chromium, server):
    """Return the Shrinkage lab's page on a phone."""
    context = chromium.new_context(**PHONE)
    yield BrowserPage(context, server.url).open()
    context.close()


def reset(page):
    """Yield a shared page in its opening state; the test fails if the browser complains."""
    page.start_over()
    yield page
    complaints, page.complaints = page.complaints, []
    assert complaints == []


@pytest.fixture
def lab_page(shared_page):
    """Return the page in its opening state."""
    yield from reset(shared_page)


@pytest.fixture
def phone(shared_phone):
    """Return the page in its opening state on a phone."""
    yield from reset(shared_phone)
