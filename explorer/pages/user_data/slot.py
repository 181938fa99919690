"""Slots: what a lab needs to know about the user's file beyond its bytes, each with its widgets and its refusals."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .inputs.preview_html import left_out, named

if TYPE_CHECKING:
    from explorer.datasets.files.parsed_file import ParsedFile
    from explorer.datasets.table_preview import ColumnPreview, TablePreview

    from .inputs.upload import Upload

TOP, MIDDLE, BOTTOM = "above the unused columns", "above the columns", "below the columns"
LIVE = 200  # most rows of a new table that the page opens with, so that all controls respond at once
GRAM = " a row for each column: read as a Gram matrix, drawn along its principal axes."


class Slot:
    """Base class of the slots of a `UserData` panel. It asks for nothing and reads a single table.

    A page declares slots as values, such as `Columns(uses=2)`. Each panel works with copies of them, which know their
    `panel`. The panel asks all slots and combines their answers: it joins texts, unites fields, and the first refusal
    counts. The questions of the second half go only to its `reader`, the first slot for which `reads()` is true.

    Attributes
    ----------
    about : str
        What the panel says about the accepted files; the first slot with a text says it.
    place : str
        The place of the widgets: TOP, MIDDLE or BOTTOM.
    panel : UserData
        The panel. Importing its type here would be circular.
    widgets : dict
        The widgets by name. They are also attributes of the panel.
    """

    about: str = ""
    place: str = TOP
    takes_two: bool = False  # whether two files may be dropped together
    rank: int = 0  # slots of a higher rank are asked later
    panel: Any
    widgets: dict[str, Any]

    def build(self) -> dict[str, Any]:
        """Create the widgets and return them by name."""
        return {}

    def connect(self) -> None:
        """Connect widgets with those of other slots, which are all there."""

    def zones(self, *refuse: Callable[[str], object]) -> list[Upload]:
        """Return the upload zones if the slot needs other ones than one zone; each gets its function for refusals."""
        return []

    def rows(self) -> Sequence[Any]:
        """Return the widgets in the order of the layout."""
        return list(self.widgets.values())

    # a file

    def look(self, file: ParsedFile, preview: TablePreview) -> None:
        """Note on a file what takes long to find out. It runs in a thread and may raise Refusal."""

    def show(self, asked: dict[str, Any]) -> None:
        """Set the widgets for another first file, or for none. `asked` has the fields of a link that names the file."""

    def settle(self, asked: dict[str, Any]) -> None:
        """Set what depends on the columns of another first file, after these are set."""

    def expect_second(self) -> None:
        """Compare two files, because a second one has come."""

    def take_second(self, file: ParsedFile | None, preview: TablePreview | None, refusal: str) -> None:
        """Take a second file after it has been read."""

    def alone(self) -> str:
        """Return the description of a second file that came before the first, otherwise ""."""
        return ""

    def pasted_second(self) -> str:
        """Return the file name of a pasted text if it would be the second file, otherwise ""."""
        return ""

    # the choice

    def reserved(self) -> Sequence[str]:
        """Return the columns that are no coordinates because the slot uses them."""
        return ()

    def allows_gram(self) -> bool:
        """Return whether the file may be a Gram matrix."""
        return True

    def compares_second(self) -> bool:
        """Return whether a second file counts."""
        return True

    def remark(self) -> str:
        """Return what the description of the file adds, beginning with a space."""
        return ""

    def needs_lenient(self) -> bool:
        """Return whether the choice needs the lenient reader."""
        return False

    # using the data

    def check(self) -> None:
        """Raise Refusal if something is still to be chosen."""

    def arguments(self) -> dict[str, Any]:
        """Return further arguments of `read_table`."""
        return {}

    def accept(self, data: Any) -> None:
        """Raise Refusal if the lab cannot use the data that were read."""

    def is_named(self, asked: dict[str, Any]) -> bool:
        """Return whether a link that names the file names this choice too."""
        return True

    def fields(self, data: Any) -> dict[str, Any]:
        """Return the fields that identify the choice."""
        return {}

    def fresh(self, data: Any) -> dict[str, Any]:
        """Return the fields that the page opens with if the data are new."""
        return {}

    # the slot that reads

    @property
    def columns(self) -> Any:
        """The panel's slot of columns."""
        return self.panel.main

    def reads(self) -> bool:
        """Return whether this slot turns the file into data."""
        return False

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

    def unchosen(self) -> list[ColumnPreview]:
        """Return the previews of the columns that are not used."""
        used = {*self.chosen(), *self.panel.reserved()} if self.panel.preview else ()
        return [column for column in self.columns.previews if column.name not in used]

    def incomplete(self) -> int:
        """Return the number of rows that miss a value in a used column."""
        preview = self.panel.preview
        return preview.incomplete([*self.chosen(), *self.panel.reserved()]) if preview else 0

    def describe(self) -> str:
        """Return how columns that are not plain numbers are treated, beginning with a space."""
        if self.columns.gram.value:
            symmetric = " Symmetric, with" if self.panel.preview.gram else " With"
            return symmetric + GRAM + left_out(self.unchosen())
        words = named("Taken as categories", self.columns.words)
        return words + left_out(self.unchosen()) + self.columns.few_used

    def is_lenient(self) -> bool:
        """Return whether the chosen columns need the lenient reader."""
        names = self.chosen()
        taken = [column for column in self.columns.previews if column.name in names]
        return bool(self.panel.preview.unusual) or any(column.dates or not column.numeric for column in taken)

    def is_scaled(self, data: Any = None) -> bool:
        """Return whether columns are scaled. The inner products of a Gram matrix are not."""
        return self.columns.standardise.value and not self.columns.gram.value

    def named_columns(self) -> str:
        """Return the field `columns`: "" if the reader uses these columns by default."""
        chosen = self.chosen()
        return "" if chosen == self.unasked() and not self.columns.is_refused_unasked else json.dumps(chosen)

    def fits(self, asked: dict[str, Any], data: Any) -> bool:
        """Return whether the fields of a link that names the data suit their size."""
        return asked["n"] <= data.n

    def count(self, data: Any) -> int:
        """Return the number of rows of the first file."""
        return data.n

    def identify(self, data: Any) -> dict[str, Any]:
        """Return the fields that identify the data and how they were read."""
        gram = self.columns.gram.value
        return {
            "source": "file",
            "file": self.panel.preview.name,
            "rows": self.count(data),
            "hash": self.panel.preview.hash,
            "missing": self.columns.missing,
            "columns": self.named_columns(),
            "standardise": self.is_scaled(data),
            "lenient": self.panel.lenient,
            "gram": gram,
            # a Gram matrix has the linear kernel of its axes; with columns beside it the lab's kernel is theirs
            **({"kernel": "LIN"} if gram and not self.columns.beside else {}),
        }

    def opening(self, data: Any) -> dict[str, Any]:
        """Return the fields that the page opens with if these are new data."""
        return {"n": min(data.n, LIVE), "outliers": 0}


class Content(Slot):
    """Base class of the slots that read what is in a file. A panel has one, and asks it after the others.

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

    def reads(self) -> bool:
        return True

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

    def present(self, zone: int, given: Any, preview: Any, refusal: str) -> None:
        """Show the preview of a file, or say why the file cannot be used."""
        raise NotImplementedError

    def forget(self) -> None:
        """Forget all files, because another one replaces them."""

    def explain(self, error: Exception | None) -> None:
        """Show why the data cannot be used; None if they are used."""
        raise NotImplementedError
