"""Pictures of examples: the doctests of a docstring are run, and the picture of the last result that has one is kept.

Sphinx shows the examples as they are written; the tests check that they are true. Sphinx has no tool that draws
the result of an example that calls no plotting function.
"""

from __future__ import annotations

import builtins
import doctest
import inspect
import io
from collections.abc import Iterable
from typing import Any

from explorer.markup import Markup

from .names import PublicName
from .pictures import picture


class WrongExample(RuntimeError):
    """An example whose output differs from the one in its docstring."""


def picture_of_examples(name: str, docstring: str, module: Any = None) -> Markup | None:
    """Run the examples of a docstring and return the picture of the last result that has one, or None.

    Parameters
    ----------
    name : str
        Names the docstring in an error message.
    docstring : str
        The docstring.
    module : module, optional
        The module whose names the examples may use without importing them.

    Returns
    -------
    Markup or None
        A figure, or None if there is no example or no picture.

    Raises
    ------
    WrongExample
        If the output of an example differs from the one in the docstring.
    """
    namespace = dict(vars(module)) if module else {}
    test = doctest.DocTestParser().get_doctest(inspect.cleandoc(docstring), namespace, name, None, None)
    if not test.examples:
        return None
    report, before = io.StringIO(), dict(test.globs)
    previous, builtins._ = getattr(builtins, "_", None), None  # type: ignore[attr-defined]
    try:
        runner = doctest.DocTestRunner(optionflags=doctest.FAIL_FAST, verbose=False)
        failed = runner.run(test, out=report.write, clear_globs=False).failed
        last = builtins._  # type: ignore[attr-defined]
    finally:
        builtins._ = previous  # type: ignore[attr-defined]
    if failed:
        raise WrongExample(f"the output of the example of {name} differs from its docstring:\n{report.getvalue()}")
    return picture([*(value for each, value in test.globs.items() if before.get(each) is not value), last])


def without_example(names: Iterable[PublicName]) -> list[str]:
    """Return the names that have no example, neither in their docstring nor in that of a method."""
    return [each.name for each in names if not has_example(each.value)]


def has_example(value: Any) -> bool:
    """Return whether the docstring of a function, a class or one of its public members has an example."""
    texts = [vars(value).get("__doc__") if inspect.isclass(value) else value.__doc__]
    if inspect.isclass(value):
        texts += [inspect.getdoc(each) for name, each in vars(value).items() if not name.startswith("_")]
    return any(">>>" in (text or "") for text in texts)
