"""Slots that read: they turn the user's file and the choices about it into data."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from .inputs.preview_html import left_out, named
from .slot import Slot

if TYPE_CHECKING:
    from explorer.datasets.files.parsed_file import ParsedFile

LIVE = 200  # most rows of a new table that the page opens with, so that all controls respond at once
GRAM = " a row for each column: read as a Gram matrix, drawn along its principal axes."


class Reading(Slot):
    """Base class of the slots that read. Its answers are those of a single table.

    The panel's `reader` is the first of its slots for which `reads()` is true. Only that one is asked what this class
    adds to `Slot`.
    """

    def reads(self) -> bool:
        """Return whether this slot turns the file into data."""
        return True

    def read(self) -> Any:
        """Return the data. It runs in a thread.

        Raises
        ------
        Refusal
            If the choice does not make data.
        """
        raise NotImplementedError

    def usual(self) -> list[str]:
        """Return the columns that are chosen at first."""
        return self.columns.measuring

    def unasked(self) -> list[str]:
        """Return the columns that the reader uses if none are named; a link then names none."""
        return [column.name for column in self.columns.previews if column.numeric and not column.dates]

    def is_choosing(self) -> bool:
        """Return whether the user chooses columns; a Gram matrix uses all of its own."""
        return not self.columns.gram.value

    def chosen(self) -> list[str]:
        """Return the names of the columns that make the data."""
        return self.columns.chosen_names

    def incomplete(self) -> int:
        """Return the number of rows that miss a value in a used column."""
        preview = self.panel.preview
        return preview.incomplete([*self.chosen(), *self.panel.reserved()]) if preview else 0

    def describe(self) -> str:
        """Return how columns that are not plain numbers are treated, beginning with a space."""
        if self.columns.gram.value:
            symmetric = " Symmetric, with" if self.panel.preview.gram else " With"
            return symmetric + GRAM + left_out(self.columns.unchosen)
        words = named("Taken as categories", self.columns.words)
        return words + left_out(self.columns.unchosen) + self.columns.few_used

    def is_lenient(self) -> bool:
        """Return whether the chosen columns need the lenient reader."""
        names = self.chosen()
        taken = [column for column in self.columns.previews if column.name in names]
        return bool(self.panel.preview.unusual) or any(column.dates or not column.numeric for column in taken)

    def is_scaled(self) -> bool:
        """Return whether columns are scaled. The inner products of a Gram matrix are not."""
        return self.columns.standardise.value and not self.columns.gram.value

    def named_columns(self) -> str:
        """Return the field `columns`: "" if the reader uses these columns by default."""
        chosen = self.chosen()
        return "" if chosen == self.unasked() and not self.columns.is_refused_unasked else json.dumps(chosen)

    def is_named(self, asked: dict[str, Any], data: Any) -> bool:
        """Return whether a link that names the file names this choice too, and a size that the data have."""
        return self is not self.panel.reader or asked["n"] <= data.n

    def identify(self, data: Any) -> dict[str, Any]:
        """Return the fields that identify the data and how they were read."""
        gram = self.columns.gram.value
        return {
            "source": "file",
            "file": self.panel.preview.name,
            "rows": data.n,
            "hash": self.panel.preview.hash,
            "missing": self.columns.missing,
            "columns": self.named_columns(),
            "standardise": self.is_scaled(),
            "lenient": self.panel.lenient,
            "gram": gram,
            # a Gram matrix has the linear kernel of its axes; with columns beside it the lab's kernel is theirs
            **({"kernel": "LIN"} if gram and not self.columns.beside else {}),
        }

    def opening(self, data: Any) -> dict[str, Any]:
        """Return the fields that the page opens with if these are new data."""
        return {"n": min(data.n, LIVE), "outliers": 0}


class Content(Reading):
    """Base class of the slots that know what is in a file. A panel has one, and asks it after the others.

    Attributes
    ----------
    label, paste, hint : str
        The labels of the button and of the paste box, and an example of a pasted text.
    pasted : str
        The file name of a pasted text.
    together : bool
        Whether several files are read together, so that another one interrupts the reading of all.
    """

    label: str
    paste: str
    hint: str
    pasted: str
    together: bool = False
    rank = 1

    @property
    def digest(self) -> str | None:
        """The hash of what was read, or None if there is nothing to use."""
        raise NotImplementedError

    def take(self, zone: int, file: ParsedFile) -> Any:
        """Return what is to be read now that a file has arrived."""
        return file

    def preview(self, given: Any) -> Any:
        """Return the preview of what `take` has returned. It runs in a thread and may raise Refusal."""
        raise NotImplementedError

    def present(self, zone: int, given: Any, preview: Any, refusal: str) -> str:
        """Show the preview of a file, or say why the file cannot be used; return that, or "" if it can."""
        raise NotImplementedError

    def forget(self) -> None:
        """Forget all files, because another one replaces them."""

    def explain(self, error: Exception | None) -> None:
        """Show why the data cannot be used; None if they are used."""
        raise NotImplementedError
