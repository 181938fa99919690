"""The title, the tags and the picture of a link, without a session, and the title while a page is in use."""

from __future__ import annotations

import asyncio
import io
from html import unescape
from threading import Event
from types import SimpleNamespace

import pytest
from helpers.page_helpers import run_callbacks
from PIL import Image
from tornado.httpclient import AsyncHTTPClient
from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application

from explorer.labs.shrinkage.page import ShrinkagePage
from explorer.pages.page_title import PRODUCT, Summary, of_page, of_result
from explorer.pages.previews import link_summary, meta_tags, preview_route
from explorer.pages.previews.meta_tags import PageUrls, protocol_of, tags, urls_of
from explorer.pages.template import first_result
from explorer.workbench import registry
from explorer.workbench.content import content_of

STORIES = content_of("shrinkage").stories

GAIN = "Shrinkage: 30 % less squared error"
HOSTILE = {"n": "<script>", "colour": '"><img src=x>', "moved": "[" * 500, "v": "<b>", "seed": "1" * 400}


@pytest.fixture(autouse=True)
def nothing_is_kept(monkeypatch):
    """Reset the caches of summaries and pictures, and register the addresses of pictures in this process."""
    monkeypatch.setattr(link_summary, "_summaries", link_summary.LruCache(500))
    monkeypatch.setattr(preview_route, "_cards", link_summary.LruCache(64))
    monkeypatch.setattr(meta_tags, "_served", [True])


# previews of a link


@pytest.mark.parametrize(
    ("words", "title", "query"),
    [
        ({}, GAIN, "v=2"),
        ({"v": "1", **registry.entry("shrinkage").lab().flat()}, GAIN, "v=2"),
        ({"seed": "2", "theme": "dark", "ui": "min"}, None, "v=2&seed=2"),
        (HOSTILE, GAIN, "v=2"),
        ({"moved": "[" * 3000}, "Shrinkage: Does shrinking the average towards 0 help?", ""),
        ({"source": "file", "file": "mine.csv"}, "Shrinkage: Does shrinking the average towards 0 help?", None),
        ({"n": "1900", "samples": "30"}, "Shrinkage: Does shrinking the average towards 0 help?", None),
        ({"story": STORIES[0].key, "step": "2"}, f"Shrinkage: {STORIES[0].title}", None),
        ({"story": "<b>"}, GAIN, "v=2"),
    ],
)
def test_a_link_has_the_title_of_its_state_or_that_of_the_lab(words, title, query):
    found = link_summary.link_preview("shrinkage", words)
    lab = registry.entry("shrinkage").lab
    wanted = title or of_result("shrinkage", lab.from_flat({"seed": words["seed"]})[0].result()).title
    assert found.summary.title == wanted
    assert query is None or found.query == query
    assert not set("<>\"'") & set(found.query)


@pytest.mark.parametrize(("name", "title"), [("home", PRODUCT), ("", PRODUCT), ("report", "Report: Has my table")])
def test_pages_that_are_no_lab_s_have_titles_of_their_own(name, title):
    assert link_summary.link_preview(name, {"n": "5"}).summary.title.startswith(title)
    assert asyncio.run(link_summary.link_preview_async(name, {})).summary == of_page(name)


def test_a_title_that_takes_long_is_not_waited_for(monkeypatch):
    given_up = Event()
    monkeypatch.setattr(link_summary, "PATIENCE", 0.01)
    monkeypatch.setattr(link_summary, "link_preview", lambda name, words: given_up.wait(60))
    try:
        assert asyncio.run(link_summary.link_preview_async("shrinkage", {"seed": "3"})).summary == of_page("shrinkage")
    finally:
        given_up.set()  # one thread computes it, and the others wait


def test_a_bug_of_ours_leaves_the_lab_s_own_title(monkeypatch):
    monkeypatch.setattr(link_summary, "of_result", lambda name, result: 1 / 0)
    assert link_summary.link_preview("shrinkage", {}).summary == of_page("shrinkage")


# tags and addresses


def test_tags_are_escaped_and_name_the_picture():
    place = PageUrls("http://a/shrinkage?v=2&n=5", "http://a/preview/shrinkage.png?v=2&n=5")
    html = tags(Summary('A "title" <b>', "It's < 5 & so on."), place)
    assert "<b>" not in html
    assert '"title"' not in html
    assert 'property="og:image" content="http://a/preview/shrinkage.png?v=2&amp;n=5"' in html
    assert 'name="twitter:card" content="summary_large_image"' in html
    assert 'name="twitter:image"' in html
    assert "It's < 5 & so on." in unescape(html)
    bare = tags(Summary("A", "B"), PageUrls())
    assert "og:image" not in bare
    assert "og:url" not in bare


@pytest.mark.parametrize(
    ("protocol", "host", "path", "page", "picture"),
    [
        ("https", "a.b:8", "/x/dna", "https://a.b:8/x/dna?v=2", "https://a.b:8/x/preview/dna.png?v=2"),
        ("http", "[::1]:5", "/", "http://[::1]:5/?v=2", "http://[::1]:5/preview/home.png?v=2"),
        ("http", "a", "/dna<>", "http://a/dna%3C%3E?v=2", ""),
        ("http", "a/b", "/dna", "", ""),
        ("http", 'a"><b>', "/dna", "", ""),
        ("javascript", "a", "/dna", "", ""),
    ],
)
def test_addresses_are_those_of_the_request_or_none(protocol, host, path, page, picture):
    assert urls_of(protocol, host, path, "v=2") == (page, picture)


