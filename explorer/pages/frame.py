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
from .compare import Comparison
from .downloads import downloads
from .hand import without_classes
from .narrow import ONLY_NARROW, ONLY_WIDE, row
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


# a preset's button where the lab is at it; another variant would have other classes, for which Bokeh lays out the whole
# page and repaints all pictures
CHOSEN = {
    "bgcolor": "primary.main",
    "color": "primary.contrastText",
    "borderColor": "primary.main",
    "&:hover": {"bgcolor": "primary.dark"},
}


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
        self.story, self.comparison = StoryBar(owner), Comparison(owner)
        self.pictures = owner.layout(self.legend)
        body = pn.Column(
            html(f"<h1 class='unseen'>{escape(owner.title)}</h1>", margin=0),
            *self._labs("row", ONLY_NARROW),
            self.headline,
            self.live,
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
        self.buttons = [
            pmui.Button(
                label=preset.name,
                variant="outlined",
                size="small",
                margin=(4, 6, 4, 0),
                on_click=lambda event, preset=preset: self.owner.open(preset),
            )
            for preset in self.owner.presets
        ]
        return row(*self.buttons, margin=(6, 10, 0, 10)), self.told, row(*self.story.begin, margin=(0, 10))

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
        """What is not always wanted, folded away."""
        self.shelf = pn.Column(sizing_mode="stretch_width", margin=0)
        explains = (
            f"{self.owner.explains}<div class='caption'><p><b>Keys.</b>"
            f" {escape(self.owner.shortcuts.words())}.</p></div>"
        )
        sections = {
            **self.owner.folded(),
            "How to read this": html(explains),
            "In words and numbers": self.twin,
            "Download": self.shelf,
            "Python": self.code,
        }
        self.accordion = pmui.Accordion(
            *sections.items(),
            sizing_mode="stretch_width",
            margin=(8, 10),
            title_variant="subtitle1",
            elevation=0,
            disable_gutters=True,
        )
        self.help = list(sections).index("How to read this")
        self.accordion.param.watch(self._unfolded, "active")
        return self.accordion

    def _unfolded(self, event):
        """The downloads' many buttons are made when one first looks for them: a page opens sooner without."""
        if not self.shelf.objects and any(self.accordion[i] is self.shelf for i in event.new):
            self.shelf.append(downloads(self.owner))

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
        for part in (self.page, *self.page.select()):
            Callback.registry.pop(part, None)
        for figure in self.owner.view.figures.values():
            Callback.registry.pop(figure, None)

    def dim(self, busy):
        """The old picture steps back while a new one is computed."""
        opacity = "0.6" if busy else "1"
        if self.pictures.styles.get("opacity", "1") != opacity:
            self.pictures.styles = {**self.pictures.styles, "opacity": opacity}

    def catch_up(self, result):
        """The preset that the lab is at, the caption and the code."""
        self._entitle(result)
        here = self.owner.preset()
        for preset, button in zip(self.owner.presets, self.buttons, strict=True):
            chosen = CHOSEN if preset is here else None
            if button.sx != chosen:
                button.sx = chosen
        self.told.object = f"<div class='trust told'>{escape(here.says)}</div>" if here else ""
        self.caption.object = f"<div class='caption'>{self.owner.caption(result)}</div>"
        self.texts.code = self.owner.python(result)
        self.code.object = f"<pre class='code' tabindex='0'>{escape(self.texts.code)}</pre>"
        self.twin.object = twin(self.owner.twin(result), self.owner.numbers(result))
        self.live.object = f"<div role='status' class='unseen'>{plain(self.owner.headline(result, result.row))}</div>"
        self.undo.disabled = not self.owner.history
        self.story.catch_up(result)
        self.comparison.catch_up(result)
