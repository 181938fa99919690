"""Reader of notebooks as HTML: prose with formulas as MathML, code, and the stored outputs.

Nothing is executed or fetched: outputs are text and PNG pictures, and HTML in the prose stays text.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

from explorer.markup import from_library, joined, markup
from explorer.workbench.lessons import LABS, SOLUTION
from explorer.workbench.markdown import markdown

if TYPE_CHECKING:
    from pathlib import Path

    from explorer.markup import Markup

PNG = "image/png"
BASE64 = re.compile(r"[A-Za-z0-9+/=\s]*")
PROSE = markdown()


@cache
def read(path: Path) -> Markup:
    """Return a notebook as HTML, with its solutions folded."""
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return joined(map(_cell, cells))


def prose(text: str) -> Markup:
    """Return Markdown as HTML. Links to the labs lead to those of this server.

    Parameters
    ----------
    text : str
        Markdown.

    Returns
    -------
    Markup
        HTML.
    """
    told = PROSE.render(text.replace(f"({LABS}", "(."))
    return from_library(told.replace("<th></th>", "<td></td>"))  # the empty corner of a table is not a header


def _cell(cell):
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return prose(source)
    if cell["cell_type"] != "code":
        return markup("")
    shown = markup("<pre class='code' tabindex='0'><code>{}</code></pre>", source)
    shown += joined(map(output, cell["outputs"]))
    if SOLUTION in cell["metadata"].get("tags", ()):
        return markup("<details><summary>Solution</summary>{}</details>", shown)
    return shown


def output(left: Mapping[str, Any]) -> Markup:
    """Return an output of a cell, text or a PNG picture, as HTML. Outputs that need a script are left out.

    Parameters
    ----------
    left : mapping
        The output as the notebook's file stores it.

    Returns
    -------
    Markup
        HTML, which may be empty.
    """
    if left["output_type"] == "stream":
        return _text(left["text"])
    data = left.get("data", {})
    if PNG in data and BASE64.fullmatch(picture := "".join(data[PNG])):
        source = "".join(picture.split())
        return markup("<img alt='What the code above draws' src='data:{};base64,{}'>", PNG, source)
    return _text(data.get("text/plain", ""))


def _text(lines):
    text = "".join(lines)
    return markup("<pre class='output' tabindex='0'>{}</pre>", text) if text else markup("")
