"""Navigation bar of every page: the link home, the menu of the labs, and the tools."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, ClassVar

import panel as pn
import panel_material_ui as pmui
import param
import segno

from explorer.browser import component, sheet
from explorer.languages import bind_language, current_language, linked, name_of, offered, translate
from explorer.markup import markup
from explorer.pages.layout.markup_pane import Text
from explorer.pages.layout.theme import NARROW, ROOM_TOOL, TOOL
from explorer.pages.modes import ALL, LECTURE
from explorer.pages.page_title import pages_by_question, title_and_question
from explorer.pages.widgets.localized import LocalizedComponent
from explorer.pages.widgets.menus import Dialog, DropdownMenu
from explorer.workbench import registry

if TYPE_CHECKING:
    from explorer.pages.modes import Mode
    from explorer.pages.page_protocol import Page

    from .downloads import Downloads

NAME = markup("<span class='short' aria-hidden='true'>⌂</span><span class='long'>Kernel Mean Explorer</span>")
HOME = sheet("home_link")
# on a narrow page an arrow replaces the word, which is still read aloud
SIGN = f"{NARROW} {{ .head {{ font-size: 0; }} .head::before {{ content: '↗\\FE0E'; font-size: 19px; }} }}"
TOOLS = sheet("tools")
ASKS = sheet("asks")
# on a narrow page the language's code replaces its name
SHORT = f"{NARROW} {{ .head {{ font-size: 0; }} .head::before {{ content: attr(data-code); font-size: 14px; }} }}"
# on a narrow page the bar has room for a short label
TIGHT = (
    f"{NARROW} {{ :host {{ margin: 0 3px !important; }}"
    " .head { padding: 4px 5px; max-width: 92px; overflow: hidden; text-overflow: ellipsis; } }"
)
LONGEST = 1200  # most characters of an address in a QR code; the squares of a longer one are too small for cameras


class SkipLink(LocalizedComponent):
    """Button for the keyboard, the first on the page, that moves the focus to the main slider."""

    _module = "skip"
    _esm = component("skip.skip")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "skip")]


class ShareMenu(LocalizedComponent):
    """Menu to share a page: its address, the Python of its numbers, and code that embeds it in another page.

    `draw(address)` makes a QR code of the address, and `order(label)` one of the files.
    """

    code: param.String[str] = param.String(doc="the Python of the page's numbers")
    files: param.List[list[str]] = param.List(item_type=str, doc="what the files are called")
    linked: param.Boolean[bool] = param.Boolean(True, doc="whether the page has an address")

    _module = "share"
    _esm = component("share.share")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list") + SIGN]

    def __init__(self, draw: Callable[[Any], None], order: Callable[[str], object], **params: Any) -> None:
        super().__init__(**params)
        self.draw = draw
        self.order = order
        self.on_msg(bind_language(self._on_message))

    def _on_message(self, event):
        wish = event.data if isinstance(event.data, dict) else {}
        if wish.get("file") in self.files:
            self.order(wish["file"])
        elif "address" in wish:
            self.draw(wish["address"])


class LanguageMenu(LocalizedComponent):
    """Menu of the languages of a page, which opens the page's state in another one."""

    languages: param.List = param.List(doc="the languages, each [code, its own name]")
    current: param.String[str] = param.String(doc="the code of the page's own language")

    _module = "languages"
    _esm = component("languages.choice")
    _stylesheets: ClassVar[list[str]] = [sheet("button", "list") + SHORT]


def language_menu(*sheets: str) -> list[LanguageMenu]:
    """Return the menu of the offered languages in a list, which is empty if there is nothing to choose."""
    code = current_language()
    names = offered() if code in offered() else {code: name_of(code), **offered()}
    choices = [[each, name] for each, name in names.items()]
    if len(choices) < 2:
        return []
    return [LanguageMenu(languages=choices, current=code, margin=0, align="center", stylesheets=list(sheets))]


