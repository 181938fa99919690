"""`explorer serve`: the dashboard on this machine, for its own user or for visitors."""

from __future__ import annotations

import errno
import gc
import math
import os
import re
import secrets
import shutil
import signal
import socket
import sys
import threading
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from explorer.checks import Refusal
from explorer.files.whole_files import temporary_folder
from explorer.printing import echo

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace


HERE = "127.0.0.1"
EVERYWHERE = ("", "0.0.0.0", "::")
ORIGIN = re.compile(r"\*|https?://[\w.*-]+(:\d{1,5}|:\*)?", re.ASCII)
MOST_WORKERS = 64
SESSION = 25_000_000  # bytes of memory per open page, including what it leaves behind
ASSUMED = 4_000_000_000  # bytes of memory to assume if the system does not report its own
FEWEST_SESSIONS, MOST_SESSIONS = 20, 500  # limits of the default number of sessions per process
GRACE = 3  # Seconds for threads and clean-up after the server has stopped; then the process ends in any case.
# Seconds that a session is kept without a connection: within this time a page reconnects and still has its user's data.
LOST = 60

EXAMPLES = (
    "explorer serve",
    "explorer serve --port 8080 --no-open",
    "explorer serve --address 0.0.0.0 --allow-origin lab.example.org:5006 --workers 4",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the command's arguments."""
    parser.add_argument("--port", type=int, default=None, help="default: $PORT, otherwise 5006")
    parser.add_argument("--address", default=HERE, help="listen here; 0.0.0.0 is every address (default: %(default)s)")
    parser.add_argument(
        "--allow-origin",
        action="append",
        default=[],
        metavar="HOST[:PORT]",
        help="a host name under which pages may be opened, as browsers show it in the address; * allows any",
    )
    parser.add_argument("--prefix", default="", help="the path under which a proxy serves the labs, such as /explorer")
    parser.add_argument("--workers", type=int, default=1, help="processes that share the visitors (default: 1)")
    parser.add_argument(
        "--embed-in",
        action="append",
        default=[],
        metavar="ORIGIN",
        help="an origin, such as https://moodle.example.org, whose pages may show ours in a frame; * allows any",
    )
    parser.add_argument(
        "--sessions", type=int, default=None, help="most open pages of a process (default: as many as fit in memory)"
    )
    parser.add_argument(
        "--idle-minutes",
        type=float,
        default=60,
        help="close an open page that has been idle for this many minutes; 0 means never (default: %(default)s)",
    )
    parser.add_argument("--no-open", action="store_true", help="do not open a browser")


def run(options: Namespace) -> None:
    """Serve the home page and every lab until the process is interrupted."""
    port, prefix, count = port_of(options.port), prefix_of(options.prefix), workers_of(options.workers)
    origins = origins_of(options.address, port, options.allow_origin)
    embedding = embedding_of(options.embed_in)
    most, idle = sessions_of(options.sessions, count), idle_of(options.idle_minutes)
    listening = listen(options.address, port)
    os.environ.setdefault("BOKEH_RESOURCES", "server")  # pages load nothing from other hosts
    # Modules that are imported here are shared by all workers. Modules with a thread or an event loop are imported
    # after the fork.
    from explorer.commands.headers import Headers, name_types
    from explorer.pages import NO_LABS, page_class
    from explorer.pages.serving import panel_plugin
    from explorer.workbench import registry

    Headers.embedding = embedding
    name_types()
    for name in (*registry.names(), *NO_LABS):
        page_class(name)
    host = "localhost" if options.address in (HERE, *EVERYWHERE) else options.address
    home = f"http://{f'[{host}]' if ':' in host else host}:{port}{prefix}/"
    print(f"Kernel Mean Explorer is at {home}\nStop it with Ctrl+C.", flush=True)  # noqa: T201, the command's output
    opened = None if options.no_open or not _has_screen() else home

    from explorer.commands.worker_routing import worker_sockets
    from explorer.commands.workers import Worker, Workers

    pairs, secret = worker_sockets(count), secrets.token_bytes(32)  # all workers share the secret that signs sessions

    def serve(worker, shared=None):
        _serve(worker, pairs, listening, prefix, origins, panel_plugin.ROUTES, opened, secret, most, idle, shared)

    if count == 1:
        serve(Worker(0, 1, None, bytearray(1)))
        return
    # Folder of the visitors' uploads, so that a page in another worker can open them; only this user may read it.
    (shared, lock), parent = temporary_folder("explorer-"), os.getpid()
    try:
        Workers(count, partial(serve, shared=shared)).run()
    finally:
        if os.getpid() == parent:  # a forked worker also returns from here
            shutil.rmtree(shared, ignore_errors=True)
            if lock is not None:
                os.close(lock)


def _serve(worker, pairs, listening, prefix, origins, routes, opened, secret, most, idle, shared):
    """Serve in this process until it receives a signal to end."""
    from bokeh.core.validation import silence
    from bokeh.core.validation.warnings import EMPTY_LAYOUT
    from bokeh.server.server import BaseServer
    from bokeh.server.tornado import BokehTornado
    from panel.io.application import build_applications
    from panel.io.resources import DIST_DIR
    from tornado.ioloop import IOLoop, PeriodicCallback
    from tornado.web import StaticFileHandler

    from explorer.commands.headers import Headers, NotFound
    from explorer.commands.page_handler import PageHandler, PageHtml, SessionQueue, answer_at_once
    from explorer.commands.websockets import SEARCH_EVERY, IdleSessions, Socket
    from explorer.commands.worker_routing import Listener, use_own_session_ids
    from explorer.pages import HOME, NO_LABS, open_page, page_class
    from explorer.pages.patches.bokeh.threads import stay_on_the_event_loop
    from explorer.pages.previews import meta_tags
    from explorer.pages.serving import process_settings, reconnect, script_route
    from explorer.pages.serving.upload_store import UPLOADS
    from explorer.workbench import registry

    names = (*registry.names(), *NO_LABS)
    stop = _ending(IOLoop.current())
    silence(EMPTY_LAYOUT)  # columns of a page may be filled later
    process_settings.settle()
    if shared is not None:
        UPLOADS.join_workers(shared, worker.number)
    use_own_session_ids(worker)
    reconnect.sign_with(secret)
    script_route.serve_by_address()
    meta_tags.serve_pictures()
    answer_at_once()
    pages = {name: (lambda name=name: open_page(name)) for name in names}
    # Pages of Panel 1.10 ask for the icon under the prefix; Bokeh has it at the top.
    icon = (r"/(favicon\.ico)", StaticFileHandler, {"path": str(DIST_DIR / "images")})
    application = BokehTornado(
        build_applications({"/": pages[HOME], **pages}),
        prefix=prefix,
        extra_websocket_origins=origins,
        extra_patterns=[*routes, *script_route.ROUTES, icon],
        use_index=False,
        unused_session_lifetime_milliseconds=1000 * LOST,
        ico_path=str(DIST_DIR / "images" / "favicon.ico"),
        sign_sessions=True,
        secret_key=secret,
        transforms=[Headers],
        default_handler_class=NotFound,
    )
    contexts = {path.strip("/"): context for path, context in application.applications.items()}
    stay_on_the_event_loop(None, contexts.values())
    PageHandler.html = PageHtml.of(contexts[HOME], application.resources())
    gc.collect()
    gc.freeze()  # objects that all pages share are never garbage; later collections skip them
    others = {name: page_class(name).first for name in NO_LABS}
    turns = application.settings["turns"] = SessionQueue(contexts, most, others)
    if idle:
        sessions = IdleSessions(contexts.values(), idle)
        Socket.touched = sessions.mark_active
        PeriodicCallback(sessions.close_idle, 1000 * min(SEARCH_EVERY, 15 * idle)).start()
    listener = application.settings["listener"] = Listener(application)
    paths = {f"{prefix}{context.url}" for context in contexts.values()}
    listener.join(worker, pairs, paths, lambda: turns.count)
    listener.add_socket(listening)
    server = BaseServer(IOLoop.current(), application, listener)
    server.start()
    if worker.leash is not None:
        IOLoop.current().add_handler(worker.leash, stop, IOLoop.READ)
    IOLoop.current().add_callback(worker.is_ready)
    IOLoop.current().add_callback(turns.warm)
    if opened and worker.number == 0:
        from bokeh.util.browser import view

        IOLoop.current().add_callback(view, opened)
    IOLoop.current().start()
    server.stop()
    UPLOADS.close()
    gc.freeze()  # otherwise Python's last collection goes through all objects and takes seconds


def _ending(loop):
    """Return a function that ends this process soon, and call it on SIGTERM and Ctrl+C."""

    def stop(*_):
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)  # the process is ending; a second Ctrl+C would interrupt the clean-up
        timer = threading.Timer(GRACE, os._exit, (0,))
        timer.daemon = True
        timer.start()
        loop.asyncio_loop.call_soon_threadsafe(loop.stop)

    signal.signal(signal.SIGTERM, stop)
    if signal.getsignal(signal.SIGINT) is not signal.SIG_IGN:
        signal.signal(signal.SIGINT, stop)
    return stop


