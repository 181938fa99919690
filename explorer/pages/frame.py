"""What stands around the pictures of every lab: headline, notices, presets, caption, link and code."""

from __future__ import annotations

from html import escape

import panel as pn
import panel_material_ui as pmui
from bokeh.core.properties import List, String
from bokeh.model import DataModel
from panel.links import Callback
from panel.util import edit_readonly

from explorer.workbench import registry

from . import theme
from .arrival import Arrival
from .chips import Chips
from .compare import Comparison
from .downloads import downloads
from .hand import without_classes
from .narrow import ONLY_NARROW, ONLY_WIDE
from .story import StoryBar
from .text import html, legend, plain, twin
from .theme import TOOL

# a page served without TLS from another machine has no clipboard: select and copy as browsers always could
COPY = """
const text = %s, {label} = button.data
const done = () => { button.data.label = 'Copied'; setTimeout(() => { button.data.label = label }, 1200) }
if (navigator.clipboard && window.isSecureContext) {
  navigator.clipboard.writeText(text).then(done)
} else {
  const area = document.createElement('textarea')
  area.value = text
  document.body.appendChild(area)
  area.select()
  document.execCommand('copy')
  area.remove()
  done()
}
"""

COMPUTING = "Computing this state ..."
NOTHING = "This state has no picture; the sentence below says why, and what to change."


class Texts(DataModel):
    """What the browser may copy, and the legend on light and on dark ground."""

    code = String(default="")
    legends = List(String)


