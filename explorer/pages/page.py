"""The page that every lab stands on: how a moved control becomes a new picture, and what waits until the hand rests.

A page owns one lab and one view. A control moves a field of the lab; the lab gives a result; the view writes it into
the live sources. The table for the browser, the boxes, the link and the code follow when the hand rests.
"""

from __future__ import annotations

import asyncio
from dataclasses import replace
from functools import cached_property, partial

import panel as pn
from panel.io.state import set_curdoc

from explorer.views.view import View
from explorer.workbench import registry
from explorer.workbench.cost import refuse_too_much

from . import design
from .captions import Captions
from .connection import come_back
from .controls import NumberBox, NumberControl
from .declare import Hero
from .frame import COMPUTING, NOTHING, Frame
from .hand import Hand, attempted
from .in_cell import InCell
from .late import Late
from .layout import Layout
from .lookup import Lookup
from .modes import Mode
from .pacing import Pacer
from .places import VERSION, History, Places
from .renewal import Renewal
from .shell import first_result, served_document
from .shortcuts import Shortcuts

design.settle()


class LabPage(Hand, Places, Late, Renewal, InCell, pn.viewable.Viewer):
    """A lab as a page, opened from the words of a link.

    The lab's folder gives pictures, words, stories and script by their roles. A subclass declares `lab_class`, `labels`
    and `boxes` (field -> label of its slider or number box), `menus` (field -> Menu, Choice or Switch), `buttons`
    (name -> Button), `left` and `right` (Columns), `groups` of controls below them, perhaps `top` (a part above both),
    `data` (the part for data of one's own) and `folds` (title -> parts).
    What it may add: `grips` and `put` for handles, `chosen` for choices that bring others, `near` for sliders that are
    left to choose, `enabled` (field or button -> a condition of the result), `part` for a part of its own, `shown`,
    `rested` and `unfolded` for what follows of it.
    """

    lab_class = top = left = right = None
    groups = ()  # of controls, below the pictures
    data = ""  # the part that takes data of one's own, where there is one
    play = None  # the button that plays the main slider
    blank = False  # whether the pictures show no state of the lab yet
    gone = False  # whether the session is over, and nobody is there to be shown anything
    labels, menus, buttons, folds, enabled = {}, {}, {}, {}, {}
    boxes = {"seed": "seed"}  # noqa: RUF012, read only

    def __init__(self, words=None, **fields):
        """Open at the words of a link, or at fields of the lab: ShrinkagePage(n=50, lam=0.1) in a notebook."""
        super().__init__()
        self._take_roles()
        words = dict(words or self.first(fields))
        version, theme = words.pop("v", VERSION), words.pop("theme", "system")
        named = (*self.labels, *self.boxes, *self.menus, *self.buttons)
        self.mode, troubles = Mode.of(words.pop("ui", ""), words.pop("hide", ""), named)
        story, astray = self._story(words)
        wants_data = words.pop("data", "")  # of a link from home: a place for one's own, and no state
        self.lab, refused = self.lab_class.from_flat(words)
        refused = [*troubles, *astray, *refused]
        if version != VERSION:
            refused.insert(
                0,
                f"this link has version {version} and the page reads version {VERSION}; its fields were tried all the"
                " same.",
            )
        # kept, because a coroutine that has awaited no longer finds them
        self._doc, self._location = served_document(), pn.state.location
        self._busy = self._again = self._quiet = False
        self._built = asyncio.Event()  # whether the browser has built the page
        self._asking = set()  # the sliders whose own moves are being answered
        self._moved = False  # whether the lab has changed since its last picture: what was said of an older state goes
        self._elsewhere = set()  # fields that changed by other means than their own slider, which has yet to follow
        self._refused = set()  # controls that were refused since the lab last changed: a rest leaves them as they are
        self._tabled = None
        self.naming = {}  # the fields that name the data of one's own that the session has
        self.result, trouble = self._open()
        self.view = View(self.figures.PICTURES, self.result, theme == "dark")
        self.pacer = Pacer(self._asked)
        self._make_controls()
        self.history, self.shortcuts = History(self.lab.values()), Shortcuts(self.actions(), self.view.hero)
        self.frame, self.home = Frame(self, theme), self.lab.values()
        self.headline = self.frame.story.veiled(self.headline)
        self.frame.take_mode()
        if wants_data and self.data:
            self.frame.opener.open = True
        self.frame.story.story, self.frame.story.step = story
        self._let_the_browser_answer()
        self.grips()
        # models of ours must be in the document
        self.view.hero.tags = [self.pacer.request, self.shortcuts.keys, Captions(self).wish, self.frame.texts]
        self.frame.say([*refused, *trouble])
        self.lab.param.watch(self.changed, list(self.lab_class.fields))
        if self._doc is not None:
            pn.state.on_session_destroyed(lambda context: self.release())
            pn.state.onload(self._built.set)
            come_back(self._doc, self.pacer.request)
        self.show(self.result)
        if self._doc is not None:  # a notebook that is stored has no kernel that could bring what is left out
            self.arranged.leave_out()
        if not self.blank:
            self.rest()
        elif trouble:
            self.frame.begin_blank(NOTHING)
        else:
            self.frame.begin_blank(COMPUTING)
            self.renew()

    def __panel__(self):
        return self.frame.page

    @cached_property
    def own(self):
        """What takes data of one's own: a part that the page makes as `own` when it is first asked for."""
        return self.frame.own

    # what a page of its own may say

    def first(self, fields):
        """The words of a link that opens the page at fields of the lab."""
        return self.lab_class(**fields).flat()

    def grips(self):
        """Let a hand drag what the page's pictures have to hold."""

    def part(self, name):
        """A part that only this page has."""
        raise KeyError(f"{type(self).__name__} has no part {name!r}.")

    def files(self):
        """What can be downloaded beside pictures, tables and state.

        (label, name of the file, a function that makes it).
        """
        return ()

    def near(self, name):
        """A number for the slider of a field that is left to choose itself."""
        return None

    def quantities(self, result):
        """Control -> the Quantity of the column that its field's values lie along, whose units it wears, or None."""
        return {}

    def rested(self, result):
        """What follows of a part of its own when the hand rests."""

    def unfolded(self, result):
        """What follows of the parts in `folds` when the hand rests, while one is open."""

    def shown(self, result):
        """What follows of a part of its own with every picture."""

    def release(self):
        """The session is over: nothing of it may stay."""
        self.gone = True
        self.give_up()
        self.frame.release()

    # making it

    def _take_roles(self):
        """What the lab's folder has: figures, words, stories and script."""
        self.name_of_lab = registry.name_of(self.lab_class)
        self.figures, words, stories, self.script = (
            registry.role(self.name_of_lab, role) for role in ("figures", "words", "stories", "script")
        )
        self.presets, self.stories, self.explains = stories.PRESETS, stories.STORIES, words.EXPLAINS
        self.headline, self.caption, self.told = words.headline, words.caption, words.told
        self.python, self.numbers = self.script.python, self.script.numbers

    def _open(self):
        """(the first result, what is wrong); the lab's own first result stands in for what comes later or never."""
        first = first_result(self.lab_class)
        if self.lab == first.lab:
            self.lab.begin_with(first)
            return first, []
        _, sentence = attempted(partial(refuse_too_much, self.lab.cost), self.lab)
        result = None
        if not sentence and (self.lab.quick or self._doc is None):
            result, sentence = attempted(self.lab.result, self.lab)
        self.blank = result is None
        return result or first, [sentence] if sentence else []

    def _make_controls(self):
        lab, fields = self.lab, self.lab_class.fields
        self.sliders = {n: NumberControl(lab, n, label, self._slid, self._typed) for n, label in self.labels.items()}
        boxes = {n: NumberBox(lab, n, label, self._typed) for n, label in self.boxes.items()}
        self.controls = {**self.sliders, **boxes}
        self.choice = {n: menu.make(fields[n], getattr(lab, n), lab) for n, menu in self.menus.items()}
        for name, widget in self.choice.items():
            widget.param.watch(lambda event, name=name: self.choose(name, event.new), "value")
        self.pressed = {name: button.make(self) for name, button in self.buttons.items()}

    def _let_the_browser_answer(self):
        self.lookup = Lookup(self.view.sources, self.frame.headline)
        for name, control in self.sliders.items():
            if name == self.lab.slider:
                self.lookup.attach(self.pacer, control.slider, name, self.view.targets)
            else:
                self.pacer.follow(control.slider, name)

    def layout(self, legend, story):
        """The pictures with their controls; a story has a place beside them."""
        self.arranged = Layout(self, legend)
        columns = self.arranged.columns(self.left, self.right, story)
        below = [self.arranged.groups(*self.groups)] if self.groups else []
        return self.arranged.stack([*([] if self.top is None else [self.top]), columns, *below])

    def folded(self):
        """What is not always wanted, title -> part."""
        return {title: self.arranged.stack(parts) for title, parts in self.folds.items()}

    # what the frame asks of every page

    @property
    def title(self):
        """The lab's title."""
        return registry.entry(self.name_of_lab).title

    def actions(self):
        """What keys do: key -> (in words, a function)."""
        pressed = {b.key: (b.does, partial(self._press, name)) for name, b in self.buttons.items() if b.key}
        playing = {" ": ("plays the main slider, and pauses it", self.play_or_pause)} if self.plays else {}
        return {**pressed, **playing, **super().actions()}

    def _press(self, name):
        """Do what a button does, unless it takes no hand."""
        if not self.pressed[name].disabled:
            getattr(self, self.buttons[name].act)()

    @property
    def plays(self):
        """Whether there is a slider that can be played."""
        return any(isinstance(part, Hero) for part in getattr(self.left, "inner", ()))

    def play_or_pause(self):
        """Let the main slider go by itself, or no longer."""
        if self.play is not None:
            self.play.playing = not self.play.playing

    def measures(self, result):
        """What two states are compared by."""
        return result.measures

    def choose(self, name, value):
        """A menu was moved to another value."""
        self.move(name, **self.chosen(name, value))

    def chosen(self, name, value):
        """The fields that change with a menu.

        Data of one's own that the session has are named again by all their fields.
        """
        again = name == "source" and value == "file" and self.lab.own is not None
        return {**(self.naming | self.lab.fitting() if again else {}), name: value}

    def change_mode(self, ui):
        """Show more or less of the page."""
        self.mode = replace(self.mode, ui=ui)
        with self.hold():
            self.frame.take_mode()
        self.later()

    def draw_sample(self):
        """A new sample of the same source."""
        self.move("seed", seed=self.lab.seed + 1)

    def toggle(self, field, value):
        """A field at a value, or at none again."""
        self.move(field, **{field: 0 if getattr(self.lab, field) else value})

    def use(self, own, fields):
        """Take data of one's own, and the fields that name them; those that the lab has not are left aside."""
        fields = {name: value for name, value in fields.items() if name in self.lab_class.fields}
        self.lab.own = own
        self.naming = {name: value for name, value in fields.items() if name not in self.lab.chosen_anew}
        self.move("source", **fields)
        self.changed()  # a link had all the fields already, and lacked the data alone
        self.frame.arrive()

    def examples(self, *sources):
        """Sources of the lab that stand for data of one's own: their words in the menu -> what shows them."""
        words = {value: word for word, value in self.menus["source"].options.items()}
        return {words[source]: partial(self._show_example, source) for source in sources}

    def _show_example(self, source):
        self.choose("source", source)
        self.frame.arrive()

    def hold(self):
        """Collect changes of the page into one message; after an await Bokeh lets models change only so."""
        return pn.io.hold(self._doc)

    def unlocked(self, work):
        """A coroutine function as a callback that leaves the document's lock alone.

        With it no press is heard before its end.
        """

        async def callback():
            with set_curdoc(self._doc):
                await work()

        callback.nolock = True
        return callback
