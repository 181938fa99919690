"""Fixtures of browser tests: one server for the session, one Chromium per module, and pages that allow no complaint."""

from __future__ import annotations

import pytest
from browsing import DESK, PHONE, SHRINKAGE, Room, axe_script, launched
from server_process import Server


def pytest_collection_modifyitems(items):
    """Try a failed test again: on a shared machine a browser may pause longer than a user. Faults of ours stay."""
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


# The scope is this folder, not the session: Playwright's event loop counts as running as long as it lives, and tests
# of other directories start loops of their own.
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
    """Return one browser profile; what all pages share is fetched only once."""
    context = chromium.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def new_room(chromium, profile, server):
    """Make rooms, in a profile of their own if they have options.

    The test fails if the browser complained in any.
    """
    rooms = []

    def make(**options):
        context = chromium.new_context(**{"viewport": DESK, **options}) if options else profile
        rooms.append(Room(context, server.url))
        return rooms[-1]

    yield make
    complaints = [complaint for room in rooms for complaint in room.complaints]
    for room in rooms:
        room.page.close()
        if room.page.context is not profile:
            room.page.context.close()
    assert complaints == []


@pytest.fixture(scope="package")
def rooms(profile, server):
    """Return rooms that are kept, one for each lab, because opening one takes seconds; give it the lab's Place.

    A room that another module has left, perhaps with a user's table, starts over.
    """
    opened = {}

    def of(place):
        room = opened.get(place.address)
        if room is None:
            opened[place.address] = room = Room(profile, server.url, place).open()
        else:
            room.place = place
            room.start_over()
        return room

    return of


@pytest.fixture(scope="package")
def kept(rooms):
    """Return the first lab's room; the tests of another lab override `kept` with one of theirs."""
    return rooms(SHRINKAGE)


@pytest.fixture(scope="package")
def kept_phone(chromium, server):
    """Return another room, on a telephone."""
    context = chromium.new_context(**PHONE)
    yield Room(context, server.url).open()
    context.close()


def lent(kept):
    """Lend a kept room to one test in its opening state; the test fails if the browser complains."""
    kept.start_over()
    yield kept
    complaints, kept.complaints = kept.complaints, []
    assert complaints == []


@pytest.fixture
def room(kept):
    """Return the room in its opening state."""
    yield from lent(kept)


@pytest.fixture
def phone(kept_phone):
    """Return the room in its opening state on a telephone."""
    yield from lent(kept_phone)
