"""Table of a slider's rows in the browser: with it the browser draws the slider's moves without the server.

The server sends the table when the user pauses.
"""

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
    """Model that tells the browser whether its table is current, and how to read it.

    `shown` and `table` are the versions of the pictures and of the table. `starts` and `lengths` say where each
    column's first row lies in the flat table, and how long a row is. `sentences` has the headline of each row.
    """

    shown: Int = Int(default=0)
    table: Int = Int(default=-1)
    starts: List[int] = List(Int)
    lengths: List[int] = List(Int)
    sentences: List[str] = List(String)


class SliderTable:
    """Table of a view's columns over the rows of one slider. `headline` is the pane that shows a row's sentence."""

    def __init__(self, sources: Mapping[str, ColumnDataSource], headline: Text) -> None:
        self.stamp: Any = TableVersion()  # Bokeh does not declare the types of its properties' values
        self.table: ColumnDataSource = ColumnDataSource()
        self.sources = sources
        self.headline = headline

    @property
    def is_behind(self) -> bool:
        """True if the browser's table belongs to an older picture, so that the browser may have drawn from it."""
        return self.stamp.table != self.stamp.shown

    def outdate(self) -> None:
        """Mark the table as outdated because the pictures have changed. Until `send` the server answers."""
        self.stamp.update(shown=self.stamp.shown + 1)

    def send(self, tables: Tables, sentences: Iterable[Markup]) -> None:
        """Send the columns {(source, column): (rows, length)} and a sentence for each row to the browser."""
        packed = rows.packed(tables)
        self.table.data = {"flat": packed.flat}
        said = [in_model(sentence) for sentence in sentences]
        self.stamp.update(starts=packed.starts, lengths=packed.lengths, sentences=said)
        self.know()

    def know(self, known: bool = True) -> None:
        """Mark the browser's table as current, or as valid for no picture."""
        self.stamp.update(table=self.stamp.shown if known else -1)

    def attach(self, pacer: Pacer, slider: Any, name: str, drawn: Iterable[tuple[str, str]]) -> None:
        """Connect a slider: it draws the columns `drawn`, (source, column), from the table and reports its moves."""
        pacer.follow(slider, name, "lookup.follow", **self._models(drawn))

    def answer(self, slider: Any, drawn: Iterable[tuple[str, str]]) -> None:
        """Connect a slider that draws from the table and reports no moves, on a page without a server."""
        on_change(slider, "value", "lookup.answer", **self._models(drawn))

    def _models(self, drawn):
        return {
            "stamp": self.stamp,
            "table": self.table,
            "sources": list(self.sources.values()),
            "targets": rows.targets(self.sources, drawn),
            "headline": self.headline,
        }
