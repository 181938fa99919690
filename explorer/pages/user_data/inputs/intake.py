"""Intake of data: a file dropped or chosen, a pasted text, or an example."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, ClassVar, TypeAlias

import panel as pn
import panel_material_ui as pmui
import param
from panel.custom import JSComponent

from explorer.browser import component, sheet
from explorer.checks import Refusal
from explorer.datasets.files import contents
from explorer.datasets.files.addresses import SeveralTables, part_label
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.languages import bind_language, message, translate
from explorer.markup import markup
from explorer.pages.layout.markup_pane import html
from explorer.pages.widgets.button_row import ButtonRow

from .upload import Refuse, Upload

Examples: TypeAlias = Mapping[str, Callable[[], object]] | None  # label -> function that shows the example
DROP = "Drop a file here, or choose one"
CHOOSE = {message("sheet"): "choose a sheet", message("table"): "choose a table"}
MOST = 5_000_000  # most characters of a pasted text; a longer message would end the connection
HALF = {"flex": "1 1 300px", "min-width": "0"}


class ChosenPart(param.Parameterized):
    """Runs a coroutine function for a table that was chosen from a file with several."""

    taken: Any = param.Callable(doc="takes the table")

    @param.depends("taken", watch=True)
    async def _take(self):
        await self.taken()


class Intake(pn.viewable.Viewer):
    """Upload zone, paste box and examples, with buttons that save the pasted texts.

    `take(file)`, a coroutine function, receives a pasted text as a ParsedFile with the name that `naming()` returns, or
    the chosen table of a file with several. `file` is the upload zone. `refuse(sentence)` is called with the reason if
    there is nothing to take. `examples` maps a label to a function that shows an example.
    """

    def __init__(
        self,
        take: Callable[[ParsedFile], Awaitable[None]],
        refuse: Refuse,
        examples: Examples,
        naming: Callable[[], str],
        paste: str,
        hint: str,
        zone: Upload,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._doc = pn.state.curdoc  # stored, because a coroutine no longer finds it after an await
        self._take, self._naming = take, naming
        self.file: Upload = zone
        self.paste: PasteBox = PasteBox(
            self._receive_pasted, refuse, label=translate(paste), hint=hint, sizing_mode="stretch_width", margin=(0, 10)
        )
        self.copies: pn.FlexBox = pn.FlexBox(margin=(0, 4))
        known = dict(examples or {})
        words = list(known)
        self._file: ParsedFile | None = None  # a file with several tables
        self._offering = False
        self.parts: pmui.Select = pmui.Select(
            label="table", options={"choose one": ""}, value="", size="small", width=260, margin=(8, 10), visible=False
        )
        self.parts.param.watch(bind_language(self._chosen), "value")
        self._chosen_part: ChosenPart = ChosenPart()
        self.examples: ButtonRow = ButtonRow(lambda place: known[words[place]](), words=words, margin=(0, 10))
        told = html(
            markup("<span style='font-size: 14px'>{}</span>", translate("Or use an example")),
            sizing_mode=None,
            margin=(0, 0, 0, 10),
        )
        self.zones: pn.FlexBox = pn.FlexBox(self.file, margin=0, sizing_mode="stretch_width")
        self._layout = pn.Column(
            self.zones,
            self.paste,
            self.copies,
            self.parts,
            pn.FlexBox(told, self.examples, align_items="center", gap="0", margin=(6, 0), visible=bool(words)),
            sizing_mode="stretch_width",
            margin=0,
        )

    def __panel__(self) -> pn.Column:
        return self._layout

    async def _receive_pasted(self, raw):
        name = self._naming()
        with pn.io.hold(self._doc):
            self._offer(None)
            copies: list[Any] = list(self.copies)
            kept = [copy for copy in copies if copy.filename != name]
            self.copies.objects = [*kept, _copy(name, raw)]
        await self._take(ParsedFile(name, raw))

    def beside(self, zone: Upload) -> None:
        """Add a second zone next to the first one, below it on a narrow page."""
        for each in (self.file, zone):
            each.param.update(sizing_mode=None, styles=HALF, margin=(8, 10))
        self.zones.append(zone)

    def forget(self) -> None:
        """Remove the copies of pasted texts, because files have replaced them."""
        self.copies.objects = []
        self._offer(None)

    def offer_parts(self, file: ParsedFile, several: SeveralTables) -> str:
        """Offer the sheets or tables of a file, and return the message that asks for one of them."""
        self._offer(file, several.argument, several.names)
        return translate("{}; choose one in the menu.", several.problem)

    def _offer(self, file, what="", names=()):
        """Show the menu of a file's tables, or hide it if `file` is None."""
        self._file, self._offering = file, True
        what = what or "table"
        options = {translate(CHOOSE[what]): "", **{each: each for each in names}}
        self.parts.param.update(label=translate(what), options=options, value="", visible=file is not None)
        self._offering = False

    def _chosen(self, event):
        """Take the chosen table, unless the menu is being filled."""
        if self._offering or self._file is None or not event.new:
            return
        name = part_label(self._file.name, event.new)
        self._chosen_part.taken = bind_language(partial(self._take, ParsedFile(name, self._file.raw, event.new)))


class PasteBox(JSComponent):
    """Paste box, folded at first. `take(raw)` receives the text as bytes, `refuse(sentence)` a refusal's reason."""

    label: param.String[str] = param.String("Or paste a table", doc="the label of the box")
    hint: param.String[str] = param.String(doc="an example of a pasted text")
    most: param.Integer[int] = param.Integer(MOST, doc="most characters that are sent")

    _esm = component("paste.paste")
    _stylesheets: ClassVar[list[str]] = [sheet("paste")]

    def __init__(self, take: Callable[[bytes], Awaitable[None]], refuse: Refuse, **params: Any) -> None:
        super().__init__(**params)
        self._take, self._refuse = take, refuse
        self.on_msg(bind_language(self._pressed))

    async def _pressed(self, event):
        try:
            raw = _pasted(event.data)
        except Refusal as refusal:
            self._refuse(str(refusal))
        else:
            await self._take(raw)


def _copy(name, raw):
    """Return a button that saves a pasted text as the file that copied Python reads and that a link asks for."""
    button = pmui.FileDownload(
        label=translate("Save as {}", name), filename=name, callback=partial(io.BytesIO, raw), auto=True, size="small"
    )
    button.variant = "text"  # Panel 1.9 would treat it as a deprecated argument
    return button


def _pasted(text):
    """Return the bytes of a pasted text.

    Raises
    ------
    Refusal
        If the text is too long or empty.
    """
    if text is not None and not isinstance(text, str):
        raise Refusal("The pasted text arrived damaged; paste it again.")
    if text is None or len(text) > MOST:
        raise Refusal("The pasted text has more than {:,} letters; save it as a file and drop that instead.", MOST)
    if not text.strip():
        raise Refusal("The box is empty; paste a table into it first.")
    raw = text.encode("utf-8", "replace")
    if len(raw) > contents.MEGABYTES * 1_000_000:
        raise contents.too_large_error("The pasted text")
    return raw
