"""Essays in a browser: the pinned picture follows the reader; without a script and on paper each stays in its place."""

from __future__ import annotations

import re

import pytest
from helpers.browsing import DESK, PHONE

from explorer.site.essays import essays

pytestmark = [pytest.mark.thorough, pytest.mark.browser]
KEYS = [essay.key for essay in essays()]
SHIFTS = """window.moved = 0
new PerformanceObserver((list) => { for (const each of list.getEntries()) window.moved += each.value })
  .observe({type: 'layout-shift', buffered: true})"""
OVERLAPS = """() => {
  const {left, right, top, bottom} = document.querySelector('.pinned').getBoundingClientRect()
  return left > 300 && [...document.querySelectorAll('.text > section')].some((each) => {
    const part = each.getBoundingClientRect()
    return part.right > left && part.left < right && part.bottom > top && part.top < bottom
  })
}"""
SHOWN = "() => document.querySelector('.count').textContent"
DRAWN = "() => document.querySelector('.stage > .shown').outerHTML"


@pytest.fixture
def opened(chromium, address):
    """Return a function `opened(key, **context)` that opens an essay and returns its page."""
    contexts = []

    def open_(key, **options):
        contexts.append(chromium.new_context(**({"viewport": DESK} | options)))
        page = contexts[-1].new_page()
        if options.get("java_script_enabled", True):
            page.add_init_script(SHIFTS)
        page.goto(f"{address}essays/{key}.html", wait_until="load")
        return page

    yield open_
    for context in contexts:
        context.close()


def read_to(page, share):
    """Scroll to a share of the page, and wait until it is drawn."""
    page.evaluate(f"scrollTo(0, {share} * (document.documentElement.scrollHeight - innerHeight))")
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def scenes_of(key):
    return list(next(each for each in essays() if each.key == key).text.captions)


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("options", [{}, PHONE], ids=["desk", "phone"])
def test_reading_forth_and_back_shows_every_scene_and_moves_nothing(opened, key, options):
    page, seen = opened(key, **options), []
    for step in [*range(61), *range(59, -1, -1)]:
        read_to(page, step / 60)
        seen.append(page.evaluate(SHOWN))
    count = len(scenes_of(key))
    assert {each.split(" / ")[0] for each in seen} == {str(i + 1) for i in range(count)}
    assert [int(each.split(" / ")[0]) for each in seen[:61]] == sorted(int(each.split(" / ")[0]) for each in seen[:61])
    assert seen[0] == seen[-1] == f"1 / {count}"
    assert page.evaluate("moved") < 0.001
    assert not page.evaluate(OVERLAPS)
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_words_show_their_scene_and_show_it_no_more(opened):
    page = opened("mean")
    word = page.locator('a.shows[data-scene="gap"]')
    word.scroll_into_view_if_needed()
    page.wait_for_timeout(200)
    for key in ("Enter", " "):
        before = page.evaluate(SHOWN)
        word.focus()
        page.keyboard.press(key)
        gap = scenes_of("mean").index("gap") + 1
        assert page.evaluate(SHOWN).startswith(f"{gap} / ")
        assert word.get_attribute("aria-pressed") == "true"
        assert page.locator(".told").inner_text() == page.locator("#gap figcaption").inner_text()
        page.keyboard.press(key)
        assert word.get_attribute("aria-pressed") == "false"
        assert page.evaluate(SHOWN) == before


def test_a_reel_runs_with_the_reader_and_back(opened):
    page = opened("mean")
    page.locator('a.shows[data-scene="many"]').scroll_into_view_if_needed()
    drawn = []
    for _ in range(40):
        page.mouse.wheel(0, 15)
        page.wait_for_timeout(60)
        if page.evaluate(SHOWN).startswith("5 /"):
            drawn.append(page.evaluate(DRAWN))
    assert len(set(drawn)) > 8
    for _ in range(40):
        page.mouse.wheel(0, -15)
        page.wait_for_timeout(60)
    assert page.evaluate(SHOWN).startswith(("4 /", "5 /"))


