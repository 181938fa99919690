"""What bringing in data of one's own always has: ways in, what there is to see of them, what is wrong, and a button."""

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
from .inputs.upload import Upload, elsewhere

if TYPE_CHECKING:
    from explorer.pages.layout.markup_pane import Text

T = TypeVar("T")
Use: TypeAlias = Callable[[Any, dict[str, Any]], None]  # hears the data, and the fields that name them
Asked: TypeAlias = Callable[[], Mapping[str, Any]]  # the fields that a link may have brought
LARGE = 500_000  # bytes: up to here a file is read in a few tenths of a second, beyond it the page says that it reads


class UserData(pn.viewable.Viewer):
    """An Intake, what it holds, and the button that uses it.

    A subclass gives `about_it`, what may come in, `_look(raw, name)`, what a file holds, or a Refusal, for a thread to
    compute, `_shown(raw, preview, sentence)`, which shows it, and `_pressed`, which uses it. `asked()` gives the fields
    that a link may have brought: the file that they name opens as its sender used it. `examples` maps a word to a
    function that shows the data it names. `not_used(sentence)` hears why data that the user has given are not used,
    and hears "" once others can be.
    """

    about_it = ""
    not_used: Callable[[str], object] = str  # the page hears of it, once there is one
    pasted = "pasted.csv"  # what a pasted text goes by

    def __init__(self, label: str, asked: Asked, examples: Examples, paste: str, hint: str, **params: Any) -> None:
        super().__init__(**params)
        self._doc = pn.state.curdoc  # kept, because a coroutine that has awaited no longer finds it
        self._asked, self._coming = asked, None  # the turn of the bytes that are being looked into
        self._is_refused = False  # whether the page says why data are not used
        self._in_turn = asyncio.Lock()  # files are shown as they came: a first one that is new forgets the second
        zone = self._first_zone(self._unread)
        self.intake: Intake = Intake(self._given, self._refused, examples, self._name_of_pasted, paste, hint, zone)
        self.file: Upload = self.intake.file
        self.file.param.watch(self._chosen, "value")
        self.about: Text = html(
            markup("<div class='caption'>{}</div>", translate(self.about_it)), margin=(14, 10, 4, 10)
        )
        self.trouble: Text = html("", visible=False)
        self.button: pmui.Button = pmui.Button(
            label=translate(label), variant="contained", visible=False, on_click=self._pressed
        )

    def _look(self, raw: bytes, name: str) -> Any:
        """What a file holds, or a Refusal; a thread computes it."""
        raise NotImplementedError

    def _shown(self, raw: bytes, preview: Any, refusal: str) -> None:
        """Show what a file holds, or say why it cannot be used."""
        raise NotImplementedError

    async def _pressed(self, event: Any = None) -> None:
        """Use what the file holds."""
        raise NotImplementedError

    def _first_zone(self, refuse):
        """The zone that takes a file."""
        return Upload(refuse, label=translate(DROP))

    def _name_of_pasted(self):
        return self.pasted

    def _known(self, digest):
        """Whether a link named the file."""
        return self._asked().get("hash") == digest

    def _refused(self, sentence):
        """Say why an upload was refused."""
        self._coming = None
        self._shown(b"", None, sentence)

    def _unread(self, sentence):
        """Say why a file cannot be read: what the lab shows is no answer about it."""
        self._refused(sentence)
        self.say_whether_used(sentence)

    def say_whether_used(self, sentence: str) -> None:
        """Let the page hear why data are not used, or that others can be in their place."""
        if sentence or self._is_refused:
            self.not_used(sentence)
        self._is_refused = bool(sentence)

    async def _chosen(self, event):
        if event.new is not None:
            self.intake.forget()
            await self._given(event.new, self.file.filename)

    async def _given(self, raw, name):
        """Look into bytes, unless others have come meanwhile."""
        self._coming, raw = (turn := object()), as_parsed_file(raw)
        if len(raw) > LARGE:
            self._say("")
            self.about.object = markup("<div class='caption'>Reading {} ...</div>", short_name(name))

        def looked():
            return or_error(self._look, raw, name) if self._coming is turn else (None, None)

        async with self._in_turn:
            seen, error = await elsewhere(looked)
            if self._coming is not turn:
                return
            with pn.io.hold(self._doc):
                refusal = "" if error is None else self._why(raw, name, error)
                self._shown(raw, seen, refusal)
                self.say_whether_used(refusal)

    def _why(self, raw, name, error):
        """The sentence of a refusal; of several tables one can be chosen."""
        return self.intake.offer_parts(raw, name, error) if isinstance(error, SeveralTables) else str(error)

    async def bring(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Use files, (name, bytes) of each, that the page's link names and nobody has to choose again."""
        (name, raw), *_ = files
        await self._given(raw, name)
        await self._pressed()

    def choose(self, raw: bytes, name: str) -> None:
        """Show what a file holds; a refusal leaves the data in use as they are."""
        raw = as_parsed_file(raw)
        self._shown(raw, *or_sentence(self._look, raw, name))

    def refuse(self, sentence: str) -> None:
        """Say why the lab cannot take the data."""
        self._say(sentence)

    def _say(self, sentence):
        """Show a sentence, none where it is empty."""
        self.trouble.param.update(
            object=markup("<div role='alert' class='trouble'>{}</div>", sentence) if sentence else "",
            visible=bool(sentence),
        )


def or_error(function: Callable[..., T], *args: Any) -> tuple[T | None, Refusal | None]:
    """(what the function gives, None) or (None, its refusal)."""
    try:
        with contents.within_memory("the file"):
            return function(*args), None
    except Refusal as error:
        return None, error


def or_sentence(function: Callable[..., T], *args: Any) -> tuple[T | None, str]:
    """(what the function gives, no sentence) or (None, why not)."""
    given, error = or_error(function, *args)
    return given, "" if error is None else str(error)
