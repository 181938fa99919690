"""Scripts that stand alone on a page without Bokeh: a widget in a blog, an essay that scrolls.

    script("widget")    module `widget.js`, with all that it imports here and from `explorer.browser`, as one script

A module that a page begins with exports `begin`, which the script calls. No page of Panel's is sent any of them.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files

from explorer import browser


@cache
def modules() -> dict[str, str]:
    """name -> source of each module of this folder, and of those that they may import from the one around it."""
    found = (each for each in files(__name__).iterdir() if each.name.endswith(".js"))
    own = {each.name.removesuffix(".js"): each.read_text(encoding="utf-8") for each in found}
    return {**browser.modules(), **own}


@cache
def script(name: str) -> str:
    """One script that begins a module; nothing of it is left in the page's own names."""
    needed: dict[str, str] = {}
    waiting = [name]
    while waiting:
        each = waiting.pop()
        if each not in needed:
            needed[each] = modules()[each]
            waiting += browser.imported(needed[each])
    if "begin" not in browser.EXPORT.findall(needed[name]):
        raise ValueError(f"{name}.js exports no begin, so a page cannot begin with it.")
    return f"(() => {{\nconst held = {{}}\n{browser.assembled(needed)}held.{name}.begin()\n}})()\n"
