"""Page of the lessons: the list of all, or the one that its link names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import panel as pn

from explorer.browser import sheet
from explorer.markup import markup
from explorer.pages.layout.markup_pane import Text
from explorer.pages.page_title import of_page
from explorer.pages.patches.panel_registries import forget_scripts
from explorer.pages.sections.navbar import way_home
from explorer.pages.serving.visitor_cookie import VisitorCookie
from explorer.pages.template import page_template, served_document
from explorer.workbench.lessons import lesson

from . import lessons_text
from .notebook_reader import read

if TYPE_CHECKING:
    import panel_material_ui as pmui

    from explorer.markup import Markup
    from explorer.pages.serving.shared_value import SharedValue

NAME = "lessons"


def content(asked: str) -> Markup:
    """Return the lesson that a link names, or the list of all."""
    found = lesson(asked)
    if found is None:
        return lessons_text.every_lesson(asked)
    path = found.path
    return lessons_text.around(
        found, markup("<p role='alert'>{}</p>", lessons_text.MISSING) if path is None else read(path)
    )


class LessonsPage(pn.viewable.Viewer):
    """Page of the lessons. Of the query parameters of a link it uses `lesson` and `theme`."""

    first: tuple[SharedValue, ...] = ()  # values that a process computes once for all its pages: none

    def __init__(self, link: Mapping[str, str] | None = None) -> None:
        super().__init__()
        link = dict(link or {})
        chosen = link.get("theme", "system")
        sheets = [sheet("shared", "lessons")]
        self.text: Text = Text(
            content(link.get("lesson", "")), stylesheets=sheets, sizing_mode="stretch_width", margin=0
        )
        body: Any = pn.Column(
            self.text,
            VisitorCookie(follows=chosen == "system", margin=0, width=0, height=0),
            sizing_mode="stretch_width",
            margin=0,
            stylesheets=[sheet("body", "lessons_body")],
        )
        self.page: pmui.Page = page_template(lambda: (of_page(NAME), ""), way_home(NAME), body, chosen)
        if served_document() is not None:
            pn.state.on_session_destroyed(lambda context: self.release())

    def __panel__(self) -> pmui.Page:
        return self.page

    def release(self) -> None:
        """Release the page at the end of the session: Panel would keep it alive by the arguments of its scripts."""
        forget_scripts(self.page, *self.page.select())
