"""A served room in a real browser: the server, and one page as a person sees and uses it."""

from __future__ import annotations

import hashlib
import io
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import parse_qsl, urlencode, urlparse

from PIL import Image, ImageStat

from explorer.labs.presets import SHRINKAGE

ROOT = Path(__file__).parents[1]
STEPPED_BACK = """figure => {
    for (let e = figure; e; e = e.parentNode ?? e.host)
        if (e instanceof Element && getComputedStyle(e).opacity < 1) return true
    return false
}"""
DESK = {"width": 1300, "height": 900}
PATIENCE = 20  # seconds that a slow machine may take; a passing test hardly waits


def until(condition, what="it", seconds=PATIENCE):
    """Wait for a condition to hold, and give its value."""
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, f"{what} did not happen within {seconds} s"
        time.sleep(0.02)
    return value


class Server:
    """`panel serve apps/shrinkage.py`, as users start it."""

    def __init__(self, log):
        with socket.socket() as free:
            free.bind(("localhost", 0))
            self.port = free.getsockname()[1]
        self.url, self.log = f"http://localhost:{self.port}/shrinkage", log
        with log.open("w") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "panel", "serve", "apps/shrinkage.py", "--port", str(self.port)],
                cwd=ROOT, stdout=out, stderr=subprocess.STDOUT, env={**os.environ, "BOKEH_RESOURCES": "server"},
            )  # fmt: skip
        try:
            until(self._answers, "an answer of the server", 60)
        except BaseException:
            self.stop()
            raise

    def _answers(self):
        assert self.process.poll() is None, self.log.read_text()
        try:
            with urllib.request.urlopen(self.url) as answer:
                return answer.status == 200
        except OSError:
            return False

    def troubles(self):
        """What the log holds of tracebacks, errors and Bokeh's complaints about a document."""
        entries = re.split(r"\n(?=\d{4}-\d\d-\d\d )", self.log.read_text())
        # a page that closes while it is written to is nobody's fault
        kept = [entry for entry in entries if not entry.rstrip().endswith("WebSocketClosedError")]
        return [entry for entry in kept if re.search(r"Traceback|ERROR|[EW]-1\d\d\d", entry)]

    @contextmanager
    def asleep(self):
        """The server answers nobody."""
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def stop(self):
        """End it."""
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Room:
    """One page of the lab: what a person sees and does there. `complaints` is what the browser complained of."""

    def __init__(self, context, url):
        self.url, self.host, self.complaints = url, urlparse(url).netloc, []
        self.page = page = context.new_page()
        page.set_default_timeout(1000 * PATIENCE)
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(f"page error: {error}"))
        page.on("requestfailed", self._failed)
        page.on("request", self._asked)

    def _heard(self, message):
        if message.type == "error" or (message.type == "warning" and "[bokeh" in message.text):
            self.complaints.append(f"console: {message.text}")

    def _failed(self, request):
        if request.failure != "net::ERR_ABORTED":  # a page that is left drops what it was still fetching
            self.complaints.append(f"failed: {request.url} {request.failure}")

    def _asked(self, request):
        address = urlparse(request.url)
        if address.scheme not in ("data", "blob") and address.netloc != self.host:
            self.complaints.append(f"off host: {request.url}")

    def go(self, address=None, **fields):
        """Go to an address, or to fields of the room's link, and wait for the first picture."""
        self.page.goto(address or f"{self.url}?{urlencode(fields)}")
        self.slider("λ").wait_for()
        until(lambda: len(self.colours()) == 3 and min(self.colours()) > 3, "the first picture")
        return self

    def open(self, address=None, **fields):
        """Go there, and let the page come to rest."""
        self.go(address, **fields)
        until(lambda: self.page.evaluate("Bokeh.documents[0].is_idle"), "a page at rest")
        if not address and not fields:
            self.first = self.headline
        return self

    def start_over(self):
        """Go where the first preset is, which is where the room opened; a room that cannot go there is opened anew."""
        try:
            self.button(f"^{SHRINKAGE[0].name}$").click(timeout=5000)
            until(lambda: self.headline == self.first and not self.alerts and self.rested(), "the start", 5)
        except Exception:
            self.open()
        self.complaints.clear()

    # what there is

    def slider(self, name):
        return self.page.get_by_role("slider", name=re.compile(f"^{name}"))

    def box(self, name):
        return self.page.get_by_role("textbox", name=name, exact=True)

    def button(self, name):
        return self.page.get_by_role("button", name=re.compile(name))

    # what it shows

    @property
    def headline(self):
        return self.page.locator(".says").inner_text()

    @property
    def trust(self):
        """The line below the headline."""
        return self.page.locator(".says + .trust").inner_text()

    @property
    def gains(self):
        """What the headline says in bold: S-KMSE's gain and F-KMSE's."""
        return self.page.locator(".says b").all_inner_texts()

    @property
    def alerts(self):
        return self.page.get_by_role("alert").all_inner_texts()

    @property
    def fields(self):
        """The fields in the address bar."""
        return dict(parse_qsl(self.page.evaluate("location.search")[1:], keep_blank_values=True))

    def says(self, name):
        """What a slider says of itself to a screen reader."""
        return self.slider(name).get_attribute("aria-valuetext")

    def pictures(self):
        """A hash of each canvas as it looks on white: a repaint alone thickens the canvas's own edge and nothing else."""
        drawn = self.page.locator("canvas").evaluate_all("""all => all.filter(canvas => canvas.width > 99).map(canvas => {
            const flat = document.createElement('canvas'), paint = flat.getContext('2d')
            Object.assign(flat, {width: canvas.width, height: canvas.height})
            paint.fillStyle = 'white'
            paint.fillRect(0, 0, flat.width, flat.height)
            paint.drawImage(canvas, 0, 0)
            return flat.toDataURL()
        })""")
        return [hashlib.sha1(url.encode()).hexdigest() for url in drawn]

    def colours(self):
        """How many distinct colours each figure holds, its layers together."""
        return self.page.locator(".bk-Figure:visible").evaluate_all("""figures => figures.map(figure => {
            const seen = new Set()
            for (const canvas of figure.shadowRoot.querySelectorAll('*')) layers(canvas)
            function layers(element) {
                if (element.tagName === 'CANVAS' && element.width > 0) {
                    const {data} = element.getContext('2d').getImageData(0, 0, element.width, element.height)
                    for (const pixel of new Uint32Array(data.buffer)) seen.add(pixel)
                }
                element.shadowRoot?.querySelectorAll('*').forEach(layers)
            }
            return seen.size
        })""") or [0]  # fmt: skip

    def chosen(self, names):
        """Those of some buttons that are filled while others are not."""
        grounds = {n: self.button(f"^{n}$").evaluate("b => getComputedStyle(b).backgroundColor") for n in names}
        return [name for name, ground in grounds.items() if list(grounds.values()).count(ground) == 1]

    def waits(self):
        """Whether the pictures have stepped back for new ones."""
        return self.page.locator(".bk-Figure:visible").first.evaluate(STEPPED_BACK)

    def watch_waits(self):
        """Let the browser itself look, frame by frame, whether the pictures step back: `waited` tells."""
        self.page.locator(".bk-Figure:visible").first.evaluate(f"""figure => {{
            window.waited = false
            const look = () => {{ window.waited ||= ({STEPPED_BACK})(figure); if (!window.waited) requestAnimationFrame(look) }}
            look()
        }}""")

    def waited(self):
        """Whether the pictures have stepped back since `watch_waits`."""
        return self.page.evaluate("window.waited")

    def rested(self):
        """Whether the browser has the table of what is shown, the last thing that a resting hand waits for."""
        return self.page.evaluate("""() => {
            const stamp = [...Bokeh.documents[0]._all_models.values()].find(model => model.attributes.sentences)
            return stamp.table === stamp.shown
        }""")

    def nameless(self):
        """What a screen reader could not name, of all that takes a hand."""
        tree = self.page.context.new_cdp_session(self.page).send("Accessibility.getFullAXTree")["nodes"]
        hands = {"slider", "button", "textbox", "combobox", "radio", "switch", "checkbox", "spinbutton", "link", "tab"}
        found = [node for node in tree if not node["ignored"] and node["role"]["value"] in hands]
        assert len(found) > 20
        return [node["role"]["value"] for node in found if not node.get("name", {}).get("value", "").strip("\u200b \xa0")]

    def too_wide(self):
        """What reaches beyond the right edge, other than inside a scroller of its own."""
        return self.page.evaluate("""() => {
            const found = []
            const look = root => { for (const element of root.children) {
                const {width, height, right} = element.getBoundingClientRect(), {overflowX} = getComputedStyle(element)
                if (width && height && right > innerWidth + 1) found.push(`${element.tagName} ${element.className} ${right}`)
                const scrolls = /auto|scroll/.test(overflowX) && element.scrollWidth > element.clientWidth
                if (scrolls && !element.matches('pre, .preview')) found.push(`${element.tagName} scrolls`)
                if (scrolls || /hidden|clip/.test(overflowX)) continue
                if (element.shadowRoot) look(element.shadowRoot)
                look(element)
            } }
            look(document.body)
            return found
        }""")

    def spot(self, title, x, y):
        """Where a point of a figure's data lies on the page, in px."""
        return self.page.evaluate(
            """([title, x, y]) => {
            const models = [...Bokeh.documents[0]._all_models.values()]
            const figure = models.find((model) => model.type === 'Figure' && model.title.text.startsWith(title))
            const {frame, canvas_view} = Bokeh.index.find_one(figure), box = canvas_view.events_el.getBoundingClientRect()
            return [box.left + frame.x_scale.compute(x), box.top + frame.y_scale.compute(y)]
        }""",
            [title, x, y],
        )

    def drag(self, start, *stops):
        """Take hold of a place with the mouse and move through others."""
        self.page.mouse.move(*start)
        self.page.mouse.down()
        for stop in stops:
            self.page.mouse.move(*stop, steps=8)
        self.page.mouse.up()

    def inks(self):
        """The colours of the pictures' glyphs: their lines', or a band's or word's."""
        return self.page.evaluate("""() => [...Bokeh.documents[0]._all_models.values()]
            .filter(model => model.type === 'GlyphRenderer')
            .map(({glyph}) => glyph.line_color ?? glyph.fill_color ?? glyph.text_color).map(colour => colour.value ?? colour)""")

    def look(self):
        """The whole page as a picture: how many colours it has, and how light it is."""
        image = Image.open(io.BytesIO(self.page.screenshot(full_page=True))).convert("RGB")
        return SimpleNamespace(colours=len(image.getcolors(2**24)), mean=ImageStat.Stat(image.convert("L")).mean[0])

    def grounds(self):
        """How light the corner of each figure is, from 0 to 255."""
        shots = [figure.screenshot() for figure in self.page.locator(".bk-Figure:visible").all()]
        return [Image.open(io.BytesIO(shot)).convert("L").getpixel((3, 3)) for shot in shots]

    # what a hand does

    def press(self, name, key="ArrowRight"):
        """Move a slider by a key, and wait until it says so itself."""
        said = self.says(name)
        self.slider(name).focus()
        self.page.keyboard.press(key)
        until(lambda: self.says(name) != said, f"{name} to say another value")

    def choose(self, file):
        """Choose a file of one's own."""
        self.page.locator("input[type=file]").set_input_files(file)

    def copied(self, name):
        """Press a button that copies, and give the clipboard's text."""
        self.page.evaluate("navigator.clipboard.writeText('')")
        self.button(name).click()
        return until(lambda: self.page.evaluate("navigator.clipboard.readText()"), "a copy")

    def unfold(self, *names):
        """Open folds of the page that are closed."""
        for name in names:
            if self.button(f"^{name}").get_attribute("aria-expanded") != "true":
                self.button(f"^{name}").click()

    def type(self, name, word):
        self.box(name).fill(word)
        self.box(name).press("Enter")

    @contextmanager
    def hand(self, name):
        """Hold a slider's thumb with the mouse; what is yielded takes it to a share of the track."""
        self.slider(name).scroll_into_view_if_needed()
        thumb = self.slider(name).bounding_box()
        track = self.track(name)
        x, y = thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2
        self.page.mouse.move(x, y)
        self.page.mouse.down()
        yield lambda share: self.page.mouse.move(track["x"] + share * track["width"], y)
        self.page.mouse.up()

    def track(self, name):
        """The box of a slider's track."""
        return self.slider(name).evaluate("""e => {
            while (e.parentElement && e.getBoundingClientRect().width < 80) e = e.parentElement
            const {x, y, width, height} = e.getBoundingClientRect()
            return {x, y, width, height}
        }""")

    @contextmanager
    def answers(self, what):
        """What is done inside changes pictures and headline."""
        headline, pictures = self.headline, self.pictures()
        yield
        until(lambda: self.headline != headline, f"a new headline after {what}")
        until(lambda: self.pictures() != pictures, f"a new picture after {what}")

    def follows(self, **fields):
        """The hand rests, and the link holds these fields."""
        until(lambda: fields.items() <= self.fields.items(), f"{fields} in the link")
