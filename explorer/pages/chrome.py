"""Everything around a lab's pictures that all labs share: headline, notices, presets, caption, link and code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property, partial
from itertools import chain
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui
from bokeh.core.properties import String
from bokeh.model import DataModel
from bokeh.models import CustomJS

from explorer.browser import LETTERS, sheet
from explorer.languages import bind_language, message, translate
from explorer.markup import joined, markup
from explorer.recipe import pasted
from explorer.workbench.abbreviations import abbreviations_in
from explorer.workbench.prose import attempt, invited, tries

from .bindings import without_classes
from .interaction.caption_links import focusable
from .layout import theme
from .layout.markup_pane import Text, html, plain, twin
from .layout.theme import NARROW
from .modes import LECTURE
from .page_title import of_page, of_result, of_story
from .patches.panel_registries import forget_scripts
from .previews.first_paint import question_of
from .previews.preset_thumbnails import preset_thumbnail
from .sections import tour_of_labs
from .sections.downloads import Downloads, downloads
from .sections.help import HelpOverlay, help_html
from .sections.navbar import Navbar
from .sections.pinned import PinnedComparison
from .sections.scroll_to_headline import ScrollTarget
from .sections.story import StoryBar
from .template import page_template
from .widgets.button_row import ButtonRow
from .widgets.menus import DisclosureButton, DropdownMenu
from .widgets.progress import ProgressOverlay

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.views.view import View
    from explorer.workbench.result import Result
    from explorer.workbench.stories import Step, Story

    from .layout.builder import Layout
    from .navigation import Navigation
    from .page_protocol import Page
    from .page_title import Summary

EXAMPLES = f"""
:host {{ align-items: center; gap: 4px 12px; flex-wrap: nowrap; }}
{NARROW} {{ :host {{ flex-wrap: wrap; }} }}
"""
CHIPS_IN_ROW = 5  # most presets in the row; the others are in its menu
CHIPS = f"""
:host {{ min-width: 0 !important; }}
{NARROW} {{ :host {{ flex: 1 1 100% !important; }} }}
"""
TOUR = sheet("tour")
QUESTION = [sheet("question"), sheet("in_bar")]
# On a telephone the preset's remark takes up to three lines. Reserving 53 px for them keeps the page from jumping.
HINT = f"{NARROW} {{ :host {{ min-height: 53px !important; }} }}"
VEILED = "A picture that shows the answer to the story's question."
COMPUTING = message("Computing this state ...")
NOTHING = message("This state has no picture; the sentence below explains why, and what to change.")
NOT_YET = message("Your data are not shown yet: use them below.")
NOT_USED = message("Your data are not shown; the sentence below explains why, and what to change.")


class Texts(DataModel):
    """Title of the browser tab."""

    title: String = String(default="")


class Chrome:
    """The parts of a page that are the same for every lab.

    Parameters
    ----------
    owner : LabPage
        The page that has these parts.
    headline : Text
        The pane of the headline.
    chosen : {"light", "dark", "system"}
        The colour theme at the beginning.
    """

    def __init__(self, owner: Page, headline: Text, chosen: str) -> None:
        self.owner = owner
        self.view: View = owner.view
        self.headline: Text = headline
        self.navigation: Navigation = owner.navigation
        session, runtime = owner.lab_session, owner.runtime
        self.data_is_refused: bool = False  # whether the user's table shows why the lab cannot use it
        self.texts: Texts = Texts()
        # a notebook's browser tab has a title of its own, which the page must not change
        self.has_tab: bool = runtime.doc is not None
        if self.has_tab:
            self.texts.js_on_change("title", CustomJS(code="document.title = cb_obj.title"))
        self.question: Text = Text(
            question_of(owner.name_of_lab), stylesheets=QUESTION, sizing_mode="stretch_width", margin=0
        )
        self.notice: Text = html("", visible=False, margin=(4, 0))
        # The height of one line is reserved, so that nothing moves when the text disappears.
        self.hint: Text = html("", min_height=22, margin=(0, 0, 4, 0))
        self.hint.stylesheets = [*self.hint.stylesheets, HINT]
        self.caption: Text = html("", margin=(2, 0, 6, 0))
        self.code: Text = html("")
        self.twin: Text = html("")
        self.live: Text = html("", margin=0)
        self.arrival: ScrollTarget = ScrollTarget(self.headline)
        self.story: StoryBar = StoryBar(owner, self.make_room, lambda: self.comparison.unpin())
        self.comparison: PinnedComparison = PinnedComparison(owner)
        self.downloads: Downloads = Downloads(owner)
        self.pictures: Any = owner.layout(self.story, self.comparison)
        self.arranged: Layout = owner.arranged
        # below the large picture's legend: the left column is the lower one on most pages
        self.spelt_out: Text = html("", margin=(3, 0, 0, 0))
        if self.arranged.left is not None:
            self.arranged.left.append(self.spelt_out)
        self.help: HelpOverlay = self._build_help()
        self.bar: Navbar = Navbar(owner, self.downloads, self.help)
        self.undo: pmui.Button = self.bar.undo
        self.waiting: ProgressOverlay = ProgressOverlay(session.on_cancel)
        self.body: pn.Column = pn.Column(
            self.question,
            *self._tour(),
            self.headline,
            self.live,
            self.arrival.pane,
            self.notice,
            self._examples(),
            self.hint,
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
            # The width is fixed: if it followed the headline's text, every picture would be resized with it.
            styles={
                "margin": "0 auto",
                "padding": "0 24px 40px 24px",
                "box-sizing": "border-box",
                "width": "100%",
                "max-height": "none",
            },  # Without this the body ends with the window, and the parts below are drawn over those above.
            stylesheets=[f"{NARROW} {{ :host {{ padding: 0 14px 40px 14px !important; }} }}"],
        )
        self.page: Any = page_template(self._summed_up, self.bar.parts, self.body, chosen, self.view.hero)
        theme.follow(self.page, self.view.paint)
        if owner.blank:
            self._describe(owner.result)  # this describes another state, until the lab's own result arrives

    def _summed_up(self):
        """Return (summary, link): what the browser tab and link previews show of the page, and its link."""
        with self.owner.speaking():
            return self.summary(self.owner.result), self.owner.link()

    def summary(self, result: Result[Any]) -> Summary:
        """Return the page's summary; while a story's answer is hidden, the story's title replaces the finding."""
        owner, story = self.owner, self.story.story
        if self.story.hides_answer:
            return of_story(owner.name_of_lab, story.title)
        return of_page(owner.name_of_lab) if owner.blank else of_result(owner.name_of_lab, result)

    def _tour(self):
        """Return the tour's bar in a list, or an empty list if the page is not a stop of the tour."""
        if not self.owner.tour:
            return []
        bar = tour_of_labs.bar(self.owner.tour)
        return [Text(bar, stylesheets=[TOUR], sizing_mode="stretch_width", margin=(8, 0, 4, 0))]

    def _describe(self, result):
        """Update the legends and the pictures' alternative texts; return picture -> sentences."""
        view = self.view
        numbers = view.numbers(result)
        words = view.words(result, numbers)
        view.label({name: [translate(VEILED)] for name in words} if self.story.hides_answer else words)
        self.arranged.explain(view.legends(result, numbers, self.story.hides_answer))
        return words

    def _examples(self):
        """Build the row of presets; at its end are the menus of stories and comparison and the button "Your data"."""
        presets = self.owner.presets
        names = [translate(preset.name) for preset in presets]
        self.presets: ButtonRow = ButtonRow(
            lambda i: self.navigation.go_to(presets[i]),
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
            self.opener.param.watch(bind_language(lambda event: self.open_data(event.new)), "open")
            ends.append(self.opener)
        self.examples: pn.Row = pn.Row(
            self.presets, *ends, sizing_mode="stretch_width", margin=(0, 0, 2, 0), stylesheets=[EXAMPLES]
        )
        return self.examples

    def _look(self, index):
        """Draw the thumbnail of the preset at which the user points."""
        picture = preset_thumbnail(self.owner.name_of_lab, index)
        self.owner.in_thread(picture.now, partial(self.presets.illustrate, index))

    @cached_property
    def user_data(self) -> Any:
        """The section for the user's data, built on first access; None if the page has none."""
        if not self.owner.data:
            return None
        with self.owner.speaking():
            own = self.arranged.build(self.owner.data)
        own.not_used = self.owner.refuse_user_data
        return own

    def open_data(self, wanted: bool) -> None:
        """Show or hide the section for the user's data. It is added to the page when it is first shown."""
        if wanted and not self.data.objects:
            with self.owner.speaking():
                self.data.append(self.user_data)
        self.data.visible = wanted

    def _build_help(self):
        """Build the page's help, whose plan shows the parts that every page has."""
        owner, sliders = self.owner, self.owner.sliders
        slider = sliders.get(owner.main_field or "")
        guide = HelpOverlay(text=help_html(owner.actions(), owner.explains), width=0, height=0, margin=0)
        guide.point_at(
            self.pictures,
            headline=self.headline,
            slider=slider and slider.slider,
            controls=self.arranged.below,
            caption=self.caption,
        )
        return guide

    def _folds(self):
        """Build the accordion of rarely used sections.

        A section is filled when it is first opened, so that the page opens faster.
        """
        sections = {
            **self.owner.folded(),
            message("In words and numbers"): self.twin,
            message("All downloads"): None,
            message("Python"): self.code,
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
        self.accordion.param.watch(bind_language(lambda event: self._unfold()), "active")
        return self.accordion

    def _unfold(self):
        """Fill the open sections and update them."""
        result, view = self.owner.result, self.view
        with self.owner.speaking():
            for place, part in (self.sections[i] for i in self.accordion.active):
                if not place.objects:
                    place.append(downloads(self.owner) if part is None else part)
            self._catch_up_sections(result, view.words(result, view.numbers(result)))

    def _is_open(self, part):
        """Return whether the section of a part is open."""
        return any(self.sections[i][1] is part for i in self.accordion.active)

    def _catch_up_sections(self, result, words):
        """Update the texts of the open sections; `words` are the pictures' sentences."""
        if self._is_open(self.code):
            self.code.object = markup("<pre class='code' tabindex='0'>{}</pre>", self.bar.share.code)
        if self._is_open(self.twin):
            self.twin.object = twin(words.values(), self.owner.numbers(result))
        if any(i < len(self.owner.folds) for i in self.accordion.active):
            self.owner.on_section_opened(result)

    def make_room(self) -> None:
        """Show the right column's pictures, unless a story's question comes first."""
        arranged = self.arranged
        if arranged.right is not None:
            arranged.right.visible = not self.story.hides_answer
            arranged.beside.visible = self.story.is_open or arranged.right.visible
            self.story.give_room(arranged.beside, arranged.right, self.examples)

    def take_mode(self) -> None:
        """Show the parts that the page's mode has, and hide the others."""
        mode, arranged = self.owner.mode, self.arranged
        self.bar.take(mode)
        large = mode.ui == LECTURE
        for part in (self.accordion, self.hint):
            part.visible = mode.has_tools
        for part in (self.examples, self.bar.share):
            part.visible = mode.has_tools or large
        for part in filter(None, (self.caption, arranged.below)):
            part.visible = mode.has_controls
        self.make_room()
        if large and self.owner.data:
            self.opener.open = False  # the section for the user's data would push the pictures off the screen
        for part in (self.headline, *self.arranged.legends.values(), self.story.card, *self.examples):
            part.css_classes = ["lecture"] if large else []
        self.view.scale_text(LETTERS if large else 1)
        arranged.enlarge(large)
        for column, larger in ((arranged.left, "--written"), (arranged.right, "--taller")):
            if column is not None:
                column.styles = {**column.styles, larger: "1.25" if large else "1"}
        for name in mode.hide:
            arranged.hide(name)

    def arrive(self) -> None:
        """Close the section for the user's data once they are in use, and scroll to the headline."""
        if self.owner.data:
            self.opener.open = False
        self.arrival.go()

    def explain(self) -> None:
        """Open or close the help: how to read the page, and what its keys do."""
        self.help.open = not self.help.open

    def say(self, sentences: Iterable[str]) -> None:
        """Show sentences above the pictures; without any, remove those that are there."""
        lines = joined(markup("<li>{}</li>", without_classes(translate(s), self.owner.lab_class)) for s in sentences)
        self.notice.param.update(
            object=markup("<ul role='alert' class='notice'>{}</ul>", lines) if lines else "", visible=bool(lines)
        )

    def release(self) -> None:
        """Drop the scripts of all parts at the session's end: Panel would keep the page alive by their arguments."""
        folded = [part for place, part in self.sections if part is not None and not place.objects]
        folded += self.arranged.deferred
        if vars(self).get("user_data") is not None and not self.data.objects:
            own: Any = self.user_data
            folded.append(own if isinstance(own, pn.viewable.Viewable) else own.__panel__())
        parts = (each for whole in (self.page, *folded) for each in (whole, *whole.select()))
        forget_scripts(*parts, *self.view.figures.values())

    def _name(self, result):
        """Update the title of the browser tab."""
        if self.has_tab:
            self.texts.update(title=self.summary(result).title)

    @property
    def is_dark(self) -> bool:
        """True if the page has dark colours."""
        return self.page.dark_theme

    @property
    def models(self) -> tuple[Any, ...]:
        """The models that the page's scripts need, in addition to the visible parts."""
        return self.texts, self.downloads.order

    def show_wait(self, done: int, total: int, seconds: float) -> None:
        """Show that a computation is running: its finished parts, and how many seconds it is expected to take."""
        self.waiting.say(done, total, seconds)

    def hide_wait(self) -> None:
        """Hide the display of a running computation."""
        self.waiting.hide()

    def go(self, steps: int) -> None:
        """Move by some steps in the open story, if one is open."""
        self.story.go(steps)

    def toggle_pin(self) -> None:
        """Pin the visible result, or unpin the pinned one."""
        self.comparison.toggle()

    def words(self) -> dict[str, str]:
        """Return the query parameters of the open story, empty if none is open."""
        return self.story.words()

    @property
    def step(self) -> Step | None:
        """The open step of a story, or None."""
        return self.story.current

    @property
    def hides_answer(self) -> bool:
        """True if the answer of the open step has to stay hidden."""
        return self.story.hides_answer

    def veiled(self, headline: Callable[[Any, int], Markup]) -> Callable[[Any, int], Markup]:
        """Wrap a headline function so that it hides the answer of a story's open question."""
        return self.story.hide_in_headline(headline)

    def expand_data(self) -> None:
        """Open the section for the user's data."""
        self.opener.open = True

    def begin(self, story: Story | None, step: int) -> None:
        """Open a story at a step while the page is built, or none."""
        self.story.story, self.story.step = story, step

    def step_back(self, back: bool) -> None:
        """Dim the pictures while they show another state than the lab's, or undo this.

        On a page that has not shown a picture of its own state yet, the pictures almost vanish, and the controls stay.
        """
        blank = back and self.owner.blank
        fade(self.pictures, "0.6" if back and not blank else "1")
        for picture in self.arranged.pictures.values():
            fade(picture, "0.1" if blank else "1")

    def begin_blank(self, words: str) -> None:
        """Show in the headline why the lab's state has no picture, and remove the texts of the previous state."""
        self.headline.object = markup("<div class='says'>{}</div>", translate(words))
        self.live.object = markup("<div role='status' class='unseen'>{}</div>", translate(words))
        for part in (self.hint, self.caption, self.twin, self.code, self.spelt_out):
            part.object = ""
        self.step_back(True)

    def refuse_user_data(self, sentence: str) -> None:
        """Show at the user's table why the lab cannot use it, if there is a table."""
        lab = self.owner.lab
        if self.owner.data and "user_data" in vars(self) and lab.own is not None and lab.shows_own:
            self.opener.open = self.data_is_refused = True
            self.user_data.say(without_classes(sentence, self.owner.lab_class))

    def clear_data_refusal(self) -> None:
        """Remove the refusal at the user's table: the lab has a picture now."""
        if self.data_is_refused:
            self.data_is_refused = False
            self.user_data.say("")

    def _spell_out(self, result, words):
        """Write the full names of the abbreviations in the page's texts; `words` are the pictures' sentences."""
        owner = self.owner
        legends = [legend.object for legend in self.arranged.legends.values() if legend.visible]
        marked = (owner.headline(result, result.row), self.hint.object, *legends, self.caption.object)
        texts = [plain(each) for each in marked if each]
        if self.caption.object:
            texts[-1] = texts[-1].partition(". ")[0]  # the rest of the caption is below the first screen
        texts += [owner.title, *self.presets.words[:CHIPS_IN_ROW], *chain(*words.values())]
        spelt = abbreviations_in(texts)
        lines = joined((markup("<span><b>{}</b>: {}</span>", *each) for each in spelt.items()), " ")
        self.spelt_out.object = markup("<div class='spelt'>{}</div>", lines) if spelt else ""

    def catch_up_blank(self) -> None:
        """Unmark the preset and update the undo button while the lab's state has no picture."""
        self.presets.chosen = -1  # no preset's picture is visible
        self.undo.disabled = not self.navigation.history

    def _on_preset(self, here):
        """Return the remark of the preset at which the lab is, or which preset the user has changed."""
        if here:
            return markup("{}", here.sentence())
        changed, opened = self.navigation.changed_since_opened(), self.navigation.opened
        if opened is None or not changed or self.owner.lab.shows_own or self.story.story:
            return markup("")
        return markup("From “{}”, changed. {}", translate(opened.name), attempt("Reset", **changed))

    def catch_up(self, result: Result[Any]) -> None:
        """Update the preset, caption, code, story and comparison for a result when the user pauses."""
        words = self._describe(result)
        self._name(result)
        here, veiled, presets = self.navigation.preset(), self.story.hides_words, self.owner.presets
        self.presets.chosen = presets.index(here) if here and not veiled else -1
        caption = markup("") if veiled else self.owner.caption(result)
        # the invitation to try something goes above the pictures, where the user begins
        caption, invitation = invited(caption)
        if here and here.then and not veiled:
            invitation = tries(result.lab, here.then)
        says = markup("") if veiled else self._on_preset(here)
        self.hint.object = markup("<div class='told'>{} {}</div>", says, invitation) if says or invitation else ""
        self.caption.object = markup("<div class='caption'>{}</div>", focusable(caption)) if caption else ""
        self.bar.share.code = pasted(self.owner.python(result))
        self._spell_out(result, words)
        self._catch_up_sections(result, words)
        self.live.object = markup(
            "<div role='status' class='unseen'>{}</div>", plain(self.owner.headline(result, result.row))
        )
        self.undo.disabled = not self.navigation.history
        self.story.catch_up(result)
        self.comparison.catch_up(result)


def fade(part: pn.viewable.Viewable, opacity: str) -> None:
    """Set a part's opacity, unless it has this value already."""
    if part.styles.get("opacity", "1") != opacity:
        part.styles = {**part.styles, "opacity": opacity}
