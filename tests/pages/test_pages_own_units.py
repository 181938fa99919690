"""Every text and picture of a lab uses the units, columns, groups and file name of the user's table."""

from functools import cache

import numpy as np
import pytest
from bokeh.models import Axis
from every_lab import ROWS, TAKING_TABLES
from helpers.lab_pictures import legends_on
from helpers.page_helpers import notice, unfold

from explorer.markup import Markup, text_of
from explorer.pages import page_class
from explorer.views.style import words_of, written
from explorer.workbench import registry

pytestmark = pytest.mark.usefixtures("at_once")

SOME = ["conditional", "density"]
NUMBERS = ("noise (dB)", "Bill length (mm)", "Body mass (g)")
GROUPS = ("Adelie", "Chinstrap", "Gentoo")


def birds():
    """Return a table as a spreadsheet exports it (semicolons, decimal commas, id, date, gaps, three groups), and its
    columns of numbers.
    """
    rng = np.random.default_rng(5)
    group = rng.permutation(np.repeat(np.arange(3), 24))
    columns = (
        rng.normal(10, 2, 72),
        39 + 4 * group + rng.normal(0, 2, 72),
        3700 + 500 * group + rng.normal(0, 300, 72),
    )
    rows = ["id;measured on;noise (dB);Bill length (mm);Body mass (g);species"]
    for i, (g, *numbers) in enumerate(zip(group, *columns, strict=True)):
        cells = [f"{value:.1f}".replace(".", ",") for value in numbers]
        cells[1] = "" if i == 7 else cells[1]
        rows.append(";".join([str(1000 + i), f"{1 + i % 28}.{1 + i % 12}.2021", *cells, GROUPS[g]]))
    return "\n".join(rows).encode(), dict(zip(NUMBERS, columns, strict=True))


@cache
def shown(lab):
    """Return a lab's page that shows the table; tests must not change it."""
    page = page_class(lab)({})
    text, columns = birds()
    page.user_data.file.param.update(value=text, filename="birds.csv")
    page.user_data.drop.clicks += 1
    page.user_data.button.clicks += 1
    assert (page.lab.source, notice(page)) == ("file", "")
    return unfold(page), columns


@pytest.mark.few(4)
@pytest.mark.thorough(default=SOME)
@pytest.mark.parametrize("lab", TAKING_TABLES)
def test_every_axis_along_a_column_has_its_name_and_its_own_numbers(lab):
    page, columns = shown(lab)
    names = page.view.visible(page.result)
    axes = [axis for name in names for axis in page.view.figures[name].select(Axis)]
    along = [axis for axis in axes if written(axis.axis_label) in columns]
    assert len(along) >= ROWS[lab].axes
    for axis in along:
        values = columns[written(axis.axis_label)]
        room = np.ptp(values) / 2
        words = words_of(axis)
        if words is None:  # numbers that were not scaled
            continue
        places = np.array([float(word.replace("−", "-")) for word in words.values()])
        inside = (places > values.min() - room) & (places < values.max() + room)
        assert inside.sum() >= 2, (written(axis.axis_label), places)
    assert not any(written(axis.axis_label) in ("coordinate 1", "x (first coordinate)") for axis in axes)


@pytest.mark.thorough(default=SOME)
@pytest.mark.parametrize("lab", TAKING_TABLES)
def test_headline_caption_and_legend_speak_of_the_table(lab):
    page, columns = shown(lab)
    frame = page.chrome
    said = " ".join(str(part.object) for part in (frame.headline, frame.caption, frame.twin)) + legends_on(page)
    assert "birds.csv" in said or any(name in said for name in (*columns, *GROUPS))
    legend = text_of(Markup(legends_on(page)))
    assert "truth" not in legend
    assert "exact" not in legend


@pytest.mark.thorough(default=SOME)
@pytest.mark.parametrize("lab", [lab for lab in TAKING_TABLES if lab not in ("distributions", "monk")])
def test_what_is_downloaded_is_in_the_files_own_numbers(lab):
    page, columns = shown(lab)
    tables = registry.role(lab, "script").numbers(page.result)
    there = [(name, table[name]) for table in tables.values() for name in columns.keys() & table.keys()]
    rows = [name for name, values in there if set(np.round(values, 6)) <= set(np.round(columns[name], 1))]
    assert rows  # each number equals one in the file
