"""Labs in a real JupyterLab without a network: drawn, dragged, and read in the kernel."""

import json
import os
import re
import shutil
import subprocess
import sys
from contextlib import contextmanager, suppress
from urllib.request import urlopen

import nbformat
import pytest
from browsing import launched, without
from serving import free_port, until

CELLS = (
    "from explorer.pages import ShrinkagePage, TwoSamplePage\npage = ShrinkagePage(n=50)\npage",
    "second = TwoSamplePage()\nsecond",
    "page.lab.lam",
)
NUMBER = re.compile(r"\[\d+\]")
LIGHT = 6_000_000  # bytes of a notebook with two labs


@contextmanager
def jupyterlab(folder, port):
    """The address of a JupyterLab that has this Python as its kernel, as long as the context lasts."""
    command = shutil.which("jupyter-lab")
    if command is None:
        without("this test needs jupyterlab: pip install jupyterlab")
    spec = folder / "share" / "kernels" / "lab"
    spec.mkdir(parents=True)
    argv = [sys.executable, "-m", "ipykernel_launcher", "-f", "{connection_file}"]
    spec.joinpath("kernel.json").write_text(json.dumps({"argv": argv, "display_name": "lab", "language": "python"}))
    settings = folder / "conf" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
    settings.mkdir(parents=True)
    settings.joinpath("notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    folder.joinpath("notebooks").mkdir()
    paths = os.pathsep.join((str(folder / "share"), os.path.join(sys.prefix, "share", "jupyter")))
    environment = {
        **os.environ,
        "JUPYTER_PATH": paths,
        "JUPYTER_CONFIG_DIR": str(folder / "conf"),
        "JUPYTER_DATA_DIR": str(folder / "data"),
    }
    options = ["--no-browser", f"--port={port}", "--IdentityProvider.token=", "--ServerApp.port_retries=0"]
    options += ["--allow-root", f"--ServerApp.root_dir={folder / 'notebooks'}"]
    silent = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
    server = subprocess.Popen([command, *options], env=environment, **silent)
    address = f"http://localhost:{port}"

    def answers():
        with suppress(OSError), urlopen(f"{address}/api") as answer:
            return answer.status == 200

    try:
        until(answers, "JupyterLab", 60)
        yield address
    finally:
        server.terminate()
        server.wait()


class Notebook:
    """A notebook that is open in a browser."""

    def __init__(self, sheet, address, name):
        self.sheet = sheet
        sheet.goto(f"{address}/lab/tree/{name}?reset")
        idle = "document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'"
        sheet.wait_for_function(idle, timeout=90_000)

    def cell(self, index):
        return self.sheet.locator(f".jp-Cell[data-windowed-list-index='{index}']")

    def run(self, index):
        """Run a cell; a kernel that is only just there may drop what it is asked first."""
        cell, prompt = self.cell(index), self.cell(index).locator(".jp-InputPrompt")
        before = prompt.inner_text()
        cell.locator(".jp-InputArea-editor").click()

        def ended():
            if prompt.inner_text() in (before, "[ ]:"):
                self.sheet.keyboard.press("Control+Enter")
                self.sheet.wait_for_timeout(500)
            return prompt.inner_text() != before and NUMBER.match(prompt.inner_text())

        until(ended, "a cell to end", 60)
        return cell


@pytest.mark.thorough
def test_two_labs_are_dragged_and_read(tmp_path):
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    spec = {"name": "lab", "display_name": "lab", "language": "python"}
    notebook = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": spec})
    asked, errors = [], []

    def answer(route):
        if route.request.url.startswith(("http://localhost", "data:", "blob:")):
            route.continue_()
        else:
            asked.append(route.request.url)
            route.abort()

    with jupyterlab(tmp_path, free_port()) as address, launched() as browser:
        nbformat.write(notebook, tmp_path / "notebooks" / "labs.ipynb")
        sheet = browser.new_page(viewport={"width": 1300, "height": 1400})
        sheet.route("**/*", answer)
        sheet.on("pageerror", lambda error: errors.append(str(error)))
        notebook = Notebook(sheet, address, "labs.ipynb")
        slider = notebook.run(0).get_by_role("slider", name="λ").first
        slider.wait_for(state="attached", timeout=60_000)
        until(lambda: sheet.locator(".explorer-cell canvas:visible").count() >= 2, "pictures", 60)
        thumb = slider.locator("..").bounding_box()
        sheet.mouse.move(thumb["x"] + thumb["width"] / 2, thumb["y"] + thumb["height"] / 2)
        sheet.mouse.down()
        sheet.mouse.move(thumb["x"] + 150, thumb["y"] + thumb["height"] / 2, steps=12)
        sheet.mouse.up()
        said = until(lambda: slider.get_attribute("aria-valuetext"), "the slider's word")

        def read():
            return notebook.run(2).locator(".jp-OutputArea-output").inner_text().strip()

        until(lambda: float(read()) == float(said), "the slider's value in the kernel", 30)
        other = notebook.run(1)
        until(lambda: other.locator("canvas:visible").count(), "the second lab", 60)
        sheet.locator("[data-jp-item-name=save]").first.click()
        file = tmp_path / "notebooks" / "labs.ipynb"

        def saved():
            sheet.wait_for_timeout(100)  # what the sheet asks for passes through this test, which must not sleep
            return file.stat().st_size > 3_000_000

        until(saved, "the notebook saved", 60)
        assert file.stat().st_size <= LIGHT
    assert asked == []
    assert errors == []
