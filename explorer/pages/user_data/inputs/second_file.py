"""Second file of the user's data: dropped, chosen or pasted if the page asks for one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import panel as pn

from explorer.datasets.files.addresses import SeveralTables
from explorer.datasets.files.parsed_file import as_parsed_file
from explorer.languages import translate
from explorer.pages.user_data.base_widget import or_error
from explorer.pages.user_data.table_widget import UserTable
from explorer.printing import short_name

from .upload import Upload, in_reader_thread


class TakesSecond(UserTable):
    """Base class of widgets with a zone for a second file, `second`, which a subclass places in its layout.

    Attributes
    ----------
    pasted_second : str
        The file name of a pasted text that is the second file.
    stands_for : str
        What the second file is for, as a label.
    """

    pasted_second: str = "pasted for Q.csv"
    stands_for: str = "For Q"

    def __init__(self, *args: Any, **params: Any) -> None:
        self._forget_second()
        self.second: Upload = self._second_zone(lambda sentence: self.choose_second(None, None, sentence))
        super().__init__(*args, **params)
        self.second.param.watch(self._chosen_second, "value")

    def _second_zone(self, refuse):
        return Upload(refuse, label="Drop the second file here, or choose it", visible=False)

    @property
    def _wants_second(self):
        """True if the page asks for a second file."""
        return self.second.visible

    def _forget_second(self):
        self._second_bytes: Any = None  # bytes of the second file
        self.second_preview: Any = None  # its preview

    def _previews(self):
        """Return the previews of the files that have been read."""
        return [each for each in (self.preview, self.second_preview) if each]

    def _name_of_pasted(self):
        return self.pasted_second if self._wants_second else super()._name_of_pasted()

    async def _receive(self, raw, name):
        """Take a pasted text as the second file if the page asks for one, otherwise as the first."""
        if name == self.pasted_second and self._wants_second:
            await self._receive_second(raw, name, lambda: False)
        else:
            await super()._receive(raw, name)

    async def load(self, files: Sequence[tuple[str, bytes]]) -> None:
        """Use files that the user need not choose again. A second file is the second sample."""
        (name, raw), *others = files
        await self._receive(raw, name)
        for name, raw in others:
            await self._receive_second(raw, name, lambda: False)
        await self._pressed()

    async def _chosen_second(self, event):
        if event.new is not None:
            await self._receive_second(event.new, self.second.filename, lambda: self.second.value is not event.new)

    async def _receive_second(self, raw, name, stale):
        raw = as_parsed_file(raw)
        async with self._in_turn:
            preview, error = await in_reader_thread(or_error, self._read_preview, raw, name)
            several = isinstance(error, SeveralTables)
            refusal = (
                translate("{}; save the table that you mean as a separate file.", error.problem)
                if several
                else str(error or "")
            )
            if stale():  # another file has been chosen in the meantime
                return
            with pn.io.hold(self._doc):
                self.choose_second(raw, preview, refusal)

    def _files(self) -> tuple[bytes | None, ...]:
        return (*super()._files(), self._second_bytes)

    def choose_second(self, raw: bytes | None, preview: Any, refusal: str = "") -> None:
        """Take the second file, after it has been read."""
        self._second_bytes, self.second_preview = raw, preview
        self._say(refusal)
        self._follow()

    def _dropped_rows(self):
        return super()._dropped_rows() + "".join(map(self._second_words, self._previews()[1:]))

    def _second_words(self, second):
        """Return a sentence with the second file's role, name and number of rows, after a blank."""
        return translate(" {}: {}, {} rows.", self.stands_for, short_name(second.name), second.rows)
