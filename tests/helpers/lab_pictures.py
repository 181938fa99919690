"""Data of a lab's pictures without a page: columns, slider tables, descriptions and legends."""

import re
from html import unescape

import pytest

from explorer.marks.description import describe_picture
from explorer.marks.legend import keys_of
from explorer.views.view import View
from explorer.workbench import registry


def view_of(result, dark=False):
    """Return the view of a result's lab."""
    return View(registry.role(registry.name_of(type(result.lab)), "figures").PICTURES, result, dark)


def by_source_name(named):
    """Return sources, or tables, keyed by their names without the pictures' names."""
    if all(isinstance(name, tuple) for name in named):
        return {(source.split(".")[1], column): table for (source, column), table in named.items()}
    return {name.split(".")[1]: data for name, data in named.items()}


def pictures_of(result):
    """Return all pictures of a result's lab, those with content last."""
    pictures = registry.role(registry.name_of(type(result.lab)), "figures").PICTURES
    return sorted(pictures, key=lambda picture: picture.has_content(result))


def columns(result):
    """Return {source: {column: array}} of all pictures; of two pictures with one source, that with content counts."""
    pictures = pictures_of(result)
    return {source: data for picture in pictures for source, data in picture.data(result).items()}


def tables(result):
    """Return {(source, column): rows} of all pictures."""
    pictures = pictures_of(result)
    return {key: rows for picture in pictures for key, rows in picture.table(result).items()}


def descriptions(result):
    """Return the text description of each visible picture."""
    pictures = registry.role(registry.name_of(type(result.lab)), "figures").PICTURES
    return [" ".join(describe_picture(each, result)) for each in pictures if each.is_visible(result)]


def legend_keys(result):
    """Return the legend's entries of all visible pictures, in order."""
    pictures = registry.role(registry.name_of(type(result.lab)), "figures").PICTURES
    return [key for each in pictures if each.is_visible(result) for key in keys_of(each, result, each.data(result))]


def legends_on(page):
    """Return the HTML of all legends on a page."""
    return "".join(str(each.object) for each in page.arranged.legends.values())


def visible_text(html):
    """Return the text that a reader sees."""
    return unescape(re.sub("<[^>]+>", "", str(html)))


def with_deferred(lab, **values):
    """Return a lab's result in which the deferred stages have these values."""
    work = lab.work()
    for name, value in values.items():
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(getattr(type(work), name), "compute", lambda result, stopped, value=value: value)
            work.finish(name)
    return lab.result()
