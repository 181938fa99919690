"""The lessons with the output of their cells, as a reader on the web sees them: text, and small static pictures.

`python tests/store_lessons.py [NUMBER ...]` runs the lessons, such as 01 02, or all, looks at each output in Chromium,
and writes it into the notebook as a PNG. In Jupyter the output of a cell is larger, and interactive.
"""

from __future__ import annotations

import base64
import sys
import tempfile
from copy import deepcopy
from io import BytesIO
from pathlib import Path

import nbformat
from helpers.browsing import launched
from helpers.lessons import LIGHT, NOTEBOOKS, code_of, read
from helpers.server_process import until
from nbclient import NotebookClient
from PIL import Image, ImageChops

WIDTH = 1000  # width of a cell's output in px
COLOURS = 64  # colours of a picture: text stays smooth, and a lab takes some 40 kB
DRAWN = """() => [...document.querySelectorAll('.shown[data-drawn]')].every((place) => {
  const has = (root) => [...root.querySelectorAll('*')].some((each) => each instanceof HTMLCanvasElement || (
    each.shadowRoot && has(each.shadowRoot)))
  return has(place)
})"""
EXEC = "application/vnd.holoviews_exec.v0+json"  # MIME type of outputs that Bokeh draws
STYLE = "body { margin: 0; background: white; font: 14px/1.5 system-ui, sans-serif } .shown { padding: 4px }"


def executed(path):
    """Return a lesson with the output of its cells; the error channel must stay empty."""
    notebook = deepcopy(read(path))
    how = {"timeout": 600, "kernel_name": "python3", "shutdown_kernel": "immediate", "coalesce_streams": True}
    NotebookClient(notebook, **how).execute()
    for cell in code_of(notebook):
        said = [output for output in cell.outputs if output.output_type == "stream" and output.name == "stderr"]
        if said:
            raise RuntimeError(f"{path.name} says on the error channel: {said[0].text}")
    return notebook


def stored(notebook):
    """Return the notebook, each output text or a picture."""
    with launched() as browser, tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "lesson.html"
        file.write_text(as_page(notebook), encoding="utf-8")
        page = browser.new_page(viewport={"width": WIDTH, "height": 900})
        page.goto(file.as_uri())
        until(lambda: page.evaluate(DRAWN), "all outputs drawn", 120)
        page.wait_for_timeout(3000)  # the last transitions of a lab
        page.evaluate(
            "document.querySelectorAll('.explorer-notice').forEach((each) => each.remove())"
        )  # no kernel here
        for i, cell in enumerate(code_of(notebook)):
            cell.execution_count = None
            cell.metadata.pop("execution", None)  # when it ran
            cell.outputs = [
                light for j, output in enumerate(cell.outputs) if (light := as_stored(output, page, f"#o{i}-{j}"))
            ]
    notebook.metadata.pop("widgets", None)
    return notebook


def as_page(notebook):
    """Return all outputs in one page, each in its own element."""
    parts = [f"<!doctype html><meta charset='utf-8'><style>{STYLE}</style><body>"]
    for i, cell in enumerate(code_of(notebook)):
        for j, output in enumerate(cell.outputs):
            data = output.get("data", {})
            if "text/html" in data:
                drawn = "data-drawn" if EXEC in data and "text/plain" in data else ""
                parts.append(f"<div class='shown' id='o{i}-{j}' {drawn}>{data['text/html']}</div>")
            elif "application/javascript" in data:
                parts.append(f"<script>{data['application/javascript']}</script>")
    return "".join(parts)


def as_stored(output, page, place):
    """Return an output as it is kept, or None for an invisible one."""
    if output.output_type == "stream":
        return output
    output = nbformat.NotebookNode(output)
    if "execution_count" in output:
        output.execution_count = None
    data = output.data
    if "image/png" in data or set(data) == {"text/plain"}:
        return output
    shown = page.locator(place)
    box = shown.bounding_box() if shown.count() else None
    if box is None or box["height"] < 20:
        return None
    output.data = {"image/png": picture(shown.screenshot()), "text/plain": data.get("text/plain", "a picture")}
    output.metadata = {}
    return output


def picture(shot):
    """Return a screenshot without its empty margins, in few colours, as a notebook holds it."""
    image = Image.open(BytesIO(shot)).convert("RGB")
    empty = Image.new("RGB", image.size, "white")
    left, top, right, bottom = ImageChops.difference(image, empty).getbbox() or (0, 0, *image.size)
    image = image.crop((max(left - 8, 0), max(top - 8, 0), min(right + 8, image.width), min(bottom + 8, image.height)))
    few, file = image.quantize(COLOURS, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE), BytesIO()
    few.save(file, "PNG", optimize=True)
    return base64.b64encode(file.getvalue()).decode()


def main(numbers):
    """Store the lessons of these numbers, or all."""
    for path in NOTEBOOKS:
        if numbers and path.stem[:2] not in numbers:
            continue
        text = nbformat.writes(stored(executed(path)))
        if len(text.encode()) > LIGHT:
            raise RuntimeError(f"{path.name} would take {len(text.encode()) / 1e3:.0f} kB; show less in it.")
        path.write_text(text + "\n", encoding="utf-8")
        print(f"{path.name}: {len(text.encode()) / 1e3:.0f} kB")  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1:])