def test_where_no_pictures_are_served_none_is_named(monkeypatch):
    monkeypatch.setattr(meta_tags, "_served", [])
    assert urls_of("http", "a", "/dna", "") == ("http://a/dna", "")


def test_a_proxy_may_say_which_protocol_browsers_use():
    assert protocol_of({"X-Forwarded-Proto": "https"}, "http") == "https"
    assert protocol_of({"X-Forwarded-Proto": "gopher"}, "http") == protocol_of({}, "http") == "http"


# the picture


def asked(*paths, method="GET"):
    """Return the answers of a server of preview pictures."""

    async def ask():
        sock, port = bind_unused_port()
        server = HTTPServer(Application(preview_route.ROUTES))
        server.add_sockets([sock])
        client = AsyncHTTPClient()
        fetched = (client.fetch(f"http://127.0.0.1:{port}{path}", method=method, raise_error=False) for path in paths)
        answers = await asyncio.gather(*fetched)
        server.stop()
        return answers

    return asyncio.run(ask())


def size(answer):
    return Image.open(io.BytesIO(answer.body)).size


def test_a_state_has_a_picture_and_a_hostile_link_that_of_the_rest():
    plain, other, hostile, home = asked(
        "/preview/shrinkage.png",
        "/preview/shrinkage.png?v=2&n=50",
        "/preview/shrinkage.png?n=%3Cscript%3E&%FF=%FE&colour=red",
        "/preview/home.png?<>",
    )
    assert {each.code for each in (plain, other, hostile, home)} == {200}
    assert {size(each) for each in (plain, other, hostile, home)} == {(1200, 630)}
    assert plain.headers["Content-Type"] == "image/png"
    assert "max-age" in plain.headers["Cache-Control"]
    assert plain.body == hostile.body != other.body


def test_head_has_no_body_and_an_unknown_page_no_picture():
    (head,) = asked("/preview/dna.png", method="HEAD")
    assert (head.code, head.body, head.headers["Content-Type"]) == (200, b"", "image/png")
    unknown, root = asked("/preview/nothing.png?<b>", "/preview/../shrinkage.png")
    assert (unknown.code, root.code) == (404, 404)
    assert b"<b>" not in unknown.body


def test_a_picture_is_drawn_once_and_who_asks_for_too_many_waits(monkeypatch):
    drawings = []
    monkeypatch.setattr(preview_route, "_drawn", lambda state: drawings.append(state.query) or b"png")
    preview_route.card_png("dna", {"n": "12"})
    preview_route.card_png("dna", {"n": "12", "theme": "dark"})
    assert len(drawings) == 1
    monkeypatch.setattr(preview_route, "AT_ONCE", 0)
    (full,) = asked("/preview/dna.png")
    assert (full.code, full.headers["Retry-After"]) == (503, "5")


DEAR = {"n": "2000", "d": "100", "samples": "100"}


@pytest.mark.parametrize("words", [DEAR, {"source": "file", "file": "a.csv"}, {"story": STORIES[0].key}])
def test_what_is_dear_or_somebody_s_own_or_an_answer_has_a_card_of_words(words, monkeypatch):
    cards = []
    monkeypatch.setattr(preview_route, "card", lambda *parts: cards.append(parts) or b"png")
    assert preview_route.card_png("shrinkage", words) == b"png"
    ((title, short, _, picture, result),) = cards
    assert (title, picture, result) == ("Shrinkage", None, None)
    assert "%" not in short


def test_the_last_cards_alone_are_kept():
    kept = link_summary.LruCache(2)
    for key in "abac":
        kept.put(key, key.upper())
    assert [kept.get(key) for key in "abc"] == ["A", None, "C"]


# while a page is in use


def test_the_tab_follows_the_state_at_rest_and_keeps_an_answer_to_itself(as_if_served):
    doc = as_if_served
    page = ShrinkagePage()
    run_callbacks(doc, 1000)
    texts = page.chrome.texts
    assert texts.title == of_result("shrinkage", first_result(page.lab_class)).title == GAIN
    page.move("n", n=50)
    page.rest()
    assert texts.title == of_result("shrinkage", page.lab.result()).title != GAIN
    page.chrome.story.begin(0)
    page.rest()
    assert texts.title == f"Shrinkage: {STORIES[0].title}"
    page.chrome.story.leave()
    page.rest()
    assert texts.title == of_result("shrinkage", page.result).title


def test_a_page_s_summary_is_the_lab_s_own_while_it_has_no_picture():
    page = ShrinkagePage()
    frame = page.chrome
    assert not frame.has_tab  # in a script and in a notebook, where the tab is not the page's
    assert frame.summary(page.result).title == GAIN
    frame.owner = SimpleNamespace(blank=True, name_of_lab="shrinkage")
    assert frame.summary(page.result) == of_page("shrinkage")
