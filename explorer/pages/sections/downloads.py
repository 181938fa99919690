"""What a page gives away: its pictures, one file that needs no server, a film, its numbers and its state."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TYPE_CHECKING

import panel as pn
import panel_material_ui as pmui
from bokeh.core.properties import Instance, Nullable, String
from bokeh.model import DataModel, Model

from explorer.browser import call
from explorer.exports.onefile import one_file
from explorer.exports.picture import picture_texts
from explorer.languages import translate, translate_labels
from explorer.marks.table import numbers_of
from explorer.markup import meant
from explorer.printing import cell
from explorer.workbench import registry
from explorer.workbench.cost import seconds
from explorer.workbench.safe_call import run_safely

from .film_export import FilmExport

if TYPE_CHECKING:
    from explorer.pages.protocol import Page

PICTURE, DATA = "Picture (PNG)", "Data (CSV)"  # of the large one, in the menu
FILE, WRITING = "One file (HTML)", "Writing ..."  # what its button says
ABSENT = "There is no such picture at this state, so there is nothing to download of it."


class Order(DataModel):
    """What a browser is to save.

    asked  JSON: a serial number, the file's name and kind and, of a picture, what is written around it
    text   the file itself, where the server has made it: its words, and of a film its bytes in base64
    plot   the figure of which a picture is wanted: one that is seen, so that the browser has it
    """

    asked: String = String(default="")
    text: String = String(default="")
    plot: Nullable = Nullable(Instance(Model))


class Downloads:
    """Orders of a page, `owner`, to its browser: pictures as the browser draws them, and one file."""

    def __init__(self, owner: Page) -> None:
        self.owner = owner
        self.order: Order = Order()
        self.serial: int = 0  # how often something was ordered
        self.stem: str = registry.entry(owner.name_of_lab).title.lower()
        self.file: pmui.Button = _button(FILE, self.save_file)
        self.filming: FilmExport = FilmExport(owner, self._write)
        self.order.js_on_change("asked", call("saving.save"))

    @property
    def kinds(self) -> Mapping[str, Callable[[], object]]:
        """What the menu of a page gives away as files: in words -> what orders it."""
        large = next(iter(self.owner.view.slots))
        files = {PICTURE: partial(self.save_picture, large, "png"), DATA: partial(self.save_data, large)}
        one = {FILE: self.save_file} if self.owner.lab.slider else {}
        films = {words: partial(self.filming.begin, kind) for words, kind in self.filming.offered.items()}
        return translate_labels(files | one | films)

    def save_data(self, place: str) -> None:
        """Order the numbers that the picture in a place of the page draws."""
        self._write(".csv", drawn(self.owner, place).getvalue())

    def save_picture(self, place: str, kind: str) -> None:
        """Order what is seen in a place of the page."""
        owner, result = self.owner, self.owner.result
        if owner.blank or (seen := owner.view.visible_in(result, place)) is None:
            owner.chrome.say([ABSENT])
            return
        self.order.plot = owner.view.figures[seen.name]
        self._ask(f"-{place}.{kind}", kind=kind, said=picture_texts(seen, result))

    def save_file(self) -> None:
        """Order the page's state as one HTML file, once a thread has made it."""
        owner, preset = self.owner, self.owner.navigation.preset()
        if owner.blank:
            owner.chrome.say([ABSENT])
            return
        lab = owner.lab.replace()
        lab.begin_with(owner.result)  # what is shown is not computed again
        make = partial(run_safely, partial(one_file, lab, preset.name if preset else ""), f"one file of {lab}")
        self.file.param.update(label=translate(WRITING), disabled=True)
        owner.in_thread(make, self._deliver, seconds(lab.cost, late=True))

    def _deliver(self, made):
        page, refused = made
        self.file.param.update(label=translate(FILE), disabled=False)
        if refused:
            self.owner.chrome.say([refused])
            return
        self._write(".html", str(meant(page)))

    def _write(self, ending, text):
        self.order.update(text=text)
        self._ask(ending, kind=ending[1:])

    def _ask(self, ending, **what):
        self.serial += 1
        self.order.update(asked=json.dumps({"serial": self.serial, "name": f"{self.stem}{ending}", **what}))


def _button(label, act):
    return pmui.Button(label=translate(label), variant="outlined", size="small", on_click=lambda event: act())


def downloads(owner: Page) -> pn.FlexBox:
    """Buttons for what is seen in each place of a page as PNG, SVG and CSV, each table as CSV, and the state as JSON.

    And for the whole as one HTML file, where the browser answers the slider, and as a film, where it plays.
    """
    ordered, parts = owner.chrome.downloads, []
    stem = ordered.stem
    if owner.lab.slider:
        parts.append(ordered.file)
    parts += [_button(words, partial(ordered.filming.begin, kind)) for words, kind in ordered.filming.offered.items()]
    for place in owner.view.slots:
        for kind in ("png", "svg"):
            act = partial(ordered.save_picture, place, kind)
            parts.append(_button(f"{place} {kind.upper()}", act))
        parts.append(_file(f"{place} as drawn CSV", f"{stem}-{place}-as-drawn.csv", partial(drawn, owner, place)))
    for name in owner.numbers(owner.result):
        parts.append(_file(f"{name} CSV", f"{stem}-{name}.csv", lambda name=name: written(owner, name)))
    parts += [_file(*file) for file in owner.files()]
    parts.append(_file("state JSON", f"{stem}.json", lambda: io.StringIO(json.dumps(owner.state(), indent=1))))
    return pn.FlexBox(*parts, gap="8px", margin=(4, 10))


def _file(label, name, make):
    button = pmui.FileDownload(label=translate(label), filename=name, callback=make, auto=True, size="small")
    button.variant = "outlined"  # as an argument it would pass for a deprecated one in Panel 1.9
    return button


def written(owner: Page, name: str) -> io.StringIO:
    """One of the page's tables as CSV; nothing but a comment if the page shows no state of the lab."""
    return _csv(owner, {} if owner.blank else owner.numbers(owner.result)[name])


def drawn(owner: Page, place: str) -> io.StringIO:
    """The numbers that the picture in a place of the page draws as CSV; nothing but a comment where there is none."""
    seen = None if owner.blank else owner.view.visible_in(owner.result, place)
    return _csv(owner, numbers_of(seen.of, owner.result) if seen else {})


def _csv(owner, columns):
    """Columns as CSV; comment lines say where they come from."""
    text = io.StringIO()
    text.write(f"# Kernel Mean Explorer, {owner.title}; the state of the page: {owner.link()}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(cell, columns))
    # every digit, unlike numpy's own
    writer.writerows(zip(*(map(cell, column.tolist()) for column in columns.values()), strict=True))
    text.seek(0)
    return text
