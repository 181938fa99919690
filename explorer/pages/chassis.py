"""The chassis that every lab stands on.

How a moved control becomes a new picture, and what waits until the hand rests.

A page owns one lab and one view. A control moves a field of the lab; the lab gives a result; the view writes it into
the live sources. The table for the browser, the boxes, the link and the code follow when the hand rests.
"""

from __future__ import annotations

import asyncio

import panel as pn
from panel.io.state import set_curdoc

from .controls import NumberBox, NumberControl
from .frame import Frame
from .hand import Hand
from .history import History
from .longer import Longer
from .lookup import Lookup
from .pacing import Pacer
from .places import VERSION, Places
from .shortcuts import Shortcuts

SOON = 0.25  # s within which a new picture may come before the old one steps back
REST = 400  # ms without a move that count as rest: a hand that steps by keys or looks at each picture is quicker


class LabPage(Hand, Places, Longer, pn.viewable.Viewer):
    """A lab as a page, opened from the words of a link.

    A subclass declares `title`, `lab_class`, `presets`, `labels` (field -> label of its slider), `boxes` (field ->
    label of its number box, where it has no slider), `stories` and `explains`, and gives `make_view`, `strokes` (the
    legend), `headline` (at one row), `caption`, `python`, `numbers` and `twin` (the pictures as tables and as words),
    `measures` (what a comparison compares), `told` (the words of stories), `choices` (field -> widget), `folds` and
    `layout`. One that lets the browser answer a field by itself names it `looked_up`, and gives `tables`, `stops` and
    `sentences` (the headline at all rows).
    """

    title = lab_class = looked_up = None
    presets, stories, labels, explains = (), (), {}, ""
    boxes = {"seed": "seed"}  # noqa: RUF012, read only

    def __init__(self, words=None, **fields):
        """Open at the words of a link, or at fields of the lab: ShrinkagePage(n=50, lam=0.1) in a notebook."""
        super().__init__()
        words = dict(words or self.lab_class(**fields).flat())
        version, theme = words.pop("v", VERSION), words.pop("theme", "system")
        story, troubles = self._story(words)
        self.lab, refused = self.lab_class.from_flat(words)
        refused = [*troubles, *refused]
        if version != VERSION:
            refused.insert(
                0,
                f"this link has version {version} and the page reads version {VERSION}; its fields were tried all the"
                " same.",
            )
        # kept, because a coroutine that has awaited no longer finds them
        self._doc, self._location = _served_document(), pn.state.location
        self._busy = self._again = self._quiet = self._asking = False
        self._elsewhere = set()  # fields that changed by other means than their own slider, which has yet to follow
        self._refused = set()  # controls that were refused since the lab last changed: a rest leaves them as they are
        self._rest_call = None
        self.result, trouble = self._open()
        self.view = self.make_view(self.result, theme == "dark")
        self.pacer = Pacer(self._asked)
        self.sliders = {
            n: NumberControl(self.lab, n, label, self._slid, self._typed) for n, label in self.labels.items()
        }
        boxes = {n: NumberBox(self.lab, n, label, self._typed) for n, label in self.boxes.items()}
        self.controls = {**self.sliders, **boxes}
        self.choice = self.choices()
        for name, widget in self.choice.items():
            widget.param.watch(lambda event, name=name: self.choose(name, event.new), "value")
        self.history, self.shortcuts = History(self.lab.values()), Shortcuts(self.actions(), self.view.hero)
        self.frame, self.home = Frame(self, theme), self.lab.values()
        self.frame.story.story, self.frame.story.step = story
        self.lookup = Lookup(self.view.sources, self.frame.headline)
        for name, control in self.sliders.items():
            if name == self.looked_up:
                self.lookup.attach(self.pacer, control.slider, name, self.tables(self.result))
            else:
                self.pacer.follow(control.slider, name)
        self.grips()
        # models of ours must be in the document
        self.view.hero.tags = [self.pacer.request, self.shortcuts.keys, self.frame.texts]
        self.frame.say([*refused, *trouble])
        self.lab.param.watch(self._changed, list(self.lab_class.fields))
        if self._doc is not None:
            pn.state.on_session_destroyed(lambda context: self._release())
        self._show(self.result)
        self.rest()

    def _release(self):
        self._repeating = None
        self.frame.release()

    def __panel__(self):
        return self.frame.page

    def _open(self):
        """The first result; where the state cannot be shown, the lab's own first state and the sentence."""
        try:
            return self.lab.result(), []
        except ValueError as error:
            return self.lab_class().result(), [str(error)]

    def folded(self):
        """What is not always wanted."""
        return self.folds()

    def grips(self):
        """Let a hand drag what the page's pictures have to hold."""

    def files(self):
        """What can be downloaded beside pictures, tables and state.

        (label, name of the file, a function that makes it).
        """
        return ()

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

    def _changed(self, *events):
        self._refused.clear()
        if not self._asking:
            self._elsewhere.update(event.name for event in events)
        self._give_up()
        if self._busy:
            self._again = True
        elif self._quiet:
            self._later()
        else:
            self._renew()

    def _renew(self):
        """A new picture, by the event loop itself or, where that takes long, by a thread."""
        if self.lab.quick or self._doc is None:
            self.refresh()
        else:
            self._busy = True
            self._doc.add_next_tick_callback(self.unlocked(self._refresh_in_thread))

    # from the lab to the picture

    def refresh(self):
        """Compute and draw; where the state cannot be shown, say why and keep the last picture."""
        try:
            result = self.lab.result()
        except ValueError as error:
            return self.frame.say([str(error)])
        return self._draw(result)

    async def _refresh_in_thread(self):
        """The same, where computing would hold up other sessions.

        One run at a time, then one more with the newest state.
        """
        try:
            self._again = True
            while self._again:
                self._again, asked = False, self.pacer.asked
                computing = asyncio.create_task(asyncio.to_thread(self.lab.task()))
                if not (await asyncio.wait([computing], timeout=SOON))[0]:
                    with self.hold():
                        self.frame.dim(True)
                try:
                    result = await computing
                except ValueError as error:
                    with self.hold():
                        self.frame.say([str(error)])
                else:
                    with self.hold():
                        self._draw(result)
                        self.pacer.done(asked)
        finally:
            self._busy = False
            with self.hold():
                self.frame.dim(False)
                self.pacer.done()
            self._later()

    def _draw(self, result):
        with self.hold():
            self.frame.say([])
            self.lookup.outdate()
            self._show(result)
        self._later()

    def _show(self, result):
        self.result, overdrawn = result, self.view.overdrawn
        self.view.show(result)
        self.frame.headline.object = self.headline(result, result.row)
        if overdrawn:  # the browser wrote a headline of its own, so ours must be sent even where it is our last one
            self.frame.headline.param.trigger("object")

    def reveal(self, places, figures, seen):
        """Show those places, name -> column, whose names are `seen`; each takes its figure when it is first shown."""
        for name, place in places.items():
            if name in seen and not place.objects:  # a picture that nobody has asked for costs a page its time to open
                place.append(pn.pane.Bokeh(figures[name], sizing_mode="stretch_width"))
            if place.visible != (name in seen):
                place.visible = name in seen

    def _later(self):
        """Let what can wait follow once the hand rests."""
        if self._doc is None:
            return self.rest()
        if self._rest_call is not None:
            self._doc.remove_timeout_callback(self._rest_call)
        self._rest_call = self._doc.add_timeout_callback(self.rest, REST)
        return None

    def rest(self):
        """The hand rests: the table for the browser, boxes, link and code catch up."""
        self._rest_call = None
        if self._busy:
            return
        self._quiet = True
        try:
            with self.hold():
                self._catch_up()
        finally:
            self._quiet = False

    def _catch_up(self):
        if self.looked_up:
            self._renew_table()
        for name, control in self.controls.items():
            if name in self._refused:
                continue
            value = getattr(self.lab, name)
            # a slider that the hand moved is where it should be, or already further: only the others are put in place
            if name in self._elsewhere or value is None or not control.has(value):
                control.show(value, self.near(name), self.pacer.place)
            else:
                control.note(value)
        self._elsewhere.clear()
        self.history.note(self.lab.values())
        for name, widget in self.choice.items():
            widget.value = getattr(self.lab, name)
        self.frame.catch_up(self.result)
        self._more()
        if self._location:
            self._location.search = f"?{self.link()}"

    def _renew_table(self):
        """Let the browser have the table of what is shown."""
        here = getattr(self.lab, self.looked_up)
        if self.view.overdrawn and (here is None or here in self.stops(self.result)):
            self.result = self.result.at(here)  # the browser drew the last moves by itself
            if self.lookup.stamp.table != self.lookup.stamp.shown:  # and perhaps from the table before the last one
                self._show(self.result)
        if self.lookup.stamp.table != self.lookup.stamp.shown and self.ready(self.result):
            self.lookup.send(self.tables(self.result), self.sentences(self.result))
        # the slider that the browser answers has the stops that its table has rows
        self.sliders[self.looked_up].steps = self.stops(self.result)

    def ready(self, result):
        """Whether the table is there; until then the server answers the slider itself."""
        return True

    def near(self, name):
        """A number for the slider of a field that is left to choose itself."""
        return None


def _served_document():
    """The document of a served session; None in a notebook or a script, where nothing can wait for later."""
    doc = pn.state.curdoc
    return doc if doc and doc.session_context else None
