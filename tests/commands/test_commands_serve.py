"""`explorer serve` and `panel serve` with several processes: what is refused, what a visitor gets, and how it ends."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from html import unescape
from urllib.parse import urljoin

import pytest
from bokeh.util.token import get_session_id
from helpers.naming import naming
from helpers.protocol import fetch, token_of, visit
from helpers.server_process import ROOT, descendants, free_port, is_gone, until

from explorer import __version__
from explorer.__main__ import main
from explorer.commands import serve
from explorer.commands.worker_routing import worker_of


def error_of(capsys, *options):
    """Return the sentence that the command ends with."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(serve, "_serve", None)  # what is not refused is an error, and no server
        with pytest.raises(SystemExit) as ended:
            main(["serve", "--no-open", *options])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--port", "70000"], "1 65535 '70000' --port"),
        (["--workers", "0"], "--workers 1 64 0"),
        (["--workers", "65"], "--workers 1 64 65"),
        (["--sessions", "0"], "--sessions 1 0"),
        (["--idle-minutes", "-1"], "--idle-minutes 0 -1"),
        (["--idle-minutes", "nan"], "--idle-minutes 0 nan"),
        (["--embed-in", "moodle; script-src *"], "--embed-in https://moodle.example.org *"),
        (["--embed-in", "javascript://x"], "--embed-in https://moodle.example.org *"),
        (["--prefix", "a b"], "--prefix /explorer"),
        (["--prefix", "/../"], "--prefix /explorer"),
        (["--prefix", "(a"], "--prefix /explorer"),
        (["--address", "0.0.0.0"], "--address --allow-origin NAME:5006"),
        (["--address", "::"], "--address --allow-origin NAME:5006"),
        (["--allow-origin", "a:b:c"], "--allow-origin HOST:PORT 'a:b:c'"),
        (["--address", "192.0.2.1"], "'192.0.2.1' --address"),  # the network of examples
        (["--address", "no-such-host.invalid"], "'no-such-host.invalid' --address"),
    ],
)
def test_what_cannot_be_served_is_a_sentence(monkeypatch, capsys, options, said):
    monkeypatch.delenv("PORT", raising=False)
    assert re.search(naming(*said.split()), error_of(capsys, *options))


def test_a_taken_port_is_a_sentence(capsys):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert re.search(naming(port, "127.0.0.1", "--port"), error_of(capsys, "--port", str(port)))


@pytest.mark.parametrize(("given", "path"), [("", ""), ("/", ""), ("lab", "/lab"), ("/lab/", "/lab"), ("a/b", "/a/b")])
def test_a_prefix_begins_with_a_slash_and_ends_with_none(given, path):
    assert serve.prefix_of(given) == path


def test_pages_open_under_the_names_of_their_address():
    assert serve.origins_of("127.0.0.1", 5006, []) == ["localhost:5006", "127.0.0.1:5006"]
    assert "10.0.0.7:5006" in serve.origins_of("10.0.0.7", 5006, [])
    assert serve.origins_of("0.0.0.0", 5006, ["lab.example.org"])[2:] == ["lab.example.org:80"]  # as a browser means it


def test_other_sites_frame_pages_only_where_they_are_named():
    assert serve.embedding_of([]) == "frame-ancestors 'self'"
    moodle = "https://moodle.example.org"
    assert serve.embedding_of([moodle, "*"]) == f"frame-ancestors 'self' {moodle} *"


@pytest.mark.parametrize(("memory", "workers", "sessions"), [(4e9, 1, 80), (4e9, 2, 40), (1e8, 1, 20), (1e12, 1, 500)])
def test_a_process_carries_what_half_the_memory_has_room_for(monkeypatch, memory, workers, sessions):
    monkeypatch.setattr(serve, "_memory", lambda: int(memory))
    assert serve.sessions_of(None, workers) == sessions
    assert serve.sessions_of(7, workers) == 7


RESOURCE = re.compile(r"""(?:src|href)="([^"#]+)\"""")


class Served:
    """A server of two processes under a prefix or none, and its processes."""

    def __init__(self, log, command, path=""):
        self.port = free_port()
        self.base = f"http://127.0.0.1:{self.port}{path}"
        with log.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", *command, "--port", str(self.port)],
                cwd=ROOT,
                stdout=out,
                stderr=subprocess.STDOUT,
                env={**os.environ, "BOKEH_RESOURCES": "server"},
            )
        try:
            until(self._answers, "an answer of the server", 120)  # each process loads all labs first
            self.workers = until(lambda: descendants(self.process.pid), "two workers")
        except BaseException:
            self.kill()
            raise

    def _answers(self):
        assert self.process.poll() is None
        try:
            return self.get("/healthz", 1).startswith("ok")
        except OSError:
            return False

    def get(self, path, seconds=60):
        """Return the response of a path; a status other than 200 is an error."""
        with urllib.request.urlopen(self.base + path, timeout=seconds) as answer:
            return answer.read().decode(errors="replace")

    def only(self, worker):
        """Make one worker accept connections."""
        for each in self.workers:
            os.kill(each, signal.SIGCONT if each == worker else signal.SIGSTOP)
        time.sleep(0.1)  # a worker that was in the midst of taking a connection has it

    def all(self):
        """Continue every worker."""
        for each in self.workers:
            os.kill(each, signal.SIGCONT)

    def kill(self):
        """End every process of it, whatever it does."""
        for pid in [*descendants(self.process.pid), self.process.pid, *getattr(self, "workers", [])]:
            if not is_gone(pid):
                os.kill(pid, signal.SIGKILL)
        self.process.wait()


