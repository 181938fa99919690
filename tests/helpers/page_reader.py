"""Reader of a lab's page in a browser: its texts and pictures, its accessible names, and the address bar."""

from __future__ import annotations

import io
import re
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlparse

from PIL import Image, ImageStat

from explorer.pages import page_class
from explorer.pages.navigation import story_in
from explorer.workbench import registry
from explorer.workbench.content import content_of

IS_DIMMED = """figure => {
    for (let e = figure; e; e = e.parentNode ?? e.host)
        if (e instanceof Element && getComputedStyle(e).opacity < 1) return true
    return false
}"""


MOVES = """function moves(root) {
    return root.getAnimations().some(
        one => one.playState === 'running' && one.effect.getComputedTiming().iterations < 99)
        || [...root.querySelectorAll('*')].some(({shadowRoot}) => shadowRoot && moves(shadowRoot))
}"""


class PageReader:
    """Reads a page without changing it: locators, texts, pictures and the state in its link."""

    def __init__(self, page):
        self.page = page

    # locators

    def slider(self, name):
        return self.page.get_by_role("slider", name=re.compile(f"^{name}"))

    def box(self, name):
        return self.page.get_by_role("textbox", name=name, exact=True)

    def button(self, name):
        """Return a button other than the head of a section."""
        return self.page.get_by_role("button", name=re.compile(name)).and_(self.page.locator(":not([aria-expanded])"))

    def folds(self, name="", expanded=False):
        """Return the heads of the closed sections, or of the open ones."""
        return self.page.get_by_role("button", name=re.compile(f"^{name}"), expanded=expanded)

    # content

    @property
    def headline(self):
        return self.page.locator(".says").inner_text()

    @property
    def trust(self):
        """The line below the headline."""
        return self.page.locator(".says + .trust").inner_text()

    @property
    def gains(self):
        """The bold numbers of the headline: S-KMSE's gain and F-KMSE's."""
        return self.page.locator(".says b").all_inner_texts()

    @property
    def alerts(self):
        return self.page.locator(
            "[role=alert]:visible"
        ).all_inner_texts()  # by attribute: the page is asked for it often

    @property
    def params(self):
        """The parameters in the address bar."""
        return dict(parse_qsl(self.page.evaluate("location.search")[1:], keep_blank_values=True))

    @property
    def fields(self):
        """The state in the address bar, with the defaults of missing fields; empty if there are no parameters."""
        params = self.params
        if not params:
            return {}
        page = page_class(urlparse(self.page.url).path.rpartition("/")[2])
        stories = content_of(registry.name_of(page.lab_class)).stories
        step = dict(params)
        story_in(step, page.lab_class, stories)
        return page.lab_class().flat() | step | params

    def says(self, name):
        """Return what a slider announces to a screen reader."""
        return self.slider(name).get_attribute("aria-valuetext")

    def pictures(self):
        """Return a hash of each canvas as it looks on white, except for its edge: a repaint alone thickens that."""
        return self.page.locator("canvas").evaluate_all(
            """all => all.filter(canvas => canvas.width > 99).map(canvas => {
            const flat = document.createElement('canvas'), paint = flat.getContext('2d', {willReadFrequently: true})
            Object.assign(flat, {width: canvas.width, height: canvas.height})
            paint.fillStyle = 'white'
            paint.fillRect(0, 0, flat.width, flat.height)
            paint.drawImage(canvas, 0, 0)
            const {data} = paint.getImageData(2, 2, flat.width - 4, flat.height - 4)
            let hash = 0
            for (const pixel of new Uint32Array(data.buffer)) hash = Math.imul(hash ^ pixel, 16777619)
            return hash
        })"""
        )

    def colours(self):
        """Return the number of distinct colours of each figure, its layers together."""
        return self.page.locator(".bk-Figure:visible").evaluate_all("""figures => figures.map(figure => {
            const seen = new Set()
            for (const canvas of figure.shadowRoot.querySelectorAll('*')) layers(canvas)
            function layers(element) {
                if (element.tagName === 'CANVAS' && element.width > 0) {
                    const {data} = element.getContext('2d').getImageData(0, 0, element.width, element.height)
                    let last
                    for (const pixel of new Uint32Array(data.buffer)) if (pixel !== last) seen.add(last = pixel)
                }
                element.shadowRoot?.querySelectorAll('*').forEach(layers)
            }
            return seen.size
        })""") or [0]

    def chosen(self, names):
        """Return the presets among these that look chosen, in the row or in the list under its last button."""
        every = dict(
            self.page.locator(".chip").evaluate_all(
                "all => all.map(b => [b.textContent.trim(), getComputedStyle(b).backgroundColor])"
            )
        )
        grounds = {name: every[name] for name in names}
        return [name for name, ground in grounds.items() if list(grounds.values()).count(ground) == 1]

    def is_dimmed(self):
        """Return whether the pictures are dimmed until new ones come."""
        return self.page.locator(".bk-Figure:visible").first.evaluate(IS_DIMMED)

    def is_still(self):
        """Return whether, two frames from now, nothing on the page moves: no section opens, no colour fades."""
        self.page.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        return not self.page.evaluate(f"({MOVES})(document)")

    def watch_dimming(self):
        """Watch in the browser, frame by frame, whether the pictures are dimmed; `was_dimmed` returns the answer."""
        self.page.locator(".bk-Figure:visible").first.evaluate(f"""figure => {{
            window.wasDimmed = false
            const look = () => {{
                window.wasDimmed ||= ({IS_DIMMED})(figure)
                if (!window.wasDimmed) requestAnimationFrame(look)
            }}
            look()
        }}""")

    def was_dimmed(self):
        """Return whether the pictures have been dimmed since `watch_waits`."""
        return self.page.evaluate("window.wasDimmed")

    def is_idle(self):
        """Return whether the browser has the table of the visible result: the last part of an idle update."""
        return self.page.evaluate("""() => {
            const stamp = [...Bokeh.documents[0]._all_models.values()].find(model => model.attributes.sentences)
            // a page that has no table never waits for one
            return !stamp || stamp.table === stamp.shown || stamp.table < 0
        }""")

    def has_table(self):
        """Return whether the browser has a table of the visible result; some pages are idle before it arrives."""
        return self.page.evaluate("""() => {
            const stamp = [...Bokeh.documents[0]._all_models.values()].find(model => model.attributes.sentences)
            return stamp.table >= 0 && stamp.table === stamp.shown
        }""")

    def nameless(self):
        """Return the interactive elements that a screen reader could not name."""
        tree = self.page.context.new_cdp_session(self.page).send("Accessibility.getFullAXTree")["nodes"]
        roles = {"slider", "button", "textbox", "combobox", "radio", "switch", "checkbox", "spinbutton", "link", "tab"}
        found = [node for node in tree if not node["ignored"] and node["role"]["value"] in roles]
        assert len(found) > 20
        return [
            node["role"]["value"] for node in found if not node.get("name", {}).get("value", "").strip("\u200b \xa0")
        ]

    def too_wide(self):
        """Return the elements that reach beyond the right edge, unless they are inside a scroller of their own."""
        return self.page.evaluate("""() => {
            const found = []
            const look = root => { for (const element of root.children) {
                const {width, height, right} = element.getBoundingClientRect(), {overflowX} = getComputedStyle(element)
                if (width && height && right > innerWidth + 1) {
                    found.push(`${element.tagName} ${element.className} ${right}`)
                }
                const scrolls = /auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth
                if (scrolls && !element.matches('pre, .preview')) found.push(`${element.tagName} scrolls`)
                if (scrolls || /hidden|clip/.test(overflowX)) continue
                if (element.shadowRoot) look(element.shadowRoot)
                look(element)
            } }
            look(document.body)
            return found
        }""")

    def at(self, title, x, y):
        """Return the position on the page of a point of a figure's data, in px."""
        return self.page.evaluate(
            """([title, x, y]) => {
            const models = [...Bokeh.documents[0]._all_models.values()]
            const figure = models.find((model) => model.type === 'Figure' && model.title.text.startsWith(title))
            const {frame, canvas_view} = Bokeh.index.find_one(figure)
            const box = canvas_view.events_el.getBoundingClientRect()
            return [box.left + frame.x_scale.compute(x), box.top + frame.y_scale.compute(y)]
        }""",
            [title, x, y],
        )

    def glyph_colours(self):
        """Return the colours of the pictures' glyphs: their lines', or a band's or text's."""
        return self.page.evaluate(
            """() => [...Bokeh.documents[0]._all_models.values()]
            .filter(model => model.type === 'GlyphRenderer')
            .map(({glyph}) => glyph.line_color ?? glyph.fill_color ?? glyph.text_color)
            .map(colour => colour.value ?? colour)"""
        )

    def screenshot(self):
        """Return how many colours a screenshot of the whole page has, and how light it is."""
        image = Image.open(io.BytesIO(self.page.screenshot(full_page=True))).convert("RGB")
        return SimpleNamespace(colours=len(image.getcolors(2**24)), mean=ImageStat.Stat(image.convert("L")).mean[0])

    def corner_brightness(self):
        """Return how light the corner of each figure is, from 0 to 255."""
        shots = [figure.screenshot() for figure in self.page.locator(".bk-Figure:visible").all()]
        return [Image.open(io.BytesIO(shot)).convert("L").getpixel((3, 3)) for shot in shots]

    def track(self, name):
        """Return the box of a slider's track."""
        return self.slider(name).evaluate("""e => {
            while (e.parentElement && e.getBoundingClientRect().width < 80) e = e.parentElement
            const {x, y, width, height} = e.getBoundingClientRect()
            return {x, y, width, height}
        }""")
