"""Order of a table's rows in time: a column of dates, or the file's own order."""

from __future__ import annotations

from typing import Any

import panel_material_ui as pmui

from explorer.checks import Refusal
from explorer.datasets import ColumnPreview
from explorer.languages import message, translate_plural
from explorer.printing import join_list, short_name

from .columns import ABOUT
from .slot import BOTTOM, Slot

CHOOSE = "choose a column of dates"
UNSORTED = "the file's order"


class TimeColumn(Slot):
    """Slot of the column of dates by which the rows are sorted.

    Parameters
    ----------
    least : int
        The fewest rows of a series.
    opens : int
        The most rows of new data that the page opens with.
    """

    about = message(
        "Rows are sorted by a column of dates. A table without dates must be in order of time, the earliest row first. "
    )
    more = ABOUT
    place = BOTTOM

    def __init__(self, least: int, opens: int) -> None:
        self.least, self.opens = least, opens

    def build(self) -> dict[str, Any]:
        self.menu: pmui.Select = pmui.Select(
            label="rows in order of", options=[UNSORTED], sizing_mode="stretch_width", visible=False
        )
        self.panel.watch(self.menu)
        return {"order": self.menu}

    def show(self, asked: dict[str, Any]) -> None:
        dates = [column.name for column in self.columns.previews if could_order(column)]
        first = dates[:1] if len(dates) == 1 else [UNSORTED] if not dates else [CHOOSE]
        options = [*first, *(name for name in [*dates, UNSORTED] if name not in first)]
        time = asked.get("time", "")
        self.menu.param.update(options=options, value=time if time in dates else first[0], visible=bool(dates))

    @property
    def time(self) -> str:
        """The column whose dates sort the rows, or "" for the file's order."""
        return "" if self.menu.value in (UNSORTED, CHOOSE) else self.menu.value

    def needs_lenient(self) -> bool:
        return bool(self.time)

    def remark(self) -> str:
        column = next((each for each in self.columns.previews if each.name == self.time), None)
        if column is None or not column.missing:
            return ""
        return translate_plural(
            " {:,} row has no date in {} and is left out.",
            " {:,} rows have no date in {} and are left out.",
            column.missing,
            column.missing,
            short_name(column.name),
        )

    def arguments(self) -> dict[str, Any]:
        if self.menu.value == CHOOSE:
            names = [short_name(name) for name in self.menu.options if name not in (CHOOSE, UNSORTED)]
            raise Refusal(
                '{} has several columns of dates, {}; choose one under "{}".',
                self.panel.preview.name,
                join_list(names),
                self.menu.label,
            )
        return {"time": self.time or None}

    def accept(self, data: Any) -> None:
        if data.n < self.least:
            raise Refusal("{} has {} rows. A series needs at least {}.", data.name, data.n, self.least)

    def fields(self, data: Any) -> dict[str, Any]:
        return {"time": self.time}

    def fresh(self, data: Any) -> dict[str, Any]:
        return {"n": min(data.n, self.opens), "null": "auto"}


def could_order(column: ColumnPreview) -> bool:
    """Return whether the dates of a column could order the rows: two different ones, whose day and month are known."""
    return (column.dates and column.numeric and column.levels > 1) or column.why == "dates"