def way_home(name: str = "") -> list[Any]:
    """Return the product's name, which links home, the menu of the labs, and the question that a lab answers.

    Without a server there is no menu, because it would lead nowhere. Other pages have their question as a heading.

    Parameters
    ----------
    name : str, default ""
        Name of the page, if it is a lab or one of OTHERS.

    Returns
    -------
    list
        The parts of the navigation bar.
    """
    if pn.state.location is None:
        return [Text(markup("<span class='home'>{}</span>", NAME), margin=0, stylesheets=[HOME])]
    sections = pages_by_question()
    listed = [each for names in sections.values() for each in names]
    titles, questions = zip(*map(title_and_question, listed), strict=True)
    at = listed.index(name) if name else -1
    menu = DropdownMenu(
        label=titles[at] if name else translate("Labs"),
        words=list(titles),
        remarks=list(questions),
        links=list(map(linked, listed)),
        sections=[[translate(question), len(names)] for question, names in sections.items()],
        current=at,
        classes="boxed",
        margin=(0, 8),
        align="center",
        stylesheets=[TIGHT],
    )
    home = Text(markup("<a class='home' href='{}'>{}</a>", linked("./"), NAME), margin=0, stylesheets=[HOME])
    return [home, menu, *([asked(questions[at])] if name in registry.names() else [])]


def asked(question: str) -> Text:
    """Return a page's question for its bar; the first heading of the body repeats it, for screen readers and phones."""
    return Text(markup("<span aria-hidden='true'>{}</span>", question), margin=0, sizing_mode=None, stylesheets=[ASKS])


class Navbar:
    """Content of the page's header. `owner` is the page, `downloads` its files, `help` the help overlay."""

    def __init__(self, owner: Page, downloads: Downloads, help: Dialog) -> None:
        self.owner = owner
        self.qr: Dialog = Dialog(width=0, height=0, margin=0)
        places, kinds = owner.navigation, downloads.kinds
        self.undo: pmui.Button = pmui.Button(
            label=translate("Undo"),
            icon="undo",
            disabled=True,
            on_click=bind_language(lambda event: places.undo()),
            **TOOL,
        )
        ask = pmui.Button(label=translate("Help"), icon="help_outline", **TOOL)
        ask.js_on_click(args={"help": help}, code="help.data.open = true")
        self.lecture: pmui.Button = pmui.Button(
            label=translate("Lecture"), icon="slideshow", on_click=bind_language(self._lecture), **ROOM_TOOL
        )
        self.share: ShareMenu = ShareMenu(
            self.show_qr, lambda words: kinds[words](), files=list(kinds), margin=0, align="center"
        )
        self.tools: tuple[Any, ...] = (self.undo, ask, self.share)
        home = way_home(owner.name_of_lab)
        row = pn.Row(self.undo, self.lecture, ask, margin=0, stylesheets=[TOOLS])
        skip = [SkipLink(margin=0, width=0, height=0)] if owner.plays else []
        self.languages: list[LanguageMenu] = language_menu()
        self.heading: list[Any] = home
        self.parts: list[Any] = [*skip, *home, row, *self.languages, self.share]

    def _lecture(self, event):
        mode = self.owner.mode
        self.owner.change_mode(ALL if mode.ui == LECTURE else LECTURE)

    def show_qr(self, address: Any) -> None:
        """Show an address as a QR code for the cameras of a class."""
        with self.owner.speaking():
            words = self._qr(address)
        self.qr.param.update(text=words, open=True)

    def _qr(self, address):
        if not isinstance(address, str) or len(address) > LONGEST:
            return markup(
                "<p>This state's address is too long for a QR code, which holds {} letters. Copy its link.</p>", LONGEST
            )
        drawn = segno.make(address, error="l").svg_data_uri(scale=8, border=3, light="white")
        return markup("<h2>This state, for a camera</h2><img alt='QR code of its link' src='{}'>", drawn)

    def take(self, mode: Mode) -> None:
        """Show the tools that belong to a mode."""
        for part in (*self.tools, *self.languages):
            part.visible = mode.has_tools
        self.heading[-1].css_classes = ["lecture"] if mode.ui == LECTURE else []
        word = translate("Leave the lecture" if mode.ui == LECTURE else "Lecture")
        self.lecture.param.update(visible=mode.ui in (ALL, LECTURE), label=word)
