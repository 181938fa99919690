"""Findings of axe-core: no barrier that it calls serious or critical, with all of the page open and a state pinned."""

from __future__ import annotations

import re

import pytest
from every_lab import ROWS, lab_of
from helpers.browsing import DESK, PHONE
from helpers.server_process import until
from screenshots import SIZES, opened

from explorer import save
from explorer.marks.roles import ROLES
from explorer.plotting.results import visible_pictures
from explorer.workbench import registry
from explorer.workbench.content import content_of

STORIES = content_of("shrinkage").stories

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

BARRIERS = {"serious", "critical"}
PAGES = [
    pytest.param(name, marks=() if name == "home" else pytest.mark.slow)  # one lab is seen above, all of it
    for name in ("home", *registry.names())
]


def barriers(lab_page, axe, within="html"):
    """Return a sentence for each barrier in a part of the current page."""
    until(lambda: lab_page.is_idle() and lab_page.is_still(), "a page at rest")  # what fades has another contrast
    return barriers_of(lab_page.page, axe, within)


def barriers_of(tab, axe, within="html"):
    """Return a sentence for each barrier in a part of what a tab shows."""
    if not tab.evaluate("'axe' in window"):
        tab.add_script_tag(path=axe)
    found = tab.evaluate("part => axe.run(part, {resultTypes: ['violations']})", within)
    return [sentence(each) for each in found["violations"] if each["impact"] in BARRIERS]


def sentence(violation):
    """Return the severity, axe's rule, its requirement, the fault of the first place, and the first three places."""
    nodes, more = violation["nodes"], len(violation["nodes"]) - 3
    lacks = " ".join(nodes[0]["failureSummary"].split())
    places = "; ".join(f"{inmost(node['target'])} with {html_of(node)}" for node in nodes[:3])
    return (
        f"{violation['impact']}, {violation['id']}: {violation['help']}. {lacks}. "
        f"It is so at {places}{f' and {more} more' if more > 0 else ''}."
    )


def inmost(target):
    """Return the last selector: a place inside shadow trees is a path of selectors, through one tree after another."""
    return target if isinstance(target, str) else inmost(target[-1])


def html_of(node):
    """Return its text if it has any, otherwise its tag."""
    text = " ".join(re.sub("<[^>]*>", " ", node["html"]).split())
    return repr(text[:60] or node["html"][:60])


def all_open(lab_page):
    """Return the page with every section opened."""
    lab_page.turn(expanded=True)
    for name in ("More settings", "In words", "All downloads", "Python"):
        assert lab_page.folds(name, expanded=True).count() >= 1
    lab_page.button("^loss PNG$").wait_for()  # the last to come
    return lab_page


def all_seen(lab_page):
    """Return the page with every section opened, including the one for the user's data, and A pinned."""
    all_open(lab_page)
    assert lab_page.folds("Your data", expanded=True).count() == 1
    lab_page.compare("^Pin this as A")
    lab_page.page.get_by_text("Nothing differs from A yet").wait_for()
    return lab_page


def test_a_light_room_has_no_barrier(lab_page, axe):
    """A and another state side by side."""
    all_seen(lab_page).press("n points")
    lab_page.follows(n=lab_page.says("n points"))
    lab_page.page.get_by_role("table", name="A and now").wait_for()
    found = barriers(lab_page, axe)
    lab_page.compare("^Unpin A")
    lab_page.turn(expanded=False)
    assert not found, "\n".join(found)


def test_a_dark_story_with_further_samples_on_a_telephone_has_no_barrier(new_lab_page, axe):
    lab_page = new_lab_page(**PHONE).open(theme="dark", story="harm", step="2", samples="100")
    (story,) = (story for story in STORIES if story.key == "harm")
    assert story.steps[1].asks in lab_page.page.locator(".story").inner_text()
    assert lab_page.alerts == []
    assert max(lab_page.corner_brightness()) < 60
    assert set(lab_page.glyph_colours()) <= {night for _, night in ROLES.values()}
    found = barriers(all_open(lab_page), axe)
    assert not found, "\n".join(found)