def listen(address: str, port: int) -> socket.socket:
    """Return the listening socket. Visitors' connections wait there while the pages are loaded."""
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    both = address == "::" and socket.has_dualstack_ipv6()
    try:
        socket.getaddrinfo(address, port, family)
        opened = socket.create_server((address, port), family=family, backlog=128, dualstack_ipv6=both)
        opened.setblocking(False)
        return opened
    except (OSError, UnicodeError) as error:
        code = getattr(error, "errno", None)
        if code == errno.EADDRINUSE:
            raise Refusal(
                f"port {port} of {address} is taken; stop what listens there or choose another --port."
            ) from None
        if code == errno.EACCES:
            raise Refusal(f"port {port} is reserved for the system; choose a --port of at least 1024.") from None
        if code == errno.EADDRNOTAVAIL or isinstance(error, (socket.gaierror, UnicodeError)):
            raise Refusal(f"{echo(address)} is not an address of this machine; choose another --address.") from None
        raise


def port_of(given: int | str | None) -> int:
    """Return the port: `given`, else that of the environment variable PORT, else 5006."""
    word = os.environ.get("PORT", "5006") if given is None else str(given)
    if not word.isdigit() or not 0 < int(word) < 65536:
        raise Refusal(f"the port must be a whole number from 1 to 65535, not {echo(word)}; set PORT or --port.")
    return int(word)


