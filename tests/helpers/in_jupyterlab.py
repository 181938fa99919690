"""A real JupyterLab in a browser without a network: notebooks run, scrolled, dragged and read as its users do."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager, suppress
from urllib.request import urlopen

import nbformat

from helpers.browsing import without
from helpers.server_process import until

SPEC = {"name": "lab", "display_name": "lab", "language": "python"}
HOLD = {"x": 0.5, "y": 0.5}  # the middle of a thumb

READY = """async () => {
    const context = jupyterapp.shell.currentWidget.sessionContext
    await context.ready
    await context.session.kernel.info
}"""
CELLS = """() => [...jupyterapp.shell.currentWidget.content.model.cells].map((cell) => cell.type !== 'code' ? null : {
    ended: cell.executionCount !== null || !cell.sharedModel.source.trim(),
    outputs: Array.from({length: cell.outputs.length}, (_, i) => cell.outputs.get(i).toJSON()).map((output) => ({
        type: output.output_type, name: output.name, text: [output.text ?? output.evalue ?? ''].flat().join(''),
    })),
})"""
# a cell that is out of view may not be in the page at all
SCROLL = """async (index) => {
    const {content} = jupyterapp.shell.currentWidget
    content.deselectAll()
    content.activeCellIndex = index
    await content.scrollToItem(index, 'start')
}"""
DO = "(command) => void jupyterapp.commands.execute(command)"


@contextmanager
def jupyterlab(folder, port):
    """Yield the address of a JupyterLab with this Python as its kernel, as long as the context lasts."""
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
    options += ["--allow-root", f"--ServerApp.root_dir={folder / 'notebooks'}", "--LabApp.expose_app_in_browser=True"]
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


class JupyterLabPage:
    """A browser's page on a JupyterLab. `asked` are its blocked requests to other hosts, `errors` its errors."""

    def __init__(self, browser, address, folder):
        self.address, self.folder = address, folder
        self.tab = browser.new_page(viewport={"width": 1300, "height": 1400})
        self.asked, self.errors = [], []
        self.tab.route("**/*", self._answer)
        self.tab.on("pageerror", lambda error: self.errors.append(str(error)))

    def _answer(self, route):
        if route.request.url.startswith(("http://localhost", "data:", "blob:")):
            route.continue_()
        else:
            self.asked.append(route.request.url)
            route.abort()

    def open(self, notebook, name):
        """Write a notebook, or one of these sources, and open it with a kernel of its own."""
        if not hasattr(notebook, "cells"):
            notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in notebook])
        notebook.metadata.kernelspec = SPEC
        nbformat.write(notebook, self.folder / name)
        return Notebook(self.tab, f"{self.address}/lab/tree/{name}?reset", self.folder / name)

    def close(self):
        """Leave the page and end its kernels."""
        if self.tab.evaluate("'jupyterapp' in window"):
            self.tab.evaluate("jupyterapp.serviceManager.sessions.shutdownAll()")
        self.tab.close()


class Notebook:
    """A notebook that is open in a browser."""

    def __init__(self, tab, address, file):
        self.tab, self.file = tab, file
        tab.goto(address)
        idle = "document.querySelector('.jp-Notebook-ExecutionIndicator')?.dataset.status === 'idle'"
        tab.wait_for_function(idle, timeout=90_000)
        tab.evaluate(READY)  # what a kernel is asked before is dropped

    def cell(self, index):
        """Scroll a cell into view and return it."""
        self.tab.evaluate(SCROLL, index)
        cell = self.tab.locator(f".jp-Cell[data-windowed-list-index='{index}']")
        cell.wait_for(state="attached")
        return cell

    def cells(self):
        """Return the output of each cell of code, and whether it has ended; None for prose."""
        return self.tab.evaluate(CELLS)

    def run(self, index, wait=True):
        """Run a cell to its end."""
        cell = self.cell(index)
        count = "jupyterapp.shell.currentWidget.content.model.cells.get(index).executionCount"
        self.tab.evaluate(f"(index) => {{ {count} = null }}", index)
        self.tab.evaluate(DO, "notebook:run-cell")
        if wait:
            self.tab.wait_for_function(f"(index) => {count} !== null", arg=index, timeout=60_000)
        return cell

    def restart(self):
        """Restart the kernel, as its menu does once the reader has confirmed it."""
        self.tab.evaluate("jupyterapp.shell.currentWidget.sessionContext.restartKernel()")
        self.tab.evaluate(READY)

    def printed(self, index):
        """Return what a cell has printed or shown as text."""
        return "".join(output["text"] for output in self.cells()[index]["outputs"])

    def run_all(self, patience=300):
        """Run all cells by the menu; return the seconds to the end of the last."""
        self.tab.locator(".lm-MenuBar-itemLabel").get_by_text("Run", exact=True).click()
        self.tab.locator(".lm-Menu-itemLabel").get_by_text("Run All Cells", exact=True).click()
        begun = time.monotonic()

        def ended():
            cells = [cell for cell in self.cells() if cell]
            wrong = [o["text"] for cell in cells for o in cell["outputs"] if o["type"] == "error"]
            assert wrong == []
            self.tab.wait_for_timeout(50)  # what the page asks for passes through this test, which must not sleep
            return all(cell["ended"] for cell in cells)

        until(ended, "the end of all cells", patience)
        return time.monotonic() - begun

    def save(self):
        """Save the notebook and return the content of its file."""
        self.tab.evaluate("jupyterapp.shell.currentWidget.context.save()")
        return nbformat.read(self.file, as_version=4)

    def drag(self, slider):
        """Take a slider's thumb by the mouse to the other half of its track."""
        self.tab.evaluate("document.activeElement?.blur()")
        slider.evaluate("thumb => thumb.scrollIntoView({block: 'center'})")
        thumb = slider.locator("..")
        now, least, most = (float(slider.get_attribute(f"aria-value{each}")) for each in ("now", "min", "max"))
        track = thumb.locator("..").bounding_box()
        box = thumb.bounding_box()
        y = box["y"] + HOLD["y"] * box["height"]
        self.tab.mouse.move(box["x"] + HOLD["x"] * box["width"], y)
        self.tab.mouse.down()
        share = 0.3 if now > (least + most) / 2 else 0.7
        self.tab.mouse.move(track["x"] + share * track["width"], y, steps=12)
        self.tab.mouse.up()
