"""Every page of the site in a browser: no complaint on the console, no request elsewhere, no barrier."""

from __future__ import annotations

import json
import os
from urllib.parse import quote

import pytest
from helpers.browsing import DESK, is_complaint

pytestmark = [pytest.mark.thorough, pytest.mark.browser]
EVERY = 1 if os.environ.get("EXPLORER_SITE_WHOLE") else 25  # one page in EVERY is walked
BARRIERS = ("serious", "critical")


@pytest.fixture(scope="session")
def walked(site):
    """Return the pages to walk: the first of each section, and a sample of the others."""
    names = sorted(path.relative_to(site).as_posix() for path in site.rglob("*.html"))
    chosen = {name for name in names if name.endswith("index.html") or "essays/" in name}
    return sorted(chosen | set(names[::EVERY]))


def faults_of(page, name, address):
    """Return a page's complaints, its failed requests, and its requests elsewhere."""
    faults = []
    page.on("console", lambda message: is_complaint(message) and faults.append(f"{name}: {message.text}"))
    page.on("pageerror", lambda error: faults.append(f"{name}: {error}"))
    host = address.split("/some/")[0]
    near = (host, "data:", "blob:", "about:")
    page.on("request", lambda asked: asked.url.startswith(near) or faults.append(f"{name} asks {asked.url}"))
    page.on("response", lambda got: got.status >= 400 and faults.append(f"{name}: {got.status} of {got.url}"))
    return faults


def test_no_page_complains_or_asks_elsewhere(walked, address, chromium):
    context = chromium.new_context(viewport=DESK)
    faults = []
    for name in walked:
        page = context.new_page()
        heard = faults_of(page, name, address)
        page.goto(address + quote(name), wait_until="load")
        page.wait_for_timeout(100)
        page.close()
        faults += heard
    context.close()
    assert faults == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_page_has_a_barrier(walked, address, chromium, axe, scheme):
    context = chromium.new_context(viewport=DESK, color_scheme=scheme)
    context.add_init_script(path=axe)
    found = {}
    for name in walked:
        page = context.new_page()
        page.goto(address + quote(name), wait_until="load")
        page.wait_for_timeout(200)
        violations = page.evaluate("axe.run().then(({violations}) => violations)")
        for each in violations:
            if each["impact"] in BARRIERS:
                where = [node["html"][:160] for node in each["nodes"][:2]]
                found.setdefault(each["id"], []).append((name, len(each["nodes"]), where))
        page.close()
    context.close()
    assert found == {}, json.dumps(found, indent=1, ensure_ascii=False)[:4000]


def test_a_page_without_scripts_says_what_it_says_with_them(walked, address, chromium):
    """All texts of a document are present before any script has run."""
    context = chromium.new_context(java_script_enabled=False)
    page, silent = context.new_page(), []
    for name in walked:
        if name.endswith(("search.html", "genindex.html")):
            continue
        page.goto(address + quote(name))
        words = [page.locator("body").inner_text(), *page.locator("kernel-mean-widget figure").all_inner_texts()]
        if len(" ".join(words).split()) < 40 and "A quick build of the site leaves" not in words[0]:
            silent.append(name)
    context.close()
    assert silent == []
