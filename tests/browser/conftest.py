"""One server for the session, one Chromium a module, and pages that let no complaint pass."""

from __future__ import annotations

import pytest
from browsing import DESK, PHONE, SHRINKAGE, Room, axe_script, launched
from serving import Server


def pytest_collection_modifyitems(items):
    """Look twice: on a shared machine a browser may stand still for longer than a hand waits. A fault of ours stays."""
    for item in items:
        if item.get_closest_marker("browser"):
            item.add_marker(pytest.mark.flaky(reruns=1))


@pytest.fixture(scope="session")
def server(tmp_path_factory):
    """The room, served; no test of the session may leave a complaint in its log."""
    served = Server(tmp_path_factory.mktemp("server") / "log")
    yield served
    served.stop()
    assert served.troubles() == []


# of this folder, not of the session: Playwright's event loop counts as running for as long as it lives, and tests of
# other directories start loops of their own
@pytest.fixture(scope="package")
def chromium():
    """A browser."""
    with launched() as browser:
        yield browser


@pytest.fixture(scope="session")
def axe():
    """The path of axe-core's script."""
    return axe_script()


@pytest.fixture(scope="package")
def profile(chromium):
    """One browser profile, which fetches what all pages share only once."""
    context = chromium.new_context(viewport=DESK, permissions=["clipboard-read", "clipboard-write"])
    yield context
    context.close()


@pytest.fixture
def new_room(chromium, profile, server):
    """Makes rooms, in a profile of their own where they have options.

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
    """Rooms that are kept, one for each lab, as opening one takes seconds; give it the lab's Place.

    A room that another module has left, perhaps with a table of its own, starts over.
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
    """The first lab's; the tests of another lab give `kept` one of theirs."""
    return rooms(SHRINKAGE)


@pytest.fixture(scope="package")
def kept_phone(chromium, server):
    """Another, on a telephone."""
    context = chromium.new_context(**PHONE)
    yield Room(context, server.url).open()
    context.close()


def lent(kept):
    """A kept room as it opens, to one test, which fails if the browser complains."""
    kept.start_over()
    yield kept
    complaints, kept.complaints = kept.complaints, []
    assert complaints == []


@pytest.fixture
def room(kept):
    """The room as it opens."""
    yield from lent(kept)


@pytest.fixture
def phone(kept_phone):
    """The room as it opens on a telephone."""
    yield from lent(kept_phone)
