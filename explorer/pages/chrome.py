"""What stands around the pictures of every lab: headline, notices, presets, caption, link and code."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui
from bokeh.core.properties import List, String
from bokeh.model import DataModel
from bokeh.models import CustomJS

from explorer.browser import LETTERS, sheet
from explorer.languages import translate
from explorer.markup import joined, markup
from explorer.snippets import pasted
from explorer.workbench.prose import invited, tries

from .bindings import without_classes
from .interaction.caption_links import focusable
from .layout import theme
from .layout.markup_pane import Text, html, in_model, legend, plain, twin
from .layout.theme import NARROW
from .modes import LECTURE
from .previews.preset_thumbnails import preset_thumbnail
from .sections import tour
from .sections.downloads import Downloads, downloads
from .sections.help import HelpOverlay, help_html
from .sections.navbar import Navbar
from .sections.pinned import PinnedComparison
from .sections.scroll_target import ScrollTarget
from .sections.story import StoryBar
from .summary import of_page, of_result, of_story
from .template import forget_scripts, page_template
from .widgets.button_row import ButtonRow
from .widgets.menus import DisclosureButton, DropdownMenu
from .widgets.progress import ProgressOverlay

if TYPE_CHECKING:
    from explorer.workbench.result import Result

    from .protocol import Page
    from .summary import Summary

EXAMPLES = f"""
:host {{ align-items: center; gap: 4px 12px; flex-wrap: nowrap; }}
{NARROW} {{ :host {{ flex-wrap: wrap; }} }}
"""
CHIPS = f"""
:host {{ min-width: 0 !important; }}
{NARROW} {{ :host {{ flex: 1 1 100% !important; }} }}
"""
TOUR = sheet("tour")
# three of its lines, on a telephone
TOLD = f"{NARROW} {{ :host {{ min-height: 53px !important; }} }}"
VEILED = "A picture that shows the answer to the story's question."
COMPUTING = "Computing this state ..."
NOTHING = "This state has no picture; the sentence below explains why, and what to change."
NOT_YET = "Your data are not shown yet: use them below."
NOT_USED = "Your data are not shown; the sentence below explains why, and what to change."


class Texts(DataModel):
    """What the page's tab is called, and the legend on light and on dark ground."""

    title: String = String(default="")
    legends: List[str] = List(String)


