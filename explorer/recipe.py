"""Python that users copy: the source of one of our functions, with the values of a state filled in.

    def python(result):
        lab = result.lab

        @recipe
        def steps():
            X = GaussianMixture.random(lab.d, rng=lab.law_seed).sample(lab.n, rng=lab.seed)
            if lab.outliers:
                X = contaminate(X, lab.outliers, rng=lab.seed)  # {lab.outliers} of {lab.n} points
            print(KME(lab.kernel).embed(X).norm())

        return steps.script()

A recipe runs if it is called. It prints itself as a script by four rules:

1. What it takes from the enclosing function is a value, and so are a value's attributes, items and methods, an f-string
   of values, and this project's constants. Values are written as Python that rebuilds them; `*` and `**` of a value are
   its entries.
2. Everything else is printed as it stands. The functions, classes and modules that it names are imported.
3. Conditions on values are decided, so that one branch is printed. A loop over a value is printed once for each item.
4. A call of another recipe is replaced by its steps, and by what it returns.

A comment is a template, as in the example, and is left out if it is empty. Nothing but literals and calls of importable
classes is ever filled in, so that a name in a user's table cannot become code.
"""

from __future__ import annotations

import ast
import builtins
import inspect
import io
import keyword
import linecache
import re
import textwrap
import tokenize
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import pairwise
from types import BuiltinFunctionType, CodeType, FunctionType, MappingProxyType, ModuleType
from typing import Any, Generic, ParamSpec, TypeAlias, TypeVar

from .printing import code, echo

Given = ParamSpec("Given")
Returned = TypeVar("Returned")
Edit: TypeAlias = tuple[int, int, str]  # start and end in a source, and the text that replaces this span

PLAIN = (str, int, float, type(None))
LITERALS = (
    *(ast.Expression, ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.Set, ast.Call, ast.keyword, ast.Name),
    *(ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.expr_context),
)
ATOMS = (ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Call, ast.List, ast.Dict, ast.Set, ast.JoinedStr)
OPERATORS = (ast.BinOp, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Attribute, ast.Subscript, ast.Starred)
TO_TOOLS = ("noqa", "type:", "pyright:", "fmt:")  # how comments begin that are not for readers


class Script(str):
    """Python that a recipe has printed. Pages, files and reports offer no other text as Python."""

    __slots__ = ()


class Name(str):
    """Value that a script leaves to its reader, such as a table in memory; it is written as a name."""

    __slots__ = ()

    def _code(self):
        if not self.isidentifier() or keyword.iskeyword(self):
            raise ValueError(f"{echo(str(self))} is no name in Python; a value is filled in as it is.")
        return str(self)


class Recipe(Generic[Given, Returned]):
    """Function that runs, and prints itself as a script.

    Parameters
    ----------
    function : callable
        The function. What it takes from the enclosing function are the values of the script.
    around : mapping of str to object, optional
        The variables of the enclosing function, for comments.
    """

    def __init__(self, function: Callable[Given, Returned], around: Mapping[str, Any] = MappingProxyType({})) -> None:
        self.function: Any = function
        self.around = around

    def __call__(self, *args: Given.args, **kwargs: Given.kwargs) -> Returned:
        return self.function(*args, **kwargs)

    def script(self, end: str = "\n") -> Script:
        """Return the script: the imports, then the steps.

        Parameters
        ----------
        end : str, default newline
            The text after the last line.

        Returns
        -------
        Script
            The script.

        Raises
        ------
        TypeError
            If a value cannot be written, or a step cannot be printed.
        """
        page = _Page()
        _Steps(self, page, {}, 0).print()
        imports = page.imports()
        gap = [""] * (1 + "".join(page.lines[:1]).startswith("def ")) if imports else []
        return Script("\n".join([*imports, *gap, *page.lines]) + end)


def recipe(function: Callable[Given, Returned]) -> Recipe[Given, Returned]:
    """Make a function a recipe; a decorator.

    Parameters
    ----------
    function : callable
        The function.

    Returns
    -------
    Recipe
        The recipe.

    Examples
    --------
    >>> from explorer.datasets import toy_bags
    >>> def bags(count):
    ...     @recipe
    ...     def steps():
    ...         train = toy_bags("mean", count)
    ...         print(train)
    ...
    ...     return steps.script()
    >>> print(bags(3), end="")
    from explorer.datasets import toy_bags
    <BLANKLINE>
    train = toy_bags('mean', 3)
    print(train)
    """
    frame = inspect.currentframe()
    return Recipe(function, dict(frame.f_back.f_locals) if frame and frame.f_back else {})


