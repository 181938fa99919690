"""Page of the Drift lab."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import ColumnPreview
from explorer.pages.interaction.drag import drag_line
from explorer.pages.layout.declarations import (
    Button,
    ChoiceWidget,
    Column,
    Group,
    MainPicture,
    Part,
    PictureSlot,
    Radio,
    Toggle,
    UserDataSection,
    WrapRow,
)
from explorer.pages.page import LabPage
from explorer.pages.user_data.table_widget import UserTable
from explorer.printing import join_list, short_name
from explorer.workbench.fields import BUNDLED, TABLES, draws
from explorer.workbench.kernels import has_bandwidth

from .lab import LEAST, DriftLab

OPEN = 1000  # the page opens with this many rows of the user's table: more would be slow to follow the controls
CHOOSE = "choose a column of dates"
SEVERAL = ("Several breaks", "Searching ...", "Several breaks")
QUIET = ("+100 series, no change", "Watching ...", "{value} series, no change")


class OwnSeries(UserTable):
    """The user's table, whose rows are in order of time or are sorted by one of its columns of dates."""

    about_it = (
        "Rows are sorted by a column of dates. A table without dates must be in order of time, the earliest row first. "
        f"{UserTable.about_it}"
    )
    unsorted = "the file's order"

    def __init__(self, *args: Any, **params: Any) -> None:
        super().__init__(*args, **params)
        self.order: pmui.Select = pmui.Select(
            label="rows in order of", options=[self.unsorted], sizing_mode="stretch_width", visible=False
        )
        self.order.param.watch(self._follow, "value")
        self._layout.insert(self._layout.index(self.standardise), self.order)

    def _show_preview(self, raw, preview, refusal):
        dates = [] if preview is None else [column.name for column in preview.columns if could_order(column)]
        first = dates[:1] if len(dates) == 1 else [self.unsorted] if not dates else [CHOOSE]
        asked = self._asked().get("time", "") if preview and self._is_named_by_link(preview.hash) else ""
        options = [*first, *(name for name in [*dates, self.unsorted] if name not in first)]
        with self._without_following():
            self.order.param.update(options=options, value=asked if asked in dates else first[0], visible=bool(dates))
        super()._show_preview(raw, preview, refusal)

    @property
    def time(self) -> str:
        """The column whose dates sort the rows, or "" for the file's order."""
        return "" if self.order.value in (self.unsorted, CHOOSE) else self.order.value

    @property
    def lenient(self) -> bool:
        """True if the choice needs the lenient reader, as dates do."""
        return bool(self.time) or super().lenient

    def _remark(self):
        """Say how columns, and rows without a date, are treated."""
        column = next((each for each in self.preview.columns if each.name == self.time), None)
        if column is None or not column.missing:
            return super()._remark()
        rows = "1 row has" if column.missing == 1 else f"{column.missing:,} rows have"
        are = "is" if column.missing == 1 else "are"
        return f"{super()._remark()} {rows} no date in {short_name(column.name)} and {are} left out."

    def read(self) -> Any:
        """Read the table.

        Raises
        ------
        Refusal
            If the user has yet to choose its order, or if it has fewer rows than a series.
        """
        if self.order.value == CHOOSE:
            names = [short_name(name) for name in self.order.options if name not in (CHOOSE, self.unsorted)]
            raise Refusal(
                f"{self.preview.name} has several columns of dates, {join_list(names)}; choose one under"
                f' "{self.order.label}".'
            )
        table = super().read()
        if table.n < LEAST:
            rows = "1 row" if table.n == 1 else f"{table.n} rows"
            raise Refusal(f"{table.name} has {rows}. A series needs at least {LEAST}.")
        return table

    def _how(self):
        return {**super()._how(), "time": self.time or None}

    def _fields(self, table):
        return {**super()._fields(table), "time": self.time}

    def _fields_of_new_data(self, table):
        return {**super()._fields_of_new_data(table), "n": min(table.n, OPEN), "null": "auto"}


def could_order(column: ColumnPreview) -> bool:
    """Return whether the dates of a column could order the rows: two different ones, whose day and month are known."""
    return (column.dates and column.numeric and column.levels > 1) or column.why == "dates"


class DriftPage(LabPage):
    """The series with its break on the left, the scan and the watchers on the right."""

    lab_class = DriftLab
    menus: ClassVar[dict[str, ChoiceWidget]] = {"level": Radio()}
    buttons: ClassVar[dict[str, Any]] = {
        "fresh": Button.new_sample("New series", "draws a new series"),
        "segments": Toggle(
            "Several breaks", "search", "b", "searches for several breaks", {"width": 140}, "several", SEVERAL
        ),
        "hundred": Toggle(
            "+100 series, no change", "watch", "s", "watches 100 series without a change", {"width": 180}, words=QUIET
        ),
    }
    enabled: ClassVar[dict[str, Callable[..., Any]]] = {
        "fresh": draws,
        "at": lambda result: result.lab.changes,
        "size": lambda result: result.lab.changes,
        "bandwidth": has_bandwidth,
        "segments": lambda result: not result.lab.changes,
    }
    left: Part | None = Column(MainPicture("series", "at", along="series", below=("legend",)))
    right: Part | None = Column("profile", "picture", PictureSlot(), flex="1 1 340px")
    groups: tuple[Any, ...] = (
        Group("Series", "size", WrapRow("fresh"), more=("kind", "source", "n", "seed")),
        Group("Scan", WrapRow("segments"), more=("kernel", "bandwidth", "null")),
        Group("Watching", more=("every", WrapRow("hundred"), "level")),
    )
    data: Any = UserDataSection(OwnSeries, *BUNDLED)

    def connect_drag_handles(self) -> None:
        """Make the break draggable."""
        figure, s, slider = self.view.hero, self.view.sources, self.sliders["at"].slider
        drag_line(figure, s["series.line"], slider, s["series.stops"], "x")

    def on_choice(self, name: str, value: Any) -> dict[str, Any]:
        """Return the fields that change with a menu. A table is not made to change unless the user asks for it."""
        changes = super().on_choice(name, value)
        if name == "source" and value in TABLES:
            changes["kind"] = "none"
        return changes

    def use(self, own: Any, fields: dict[str, Any]) -> None:
        """Take the user's table. Nothing is made to change in a table that the link has not named."""
        again = fields.get("hash") == self.lab.hash
        super().use(own, fields if again else {**fields, "kind": "none"})

    def search(self) -> None:
        """Search for several breaks, or for one again."""
        self.move("several", several=not self.lab.several)

    def watch(self) -> None:
        """Watch 100 series without a change, or drop them."""
        self.toggle("samples", 100)