def prefix_of(given: str) -> str:
    """Return the path that all addresses begin with, such as /explorer, or "" if there is none."""
    path = given.strip("/")
    if not re.fullmatch(r"([\w~-][\w.~-]*(/[\w~-][\w.~-]*)*)?", path, re.ASCII):
        raise Refusal(
            f"--prefix must be a path such as /explorer, of letters, digits and - . _ ~ /, not {echo(given)}."
        )
    return f"/{path}" if path else ""


def workers_of(given: int) -> int:
    """Check and return the number of worker processes."""
    if not 1 <= given <= MOST_WORKERS:
        raise Refusal(f"--workers must be from 1 to {MOST_WORKERS}, not {given}; one for each core is enough.")
    if given > 1 and not hasattr(os, "fork"):
        raise Refusal("this system cannot share a port between processes; leave --workers out.")
    return given


def embedding_of(allowed: Sequence[str]) -> str:
    """Return the policy that says which pages may show ours in a frame: this server's own, and the allowed origins."""
    for each in allowed:
        if not ORIGIN.fullmatch(each):
            raise Refusal(f"--embed-in must be an origin such as https://moodle.example.org, or *, not {echo(each)}.")
    return " ".join(["frame-ancestors 'self'", *allowed])


def sessions_of(given: int | None, workers: int) -> int:
    """Return the number of sessions per process. By default they share half the memory, divided by the workers."""
    if given is None:
        return min(MOST_SESSIONS, max(FEWEST_SESSIONS, _memory() // (2 * SESSION * workers)))
    if given < 1:
        raise Refusal(f"--sessions must be at least 1, not {given}; leave it out for what memory allows.")
    return given


def _memory():
    """Return the memory of this machine, or of its container, in bytes."""
    try:
        found = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    except (AttributeError, ValueError, OSError):  # the system does not report its memory
        return ASSUMED
    for path in ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes"):
        with suppress(OSError, ValueError):  # not in a container, or in one without a limit
            found.append(int(Path(path).read_text()))
    return min(found)


def idle_of(given: float) -> float:
    """Return the minutes of inactivity after which a page is closed; 0 means never."""
    if not (given == 0 or 1 / 60 <= given < math.inf):
        raise Refusal(f"--idle-minutes must be 0, for never, or at least 1/60 (a second), not {given:g}.")
    return given


def origins_of(address: str, port: int, allowed: Sequence[str]) -> list[str]:
    """Return the hosts, as browsers name them, whose pages may open a websocket; pages of other hosts stay empty."""
    from bokeh.server.util import create_hosts_allowlist

    own = [f"localhost:{port}", f"{HERE}:{port}"]
    if address in EVERYWHERE or ":" in address:
        if not allowed:
            raise Refusal(
                f"--address {echo(address)} needs --allow-origin NAME:{port}, with the name that browsers reach this "
                "machine by; without it their pages stay empty."
            )
    elif address not in (HERE, "localhost"):
        own.append(f"{address}:{port}")
    try:
        return own + (create_hosts_allowlist(allowed, port) if allowed else [])
    except ValueError:
        raise Refusal(f"--allow-origin must be HOST or HOST:PORT, not {echo(', '.join(allowed))}.") from None


def _has_screen():
    """Return whether a graphical browser can open. Without a screen a text browser would start in the terminal."""
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
