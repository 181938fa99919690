"""All files are written by `explorer.files.whole_files`, or by one of a few modules that have a reason."""

import ast
import re
from functools import cache
from itertools import chain
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "explorer"
METHODS = {
    "write_text", "write_bytes", "savez", "savez_compressed", "savetxt", "tofile", "savefig", "rename", "unlink",
    "touch", "symlink_to", "hardlink_to", "to_parquet", "to_pickle", "to_excel", "to_feather", "to_zarr", "rmtree",
}  # fmt: skip
FUNCTIONS = {
    "os": {"replace", "rename", "renames", "open", "fdopen", "unlink", "remove", "truncate", "ftruncate", "mkfifo",
           "link", "symlink", "pwrite", "write"},
    "shutil": {"copy", "copy2", "copyfile", "copytree", "move", "rmtree", "copyfileobj"},
    "tempfile": {"NamedTemporaryFile", "mkstemp", "mkdtemp", "TemporaryDirectory", "TemporaryFile",
                 "SpooledTemporaryFile", "mktemp"},
    "np": {"save"},
    "json": {"dump"},
    "pickle": {"dump"},
    "urllib.request": {"urlretrieve"},
}  # fmt: skip
WRITES = set("wax+")
# the module: what it calls, and why it may
REASONS = {
    "files/whole_files": "the one that writes",
    "commands/output": "spools what goes to standard output",
    "commands/spelling": "opens the device that swallows all, for a stream that is closed",
    "commands/serve": "removes the temporary folder of its own at its end",
    "datasets/files/contents": "DuckDB and pyreadstat read files alone: bytes go into a temporary folder for them",
    "datasets/files/pipes": "keeps what comes through a pipe in a temporary folder, so that it can be read again",
    "datasets/files/workbook_process": "answers the process that has started it",
    "datasets/named_sets/cache": "removes the unfinished downloads of killed processes",
    "exports/pdf": "the printer of a page reads it from a temporary folder, and writes there",
    "exports/footage": "the encoder of films writes into a temporary folder only",
    "labs/sweep/page": "a temporary folder for the stores of a page",
    "pages/serving/upload_store": "removes the folders of visitors who have left",
    "site/build": "sources go into a temporary folder, and pages into `replaced_folder`",
    "site/documents": "writes into that temporary folder",
    "site/labs": "removes from that temporary folder",
    "site/lessons": "copies into that temporary folder",
    "plotting/paper": "matplotlib writes a figure into memory",
    "sketches/sketch_file": "writes into a file that `whole_files` has opened",
    "sweeps/store": "a file that grows cell by cell in place, each with a checksum, and survives a kill at any moment",
    "__main__": "leads what is left to print nowhere, once its reader has gone",
}


def name_of(node):
    """Return the dotted name of an expression, or "" if it has none."""
    if isinstance(node, ast.Name):
        return node.id
    return f"{name_of(node.value)}.{node.attr}" if isinstance(node, ast.Attribute) else ""


def modes(call):
    """Return the string arguments of a call that may be the mode of an opened file."""
    values = [*call.args, *(each.value for each in call.keywords if each.arg in (None, "mode"))]
    return [each.value for each in values if isinstance(each, ast.Constant) and isinstance(each.value, str)]


def writing(tree):
    """Return the calls of a module that write, move or remove files."""
    own = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in FUNCTIONS:
            own |= {each.asname or each.name: f"{node.module}.{each.name}" for each in node.names}
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        name = own.get(name_of(node.func), name_of(node.func))
        owner, _, last = name.rpartition(".")
        last = last or getattr(node.func, "attr", "")
        opens = (
            last == "open"
            and owner != "os"
            and any(set(each) <= set("rwaxbt+") and WRITES & set(each) for each in modes(node))
        )
        if opens or last in FUNCTIONS.get(owner, ()) or (last in METHODS and isinstance(node.func, ast.Attribute)):
            # a table's columns are renamed by keyword arguments, and a file by its new path
            if last != "rename" or (node.args and not isinstance(node.args[0], (ast.Dict, ast.DictComp))):
                yield f"{last}, line {node.lineno}"


@cache
def writing_calls():
    """Return each module's calls; modules without a word of this kind need no parsing."""
    words = re.compile(rf"\b(?:open|{'|'.join([*METHODS, *chain.from_iterable(FUNCTIONS.values())])})\b")
    texts = {path: path.read_text(encoding="utf-8") for path in sorted(PACKAGE.rglob("*.py"))}
    return {
        str(path.relative_to(PACKAGE).with_suffix("")): list(writing(ast.parse(text)))
        for path, text in texts.items()
        if words.search(text)
    }


def test_only_modules_with_a_reason_write_files():
    assert {name: calls for name, calls in writing_calls().items() if calls and name not in REASONS} == {}


def test_no_reason_outlives_its_calls():
    assert [name for name in REASONS if not writing_calls().get(name)] == []


@pytest.mark.parametrize(
    "code",
    [
        "open(path, 'w')",
        "open(path, mode='ab')",
        "path.open('wb')",
        "path.open('r+b')",
        "Path(path).write_text(page)",
        "path.write_bytes(page)",
        "os.replace(a, b)",
        "from os import replace\nreplace(a, b)",
        "from tempfile import NamedTemporaryFile as f\nf()",
        "np.savez(path, a)",
        "np.save(path, a)",
        "part.rename(path)",
        "shutil.move(a, b)",
        "picture.savefig(path)",
    ],
)
def test_the_walk_sees_what_writes(code):
    assert len(list(writing(ast.parse(code)))) == 1


@pytest.mark.parametrize(
    "code",
    [
        "open(path)",
        "path.open('rb')",
        "table.rename(columns=cell)",
        "word.replace('a', 'b')",
        "data.rename({a: b for a, b in c})",
        "x.open(preset)",
    ],
)
def test_the_walk_does_not_see_what_reads(code):
    assert list(writing(ast.parse(code))) == []
