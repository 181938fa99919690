"""The page that every lab stands on: what a lab's folder says, as controls and pictures that a conversation moves.

A control moves a field of the lab, and the page's conversation hears of it: `workbench/state_machine.py` is the table of what
then follows. It asks for pictures, threads and rests, which `carrier.py` carries out; `screen.py` draws, and `hand.py`
has the controls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import urlencode

import panel as pn
from bokeh.settings import settings

from explorer.checks import Refusal, WrongType
from explorer.languages import ENGLISH, language, translate, use_language
from explorer.parameters import Flag, Real
from explorer.printing import echo, truncate
from explorer.retired_names import adopt
from explorer.sweeps.progress import in_notebook
from explorer.workbench import registry
from explorer.workbench.cost import refuse_too_much
from explorer.workbench.fields import absent
from explorer.workbench.lab_session import LabSession
from explorer.workbench.links import VERSION, VERSIONS, as_of
from explorer.workbench.links import settings as settings_of
from explorer.workbench.prose import in_the_end
from explorer.workbench.safe_call import run_safely
from explorer.workbench.user_rows import headline_of

from .bindings import Bindings, without_classes
from .chrome import COMPUTING, NOT_USED, NOT_YET, NOTHING, Chrome
from .display import Display
from .interaction.caption_links import CaptionLinks
from .interaction.request_pacing import Pacer
from .layout.builder import Layout
from .layout.declarations import ChoiceWidget, MainSlider, Menu, Part, Pictures, Switch, parts_of
from .modes import ALL, LECTURE, Mode
from .navigation import Navigation, story_in
from .patches import panel_design
from .runtime import Runtime, ServedRuntime
from .sections.tour import stop_in
from .serving.reconnect import come_back
from .serving.uploads import files_of
from .template import first_result, served_document
from .widgets.shortcuts import Actions, Shortcuts

if TYPE_CHECKING:
    from bokeh.document import Document

    from explorer.markup import Markup
    from explorer.snippets import Snippet
    from explorer.views.view import View
    from explorer.workbench.stories import Preset, Story

    from .layout.markup_pane import Text
    from .widgets.number import NumberBox, NumberControl
    from .widgets.play_button import PlayButton

panel_design.settle()
if in_notebook():
    # parts of a page find themselves in the browser by their names, and Bokeh counts from 1000 in every process: after
    # a restart of the kernel they would find those of the labs that are still shown
    settings.simple_ids.set_value(False)


T = TypeVar("T")
RETIRED_HOOKS = {
    "grips": "connect_drag_handles",
    "put": "on_drag",
    "near": "slider_start",
    "brought": "on_files_loaded",
    "unfolded": "on_section_opened",
    "chosen": "on_choice",
    "rested": "on_idle",
    "shown": "on_result",
}


class LabPage(pn.viewable.Viewer):
    """A lab as a page, opened from the words of a link.

    The lab's folder gives pictures, words, stories and script by their roles, and its fields what labels they have;
    each field with a label has a control. A subclass declares `lab_class`, `boxes` (the numbers without a slider),
    `menus` (field -> Menu or Radio, where its menu is not a usual one), `buttons` (name -> Button), `left` and `right`
    (Columns), `groups` of controls below them, perhaps `top` (a part above both), `data` (the part for data of one's
    own) and `folds` (title -> parts).
    What it may add: `grips` and `put` for handles, `chosen` for choices that bring others, `near` for sliders that are
    left to choose, `enabled` (field or button -> a condition of the result), `part` for a part of its own, `shown`,
    `rested` and `unfolded` for what follows of it.

    In a notebook `session` is where a cell shows it, None before; `material` says that its parts are of the material
    widget set.
    """

    lab_class: Any = None  # the class of its lab
    top: Any = None
    left: Part | None = None
    right: Part | None = None
    groups: tuple[Any, ...] = ()  # of controls, below the pictures
    data: Any = None  # the part that takes data of one's own, where there is one
    boxes: tuple[str, ...] = ("seed",)
    menus: ClassVar[dict[str, ChoiceWidget]] = {}
    buttons: ClassVar[dict[str, Any]] = {}
    folds: ClassVar[dict[str, tuple[str, ...]]] = {}
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {}
    session: Any = None
    material = True
    _lab: Any = None
    mode: Mode

    # what the lab's folder has
    name_of_lab: str
    figures: Any
    script: Any
    presets: Sequence[Preset]
    stories: Sequence[Story]
    explains: Markup
    headline: Callable[[Any, int], Markup]  # of a result at a row
    caption: Callable[[Any], Markup]
    story_values: Callable[[Any], dict[str, Any]]
    python: Callable[[Any], Snippet]
    numbers: Callable[[Any], dict[str, dict[str, Any]]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        adopt(cls, RETIRED_HOOKS)

    def __init__(self, words: Mapping[str, str] | None = None, **fields: Any) -> None:
        """Open at the words of a link, or at fields of the lab: ShrinkagePage(n=50, lam=0.1) in a notebook."""
        super().__init__()
        self._take_roles()
        words = dict(words or self.first(fields))
        self.language: str = language(words.pop("lang", ENGLISH)).code
        with self.speaking():
            self._make(words)

    def _make(self, words):
        """Open at the words of a link."""
        version, theme = words.pop("v", VERSION), words.pop("theme", "system")
        named = (*self.lab_class.labelled(), *self.buttons)
        self.mode, troubles = Mode.of(words.pop("ui", ""), words.pop("hide", ""), named)
        self.tour: int = stop_in(words.pop("tour", ""), self.name_of_lab)  # the stop that is open, 0 for none
        story, astray = story_in(words, self.lab_class, self.stories)
        wants_data = words.pop("data", "")  # of a link from home: a place for one's own, and no state
        self.lab, refused = self.lab_class.from_flat(as_of(version, self.name_of_lab, words))
        refused = [*troubles, *astray, *refused]
        if version not in VERSIONS:
            refused.insert(
                0,
                translate(
                    "This link has version {}, and this page reads versions {}. Its settings were tried all the same.",
                    truncate(version),
                    translate(" and ").join(VERSIONS),
                ),
            )
        # kept, because a coroutine that has awaited no longer finds them
        doc, self._location = served_document(), pn.state.location
        self.runtime: Runtime = Runtime(self) if doc is None else ServedRuntime(self, doc)
        # files that the link names, and that the visitor has open on another page of this process
        self.coming = files_of(self.lab.values()) if doc is not None and self.data else ()
        result, trouble = self._open()
        self.lab_session: LabSession = LabSession(
            self.lab, self.runtime, result or first_result(self.lab_class), blank=result is None
        )
        self.naming: dict[str, Any] = {}  # the fields that name the data of one's own that the session has
        self.display: Display = Display(self, self.result, theme == "dark")
        self.view: View = self.display.view
        self.bindings: Bindings = Bindings(self)
        self.pacer: Pacer = Pacer(self.bindings.handle_request)
        self.sliders: dict[str, NumberControl] = self.bindings.sliders
        self.controls: dict[str, NumberBox] = self.bindings.controls
        self.choice: dict[str, Any] = self.bindings.choice
        self.pressed: dict[str, Any] = self.bindings.pressed
        self.players: dict[str, PlayButton] = {}  # field -> the button that plays its slider
        self.navigation: Navigation = Navigation(self)
        self.shortcuts: Shortcuts = Shortcuts(self.actions(), self.view.hero)
        self.chrome: Chrome = Chrome(self, theme)
        self.headline = self.chrome.story.veiled(self.headline)
        self.chrome.take_mode()
        if wants_data and self.data:
            self.chrome.opener.open = True
        self.chrome.story.story, self.chrome.story.step = story
        self.display.let_the_browser_answer()
        self.connect_drag_handles()
        # models of ours must be in the document
        self.view.hero.tags = [
            self.pacer.request,
            self.shortcuts.keys,
            CaptionLinks(self).wish,
            self.chrome.texts,
            self.chrome.downloads.order,
        ]
        self.chrome.say([*refused, *trouble])
        self.lab.param.watch(self.changed, list(self.lab_class.fields))
        if doc is not None:
            pn.state.on_session_destroyed(lambda context: self.release())
            come_back(doc, self.pacer.request)
        self.display.show(self.result)
        if doc is not None:  # a notebook that is stored has no kernel that could bring what is left out
            self.arranged.leave_out()
        self._begin(trouble)

    def __panel__(self) -> Any:
        return self.chrome.page

    @cached_property
    def user_data(self) -> Any:
        """What takes data of one's own: a part that the page makes as `own` when it is first asked for."""
        return self.chrome.own

    # what a page of its own may say

    def first(self, fields: dict[str, Any]) -> dict[str, str]:
        """The words of a link that opens the page at fields of the lab."""
        return self.lab_class(**fields).flat()

    def connect_drag_handles(self) -> None:
        """Let a hand drag what the page's pictures have to hold."""

    def on_drag(self, name: str, value: Any) -> None:
        """A handle of the page was dragged; a page without handles has none to drag."""

    def part(self, name: str) -> Any:
        """A part that only this page has."""
        raise KeyError(f"{type(self).__name__} has no part {name!r}.")

    def files(self) -> Sequence[tuple[str, str, Callable[[], Any]]]:
        """What can be downloaded beside pictures, tables and state.

        (label, name of the file, a function that makes it).
        """
        return ()

    def slider_start(self, name: str) -> float | None:
        """A number for the slider of a field that is left to choose itself."""
        return None

    def automatic(self, name: str) -> float | None:
        """The number that an automatic field came to, for its box; None where it came to several."""
        return self.slider_start(name)

    def quantities(self, result: Any) -> dict[str, Any]:
        """Control -> the Quantity of the column that its field's values lie along, whose units it wears, or None."""
        return {}

    def on_idle(self, result: Any) -> None:
        """What follows of a part of its own when the hand rests."""

    def on_section_opened(self, result: Any) -> None:
        """What follows of the parts in `folds` when the hand rests, while one is open."""

    def on_result(self, result: Any) -> None:
        """What follows of a part of its own with every picture."""

    def changed(self, *events: Any) -> None:
        """The lab has other values."""
        self.bindings.note(events)
        with self.speaking():
            self.lab_session.on_lab_changed(drawn=self.bindings.browser_drew)

    def release(self) -> None:
        """The session is over: nothing of it may stay."""
        self.lab_session.on_close()
        self.chrome.release()

    @contextmanager
    def speaking(self, *within: AbstractContextManager[Any]) -> Iterator[None]:
        """Speak the page's language, `within` some contexts: whoever says something on the page does so in this."""
        with use_language(self.language), ExitStack() as stack:
            for each in within:
                stack.enter_context(each)
            yield

    # making it

    @cached_property
    def choosers(self) -> dict[str, ChoiceWidget]:
        """Field -> Menu, Radio or Switch, of all that are chosen and have a label."""
        chosen = {n: field for n, field in self.lab_class.labelled().items() if not isinstance(field, Real)}
        usual = {n: Switch() if isinstance(field, Flag) else Menu() for n, field in chosen.items()}
        own = {"picture": Pictures(), **self.menus}
        return {name: own.get(name, chooser) for name, chooser in usual.items()}

    def _take_roles(self):
        """What the lab's folder has: figures, words, stories and script."""
        self.name_of_lab = registry.name_of(self.lab_class)
        self.figures, words, stories, self.script = (
            registry.role(self.name_of_lab, role) for role in ("figures", "words", "stories", "script")
        )
        self.presets, self.stories, self.explains = stories.PRESETS, stories.STORIES, words.EXPLAINS
        self.headline = partial(headline_of, words)
        self.caption = lambda result: in_the_end(words.caption(result), result)
        self.story_values = words.story_values if hasattr(words, "story_values") else words.told
        self.python, self.numbers = self.script.python, self.script.numbers

    def _open(self):
        """(the first result, None where it comes later or never, what is wrong)."""
        if self.coming:
            return None, []
        first = first_result(self.lab_class)
        if self.lab == first.lab:
            self.lab.begin_with(first)
            return first, []
        _, sentence = run_safely(partial(refuse_too_much, self.lab.cost), self.lab)
        result = None
        if not sentence and (self.lab.quick or self.runtime.at_once):
            result, sentence = run_safely(self.lab.result, self.lab)
        return result, [sentence] if sentence else []

    def _begin(self, trouble):
        """Let the rest follow, or a picture where there is none yet that could come."""
        if not self.blank:
            self.rest()
        elif trouble:
            self.chrome.begin_blank(NOTHING)
        elif self.coming:
            self.chrome.begin_blank(COMPUTING)
            self.runtime.bring(self.coming)
        else:
            self.chrome.begin_blank(COMPUTING)
            self.lab_session.on_result_grew()

    def layout(self, legend: Text, *above: Any) -> Any:
        """The pictures with their controls; a story and what is pinned stand above those at the right."""
        self.arranged: Layout = Layout(self, legend)
        columns = self.arranged.columns(self.left, self.right, *above)
        below = [self.arranged.groups(*self.groups)] if self.groups else []
        return self.arranged.stack([*([] if self.top is None else [self.top]), columns, *below])

    def folded(self) -> dict[str, Any]:
        """What is not always wanted, title -> part."""
        return {title: self.arranged.stack(parts) for title, parts in self.folds.items()}

    # where it is

    @property
    def lab(self) -> Any:
        """The lab as it is now. To set another one, of the same class, moves the page there."""
        return self._lab

    @lab.setter
    def lab(self, lab: Any) -> None:
        if not isinstance(lab, self.lab_class):
            raise WrongType(f"lab must be a {self.lab_class.__name__}, not {echo(lab)}.")
        if self._lab is None:
            self._lab = lab
        else:
            self._lab.own = lab.own
            self.move(None, **lab.values())

    @property
    def result(self) -> Any:
        """The result that the pictures show."""
        return self.lab_session.result

    @property
    def blank(self) -> bool:
        """Whether the pictures show no state of the lab yet."""
        return self.lab_session.blank

    @property
    def waits(self) -> bool:
        """Whether a late stage is under way."""
        return self.lab_session.waits

    def state(self) -> dict[str, str]:
        """Everything that a page is, as words: what a file keeps."""
        return {"v": VERSION, **self.lab.flat(), **self._around()}

    def link(self) -> str:
        """The words of a link to the page as it is: of the lab's fields those that differ from where it begins."""
        return urlencode({"v": VERSION, **self.settings(), **self._around()})

    def _around(self):
        """What of a page is no field of its lab, as words: language, story, mode and stop of the tour."""
        tongue = {} if self.language == ENGLISH else {"lang": self.language}
        tour = {"tour": str(self.tour)} if self.tour else {}
        return {**tongue, **self.chrome.story.words(), **self.mode.words(), **tour}

    def settings(self) -> dict[str, str]:
        """The lab's fields as words, where they differ from the story's step, or from the defaults."""
        step = self.chrome.story.current
        return settings_of(self.lab, None if step is None else self.lab_class(**step.fields))

    # what the frame asks of every page

    @property
    def title(self) -> str:
        """The lab's title."""
        return translate(registry.entry(self.name_of_lab).title)

    def actions(self) -> Actions:
        """What keys do: key -> (in words, a function)."""
        pressed = {b.key: (b.does, partial(self.bindings.press, name)) for name, b in self.buttons.items() if b.key}
        playing = {" ": ("plays the main slider, and pauses it", self.play_or_pause)} if self.plays else {}
        return {**pressed, **playing, **self.navigation.actions()}

    @property
    def plays(self) -> bool:
        """Whether there is a slider that can be played."""
        return self.left is not None and any(isinstance(part, MainSlider) for part in parts_of(self.left))

    def play_or_pause(self) -> None:
        """Let the main slider go by itself, or no longer."""
        if self.play is not None:
            self.play.playing = not self.play.playing

    @property
    def main_field(self) -> str | None:
        """The field of the main slider that is shown now; None where there is none."""
        return self.lab.played or None

    @property
    def play(self) -> PlayButton | None:
        """The button that plays the main slider; None where there is none."""
        return self.players.get(self.main_field or "")

    def measures(self, result: Any) -> dict[str, float]:
        """What two states are compared by."""
        return result.measures

    # what moves it

    def move(self, name: str | None, **changes: Any) -> None:
        """Change fields of the lab; a refusal is said at the control `name`, and the picture stays."""
        self.bindings.move(name, **changes)

    def refuse(self, name: str | None, sentence: str) -> None:
        """Say a refusal beside its control, or above the pictures where it has none."""
        self.bindings.refuse(name, sentence)

    def choose(self, name: str, value: Any) -> None:
        """A menu was moved to another value."""
        self.move(name, **self.on_choice(name, value))

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """The fields that change with a menu.

        Data of one's own that the session has are named again by all their fields.
        """
        again = name == "source" and value == "file" and self.lab.own is not None
        return {**(self.naming | self.lab.fitting() if again else {}), name: value}

    def change_mode(self, ui: str) -> None:
        """Show more or less of the page."""
        self.mode = replace(self.mode, ui=ui)
        with self.hold():
            self.chrome.take_mode()
        self.lab_session.on_page_changed()

    def leave_lecture(self) -> None:
        """Show all of the page again, where a lecture shows less."""
        if self.mode.ui == LECTURE:
            self.change_mode(ALL)

    def draw_sample(self) -> None:
        """A new sample of the same source."""
        self.move("seed", seed=self.lab.seed + 1)

    def toggle(self, field: str, value: Any) -> None:
        """A field at a value, or at none again."""
        self.move(field, **{field: 0 if getattr(self.lab, field) else value})

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Take data of one's own, and the fields that name them; those that the lab has not are left aside."""
        fields = {name: value for name, value in fields.items() if name in self.lab_class.fields}
        before, values, self.lab.own = self.lab.own, self.lab.values(), own
        with self.speaking():
            sentence = self._too_few(fields) or self.bindings.attempt(fields)
        if sentence and self.lab.values() == values:  # refused, and not drawn amiss
            self.lab.own = before
            raise Refusal(without_classes(sentence, self.lab_class))
        self.naming = {name: value for name, value in fields.items() if name not in self.lab.chosen_anew}
        self.bindings.refuse("source", sentence)
        self.changed()  # a link had all the fields already, and lacked the data alone
        if not self.blank:
            self.chrome.arrive()

    def _too_few(self, fields):
        """A sentence if the user's data have too few rows for the lab, else nothing."""
        for name in {"n", "m"} & fields.keys():
            least, _ = self.lab_class.fields[name].bounds
            if fields[name] < least:
                told = "{} has {} rows for {}, and at least {} are needed here; choose a longer table."
                return translate(told, truncate(fields.get("file", "")), fields[name], name, least)
        return ""

    def refuse_own(self, sentence: str) -> None:
        """The user's data were refused: no answer of other data stays on the screen as if it were theirs.

        Without a sentence, others have come since, and are not used yet.
        """
        with self.speaking():
            if sentence or self.lab_session.blank:
                self.lab_session.on_refusal(sentence)
                self.chrome.begin_blank(NOT_USED if sentence else NOT_YET)
            if not sentence:
                self.chrome.say([])

    def on_files_loaded(self) -> None:
        """Files that came without a hand are in use; where they could not be, a hand may choose them."""
        self.coming = ()
        if self.lab.own is None:
            self.chrome.opener.open = True
            self.chrome.begin_blank(NOTHING)
            self.chrome.say([str(absent(self.lab))])

    def examples(self, *sources: str) -> dict[str, Callable[[], object]]:
        """Sources of the lab that stand for data of one's own: their words in the menu -> what shows them."""
        words = {value: translate(word) for word, value in self.lab_class.fields["source"].words.items()}
        return {words[source]: partial(self._show_example, source) for source in sources}

    def _show_example(self, source):
        self.choose("source", source)
        self.chrome.arrive()

    # what follows

    def rest(self) -> None:
        """The hand rests: let all that waits for that follow now."""
        self.lab_session.on_idle()

    def catch_up(self, result: Any) -> None:
        """The hand rests: the table for the browser, controls, words, link and code follow the lab."""
        self.bindings.follow()
        if self.blank:
            self.display.forget_table()
            self.chrome.catch_up_blank()
        else:
            self.display.renew_table(result)
            self.navigation.note()
            self.chrome.catch_up(result)
            self.on_idle(result)
        if self._location:
            self._location.search = f"?{self.link()}"

    def in_thread(self, compute: Callable[[], T | None], take: Callable[[T], object], seconds: float = 1.0) -> None:
        """Let a thread compute, and `take` what it gives; a refusal is said above the pictures.

        seconds: about how long it takes
        """
        self.runtime.in_thread(compute, take, seconds)

    def hold(self) -> AbstractContextManager[Any]:
        """Collect changes of the page into one message."""
        return self.runtime.hold()

    # in a notebook

    def _repr_mimebundle_(self, include=None, exclude=None):
        """What a notebook's cell shows; the page lives in its browser from then on."""
        if not in_notebook():
            return super()._repr_mimebundle_(include, exclude)
        from .notebook.embed import mimebundle  # only a notebook needs it

        return mimebundle(self)

    def live_in(self, doc: Document) -> None:
        """Be the root of a document that a cell shows."""
        from .notebook.cell_layout import cell

        doc.add_root(cell(self).get_root(doc))
        self.enter(doc)

    def enter(self, doc: Document) -> None:
        """Live in a document that a browser shows: what takes long no longer holds up what the hand does."""
        self.runtime = ServedRuntime(self, doc)
        self.lab_session.attach(self.runtime)