@pytest.fixture(scope="module")
def explorer(tmp_path_factory):
    """`explorer serve` with two workers and a prefix."""
    log = tmp_path_factory.mktemp("serve") / "log"
    served = Served(log, ["explorer", "serve", "--no-open", "--workers", "2", "--prefix", "/lab"], "/lab")
    yield served
    served.kill()


def statuses(served, path):
    """Return the answers of each worker to each resource that a page names: (worker, address) -> status."""
    served.all()
    page = served.get(path)
    words = (unescape(word) for word in RESOURCE.findall(page))
    named = {urljoin(served.base + path, word) for word in words if not word.startswith("data:")}
    assert sum(".js" in each for each in named) > 4
    seen = {}
    for worker in served.workers:
        served.only(worker)
        for each in named:
            assert each.startswith(served.base), f"{each} is asked of another host or outside the prefix"
            try:
                with urllib.request.urlopen(each, timeout=60) as answer:
                    seen[worker, each] = answer.status
            except urllib.error.HTTPError as error:
                seen[worker, each] = error.code
    served.all()
    return seen


@pytest.mark.few(1)
@pytest.mark.thorough
@pytest.mark.parametrize("path", ["/shrinkage", "/", "/home"])
def test_every_worker_has_every_file_that_a_page_names(explorer, path):
    assert set(statuses(explorer, path).values()) == {200}


@pytest.mark.thorough
def test_every_process_of_panel_has_every_file_too(tmp_path):
    apps = sorted(str(app.relative_to(ROOT)) for app in (ROOT / "apps").glob("*.py"))
    options = "--index", "home", "--num-procs", "2", "--rest-provider", "explorer"
    served = Served(tmp_path / "log", ["panel", "serve", *apps, *options])
    try:
        for path in ("/shrinkage", "/", "/home"):
            assert set(statuses(served, path).values()) == {200}
        assert "explorer.pages.serving.panel_plugin" not in (tmp_path / "log").read_text()  # the advice to load it
    finally:
        served.kill()


@pytest.mark.thorough
def test_each_worker_says_that_it_is_well(explorer):
    for worker in explorer.workers:
        explorer.only(worker)
        assert explorer.get("/healthz") == f"ok {__version__}\n"
    explorer.all()


@pytest.mark.thorough
def test_home_is_at_the_top_and_its_links_stay_below_it(explorer):
    """Without the prefix's last slash they would lead elsewhere, so such a visitor is redirected."""
    for path in ("", "?theme=dark"):
        with urllib.request.urlopen(explorer.base + path) as answer:
            assert answer.url == f"{explorer.base}/{path}"
            assert "<title>Kernel Mean Explorer</title>" in answer.read().decode()


@pytest.mark.thorough
def test_a_page_opens_whichever_worker_gets_its_websocket(explorer):
    url = f"{explorer.base}/dna?n=7"

    async def document(token):
        async with visit(url, token=token) as visitor:
            return visitor.request, visitor.document

    async def opened():
        explorer.all()
        token = token_of(await fetch(url))
        own = worker_of(get_session_id(token), 2)
        explorer.only(explorer.workers[1 - own])
        opening = asyncio.create_task(document(token))
        await asyncio.sleep(2)  # the other worker takes the websocket, and hands it to the page's own, which sleeps
        assert not opening.done()
        explorer.all()
        first = await opening
        explorer.only(explorer.workers[own])
        return first, await document(token)  # the document is the own worker's

    try:
        (request, whole), (again, _) = asyncio.run(opened())
    finally:
        explorer.all()
    assert request == again
    sheets = re.findall(r'"url":"([^"]+[.]css[^"]*)"', whole)
    assert sheets
    assert not [sheet for sheet in sheets if sheet.startswith("http")]


@pytest.mark.thorough
def test_sigterm_ends_every_process_soon(tmp_path):
    served = Served(tmp_path / "log", ["explorer", "serve", "--no-open", "--workers", "2"])
    try:
        pids = descendants(served.process.pid)
        assert len(pids) == 2
        served.get("/dna")
        served.process.terminate()
        assert served.process.wait(10) == 0
        assert all(map(is_gone, pids))
    finally:
        served.kill()


@pytest.mark.few(3)
@pytest.mark.thorough
@pytest.mark.parametrize("options", [[], ["--workers", "2"]], ids=["one", "two"])
@pytest.mark.parametrize("pauses", [(0.7,), (3,), (10, 0.1)], ids=["at once", "while it loads", "twice"])
def test_ctrl_c_ends_a_start_without_a_traceback(options, pauses):
    command = [sys.executable, "-m", "explorer", "serve", "--no-open", "--port", str(free_port()), *options]
    options = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "text": True, "start_new_session": True}
    process = subprocess.Popen(command, cwd=ROOT, **options)
    try:
        for pause in pauses:  # as a terminal does: to all processes
            time.sleep(pause)
            os.killpg(process.pid, signal.SIGINT)
        assert "Traceback" not in process.communicate(timeout=20)[0]
    finally:
        process.kill()


def test_a_ctrl_c_that_falls_into_a_callback_ends_a_command_as_well():
    """Python ignores what a callback of a weak reference raises, and would go on."""
    script = """if True:
        import signal, time, weakref
        import explorer
        thing = type("Thing", (), {})()
        reference = weakref.ref(thing, lambda _: signal.raise_signal(signal.SIGINT))
        del thing
        for _ in range(600):
            time.sleep(0.1)"""
    # the words by which a process is known as the command's
    command = [sys.executable, "-c", script, "-m", "explorer", "list"]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=50)
    assert (ended.returncode, ended.stderr) == (130, "explorer list: stopped.\n")