class Chrome:
    """The parts of a page that no lab does differently."""

    def __init__(self, owner: Page, chosen: str) -> None:
        self.owner = owner
        self.own_is_refused: bool = False  # whether the user's table says why the lab cannot take it
        self.texts: Texts = Texts()
        self.has_tab: bool = owner.runtime.doc is not None  # of its own: a notebook's is not the page's to name
        if self.has_tab:
            self.texts.js_on_change("title", CustomJS(code="document.title = cb_obj.title"))
        self.headline: Text = html("", min_height=78, margin=(4, 0, 2, 0))  # two lines and one: nothing below it moves
        self.notice: Text = html("", visible=False, margin=(4, 0))
        self.legend: Text = html("", margin=(2, 0))
        # as high as its one line: nothing moves when it goes
        self.told: Text = html("", min_height=22, margin=(0, 0, 4, 0))
        self.told.stylesheets = [*self.told.stylesheets, TOLD]
        self.caption: Text = html("", margin=(2, 0, 6, 0))
        self.code: Text = html("")
        self.twin: Text = html("")
        self.live: Text = html("", margin=0)
        self.arrival: ScrollTarget = ScrollTarget(self.headline)
        self.story: StoryBar = StoryBar(owner)
        self.comparison: PinnedComparison = PinnedComparison(owner)
        self.downloads: Downloads = Downloads(owner)
        self.pictures: Any = owner.layout(self.legend, self.story, self.comparison)
        self.help: HelpOverlay = self._explained()
        self.bar: Navbar = Navbar(owner, self.downloads, self.help)
        self.undo: pmui.Button = self.bar.undo
        self.waiting: ProgressOverlay = ProgressOverlay(owner.lab_session.on_cancel)
        self.body: pn.Column = pn.Column(
            html(markup("<h1 class='unseen'>{}</h1>", owner.title), margin=0),
            *self._tour(),
            self.headline,
            self.live,
            self.arrival.pane,
            self.notice,
            self._examples(),
            self.told,
            self.data,
            self.waiting,
            self.downloads.filming.place,
            self.pictures,
            self.caption,
            self._folds(),
            self.help,
            self.bar.qr,
            sizing_mode="stretch_width",
            max_width=1560,
            margin=0,
            # a width of its own: one that followed the headline's words would resize every picture with them
            styles={
                "margin": "0 auto",
                "padding": "0 24px 40px 24px",
                "box-sizing": "border-box",
                "width": "100%",
                "max-height": "none",
            },  # else it ends with the window, and what is below is drawn over what is above
            stylesheets=[f"{NARROW} {{ :host {{ padding: 0 14px 40px 14px !important; }} }}"],
        )
        self.page: Any = page_template(self._summed_up, self.bar.parts, self.body, chosen, owner.view.hero)
        theme.follow(self.page, owner.view.paint, self.legend, self.texts)
        if owner.blank:
            self._describe(owner.result)  # of another state, until the lab's own is there

    def _summed_up(self):
        """What the page's tab and those who show its link say of it, and its link."""
        with self.owner.speaking():
            return self.summary(self.owner.result), self.owner.link()

    def summary(self, result: Result[Any]) -> Summary:
        """What the page shows, and of an answer that must not be seen the story's title."""
        owner, story = self.owner, self.story.story
        if self.story.hides_answer:
            return of_story(owner.name_of_lab, story.title)
        return of_page(owner.name_of_lab) if owner.blank else of_result(owner.name_of_lab, result)

    def _tour(self):
        """The bar of the tour, on a page that is a stop of it."""
        if not self.owner.tour:
            return []
        bar = tour.bar(self.owner.tour)
        return [Text(bar, stylesheets=[TOUR], sizing_mode="stretch_width", margin=(8, 0, 4, 0))]

    def _describe(self, result):
        """The legend, on the ground that the page has, and what the pictures say to those who listen.

        Gives picture -> sentences.
        """
        view = self.owner.view
        numbers = view.numbers(result)
        keys, words = view.legend(result, numbers, self.story.hides_answer), view.words(result, numbers)
        view.label({name: [translate(VEILED)] for name in words} if self.story.hides_answer else words)
        legends = [legend(keys, dark) for dark in (False, True)]
        self.texts.update(legends=[in_model(words) for words in legends])
        self.legend.object = legends[self.page.dark_theme]
        return words

    def _examples(self):
        """Presets in one row, and at its end the stories, the comparison and what opens the data of one's own."""
        presets = self.owner.presets
        names = [translate(preset.name) for preset in presets]
        self.presets: ButtonRow = ButtonRow(
            lambda i: self.owner.navigation.open(presets[i]),
            self._look,
            words=names,
            margin=0,
            sizing_mode="stretch_width",
            stylesheets=[CHIPS],
        )
        titles = self.story.titles
        ends: list[Any] = []
        if titles:
            ends.append(
                DropdownMenu(self.story.begin, label=translate("Stories"), words=titles, classes="right", margin=0)
            )
        ends.append(self.comparison.menu)
        self.data: pn.Column = pn.Column(sizing_mode="stretch_width", margin=(0, -10), visible=False)
        if self.owner.data:
            self.opener: DisclosureButton = DisclosureButton(label=translate("Your data"), margin=0)
            self.opener.param.watch(lambda event: self.open_data(event.new), "open")
            ends.append(self.opener)
        self.examples: pn.Row = pn.Row(
            self.presets, *ends, sizing_mode="stretch_width", margin=(0, 0, 2, 0), stylesheets=[EXAMPLES]
        )
        return self.examples

    def _look(self, index):
        """A hand points at a preset: draw what it shows, in little."""
        picture = preset_thumbnail(self.owner.name_of_lab, index)
        self.owner.in_thread(picture.now, partial(self.presets.illustrate, index))

    @cached_property
    def own(self) -> Any:
        """The part that takes data of one's own, made when it is first asked for; None where a page has none."""
        if not self.owner.data:
            return None
        with self.owner.speaking():
            own = self.owner.arranged.build(self.owner.data)
        own.not_used = self.owner.refuse_own
        return own

    def open_data(self, wanted: bool) -> None:
        """Show the part that takes data of one's own, or hide it; it becomes models when one first looks for it."""
        if wanted and not self.data.objects:
            with self.owner.speaking():
                self.data.append(self.own)
        self.data.visible = wanted

    def _explained(self):
        """The help of the page, whose plan has the parts that every page has."""
        owner, slider = self.owner, self.owner.sliders.get(self.owner.main_field or "")
        guide = HelpOverlay(text=help_html(owner.actions(), owner.explains), width=0, height=0, margin=0)
        guide.point_at(
            self.pictures,
            headline=self.headline,
            slider=slider and slider.slider,
            controls=owner.arranged.below,
            caption=self.caption,
        )
        return guide

    def _folds(self):
        """What is not always wanted, folded away; a page opens sooner where it is made when one first looks for it."""
        sections = {
            **self.owner.folded(),
            "In words and numbers": self.twin,
            "All downloads": None,
            "Python": self.code,
        }
        self.sections: list[tuple[pn.Column, Any]] = [
            (pn.Column(sizing_mode="stretch_width", margin=0), part) for part in sections.values()
        ]
        self.accordion: pmui.Accordion = pmui.Accordion(
            *((translate(title), place) for title, (place, _) in zip(sections, self.sections, strict=True)),
            sizing_mode="stretch_width",
            margin=(8, 0),
            title_variant="subtitle2",
            elevation=0,
            disable_gutters=True,
        )
        self.accordion.param.watch(lambda event: self._unfold(), "active")
        return self.accordion

    def _unfold(self):
        """Fill the sections that are open, and bring them up to date."""
        result, view = self.owner.result, self.owner.view
        with self.owner.speaking():
            for place, part in (self.sections[i] for i in self.accordion.active):
                if not place.objects:
                    place.append(downloads(self.owner) if part is None else part)
            self._catch_up_sections(result, view.words(result, view.numbers(result)))

    def _seen(self, part):
        """Whether the section of a part is open."""
        return any(self.sections[i][1] is part for i in self.accordion.active)

    def _catch_up_sections(self, result, words):
        """The texts of the sections that are open; `words` are those of the pictures."""
        if self._seen(self.code):
            self.code.object = markup("<pre class='code' tabindex='0'>{}</pre>", self.bar.share.code)
        if self._seen(self.twin):
            self.twin.object = twin(words.values(), self.owner.numbers(result))
        if any(i < len(self.owner.folds) for i in self.accordion.active):
            self.owner.on_section_opened(result)

    def make_room(self) -> None:
        """The right column has its pictures, unless a story's question comes first."""
        arranged = self.owner.arranged
        if arranged.right is not None:
            arranged.right.visible = not self.story.hides_answer
            arranged.beside.visible = self.story.is_open or arranged.right.visible
            self.story.make_room(arranged.beside, arranged.right, self.examples)

    def take_mode(self) -> None:
        """Show what the page's mode has, and hide the rest."""
        mode, arranged = self.owner.mode, self.owner.arranged
        self.bar.take(mode)
        large = mode.ui == LECTURE
        for part in (self.accordion, self.told):
            part.visible = mode.has_tools
        for part in (self.examples, self.bar.share):
            part.visible = mode.has_tools or large
        for part in filter(None, (self.caption, arranged.below)):
            part.visible = mode.has_controls
        self.make_room()
        for part in (self.headline, self.legend, self.story.card, self.presets):
            part.css_classes = ["lecture"] if large else []
        self.owner.view.scale_text(LETTERS if large else 1)
        arranged.enlarge(large)
        for column, larger in ((arranged.left, "--written"), (arranged.right, "--taller")):
            if column is not None:
                column.styles = {**column.styles, larger: "1.25" if large else "1"}
        for name in mode.hide:
            arranged.hide(name)

    def arrive(self) -> None:
        """Data of one's own are in use: fold away where they came in, and go to the headline."""
        if self.owner.data:
            self.opener.open = False
        self.arrival.go()

    def explain(self) -> None:
        """Show how to read the page and what its keys do, or hide it again."""
        self.help.open = not self.help.open

    def say(self, sentences: Iterable[str]) -> None:
        """Sentences above the pictures; none takes them away."""
        lines = joined(markup("<li>{}</li>", without_classes(translate(s), self.owner.lab_class)) for s in sentences)
        self.notice.param.update(
            object=markup("<ul role='alert' class='notice'>{}</ul>", lines) if lines else "", visible=bool(lines)
        )

    def release(self) -> None:
        """The session is over: Panel would keep the page by the arguments of its scripts."""
        folded = [part for place, part in self.sections if part is not None and not place.objects]
        folded += self.owner.arranged.unseen.parts()
        if vars(self).get("own") is not None and not self.data.objects:
            own: Any = self.own
            folded.append(own if isinstance(own, pn.viewable.Viewable) else own.__panel__())
        parts = (each for whole in (self.page, *folded) for each in (whole, *whole.select()))
        forget_scripts(*parts, *self.owner.view.figures.values())

    def _name(self, result):
        """The tab of the browser that shows the page follows."""
        if self.has_tab:
            self.texts.update(title=self.summary(result).title)

    def step_back(self, back: bool) -> None:
        """Let the pictures step back while they show another state than the lab's.

        Of a page that has shown none of its own yet they almost vanish, and the controls stay.
        """
        blank = back and self.owner.blank
        fade(self.pictures, "0.6" if back and not blank else "1")
        for picture in self.owner.arranged.pictures.values():
            fade(picture, "0.1" if blank else "1")

    def begin_blank(self, words: str) -> None:
        """Say in the headline's place why there is no picture of the lab's state; nothing of another one stays."""
        self.headline.object = markup("<div class='says'>{}</div>", translate(words))
        self.live.object = markup("<div role='status' class='unseen'>{}</div>", translate(words))
        for part in (self.told, self.caption, self.twin, self.code):
            part.object = ""
        self.step_back(True)

    def refuse_own(self, sentence: str) -> None:
        """Say at the user's table why the lab cannot take it, if a table is there."""
        if self.owner.data and "own" in vars(self) and self.owner.lab.own is not None and self.owner.lab.shows_own:
            self.opener.open = self.own_is_refused = True
            self.own.refuse(without_classes(sentence, self.owner.lab_class))

    def take_own(self) -> None:
        """There is a picture: what was said at the user's table of one that cannot be had is no longer so."""
        if self.own_is_refused:
            self.own_is_refused = False
            self.own.refuse("")

    def catch_up_blank(self) -> None:
        """Let the presets and the way back follow a lab of whose state nothing is seen."""
        self.presets.chosen = -1  # nothing of one is seen
        self.undo.disabled = not self.owner.navigation.history

    def catch_up(self, result: Result[Any]) -> None:
        """The preset that the lab is at, the caption and the code."""
        words = self._describe(result)
        self._name(result)
        here, veiled = self.owner.navigation.preset(), self.story.hides_answer
        self.presets.chosen = self.owner.presets.index(here) if here and not veiled else -1
        caption = markup("") if veiled else self.owner.caption(result)
        caption, invitation = invited(caption)  # what to try stands above the pictures, where a hand begins
        if here and here.then and not veiled:
            invitation = tries(result.lab, here.then)
        says = translate(here.says) if here and not veiled else ""
        self.told.object = markup("<div class='told'>{} {}</div>", says, invitation) if says or invitation else ""
        self.caption.object = markup("<div class='caption'>{}</div>", focusable(caption)) if caption else ""
        self.bar.share.code = pasted(self.owner.python(result))
        self._catch_up_sections(result, words)
        self.live.object = markup(
            "<div role='status' class='unseen'>{}</div>", plain(self.owner.headline(result, result.row))
        )
        self.undo.disabled = not self.owner.navigation.history
        self.story.catch_up(result)
        self.comparison.catch_up(result)


def fade(part: pn.viewable.Viewable, opacity: str) -> None:
    """Give a part an opacity, where it has another."""
    if part.styles.get("opacity", "1") != opacity:
        part.styles = {**part.styles, "opacity": opacity}