class Frame:
    """The parts of a page that no lab does differently."""

    def __init__(self, owner, chosen):
        dark = chosen == "dark"
        self.owner, self.texts = owner, Texts()
        self.headline = html("", min_height=112, margin=(14, 10, 0, 10))
        self.notice = html("", visible=False)
        self.legend = html("", margin=(4, 10, 0, 10))
        self.caption = html("", margin=(8, 10))
        self.code, self.twin, self.live = html(""), html(""), html("", margin=0)
        self.arrival = Arrival(self.headline)
        self.story, self.comparison = StoryBar(owner), Comparison(owner)
        self.pictures = owner.layout(self.legend)
        body = pn.Column(
            html(f"<h1 class='unseen'>{escape(owner.title)}</h1>", margin=0),
            *self._labs("row", ONLY_NARROW),
            self.headline,
            self.live,
            self.arrival.pane,
            self.notice,
            *self._presets(),
            self.story,
            self.pictures,
            self.caption,
            self._tools(),
            self.comparison,
            self._folds(),
            sizing_mode="stretch_width",
            max_width=1320,
            margin=0,
            # a width of its own: one that followed the headline's words would resize every picture with them
            styles={
                "margin": "0 auto",
                "padding": "0 8px 40px 8px",
                "box-sizing": "border-box",
                "width": "100%",
                "max-height": "none",
            },  # else it ends with the window, and what is below is drawn over what is above
        )
        self.page = pmui.Page(
            title=f"Kernel Mean Explorer · {owner.title}",
            header=self._labs("bar", ONLY_WIDE),
            main=[body],
            dark_theme=dark,
            theme_config=theme.THEME,
            busy_indicator=None,
            sx={"& .MuiLinearProgress-root": {"display": "none"}},  # None alone reaches no browser
        )
        with edit_readonly(self.page):
            self.page.busy = False  # else every message redraws the page's bar, for an indicator that is not shown
        for watcher in list(pn.state.param.watchers.get("busy", {}).get("value", ())):
            if getattr(getattr(watcher.fn, "__self__", None), "self", None) is self.page:
                pn.state.param.unwatch(watcher)  # the server's state would keep the page for ever
        if chosen == "system":
            theme.follow_system(owner.view.hero)
        theme.follow(self.page, owner.view.paint, self.legend, self.texts)
        self._entitle(owner.result)

    def _entitle(self, result):
        """The legend, on the ground that the page has."""
        legends = [legend(self.owner.strokes(result), dark) for dark in (False, True)]
        self.texts.legends = [escape(words) for words in legends]  # a pane's model holds escaped HTML
        self.legend.object = legends[self.page.dark_theme]

    def _labs(self, kind, *sheets):
        """Links to the labs, where there is a server behind them."""
        if pn.state.location is None:
            return []
        links = ""
        for name, lab in registry.entries().items():
            here = " aria-current='page'" if lab.title == self.owner.title else ""
            links += f"<a href='{name}' title='{escape(lab.question)}'{here}>{escape(lab.title)}</a>"
        pane = html(f"<nav class='labs {kind}' aria-label='Labs'>{links}</nav>", margin=0)
        pane.stylesheets = [*pane.stylesheets, *sheets]
        return [pane]

    def _presets(self):
        self.told = html("", min_height=28, margin=(0, 10))  # as high as its one line: nothing moves when it goes
        presets = self.owner.presets
        names = [preset.name for preset in presets]
        self.presets = Chips(
            lambda i: self.owner.open(presets[i]), words=names, sizing_mode="stretch_width", margin=(8, 10)
        )
        return self.presets, self.told, self.story.begin

    def _tools(self):
        """What is always at hand: share, go back, compare."""
        link = pmui.Button(label="Copy link", icon="link", **TOOL)
        link.js_on_click(args={"button": link}, code=COPY % "location.href")
        code = pmui.Button(label="Copy Python", icon="content_copy", **TOOL)
        code.js_on_click(args={"button": code, "texts": self.texts}, code=COPY % "texts.code")
        self.undo = pmui.Button(
            label="Undo", icon="undo", disabled=True, on_click=lambda event: self.owner.undo(), **TOOL
        )
        self.reset = pmui.Button(label="Reset", icon="restart_alt", on_click=lambda event: self.owner.reset(), **TOOL)
        return pn.FlexBox(link, code, self.undo, self.reset, self.comparison.button, gap="8px", margin=(4, 10))

    def _folds(self):
        """What is not always wanted, folded away; a page opens sooner where it is made when one first looks for it."""
        explains = (
            f"{self.owner.explains}<div class='caption'><p><b>Keys.</b>"
            f" {escape(self.owner.shortcuts.words())}.</p></div>"
        )
        sections = {
            **self.owner.folded(),
            "How to read this": html(explains),
            "In words and numbers": self.twin,
            "Download": None,
            "Python": self.code,
        }
        self.sections = [(pn.Column(sizing_mode="stretch_width", margin=0), part) for part in sections.values()]
        self.accordion = pmui.Accordion(
            *((title, place) for title, (place, _) in zip(sections, self.sections, strict=True)),
            sizing_mode="stretch_width",
            margin=(8, 10),
            title_variant="subtitle1",
            elevation=0,
            disable_gutters=True,
        )
        self.help, self.titles = list(sections).index("How to read this"), list(sections)
        self.accordion.param.watch(lambda event: self._unfold(), "active")
        return self.accordion

    def _unfold(self):
        """Fill the sections that are open, and bring them up to date."""
        for place, part in (self.sections[i] for i in self.accordion.active):
            if not place.objects:
                place.append(downloads(self.owner) if part is None else part)
        self._catch_up_sections(self.owner.result)

    def _seen(self, part):
        """Whether the section of a part is open."""
        return any(self.sections[i][1] is part for i in self.accordion.active)

    def _catch_up_sections(self, result):
        """The texts of the sections that are open."""
        if self._seen(self.code):
            self.code.object = f"<pre class='code' tabindex='0'>{escape(self.texts.code)}</pre>"
        if self._seen(self.twin):
            self.twin.object = twin(self.owner.twin(result), self.owner.numbers(result))

    def arrive(self):
        """Data of one's own are in use: fold away where they came in, and go to the headline."""
        self.accordion.active = [place for place in self.accordion.active if self.titles[place] != "Your data"]
        self.arrival.go()

    def explain(self):
        """Open what says how to read the page, or fold it again."""
        active = set(self.accordion.active) ^ {self.help}
        self.accordion.active = sorted(active)

    def say(self, sentences):
        """Sentences above the pictures; none takes them away."""
        lines = "".join(f"<li>{escape(without_classes(s, self.owner.lab_class))}</li>" for s in sentences)
        self.notice.param.update(
            object=f"<ul role='alert' class='notice'>{lines}</ul>" if lines else "", visible=bool(lines)
        )

    def release(self):
        """The session is over: Panel would keep the page by the arguments of its scripts."""
        folded = [part for place, part in self.sections if part is not None and not place.objects]
        for part in (each for whole in (self.page, *folded) for each in (whole, *whole.select())):
            Callback.registry.pop(part, None)
        for figure in self.owner.view.figures.values():
            Callback.registry.pop(figure, None)

    def step_back(self, back):
        """Let the pictures step back while they show another state than the lab's.

        Of a page that has shown none of its own yet they almost vanish, and the controls stay.
        """
        blank = back and self.owner.blank
        fade(self.pictures, "0.6" if back and not blank else "1")
        for picture in self.owner.arranged.pictures.values():
            fade(picture, "0.1" if blank else "1")

    def begin_blank(self, words):
        """Say in the headline's place why there is no picture of the lab's state."""
        self.headline.object = f"<div class='says'>{escape(words)}</div>"
        self.step_back(True)

    def catch_up(self, result):
        """The preset that the lab is at, the caption and the code."""
        self._entitle(result)
        here = self.owner.preset()
        self.presets.chosen = self.owner.presets.index(here) if here else -1
        self.told.object = f"<div class='trust told'>{escape(here.says)}</div>" if here else ""
        self.caption.object = f"<div class='caption'>{self.owner.caption(result)}</div>"
        self.texts.code = self.owner.python(result)
        self._catch_up_sections(result)
        self.live.object = f"<div role='status' class='unseen'>{plain(self.owner.headline(result, result.row))}</div>"
        self.undo.disabled = not self.owner.history
        self.story.catch_up(result)
        self.comparison.catch_up(result)


def fade(part, opacity):
    """Give a part an opacity, where it has another."""
    if part.styles.get("opacity", "1") != opacity:
        part.styles = {**part.styles, "opacity": opacity}
