"""Uploads as the server receives them: in parts, within limits that no message can raise, and read in other threads."""

import asyncio
import gc
import threading
import weakref
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from unittest.mock import Mock

import param
import pytest
from helpers.naming import names_all
from helpers.server_process import until_async

from explorer.datasets.files import contents
from explorer.pages.user_data import columns
from explorer.pages.user_data.columns import Columns
from explorer.pages.user_data.group_column import SECOND, two_samples
from explorer.pages.user_data.inputs import arrivals, upload
from explorer.pages.user_data.inputs.upload import UNCLEAR, Upload
from explorer.pages.user_data.panel import UserData
from explorer.pages.user_data.strings import Strings

RAW = b"a,b\n1,2\n3,5\n"


@pytest.fixture
def said():
    return []


@pytest.fixture
def button(said):
    made = Upload(said.append, label="Choose a file")
    made._send_msg = Mock()
    return made


def part(data=RAW, chunk=1, total=1, name="mine.csv", **more):
    named = {"name": name, "data": data, "chunk": chunk, "total_chunks": total, "mime_type": "text/csv"}
    return {"status": "upload_event", **named, **more}


def send(button, *messages):
    for message in ({"status": "initializing"}, *messages, {"status": "finished"}):
        button._handle_msg(message)


def test_a_file_arrives_whole_from_its_parts(button, said):
    send(button, part(RAW[:4], 1, 3), part(bytearray(RAW[4:8]), 2, 3), part(memoryview(RAW[8:]), 3, 3))
    assert (button.value, button.filename) == (RAW, "mine.csv")
    button._send_msg.assert_called_once_with({"status": "finished"})
    send(button, part(b"x\n1\n", name="other.csv"))
    assert (button.value, button.filename) == (b"x\n1\n", "other.csv")
    assert said == []


@pytest.mark.parametrize(
    "message",
    [
        *({**part(), key: value} for key in ("name", "chunk", "total_chunks") for value in (None, [], 1.5, {}, b"x")),
        *({**part(), "data": value} for value in (None, "text", 2_000_000_000, [1, 2], {})),
        {"status": "upload_event"},
        part(name=""),
        part(chunk=0),
        part(chunk=2, total=2),
        part(chunk=2, total=1),
        part(chunk=-1, total=-1),
        part(chunk=1, total=10**12),
    ],
)
def test_a_part_that_no_browser_sends_is_a_sentence(button, said, message):
    send(button, message)
    assert said == [UNCLEAR]
    assert button.value is None
    assert button._parts == []


@pytest.mark.parametrize("message", [None, 5, "text", [], {}, {"status": 7}, {"status": "other"}])
def test_a_message_that_is_none_of_an_upload_is_a_sentence(button, said, message):
    button._handle_msg(message)
    assert said == [UNCLEAR]


def unfinished(size):
    """Return (a button that got only a part of a file, its refusals)."""
    said = []
    made = Upload(said.append, label="Choose a file")
    made._send_msg = Mock()
    made._handle_msg({"status": "initializing"})
    made._handle_msg(part(b"x" * size, total=2))
    return made, said


@pytest.fixture
def alone(monkeypatch):
    """Forget unfinished uploads of other tests."""
    monkeypatch.setattr(upload, "_arriving", weakref.WeakKeyDictionary())


def test_unfinished_uploads_of_all_pages_have_a_total(alone, monkeypatch):
    monkeypatch.setattr(upload, "TOGETHER", 2500)
    (first, none), (second, some), (third, refused) = (unfinished(1000) for _ in range(3))
    assert (none, some, refused) == ([], [], [upload.FULL])
    assert (len(first._parts), len(third._parts)) == (1, 0)
    first._handle_msg(part(b"x" * 600, 2, 2))  # 2,600 bytes in two uploads
    assert none == [upload.FULL]
    first._handle_msg({"status": "finished"})
    assert first.value is None
    second._handle_msg(part(b"x" * 1000, 2, 2))
    second._handle_msg({"status": "finished"})
    assert len(second.value) == 2000
    assert unfinished(2000)[1] == []  # complete uploads no longer count


def test_an_upload_of_a_page_that_is_gone_counts_no_more(alone, monkeypatch):
    monkeypatch.setattr(upload, "TOGETHER", 1500)
    made, said = unfinished(1000)
    del made
    gc.collect()
    assert said == unfinished(1000)[1] == []


def test_an_upload_that_takes_too_long_is_forgotten(monkeypatch):
    monkeypatch.setattr(upload, "LASTS", 0.01)

    async def wait():
        made, said = unfinished(1000)
        await until_async(lambda: made._parts == [])
        assert said == []
        made._handle_msg(part(b"x", 2, 2))
        made._handle_msg({"status": "finished"})
        assert said == [upload.TOO_SLOW]
        send(made, part())
        assert made.value == RAW
        await asyncio.sleep(0.03)
        assert (made.value, len(said)) == (RAW, 1)

    asyncio.run(wait())


def test_more_than_the_limit_is_forgotten_as_it_comes(button, said, monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 1)
    button._handle_msg({"status": "initializing"})
    for i in range(1, 1000):
        button._handle_msg(part(bytes(300_000), i, 1000))
        assert sum(map(len, button._parts)) <= 1_000_000
    button._handle_msg({"status": "finished"})
    assert [names_all(each, "mine.csv", "1 MB") for each in said] == [True]
    assert button.value is None
    send(button, part())
    assert button.value == RAW


