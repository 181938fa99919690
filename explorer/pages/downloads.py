"""What a page gives away: its pictures, its numbers and its state."""

from __future__ import annotations

import csv
import io
import json

import panel as pn
import panel_material_ui as pmui

# the figure that is seen draws itself once more, on a canvas of its own or as SVG, on the ground that the page has
PICTURE = """
const views = plots.map((plot) => cb_context.index.find_one(plot))
const view = views.find((view) => view?.el.getBoundingClientRect().width > 0)
view.export('%s').to_blob().then((blob) => {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(blob)
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 1000)
})
"""


def downloads(owner):
    """Buttons for what is seen in each place of a page as PNG and SVG, each table as CSV, and the state as JSON."""
    stem = owner.title.lower()
    parts = []
    for name, figures in owner.view.places.items():
        for kind in ("png", "svg"):
            button = pmui.Button(label=f"{name} {kind.upper()}", variant="outlined", size="small")
            button.js_on_click(args={"plots": figures, "name": f"{stem}-{name}.{kind}"}, code=PICTURE % kind)
            parts.append(button)
    for name in owner.numbers(owner.result):
        parts.append(_file(f"{name} CSV", f"{stem}-{name}.csv", lambda name=name: written(owner, name)))
    parts += [_file(*file) for file in owner.files()]
    parts.append(_file("state JSON", f"{stem}.json", lambda: io.StringIO(json.dumps(owner.state(), indent=1))))
    return pn.FlexBox(*parts, gap="8px", margin=(4, 10))


def _file(label, name, make):
    button = pmui.FileDownload(label=label, filename=name, callback=make, auto=True, size="small")
    button.variant = "outlined"  # as an argument it would pass for a deprecated one in Panel 1.9
    return button


def written(owner, name):
    """One of the page's tables as CSV; comment lines say where it comes from."""
    columns, text = owner.numbers(owner.result)[name], io.StringIO()
    text.write(f"# Kernel Mean Explorer, {owner.title}; the state of the page: {owner.link()}\n")
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(
        zip(*(column.tolist() for column in columns.values()), strict=True)
    )  # every digit, unlike numpy's own
    text.seek(0)
    return text
