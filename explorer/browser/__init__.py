"""Scripts and style sheets of the browser: the modules of this folder as one script, calls of their functions, and CSS.

    CustomJS(args=..., code=...)    call("pacing.follow", request=request, name="lam")
    a component's _esm              component("menus.opener")
    a part's stylesheets            [sheet("button", "list")]

A module is an ES module without side effects: it imports names from its neighbours and exports constants. The script
runs each module once and stores it under `explorer.<VERSION>`, so that a notebook may show pages of several versions.
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

BAR = 48  # height of a page's bar, in px
REACH = 12  # distance from a draggable point within which a pointer takes it, in px
NARROW = "(max-width: 700px)"  # media query of pages whose columns are one below the other
SHORT_BAR = "(max-width: 1060px)"  # of pages whose bar has no room for the page's question
LONG_BAR = "(min-width: 1060.02px)"
LETTERS = 1.6  # factor of the font size in a lecture, so that the back row can read
EVENT = ("cb_obj", "cb_data", "cb_context")  # what Bokeh passes to each CustomJS in addition to its arguments
# constants that Python and the style sheets share; CSS itself has no variables for media queries yet
KNOWN = {
    "(--narrow)": NARROW,
    "(--short-bar)": SHORT_BAR,
    "(--long-bar)": LONG_BAR,
    "var(--font)": FONT,
    "var(--bar)": f"{BAR}px",
    "var(--letters)": str(LETTERS),
}

IMPORT = re.compile(r"^import \{([^}]*)\} from '\.\.?/(\w+)\.js'\n", re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:const|class) (\w+))", re.MULTILINE)
SAID = re.compile(r"\bsaid\(model, '([^']+)'\)")
UNREAD = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)  # imports and exports that are not supported
# comments (within a line they follow a space), indentation and empty lines: they are not sent to a page
UNSENT = re.compile(r"/\*\*.*?\*/ ?|(?:^|[ \t]+)// [^\n]*|^[ \t]+|^\n", re.MULTILINE | re.DOTALL)


@cache
def modules() -> dict[str, str]:
    """Return name -> source of each module."""
    found = (each for each in files(__name__).iterdir() if each.name.endswith(".js"))
    return {each.name.removesuffix(".js"): each.read_text(encoding="utf-8") for each in found}


@cache
def words_of(module: str) -> tuple[str, ...]:
    """Return the English texts that a module translates by `said(model, '...')`, the keys of its translations."""
    return tuple(dict.fromkeys(SAID.findall(modules()[module])))


@cache
def _all() -> str:
    """Return all modules as one script."""
    return assemble(modules())


def assemble(sources: Mapping[str, str]) -> str:
    """Return modules, given as name -> source, without comments, each after the modules that it imports."""
    # sorted, because every process of a server must compute the same version
    wanted = {name: imports_of(source) for name, source in sorted(sources.items())}
    return "".join(_as_iife(name, sources[name]) for name in TopologicalSorter(wanted).static_order())


def imports_of(source: str) -> list[str]:
    """Return the names of the modules that a module imports."""
    return sorted({name for _, name in IMPORT.findall(source)})


def _as_iife(name: str, source: str) -> str:
    """Return a module as a constant with its exports, wrapped in a function."""
    exported = ", ".join(EXPORT.findall(source))
    source = EXPORT.sub("", IMPORT.sub(lambda found: _as_constant(*found.groups()), UNSENT.sub("", source)))
    if unread := UNREAD.search(source):
        found = echo(unread.group())
        raise ValueError(f"{name}.js: {found} is not read; import names of a neighbour, export a constant.")
    return f"held.{name} = (() => {{\n{source}return {{{exported}}}\n}})()\n"


def _as_constant(names: str, module: str) -> str:
    """Return an import as a constant."""
    return f"const {{{names.replace(' as ', ': ')}}} = held.{module}\n"


VERSION = f"v{sha256(_all().encode()).hexdigest()[:8]}"  # a hash of the modules' code


def script() -> str:
    """Return the one script that a page needs.

    If the page has it already, nothing runs again.

    Returns
    -------
    str
        JavaScript.
    """
    whole = f"explorer.{VERSION} ??= (() => {{ const held = {{}}\n{_all()}return held }})()"
    return f"globalThis.explorer ??= {{}}\n{whole}\n"


def code(name: str, *given: str) -> str:
    """Return the code of a callback that calls a function of a module.

    Parameters
    ----------
    name : str
        "module.function".
    *given : str
        Names of the callback's arguments, which the function gets as properties of one object.

    Returns
    -------
    str
        JavaScript.

    Raises
    ------
    ValueError
        If the module does not export the function.
    """
    module, function = name.split(".")
    if function not in EXPORT.findall(modules()[module]):
        raise ValueError(f"{module}.js exports no {function}.")
    return f"return explorer.{VERSION}.{name}({{{', '.join(given)}}})"


def call(name: str, /, **args: Any) -> CustomJS:
    """Return a callback that calls a function of a module.

    Parameters
    ----------
    name : str
        "module.function".
    **args : object
        Arguments of the function. It also gets what Bokeh passes on the event, see EVENT.

    Returns
    -------
    CustomJS
        The callback.
    """
    return CustomJS(args=args, code=code(name, *EVENT, *args))


def on_change(part: Any, event: str, name: str, /, **args: Any) -> None:
    """Call a function of a module in the browser if a property of a component's model changes.

    Parameters
    ----------
    part : panel.viewable.Viewable
        The component.
    event : str
        The property of its model.
    name : str
        "module.function".
    **args : object
        Arguments of the function.
    """
    part.jscallback(args=args, **{event: code(name, *EVENT, *args)})


def component(name: str, /, **known: Any) -> str:
    """Return the module of a component whose `render` is a function of this project's script.

    Parameters
    ----------
    name : str
        "module.function".
    **known : object
        Further arguments of the function, as JSON.

    Returns
    -------
    str
        JavaScript, for `_esm`.
    """
    code(name)  # refuses a function that is not there
    return f"export const render = (props) => explorer.{VERSION}.{name}(props, {as_data(known)!s})"


def run(name: str, argument: object) -> str:
    """Return a script for the inside of <script>: the modules, and then a call of one of their functions.

    Parameters
    ----------
    name : str
        "module.function".
    argument : object
        The argument of the function, as JSON.

    Returns
    -------
    str
        JavaScript.
    """
    return f"{script()}{call_statement(name, argument)}"


def call_statement(name: str, argument: object = None) -> str:
    """Return a call of a function of a module, for a page that has the script already.

    Parameters
    ----------
    name : str
        "module.function".
    argument : object, default None
        The argument of the function, as JSON; None omits it.

    Returns
    -------
    str
        JavaScript.
    """
    code(name)  # refuses a function that is not there
    return f"explorer.{VERSION}.{name}({'' if argument is None else str(as_data(argument))})"


@cache
def sheet(*names: str) -> str:
    """Return style sheets of this folder, joined, without comments and with the constants of KNOWN."""
    text = " ".join(files(__name__).joinpath(f"{name}.css").read_text(encoding="utf-8") for name in names)
    for name, known in KNOWN.items():
        text = text.replace(name, known)
    return " ".join(re.sub(r"/\*.*?\*/", "", text, flags=re.DOTALL).split())
