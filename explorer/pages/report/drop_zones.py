"""Drop zones of the report: one for each file, with its error messages, and the menu that splits a single file."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import panel as pn
import panel_material_ui as pmui

from explorer.browser import sheet
from explorer.datasets.files.addresses import SeveralTables
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.datasets.table_preview import preview_of
from explorer.pages.layout.markup_pane import Text
from explorer.pages.user_data.inputs.arrivals import Arrivals, in_reader_thread, or_sentence
from explorer.pages.user_data.inputs.intake import Intake
from explorer.pages.user_data.inputs.upload import Upload, take_two

from . import text as words
from .comparison_request import ReportInput, default_split, groups, splits, subjects, table_of

if TYPE_CHECKING:
    from explorer.datasets import TablePreview

SIDES = ("before", "after")
WANTED = ("drop or choose a file", "drop or choose the second file, if there is one")
PASTED = ("pasted before.csv", "pasted after.csv")  # file names of pasted texts
HALF = {"flex": "1 1 300px", "min-width": "0"}
TWO = "two files"
INDEPENDENT = "all rows are independent"
FIRST = "the first group"


class DropZones(pn.viewable.Viewer):
    """Two upload zones and a menu. `start(given)` receives what is to be compared, `clear()` says that nothing can be.

    If a file cannot be read, its zone shows the reason and has no file.
    """

    def __init__(self, start: Callable[[ReportInput], object], clear: Callable[[], object], **params: Any) -> None:
        super().__init__(**params)
        self._doc = pn.state.curdoc  # stored, because a coroutine no longer finds it after an await
        self._start, self._clear = start, clear
        self._arrivals = Arrivals()
        self._quiet = False
        self._groups: dict[str, list[str]] = {}  # what may split the first file -> names of its groups
        self.files: list[ParsedFile | None] = [None, None]
        self.previews: list[TablePreview | None] = [None, None]
        self.zones: list[Upload] = [
            Upload(partial(self._lose, k), side, wanted, margin=(4, 0))
            for k, (side, wanted) in enumerate(zip(SIDES, WANTED, strict=True))
        ]
        self.intakes: list[Intake] = [
            Intake(partial(self.take, k), partial(self._refused, k), None, partial(PASTED.__getitem__, k),
                   f"Or paste a table: {side}", "", zone)
            for k, (side, zone) in enumerate(zip(SIDES, self.zones, strict=True))
        ]  # fmt: skip
        for intake in self.intakes:
            intake.paste.margin = 0
            intake.parts.margin = (8, 0)
        self.troubles: list[Text] = [self._text("", visible=False) for _ in SIDES]
        self.about: Text = self._text(words.about(words.STAYS))
        self.by: pmui.Select = pmui.Select(
            label="groups are in", options={TWO: ""}, value="", size="small", width=260, margin=(8, 0), visible=False
        )
        self.reference: pmui.Select = self._menu("compared with", FIRST)
        self.within: pmui.Select = self._menu("compared within", INDEPENDENT)
        self.by.param.watch(self._split, "value")
        for menu in (self.reference, self.within):
            menu.param.watch(self._chosen_anew, "value")
        take_two(self.zones, self._receive_both)
        for k, zone in enumerate(self.zones):
            zone.param.watch(partial(self._chosen, k), "value")
        sides = [
            pn.Column(intake, trouble, margin=0, styles=HALF)
            for intake, trouble in zip(self.intakes, self.troubles, strict=True)
        ]
        self._layout = pn.Column(
            pn.FlexBox(*sides, margin=0, gap="0 16px", sizing_mode="stretch_width"),
            pn.FlexBox(self.by, self.reference, self.within, margin=0, gap="0 16px", sizing_mode="stretch_width"),
            self.about,
            sizing_mode="stretch_width",
            margin=0,
            css_classes=["asks"],
        )

    def __panel__(self) -> pn.Column:
        return self._layout

    def _menu(self, label, none):
        """Return a menu that becomes visible once it has something to choose."""
        options = {"options": {none: ""}, "value": "", "visible": False}
        return pmui.Select(label=label, size="small", width=260, margin=(8, 0), **options)

    def _text(self, shown, **options):
        sheets = [sheet("report_page")]
        return Text(shown, stylesheets=sheets, sizing_mode="stretch_width", margin=0, **options)

    def refuse(self, sentence: str) -> None:
        """Show why the input cannot be compared, at the last zone that has a file; both zones keep their files."""
        last = 1 if self.files[1] is not None and not self.by.value else 0
        self._refused(last, sentence, own=False)

    def _refused(self, k, sentence, own=True):
        if own:
            self._arrivals.cancel(k)
        self.troubles[k].param.update(object=words.trouble(sentence), visible=bool(sentence))

    def _lose(self, k, sentence, then=words.UNREAD):
        """Show why a file for zone k cannot be read. The zone then has no file, and there is nothing to compare."""
        self._refused(k, sentence)
        if sentence:
            self.files[k] = self.previews[k] = None
            self.zones[k].show_file_name("")
            if k == 0:
                self._choose("")
                self.by.visible = False
            self._clear()
            self.about.object = words.about(then)

    # Each zone has its coroutine function, so that it can receive another file while it reads.

    async def _chosen(self, k, event):
        if event.new is not None:
            self.intakes[k].forget()
            await self.take(k, ParsedFile(self.zones[k].filename, event.new))

    async def _receive_both(self, event):
        for k, (name, raw) in enumerate(event.new):
            self.intakes[k].forget()
            await self.take(k, ParsedFile(name, raw), follow=k == len(event.new) - 1)

    async def take(self, k: int, file: ParsedFile, follow: bool = True) -> None:
        """Look into a file that was dropped on zone k, unless another file arrives in the meantime."""
        show = partial(self._show, k, file, follow)
        await self._arrivals.read(k, lambda: preview_of(table_of(file)), show, self._doc)
        if k == 0 and file is self.files[0]:
            await self._read_groups(file)

    def _show(self, k, file, follow, preview, error):
        """Show the preview of a file, or why it cannot be read."""
        several = isinstance(error, SeveralTables)
        sentence = self.intakes[k].offer_parts(file, error) if several else str(error or "")
        self._lose(k, sentence, words.UNCHOSEN if several else words.UNREAD)
        if preview is None:
            return
        self.files[k], self.previews[k] = file, preview
        self.zones[k].show_file_name(file.name)
        if k == 0:
            self._groups = {}
            self._offer()
        elif self.by.value:
            self._choose("")  # a second file is compared with the first, whatever groups that has
        self._offer_groups()
        self._offer_subjects()
        if follow:
            self.follow()

    def _offer(self):
        """Offer the columns that may split the first file. A single file is split by the default one at once."""
        preview: Any = self.previews[0]
        found = splits(preview)
        chosen = "" if self.files[1] is not None else default_split(preview)
        self._quiet = True
        self.by.param.update(options={TWO: "", **found}, value=chosen, visible=bool(found))
        self._quiet = False

    def _offer_subjects(self):
        """Offer the columns within which rows may be compared. A choice that still exists is kept."""
        compared = self.previews[:1] if self.by.value else self.previews
        there = [each for each in compared if each is not None]
        found = subjects(there, self.by.value) if there else []
        self._fill(self.within, {INDEPENDENT: "", **{name: name for name in found}})

    async def _read_groups(self, file):
        """Read which groups the columns of the first file name, and offer them."""
        menu = [by for by in self.by.options.values() if by]
        found, _ = await in_reader_thread(or_sentence, lambda: {by: groups(file, by) for by in menu})
        if file is self.files[0]:
            self._groups = found or {}
            with pn.io.hold(self._doc):
                self._offer_groups()

    def _offer_groups(self):
        """Offer the groups that the others may be compared with."""
        self._fill(self.reference, {FIRST: "", **{name: name for name in self._groups.get(self.by.value, [])}})

    def _fill(self, menu, options):
        """Set the options of a menu without starting a comparison."""
        self._quiet = True
        value = menu.value if menu.value in options.values() else ""
        menu.param.update(options=options, value=value, visible=len(options) > 1)
        self._quiet = False

    def _choose(self, by):
        self._quiet = True
        self.by.value = by
        self._quiet = False

    def _split(self, event):
        if self._quiet:
            return
        with pn.io.hold(self._doc):
            self._offer_groups()
            self._offer_subjects()
            self.follow()

    def _chosen_anew(self, event):
        if not self._quiet:
            self.follow()

    def follow(self) -> None:
        """Compare the current files, or say what is missing."""
        first, second = self.files
        if first is None:
            self._clear()
            self.about.object = words.about(words.NO_FIRST)
        elif second is None and not self.by.value:
            self._clear()
            self.about.object = words.about(words.NO_SECOND)
        else:
            given = ReportInput(first, None if self.by.value else second, self.by.value, self.within.value)
            given = given._replace(reference=self.reference.value if self.by.value else "")
            shown = [each for each in self.previews[: len(given.files)] if each is not None]
            self.about.object = words.about(words.given(given, shown))
            self._start(given)
