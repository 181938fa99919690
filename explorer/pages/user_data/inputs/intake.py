"""Intake of data: a file dropped or chosen, a pasted text, or an example."""

from __future__ import annotations

import io
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, TypeAlias

import panel as pn
import panel_material_ui as pmui
import param

from explorer.datasets.files.addresses import SeveralTables, part_label
from explorer.datasets.files.parsed_file import ParsedFile, as_parsed_file
from explorer.languages import message, translate
from explorer.markup import markup
from explorer.pages.layout.markup_pane import html
from explorer.pages.widgets.button_row import ButtonRow

from .paste import PasteBox
from .upload import Refuse, Upload

Examples: TypeAlias = Mapping[str, Callable[[], object]] | None  # label -> function that shows the example
DROP = "Drop a file here, or choose one"
CHOOSE = {message("sheet"): "choose a sheet", message("table"): "choose a table"}
HALF = {"flex": "1 1 300px", "min-width": "0"}


class ChosenPart(param.Parameterized):
    """Runs a coroutine function for a table that was chosen from a file with several."""

    taken: Any = param.Callable(doc="takes the table")

    @param.depends("taken", watch=True)
    async def _take(self):
        await self.taken()


class Intake(pn.viewable.Viewer):
    """Upload zone, paste box and examples, with buttons that save the pasted texts.

    `take(raw, name)`, a coroutine function, receives the bytes of a pasted text and the name that `naming()` returns.
    `file` is the Upload, either `zone` or a new one; its `value` is watched. `refuse(sentence)` is called with the
    reason if there is nothing to take. `examples` maps a label to a function that shows an example.
    """

    def __init__(
        self,
        take: Callable[[bytes, str], Awaitable[None]],
        refuse: Refuse,
        examples: Examples,
        naming: Callable[[], str],
        paste: str = "Or paste a table",
        hint: str = "",
        zone: Upload | None = None,
        **params: Any,
    ) -> None:
        super().__init__(**params)
        self._doc = pn.state.curdoc  # stored, because a coroutine no longer finds it after an await
        self._take, self._naming = take, naming
        self.file: Upload = Upload(refuse, label=translate(DROP)) if zone is None else zone
        self.paste: PasteBox = PasteBox(
            self._receive_pasted, refuse, label=translate(paste), hint=hint, sizing_mode="stretch_width", margin=(0, 10)
        )
        self.copies: pn.FlexBox = pn.FlexBox(margin=(0, 4))
        known = dict(examples or {})
        words = list(known)
        self._file: tuple[ParsedFile, str] | None = None  # a file with several tables, and its name
        self._offering = False
        self.parts: pmui.Select = pmui.Select(
            label="table", options={"choose one": ""}, value="", size="small", width=260, margin=(8, 10), visible=False
        )
        self.parts.param.watch(self._chosen, "value")
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
        await self._take(raw, name)

    def beside(self, zone: Upload) -> None:
        """Add a second zone next to the first one, below it on a narrow page."""
        for each in (self.file, zone):
            each.param.update(sizing_mode=None, styles=HALF, margin=(8, 10))
        self.zones.append(zone)

    def forget(self) -> None:
        """Remove the copies of pasted texts, because files have replaced them."""
        self.copies.objects = []
        self._offer(None)

    def offer_parts(self, raw: bytes, name: str, several: SeveralTables) -> str:
        """Offer the sheets or tables of a file, and return the message that asks for one of them."""
        self._offer((as_parsed_file(raw), name), several.argument, several.names)
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
        raw, name = self._file
        chosen = ParsedFile(raw)
        chosen.part = event.new
        self._chosen_part.taken = partial(self._take, chosen, part_label(name, event.new))


def _copy(name, raw):
    """Return a button that saves a pasted text as the file that copied Python reads and that a link asks for."""
    button = pmui.FileDownload(
        label=translate("Save as {}", name), filename=name, callback=partial(io.BytesIO, raw), auto=True, size="small"
    )
    button.variant = "text"  # Panel 1.9 would treat it as a deprecated argument
    return button
