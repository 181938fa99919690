"""Several workers: they end with their parent, one that dies is replaced, and each websocket reaches its session."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import subprocess
import sys

import pytest
from bokeh.server.views import session_handler
from bokeh.util.token import generate_jwt_token, generate_session_id
from helpers.naming import naming
from helpers.server_process import descendants, is_gone, until
from tornado.web import Application, RequestHandler

from explorer.commands.worker_routing import (
    Listener,
    requested_path,
    requested_session,
    use_own_session_ids,
    worker_of,
    worker_sockets,
)
from explorer.commands.workers import Loads, Worker

pytestmark = pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="children are looked up in /proc")

# workers that do nothing; the word after the script says what they do when they receive the signal to end
SCRIPT = """
import os, signal, sys
from explorer.commands import workers
workers.GRACE = 0.3

def serve(worker):
    if sys.argv[1] == "fail":
        sys.exit(3)
    signal.signal(signal.SIGTERM, signal.SIG_IGN if sys.argv[1] == "deaf" else lambda *_: sys.exit(0))
    worker.is_ready()
    os.write(1, f"{worker.number} {os.getpid()}\\n".encode())  # at once: both write to one pipe
    while os.read(worker.leash, 1):
        pass

workers.Workers(2, serve).run()
"""


@pytest.fixture
def started():
    """Start the script; it and its workers are gone after the test."""
    opened = []

    def start(manner):
        pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        opened.append(subprocess.Popen([sys.executable, "-c", SCRIPT, manner], text=True, **pipes))
        return opened[-1]

    yield start
    for process in opened:
        for pid in [*descendants(process.pid), process.pid]:
            if not is_gone(pid):
                os.kill(pid, signal.SIGKILL)
        process.communicate()


def next_worker(process):
    """Return the worker and the pid that the next line of a process names."""
    line = process.stdout.readline()
    assert line, process.stderr.read()
    return tuple(map(int, line.split()))


def test_a_worker_that_dies_is_replaced_and_sigterm_ends_all(started):
    process = started("heed")
    pids = dict([next_worker(process), next_worker(process)])
    assert set(pids) == {0, 1}
    os.kill(pids[1], signal.SIGKILL)
    number, pid = next_worker(process)
    assert number == 1
    assert pid != pids[1]
    process.terminate()
    assert process.wait(10) == 0
    assert all(map(is_gone, [pids[0], pid]))
    assert re.search(naming("Worker 2", "SIGKILL"), process.stderr.read())


def test_ctrl_c_ends_workers_that_do_not_listen(started):
    process = started("deaf")
    pids = [next_worker(process)[1], next_worker(process)[1]]
    process.send_signal(signal.SIGINT)
    assert process.wait(10) == 0
    assert all(map(is_gone, pids))


def test_workers_see_that_their_parent_was_killed(started):
    process = started("heed")
    pids = [next_worker(process)[1], next_worker(process)[1]]
    process.kill()
    until(lambda: all(map(is_gone, pids)), "the end of the workers", 10)


def test_workers_that_cannot_serve_end_all_with_a_sentence(started):
    process = started("fail")
    assert process.wait(10) == 1
    assert re.search(naming("exit code 3"), process.stderr.read())
    assert descendants(process.pid) == []


# a session's id decides its owner, so that every worker knows it
SESSION = {worker_of(f"session{k}", 2): f"session{k}" for k in range(9)}


def head(session):
    """Return the request that opens a websocket to a session."""
    token = generate_jwt_token(session)
    lines = ["GET / HTTP/1.1", "Host: here", f"Sec-WebSocket-Protocol: bokeh, {token}", "Connection: close"]
    return "\r\n".join([*lines, "", ""]).encode()


def test_a_websocket_is_answered_by_the_worker_of_its_session():
    class Number(RequestHandler):
        def initialize(self, number):
            self.number = number

        def get(self):
            self.write(f"worker {self.number}")

    async def answers():
        pairs, ports, listeners = worker_sockets(2), [], []
        for number in range(2):
            listener = Listener(Application([("/", Number, {"number": number})]))
            listener.join(Worker(number, 2, None, bytearray(2)), pairs)
            listener.listen(0, "127.0.0.1")
            listeners.append(listener)
            ports.append(next(iter(listener._sockets.values())).getsockname()[1])

        async def ask(number, request):
            reader, writer = await asyncio.open_connection("127.0.0.1", ports[number])
            for part in (request[:-30], request[-30:]):  # in two packets
                writer.write(part)
                await writer.drain()
                await asyncio.sleep(0.02)
            answer = await asyncio.wait_for(reader.read(), 10)
            writer.close()
            return answer.decode().rpartition("\r\n")[2]

        told = {(asked, own): await ask(asked, head(SESSION[own])) for asked in range(2) for own in range(2)}
        plain = [await ask(number, b"GET / HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n") for number in range(2)]
        for number, (door, window) in enumerate(pairs):
            asyncio.get_running_loop().remove_reader(door)
            door.close(), window.close(), listeners[number].stop()
        return told, plain

    told, plain = asyncio.run(answers())
    assert told == {(asked, own): f"worker {own}" for asked in range(2) for own in range(2)}
    assert plain == ["worker 0", "worker 1"]


@pytest.mark.parametrize("token", ["", "x", "e30", "W10", "bnVsbA", "_" * 99])
def test_what_is_no_token_names_no_session(token):
    assert requested_session(f"GET / HTTP/1.1\r\nSec-WebSocket-Protocol: bokeh, {token}\r\n\r\n".encode()) is None


def test_a_worker_gives_only_sessions_that_it_owns(monkeypatch):
    monkeypatch.setattr(session_handler, "generate_session_id", generate_session_id)
    use_own_session_ids(Worker(2, 3, None, bytearray(3)))
    assert {worker_of(session_handler.generate_session_id(secret_key=None, signed=False), 3) for _ in range(20)} == {2}


@pytest.mark.parametrize(
    ("line", "path"),
    [
        (b"GET /lab/dna?n=5 HTTP/1.1", "/lab/dna"),
        (b"GET / HTTP/1.1", "/"),
        (b"POST / HTTP/1.1", None),
        (b"GET", None),
        (b"", None),
    ],
)
def test_the_first_line_says_which_page_is_asked_for(line, path):
    assert requested_path(line + b"\r\n\r\n") == path


def test_a_busy_worker_is_counted_with_what_it_has_yet_to_take():
    loads = Loads(2)
    loads.has(0, 3)
    for _ in range(4):
        loads.gave(0, 1)
    assert [loads.of(number) for number in range(2)] == [3, 4]
    loads.took(1)
    loads.has(1, 1)
    assert loads.of(1) == 4
    loads.has(1, 0)  # it has died, and another takes what waits
    assert loads.of(1) == 3
