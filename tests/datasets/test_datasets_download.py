"""Downloading, and what happens when it fails in each way that a network and a server can."""

import json
import re
import time

import numpy as np
import pytest
from helpers.naming import naming
from openml_stand_in import cached, made_up

from explorer.datasets import REGISTRY, load
from explorer.datasets.files import contents
from explorer.datasets.named_sets import cache, download, openml


def half(raw):
    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(len(raw)))
        handler.end_headers()
        handler.wfile.write(raw[: len(raw) // 2])

    return answer


def test_a_download_that_breaks_off_leaves_no_file(server):
    raw, X = made_up("glass")
    path = server.publish("glass", raw)
    server.pages[path] = half(raw)
    with pytest.raises(ValueError, match=naming("glass", "MD5", "load it again")):
        load("glass")
    assert cached() == []
    server.publish("glass", raw)
    assert np.array_equal(load("glass").X, X)


def silent(handler):
    handler.server.done.wait(5)


def dripping(handler):
    handler.send_response(200)
    handler.end_headers()
    while not handler.server.done.wait(0.02):
        handler.wfile.write(b" ")


def garbled(handler):
    handler.wfile.write(b"no protocol at all\r\n\r\n")


@pytest.mark.thorough(
    default=[
        "description-412-answers with the error 412",
        "description-dripping-sends too slowly for 0.3 seconds",
        "file-404-answers with the error 404",
        "file-503-answers with the error 503",
    ]
)
@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (404, "answers with the error 404"),
        (412, "answers with the error 412"),  # OpenML's answer if it does not have a set
        (503, "answers with the error 503"),
        (silent, "gives no sign for 0.2 seconds"),
        (dripping, "sends too slowly for 0.3 seconds"),
        (garbled, "breaks off its answer"),
    ],
)
@pytest.mark.parametrize("where", ["description", "file"])
def test_a_server_that_fails_gives_the_sentence(server, monkeypatch, where, answer, said):
    monkeypatch.setattr(download, "WAIT", 0.2 if answer is silent else 2.0)  # a busy machine answers late, too
    monkeypatch.setattr(download, "PATIENCE", 0.3)
    path = server.publish("glass", made_up("glass")[0])
    server.pages[path if where == "file" else "/api/v1/json/data/41"] = answer
    began = time.monotonic()
    with pytest.raises(ConnectionError) as caught:
        load("glass")
    assert time.monotonic() - began < 3
    sentence = str(caught.value)
    assert re.search(naming("glass", said, "glass.csv", "EXPLORER_DATA", cache.folder()), sentence)
    assert cached() == []


def test_without_a_network_the_sentence_names_set_host_and_folders(server, monkeypatch):
    monkeypatch.setattr(openml, "SITE", "http://127.0.0.1:1")
    with pytest.raises(
        ConnectionError,
        match=naming("glass", "127.0.0.1", "Connection refused", "glass.csv", "EXPLORER_DATA", "EXPLORER_CACHE"),
    ):
        load("glass")
    monkeypatch.setattr(openml, "SITE", "http://openml.invalid")  # a name that is reserved to have no address
    with pytest.raises(ConnectionError, match=naming("openml.invalid", "cannot be reached")):
        load("glass")


def test_a_file_over_the_limit_is_not_read_to_its_end(server, monkeypatch):
    monkeypatch.setattr(contents, "MEGABYTES", 1)
    sent = []

    def endless(handler):
        handler.send_response(200)
        handler.end_headers()
        while len(sent) < 1000:
            handler.wfile.write(b" " * 65536)
            sent.append(65536)

    path = server.publish("glass", b"")
    server.pages[path] = endless
    with pytest.raises(ValueError, match=naming("glass.arff", "1 MB")):
        load("glass")
    server.shutdown()
    assert sum(sent) < 30_000_000  # what the sockets hold on the way
    assert cached() == []


@pytest.mark.parametrize(
    "said",
    [
        b"<html>Please sign in</html>",
        b'{"error": 111}',
        b'{"data_set_description": [1]}',
        b'{"data_set_description": {"url": "x", "md5_checksum": null}}',
        b"\xff",
    ],
)
def test_an_answer_that_is_no_description_is_refused(server, said):
    server.pages["/api/v1/json/data/41"] = said
    with pytest.raises(ValueError, match=naming("glass", "data set 41", "browser")):
        load("glass")
    assert len(server.asked) == 1


def test_only_addresses_of_openml_are_opened(server, tmp_path):
    raw, _ = made_up("glass")
    (tmp_path / "glass.arff").write_bytes(raw)
    for url in (
        (tmp_path / "glass.arff").as_uri(),
        "https://openml.org.example.com/glass.arff",
        "ftp://www.openml.org/glass.arff",
        "https://www.openml.org@example.com/glass.arff",
        "/data/glass.arff",
        "",
    ):
        server.publish("glass", raw, url=url)
        with pytest.raises(ValueError, match=naming("OpenML", "was not opened")):
            load("glass")


@pytest.mark.parametrize(
    "stated", ["http://www.openml.org/d.arff", "https://api.openml.org/d.arff", "https://openml.org/d.arff"]
)
def test_openml_is_asked_by_https_whatever_it_states(monkeypatch, stated):
    described = {"data_set_description": {"url": stated, "md5_checksum": "0" * 32}}
    asked = []
    monkeypatch.setattr(download, "get", lambda address: asked.append(address) or json.dumps(described).encode())
    address, _ = openml._describe(REGISTRY["glass"])
    assert asked == ["https://www.openml.org/api/v1/json/data/41"]
    assert address == stated.replace("http:", "https:")
