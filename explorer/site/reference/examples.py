"""Examples of docstrings, run: what they show on a page is what they gave, and their picture that of their result."""

from __future__ import annotations

import builtins
import doctest
import inspect
import io
from collections.abc import Iterable
from typing import Any, NamedTuple

from explorer.markup import Markup

from .names import Thing
from .pictures import picture

OPTIONS = doctest.FAIL_FAST


class Ran(NamedTuple):
    """An example that has run: its lines with what they gave, and the picture of its last result, or None."""

    text: str
    picture: Markup | None


class Differs(RuntimeError):
    """An example that gives something else than its docstring says."""


def run(name: str, docstring: str, module: Any = None, pictures: bool = True) -> list[Ran]:
    """The examples of a docstring, those without words between them as one; Differs where one is not true.

    module    whose names they may use without importing them
    pictures  whether the last has the picture of its result
    """
    test = doctest.DocTestParser().get_doctest(
        inspect.cleandoc(docstring), dict(vars(module)) if module else {}, name, None, None
    )
    if not test.examples:
        return []
    runner = _Runner()
    report = io.StringIO()
    was, builtins._ = getattr(builtins, "_", None), None  # type: ignore[attr-defined]
    before = dict(test.globs)
    try:
        failed = runner.run(test, out=report.write, clear_globs=False).failed
        last = builtins._  # type: ignore[attr-defined]
    finally:
        builtins._ = was  # type: ignore[attr-defined]
    if failed:
        raise Differs(f"the example of {name} gives something else than its docstring says:\n{report.getvalue()}")
    made = [value for each, value in test.globs.items() if before.get(each) is not value]
    *texts, text = [
        "\n".join(_shown(each, runner.got[each.lineno]) for each in block) for block in _blocks(test.examples)
    ]
    return [*(Ran(each, None) for each in texts), Ran(text, picture([*made, last]) if pictures else None)]


def lacking(things: Iterable[Thing]) -> list[str]:
    """The names that have no example: neither of their own, nor in one of a class's methods."""
    return [thing.name for thing in things if not has_example(thing.value)]


def has_example(value: Any) -> bool:
    """Whether a function or a class has an example of its own."""
    texts = [vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__]
    if inspect.isclass(value):
        texts += [inspect.getdoc(each) for name, each in vars(value).items() if not name.startswith("_")]
    return any(">>>" in (text or "") for text in texts)


class _Runner(doctest.DocTestRunner):
    """Keeps what each example gave."""

    def __init__(self) -> None:
        super().__init__(optionflags=OPTIONS, verbose=False)
        self.got: dict[int, str] = {}

    def report_success(self, out: Any, test: Any, example: Any, got: str) -> None:
        self.got[example.lineno] = got


def _blocks(examples) -> list[list[doctest.Example]]:
    """Examples that stand one below the other, without words between them."""
    blocks: list[list[doctest.Example]] = []
    end = None
    for example in examples:
        if end != example.lineno:
            blocks.append([])
        blocks[-1].append(example)
        end = example.lineno + example.source.count("\n") + example.want.count("\n")
    return blocks


def _text(examples, got):
    """Examples as they stand in a docstring, each with what it gave."""
    return "\n".join(_shown(each, got[each.lineno]) for each in examples)


def _shown(example, got):
    first, *rest = example.source.rstrip("\n").split("\n")
    lines = [f">>> {first}", *(f"... {line}".rstrip() for line in rest)]
    return "\n".join([*lines, *got.rstrip("\n").splitlines()])