def test_parts_of_several_files_or_of_none_are_not_kept(button, said):
    send(button, part(chunk=1, total=2), part(chunk=2, total=2, name="other.csv"))
    assert said == [UNCLEAR]
    button._handle_msg(part())  # a part of an upload that has not begun
    assert button._parts == []
    send(button, part(chunk=1, total=2))  # an upload that ends too early
    assert said == [UNCLEAR] * 2
    assert button.value is None


def test_more_files_at_once_than_a_page_takes_are_a_sentence(button, said):
    send(button, part(), part(name="other.csv"))
    assert [names_all(each, "one file") for each in said] == [True]
    assert (button.value, button._whole) == (None, [])
    came = []
    button.both = came.append
    send(button, part(RAW[:4], 1, 2), part(RAW[4:], 2, 2), part(b"x\n1\n", name="other.csv"))
    assert came == [[("mine.csv", RAW), ("other.csv", b"x\n1\n")]]
    send(button, part(), part(), part())
    assert [names_all(each, "two files") for each in said[1:]] == [True]
    send(button, part())
    assert (button.value, len(came)) == (RAW, 1)


def test_two_files_dropped_at_once_are_the_two_samples(at_once):
    taken = Mock()
    own = UserData(
        two_samples(), taken, lambda: {"group": "", "hash": "", "hash2": "", "columns": "", "missing": "refuse"}
    )
    rows = b"".join(b"%d,%d\n" % (i, i * i % 7) for i in range(12))
    send(own.file, part(b"a,b\n" + rows, name="before.csv"), part(b"a,b\n" + rows[8:], name="after.csv"))
    assert own.trouble.object == ""
    assert own.group.value == SECOND
    assert [file.name for file in own.files.values()] == ["before.csv", "after.csv"]
    own.button.clicks += 1
    tables, fields = taken.call_args.args
    assert [(table.name, table.n) for table in tables] == [("before.csv", 12), ("after.csv", 10)]
    assert (fields["file"], fields["file2"]) == ("before.csv", "after.csv")


def test_an_empty_file_a_long_name_and_what_the_browser_refused(button, said):
    send(button)
    send(button, part(name="n" * 10_000))
    button._handle_msg({"status": "error", "error": "<b>too large</b>"})
    assert names_all(said[0], "empty")
    assert names_all(said[1], "10,000 letters", 255)
    assert names_all(said[2], "20 MB")
    assert len(said) == 3
    send(button, part(name="n" * 255))
    assert len(button.filename) == 255


def test_no_property_is_the_browsers_to_change(button):
    assert button._linked_properties == ()


OWN = {
    "table": lambda: UserData([Columns()], Mock()),
    "groups": lambda: UserData(two_samples(), Mock()),
    "strings": lambda: UserData([Strings(lambda text: ())], Mock(), lambda: {"groups": "", "n": 1}),
}


@pytest.mark.parametrize("kind", OWN)
def test_the_page_says_why_and_keeps_no_file(kind, at_once):
    own = OWN[kind]()
    first, *others = own.zones
    for button in (first, *others):
        send(button, part(None))
        assert unescape(own.trouble.object).count(UNCLEAR) == 1
    assert not own.button.visible
    send(first, part(b"A,ACGT\nB,ACTT\nA,ACG\nB,ACT\n" if kind == "strings" else RAW))
    assert own.trouble.object == ""
    assert own.button.visible


def test_the_last_of_several_files_that_wait_is_the_one_that_is_shown(monkeypatch):
    """While a slow file is read, two more are chosen: the second is never read, and the third is shown."""
    own, threads, going, seen = UserData([Columns()], Mock()), set(), threading.Event(), []
    parse = columns.parse

    def slow(file, lenient):
        threads.add(threading.current_thread() is threading.main_thread())
        seen.append(file.name)
        going.wait(10)
        return parse(file, lenient=lenient)

    monkeypatch.setattr(columns, "parse", slow)
    monkeypatch.setattr(arrivals, "READERS", ThreadPoolExecutor(1))

    async def chosen():
        tasks = []

        def begun(call):
            tasks.append(asyncio.ensure_future(call()))

        monkeypatch.setattr(param.parameterized, "async_executor", begun)
        for i in range(3):
            send(own.file, part(RAW + b"%d,8\n" % i, name=f"{i}.csv"))
            await until_async(lambda: seen, "the first file to be read")
        going.set()
        await asyncio.gather(*tasks)

    asyncio.run(chosen())
    assert own.preview.name == "2.csv"
    assert seen == ["0.csv", "2.csv"]
    assert threads == {False}


def test_a_preview_of_many_long_cells_stays_short():
    own = UserData([Columns()], Mock())
    header = b",".join(b"c%d" % j for j in range(2000))
    own.choose(header + b"\n" + b",".join([b"1"] * 1999 + [b"w" * 100_000]) + b"\n", "wide.csv")
    assert len(own.about.object) < 20_000
    assert names_all(own.about.object, "50")
    own.choose(b"a,b\n" + b"w" * 100_000 + b",1\n", "long.csv")
    assert len(own.about.object) < 2_000
