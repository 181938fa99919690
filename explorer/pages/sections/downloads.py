"""Downloads of a page: its pictures, one file that needs no server, a film, its numbers and its state."""

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
from explorer.exports.paper import picture_texts
from explorer.exports.state_pages import one_file
from explorer.languages import bind_language, message, translate, translate_labels
from explorer.marks.table import numbers_of
from explorer.markup import meant
from explorer.printing import cell
from explorer.workbench import registry
from explorer.workbench.cost import seconds
from explorer.workbench.safe_call import run_safely

from .film_export import FilmExport

if TYPE_CHECKING:
    from explorer.pages.page_protocol import Page
    from explorer.views.view import View

PICTURE, DATA = "Picture (PNG)", "Data (CSV)"  # labels in the menu, for the main picture
FILE, WRITING = "One file (HTML)", "Writing ..."  # labels of its button
# tables of the labs' scripts whose names are translated; any other keeps its name
TABLES = message(("bound", "components", "curves", "point", "sample", "spectrum"))
ABSENT = message("There is no such picture at this state, so there is nothing to download of it.")


class Order(DataModel):
    """Model with which the server asks the browser to save a file.

    Attributes
    ----------
    asked : str
        JSON: a serial number, the file's name and kind and, for a picture, the texts around it.
    text : str
        The file itself if the server has made it: its text, or the bytes of a film in base64.
    plot : Model or None
        The figure to save as a picture. It has to be visible, because the browser draws the file from it.
    """

    asked: String = String(default="")
    text: String = String(default="")
    plot: Nullable = Nullable(Instance(Model))


class Downloads:
    """Download orders that a page, `owner`, sends to its browser: pictures as the browser draws them, and one file."""

    def __init__(self, owner: Page) -> None:
        self.owner = owner
        self.view: View = owner.view
        self.order: Order = Order()
        self.serial: int = 0  # number of orders so far
        self.stem: str = registry.entry(owner.name_of_lab).title.lower()
        self.file: pmui.Button = _button(translate(FILE), self.save_file)
        self.filming: FilmExport = FilmExport(owner, self._write)
        self.order.js_on_change("asked", call("saving.save"))

    @property
    def has_file(self) -> bool:
        """True if the page is offered as one file, whose browser answers the lab's slider."""
        lab = self.owner.lab
        return bool(lab.slider)

    @property
    def kinds(self) -> Mapping[str, Callable[[], object]]:
        """The downloads in the page's menu: label -> function that orders the file."""
        large = next(iter(self.view.slots))
        files = {PICTURE: partial(self.save_picture, large, "png"), DATA: partial(self.save_data, large)}
        one = {FILE: self.save_file} if self.has_file else {}
        films = {words: partial(self.filming.begin, kind) for words, kind in self.filming.offered.items()}
        return translate_labels(files | one | films)

    def save_data(self, place: str) -> None:
        """Order the numbers that the picture in a slot of the page draws."""
        self._write(".csv", picture_csv(self.owner, place).getvalue())

    def save_picture(self, place: str, kind: str) -> None:
        """Order the picture that is visible in a slot of the page."""
        owner, result = self.owner, self.owner.result
        if owner.blank or (seen := self.view.visible_in(result, place)) is None:
            owner.say([ABSENT])
            return
        self.order.update(plot=self.view.figures[seen.name])
        self._ask(f"-{place}.{kind}", kind=kind, said=picture_texts(seen, result))

    def save_file(self) -> None:
        """Order the page's state as one HTML file, which a thread makes first."""
        owner = self.owner
        navigation = owner.navigation
        preset = navigation.preset()
        if owner.blank:
            owner.say([ABSENT])
            return
        lab = owner.lab
        lab = lab.copy_with(owner.result)
        make = partial(run_safely, partial(one_file, lab, preset.name if preset else ""), f"one file of {lab}")
        self.file.param.update(label=translate(WRITING), disabled=True)
        owner.in_thread(make, self._deliver, seconds(lab.cost, late=True))

    def _deliver(self, made):
        page, refused = made
        self.file.param.update(label=translate(FILE), disabled=False)
        if refused:
            self.owner.say([refused])
            return
        self._write(".html", str(meant(page)))

    def _write(self, ending, text):
        self.order.update(text=text)
        self._ask(ending, kind=ending[1:])

    def _ask(self, ending, **what):
        self.serial += 1
        self.order.update(asked=json.dumps({"serial": self.serial, "name": f"{self.stem}{ending}", **what}))


def _button(label, act):
    return pmui.Button(label=label, variant="outlined", size="small", on_click=bind_language(lambda event: act()))


def downloads(owner: Page) -> pn.FlexBox:
    """Return the download buttons of a page.

    Each slot has its visible picture as PNG and SVG and its numbers as CSV; each table is a CSV, and the state is a
    JSON file. If the lab has a slider, the page is also offered as one HTML file in which the browser answers the
    slider. If the lab plays, it is offered as a film.
    """
    frame, view, parts = owner.chrome, owner.view, []
    ordered = frame.downloads
    stem = ordered.stem
    if ordered.has_file:
        parts.append(ordered.file)
    parts += [
        _button(translate(words), partial(ordered.filming.begin, kind))
        for words, kind in ordered.filming.offered.items()
    ]
    for place in view.slots:
        for kind in ("png", "svg"):
            act = partial(ordered.save_picture, place, kind)
            parts.append(_button(f"{translate(place)} {kind.upper()}", act))
        parts.append(
            _file(
                translate("{} as drawn CSV", translate(place)),
                f"{stem}-{place}-as-drawn.csv",
                partial(picture_csv, owner, place),
            )
        )
    for name in owner.numbers(owner.result):
        parts.append(_file(f"{translate(name)} CSV", f"{stem}-{name}.csv", lambda name=name: table_csv(owner, name)))
    parts += [_file(*file) for file in owner.files()]
    parts.append(
        _file(translate("state JSON"), f"{stem}.json", lambda: io.StringIO(json.dumps(owner.state(), indent=1)))
    )
    return pn.FlexBox(*parts, gap="8px", margin=(4, 10))


def _file(label, name, make):
    button = pmui.FileDownload(label=label, filename=name, callback=bind_language(make), auto=True, size="small")
    button.variant = "outlined"  # Panel 1.9 would treat it as a deprecated argument
    return button


def table_csv(owner: Page, name: str) -> io.StringIO:
    """Return one of the page's tables as CSV, or only the comment if the page shows no state of the lab."""
    return _csv(owner, {} if owner.blank else owner.numbers(owner.result)[name])


def picture_csv(owner: Page, place: str) -> io.StringIO:
    """Return the numbers of the picture in a slot as CSV, or only the comment if the slot is empty."""
    view = owner.view
    seen = None if owner.blank else view.visible_in(owner.result, place)
    return _csv(owner, numbers_of(seen.of, owner.result) if seen else {})


def _csv(owner, columns):
    """Return columns as CSV; comment lines name their source."""
    text = io.StringIO()
    text.write(f"# Kernel Mean Explorer, {owner.title}; the state of the page: {owner.link()}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(cell, columns))
    # tolist keeps every digit, whereas numpy's own text rounds
    writer.writerows(zip(*(map(cell, column.tolist()) for column in columns.values()), strict=True))
    text.seek(0)
    return text