def test_who_wants_little_motion_sees_ends_only(opened):
    page = opened("shrink", reduced_motion="reduce")
    drawn = set()
    for step in range(100, 300):
        read_to(page, step / 1000)
        if page.evaluate(SHOWN).startswith("2 /"):
            drawn.add(page.evaluate(DRAWN))
    assert len(drawn) == 2
    page.locator('a.shows[data-scene="parts"]').click()
    pressed = page.evaluate(DRAWN)
    page.wait_for_timeout(300)
    assert page.evaluate(DRAWN) == pressed  # nothing plays


def test_the_buttons_lead_from_scene_to_scene_by_the_keyboard(opened):
    page = opened("shrink", reduced_motion="reduce")
    read_to(page, 0)
    count = len(scenes_of("shrink"))
    page.locator(".steps .on").focus()
    page.wait_for_timeout(200)
    first = int(page.evaluate(SHOWN).split(" / ")[0])
    for there in range(first + 1, count + 1):
        page.keyboard.press("Enter")
        page.wait_for_function(f"({SHOWN})() === '{there} / {count}'", timeout=5000)
    page.locator(".steps .back").focus()
    page.keyboard.press("Enter")
    page.wait_for_function(f"({SHOWN})() === '{count - 1} / {count}'", timeout=5000)


@pytest.mark.parametrize("key", KEYS)
def test_without_a_script_each_picture_stands_in_its_place(opened, key):
    page = opened(key, java_script_enabled=False)
    assert not page.locator(".pinned").is_visible()
    for scene in scenes_of(key):
        box = page.locator(f"#{scene} > svg").bounding_box()
        assert box["width"] > 250
        assert box["height"] > 150


@pytest.mark.parametrize("key", KEYS)
def test_on_paper_each_picture_stands_in_its_place(opened, key):
    page = opened(key)
    read_to(page, 0.5)
    page.emulate_media(media="print")
    assert not page.locator(".pinned").is_visible()
    for scene in scenes_of(key):
        assert page.locator(f"#{scene} > svg").bounding_box()["width"] > 250
    tops = [page.locator(f"#{scene}").bounding_box()["y"] for scene in scenes_of(key)]
    assert tops == sorted(tops)


# the numbers that are written into the picture on the stage
WRITTEN = """() => [...document.querySelectorAll('.stage > .shown text[paint-order="stroke"]')].map((each) =>
  each.textContent)"""
# the words that show it, and what follows until others do
PASSAGE = """() => {
  const words = [...document.querySelectorAll('.text a.shows')]
  const first = words.findIndex((each) => each.classList.contains('shown'))
  const last = words.findLastIndex((each) => each.classList.contains('shown'))
  const range = document.createRange()
  range.setStart(words[first].closest('p'), 0)
  const next = words[last + 1]
  const part = words[first].closest('section')
  if (next && part.contains(next)) range.setEndBefore(next)
  else range.setEndAfter(part.lastElementChild)
  return range.toString()
}"""
DECIMAL = re.compile(r"[−-]?\d+(?:\.\d+)?(?:\s×\s10[⁻⁰¹²³⁴-⁹]+)?")
NAMED = re.compile(rf"(MMD²|average|median|moved by|at most|\bp|bandwidth) (?:= )?({DECIMAL.pattern})$")


def number_of(text):
    """Return a number as it is written, with 20.0 as 20."""
    return re.sub(r"\.0+$", "", text)


@pytest.mark.parametrize("key", KEYS)
def test_a_picture_at_rest_has_the_numbers_of_its_words(opened, key):
    """At the top of the page and at every picture: what the highlighted words name is in the picture, and equal."""
    page, count = opened(key), len(scenes_of(key))
    page.mouse.move(5, 400)
    for place in range(1, count + 1):
        page.wait_for_function(f"({SHOWN})() === '{place} / {count}'")
        page.wait_for_timeout(2600)  # the pause of a reader, and the reel
        written, passage = page.evaluate(WRITTEN), page.evaluate(PASSAGE)
        there = set(map(number_of, DECIMAL.findall(passage)))
        for words in written:
            for name, number in NAMED.findall(words):
                if name in passage:
                    assert number_of(number) in there, (key, place, words, passage)
        numbers = {number_of(number) for words in written for number in DECIMAL.findall(words)}
        assert not numbers or numbers & there, (key, place, written, passage)
        page.locator(".steps .on").click()
