"""Layout of a page in a notebook cell: no navigation bar, its buttons in one row, and the full width of the cell."""

from __future__ import annotations

from typing import TYPE_CHECKING

import panel as pn
import panel_material_ui as pmui

from explorer.browser import sheet
from explorer.pages.layout import theme

if TYPE_CHECKING:
    from explorer.pages.page_protocol import Page

ROW = ":host { align-items: center; flex-wrap: wrap; justify-content: flex-end; }"
BODY = ":host { padding: 0 4px 12px 4px !important; }"
# The widget set marks light and dark by a class of the element inside the host.
GROUND = "".join(
    f".mui-{name} {{ {'; '.join(f'{each}: {value}' for each, value in theme.variables(dark).items())};"
    " color: var(--ink); background: var(--ground); }\n"
    for name, dark in (("light", False), ("dark", True))
)


def cell(page: Page) -> pmui.Column:
    """Build the root of a page in a cell. It replaces the whole page in the page's chrome."""
    frame, mode, view = page.chrome, page.mode, page.view
    bar, body = frame.bar, frame.body
    bar.take(mode)
    bar.share.linked = False  # a cell has no address that a link could name
    row = pn.Row(*bar.tools, margin=0, sizing_mode="stretch_width", stylesheets=[ROW])
    row.visible = mode.has_tools
    frame.question.stylesheets = [sheet("question")]  # a cell has no bar that could show it
    body.stylesheets = [*body.stylesheets, BODY]
    root = pmui.Column(
        row,
        body,
        margin=0,
        sizing_mode="stretch_width",
        theme_config=theme.THEME,
        dark_theme=frame.is_dark,
        stylesheets=[GROUND],
    )
    theme.follow(root, view.paint)
    frame.page = root
    return root
