"""Slots: what a lab needs to know about the user's file beyond its bytes, each with its widgets and its refusals."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from explorer.datasets.files.parsed_file import ParsedFile
    from explorer.datasets.table_preview import TablePreview

    from .inputs.upload import Upload

TOP, MIDDLE, BOTTOM = "above the unused columns", "above the columns", "below the columns"


class Slot:
    """Base class of the slots of a `UserData` panel. It asks for nothing.

    A page declares slots as values, such as `Columns(uses=2)`. Each panel works with copies of them, which know their
    `panel`. The panel asks all slots and combines their answers: it joins texts, unites fields, and the first refusal
    counts.

    Attributes
    ----------
    about : str
        What the panel says about the accepted files; the first slot with a text says it.
    more : str
        A second text, right after it.
    place : str
        The place of the widgets: TOP, MIDDLE or BOTTOM.
    panel : UserData
        The panel. Importing its type here would be circular.
    widgets : dict
        The widgets by name. They are also attributes of the panel.
    """

    about: str = ""
    more: str = ""
    place: str = TOP
    rank: int = 0  # slots of a higher rank are asked later
    panel: Any
    widgets: dict[str, Any]

    @property
    def columns(self) -> Any:
        """The panel's slot of columns."""
        return self.panel.main

    def build(self) -> dict[str, Any]:
        """Create the widgets and return them by name. Those of the columns are there."""
        return {}

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

    def arguments(self) -> dict[str, Any]:
        """Return further arguments of `read_table`, or raise Refusal if something is still to be chosen."""
        return {}

    def accept(self, data: Any) -> None:
        """Raise Refusal if the lab cannot use the data that were read."""

    def is_named(self, asked: dict[str, Any], data: Any) -> bool:
        """Return whether a link that names the file names this choice too."""
        return True

    def fields(self, data: Any) -> dict[str, Any]:
        """Return the fields that identify the choice."""
        return {}

    def fresh(self, data: Any) -> dict[str, Any]:
        """Return the fields that the page opens with if the data are new."""
        return {}
