"""What the browser is sent: the modules of this folder as one script, calls of their functions, and style sheets.

    CustomJS(args=..., code=...)    call("pacing.follow", request=request, name="lam")
    a component's _esm              component("menus.opener")
    a part's stylesheets            [sheet("button", "list")]

A module is an ES module without effects of its own: it imports by name from its neighbours and exports constants. The
script runs each once and puts it under `explorer.<VERSION>`, so pages of several versions may stand in one notebook.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from graphlib import TopologicalSorter
from hashlib import sha256
from importlib.resources import files
from typing import Any

from bokeh.models import CustomJS

from explorer.marks.roles import FONT
from explorer.markup import as_data
from explorer.printing import echo

BAR = 48  # px, that the bar of a page is high
REACH = 12  # px around what a figure lets a hand hold
NARROW = "(max-width: 700px)"  # the columns of a page stand one below the other
LETTERS = 1.6  # times as large are a lecture's letters: who sits at the back reads them
EVENT = ("cb_obj", "cb_data", "cb_context")  # what Bokeh gives each CustomJS, besides its arguments
# what sheets name and Python knows: a query, which CSS itself cannot name yet, the house's letters, the bar and more
KNOWN = {"(--narrow)": NARROW, "var(--font)": FONT, "var(--bar)": f"{BAR}px", "var(--letters)": str(LETTERS)}

IMPORT = re.compile(r"^import \{([^}]*)\} from '\.\.?/(\w+)\.js'\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|class) (\w+))", re.MULTILINE)
SAID = re.compile(r"\bsaid\(model, '([^']+)'\)")
UNREAD = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)  # a form that this does not read
# comments, of which one within a line follows a space, indentation and empty lines: a page is sent none of these
UNSENT = re.compile(r"/\*\*.*?\*/ ?|(?:^|[ \t]+)// [^\n]*|^[ \t]+|^\n", re.MULTILINE | re.DOTALL)


@cache
def modules() -> dict[str, str]:
    """name -> source of each module."""
    found = (each for each in files(__name__).iterdir() if each.name.endswith(".js"))
    return {each.name.removesuffix(".js"): each.read_text(encoding="utf-8") for each in found}


@cache
def words_of(module: str) -> tuple[str, ...]:
    """The English words that a module says by `said(model, '...')`, the keys of what it says in another language."""
    return tuple(dict.fromkeys(SAID.findall(modules()[module])))


@cache
def _all() -> str:
    return assembled(modules())


def assembled(sources: Mapping[str, str]) -> str:
    """Modules, name -> source, without their comments, each after those that it imports."""
    # in order, as every process of a server must come to one version
    wanted = {name: imported(source) for name, source in sorted(sources.items())}
    return "".join(_held(name, sources[name]) for name in TopologicalSorter(wanted).static_order())


def imported(source: str) -> list[str]:
    """The names of the modules that a module imports."""
    return sorted({name for _, name in IMPORT.findall(source)})


def _held(name: str, source: str) -> str:
    """A module as what it exports, within a function of its own."""
    exported = ", ".join(EXPORT.findall(source))
    source = EXPORT.sub("", IMPORT.sub(lambda found: _taken(*found.groups()), UNSENT.sub("", source)))
    if unread := UNREAD.search(source):
        found = echo(unread.group())
        raise ValueError(f"{name}.js: {found} is not read; import names of a neighbour, export a constant.")
    return f"held.{name} = (() => {{\n{source}return {{{exported}}}\n}})()\n"


def _taken(names: str, module: str) -> str:
    """An import, as a constant."""
    return f"const {{{names.replace(' as ', ': ')}}} = held.{module}\n"


VERSION = f"v{sha256(_all().encode()).hexdigest()[:8]}"  # of what the modules do


def script() -> str:
    """The one script that a page needs; where it has it already, nothing runs again."""
    whole = f"explorer.{VERSION} ??= (() => {{ const held = {{}}\n{_all()}return held }})()"
    return f"globalThis.explorer ??= {{}}\n{whole}\n"


def code(name: str, *given: str) -> str:
    """The code of a callback that calls a function of a module, "module.function", with names that it knows."""
    module, function = name.split(".")
    if function not in EXPORT.findall(modules()[module]):
        raise ValueError(f"{module}.js exports no {function}.")
    return f"return explorer.{VERSION}.{name}({{{', '.join(given)}}})"


def call(name: str, /, **args: Any) -> CustomJS:
    """A callback that calls a function of a module with these arguments, and with what Bokeh tells of the event."""
    return CustomJS(args=args, code=code(name, *EVENT, *args))


def on_change(part: Any, event: str, name: str, /, **args: Any) -> None:
    """Let a part of Panel's call a function of a module when a property of its model changes."""
    part.jscallback(args=args, **{event: code(name, *EVENT, *args)})


def component(name: str, /, **known: Any) -> str:
    """The module of a component whose `render` is a function of ours; it is called with what is known here, too."""
    code(name)  # refuses a function that is not there
    return f"export const render = (props) => explorer.{VERSION}.{name}(props, {as_data(known)!s})"


def run(name: str, argument: object) -> str:
    """A script for the inside of <script>: the modules, and then a call of one of their functions."""
    return f"{script()}{spoken(name, argument)}"


def spoken(name: str, argument: object = None) -> str:
    """A call of a function of a module, where a page has the script already."""
    code(name)  # refuses a function that is not there
    return f"explorer.{VERSION}.{name}({'' if argument is None else str(as_data(argument))})"


@cache
def sheet(*names: str) -> str:
    """Style sheets of this folder, one after the other."""
    text = " ".join(files(__name__).joinpath(f"{name}.css").read_text(encoding="utf-8") for name in names)
    for name, known in KNOWN.items():
        text = text.replace(name, known)
    return " ".join(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).split())
