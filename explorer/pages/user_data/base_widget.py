"""Base of the widgets that take the user's data: ways in, a preview, what is wrong with the data, and a button."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

import panel as pn
import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets.files import contents
from explorer.datasets.files.addresses import SeveralTables
from explorer.datasets.files.parsed_file import as_parsed_file
from explorer.languages import translate
from explorer.markup import markup
from explorer.pages.layout.markup_pane import html
from explorer.printing import short_name

from .inputs.intake import DROP, Examples, Intake
from .inputs.upload import Upload, in_reader_thread

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text

T = TypeVar("T")
Use: TypeAlias = Callable[[Any, dict[str, Any]], None]  # receives the data and the fields that identify them
Asked: TypeAlias = Callable[[], Mapping[str, Any]]  # returns the fields that a link may have set
LARGE = 500_000  # bytes; a larger file takes more than a few tenths of a second, so the page says that it is being read


class UserData(pn.viewable.Viewer):
    """Base class of the widgets that take the user's data: an Intake, a preview, and the button that uses the data.

    A subclass provides `about_it`, a text on the accepted files, `_read_preview(raw, name)`, which returns a file's
    preview or raises Refusal and runs in a thread, `_show_preview(raw, preview, sentence)`, which shows it, and
    `_pressed`, which uses it. `asked()` returns the fields that a link may have set: the file that they name opens as
    its sender used it. `examples` maps a label to a function that shows an example. `not_used(sentence)` is called with
    the reason if data that the user provided are not used, and with "" once other data can be used.
    """

    about_it = ""
    not_used: Callable[[str], object] = str  # replaced by the page's method once there is a page
    pasted = "pasted.csv"  # file name of a pasted text

    def __init__(self, label: str, asked: Asked, examples: Examples, paste: str, hint: str, **params: Any) -> None:
        super().__init__(**params)
        self._doc = pn.state.curdoc  # stored, because a coroutine no longer finds it after an await
        self._asked, self._coming = asked, None  # `_coming` identifies the bytes being read
        self._is_refused = False  # whether the page shows why data are not used
        # files are shown in order of arrival, because a new first file discards the second
        self._in_turn = asyncio.Lock()
        zone = self._first_zone(self._unread)
        self.intake: Intake = Intake(self._receive, self._refused, examples, self._name_of_pasted, paste, hint, zone)
        self.file: Upload = self.intake.file
        self.file.param.watch(self._chosen, "value")
        self.about: Text = html(
            markup("<div class='caption'>{}</div>", translate(self.about_it)), margin=(14, 10, 4, 10)
        )
        self.trouble: Text = html("", visible=False)
        self.button: pmui.Button = pmui.Button(
            label=translate(label), variant="contained", visible=False, on_click=self._pressed
        )

    def _read_preview(self, raw: bytes, name: str) -> Any:
        """Return a file's preview or raise Refusal. It runs in a thread."""
        raise NotImplementedError

    def _show_preview(self, raw: bytes, preview: Any, refusal: str) -> None:
        """Show a file's preview, or say why the file cannot be used."""
        raise NotImplementedError

    async def _pressed(self, event: Any = None) -> None:
        """Use the data in the file."""
        raise NotImplementedError

    def _first_zone(self, refuse):
        """Return the upload zone of the (first) file."""
        return Upload(refuse, label=translate(DROP))

    def _name_of_pasted(self):
        return self.pasted

    def _is_named_by_link(self, digest):
        """Return whether a link named the file with this hash."""
        return self._asked().get("hash") == digest

    def _refused(self, sentence):
        """Show why an upload was refused."""
        self._coming = None
        self._show_preview(b"", None, sentence)

    def _unread(self, sentence):
        """Show why a file cannot be read. What the lab shows is then not a result about this file."""
        self._refused(sentence)
        self.say_whether_used(sentence)

    def say_whether_used(self, sentence: str) -> None:
        """Report to the page why data are not used, or that other data can replace them."""
        if sentence or self._is_refused:
            self.not_used(sentence)
        self._is_refused = bool(sentence)

    async def _chosen(self, event):
        if event.new is not None:
            self.intake.forget()
            await self._receive(event.new, self.file.filename)

    async def _receive(self, raw, name):
        """Look into the bytes of a file, unless another file arrives in the meantime."""
        self._coming, raw = (turn := object()), as_parsed_file(raw)
        if len(raw) > LARGE:
            self._say("")
            self.about.object = markup("<div class='caption'>Reading {} ...</div>", short_name(name))

        def looked():
            return or_error(self._read_preview, raw, name) if self._coming is turn else (None, None)

        async with self._in_turn:
            seen, error = await in_reader_thread(looked)
            if self._coming is not turn:
                return
            with pn.io.hold(self._doc):
                refusal = "" if error is None else self._why(raw, name, error)
                self._show_preview(raw, seen, refusal)
                self.say_whether_used(refusal)

    def _why(self, raw, name, error):
        """Return the message of a refusal. If the file has several tables, offer a choice of them."""
        return self.intake.offer_parts(raw, name, error) if isinstance(error, SeveralTables) else str(error)

    async def load(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Use files, each (name, bytes), that the page's link names, so that the user need not choose them again."""
        (name, raw), *_ = files
        await self._receive(raw, name)
        await self._pressed()

    def choose(self, raw: bytes, name: str) -> None:
        """Show a file's preview. After a refusal the data in use stay in use."""
        raw = as_parsed_file(raw)
        self._show_preview(raw, *or_sentence(self._read_preview, raw, name))

    def refuse(self, sentence: str) -> None:
        """Show why the lab cannot use the data."""
        self._say(sentence)

    def _say(self, sentence):
        """Show a message, or hide the pane if it is empty."""
        self.trouble.param.update(
            object=markup("<div role='alert' class='trouble'>{}</div>", sentence) if sentence else "",
            visible=bool(sentence),
        )


def or_error(function: Callable[..., T], *args: Any) -> tuple[T | None, Refusal | None]:
    """Return (result, None) on success, or (None, error) if the function raised Refusal."""
    try:
        with contents.within_memory("the file"):
            return function(*args), None
    except Refusal as error:
        return None, error


def or_sentence(function: Callable[..., T], *args: Any) -> tuple[T | None, str]:
    """Return (result, "") on success, or (None, message) if the function raised Refusal."""
    given, error = or_error(function, *args)
    return given, "" if error is None else str(error)
