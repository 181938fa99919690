"""HTML is built in one way, in every package: by `markup`, from templates that are literals in the source."""

import ast
import re
from pathlib import Path

import pytest

import explorer

ROOT = Path(explorer.__file__).parent
TAG = re.compile(r"<[a-z/]")
SINKS = {"HTML", "Markdown", "Alert", "Typography", "StaticText"}  # Panel's panes that show a plain string as HTML
SUSPECT = re.compile(rf"{TAG.pattern}|[Mm]arkup|html|{'|'.join(SINKS)}")
BUILDERS = {"markup", "Later", "rewritten", "taken_out"}
# who may say that a text is Markup without escaping it, and why
TRUSTED = {
    "from_library": {"plotting/files.py", "papers/report.py"}  # Bokeh's scripts and places, which hold no names
    # markdown-it escapes HTML in prose
    | {"pages/index/notebook_reader.py", "site/prose.py", "workbench/explanation.py"}
    | {"site/gallery/drawing.py"}  # Pygments escapes the code that it colours
    | {"site/reference/pictures.py"}  # what a result of ours shows in a notebook
    | {"site/sphinx_mathml.py"},  # docutils escapes the letters of formulas
    # Markup as a pane's model has it, which is HTML escaped once more; a title in Bokeh's sheet of a page
    "escape": {"pages/layout/markup_pane.py", "commands/page_handler.py"},
}
# literals with what looks like a tag, which no `markup` takes, and why
OTHER = {
    "files/whole_files.py": "named groups of a pattern",
    "commands/headers.py": "Bokeh's sheet of a page is rewritten, before anything of a visitor is in it",
    "commands/page_handler.py": "Bokeh's sheet of a page is taken apart",
    "commands/spelling.py": "a word of Unicode's for a raised sign",
    "datasets/columns/cell_decorations.py": "named groups of patterns",
    "datasets/columns/cell_counts.py": "words for a value below a limit",
    "datasets/columns/dates.py": "named groups of patterns",
    "datasets/columns/durations.py": "named groups of patterns",
    "datasets/columns/number_notation.py": "a word for a missing value",
    "embeddings/embedding.py": "an inner product in a sentence",
    "exports/film.py": "a drawing is taken apart",
    "exports/widget.py": "a drawing's height is read",
    "labs/sweep/figures.py": "a template of Bokeh's, whose fields hold numbers and the places of words",
    "languages/extraction.py": "tags of a message are taken off",
    "markup.py": "what ends a script",
    "pages/index/notebook_reader.py": "the head of a table that markdown-it has made is rewritten",
    "printing.py": "a value's kind in a sentence",
    "site/frame.py": "pages that Sphinx has made are taken apart",
    "site/gallery/drawing.py": "the name of a file that is none, of code that is run",
    "site/reference/pictures.py": "whether what a notebook shows has a picture",
    "site/reference/sphinx_hooks.py": "a named group of a pattern",
    "site/lessons.py": "whether an output is a picture",
    "site/search.py": "finished pages are read",
    "site/theme.py": "the site's icon, which is a file of its own",
    "workbench/content.py": "named groups of a pattern",
}
# whose templates are made: of an id that is letters and digits of ours
MADE = {"svg/frame_diffs.py"}


def files():
    """Return all files."""
    return sorted(path.relative_to(ROOT).as_posix() for path in ROOT.rglob("*.py"))


def called_name(node):
    """Return the name of the function that a call calls."""
    return getattr(node.func, "id", getattr(node.func, "attr", ""))


def calls(tree, *names):
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call) and called_name(node) in names]


def uses(tree, name):
    """Return where a name is imported that declares a text to be HTML."""
    imports = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
    modules = ("html", "markupsafe", "explorer.markup")
    return [each for each in imports if each.module in modules and name in {alias.name for alias in each.names}]


def literal(node):
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def templates(tree):
    """Return the module-level constants that are literals, by their names in upper case."""
    constants = (each for each in tree.body if isinstance(each, ast.Assign) and literal(each.value))
    return {t.id: each.value for each in constants for t in each.targets if isinstance(t, ast.Name) and t.id.isupper()}


def template_of(call):
    """Return the argument of a call that holds tags."""
    return call.args[1 if called_name(call) == "rewritten" else 0]


def faults(source, name="labs/mine/words.py"):
    """Return sentences on the code of a file that a table's names could exploit."""
    if not SUSPECT.search(source):
        return []  # nothing that a browser would read
    tree, found = ast.parse(source), []
    known = templates(tree)
    if name != "markup.py":
        found += [f"line {each.lineno}: Markup(...) of a text not escaped" for each in calls(tree, "Markup")]
    building = [each for each in calls(tree, *BUILDERS) if each.args]
    for each in building:
        template = template_of(each)
        if not literal(template) and getattr(template, "id", None) not in known and name not in MADE:
            found.append(f"line {each.lineno}: a template is a literal, and data are its parts")
    for function, allowed in TRUSTED.items():
        if name not in allowed and name != "markup.py":
            found += [f"line {each.lineno}: {function}" for each in uses(tree, function)]
    if name not in (
        "pages/layout/markup_pane.py",
        "exploration/model_exploration.py",
    ):  # the sink of pages; a refusal, escaped there
        sinks = [each for each in ast.walk(tree) if isinstance(each, ast.Attribute) and each.attr in SINKS]
        found += [f"line {each.lineno}: {each.attr} shows any text; pages.text.html shows Markup" for each in sinks]
    if name not in OTHER:
        used = {id(part) for each in building for argument in each.args[:2] for part in ast.walk(argument)}
        used |= {id(known[each.args[0].id]) for each in building if getattr(each.args[0], "id", None) in known}
        used |= {id(node.body[0].value) for node in ast.walk(tree) if _has_docstring(node)}
        found += [
            f"line {each.lineno}: tags outside markup(...)"
            for each in ast.walk(tree)
            if literal(each) and id(each) not in used and TAG.search(each.value)
        ]
    return found


def _has_docstring(node):
    return isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef) and ast.get_docstring(node) is not None


def test_html_is_built_by_markup_alone():
    found = {name: faults((ROOT / name).read_text(encoding="utf-8"), name) for name in files()}
    assert {name: sentences for name, sentences in found.items() if sentences} == {}


@pytest.mark.parametrize(
    "source",
    [
        "Markup(f'<b>{name}</b>')",
        "markup(f'<b>{name}</b>')",
        "markup('<b>' + name)",
        "template = f'<b>{name}</b>'\nmarkup(template)",
        "rewritten('<b>', f'<i>{name}', words)",
        "says = f'<b>{name}</b>'",
        "says = '<b>{}</b>'.format(name)",
        "from html import escape\nsays = escape(name)",
        "pn.pane.HTML(name)",
        "from explorer.markup import from_library\nfrom_library(name)",
    ],
)
def test_a_lab_that_builds_html_otherwise_is_found(source):
    assert faults(source)


def test_what_is_allowed_is_needed():
    with_tags = {name for name in OTHER if TAG.search((ROOT / name).read_text(encoding="utf-8"))}
    assert with_tags == set(OTHER)
    for function, names in TRUSTED.items():
        assert all(uses(ast.parse((ROOT / name).read_text(encoding="utf-8")), function) for name in names)
