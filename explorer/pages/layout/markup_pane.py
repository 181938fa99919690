"""Text in the page's style."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import panel as pn
import param

from explorer.languages import translate
from explorer.marks.roles import colour
from explorer.markup import joined, markup, meant, rewritten, text_of
from explorer.printing import short_name
from explorer.views.legend import legend as in_line
from explorer.views.words import in_words
from explorer.workbench.numbers import format_number

from .theme import STYLE

if TYPE_CHECKING:
    from explorer.marks.legend import Key
    from explorer.markup import Markup


class MarkupOnly(param.Parameter[Any]):
    """A parameter that refuses text which nobody has escaped."""

    def _validate(self, val):
        super()._validate(val)
        if val is not None and val != "":
            meant(val)


class NoRow:
    """In place of the row that Panel makes for each pane, which one that is updated where it stands never shows."""

    def __init__(self, pane: Any, **options: Any) -> None:
        """Panel gives the pane, and what the row would have of it."""


class Text(pn.pane.HTML):
    """A pane of HTML that takes nothing but Markup: what is plain text is no HTML yet."""

    object: MarkupOnly = MarkupOnly(default=None, allow_refs=True, doc="the Markup that is shown, or an empty text")
    default_layout: param.Parameter[Any] = param.Parameter(default=NoRow, doc="what Panel puts around it")

    def _sync_layoutable(self, *events):
        """Nothing is around it that would follow its size."""

    def _transform_object(self, obj):
        return super()._transform_object(str(obj or ""))  # Markup has its own ways to be escaped

    def _update(self, ref, model):
        """A new text alone: Panel makes models of the sheets of style besides."""
        model.update(text=self._transform_object(self.object)["object"])


def html(text: str, **options: Any) -> Text:
    """A pane of Markup in the page's style."""
    return Text(text, stylesheets=[STYLE], **{"sizing_mode": "stretch_width", "margin": (4, 10), **options})


def in_model(words: str) -> str:
    """Markup as the model of a pane has it, for a script that sets it there: HTML that is escaped once more."""
    return escape(str(meant(words))) if words else ""


def legend(keys: Sequence[Key], dark: bool) -> Markup:
    """Which sign stands for what, in one line, on light or on dark ground."""
    return in_line(keys, lambda role: colour(role, dark))


def plain(words: str) -> str:
    """Markup without its tags, for those who listen: what tags set apart is apart there too."""
    return text_of(rewritten("<", " <", words))


def twin(pictures: Iterable[Sequence[str]], tables: Mapping[str, Mapping[str, Any]]) -> Markup:
    """The sentences of each picture, and the first rows of each table."""
    return markup("<div class='caption'>{}</div>", in_words(pictures)) + joined(
        _table(name, columns) for name, columns in tables.items()
    )


def _said(value):
    return short_name(value) if isinstance(value, str) else format_number(float(value))


def _table(name, columns, rows=13):
    """Every k-th row, so that the whole range is there."""
    length = len(next(iter(columns.values())))
    picked = range(0, length, max(1, -(-length // rows)))
    head = joined(markup("<th>{}</th>", short_name(column)) for column in columns)
    body = joined(
        markup("<tr>") + joined(markup("<td>{}</td>", _said(v[i])) for v in columns.values()) + markup("</tr>")
        for i in picked
    )
    shown = translate("{} rows", f"{length:,}") if length != 1 else translate("1 row")
    if len(picked) < length:
        shown = translate("{} of {} rows; the download has all", len(picked), f"{length:,}")
    return markup(
        "<div class='preview' tabindex='0'><table><caption>{}: {}</caption><tr>{}</tr>{}</table></div>",
        name,
        shown,
        head,
        body,
    )
