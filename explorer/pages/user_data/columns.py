"""The columns of the user's table: a menu of them, those left out, scales, a Gram matrix, rows with missing values."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import TableRefusal, read_table
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.datasets.read_table import parse
from explorer.datasets.table_preview import ColumnPreview, TablePreview, preview_of
from explorer.languages import bind_language, message, translate
from explorer.pages.widgets.button_row import ButtonRow
from explorer.types import Missing

from .inputs.preview_html import placeless, preview_html, rows_of
from .reading import Content
from .slot import BOTTOM, MIDDLE, TOP

OFFERED = 12  # most columns left out that get a button to use them anyway
ABOUT = message(
    "CSV, workbooks, JSON, SQLite, Parquet, NPY, Stata and others, also in a zip archive; up to 20 MB. Your data"
    " stay in this session: no link carries them."
)
SCALING = message("scale each column to mean 0 and variance 1")


class Columns(Content):
    """Slot of a table's columns. Alone it reads them as one table.

    Parameters
    ----------
    grams : bool, default False
        Whether the lab also takes a Gram matrix.
    beside : bool, default False
        Whether other columns may accompany a Gram matrix.
    needs : str, default ""
        What the lab needs coordinates for, if it does. A Gram matrix is then refused with this reason.
    uses : int or None, default None
        The number of chosen columns that the lab uses, the first ones; None is all.
    shows : callable or None, default None
        Returns, from names of columns, those that the lab shows at first if it shows few at a time; None is all.
    categories : bool, default True
        Whether columns of few different texts are chosen by default.
    scaling : str, default SCALING
        The label of the control that sets how numbers are scaled.
    scales : mapping of str to str or None, default None
        Label -> value of the ways to scale, "common", "none" and others; the first one is the default. None is a
        switch.

    Attributes
    ----------
    menu, gram, standardise
        The widgets that set the columns, whether they are a Gram matrix, and how they are scaled.

    Notes
    -----
    Every chosen column can cost rows, because rows with a missing value are lost. A column that the lab does not show
    at first is therefore chosen by default only if it has no missing values.
    """

    label = message("Use this table")
    paste = message("Or paste a table")
    hint = "height,weight,species\n1.8,80,a\n1.6,55,b"
    pasted = "pasted.csv"
    about = ABOUT

    def __init__(
        self,
        *,
        grams: bool = False,
        beside: bool = False,
        needs: str = "",
        uses: int | None = None,
        shows: Callable[[Sequence[str]], Sequence[str]] | None = None,
        categories: bool = True,
        scaling: str = SCALING,
        scales: Mapping[str, str] | None = None,
    ) -> None:
        self.grams, self.beside, self.needs = grams, beside, needs
        self.uses, self.shows, self.categories = uses, shows, categories
        self.scaling, self.scales = scaling, scales

    def build(self) -> dict[str, Any]:
        self._dropping = self._wanted = False  # whether rows are dropped, and whether the table is to be used
        self.menu: pmui.MultiChoice = pmui.MultiChoice(
            label=translate("columns"), options=[], sizing_mode="stretch_width", visible=False
        )
        self.unused: ButtonRow = ButtonRow(self._use_too, visible=False, sizing_mode="stretch_width", margin=(0, 10))
        self.standardise: Any = self._scale_control()
        self.gram: pmui.Switch = pmui.Switch(label=translate("it is a Gram matrix, k(row, column)"), visible=False)
        self.drop: pmui.Button = pmui.Button(
            label="", variant="outlined", size="small", visible=False, on_click=bind_language(self._dropped)
        )
        for menu in (self.menu, self.gram):
            self.panel.watch(menu)
        return {
            "columns": self.menu,
            "unused": self.unused,
            "standardise": self.standardise,
            "gram": self.gram,
            "drop": self.drop,
        }

    def _scale_control(self):
        label = translate(self.scaling)
        if self.scales is None:
            return pmui.Switch(label=label, value=True, visible=False)
        first = next(iter(self.scales.values()))
        return pmui.Select(label=label, options=dict(self.scales), value=first, size="small", width=340, visible=False)

    def rows(self) -> Sequence[Any]:
        panel = self.panel
        others = {
            place: [row for slot in panel.slots if slot is not self and slot.place == place for row in slot.rows()]
            for place in (TOP, MIDDLE, BOTTOM)
        }
        return [
            panel.intake,
            panel.about,
            self.gram,
            *others[TOP],
            self.unused,
            *others[MIDDLE],
            self.menu,
            *others[BOTTOM],
            self.standardise,
            panel.trouble,
            self.drop,
            panel.button,
        ]

    # a file

    @property
    def digest(self) -> str | None:
        return self.panel.preview.hash if self.panel.preview else None

    def preview(self, given: ParsedFile) -> TablePreview:
        # the strict reader reads a file only if a link names it and asks for that
        preview = preview_of(parse(given, lenient=True))
        if preview.unusual and self.panel.is_named(preview.hash) and not self.panel.asked()["lenient"]:
            preview = preview_of(parse(given))
        for slot in self.panel.slots:
            slot.look(given, preview)
        return preview

    def present(self, zone: int, given: ParsedFile | None, preview: TablePreview | None, refusal: str) -> str:
        panel = self.panel
        if zone:
            panel.second_file.take(given, preview, refusal)
            return refusal
        panel.files.pop(0, None)
        if given is not None:
            panel.files[0] = given
        panel.preview, self._dropping, self._wanted = preview, False, False
        asked = panel.named_fields()
        with panel.quietly():
            for slot in panel.slots:
                slot.show(asked)
            names = self.selectable
            self.offer()
            self.gram.visible = self.may_be_gram
            self.gram.value = self.gram.visible and self._seems_gram()
            if asked:
                reader = panel.reader
                self.menu.value = names_of(asked["columns"], names) or reader.unasked() or reader.usual()
                self._dropping = asked["missing"] == "drop"
                self._scale_as(asked["standardise"])
                self.gram.value = asked["gram"] and self.gram.visible
            for slot in panel.slots:
                slot.settle(asked)
        panel.button.visible = bool(names)
        if preview and not names:
            refusal = translate("{} has no column of numbers; a kernel mean needs at least one.", preview.name)
        refusal = refusal or self._placeless()
        panel.say(refusal)
        self.follow()
        return refusal

    def _scale_as(self, scaled):
        """Set the control to show whether the columns are scaled."""
        self.standardise.value = scaled if self.scales is None else "common" if scaled else "none"

    def _placeless(self):
        """Return a message if a Gram matrix is chosen but the lab needs coordinates, otherwise ""."""
        preview = self.panel.preview
        return placeless(preview, self.menu.value, self.needs) if preview and self.needs else ""

    # columns

    @property
    def previews(self) -> Sequence[ColumnPreview]:
        """The previews of the file's columns."""
        return self.panel.preview.columns if self.panel.preview else ()

    @property
    def selectable(self) -> list[str]:
        """The names of the columns that may be chosen."""
        reserved = self.panel.reserved()
        return [column.name for column in self.previews if column.use and column.name not in reserved]

    def offer(self) -> None:
        """Offer the columns that no slot reserves, with the usual ones chosen."""
        self.menu.param.update(options=self.selectable, value=self.panel.reader.usual())

    @property
    def is_refused_unasked(self) -> bool:
        """True if the readers refuse to leave out a column unless others are named."""
        return any(column.refused for column in self.previews)

    @property
    def measuring(self) -> list[str]:
        """The columns that measure something, only numeric ones if the lab uses few."""
        usual = self._measuring("number")
        if self.categories and not (usual and self.uses):
            usual = self._measuring("number", "category")
        names = self._without_needless_gaps(usual or self.panel.reader.unasked() or self.selectable)
        reserved = self.panel.reserved()
        return [name for name in names if name not in reserved]

    def _measuring(self, *kinds):
        return [column.name for column in self.previews if column.use in kinds and not column.why]

    def _without_needless_gaps(self, names):
        """Drop the columns that the lab does not show at first and that have missing values."""
        if self.shows is None or not self.panel.preview:
            return names
        shown_first = self.shows(names)
        return [name for name in names if name in shown_first or not self.panel.preview.incomplete([name])]

    @property
    def chosen_names(self) -> list[str]:
        """The names of the chosen columns that the lab uses, or those of the Gram matrix."""
        return list(self.matrix if self.gram.value else self.menu.value[: self.uses])

    @property
    def matrix(self) -> tuple[str, ...]:
        """The names of the columns that may be a Gram matrix."""
        preview = self.panel.preview
        return ((self.beside and preview.block) or preview.square) if preview else ()

    @property
    def may_be_gram(self) -> bool:
        """True if the file may be a Gram matrix that the lab takes."""
        return self.grams and bool(self.matrix) and all(slot.allows_gram() for slot in self.panel.slots)

    def _seems_gram(self):
        """Return whether the file is treated as a Gram matrix by default.

        For any other square table the user can ask for it, and gets an error message if it is not one.
        """
        preview = self.panel.preview
        return bool(preview.block if self.beside else preview.gram)

    @property
    def words(self) -> list[str]:
        """The chosen columns of words."""
        return [column.name for column in self.previews if not column.numeric and column.name in self.menu.value]

    @property
    def unchosen(self) -> list[ColumnPreview]:
        """The previews of the columns that are not used."""
        used = {*self.panel.reader.chosen(), *self.panel.reserved()} if self.panel.preview else ()
        return [column for column in self.previews if column.name not in used]

    @property
    def few_used(self) -> str:
        """A remark if the lab uses fewer columns than are chosen, otherwise ""."""
        if self.uses is None or len(self.menu.value) <= self.uses:
            return ""
        return translate(" This lab shows {} columns at a time, the first that are chosen.", self.uses)

    def follow(self) -> None:
        """Describe the chosen columns, and offer the columns left out and to drop rows with missing values."""
        panel = self.panel
        reader, preview = panel.reader, panel.preview
        if preview:
            more = reader.describe() + "".join(slot.remark() for slot in panel.slots)
            panel.describe(preview_html(preview, reader.chosen(), more))
        else:
            panel.describe(panel.nothing_yet)
        unchosen = [column.name for column in self.unchosen if column.name in self.menu.options]
        choosing = reader.is_choosing()
        self.unused.param.update(
            words=[translate("Use {}", name) for name in unchosen[:OFFERED]], visible=bool(unchosen) and choosing
        )
        self.menu.visible = self.standardise.visible = panel.button.visible and choosing
        self._offer_dropping(0 if self._dropping else reader.incomplete())

    def _use_too(self, place):
        """Choose a column that was left out, at its position among the others."""
        taken = {*self.menu.value, self.unused.words[place].removeprefix("Use ")}
        self.menu.value = [name for name in self.menu.options if name in taken]

    # rows with missing values

    @property
    def missing(self) -> Missing:
        """How rows with missing values are treated: "refuse" or "drop"."""
        return "drop" if self._dropping else "refuse"

    def remark(self) -> str:
        count = self.panel.reader.incomplete() if self._dropping else 0
        return translate(" {} with missing values left out.", rows_of(count)) if count else ""

    async def _dropped(self, event):
        """Drop the rows with missing values. If the user has tried to use the table, use the other rows."""
        self._dropping = True
        self.panel.say("")
        self.follow()
        if self._wanted:
            await self.panel.press()

    def _offer_dropping(self, rows):
        label = translate("Drop {} with missing values", rows_of(rows))
        self.drop.param.update(label=label, visible=rows > 0)

    # using the table

    @property
    def how(self) -> dict[str, Any]:
        """The arguments of `read_table` other than the file."""
        reader = self.panel.reader
        return {
            "columns": reader.chosen(),
            "missing": self.missing,
            "standardise": reader.is_scaled(),
            "lenient": self.panel.lenient,
            "gram": self.gram.value,
            **self.panel.arguments(),
        }

    def read(self) -> Any:
        if sentence := self._placeless():
            raise Refusal(sentence)
        table = read_table(self.panel.files[0], **self.how)
        if table.n < 2:
            raise Refusal("{} has 1 row; at least 2 are needed to choose anything by leaving one out.", table.name)
        return table

    def explain(self, error: Exception | None) -> None:
        self._wanted = error is not None
        if error is None:
            return
        if not isinstance(error, TableRefusal):
            self.panel.say(str(error))
        elif error.argument == "missing":
            self.panel.say(f"{error.problem}.")
            self._offer_dropping(error.rows)
        elif error.argument == "columns":
            names: Any = error.value
            self.panel.say(translate("{}; choose {} under {}.", error.problem, ", ".join(names), error.argument))
        else:
            self.panel.say(str(error))


def names_of(word: str, offered: Collection[str]) -> list[str]:
    """Return the columns that a link names, empty if it names none or if one does not exist."""
    try:
        names = json.loads(word) if word else []
    except ValueError:
        return []
    return names if isinstance(names, list) and all(name in offered for name in names) else []