def pasted(python: str) -> str:
    """Return the text of a script for a function that offers Python, and refuse other text, which may contain names.

    Parameters
    ----------
    python : Script
        The script.

    Returns
    -------
    str
        The same text as a plain string.

    Raises
    ------
    TypeError
        If it is plain text.
    """
    if not isinstance(python, Script):
        raise TypeError(
            "a place for Python takes a Script, which a recipe prints and which quotes what is text, and not a"
            f" {type(python).__name__}: {echo(str(python))}"
        )
    return str(python)


class _Page:
    """Printed lines, and the names that they use."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.blank = 0  # empty lines before the next one
        self.modules: dict[str, str] = {}
        self.names: dict[str, set[str]] = {}

    def add(self, text: str, indent: int) -> None:
        """Add a line, or several that belong together."""
        self.lines += [""] * (self.blank if self.lines else 0)
        self.blank = 0
        self.lines += [f"{' ' * indent}{line}" for line in text.split("\n")]

    def imports(self) -> list[str]:
        """Return the import lines: modules, then names, those of this project last."""
        modules = (
            f"import {name}" if name == alias else f"import {name} as {alias}" for alias, name in self.modules.items()
        )
        rooms = sorted(self.names, key=lambda room: (room.partition(".")[0] == "explorer", room))
        ordered = {room: sorted(self.names[room], key=lambda each: (each.lower(), each)) for room in rooms}
        return [*sorted(modules), *(f"from {room} import {', '.join(names)}" for room, names in ordered.items())]

    def use(self, thing: Any, home: str, alias: str = "") -> str:
        """Return the name of a module, a class or a function, and import it."""
        if isinstance(thing, ModuleType):
            self.modules[alias] = thing.__name__
            return alias
        if thing.__module__ != "builtins":
            self.names.setdefault(_room_of(thing, home), set()).add(thing.__name__)
        return thing.__name__

    def write(self, value: Any, home: str) -> str:
        """Return Python that rebuilds a value, and import the classes that it calls."""
        if _is_named(value):
            return self.use(value, home)
        text = code(value)
        if type(value) in PLAIN:
            return text
        try:
            nodes = list(ast.walk(ast.parse(text, mode="eval")))
        except SyntaxError:
            nodes = [None]
        parts = list(_parts_of(value))
        kinds = {type(part).__name__: type(part) for part in parts}
        free = {part for part in parts if isinstance(part, Name)}
        for node in nodes:
            name = getattr(node, "id", "float")  # the one builtin that values need: float('inf')
            kind = float if name == "float" else kinds.get(name) or getattr(import_module("explorer"), name, None)
            if not isinstance(node, LITERALS) or not (isinstance(kind, type) or name in free):
                raise TypeError(
                    f"a script cannot rebuild {type(value).__name__}: {echo(value)}; fill in what it is made of."
                )
            if name not in free:
                self.use(kind, home)
        return text


def _is_named(thing):
    """Return whether a thing is a class or a function, which a script imports by its name."""
    if isinstance(thing, BuiltinFunctionType):
        return isinstance(thing.__self__, ModuleType)
    return isinstance(thing, (type, FunctionType))


def _parts_of(value):
    """Yield a value, and all that it is made of."""
    yield value
    if hasattr(value, "_parts_of"):  # a kernel made of others
        value = value._parts_of()
    elif hasattr(value, "_parts"):
        value = [part for _, part in value._parts()]
    for part in value if isinstance(value, (list, tuple)) else ():
        yield from _parts_of(part)


@cache
def _room_of(thing, home):
    """Return the module that a script imports a thing from: the package itself, one of its packages, or its module."""
    parts = thing.__module__.split(".")
    rooms = [".".join(parts[:depth]) for depth in range(1, len(parts) + 1)] if parts[0] == "explorer" else parts[:0]
    for room in (*rooms[:2], ".".join(home.split(".")[:2]), *rooms[2:], thing.__module__):
        if getattr(import_module(room), thing.__name__, None) is thing:
            return room
    raise TypeError(f"a script cannot import {thing.__qualname__} of {thing.__module__}; define it in a module.")


class _Source:
    """Source of a function: its tree, and the edits that make lines of a script from the lines of the file.

    The formatter of this project breaks calls over several lines, and a script has them on one. Only a list or a dict
    that ends with a comma stays on several lines.
    """

    def __init__(self, function: CodeType, file: str) -> None:  # the file, because equal code has equal keys
        linecache.checkcache(file)
        lines = linecache.getlines(file)[function.co_firstlineno - 1 :]
        self.text = textwrap.dedent("".join(inspect.getblock(lines)))  # getsourcelines looks at all modules, 0.3 s
        try:
            nodes = ast.walk(ast.parse(self.text))
            self.tree = next(
                node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == function.co_name
            )
        except (SyntaxError, StopIteration):
            raise TypeError(
                f"the source of {function.co_qualname} is in no file, or the file has changed since it was imported."
            ) from None
        self.rows = self.text.split("\n")
        self.starts = [0]
        for row in self.rows:
            self.starts.append(self.starts[-1] + len(row) + 1)
        self.steps = self.tree.body[ast.get_docstring(self.tree) is not None :]
        self.bound = {
            name
            for node in ast.walk(self.tree)
            for name in (getattr(node, "id", None), getattr(node, "arg", None), getattr(node, "name", None))
            if name
            and (not isinstance(node, ast.Name) or isinstance(node.ctx, ast.Store))
            and not isinstance(node, ast.keyword)
        }
        self.comments: dict[int, tuple[int, str]] = {}  # row -> start, text
        self.alone: set[int] = set()  # rows that have nothing but a comment
        self.tokens: list[tuple[int, int, str]] = []
        self._read_tokens()

    def _read_tokens(self):
        """Read the tokens that have text, the comments, and the edits of the layout."""
        tokens = list(tokenize.generate_tokens(io.StringIO(self.text).readline))
        none = (tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)
        broken, columns = [], []  # the ends of lines within brackets, and where these statements begin
        column, fresh, depth = 0, True, 0
        for token in tokens:
            start, end = (self.starts[row - 1] + at for row, at in (token.start, token.end))
            if token.type == tokenize.COMMENT:
                self.comments[token.start[0]] = start, token.string
                if not token.line[: token.start[1]].strip():
                    self.alone.add(token.start[0])
            elif token.type == tokenize.NL and depth:
                broken.append(start)
                columns.append(column)
            elif token.type == tokenize.NEWLINE:
                fresh = True
            elif token.type not in none:
                column, fresh = (token.start[1], False) if fresh else (column, False)
                depth += (token.string in "([{") - (token.string in ")]}") if token.type == tokenize.OP else 0
                self.tokens.append((start, end, token.string))
        self.at = {start: i for i, (start, _, _) in enumerate(self.tokens)}
        self.until = {end: i for i, (_, end, _) in enumerate(self.tokens)}
        self.layout = list(self._layout(dict(zip(broken, columns, strict=True))))

    def _layout(self, broken):
        """Yield the edits that join the lines of calls and of tuples, and move those of lists and dicts to the left."""
        opened, kept = [], {}
        for i, (start, _, word) in enumerate(self.tokens):
            if word in ("(", "[", "{"):
                opened.append(i)
            elif word in (")", "]", "}"):
                first = opened.pop()
                comma = self.tokens[i - 1][2] == ","
                called = self._is_called(first) or (word == ")" and i - 1 > first + 1)  # a call, or a tuple
                for newline in broken:
                    if self.tokens[first][0] < newline < start:
                        kept.setdefault(newline, comma and not called)
                if comma and called and "\n" in self.text[self.tokens[i - 1][1] : start]:
                    yield self.tokens[i - 1][0], start, ""
        after = 0
        for newline, column in broken.items():
            while self.tokens[after][0] < newline:
                after += 1
            (_, last, before), (start, _, following) = self.tokens[after - 1], self.tokens[after]
            if kept[newline] or newline != last:  # a comment ends the line
                yield newline + 1, newline + 1 + column, ""
            else:
                yield last, start, "" if before in "([{" or following in ").]}" else " "

    def _is_called(self, i):
        """Return whether a bracket follows what is called or subscripted."""
        before = self.tokens[i - 1][2] if i and self.tokens[i - 1][1] == self.tokens[i][0] else ""
        return before in (")", "]") or (before.isidentifier() and not keyword.iskeyword(before))

    def span(self, node: Any) -> tuple[int, int]:
        """Return the start and end of a node."""
        return self._offset(node.lineno, node.col_offset), self._offset(node.end_lineno, node.end_col_offset)

    def _offset(self, row, column):
        """Return a position from the row and column of a tree, which counts bytes."""
        return self.starts[row - 1] + len(self.rows[row - 1].encode()[:column].decode())

    def gap_below(self, start: int) -> str:
        """Return what is between the entries of the * at a position: they are on one line, or on one line each."""
        line = self.text.rfind("\n", 0, start) + 1
        column = next((last - first for first, last, _ in self.layout if first == line), 0)
        return ", " if self.text[line:start].strip() else f",\n{' ' * (start - line - column)}"

    def row_of(self, position: int) -> int:
        """Return the row of a position, counted from 1."""
        return self.text.count("\n", 0, position) + 1

    def in_parentheses(self, start: int, end: int) -> tuple[int, int]:
        """Return the span of the parentheses around a span that contain nothing else, or the span."""
        before, after = self.at[start] - 1, self.until[end] + 1
        if before < 0 or self.tokens[before][2] != "(" or self.tokens[after][2] != ")" or self._is_called(before):
            return start, end
        return self.tokens[before][0], self.tokens[after][1]


_source = cache(_Source)


class _Steps:
    """Steps of one recipe on their way to a page: `arguments` are its parameters, as code."""

    def __init__(self, recipe: Recipe[Any, Any], page: _Page, arguments: dict[str, str], indent: int) -> None:
        function = recipe.function
        self.source = _source(function.__code__, function.__code__.co_filename)
        self.page, self.arguments, self.indent = page, arguments, indent
        free = zip(function.__code__.co_freevars, function.__closure__ or (), strict=True)
        self.values = {name: cell.cell_contents for name, cell in free}
        self.around, self.globals, self.home = recipe.around, function.__globals__, function.__module__
        self.returned: str | None = None
        self.done = False
        self.defining = 0
        if twice := self.values.keys() & self.source.bound:
            raise TypeError(
                f"{recipe.function.__qualname__} takes {min(twice)} from outside and assigns it, too; rename one."
            )

    def print(self) -> str | None:
        """Add the steps to the page, and return what the recipe returns."""
        self.block(self.source.steps, self.source.tree.lineno)
        return self.returned

    # what is a value

    def namespace(self) -> dict[str, Any]:
        """Return the names that have values."""
        return {**self.globals, **self.values}

    def value(self, node: Any) -> Any:
        """Return the value of an expression of values."""
        return eval(_compiled(node), self.namespace())

    def decided(self, node: Any) -> bool:
        """Return whether an expression has no name that the script defines."""
        names = {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        return all(name in self.values or name not in self.source.bound for name in names)

    def is_value(self, node: Any) -> bool:
        """Return whether an expression is written as its value."""
        match node:
            case ast.Name(id=name):
                known = self.values if name in self.values else {} if name in self.source.bound else self.globals
                return name in known and not (isinstance(known[name], (ModuleType, Recipe)) or _is_named(known[name]))
            case ast.Attribute(value=whole):
                return self.is_value(whole)
            case ast.Subscript(value=whole, slice=place):
                return self.is_value(whole) and self.decided(place)
            case ast.Call(func=ast.Attribute() as method):
                given = [*node.args, *(each.value for each in node.keywords)]
                return self.is_value(method) and all(map(self.decided, given)) and not _is_named(self.value(method))
            case ast.JoinedStr():
                return any(isinstance(each, ast.Name) for each in ast.walk(node)) and self.decided(node)
        return False

    def recipe_of(self, node: Any) -> Recipe[Any, Any] | None:
        """Return the recipe that a node calls, or None."""
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            return None
        found = self.values.get(node.func.id, self.globals.get(node.func.id))
        return found if isinstance(found, Recipe) else None

    # statements

    def block(self, statements: Sequence[Any], row: Any) -> None:
        """Add statements; `row` is the last row before them."""
        for node in statements:
            if self.done:
                return
            first = min([node.lineno, *(each.lineno for each in getattr(node, "decorator_list", ()))])
            between = range(row + 1, first)
            comments = [self.source.comments[each][1] for each in between if each in self.source.alone]
            if node is not statements[0] and len(between) > len(comments):
                self.page.blank = max(self.page.blank, 1)
            self.statement(node, comments)
            row = node.end_lineno

    def statement(self, node: Any, above: list[str]) -> None:
        """Add a statement below the comments above it."""
        match node:
            case ast.Pass() | ast.Expr(value=ast.Constant()):
                return
            case ast.If(test=test) if self.decided(test):
                if self.value(test):
                    self.block(node.body, test.end_lineno)
                else:
                    self.block(node.orelse, node.body[-1].end_lineno)
            case ast.For(iter=items) if self.is_value(items):
                for item in self.value(items):
                    self.bind(node.target, item)
                    self.block(node.body, items.end_lineno)
            case ast.Return() if not self.defining:
                self.returned, self.done = self.render(node.value, node), True
            case ast.Expr(value=called) if found := self.recipe_of(called):
                self.inlined(found, called)
            case ast.If() | ast.For() | ast.While() | ast.With() | ast.FunctionDef():
                self.compound(node, above)
            case _:
                text = self.simple(node)
                if text:
                    self.add(above, text + self.comment(node.end_lineno, self.source.span(node)[1]))

    def add(self, above: list[str], text: str) -> None:
        """Add a line below comments."""
        for line in filter(None, map(self.filled, above)):
            self.page.add(line, self.indent)
        self.page.add(text, self.indent)

    def bind(self, target: Any, item: Any) -> None:
        """Give the variables of a loop over a value their values."""
        if isinstance(target, ast.Name):
            self.values[target.id] = item
        else:
            for each, part in zip(target.elts, item, strict=True):
                self.bind(each, part)

    def simple(self, node: Any) -> str:
        """Return a statement of one line; it is empty if a recipe that it calls has given it already."""
        text = self.render(node, None)
        if self.recipe_of(getattr(node, "value", None)):
            target, _, value = text.partition(" = ")
            return "" if target == value else text
        return text

    def compound(self, node: Any, above: list[str]) -> None:
        """Add a statement that contains others."""
        defines = isinstance(node, ast.FunctionDef)
        if defines and not self.indent:
            self.page.blank = 2
        first = min(self.source.span(each)[0] for each in (node.body[0], *getattr(node.body[0], "decorator_list", ())))
        colon = self.source.tokens[self.source.at[first] - 1][1]
        head = [part for name, part in ast.iter_fields(node) if name not in ("body", "orelse", "decorator_list")]
        start, _ = self.source.span(node)
        edits = [edit for part in head for edit in self.edits_of(part, node)]
        row = self.source.row_of(colon)
        text = self.splice(start, colon, edits)
        if isinstance(node, ast.If):
            text = text.removeprefix("el")
        self.add(above, text + self.comment(row, colon))
        self.defining += defines
        self.indent += 4
        self.block(node.body, row)
        self.indent -= 4
        if getattr(node, "orelse", None):
            self.add([], "else:")
            self.indent += 4
            self.block(node.orelse, node.body[-1].end_lineno)
            self.indent -= 4
        self.defining -= defines
        if defines and not self.indent:
            self.page.blank = 2

    def comment(self, row: int, end: int) -> str:
        """Return the comment at the end of a row, with the blanks before it."""
        start, text = self.source.comments.get(row, (0, ""))
        filled = self.filled(text) if start >= end else ""
        return f"  {filled}" if filled else ""

    def filled(self, text: str) -> str:
        """Return a comment with its values, on one line; empty if nothing is left of it."""
        text = text.removeprefix("#").strip()
        if text.startswith(TO_TOOLS):
            return ""
        words = text.format_map({**self.around, **self.namespace()}).strip()
        safe = "".join(each if each.isprintable() else repr(each)[1:-1] for each in words)
        return f"# {safe}" if safe else ""

    # expressions

    def render(self, node: Any, parent: Any) -> str:
        """Return a node as code."""
        start, end = self.source.span(node)
        edits = list(self.edits(node, parent))
        if edits and edits[0][0] <= start and edits[0][1] >= end:
            return edits[0][2]
        return self.splice(start, end, edits)

    def splice(self, start: int, end: int, edits: list[Edit]) -> str:
        """Return a span of the source with edits, and with the layout's edits and the comments outside of them."""
        text, at = "", start
        comments = [(first, first + len(words), words) for first, words in self.source.comments.values()]
        notes = [(first, last, self.filled(words)) for first, last, words in comments if start <= first < end]
        layout = [edit for edit in self.source.layout if start <= edit[0] < end]
        for first, last, new in sorted([*edits, *notes, *layout], key=lambda edit: (edit[0], -edit[1])):
            if first < at:
                continue
            between = self.source.text[at:first]
            text += (between if new or (first, last, new) not in notes else between.rstrip()) + new
            at = last
        return text + self.source.text[at:end]

    def edits_of(self, part: Any, parent: Any) -> Iterator[Edit]:
        """Yield the edits of a field of a node."""
        if isinstance(part, ast.AST):
            yield from self.edits(part, parent)
        elif isinstance(part, list):
            for each in part:
                yield from self.edits_of(each, parent)

    def edits(self, node: Any, parent: Any) -> Iterator[Edit]:
        """Yield the edits of a node."""
        method = isinstance(node, ast.Attribute) and isinstance(parent, ast.Call) and node is parent.func
        if self.is_value(node) and not (method and not _is_named(self.value(node))):
            yield self.replaced(node, parent, self.page.write(self.value(node), self.home))
        elif isinstance(node, ast.IfExp) and self.decided(node.test):
            yield self.replaced(node, parent, self.render(self.chosen(node), None))
        elif called := self.recipe_of(node):
            yield self.replaced(node, parent, self.inlined(called, node))
        elif isinstance(node, ast.Name):
            if node.id in self.arguments:
                yield self.replaced(node, parent, self.arguments[node.id])
            else:
                self.named(node)
                if _is_named(found := self.values.get(node.id)):
                    yield self.replaced(node, parent, self.page.use(found, self.home))
        elif isinstance(node, ast.Slice):
            ends = [self.render(each, node) if each else "" for each in (node.lower, node.upper)]
            if node.step is None and all(re.fullmatch(r"-?\w*", each) for each in ends):
                yield *self.source.span(node), ":".join(ends)  # without the blanks around what is longer in the file
            else:
                yield from self.inside(node)
        elif isinstance(node, ast.JoinedStr):
            for each in ast.walk(node):
                if isinstance(each, ast.Name):
                    if each.id in self.values or each.id in self.arguments:
                        raise TypeError(
                            "an f-string has values or what the script defines, not both; name one of them."
                        )
                    self.named(each)
        else:
            yield from self.inside(node)

    def named(self, node: Any) -> None:
        """Import what a name means, unless the script defines it."""
        if node.id in self.source.bound or node.id in self.values:
            return
        if node.id in self.globals:
            used = self.page.use(self.globals[node.id], self.home, node.id)
            if used != node.id:
                raise TypeError(f"{node.id} is called {used} where it is imported from; use that name.")
        elif not hasattr(builtins, node.id):
            raise TypeError(f"a step uses {node.id}, which is no name here.")

    def chosen(self, node: Any) -> Any:
        """Return the branch of a conditional expression that a value decides, and the node itself if it is another."""
        while isinstance(node, ast.IfExp) and self.decided(node.test):
            node = node.body if self.value(node.test) else node.orelse
        return node

    def replaced(self, node: Any, parent: Any, text: str | None) -> Edit:
        """Return the edit that puts code in the place of a node, with the parentheses that it needs there."""
        if text is None:
            raise TypeError("a recipe that returns nothing is called as a statement.")
        start, end = self.source.span(node)
        operator = isinstance(parent, OPERATORS)
        atom = isinstance(ast.parse(text, mode="eval").body, ATOMS) if operator else True
        if operator and not atom and text.startswith("-"):  # a negative number
            atom = not (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Pow) and parent.left is node)
        around = self.source.in_parentheses(start, end)
        if atom:
            return *around, text
        return start, end, text if around != (start, end) else f"({text})"

    def inlined(self, called: Recipe[Any, Any], node: Any) -> str | None:
        """Add the steps of a recipe that is called, and return what it returns."""
        names = inspect.signature(called.function).parameters
        given = dict(zip(names, node.args, strict=False)) | {each.arg: each.value for each in node.keywords}
        arguments = {name: self.render(part, node) for name, part in given.items()}
        return _Steps(called, self.page, arguments, self.indent).print()

    def inside(self, node: Any) -> Iterator[Edit]:
        """Yield the edits of a node's parts: the entries of * and ** one by one, and parentheses that break a line."""
        value = getattr(node, "value", None)
        if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return)) and value is not None:
            start, end = self.source.span(value)
            first, last = self.source.in_parentheses(start, end)
            if isinstance(value, ast.Tuple) and self.source.text[start] == "(":
                first, start = start, self.source.span(value.elts[0])[0]
                last, end = end, self.source.span(value.elts[-1])[1]
            if "\n" in self.source.text[first:start]:
                yield from ((first, start, ""), (end, last, ""))
        if isinstance(node, ast.AnnAssign):  # annotations are for tools
            yield self.source.span(node.target)[1], self.source.span(node.annotation)[1], ""
            yield from self.edits_of([node.target, node.value], node)
            return
        entries = self.entries(node)
        if any(star and self.opens(each) for star, each, _ in entries):
            yield self.expanded(node, entries)
            rest = [node.func] if isinstance(node, ast.Call) else []
        else:
            rest = [part for _, part in ast.iter_fields(node)]
        for part in rest:
            yield from self.edits_of(part, node)

    def entries(self, node: Any) -> list[tuple[str, Any, tuple[int, int]]]:
        """Return the entries of a call or a display: the star before it if it has one, its node, its span."""
        span = self.source.span
        match node:
            case ast.Call():
                named = [("" if each.arg else "**", each) for each in node.keywords]
                found = [*(("*" if isinstance(each, ast.Starred) else "", each) for each in node.args), *named]
                whole = [(star, each.value if star else each, span(each)) for star, each in found]
                return sorted(whole, key=lambda entry: entry[2])
            case ast.List() | ast.Tuple() | ast.Set():
                return [
                    ("*", each.value, span(each)) if isinstance(each, ast.Starred) else ("", each, span(each))
                    for each in node.elts
                ]
            case ast.Dict():
                found = []
                for key, each in zip(node.keys, node.values, strict=True):
                    start, end = span(each)
                    if key is None:
                        start, end = self.source.in_parentheses(start, end)
                        start = self.source.tokens[self.source.at[start] - 1][0]
                    found.append(("**", each, (start, end)) if key is None else ("", (key, each), (span(key)[0], end)))
                return found
        return []

    def opens(self, node: Any) -> bool:
        """Return whether what follows a star is printed as its entries."""
        chosen = self.chosen(node)
        return self.is_value(chosen) or chosen is not node

    def expanded(self, node: Any, entries: list[tuple[str, Any, tuple[int, int]]]) -> Edit:
        """Return the edit that prints the entries of * and ** one by one."""
        gaps = [", ", *(self.splice(one[2][1], other[2][0], []) for one, other in pairwise(entries))]
        text = ""
        for gap, (star, each, span) in zip(gaps, entries, strict=True):
            parts = each if isinstance(each, tuple) else (each,)
            shown = (
                self.opened(star, self.chosen(each), isinstance(node, ast.Call))
                if star and self.opens(each)
                else [self.splice(*span, [edit for part in parts for edit in self.edits(part, node)])]
            )
            for word in shown:
                text += (gap if text else "") + word
                gap = self.source.gap_below(span[0])
        return entries[0][2][0], entries[-1][2][1], text

    def opened(self, star: str, node: Any, call: bool) -> list[str]:
        """Return the entries of a value, or of a display, as code."""
        if star == "*":
            if self.is_value(node):
                return [self.page.write(each, self.home) for each in self.value(node)]
            return [self.render(each, node) for each in node.elts]
        if self.is_value(node):
            pairs = [(name, self.page.write(each, self.home)) for name, each in self.value(node).items()]
        else:
            pairs = [
                (self.value(key), self.render(each, node)) for key, each in zip(node.keys, node.values, strict=True)
            ]
        return [f"{Name(name)._code()}={text}" if call else f"{code(name)}: {text}" for name, text in pairs]


@cache
def _compiled(node):
    """Return an expression, compiled."""
    return compile(ast.Expression(node), "recipe", "eval")
