"""Files of several tables on the pages: a menu of their sheets, and the table read after a choice."""

import asyncio
import io

import numpy as np
import pandas as pd
import pytest

from explorer import compare, read_table
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.datasets.read_table import parse
from explorer.pages import page_class
from explorer.pages.report.page import ReportPage

pytestmark = [pytest.mark.usefixtures("at_once"), pytest.mark.thorough]  # other pages do not test workbooks


@pytest.fixture(scope="module")
def book():
    """Return a workbook of two sheets, one for each month."""
    made = io.BytesIO()
    with pd.ExcelWriter(made, engine="openpyxl") as writer:
        for k, name in enumerate(("june", "july")):
            rng = np.random.default_rng(k)
            frame = pd.DataFrame({"x": rng.normal(3 * k, 1, 40).round(2), "y": rng.normal(0, 1, 40).round(2)})
            frame.to_excel(writer, sheet_name=name, index=False)
    return made.getvalue()


def test_the_report_compares_two_sheets_of_a_workbook(book, tmp_path):
    page = ReportPage()
    zones = page.zones
    for k, sheet in enumerate(("june", "july")):
        asyncio.run(zones.take(k, ParsedFile("book.xlsx", book)))
        menu = zones.intakes[k].parts
        assert menu.visible
        assert list(menu.options.values())[1:] == ["june", "july"]
        assert menu.value not in ("june", "july")
        assert zones.files[k] is None
        assert zones.troubles[k].visible
        menu.value = sheet
        assert zones.files[k].name == f"book.xlsx#{sheet}"
        assert not zones.troubles[k].visible
        assert menu.visible  # another sheet may be chosen
    (tmp_path / "book.xlsx").write_bytes(book)
    first, second = (parse(file, lenient=True) for file in zones.files)
    expected = compare(*(f"{tmp_path / 'book.xlsx'}#{name}" for name in ("june", "july")), n_resamples=99, rng=0)
    assert compare(first, second, n_resamples=99, rng=0).to_frame().equals(expected.to_frame())
    zones.intakes[0].parts.value = "july"
    assert zones.files[0].name == "book.xlsx#july"
    asyncio.run(zones.take(0, ParsedFile("a.csv", b"x,y\n1,2\n3,4\n")))
    assert zones.files[0].name == "a.csv"


def test_a_lab_takes_a_sheet_and_its_python_reads_it_again(book, tmp_path):
    page = page_class("shrinkage")()
    own = page.user_data
    asyncio.run(own.receive(ParsedFile("book.xlsx", book)))
    assert own.preview is None
    assert own.intake.parts.visible
    own.intake.parts.value = "july"
    assert own.preview.name == "book.xlsx#july"
    asyncio.run(own.press())
    (tmp_path / "book.xlsx").write_bytes(book)
    expected = read_table(f"{tmp_path / 'book.xlsx'}#july", standardise=True)
    assert page.lab.hash == expected.hash
    assert page.lab.file == "book.xlsx#july"
    np.testing.assert_array_equal(page.lab.own.X, expected.X)
