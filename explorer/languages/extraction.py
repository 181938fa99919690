"""Extraction of the messages, for Babel: the English texts in the source that pages show in their own language.

A message is a text with words. It is found

- in calls of the functions of CALLS, as a literal or under the name to which literals were assigned or imported;
- in declarations of labs and pages: at the positions of DECLARED, and under the keywords of KEYWORDS;
- in the title of a picture;
- in the content of labs: each paragraph of an explanation, and the texts of presets and stories;
- in scripts of the browser, as `said(model, '...')`.

Text that a function builds is found if the function passes it through `translate`. For the translator a message carries
the code of its placeholders, and the comment `# Translators: ...` above it in the source.
"""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, Any, NamedTuple, TypeAlias

from babel.messages.catalog import Catalog
from babel.messages.extract import DEFAULT_KEYWORDS, extract_from_dir

from . import paragraphs_of

Texts: TypeAlias = Iterator[tuple[int, str]]  # line and text

ROOT = Path(__file__).parents[1]
HERE = __name__
# files of the package with messages; copied code, the report and the lessons stay English
MAPPING = [
    *(
        (pattern, "ignore")
        for pattern in (
            "labs/**/script.py",
            "labs/**/cost.py",
            "pages/index/lessons*.py",
            "pages/index/notebook_reader.py",
            "pages/notebook/**.py",
            "pages/report/**.py",
        )
    ),
    *(
        (pattern, f"{HERE}:of_module")
        for pattern in (
            "labs/**.py",
            "pages/**.py",
            "workbench/**.py",
            "marks/**.py",
            "exports/**.py",
            "site/labs.py",
            "parameters.py",
            "estimators/flexible.py",
            "estimators/constraints.py",
            "embeddings/contamination.py",
            "datasets/toys/contaminated_strings.py",
        )
    ),
    ("labs/**/content.toml", f"{HERE}:of_content"),
    ("workbench/shared_paragraphs.toml", f"{HERE}:of_content"),
    ("browser/*.js", f"{HERE}:of_script"),
]
CONTENT = ("name", "says", "title", "asks", "answers", "then")  # keys of a lab's content with texts
ORDER = ("pages/index/", "pages/", "browser/", "workbench/", "marks/", "labs/")  # what visitors see first comes first
SAID = re.compile(r"\bsaid\(model, '([^']+)'\)")
WORDLESS = re.compile(r"<(style|code)\b.*?</\1>", re.DOTALL)  # elements that no language translates
SPOKEN = re.compile(r"\b(?:alt|title|aria-label|placeholder)=(?:'([^']*)'|\"([^\"]*)\")")  # attributes that are read
ATTRIBUTE = re.compile(r"[\w-]+=(?:'[^']*'|\"[^\"]*\")")
TAG = re.compile(r"<[^>]*>|&\w+;", re.DOTALL)
PRODUCT = "Kernel Mean Explorer"  # in no language another
PLACE = re.compile(r"\{[^}]*\}")
WORD = re.compile(r"[^\W\d_]{2,}")

CALLS = ("message", "translate", "translate_labels", "translate_plural", "markup", "Later", "control", "attempt")
PLURAL = "translate_plural"
NOTE = "# Translators: "
LONGEST_CODE = 40  # letters of a placeholder's code that a translator reads
# functions and classes that declare texts -> their positions
DECLARED: dict[str, tuple[int, ...]] = {
    "Axis": (0, 2),
    "Button": (0, 3),
    "Choose": (1,),
    "Entry": (0, 1),
    "Group": (0,),
    "Line": (0,),
    "Place": (1,),
    "Preset": (0, 1, 6),
    "Refusal": (0,),
    "Row": (0,),
    "Step": (0, 1),
    "Stop": (1, 2),
    "Story": (1,),
    "TextLabel": (3,),
    "Toggle": (0, 3),
    "deviations_axis": (0,),
    "free_field": (1,),
    "measure": (0,),
    "new_sample": (0, 1),
    "outliers_field": (1,),
    "refuse": (1,),
    "null_bars": (1,),
    "null_marks": (0,),
    "p_marks": (1,),
    "samples_field": (0,),
    "side_label": (3,),
    "tables": (0,),
    "tries": (1, 2, 3, 4),
}
KEYWORDS = ("label", "key", "title", "question", "says", "asks", "does", "then", "words", "needs")
ALONE = ("Picture", "PlanePicture")  # a picture of a lab that has no slot is called by its name
OF_PICTURES = ("subject", "unknown", "over", "slot")  # further keywords of a picture
OPTIONS = ("label", "key", "says")  # the same in dictionaries
ATTRIBUTES = ("title", "subject", "over", "kind", "slot", "words", "about_it")  # of classes
AUTO = ("auto {}", "leaves {} to leave-one-out")  # what an AutoButton makes of a symbol
OBJECTS = "objects"  # the choices of a menu, label -> value
PICTURES = "picture_field"  # its keywords are labels, and so are the names without keyword


