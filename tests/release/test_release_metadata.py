"""The version, its changelog and citation, and the metadata that an index shows."""

import importlib
import re
import tomllib
from datetime import date

import pytest
import yaml
from helpers.guide_texts import GUIDE, README, ROOT

import explorer
from explorer.citations import YEAR_OF_VERSION
from explorer.public_names.help_text import LICENCE, VERSION

citation = importlib.import_module("release.citation")
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PROJECT = PYPROJECT["project"]
CHANGES = re.findall(r"^## (\S+) - (\S+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.M)
CITED = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))


def test_the_version_has_one_source():
    assert "version" in PROJECT["dynamic"]
    assert "version" not in PROJECT
    assert re.fullmatch(r"\d+\.\d+\.\d+", VERSION)  # semantic versioning
    assert explorer.__version__ == VERSION
    [line] = re.findall(r'^VERSION = "(.+?)"', (ROOT / PYPROJECT["tool"]["hatch"]["version"]["path"]).read_text(), re.M)
    assert line == VERSION


def test_changelog_and_citation_are_of_this_version():
    assert CHANGES[0] == (CITED["version"], CITED["date-released"].isoformat())
    assert CITED["date-released"].year == YEAR_OF_VERSION
    assert CITED["version"] == VERSION


def test_the_changelog_has_each_version_once_the_newest_first():
    versions = [tuple(map(int, version.split("."))) for version, _ in CHANGES]
    days = [date.fromisoformat(day) for _, day in CHANGES]
    assert versions == sorted(set(versions), reverse=True)
    assert days == sorted(days, reverse=True)


def test_each_section_of_the_changelog_has_the_form():
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    kinds = set(re.findall(r"^### (.+)$", text, re.M))
    assert kinds <= {"Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"}


def test_the_citation_is_of_this_project():
    assert CITED["license"] == PROJECT["license"] == LICENCE
    assert CITED["authors"] == [{"name": author["name"]} for author in PROJECT["authors"]]
    assert set(CITED["keywords"]) <= set(PROJECT["keywords"])
    assert {"cff-version", "message", "title", "type"} <= set(CITED)


def test_the_citation_has_the_texts_as_the_bibliography_has_them():
    assert CITED["references"] == citation.expected()
    assert CITED["references"][0]["authors"][0] == {"family-names": "Xia", "given-names": "X."}


def test_an_index_is_told_what_is_true():
    classifiers = PROJECT["classifiers"]
    assert classifiers == sorted(set(classifiers), key=lambda each: [*map(str, each.split(" :: "))])
    heads = {each.split(" :: ")[0] for each in classifiers}
    assert {"Development Status", "Framework", "Intended Audience", "Operating System", "Topic", "Typing"} <= heads
    assert "Typing :: Typed" in classifiers
    assert (ROOT / "explorer" / "py.typed").is_file()
    assert not any(each.startswith("License ::") for each in classifiers)  # the field `license` names it
    assert "urls" not in PROJECT  # the project has no home page


def test_what_an_index_shows_of_readme_leads_nowhere_that_it_lacks():
    hook = PYPROJECT["tool"]["hatch"]["metadata"]["hooks"]["fancy-pypi-readme"]
    shown = README
    for each in hook["substitutions"]:
        shown = re.sub(each["pattern"], each["replacement"], shown)
    assert not re.findall(r"\]\((?!https?:)", shown)
    assert "![" not in shown
    assert shown.startswith("# Kernel Mean Explorer\n")
    assert "Contributing has the longer tests" in shown


def test_each_extra_of_users_is_among_the_developers():
    extras = PROJECT["optional-dependencies"]
    [own] = [each for each in extras["dev"] if each.startswith(PROJECT["name"])]
    assert set(own.partition("[")[2].rstrip("]").split(",")) == set(extras) - {"dev"}


@pytest.mark.parametrize("name", ["pyproject.toml", "CITATION.cff", "README.md", "CHANGELOG.md"])
def test_no_address_is_invented(name):
    """The project has no known address."""
    addresses = re.findall(r"https?://[\w.-]+", (ROOT / name).read_text(encoding="utf-8"))
    assert set(addresses) <= {"http://localhost"}


def test_the_guide_says_how_a_version_is_made():
    assert "`explorer/public_names/help_text.py`" in GUIDE["contributing"]
