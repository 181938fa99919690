"""Checks of pages without a network: blocked requests to other hosts, and a notebook's outputs as a page."""

from __future__ import annotations

# Number of colours of a canvas: a picture has more than a blank one, because its frame, axes and marks are coloured.
COLOURS = """canvas => {
    if (canvas.width < 99 || canvas.height < 99) return 0
    const at = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height).data
    return new Set(new Uint32Array(at.buffer)).size
}"""


def block_network(page):
    """Block a Playwright page's requests to other hosts; return (list of their addresses, list of page errors)."""
    asked, errors = [], []

    def answer(route):
        address = route.request.url
        if address.startswith(("file:", "data:", "blob:")):
            route.continue_()
        else:
            asked.append(address)
            route.abort()

    page.route("**/*", answer)
    page.on("pageerror", lambda error: errors.append(str(error)))
    return asked, errors


def outputs_as_html(cells):
    """Return a page of the cells' outputs, as a notebook shows them."""
    parts = ["<!doctype html><meta charset='utf-8'><body>"]
    for data in (output.get("data", {}) for cell in cells for output in cell.outputs):
        if "text/html" in data:
            parts.append(f"<div>{data['text/html']}</div>")
        elif "application/javascript" in data:
            parts.append(f"<script>{data['application/javascript']}</script>")
    return "".join(parts)
