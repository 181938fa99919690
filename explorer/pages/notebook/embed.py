"""Embedding of a page in a notebook: its cell contains all that a browser needs to show it, and fetches nothing.

Scripts, the widget set's module and its fonts are the same for every page, so the browser unpacks only those of the
first page that it shows. Every cell contains them, because it may be the only one that is left.
"""

from __future__ import annotations

import base64
import json
import sys
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from uuid import uuid4

import bokeh
from panel.io.resources import BUNDLE_DIR, DIST_DIR
from panel.io.state import set_curdoc

from explorer.browser import run
from explorer.browser.compression import compress_text
from explorer.marks.roles import INK, colour
from explorer.markup import markup, script

from .session import WIDGETS, KernelSession
from .websocket import SOCKET

# the front end of pyviz_comms gives a cell of this MIME type its kernel
LOADED = "application/vnd.holoviews_exec.v0+json"
FONTS = {"Material Icons": "material-icons-[A-Z]*.woff2"}  # outlined icons are left out, because no button uses them
WORDS = {
    "alone": "No kernel is connected to this lab, so only its main slider works. Run its cell to go on.",
    "lost": "The kernel of this lab is gone. Run its cell to go on.",
    "elsewhere": "This lab has moved: it goes on in the cell that showed it last.",
}


def mimebundle(page: Any) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return what a cell shows of a page, and connect the page with that cell's browser from now on.

    A page is an object with a `session`, None at first, a method `live_in(document)`, and a flag `material`: whether it
    uses the material widget set, which is as large as everything else. An Exploration does not use it.

    Parameters
    ----------
    page : LabPage or Exploration
        The page.

    Returns
    -------
    data : dict
        MIME type -> content.
    metadata : dict
        MIME type -> metadata.
    """
    session = page.session = page.session or _open_session(page)
    number, document = session.current_document()
    options = {
        "id": f"explorer-{uuid4().hex}",  # a new id each time, because other cells may show the same page
        "target": session.id,
        "port": SOCKET.add(session),
        "number": number,
        "version": bokeh.__version__,
        "widgets": WIDGETS,
        "words": WORDS,
        "colours": {"ink": INK[0], "ground": colour("ground"), "harm": colour("harm")},
        "material": page.material,
        "runtime": runtime(page.material),
        "document": compress_text(json.dumps(document)),
    }
    html = markup(
        "<div id='{}' class='explorer-cell'></div>{}",
        options["id"],
        script(run("cell.show", options)),
    )
    return {"text/html": html, "text/plain": repr(page), LOADED: ""}, {LOADED: {"id": options["id"]}}


def _open_session(page):
    """Return a new session, after connecting the page with it."""
    session = KernelSession()
    sys.modules["IPython"].get_ipython().kernel.comm_manager.register_target(session.id, session.open)
    with set_curdoc(session.document):
        page.live_in(session.document)
    return session


@cache
def runtime(material):
    """Return the packed scripts of every page, with the material widget set's module and fonts if wanted."""
    bokeh_js = Path(bokeh.__file__).parent / "server" / "static" / "js"
    scripts = [bokeh_js / f"{name}.min.js" for name in ("bokeh", "bokeh-widgets", "bokeh-tables")]
    scripts.append(DIST_DIR / "panel.min.js")
    parts: dict[str, Any] = {"scripts": [path.read_text(encoding="utf-8") for path in scripts]}
    if material:
        shims = next(BUNDLE_DIR.glob("reactiveesm/*/dist/es-module-shims.min.js"))
        # Importing the widget set would make its design that of all plots, and `explore` does not use it.
        found: Any = find_spec("panel_material_ui")
        dist = Path(found.origin).parent / "dist"
        parts["shims"] = shims.read_text(encoding="utf-8")
        parts["module"] = (dist / "panel-material-ui.bundle.js").read_text(encoding="utf-8")
        parts["sheet"] = "".join(
            f"@font-face {{ font-family: '{family}'; src: url(data:font/woff2;base64,"
            f"{base64.b64encode(next(dist.glob(pattern)).read_bytes()).decode()}) format('woff2'); }}\n"
            for family, pattern in FONTS.items()
        )
    return compress_text(json.dumps(parts))
