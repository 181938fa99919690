"""The lab of lesson 14 is complete: its folder is enough to serve, export, link and copy it."""

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

import pytest
from helpers.explorer_server import ExplorerServer
from helpers.naming import names_all
from helpers.server_process import until

LESSON = Path(__file__).parents[2] / "notebooks" / "14_write_your_own_estimator.ipynb"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Return a folder with the lab whose files the lesson writes."""
    cells = json.loads(LESSON.read_text(encoding="utf-8"))["cells"]
    source = next("".join(cell["source"]) for cell in cells if "FILES = {}" in "".join(cell["source"]))
    files = {
        node.targets[0].slice.value: node.value.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript)
    }
    assert len(files) == 9  # the eight roles and the estimator
    path = tmp_path_factory.mktemp("labs")
    (path / "winsor").mkdir()
    for name, text in files.items():
        (path / "winsor" / name).write_text(text.lstrip(), encoding="utf-8")
    return path


def printed(code, folder=None):
    """Return the lines that a new process prints; it has the labs of a folder if one is given."""
    environment = {**os.environ, **({"EXPLORER_LABS": str(folder)} if folder else {})}
    command = [sys.executable, "-W", "error::UserWarning", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_folder_added_to_a_running_process_has_a_lab(folder):
    said = printed(
        f"""
from explorer.workbench import registry
print("winsor" in registry.names())
from explorer.labs import add_folder
add_folder({str(folder)!r}), add_folder({str(folder)!r})
import explorer.labs
print("winsor" in registry.family("better"), explorer.labs.__path__.count({str(folder)!r}))
from explorer.labs.winsor import WinsorLab
from explorer.workbench.content import content_of
for preset in content_of("winsor").presets:
    value = WinsorLab(**preset.fields).result().effects[preset.effect]
    print(preset.at_least <= value <= preset.at_most)
try:
    add_folder("nowhere")
except ValueError as refusal:
    print(refusal)
"""
    )
    assert said[:4] == ["False", "True 1", "True", "True"]
    assert names_all(said[4], "'nowhere'", "folder")


@pytest.mark.thorough
def test_its_page_is_linked_copied_and_undone_and_has_the_estimator_in_its_menu(folder):
    said = printed(
        """
from urllib.parse import parse_qsl
from explorer.pages import WinsorPage
from explorer.labs.winsor.lab import MENU
page = WinsorPage({"source": "Pareto", "n": "50"})
page.move("rival", rival="winsorised KME")
print(len(MENU), page.lab.rival, dict(parse_qsl(page.link()))["rival"])
exec(page.python(page.result), {})
print(*page.result.measures.values(), sep="\\n")
for rival in MENU:
    page.move("rival", rival=rival)
    assert page.result.other >= 0
    assert page.lab.rival == rival
page.navigation.undo()
print(page.lab.n)
""",
        folder,
    )
    assert said[0].endswith("winsorised KME winsorised KME")
    assert said[1:3] == said[3:5]  # the copied Python printed the screen's numbers
    assert said[5] == "50"


@pytest.mark.thorough
def test_it_is_exported_and_served(folder, tmp_path):
    out = tmp_path / "winsor.html"
    printed(f"from explorer.__main__ import main\nmain(['export', 'winsor', '-o', {str(out)!r}])", folder)
    assert "<title>Winsorised mean: " in out.read_text(encoding="utf-8")
    server = ExplorerServer(tmp_path / "log", environment={"EXPLORER_LABS": str(folder)})
    try:

        def page():
            with urlopen(f"{server.url}/winsor") as answer:
                return answer.read().decode()

        # the HTML contains the headline once the server has loaded the lab
        until(lambda: "The winsorised mean" in page(), "the page with its headline", 60)
    finally:
        server.stop()
