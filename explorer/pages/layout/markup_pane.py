"""Panes of text in the page's style."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

import panel as pn
import param

from explorer.languages import translate
from explorer.markup import joined, markup, meant, rewritten, text_of
from explorer.printing import short_name
from explorer.views.words import in_words
from explorer.workbench.numbers import format_number

from .theme import STYLE

if TYPE_CHECKING:
    from explorer.markup import Markup

# tags that begin or end a paragraph, a cell or a formula: all but those that only mark words inside a sentence
SEPARATING = r"<(?!/?(?:a|b|bdi|em|i|span|strong|sub|sup)\b)"


class MarkupOnly(param.Parameter[Any]):
    """Parameter that accepts only Markup, so that no unescaped text reaches the page."""

    def _validate(self, val):
        super()._validate(val)
        if val is not None and val != "":
            meant(val)


class NoRow:
    """Replacement for the row that Panel makes around each pane, which a pane that is updated in place never shows."""

    def __init__(self, pane: Any, **options: Any) -> None:
        """Ignore the pane and the row's options."""


class Text(pn.pane.HTML):
    """A pane of HTML that accepts only Markup: plain text has to be escaped first.

    Parameters
    ----------
    object : Markup or str
        The content: Markup, or an empty text.
    **params
        Parameters of Panel's HTML pane.
    """

    object: MarkupOnly = MarkupOnly(default=None, allow_refs=True, doc="the Markup of the pane, or an empty text")
    default_layout: param.Parameter[Any] = param.Parameter(
        default=NoRow, doc="the container that Panel makes around the pane"
    )

    def _sync_layoutable(self, *events):
        """Do nothing: no container around the pane follows its size."""

    def _transform_object(self, obj):
        return super()._transform_object(str(obj or ""))  # Panel would call Markup's own methods for escaping

    def _update(self, ref, model):
        """Update the text alone: Panel would also create models of the style sheets."""
        model.update(text=self._transform_object(self.object)["object"])


def html(text: str, **options: Any) -> Text:
    """Return a pane of Markup in the page's style.

    Parameters
    ----------
    text : Markup or str
        The content: Markup, or an empty text.
    **options
        Parameters of the pane, such as `margin`.

    Returns
    -------
    Text
        The pane.
    """
    return Text(text, stylesheets=[STYLE], **{"sizing_mode": "stretch_width", "margin": (4, 10), **options})


def in_model(words: str) -> str:
    """Return Markup as a pane's model stores it, for a script that sets it there: HTML escaped once more."""
    return escape(str(meant(words))) if words else ""


def plain(words: str) -> str:
    """Return Markup as plain text for screen readers; paragraphs and cells are separated by spaces."""
    return text_of(rewritten(SEPARATING, " <", words))


def twin(pictures: Iterable[Sequence[str]], tables: Mapping[str, Mapping[str, Any]]) -> Markup:
    """Return the text version of pictures and tables: the sentences of each picture, and some rows of each table."""
    return markup("<div class='caption'>{}</div>", in_words(pictures)) + joined(
        _table(name, columns) for name, columns in tables.items()
    )


def _format_cell(value):
    """Format a cell of a table."""
    return short_name(value) if isinstance(value, str) else format_number(float(value))


def _table(name, columns, rows=13):
    """Return a table with every k-th row, so that the rows span the whole range."""
    length = len(next(iter(columns.values())))
    picked = range(0, length, max(1, -(-length // rows)))
    head = joined(markup("<th>{}</th>", short_name(column)) for column in columns)
    body = joined(
        markup("<tr>") + joined(markup("<td>{}</td>", _format_cell(v[i])) for v in columns.values()) + markup("</tr>")
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