def is_open_to_all(lab_page, axe, button=""):
    """Check a lab's page with all sections open, once it has a button there, and that it fits a telephone."""
    lab_page.turn(expanded=True)
    lab_page.button(button).first.wait_for()
    found, nameless = barriers(lab_page, axe), lab_page.nameless()
    lab_page.turn(expanded=False)
    assert not found, "\n".join(found)
    assert nameless == []
    lab_page.page.set_viewport_size(PHONE["viewport"])
    until(lab_page.is_still, "a narrow page")
    assert lab_page.too_wide() == []
    lab_page.page.set_viewport_size(DESK)


@pytest.mark.few(1)
@pytest.mark.parametrize("where", [{}, PHONE], ids=["desk", "telephone"])
def test_a_question_and_its_answer_have_no_barrier(new_lab_page, axe, where):
    lab_page = new_lab_page(**where).open(theme="dark", story="bandwidth", step="1")
    found = barriers(lab_page, axe)
    lab_page.button("^Guess$").click()
    lab_page.page.locator(".story svg").wait_for()
    found += barriers(lab_page, axe)
    assert not found, "\n".join(found)


@pytest.mark.few(3)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("sizes", [("390",), ("1300", "1920")], ids=["telephone", "desk"])
@pytest.mark.parametrize("page", PAGES)
def test_no_page_has_a_barrier_at_any_size(chromium, server, axe, page, sizes, dark):
    with opened(chromium, server.url, page, sizes[0], dark) as tab:
        found = barriers_of(tab, axe)
        for size in sizes[1:]:
            tab.set_viewport_size(dict(zip(("width", "height"), SIZES[size], strict=True)))
            tab.wait_for_timeout(500)
            found += barriers_of(tab, axe)
    assert not found, "\n".join(found)


def test_axe_sees_a_button_without_a_name(lab_page, axe):
    """The tests above depend on this."""
    lab_page.page.evaluate("document.body.append(Object.assign(document.createElement('button'), {id: 'nameless'}))")
    found = barriers(lab_page, axe, "#nameless")
    lab_page.page.evaluate("document.getElementById('nameless').remove()")
    assert len(found) == 1
    assert found[0].startswith("critical, button-name: Buttons must have discernible text. Fix any of the following:")
    assert "at #nameless with " in found[0]


@pytest.fixture(scope="module")
def svg_files(tmp_path_factory):
    """Return the file of each picture that the first state of each lab shows."""
    folder, made = tmp_path_factory.mktemp("pictures"), []
    for lab in ROWS:
        result = lab_of(lab).result()
        for picture in visible_pictures(result):
            made.append(save(result, folder / f"{lab}-{picture}.svg", picture=picture))
    return made


@pytest.mark.few(1)
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_a_picture_that_stands_alone_has_no_barrier(svg_files, chromium, axe, scheme):
    """Each is opened as a file, which asks for nothing and weighs less than 100 kB; axe sees a lab's together."""
    context = chromium.new_context(color_scheme=scheme)
    tab, asked, said = context.new_page(), [], []
    tab.on("request", lambda request: asked.append(request.url))
    tab.on("console", lambda message: said.append(message.text))
    for file in svg_files:
        assert file.stat().st_size < 100_000, file.name
        tab.goto(file.as_uri())
        assert tab.evaluate("document.documentElement.tagName + document.scripts?.length") == "svg0"
    for lab in ROWS:
        pictures = "".join(file.read_text(encoding="utf-8") for file in svg_files if file.name.startswith(f"{lab}-"))
        tab.goto("about:blank")
        tab.set_content(f"<!doctype html><html lang='en'><title>t</title><main><h1>h</h1>{pictures}</main></html>")
        assert not barriers_of(tab, axe), lab
    context.close()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert said == []
