"""The guide: every page is listed, its Python runs, its commands are valid, and its lists are complete."""

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from helpers.guide_texts import GUIDE, ROOT, TEXTS, commands_of, python_of, under

from explorer.__main__ import COMMANDS, command, main
from explorer.site import guide
from explorer.workbench import registry

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
BLOCKS = [
    pytest.param(source, id=f"{name}-{at}")
    for name, text in GUIDE.items()
    if name != "recipes"  # its blocks are files of a package: tests/conformance/test_recipes.py
    for at, source in enumerate(python_of(text))
]
LINES = sorted({line for text in TEXTS.values() for line in commands_of(text)})


def test_each_page_is_listed_once():
    listed = [name for pages in guide.PAGES.values() for name in pages]
    assert sorted(listed) == sorted([*GUIDE, "commands", "errata", "verdicts"])


def test_it_writes_all_pages_and_an_index(guided):
    there = {path.stem: path.read_text(encoding="utf-8") for path in guided.iterdir()}
    assert set(there) == {*GUIDE, "commands", "index"}
    assert all(f"](./{name}.md)" in there["index"] for name in set(there) - {"index"})
    assert all(f"\n## explorer {name}\n" in there["commands"] for name in COMMANDS)


def test_a_public_name_leads_to_the_reference(guided):
    text = (guided / "library.md").read_text(encoding="utf-8")
    assert "[`mmd_test(X, Y)`](../reference/mmd_test.md)" in text
    assert "| [`KME`](../reference/KME.md), `SKMSE`, " in text
    assert python_of(text) == python_of(GUIDE["library"])


def test_a_lab_leads_to_its_living_states(guided):
    text = (guided / "labs.md").read_text(encoding="utf-8")
    assert "**Two samples** ([`/twosample`](../labs/index.md#two-samples)): do" in text
    assert "**Report** (`/report`)" in text  # the site has no file of this page


def test_its_pages_begin_with_one_title():
    for name, text in GUIDE.items():
        prose = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
        assert text.startswith("# "), name
        assert len(re.findall(r"^# ", prose, re.M)) == 1, name


def test_its_links_lead_to_pages():
    for name, text in GUIDE.items():
        prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
        for words, target in re.findall(r"\[([^\]]*)\]\(([^)#]+)", prose):
            assert words, f"{name}: a checkout shows no link without words"
            assert target.startswith("http") or (guide.HERE / target).is_file(), f"{name}: {target}"


@pytest.mark.thorough(default=["data-0", "library-0"])
@pytest.mark.parametrize("source", BLOCKS)
def test_its_python_runs(source, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    exec(compile(source, "guide", "exec"), {"__name__": "guide"})


@pytest.mark.parametrize("line", LINES)
def test_its_commands_can_be_typed(line, monkeypatch):
    """The command line accepts the guide's commands with their options."""
    name, *words = (word for word in shlex.split(line, comments=True)[1:] if word != "&")
    if "--version" in (name, *words) or "--help" in words:
        with pytest.raises(SystemExit) as ended:
            main([name, *words])
        assert ended.value.code == 0
        return
    assert name in COMMANDS
    if f"`{line}`" in "".join(TEXTS.values()) and not words:
        return  # a sentence names only the command
    taken = []
    monkeypatch.setattr(command(name), "run", taken.append)
    main([name, *words])
    assert len(taken) == 1


def test_it_has_every_lab_under_its_title():
    titles = {name: registry.entry(name).title for name in registry.names()}
    named = re.findall(r"^\*\*(.+?)\*\* \(`/(\w+)`\)", GUIDE["labs"], re.M)
    found = {address: title for title, address in named}
    assert found == {**titles, "report": "Report"}


def test_it_gives_a_reason_for_the_versions_of_every_package():
    rows = re.findall(r"^\| `([\w-]+)` \| `([^`]+)` \| .{10,} \|$", under(GUIDE["versions"], "## Packages"), re.M)
    required = [re.match(r"([\w-]+)(.*)", each).groups() for each in PROJECT["dependencies"]]
    assert sorted(rows) == sorted(required)


def test_it_has_every_extra_for_users():
    rows = re.findall(r"^\| `(\w+)` \| `([\w-]+)` \| `([^`]+)` \| .+ \|$", under(GUIDE["versions"], "## Extras"), re.M)
    extras = {name: each for name, each in PROJECT["optional-dependencies"].items() if name != "dev"}
    required = [
        (extra, *re.match(r"([\w-]+)(.*)", each).groups()) for extra, packages in extras.items() for each in packages
    ]
    assert sorted(rows) == sorted(required)


def test_it_names_the_pythons_that_the_project_supports():
    pythons = re.findall(r"Python :: (3\.\d+)", "\n".join(PROJECT["classifiers"]))
    assert pythons[0] == PROJECT["requires-python"].removeprefix(">=")
    assert GUIDE["versions"].split("\n")[4].startswith(f"Python {', '.join(pythons[:-1])} and {pythons[-1]}.")


@pytest.mark.thorough
def test_sphinx_makes_its_pages_without_a_warning(tmp_path):
    """The sections that it links to are replaced by stubs; `pages_of` raises warnings as errors."""
    from explorer.site import home
    from explorer.site.theme import pages_of

    source, out = tmp_path / "source", tmp_path / "site"
    guide.write(source, fast=True)
    home.write(source, fast=True)
    pages_of(source, out)
    written = {path.stem for path in Path(out, "guide").glob("*.html")}
    assert written == {*GUIDE, "commands", "index"}
