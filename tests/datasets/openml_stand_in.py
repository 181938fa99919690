"""A stand-in for OpenML on this machine, and ARFF files of the shapes of its sets."""

import hashlib
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import numpy as np

from explorer.datasets import REGISTRY
from explorer.datasets.named_sets import cache


class StandIn(ThreadingHTTPServer):
    """A server whose `pages` are bytes, error codes, or functions that answer a handler; `asked` lists the paths."""

    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.pages, self.asked, self.done = {}, [], threading.Event()
        self.site = f"http://127.0.0.1:{self.server_address[1]}"

    def handle_error(self, request, client_address):
        """Ignore the error, since tests let a client hang up on an endless answer."""

    def publish(self, name, raw, **said):
        """Publish OpenML's description of a set and its file; `said` changes the description."""
        number = REGISTRY[name].openml
        path = f"/data/v1/download/{number}/{name}.arff"
        described = {
            "id": str(number),
            "format": "ARFF",
            "url": self.site + path,
            "md5_checksum": hashlib.md5(raw).hexdigest(),
        }
        self.pages[f"/api/v1/json/data/{number}"] = json.dumps({"data_set_description": described | said}).encode()
        self.pages[path] = raw
        return path


class Handler(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        page = self.server.pages.get(self.path, 404)
        if callable(page):
            page(self)
        elif isinstance(page, int):
            self.send_error(page)
        else:
            self.send_response(200)
            self.send_header("Content-Length", str(len(page)))
            self.end_headers()
            self.wfile.write(page)

    def log_message(self, *args):
        """Write no log."""


def cached():
    return sorted(path.name for path in cache.folder().glob("*")) if cache.folder().exists() else []


def arff(header, rows):
    lines = ["% a comment", "@RELATION r", *(f"@ATTRIBUTE {name} {kind}" for name, kind in header), "@DATA"]
    return "\n".join([*lines, *(",".join(row) for row in rows), ""]).encode()


def made_up(name, n=None, d=None):
    """Return an ARFF file with a data set's shape and all extras that OpenML's files have, and the X in it."""
    entry = REGISTRY[name]
    n, d = n or entry.n, d or entry.d
    X = np.random.default_rng(1).integers(1, 4, (n, d)).astype(float)
    words = ["'first word'", "second", "'>=3'"]
    listed = "{" + ", ".join(words) + "}"
    header = [(f"'Column {j}'", listed if entry.codes else "{1, 2, 3}" if j == 1 else "real") for j in range(d)]
    cells = [
        [words[int(x) - 1] if entry.codes else repr(x) if j != 1 else str(int(x)) for j, x in enumerate(row)]
        for row in X.tolist()
    ]
    for title in (*entry.words, *entry.unused):
        header.append((f"'{title.title().replace('_', ' ')}'", "{M, F, I}"))
        cells = [[*row, "M"] for row in cells]
    header.append(("Class", listed))
    return arff(header, [[*row, words[i % 3]] for i, row in enumerate(cells)]), X
