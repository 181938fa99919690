"""README has what a reader needs in five minutes: two commands, the labs, an example that runs, where the rest is."""

import re
import tomllib

import yaml
from helpers.guide_texts import README, ROOT, python_of, under

from explorer.__main__ import COMMANDS
from explorer.workbench import registry


def test_it_is_read_in_five_minutes():
    assert len(README.splitlines()) <= 200


def test_it_begins_with_the_command_that_installs_and_serves():
    first, *_ = re.findall(r"```(\w+)\n(.*?)```", README, re.DOTALL)
    assert first == ("sh", "python -m pip install . && python -m explorer serve\n")
    assert README.index("```sh") < README.index("![")


def test_its_second_block_of_shell_is_what_continuous_integration_runs():
    blocks = re.findall(r"```(?:sh|bash)\n(.*?)```", README, re.DOTALL)
    install_and_test, checks, *_ = blocks[1].splitlines()
    assert install_and_test == 'python -m pip install -e ".[dev]" && python -m pytest -n 2'
    assert checks.startswith("ruff check . && ")
    assert "-n 2" in install_and_test  # which .ci/run changes


def test_contributing_agrees_with_readme_and_leads_to_what_exists():
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    [commands] = re.findall(r"```sh\n(.*?)```", text, re.DOTALL)
    assert commands in README
    links = re.findall(r"\]\((?!https?:)([^)#]+)(?:#([^)]+))?\)", text)
    assert len(links) >= 4
    for path, place in links:
        linked = (ROOT / path).read_text(encoding="utf-8")
        titles = re.findall(r"^#+ (.+)$", linked, re.M)
        assert not place or place in [title.lower().replace(" ", "-") for title in titles]


def test_it_lists_every_lab_and_every_command():
    labs, commands = under(README, "## The labs"), under(README, "## The command line")
    assert set(re.findall(r"^\| `/(\w+)`", labs, re.M)) == {*registry.names(), "report"}
    assert set(re.findall(r"^\| `explorer (\w+)", commands, re.M)) == set(COMMANDS)


def test_the_library_s_example_runs(capsys):
    [source] = python_of(README)
    exec(compile(source, "README", "exec"), {})
    assert len(capsys.readouterr().out.splitlines()) == 3


def test_its_links_lead_to_files():
    links = re.findall(r"\]\(([^)#]+)", README)
    assert len(links) > 10
    assert [link for link in links if not (ROOT / link).is_file()] == []


def test_hooks_run_what_the_developers_extra_installs():
    """Local hooks have no versions of their own."""
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))["repos"]
    extra = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = {re.split(r"[^\w-]", requirement)[0] for requirement in extra["dev"]}
    commands = {hook["entry"].split()[0] for repo in hooks for hook in repo["hooks"]}
    assert commands - {"python"} <= installed