def is_message(text: str) -> bool:
    """Return whether a text has words to translate, apart from its tags and placeholders."""
    bare = WORDLESS.sub(" ", text).replace(PRODUCT, "")
    spoken = " ".join(one or other for one, other in SPOKEN.findall(bare))
    return WORD.search(PLACE.sub(" ", f"{ATTRIBUTE.sub(' ', TAG.sub(' ', bare))} {spoken}")) is not None


class Zipped(NamedTuple):
    """What `zip` or `enumerate` pairs; None is a number."""

    args: Sequence[ast.AST | None]


class Pair(NamedTuple):
    """A key of a dictionary and its value."""

    key: ast.AST | None
    value: ast.AST


class Item(NamedTuple):
    """An element of a collection: the one at a place, or any if the place is None."""

    of: ast.AST | Item
    place: int | None


class Module:
    """The source of a module, with the expressions that were assigned to each of its names.

    Parameters
    ----------
    source : str
        The Python source.
    path : Path or None, default None
        Its file, from which relative imports are followed.
    """

    def __init__(self, source: str, path: Path | None = None) -> None:
        self.tree = ast.parse(source)
        self.path = path
        self.values: dict[str, list[ast.AST]] = {}
        self.imports: dict[str, tuple[str, int, str]] = {}
        self.parts: dict[str, str] = {}  # message -> the code of its placeholders
        self.lines = source.splitlines()
        for node in ast.walk(self.tree):
            self._read(node)

    def _read(self, node):
        """Remember what a statement assigns, imports or returns."""
        if isinstance(node, ast.ImportFrom):
            self.imports |= {
                each.asname or each.name: (node.module or "", node.level, each.name) for each in node.names
            }
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                self._assign(target, node.value)
        elif isinstance(node, (ast.AnnAssign, ast.NamedExpr, ast.AugAssign)) and node.value is not None:
            self._assign(node.target, node.value)
        elif isinstance(node, (ast.For, ast.comprehension)):
            self._bind(node.target, Item(node.iter, None))
        elif isinstance(node, ast.FunctionDef):
            given = [each.value for each in ast.walk(node) if isinstance(each, ast.Return) and each.value is not None]
            self.values.setdefault(node.name, []).extend(given)

    def _assign(self, target, value):
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for each, its in zip(target.elts, value.elts, strict=True):
                self._assign(each, its)
        else:
            self._bind(target, value)

    def _bind(self, target, value):
        """Remember a value, or the part of it that a target with several names takes."""
        if isinstance(target, ast.Name):
            self.values.setdefault(target.id, []).append(value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            for place, each in enumerate(target.elts):
                self._bind(each, Item(value, place))

    def texts_in(self, node: ast.AST | Item | None, seen: frozenset[str] = frozenset(), keys: bool = False) -> Texts:
        """Yield the literals that an expression may be, where it can be known from the source alone."""
        match node:
            case Item():
                for each in self._items(node, seen):
                    yield from self.texts_in(each, seen, keys)
            case ast.Constant(value=str(text)):
                yield node.lineno, text
            case ast.IfExp():
                yield from self.texts_in(node.body, seen, keys)
                yield from self.texts_in(node.orelse, seen, keys)
            case ast.BoolOp():
                for each in node.values:
                    yield from self.texts_in(each, seen, keys)
            case ast.BinOp(op=ast.BitOr() | ast.Add()):
                yield from self.texts_in(node.left, seen, keys)
                yield from self.texts_in(node.right, seen, keys)
            case ast.Tuple() | ast.List():
                for each in node.elts:
                    yield from self.texts_in(each, seen, keys)
            case ast.Dict():
                for key, value in zip(node.keys, node.values, strict=True):
                    yield from self.texts_in(value if key is None or not keys else key, seen, keys)
            case ast.DictComp():
                yield from self.texts_in(node.key if keys else node.value, seen, keys)
            case ast.Starred(value=whole) | ast.Subscript(value=whole):
                yield from self.texts_in(whole, seen, keys)
            case ast.Lambda():
                yield from self.texts_in(node.body, seen, keys)
            case ast.Call(func=ast.Attribute(value=whole, attr="get"), args=[_, *others]):
                for each in (whole, *others):
                    yield from self.texts_in(each, seen, keys)
            case ast.Call(func=ast.Name(id="dict"), args=[ast.Call(func=ast.Name(id="zip"), args=[names, values, *_])]):
                yield from self.texts_in(names if keys else values, seen)
            case ast.Call(func=ast.Name(id="zip" | "enumerate" | "tuple" | "list" | "message")):
                for each in node.args:
                    yield from self.texts_in(each, seen, keys)
            case ast.JoinedStr():
                yield from self._joined(node, seen)
            case ast.Call(func=ast.Name(id=name)) if name not in CALLS:
                yield from self._under(name, seen, keys)
            case ast.Name(id=name):
                yield from self._under(name, seen, keys)

    def _items(self, item, seen):
        """Return the expressions that an element of a collection may be; several if the place is not known."""
        found = []
        for whole in self._items(item.of, seen) if isinstance(item.of, Item) else [item.of]:
            match whole:
                case ast.Tuple(elts=elts) | ast.List(elts=elts):
                    found += elts if item.place is None else elts[item.place : item.place + 1]
                case ast.Dict(keys=keys):
                    found += keys
                case ast.Call(func=ast.Name(id="zip"), args=args) if item.place is None:
                    found.append(Zipped(args))
                case ast.Call(func=ast.Name(id="enumerate"), args=[each, *_]) if item.place is None:
                    found.append(Zipped([None, each]))
                case ast.Call(func=ast.Attribute(value=each, attr="items")) if item.place is None:
                    found += [
                        Pair(key, value)
                        for of in self._meant(each, seen)
                        if isinstance(of, ast.Dict)
                        for key, value in zip(of.keys, of.values, strict=True)
                    ]
                case ast.Call(func=ast.Attribute(value=each, attr="values")) if item.place is None:
                    found += [
                        value for of in self._meant(each, seen) if isinstance(of, ast.Dict) for value in of.values
                    ]
                case Pair() if item.place is not None:
                    found += [whole[item.place]]
                case Zipped(args) if item.place is not None:
                    found += [] if args[item.place] is None else self._items(Item(args[item.place], None), seen)
                case ast.Subscript(value=each):
                    kept = [value for of in self._meant(each, seen) if isinstance(of, ast.Dict) for value in of.values]
                    found += [part for value in kept for part in self._items(Item(value, item.place), seen)]
                case ast.Name(id=name) if name not in seen:
                    found += [
                        each
                        for value in self.values.get(name, ())
                        for each in self._items(Item(value, item.place), seen | {name})
                    ]
                case ast.Call(func=ast.Name(id="message" | "tuple" | "list"), args=[each]):
                    found += self._items(Item(each, item.place), seen)
        return found

    def _meant(self, node, seen):
        """Return the expressions that a name stands for in this module, or the expression itself."""
        if not isinstance(node, ast.Name):
            return [node]
        if node.id in seen:
            return []
        if node.id not in self.values and node.id in self.imports:
            module, level, name = self.imports[node.id]
            there = self._imported(module, level)
            return [] if there is None else there._meant(ast.Name(id=name), seen)
        return [each for value in self.values.get(node.id, ()) for each in self._meant(value, seen | {node.id})]

    def _joined(self, node, seen):
        """Yield the text of an f-string whose parts are known from the source."""
        parts = [self._part(each, seen) for each in node.values]
        known = [each for each in parts if each is not None]
        if len(known) == len(parts):
            yield node.lineno, "".join(known)

    def _part(self, node, seen):
        """Return a part of an f-string, or None if the source does not say what it is."""
        if isinstance(node, ast.Constant):
            return str(node.value)
        values = self._meant(node.value, frozenset()) if isinstance(node.value, ast.Name) else []
        spec = "" if node.format_spec is None else node.format_spec.values[0].value
        match values:
            case [ast.Constant(value=value)]:
                return format(value, spec)
            case [ast.AST() as value]:
                return next((text for _, text in self.texts_in(value, seen)), None)
        return None

    def _under(self, name, seen, keys):
        """Yield the texts that a name has in this module, or in the one from which it is imported."""
        if name in seen:
            return
        for value in self.values.get(name, ()):
            yield from self.texts_in(value, seen | {name}, keys)
        if name in self.imports and (module := self._imported(*self.imports[name][:2])):
            own = self.imports[name][2]
            yield from (
                (0, text) for value in module.values.get(own, ()) for _, text in module.texts_in(value, seen, keys)
            )

    def _imported(self, module, level):
        """Return the module of an import within this package, or None."""
        if level and self.path is not None:
            folder = self.path.parents[level - 1]
        elif module.split(".")[0] == ROOT.name:
            folder, module = ROOT.parent, module
        else:
            return None
        place = folder.joinpath(*filter(None, module.split(".")))
        return next((read(path) for path in (place.with_suffix(".py"), place / "__init__.py") if path.is_file()), None)

    def messages(self) -> Iterator[tuple[int, str | tuple[str, str]]]:
        """Yield the line of each message and its text, or both texts of one with a plural."""
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Call):
                yield from self._of_call(node)
            elif isinstance(node, ast.ClassDef):
                yield from self._of_class(node)
            elif isinstance(node, ast.FunctionDef) and self.path is not None and "labs" in self.path.parts:
                yield from self._of_picture(node)
            elif isinstance(node, ast.arguments):
                named = [*node.posonlyargs, *node.args]
                defaults = [
                    *zip(named[::-1], node.defaults[::-1], strict=False),
                    *zip(node.kwonlyargs, node.kw_defaults, strict=True),
                ]
                yield from (text for each, value in defaults if each.arg in KEYWORDS for text in self.texts_in(value))
            elif isinstance(node, ast.Dict):  # options that are passed on
                for key, value in zip(node.keys, node.values, strict=True):
                    if isinstance(key, ast.Constant) and key.value in OPTIONS:
                        yield from self.texts_in(value)

    def _of_call(self, call):
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        given = {each.arg: each.value for each in call.keywords if each.arg}
        if name == PLURAL:
            (line, one), (_, many) = (next(self.texts_in(each)) for each in call.args[:2])
            self._remember_parts(many, call.args[3:] or call.args[2:])
            yield line, (one, many)
        elif name in CALLS and call.args and not isinstance(call.func, ast.Attribute):
            for line, text in self.texts_in(call.args[0], keys=name == "translate_labels"):
                self._remember_parts(text, call.args[1:])
                yield line, text
        elif name == "of" and ast.unparse(call.func) == "AutoButton.of":
            yield from (
                (line, template.format(text)) for line, text in self.texts_in(call.args[0]) for template in AUTO
            )
        elif name == "labels" and call.args and isinstance(call.args[0], ast.Starred):
            # the last of each (name, role, side, words)
            yield from self.texts_in(Item(Item(call.args[0].value, None), 3))
        elif name == "map" and isinstance(call.args[0], ast.Name) and call.args[0].id in CALLS:
            yield from self.texts_in(call.args[1])
        elif name == PICTURES:
            unpacked = [each.value for each in call.keywords if each.arg is None]
            yield from (text for value in (*given.values(), *unpacked) for text in self.texts_in(value))
            named = (found for each in call.args for found in self.texts_in(each))
            yield from (found for found in named if found[1] not in given)
        else:
            if name == "measure" and len(call.args) > 1:  # the name is for sweeps, and the label for pages
                yield from self.texts_in(call.args[1])
                return
            for place in DECLARED.get(name, ()):
                yield from (text for each in call.args[place : place + 1] for text in self._declared(each))
            more = OF_PICTURES if name[:1].isupper() or name == "partial" else ()
            for word in (*KEYWORDS, *more, *(("text",) if name == "TextLabel" else ())):
                yield from self._declared(given.get(word))
            yield from self.texts_in(given.get(OBJECTS), keys=True)
            of_lab = self.path is None or "pages" not in self.path.parts
            if of_lab and "doc" in given and "label" not in given and name[:1].isupper():  # then it is the label
                yield from self.texts_in(given["doc"])

    def _remember_parts(self, text, parts):
        """Remember the code of the placeholders of a message, {0}, {1} and so on."""
        if "{" in text and parts and not any(isinstance(each, ast.Starred) for each in parts):
            codes = [ast.unparse(each) for each in parts]
            short = [code if len(code) <= LONGEST_CODE else f"{code[:LONGEST_CODE]}..." for code in codes]
            self.parts.setdefault(text, "; ".join(f"{{{i}}}: {code}" for i, code in enumerate(short)))

    def notes(self, line: int, text: str) -> list[str]:
        """Return what a translator should know of a message.

        Parameters
        ----------
        line : int
            The line of the message in the source.
        text : str
            The message; of one with a plural, the plural.

        Returns
        -------
        list of str
            The comment above the message, if there is one, and the code of its placeholders.
        """
        above = self.lines[line - 2].strip() if line > 1 else ""
        comment = [above.removeprefix(NOTE)] if above.startswith(NOTE) else []
        return [*comment, *([self.parts[text]] if text in self.parts else [])]

    def _of_picture(self, function):
        """Yield the name of a picture without a slot, from the function below it."""
        for each in function.decorator_list:
            if isinstance(each, ast.Call) and ast.unparse(each.func) in ALONE:
                if "slot" not in {keyword.arg for keyword in each.keywords}:
                    named = [*self.texts_in(each.args[0])] if each.args else []
                    yield from named or [(function.lineno, function.name)]

    def _declared(self, node):
        """Yield the texts of a declaration; of a label with what it sets, the label."""
        match node:
            case ast.Tuple(elts=[label, ast.Dict()]):
                yield from self.texts_in(label)
            case _:
                yield from self.texts_in(node)

    def _of_class(self, node):
        """Yield the texts of a class: those of ATTRIBUTES, and the titles that a method of a picture returns."""
        for part in node.body:
            match part:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AnnAssign(target=ast.Name(id=name), value=value)
                ) if name in ATTRIBUTES:
                    yield from self.texts_in(value)
                case ast.FunctionDef(name="title_of"):
                    for each in ast.walk(part):
                        if isinstance(each, ast.Return):
                            yield from self.texts_in(each.value)


