"""The second file of the user's data: dropped, chosen or pasted if another slot asks for it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from explorer.languages import translate
from explorer.printing import short_name

from .inputs.intake import DROP
from .inputs.preview_html import rows_of
from .inputs.upload import Upload, take_two
from .slot import Slot

if TYPE_CHECKING:
    from explorer.datasets.files.parsed_file import ParsedFile
    from explorer.datasets.table_preview import TablePreview


class SecondFile(Slot):
    """Slot of a second file, with its upload zone. Another slot says when it counts.

    Parameters
    ----------
    stands_for : str
        What the second file is for, as a label.
    sides : tuple of (str, str) or None, default None
        The labels of two equal zones, next to each other; two files may be dropped on either together. If None, the
        slot that asks for the file shows and places its zone.
    """

    rank = 2
    preview: TablePreview | None = None

    def __init__(self, stands_for: str, sides: tuple[str, str] | None = None) -> None:
        self.stands_for, self.sides = stands_for, sides

    def zones(self, *refuse: Callable[[str], object]) -> list[Upload]:
        if self.sides is None:
            hidden = {"label": "Drop the second file here, or choose it", "visible": False}
            return [Upload(refuse[0], label=translate(DROP)), Upload(refuse[1], **hidden)]
        wanted = ("drop or choose a file", "drop or choose a second file, if there is one")
        return [Upload(*each) for each in zip(refuse, self.sides, wanted, strict=True)]

    def build(self) -> dict[str, Any]:
        self.zone: Upload = self.panel.zones[1]
        if self.sides:
            self.panel.intake.beside(self.zone)
            take_two(self.panel.zones, self.panel.receive_both)
        return {"second": self.zone}

    def rows(self) -> Sequence[Any]:
        return ()

    @property
    def file(self) -> ParsedFile | None:
        """The second file, or None if there is none that can be read."""
        return self.panel.files.get(1)

    def show(self, asked: dict[str, Any]) -> None:
        if self.sides:
            preview = self.panel.preview
            self.panel.file.show_file_name(preview.name if preview else "")

    def take(self, file: ParsedFile | None, preview: TablePreview | None, refusal: str) -> None:
        """Take the file after it has been read."""
        if preview is not None and self.panel.preview is not None:
            self.panel.expect_second()
        if self.sides:
            self.zone.show_file_name(preview.name if preview else "")
        self.forget()
        if file is not None and preview is not None:
            self.panel.files[1], self.preview = file, preview
        self.panel.say(refusal)
        self.columns.follow()

    def forget(self) -> None:
        """Forget the second file."""
        self.panel.files.pop(1, None)
        self.preview = None

    def compared_files(self) -> list[TablePreview]:
        """Return the previews of the files that count."""
        counts = all(slot.compares_second() for slot in self.panel.slots)
        return [each for each in (self.panel.preview, self.preview if counts else None) if each]

    def alone(self) -> str:
        """Return the description of the file if it came before the first one, otherwise ""."""
        if self.preview is None or self.sides is None:
            return ""
        return translate("{} Choose a first file, {}, as well.", self._words().strip(), self.sides[0])

    def remark(self) -> str:
        return self._words() if len(self.compared_files()) > 1 else ""

    def _words(self):
        name, rows = (self.preview.name, self.preview.rows) if self.preview else ("", 0)
        return f" {self.stands_for}: {short_name(name)}, {rows_of(rows)}."

    def named(self, used: bool) -> dict[str, Any]:
        """Return the fields that identify the second file if it is used, or that there is none."""
        if not used or self.preview is None:
            return {"file2": "", "rows2": 0, "hash2": ""}
        return {"file2": self.preview.name, "rows2": self.preview.rows, "hash2": self.preview.hash}
