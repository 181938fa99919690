"""Figures for a paper, as tests read them: the texts of a figure, and what is in a PDF."""

import re
import zlib

from explorer.plotting.paper import Page, drawn


def words(picture, **wishes):
    """Return the texts of a figure without spaces, because long ones are broken into lines."""
    from matplotlib.text import Text

    with drawn(picture, Page(**wishes)) as figure:
        figure.draw_without_rendering()
        return [squeezed(each.get_text()) for each in figure.findobj(Text)]


def squeezed(text):
    return "".join(text.split())


def page_of(pdf):
    """Return the width and height of a PDF's page in mm."""
    ((wide, high),) = re.findall(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+) \]", pdf)
    return float(wide) * 25.4 / 72, float(high) * 25.4 / 72


def streams(pdf):
    """Return the uncompressed streams of a PDF, the drawing of its page among them."""
    parts = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    found = []
    for part in parts:
        try:
            found.append(zlib.decompress(part))
        except zlib.error:
            found.append(part)
    return found
