"""A slider that the browser answers by itself, from a table that was sent while the hand rested."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from bokeh.core.properties import Int, List, String
from bokeh.model import DataModel
from bokeh.models import ColumnDataSource

from explorer.browser import on_change
from explorer.pages.layout.markup_pane import in_model
from explorer.views import rows

if TYPE_CHECKING:
    from explorer.markup import Markup
    from explorer.pages.layout.markup_pane import Text
    from explorer.views.rows import Tables

    from .request_pacing import Pacer


class TableVersion(DataModel):
    """What a browser must know to draw from the table.

    shown, table     the version that the pictures show, and the version that the table is of
    starts, lengths  where each column's first row lies in the flat table, and how long a row is
    sentences        the headline of each row
    """

    shown: Int = Int(default=0)
    table: Int = Int(default=-1)
    starts: List[int] = List(Int)
    lengths: List[int] = List(Int)
    sentences: List[str] = List(String)


class SliderTable:
    """The table of a view's columns over the rows of one slider; `headline` is the pane that shows a row's sentence."""

    def __init__(self, sources: Mapping[str, ColumnDataSource], headline: Text) -> None:
        self.stamp: Any = TableVersion()  # Bokeh's properties have no types of their values
        self.table: ColumnDataSource = ColumnDataSource()
        self.sources = sources
        self.headline = headline

    @property
    def is_behind(self) -> bool:
        """Whether the browser's table is of an older picture, from which it may have drawn before it heard so."""
        return self.stamp.table != self.stamp.shown

    def outdate(self) -> None:
        """The pictures show something new; until `send` the server answers."""
        self.stamp.update(shown=self.stamp.shown + 1)

    def send(self, tables: Tables, sentences: Iterable[Markup]) -> None:
        """Give the browser the columns {(source, column): (rows, length)} and a sentence for each row."""
        packed = rows.packed(tables)
        self.table.data = {"flat": packed.flat}
        said = [in_model(sentence) for sentence in sentences]
        self.stamp.update(starts=packed.starts, lengths=packed.lengths, sentences=said)
        self.know()

    def know(self, known: bool = True) -> None:
        """The browser's table is that of what is shown, or of nothing."""
        self.stamp.update(table=self.stamp.shown if known else -1)

    def attach(self, pacer: Pacer, slider: Any, name: str, drawn: Iterable[tuple[str, str]]) -> None:
        """Let the slider draw from the table the columns `drawn`, (source, column), and tell the server of it."""
        pacer.follow(slider, name, "lookup.follow", **self._models(drawn))

    def answer(self, slider: Any, drawn: Iterable[tuple[str, str]]) -> None:
        """Let the slider draw so where no server need hear of it."""
        on_change(slider, "value", "lookup.answer", **self._models(drawn))

    def _models(self, drawn):
        return {
            "stamp": self.stamp,
            "table": self.table,
            "sources": list(self.sources.values()),
            "targets": rows.targets(self.sources, drawn),
            "headline": self.headline,
        }
