"""The panel that takes the user's data: ways in, slots that say how a file is read, what is wrong, and a button."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import copy
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

import panel as pn
import panel_material_ui as pmui

from explorer.datasets.files.addresses import SeveralTables
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.languages import bind_language, translate
from explorer.markup import markup
from explorer.pages.layout.markup_pane import html
from explorer.printing import short_name

from .inputs.arrivals import Arrivals, in_reader_thread, or_error, or_sentence
from .inputs.intake import DROP, Examples, Intake
from .inputs.upload import Upload
from .reading import Content, Reading
from .second_file import SecondFile
from .slot import Slot

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text

Use: TypeAlias = Callable[[Any, dict[str, Any]], object]  # receives the data and the fields that identify them
Asked: TypeAlias = Callable[[], Mapping[str, Any]]  # returns the fields that a link may have set
LARGE = 500_000  # bytes; a larger file takes more than a few tenths of a second, so the page says that it is being read


class UserData(pn.viewable.Viewer):
    """Panel for the user's data. Its slots say what is asked for; their widgets are attributes, such as `columns`.

    Parameters
    ----------
    slots : sequence of Slot
        The slots that a page declares, one of them a `Content`. The panel works with copies.
    use : callable
        Called as `use(data, fields)` with the user's data and the fields that identify them.
    asked : callable, default dict
        Returns the lab's current fields, with which a link may have named the data.
    examples : mapping of str to callable, or None, default None
        Labels of examples, each with a function that shows the example.
    **params : dict
        Parameters of the Panel component.

    Attributes
    ----------
    files : dict
        The files in use: 0 -> the first one, 1 -> the second one.
    not_used : callable
        Called with the reason if data that the user provided are not used, and with "" once other data can be used.
    """

    def __init__(
        self, slots: Sequence[Slot], use: Use, asked: Asked = dict, examples: Examples = None, **params: Any
    ) -> None:
        super().__init__(**params)
        self._doc = pn.state.curdoc  # stored, because a coroutine no longer finds it after an await
        self._use, self.asked = use, asked
        self.not_used: Callable[[str], object] = str  # replaced by the page's method once there is a page
        self._is_refused = False  # whether the page shows why data are not used
        self._is_quiet = False  # whether changes of menus are not the user's
        # files are shown in order of arrival, because a new first file may discard the second
        self._arrivals = Arrivals(in_order=True)
        self.files: dict[int, ParsedFile] = {}
        self.preview: Any = None  # the preview of the first file
        self.slots: list[Slot] = [copy(slot) for slot in sorted(slots, key=lambda slot: slot.rank)]
        self.main: Any = next(slot for slot in self.slots if isinstance(slot, Content))
        self.second_file: Any = next((slot for slot in self.slots if isinstance(slot, SecondFile)), None)
        for slot in self.slots:
            slot.panel = self
        self.zones: list[Upload] = self._zones()
        self.file: Upload = self.zones[0]
        self.about: Text = html("", margin=(14, 10, 4, 10))
        self.describe(self.nothing_yet)
        self.trouble: Text = html("", visible=False)
        self.button: pmui.Button = pmui.Button(
            label=translate(self.main.label), variant="contained", visible=False, on_click=bind_language(self.press)
        )
        self.intake: Intake = Intake(
            self._receive_from_intake,
            partial(self._refuse, 0),
            examples,
            self._name_of_pasted,
            self.main.paste,
            self.main.hint,
            self.file,
        )
        for slot in reversed(self.slots):
            slot.widgets = slot.build()
        self._layout = pn.Column(*self.main.rows(), sizing_mode="stretch_width")

    def __panel__(self) -> pn.Column:
        return self._layout

    def __getattr__(self, name: str) -> Any:
        for slot in vars(self).get("slots", ()):
            if name in vars(slot).get("widgets", ()):
                return slot.widgets[name]
        raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")

    def _zones(self):
        """Return the upload zones, connected with the panel."""
        refuse = [bind_language(partial(self._refuse, zone)) for zone in range(2)]
        several = next(filter(None, (slot.zones(*refuse) for slot in self.slots)), None)
        zones = several or [Upload(refuse[0], label=translate(DROP))]
        for k, zone in enumerate(zones):
            zone.param.watch(bind_language(partial(self._chosen, k)), "value")
        return zones

    @property
    def nothing_yet(self) -> str:
        """The text that is shown until there is a first file: which ones are accepted, or that a second one is here."""
        alone = self.second_file.alone() if self.second_file else ""
        says = next(slot for slot in self.slots if slot.about)
        return alone or translate(says.about) + (translate(says.more) if says.more else "")

    def describe(self, text: Any) -> None:
        """Show what is in the files."""
        self.about.object = markup("<div class='caption'>{}</div>", text)

    @contextmanager
    def quietly(self) -> Iterator[None]:
        """Suspend what follows a change of a menu."""
        self._is_quiet = True
        try:
            yield
        finally:
            self._is_quiet = False

    def watch(self, menu: Any, react: Callable[[Any], object] | None = None) -> None:
        """Describe the choice when the user changes a menu, after a call of `react(event)`."""

        def changed(event):
            if self.preview is None or self._is_quiet:
                return
            if react is not None:
                with self.quietly():
                    react(event)
            self.main.follow()

        menu.param.watch(bind_language(changed), "value")

    # what the slots say together

    @property
    def reader(self) -> Reading:
        """The slot that turns the files into data."""
        return next(slot for slot in self.slots if isinstance(slot, Reading) and slot.reads())

    def reserved(self) -> list[str]:
        """Return the columns that are no coordinates because a slot uses them."""
        return [name for slot in self.slots for name in slot.reserved()]

    @property
    def lenient(self) -> bool:
        """True if the choice needs the lenient reader."""
        return self.reader.is_lenient() or any(slot.needs_lenient() for slot in self.slots)

    def expect_second(self) -> None:
        """Compare two files, because a second one has come."""
        for slot in self.slots:
            slot.expect_second()

    def arguments(self) -> dict[str, Any]:
        """Return the arguments of `read_table` that slots add."""
        return self._united(lambda slot: slot.arguments())

    def _united(self, answer):
        return {name: value for slot in self.slots for name, value in answer(slot).items()}

    def is_named(self, digest: str | None) -> bool:
        """Return whether a link, or the page, names the data with this hash."""
        return self.asked().get("hash") == digest

    def named_fields(self) -> dict[str, Any]:
        """Return the fields of a link that names the first file, empty if it names another or none."""
        asked = dict(self.asked())
        return asked if self.preview and asked.get("hash") == self.preview.hash else {}

    def read(self) -> Any:
        """Read the data.

        Returns
        -------
        object
            The data, as the lab takes them.

        Raises
        ------
        Refusal
            If something is still to be chosen, if the choice does not make data, or if the lab cannot use them.
        """
        data = self.reader.read()
        for slot in self.slots:
            slot.accept(data)
        return data

    def fields(self, data: Any) -> dict[str, Any]:
        """Return the fields that identify data and how they were read."""
        return self.reader.identify(data) | self._united(lambda slot: slot.fields(data))

    def fresh(self, data: Any) -> dict[str, Any]:
        """Return the fields that the page opens with if the data are new."""
        return self.reader.opening(data) | self._united(lambda slot: slot.fresh(data))

    def use(self, data: Any) -> None:
        """Pass data on, with the fields that identify them.

        Parameters
        ----------
        data : object
            What `read` has returned.
        """
        asked: Any = self.asked()
        known = self.is_named(self.main.digest) and all(slot.is_named(asked, data) for slot in self.slots)
        self._use(data, self.fields(data) | ({} if known else self.fresh(data)))

    # files that arrive

    async def _chosen(self, zone, event):
        if event.new is not None:
            if zone == 0:
                self.intake.forget()
            await self.receive(ParsedFile(event.obj.filename, event.new), zone)

    async def receive_both(self, event: Any) -> None:
        """Take two files that were dropped together; the second one only if the first one can be read."""
        self.intake.forget()
        first, second = (ParsedFile(name, raw) for name, raw in event.new)
        await self.receive(first)
        if self.preview is not None:
            self.expect_second()
            await self.receive(second, 1)

    def _name_of_pasted(self):
        """Return the file name of a pasted text, which says whether it is the first or the second file."""
        return self._pasted_second() or self.main.pasted

    def _pasted_second(self):
        return next(filter(None, (slot.pasted_second() for slot in self.slots)), "")

    async def _receive_from_intake(self, file):
        """Take a pasted text, or a table that was chosen from a file with several."""
        zone = int(file.name == self._pasted_second())
        if zone == 0:
            self.main.forget()
        await self.receive(file, zone)

    async def receive(self, file: ParsedFile, zone: int = 0) -> None:
        """Read a file and show its preview, unless another file arrives at its zone in the meantime.

        Parameters
        ----------
        file : ParsedFile
            The file.
        zone : int, default 0
            The zone at which it has arrived: 1 is that of a second file.
        """
        given = self.main.take(zone, file)
        if len(file.raw) > LARGE and (zone == 0 or self.main.together):
            self.say("")
            self.describe(translate("Reading {} ...", short_name(file.name)))
        lane = 0 if self.main.together else zone
        await self._arrivals.read(
            lane, partial(self.main.preview, given), partial(self._present, zone, file, given), self._doc
        )

    def _present(self, zone, file, given, preview, error):
        self._show(zone, given, preview, "" if error is None else self._why(zone, file, error))

    def _show(self, zone, given, preview, refusal):
        """Show a file. If it cannot be used, what the lab shows is not a result about it.

        A second table leaves the first one in use, but strings are read from both files.
        """
        refusal = self.main.present(zone, given, preview, refusal)
        if zone == 0 or self.main.together:
            self.say_whether_used(refusal)

    def _why(self, zone, file, error):
        """Return the message of a refusal. If the first file has several tables, offer a choice of them."""
        if not isinstance(error, SeveralTables):
            return str(error)
        if zone:
            return translate("{}; save the table that you mean as a separate file.", error.problem)
        return self.intake.offer_parts(file, error)

    def _refuse(self, zone, sentence):
        """Show why an upload or a pasted text cannot be read."""
        self._cancel(zone)
        self._show(zone, None, None, sentence)

    def _cancel(self, zone):
        self._arrivals.cancel(0 if self.main.together else zone)

    def forget(self) -> None:
        """Show no file."""
        self._cancel(0)
        self.main.present(0, None, None, "")

    async def load(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Use files, each (name, bytes), that the page's link names, so that the user need not choose them again."""
        for zone, (name, raw) in enumerate(files):
            await self.receive(ParsedFile(name, raw), zone)
        await self.press()

    def choose(self, raw: bytes, name: str, zone: int = 0) -> None:
        """Show a file's preview. After a refusal the data in use stay in use.

        Parameters
        ----------
        raw : bytes
            The bytes of the file.
        name : str
            Its name.
        zone : int, default 0
            1 for a second file.
        """
        if zone == 0:
            self.main.forget()
        given = self.main.take(zone, ParsedFile(name, raw))
        self.main.present(zone, given, *or_sentence(self.main.preview, given))

    # using the data

    async def press(self, event: Any = None) -> None:
        """Use the data in the files."""
        if self.main.digest is None:
            return  # the button was not visible
        data, error = await in_reader_thread(or_error, self.read)
        with pn.io.hold(self._doc):
            if data is not None:
                self.say("")
                _, error = or_error(self.use, data)
            self.main.explain(error)
            if error is None:
                self._release_files()
            else:
                self.say_whether_used(str(error))

    def _release_files(self):
        """Release what was parsed of large files. Small files stay parsed, so that other columns are fast to read."""
        for file in self.files.values():
            if len(file.raw) > LARGE:
                file.forget()

    # messages

    def say(self, sentence: str) -> None:
        """Show a message, or hide the pane if it is empty."""
        sentence = translate(sentence)
        self.trouble.param.update(
            object=markup("<div role='alert' class='trouble'>{}</div>", sentence) if sentence else "",
            visible=bool(sentence),
        )

    def say_whether_used(self, sentence: str) -> None:
        """Report to the page why data are not used, or that other data can replace them."""
        if sentence or self._is_refused:
            self.not_used(sentence)
        self._is_refused = bool(sentence)
