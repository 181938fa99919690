"""Base class of the labs' pages: builds controls and pictures from a lab's folder, and connects them with a session.

A control changes a field of the lab, and the page's `LabSession` reacts to the change; the table in
`workbench/state_machine.py` lists the actions. The session asks for pictures, threads and idle updates, and
`runtime.py` carries these out. `display.py` draws, and `bindings.py` has the controls.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar
from urllib.parse import urlencode

import panel as pn
from bokeh.settings import settings

from explorer.checks import Refusal, WrongType
from explorer.languages import ENGLISH, language, message, translate, translate_plural, use_language
from explorer.parameters import Flag, Real
from explorer.printing import echo, join_list, truncate
from explorer.public_names.retired_names import adopt
from explorer.sweeps.progress import in_notebook
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.cost import refuse_too_much
from explorer.workbench.fields import TABLES, absent
from explorer.workbench.lab_session import LabSession
from explorer.workbench.links import VERSION, VERSIONS, as_of
from explorer.workbench.links import settings as settings_of
from explorer.workbench.prose import in_the_end
from explorer.workbench.safe_call import run_safely
from explorer.workbench.user_points import moved_to
from explorer.workbench.user_rows import headline_of

from .bindings import Bindings, without_classes
from .chrome import COMPUTING, NOT_USED, NOT_YET, NOTHING, Chrome
from .display import Display
from .interaction.caption_links import CaptionLinks
from .interaction.drag import connect_handles, parse_drag, show_refusals
from .layout.builder import Layout
from .layout.declarations import ChoiceWidget, Handles, MainSlider, Menu, Part, Pictures, Radio, Switch, parts_of
from .modes import ALL, LECTURE, Mode
from .navigation import Navigation, story_in
from .patches.notebook_design import settle_notebook_design
from .runtime import Runtime, ServedRuntime
from .sections.tour_of_labs import stop_in
from .serving.reconnect import come_back
from .serving.upload_store import files_of
from .template import first_result, served_document
from .widgets.shortcuts import Actions, Shortcuts

if TYPE_CHECKING:
    from bokeh.document import Document

    from explorer.markup import Markup
    from explorer.recipe import Script
    from explorer.views.view import View
    from explorer.workbench.stories import Preset, Story

    from .interaction.request_pacing import Pacer
    from .widgets.number import NumberBox, NumberControl
    from .widgets.play_button import PlayButton

settle_notebook_design()
if in_notebook():
    # The browser finds parts of a page by their ids, and Bokeh counts these from 1000 in every process. After a restart
    # of the kernel, new parts would be confused with those of labs that are still on the notebook's page.
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
    """Base class of the page of a lab.

    The lab's folder gives pictures, texts, stories and script by their roles, and its fields give the labels. Each
    field with a label has a control. A subclass declares the class attributes below, and overrides methods for what
    only this lab has: `on_point` for dragged points, `connect_drag_handles` and `on_drag` for other handles in
    pictures, `on_choice` for choices that change other fields, `slider_start` for the sliders of automatic fields,
    `part` for a part of its own, and `on_result`, `on_idle` and `on_section_opened` for updates of that part.

    Parameters
    ----------
    words : mapping of str to str or None, default None
        The query parameters of a link.
    **fields
        Values of the lab's fields, for a notebook: ``ShrinkagePage(n=50, lam=0.1)``. They are used if there is no link.

    Attributes
    ----------
    lab_class : type
        The class of the lab.
    top : object or None
        A part above both columns.
    left, right : Part or None
        The columns.
    groups : tuple
        Groups of controls below the columns.
    data : object or None
        The part for the user's data.
    boxes : tuple of str
        The fields that have a number box without a slider.
    menus : dict
        Field -> Menu or Radio, for fields whose menu is not the default one.
    buttons : dict
        Name -> Button.
    folds : dict
        Title -> parts of a section that is closed at first.
    enabled : dict
        Name of a control or button -> a condition of the result under which it is enabled, besides the `when` of fields
        and buttons.
    handles : dict
        Name -> Handles, points of pictures that the user can drag.
    with_table : dict
        Field -> its value when the user chooses a table as the source, by the menu or as new data.
    session : object or None
        The session of the notebook cell that shows the page.
    material : bool
        Whether the page uses the material widget set.
    """

    lab_class: Any = None  # the class of its lab
    top: Any = None
    left: Part | None = None
    right: Part | None = None
    groups: tuple[Any, ...] = ()  # groups of controls, below the pictures
    data: Any = None  # the part that takes the user's data, if there is one
    boxes: tuple[str, ...] = ("seed",)
    menus: ClassVar[dict[str, ChoiceWidget]] = {}
    buttons: ClassVar[dict[str, Any]] = {}
    folds: ClassVar[dict[str, tuple[str, ...]]] = {}
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {}
    handles: ClassVar[dict[str, Handles]] = {}
    with_table: ClassVar[dict[str, Any]] = {}
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

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        adopt(cls, RETIRED_HOOKS)

    def __init__(self, words: Mapping[str, str] | None = None, **fields: Any) -> None:
        """Open at the query parameters of a link, or at values of the lab's fields."""
        super().__init__()
        self._take_roles()
        words = dict(words or self.first(fields))
        self.language: str = language(words.pop("lang", ENGLISH)).code
        with self.speaking():
            self._make(words)

    def _make(self, words):
        """Build the page at the query parameters of a link."""
        version, theme = words.pop("v", VERSION), words.pop("theme", "system")
        named = (*self.lab_class.labelled(), *self.buttons)
        self.mode, troubles = Mode.of(words.pop("ui", ""), words.pop("hide", ""), named)
        self.tour: int = stop_in(words.pop("tour", ""), self.name_of_lab)  # the open stop of the tour, 0 for none
        story, astray = story_in(words, self.lab_class, self.stories)
        # the home page's link to the section of the user's data; it has no state of a lab
        wants_data = words.pop("data", "")
        self.lab, refused = self.lab_class.from_flat(as_of(version, self.name_of_lab, words))
        refused = [*troubles, *astray, *refused]
        if version not in VERSIONS:
            refused.insert(
                0,
                translate(
                    "This link has version {}, and this page reads versions {}. The link's settings were tried anyway.",
                    truncate(version),
                    translate(" and ").join(VERSIONS),
                ),
            )
        # stored because `pn.state` no longer has them in a coroutine after its first await
        doc, self._location = served_document(), pn.state.location
        self.runtime: Runtime = Runtime(self) if doc is None else ServedRuntime(self, doc)
        # files that the link names, and that the visitor has open on another page of this server
        self.coming = files_of(self.lab.values()) if doc is not None and self.data else ()
        result, trouble = self._open()
        self.lab_session: LabSession = LabSession(
            self.lab, self.runtime, result or first_result(self.lab_class), blank=result is None
        )
        self.naming: dict[str, Any] = {}  # the fields that name the user's data of this session
        self.bindings: Bindings = Bindings(self)
        self.pacer: Pacer = self.bindings.pacer
        self.display: Display = Display(self, self.bindings, self.result, theme == "dark")
        self.view: View = self.display.view
        self.sliders: dict[str, NumberControl] = self.bindings.sliders
        self.controls: dict[str, NumberBox] = self.bindings.controls
        self.choice: dict[str, Any] = self.bindings.choice
        self.pressed: dict[str, Any] = self.bindings.pressed
        self.players: dict[str, PlayButton] = {}  # field -> the button that plays its slider
        self.navigation: Navigation = Navigation(self)
        self.shortcuts: Shortcuts = Shortcuts(self.actions(), self.view.hero)
        self.chrome: Chrome = Chrome(self, self.display.headline, theme)
        self.runtime.connect(self.bindings, self.display, self.chrome)
        self.headline = self.chrome.veiled(self.headline)
        self.chrome.take_mode()
        if wants_data and self.data:
            self.chrome.expand_data()
        self.chrome.begin(*story)
        self.display.let_the_browser_answer()
        self.connect_drag_handles()
        # The browser finds these models only if they belong to the document.
        self.view.hero.tags = [
            *self.view.hero.tags,
            self.pacer.request,
            self.shortcuts.keys,
            CaptionLinks(self).wish,
            *self.chrome.models,
        ]
        self.say([*refused, *trouble])
        self.lab.param.watch(self.changed, list(self.lab_class.fields))
        if doc is not None:
            pn.state.on_session_destroyed(lambda context: self.release())
            come_back(doc, self.pacer.request)
        self.display.show(self.result)
        if doc is not None:  # a stored notebook has no kernel that could add deferred parts later
            self.arranged.leave_out()
        self._begin(trouble)

    def __panel__(self) -> Any:
        return self.chrome.page

    @cached_property
    def user_data(self) -> Any:
        """The part that takes the user's data; the chrome builds it on first access."""
        return self.chrome.user_data

    # Hooks that a lab's page may override.

    def first(self, fields: dict[str, Any]) -> dict[str, str]:
        """Return the query parameters that open the page at given fields of the lab.

        Parameters
        ----------
        fields : dict
            Values of the lab's fields.

        Returns
        -------
        dict
            Name of a field -> its text in a link.
        """
        return self.lab_class(**fields).flat()

    def connect_drag_handles(self) -> None:
        """Make the points in `handles` draggable; a page with other handles overrides it."""
        connect_handles(self.handles, self.view, self.pacer)

    @show_refusals
    def on_drag(self, name: str, value: Any) -> None:
        """React to a dragged handle: a point in `handles` calls `on_point`. A page with other handles overrides it.

        Parameters
        ----------
        name : str
            The name of the handle.
        value : object
            Its position as the browser sent it, which is not validated.
        """
        if name in self.handles:
            self.on_point(name, *parse_drag(value, self.handles[name].count(self.result)))

    def on_point(self, name: str, row: int, x: float, y: float) -> None:
        """React to a dragged point: by default the lab's field `moved` gets its position.

        Parameters
        ----------
        name : str
            The name of the points in `handles`.
        row : int
            The point.
        x, y : float
            Its position.
        """
        self.move(None, moved=moved_to(self.lab.moved, row, x, y))

    def part(self, name: str) -> Any:
        """Build a part that only this page has.

        Parameters
        ----------
        name : str
            The part's name in the page's declarations.

        Raises
        ------
        KeyError
            If the page has no part of this name.
        """
        there = (*self.view.pictures, *self.pressed, *self.choice, *self.controls)
        raise KeyError(f"{type(self).__name__} has no part {name!r}; it has {join_list(there)}.")

    def files(self) -> Sequence[tuple[str, str, Callable[[], Any]]]:
        """Return further downloads, in addition to pictures, tables and state.

        Returns
        -------
        sequence of tuple
            (label, file name, function that returns the content) for each.
        """
        return ()

    def slider_start(self, name: str) -> float | None:
        """Return the number at which the slider of an automatic field waits, or None for its middle stop.

        Parameters
        ----------
        name : str
            The field.

        Returns
        -------
        float or None
            The number, such as the value that was chosen automatically.
        """
        return None

    def automatic(self, name: str) -> float | None:
        """Return the number that an automatic field chose, for its box, or None if it chose several.

        Parameters
        ----------
        name : str
            The field.

        Returns
        -------
        float or None
            The number, or None.
        """
        return self.slider_start(name)

    def quantities(self, result: Any) -> dict[str, Any]:
        """Return the quantities along which fields' values lie: the controls show the units of the user's columns.

        Parameters
        ----------
        result : Result
            The current result.

        Returns
        -------
        dict
            Name of a control -> Quantity of the column, or None.
        """
        return {}

    def on_idle(self, result: Any) -> None:
        """Update the page's own parts when the user pauses.

        Parameters
        ----------
        result : Result
            The current result.
        """

    def on_section_opened(self, result: Any) -> None:
        """Update the parts in `folds` when the user pauses while one of these sections is open.

        Parameters
        ----------
        result : Result
            The current result.
        """

    def on_result(self, result: Any) -> None:
        """Update the page's own parts with every picture.

        Parameters
        ----------
        result : Result
            The result that is drawn.
        """

    def changed(self, *events: Any) -> None:
        """React to a change of the lab's fields.

        Parameters
        ----------
        *events : param.parameterized.Event
            The changes; none if the lab's data changed and no field did.
        """
        self.bindings.note(events)
        with self.speaking():
            self.lab_session.on_lab_changed(drawn=self.bindings.browser_drew)

    def release(self) -> None:
        """Release everything that belongs to the session when it is closed."""
        self.lab_session.on_close()
        self.chrome.release()

    @contextmanager
    def speaking(self, *within: AbstractContextManager[Any]) -> Iterator[None]:
        """Use the page's language, and enter further contexts. All texts of the page are made inside this context.

        Parameters
        ----------
        *within : context manager
            Contexts that are entered as well.

        Yields
        ------
        None
            Nothing; the language is set while the context is open.
        """
        with use_language(self.language), ExitStack() as stack:
            for each in within:
                stack.enter_context(each)
            yield

    # How the page is built.

    @cached_property
    def choosers(self) -> dict[str, ChoiceWidget]:
        """Field -> Menu, Radio or Switch, for all labelled fields that are not numbers."""
        chosen = {n: field for n, field in self.lab_class.labelled().items() if not isinstance(field, Real)}
        usual = {n: Switch() if isinstance(field, Flag) else Menu() for n, field in chosen.items()}
        own = {"picture": Pictures(), "level": Radio(), "permutations": Radio(), **self.menus}
        return {name: own.get(name, chooser) for name, chooser in usual.items()}

    def _take_roles(self):
        """Load the lab's figures, texts, script and content."""
        self.name_of_lab = registry.name_of(self.lab_class)
        self.figures, words, self.script = (
            registry.role(self.name_of_lab, role) for role in ("figures", "words", "script")
        )
        self.explains, self.presets, self.stories = content_of(self.name_of_lab)
        self.headline: Callable[[Any, int], Markup] = partial(headline_of, words)  # called with a result and its row
        self.caption: Callable[[Any], Markup] = lambda result: in_the_end(words.caption(result), result)
        adopt(words, {"told": "story_values"})
        self.story_values: Callable[[Any], dict[str, Any]] = words.story_values
        self.python: Callable[[Any], Script] = self.script.python
        self.numbers: Callable[[Any], dict[str, dict[str, Any]]] = self.script.numbers

    def _open(self):
        """Return (first result, troubles); the result is None if it comes later or cannot be computed."""
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
        """Start the idle update, or the first picture if it is still to come."""
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

    def layout(self, *above: Any) -> Any:
        """Build the pictures with their controls.

        Parameters
        ----------
        *above : Viewable
            Parts above the pictures of the right column: the story and the pinned result.

        Returns
        -------
        Viewable
            The parts, one below the other.
        """
        self.arranged: Layout = Layout(self)
        top = [] if self.top is None else [self.arranged.build(self.top)]
        columns = self.arranged.columns(self.left, self.right, *above)
        return self.arranged.stack([*top, columns, *self.arranged.groups(*self.groups)])

    def folded(self) -> dict[str, Any]:
        """Build the sections that are closed at first.

        Returns
        -------
        dict
            Title -> part.
        """
        return {title: self.arranged.stack(parts) for title, parts in self.folds.items()}

    # The page's state.

    @property
    def lab(self) -> Any:
        """The current lab. Assigning another lab of the same class moves the page to its values."""
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
        """True while the pictures show no state of the lab."""
        return self.lab_session.blank

    @property
    def waits(self) -> bool:
        """True while a deferred stage is being computed."""
        return self.lab_session.waits

    @property
    def hides_answer(self) -> bool:
        """True while a story's question is open, so that its answer stays hidden."""
        return self.chrome.hides_answer

    def state(self) -> dict[str, str]:
        """Return the complete state of the page, for a file.

        Returns
        -------
        dict
            Query parameter -> text.
        """
        return {"v": VERSION, **self.lab.flat(), **self._around()}

    def link(self) -> str:
        """Return the query string of a link to the page's current state.

        Returns
        -------
        str
            The encoded parameters. It has those fields of the lab that differ from where the page begins.
        """
        return urlencode({"v": VERSION, **self.settings(), **self._around()})

    def _around(self):
        """Return the query parameters that are not fields of the lab: language, story, mode and stop of the tour."""
        tongue = {} if self.language == ENGLISH else {"lang": self.language}
        tour = {"tour": str(self.tour)} if self.tour else {}
        return {**tongue, **self.chrome.words(), **self.mode.words(), **tour}

    def settings(self) -> dict[str, str]:
        """Return the lab's fields that differ from the story's step, or from the defaults if there is no story.

        Returns
        -------
        dict
            Name of a field -> its text in a link.
        """
        step = self.chrome.step
        return settings_of(self.lab, None if step is None else self.lab_class(**step.fields))

    # What the chrome needs from every page.

    @property
    def title(self) -> str:
        """The lab's title."""
        return translate(registry.entry(self.name_of_lab).title)

    def actions(self) -> Actions:
        """Return the keyboard shortcuts of the page.

        Returns
        -------
        dict
            Key -> (description, function).
        """
        pressed = {b.key: (b.does, partial(self.bindings.press, name)) for name, b in self.buttons.items() if b.key}
        playing = {" ": (message("plays the main slider, and pauses it"), self.play_or_pause)} if self.plays else {}
        return {
            **pressed,
            **playing,
            **self.navigation.actions(),
            "ArrowRight": (message("goes one step on in a story"), lambda: self.chrome.go(1)),
            "ArrowLeft": (message("goes one step back in a story"), lambda: self.chrome.go(-1)),
            "p": (message("pins what is shown as A"), lambda: self.chrome.toggle_pin()),
            "Escape": (message("leaves the lecture"), self.leave_lecture),
            "?": (message("opens this help"), lambda: self.chrome.explain()),
        }

    @property
    def plays(self) -> bool:
        """True if the page has a slider that can be played."""
        return self.left is not None and any(isinstance(part, MainSlider) for part in parts_of(self.left))

    def play_or_pause(self) -> None:
        """Start or pause the main slider's playback, if the slider has an effect."""
        if self.play is not None and not self.play.disabled:
            self.play.playing = not self.play.playing

    @property
    def main_field(self) -> str | None:
        """The field of the main slider that is visible now, or None if there is none."""
        return self.lab.played or None

    @property
    def play(self) -> PlayButton | None:
        """The button that plays the main slider, or None if there is none."""
        return self.players.get(self.main_field or "")

    def measures(self, result: Any) -> dict[str, float]:
        """Return the numbers by which two states are compared.

        Parameters
        ----------
        result : Result
            The result of one state.

        Returns
        -------
        dict
            Name of a measure -> number.
        """
        return result.measures

    # What changes the page.

    def move(self, name: str | None, **changes: Any) -> None:
        """Change fields of the lab. If the lab refuses, the refusal is shown and the picture stays.

        Parameters
        ----------
        name : str or None
            The control at which a refusal is shown; None shows it above the pictures.
        **changes
            New values of the fields.
        """
        self.bindings.move(name, **changes)

    def refuse(self, name: str | None, sentence: str) -> None:
        """Show a refusal at its control, or above the pictures if it has none.

        Parameters
        ----------
        name : str or None
            The control.
        sentence : str
            The refusal; an empty text removes the control's refusal.
        """
        self.bindings.refuse(name, sentence)

    def say(self, sentences: Iterable[str]) -> None:
        """Show sentences above the pictures; without any, remove those that are there.

        Parameters
        ----------
        sentences : iterable of str
            The sentences.
        """
        self.chrome.say(sentences)

    def choose(self, name: str, value: Any) -> None:
        """React to a choice in a menu.

        Parameters
        ----------
        name : str
            The field of the menu.
        value : object
            The chosen value.
        """
        self.move(name, **self.on_choice(name, value))

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a choice in a menu.

        If the user chooses a file and the session has the user's data already, all fields that name the data are set
        again.

        Parameters
        ----------
        name : str
            The field of the menu.
        value : object
            The chosen value.

        Returns
        -------
        dict
            Field -> new value; at least the chosen one.
        """
        again = name == "source" and value == "file" and self.lab.own is not None
        with_table = self.with_table if name == "source" and value in TABLES else {}
        return {**(self.naming | self.lab.fitting() if again else {}), name: value, **with_table}

    def change_mode(self, ui: str) -> None:
        """Show more or less of the page.

        Parameters
        ----------
        ui : {"", "min", "lecture"}
            The new mode, see `Mode`.
        """
        self.mode = replace(self.mode, ui=ui)
        with self.hold():
            self.chrome.take_mode()
        self.lab_session.on_page_changed()

    def leave_lecture(self) -> None:
        """Show the whole page again, if it is in the lecture mode."""
        if self.mode.ui == LECTURE:
            self.change_mode(ALL)

    def draw_sample(self) -> None:
        """Draw a new sample from the same source."""
        self.move("seed", seed=self.lab.seed + 1)

    def toggle(self, field: str, value: Any) -> None:
        """Set a field to a value, or to 0 or False if it is set already.

        Parameters
        ----------
        field : str
            The field.
        value : object
            The value for the pressed state.
        """
        self.move(field, **{field: type(value)() if getattr(self.lab, field) else value})

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Use the user's data.

        Parameters
        ----------
        own : object
            The data, as the lab takes them.
        fields : dict
            The fields that name the data. Names that are not fields of the lab are ignored.

        Raises
        ------
        Refusal
            If the lab cannot use the data. The lab is unchanged then.
        """
        new = {} if fields.get("hash") == getattr(self.lab, "hash", "") else self.with_table
        fields = {name: value for name, value in {**fields, **new}.items() if name in self.lab_class.fields}
        before, values, self.lab.own = self.lab.own, self.lab.values(), own
        with self.speaking():
            sentence = self._too_few(fields) or self.bindings.attempt(fields)
        # the lab refused the fields; otherwise the sentence is about a picture that failed
        if sentence and self.lab.values() == values:
            self.lab.own = before
            raise Refusal(without_classes(sentence, self.lab_class))
        self.naming = {name: value for name, value in fields.items() if name not in self.lab.chosen_anew}
        self.bindings.refuse("source", sentence)
        self.changed()  # a link may have set all these fields already, so that only the data are new
        if not self.blank:
            self.chrome.arrive()

    def _too_few(self, fields):
        """Return a sentence if the user's data have too few rows for the lab, else an empty text."""
        for name in {"n", "m"} & fields.keys():
            least, _ = self.lab_class.fields[name].bounds
            if fields[name] < least:
                return translate_plural(
                    "{} has {} row for {}, and at least {} are needed here; choose a longer table.",
                    "{} has {} rows for {}, and at least {} are needed here; choose a longer table.",
                    fields[name],
                    truncate(fields.get("file", "")),
                    fields[name],
                    name,
                    least,
                )
        return ""

    def refuse_user_data(self, sentence: str) -> None:
        """Clear the page when the user's data are refused, so that results of other data are not taken for theirs.

        Parameters
        ----------
        sentence : str
            The refusal. It is empty if new data have been chosen and are not used yet.
        """
        with self.speaking():
            if sentence or self.lab_session.blank:
                self.lab_session.on_refusal(sentence)
                self.chrome.begin_blank(NOT_USED if sentence else NOT_YET)
            if not sentence:
                self.say([])

    def on_files_loaded(self) -> None:
        """React to the end of loading a link's files. If they could not be loaded, ask the user for them."""
        self.coming = ()
        if self.lab.own is None:
            self.chrome.expand_data()
            self.chrome.begin_blank(NOTHING)
            self.say([str(absent(self.lab))])

    def examples(self, *sources: str) -> dict[str, Callable[[], object]]:
        """Return the lab's example sources for the section of the user's data.

        Parameters
        ----------
        *sources : str
            Values of the field `source`.

        Returns
        -------
        dict
            Label in the menu -> function that shows the example.
        """
        words = {value: translate(word) for word, value in self.lab_class.fields["source"].words.items()}
        return {words[source]: partial(self._show_example, source) for source in sources}

    def _show_example(self, source):
        self.choose("source", source)
        self.chrome.arrive()

    # Updates after a change.

    def rest(self) -> None:
        """Run the idle update now, without waiting until the user pauses."""
        self.lab_session.on_idle()

    def catch_up(self, result: Any) -> None:
        """Update the browser's table, controls, texts, link and code to the current result, when the user pauses.

        Parameters
        ----------
        result : Result
            The current result.
        """
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
        """Compute in a thread, and process the value on the page. A refusal is shown above the pictures.

        Parameters
        ----------
        compute : callable
            Called without arguments, in the thread.
        take : callable
            Called with the value, if it is not None.
        seconds : float, default 1.0
            The expected run time in seconds.
        """
        self.runtime.in_thread(compute, take, seconds)

    def hold(self) -> AbstractContextManager[Any]:
        """Collect changes of the page into one message.

        Returns
        -------
        context manager
            The changes are sent when it is left.
        """
        return self.runtime.hold()

    # In a notebook.

    def _repr_mimebundle_(self, include=None, exclude=None):
        """Return what a notebook cell shows; from then on the page is connected to its browser."""
        if not in_notebook():
            return super()._repr_mimebundle_(include, exclude)
        from .notebook.embed import mimebundle  # imported here because only notebooks need it

        return mimebundle(self)

    def live_in(self, doc: Document) -> None:
        """Become the root of a document that a notebook cell shows.

        Parameters
        ----------
        doc : Document
            The cell's document.
        """
        from .notebook.cell_layout import cell

        doc.add_root(cell(self).get_root(doc))
        self.enter(doc)

    def enter(self, doc: Document) -> None:
        """Continue in a document that a browser shows: from now on threads compute what takes long.

        Parameters
        ----------
        doc : Document
            The document.
        """
        self.runtime = self.runtime.served(doc)
        self.lab_session.attach(self.runtime)