@cache
def read(path: Path) -> Module:
    """Return a module of this package."""
    return Module(path.read_text(encoding="utf-8"), path)


def of_module(
    file: IO[bytes], keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, str | None, Any, list[str]]]:
    """Yield the messages of a Python file as Babel takes them: line, function, text or texts, and comments."""
    module = read(Path(file.name)) if hasattr(file, "name") else Module(file.read().decode())
    for line, text in module.messages():
        last = text if isinstance(text, str) else text[1]
        if is_message(last):
            yield line, None if isinstance(text, str) else "ngettext", text, module.notes(line, last)


def of_script(
    file: IO[bytes], keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield the messages of a script of the browser as Babel takes them."""
    for line, code in enumerate(file.read().decode().splitlines(), 1):
        yield from ((line, None, text, []) for text in SAID.findall(code))


def of_content(
    file: IO[bytes], keywords: Any, comment_tags: Any, options: Any
) -> Iterator[tuple[int, None, str, list[str]]]:
    """Yield the messages of a lab's content as Babel takes them."""
    for value in tomllib.load(file).values():
        texts = paragraphs_of(value) if isinstance(value, str) else _texts(value)
        yield from ((0, None, text, []) for text in texts if is_message(text))


def _texts(value: Any) -> Iterator[str]:
    """Yield the texts in presets and stories: those under the keys of CONTENT, alone or in an array."""
    if isinstance(value, list):
        yield from (text for each in value for text in _texts(each))
    elif isinstance(value, Mapping):
        for key, each in value.items():
            if key in CONTENT:
                yield from (text for text in (each if isinstance(each, list) else [each]) if isinstance(text, str))
            elif key != "state":
                yield from _texts(each)


def extract() -> Catalog:
    """Return a catalogue of all messages of the package in the order of ORDER, without translations."""
    found = Catalog(project=PRODUCT, charset="utf-8", fuzzy=False)
    for name, line, text, notes, context in sorted(
        extract_from_dir(ROOT, MAPPING, keywords=DEFAULT_KEYWORDS), key=lambda each: rank(each[0])
    ):
        known = found.get(text)
        notes = [] if known is not None and known.auto_comments else notes  # those of one place are enough
        found.add(text, None, [(name, line)], auto_comments=notes, context=context)
    return found


def rank(name: str) -> int:
    """Return the place of a file in ORDER.

    Parameters
    ----------
    name : str
        The path of the file in the package.

    Returns
    -------
    int
        The place; files of no folder in ORDER come last.
    """
    return next((i for i, folder in enumerate(ORDER) if name.startswith(folder)), len(ORDER))
