"""Scripts for pages without Bokeh: a widget in a blog, an essay that follows the reader's scrolling.

    script("widget")    module `widget.js`, with all that it imports here and from `explorer.browser`, as one script

The main module of a page exports `begin`, which the script calls. Pages of Panel get none of these scripts.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from explorer import browser


@cache
def modules() -> dict[str, str]:
    """Return name -> source of the modules of this folder and of its parent folder, which they may import."""
    found = (each for each in files(__name__).iterdir() if each.name.endswith(".js"))
    own = {each.name.removesuffix(".js"): each.read_text(encoding="utf-8") for each in found}
    return {**browser.modules(), **own}


@cache
def script(name: str) -> str:
    """Return one script that starts a module. It leaves no names in the page's global scope.

    Parameters
    ----------
    name : str
        The module, which exports `begin`.

    Returns
    -------
    str
        JavaScript.

    Raises
    ------
    ValueError
        If the module does not export `begin`.
    """
    needed: dict[str, str] = {}
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each not in needed:
            needed[each] = modules()[each]
            waiting += browser.imports_of(needed[each])
    if "begin" not in browser.EXPORT.findall(needed[name]):
        raise ValueError(f"{name}.js exports no begin, so a page cannot begin with it.")
    return f"(() => {{\nconst held = {{}}\n{browser.assemble(needed)}held.{name}.begin()\n}})()\n"
