"""The browser's script on its way: one script that is cached forever, and runs before any callback of a page."""

from __future__ import annotations

import asyncio
import gzip
import re

import pytest
from tornado.httpclient import AsyncHTTPClient

from explorer.browser import VERSION, script

pytestmark = pytest.mark.thorough


async def answer(url, **headers):
    return await AsyncHTTPClient().fetch(url, headers=headers, decompress_response=False, raise_error=False)


@pytest.mark.parametrize("name", ["shrinkage", ""])
def test_a_page_names_the_script_before_all_that_calls_it(server, name):
    async def ask():
        page = (await answer(f"{server.url}/{name}")).body.decode()
        (tag,) = re.findall(rf"<script[^>]*{VERSION}[^>]*>", page)
        assert not re.search(r"async|defer|module", tag)  # a browser runs it before it reads on
        first = page.index(tag)
        assert page.index("<div id='early'>") < first  # the early preview comes before the scripts
        for later in (f"explorer.{VERSION}.early.leave()", "embed_document(root)"):
            assert page.index(later) > first
        assert script()[:60] not in page
        address = re.search(r'src="([^"]*)"', tag)[1]
        return await answer(f"{server.url}/{address}")

    got = asyncio.run(ask())
    assert (got.code, got.body.decode()) == (200, script())
    assert got.headers["Content-Type"].startswith("text/javascript")
    assert "immutable" in got.headers["Cache-Control"]


def test_it_is_packed_for_who_can_unpack_it_and_no_other_version_is_given(server):
    async def ask():
        packed = await answer(f"{server.url}/browser/{VERSION}.js", **{"Accept-Encoding": "gzip, br"})
        return packed, await answer(f"{server.url}/browser/v00000000.js")

    packed, other = asyncio.run(ask())
    assert (packed.headers["Content-Encoding"], gzip.decompress(packed.body).decode()) == ("gzip", script())
    assert packed.headers["Vary"] == "Accept-Encoding"
    assert len(packed.body) < len(script()) / 2
    assert other.code == 404
