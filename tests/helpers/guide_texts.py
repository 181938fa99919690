"""Texts of README and the guide: their Python blocks, their commands, and the classes of the recipes."""

import re
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text(encoding="utf-8")
FOLDER = ROOT / "explorer" / "site" / "guide"
GUIDE = {path.stem: path.read_text(encoding="utf-8") for path in sorted(FOLDER.glob("*.md"))}
TEXTS = {"README": README, **GUIDE}


def under(text, heading):
    """Return the text below a heading, up to the next of its level or above."""
    level = heading.split(" ")[0]
    section = text.split(f"\n{heading}\n")[1]
    return re.split(rf"\n#{{2,{len(level)}}} ", section)[0]


def python_of(text):
    """Return the blocks of Python in a text."""
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def commands_of(text):
    """Return the commands that begin with `explorer` and a space, in a text's blocks and its inline code."""
    blocks = re.findall(r"```\w+\n(.*?)```", text, re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines() if line.startswith("explorer ")]
    prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    return [*lines, *re.findall(r"`(explorer [^`]+)`", prose)]


def recipe(heading, base):
    """Return the class that a recipe's first block defines, in a module of its own."""
    source = python_of(under(GUIDE["recipes"], heading))[0]
    package = base.__module__.rpartition(".")[0]
    assert f"from {package} import" not in source  # the package imports the recipe's file: a circular import
    module = ModuleType("recipe")
    sys.modules["recipe"] = module
    exec(compile(source, heading, "exec"), vars(module))
    [made] = [
        thing
        for thing in vars(module).values()
        if isinstance(thing, type) and issubclass(thing, base) and thing.__module__ == "recipe"
    ]
    return made
