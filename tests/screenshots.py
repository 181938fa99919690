"""Screenshots of the first screen of home and of each lab, and the positions of their main parts.

`python tests/screenshots.py FOLDER [LAB ...]` starts a server, opens each page at three sizes, light and dark, writes
the screenshots to the folder, and prints a table of the positions.
"""

from __future__ import annotations

import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from helpers.browsing import launched
from helpers.explorer_server import ExplorerServer
from helpers.server_process import until

from explorer.workbench import registry

SIZES = {"1300": (1300, 800), "1920": (1920, 1080), "390": (390, 844)}
READY = "window.Bokeh?.documents.length > 0 && Bokeh.documents[0].is_idle"
# a function that goes through all shadow trees, in the order of the page, for those that begin with it
EVERY = """() => {
  const every = (root, found = []) => {
    for (const element of root.querySelectorAll('*')) {
      found.push(element)
      if (element.shadowRoot) every(element.shadowRoot, found)
    }
    return found
  }"""
# what is seen
MEASURE = (
    EVERY
    + """
  const all = every(document)
  const boxes = (wanted) => all.filter(wanted).map((element) => element.getBoundingClientRect())
    .filter(({width, height}) => width > 40 && height > 10)
  const figures = boxes((element) => element.classList.contains('bk-Figure')).map(({top, bottom}) => [top, bottom])
  const sliders = all.filter((element) => element.matches('input[type=range]'))
    .map((element) => element.closest('.MuiSlider-root')).filter(Boolean)
    .map((element) => element.getBoundingClientRect()).filter(({width}) => width > 0).map(({top, bottom}) => bottom)
  const seen = (element) => element.checkVisibility() && element.getBoundingClientRect().width > 0
  const hands = all.filter((element) => element.matches('.MuiSlider-root, .MuiSelect-root, fieldset'
    + '.MuiFormControl-root, .MuiSwitch-root') && seen(element)).length
  const [says] = boxes((element) => element.classList.contains('says'))
  return {says: says?.top ?? null, figures, sliders, hands, wide: document.documentElement.scrollWidth}
}"""
)


# what looks as if it could be pressed within the window: of a number beside a slider that is only while it has an edge
PRESSED = (
    EVERY
    + """
  const hands = "button, a[href], input, select, textarea, summary, [role=combobox]"
  return every(document).filter((element) => {
    if (!element.matches(hands) || element.disabled) return false
    if (!element.checkVisibility({visibilityProperty: true})) return false
    const whole = element.closest('.MuiSlider-root, .MuiInputBase-root') ?? element
    const {width, height, top, bottom} = whole.getBoundingClientRect()
    if (width < 2 || height < 2 || top >= innerHeight || bottom <= 0) return false
    const edge = element.matches('input') && whole.querySelector('.MuiOutlinedInput-notchedOutline')
    if (edge && getComputedStyle(edge).borderTopColor === 'rgba(0, 0, 0, 0)') return false
    if (element.matches('input') && whole.matches('.MuiSelect-root')) return false
    return getComputedStyle(element).clipPath === 'none'
  }).map((element) => element.ariaLabel || element.textContent.trim() || element.type)
}"""
)
# how far the name, the ends and the box of each main slider that is seen are from its track, in px
NEAR = (
    EVERY
    + """
  const all = every(document).filter((element) => element.checkVisibility())
  const tracks = all.filter((element) => element.classList.contains('track'))
  return tracks.map((track) => {
    const slider = track.shadowRoot.querySelector('.MuiSlider-root').getBoundingClientRect()
    const away = ({left, right, top, bottom}) => Math.max(
      Math.max(left - slider.right, slider.left - right, 0), Math.max(top - slider.bottom, slider.top - bottom, 0))
    const inside = (name) => all.filter((element) => element.matches(name)).map((element) => [away(
      element.getBoundingClientRect()), element.textContent.trim() || element.value])
    const nearest = (found) => found.sort(([one], [other]) => one - other)
    return {
      name: nearest(inside('.word, .symbol'))[0], ends: nearest(inside('.end, .MuiSlider-markLabel')).slice(0, 2),
      value: nearest(inside('input[type=text]'))[0],
    }
  })
}"""
)


FOCUSED = """() => {
  let at = document.activeElement
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement
  return at?.matches('input[type=range]') ? 'slider' : at?.matches('.skip') ? 'skip' : ''
}"""
MOST_STEPS = 40  # presses of a key; a slider that needs more is unreachable


class Screen(NamedTuple):
    """Positions on a first screen, in px from its upper edge, or None for a part that is missing."""

    page: str
    size: str
    headline: float
    ink: float  # the upper edge of the first picture
    slider: float  # the lower edge of its slider
    second: float  # the upper edge of the second picture
    controls: int  # sliders, menus and rows of buttons that are seen
    pressed: int  # things to press within the window
    tabs: int  # presses of Tab or Enter from the top of the page to the main slider; 0 if there is none
    wide: int  # width of the whole page


@contextmanager
def opened(browser, url, page, size, dark=False):
    """Open a page at a size, in light or dark, and wait until it is idle."""
    width, height = SIZES[size]
    phone = {"is_mobile": True, "has_touch": True} if width < 500 else {}
    context = browser.new_context(
        viewport={"width": width, "height": height}, color_scheme="dark" if dark else "light", **phone
    )
    tab = context.new_page()
    tab.goto(f"{url}/{page}")
    tab.locator(".bk-Figure").first.wait_for()
    until(lambda: tab.evaluate(READY), f"{page} at rest", 30)
    tab.wait_for_timeout(1500)  # what comes late, such as a table, moves nothing, but it is part of the picture
    yield tab
    context.close()


def steps_to_slider(tab):
    """Return how many presses of Tab and Enter lead a keyboard to the main slider; the skip link comes first."""
    for step in range(1, MOST_STEPS):
        tab.keyboard.press("Tab")
        at = tab.evaluate(FOCUSED)
        if at == "slider":
            return step
        if at == "skip":
            tab.keyboard.press("Enter")
            if tab.evaluate(FOCUSED) == "slider":
                return step + 1
    return 0


def look(browser, url, page, size, dark=False, picture=None):
    """Measure a page's first screen; `picture` is a file to write."""
    with opened(browser, url, page, size, dark) as tab:
        found, pressed, tabs = tab.evaluate(MEASURE), len(tab.evaluate(PRESSED)), steps_to_slider(tab)
        if picture:
            tab.screenshot(path=picture)
    tops = sorted(top for top, _ in found["figures"])
    below = [bottom for bottom in found["sliders"] if bottom > tops[0]]
    return Screen(
        page or "home",
        size,
        found["says"],
        tops[0],
        min(below, default=None),
        tops[1] if len(tops) > 1 else None,
        found["hands"],
        pressed,
        tabs,
        found["wide"],
    )


def main(folder, *names):
    """Look at all of them, or at some."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    served = ExplorerServer(Path(tempfile.mkdtemp()) / "log")
    try:
        with launched() as browser:
            print(*Screen._fields, sep="\t")  # noqa: T201, the table
            for page in names or ("", *registry.names()):
                for size in SIZES:
                    for dark in (False, True):
                        file = folder / f"{page or 'home'}-{size}{'-dark' if dark else ''}.png"
                        screen = look(browser, served.url, page, size, dark, file)
                        if not dark:
                            words = (f"{each:.0f}" if isinstance(each, float) else str(each) for each in screen)
                            print(*words, sep="\t", flush=True)  # noqa: T201, the table
    finally:
        served.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
