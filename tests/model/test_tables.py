"""Tables of a notebook cell."""

import xml.etree.ElementTree as ET

from explorer.tables.html_tables import COLUMNS, ROWS, table


def test_a_table_is_escaped_and_says_what_it_leaves_out():
    rows = [[f"<{i}>", float("inf"), "\x00"] + [i] * 20 for i in range(30)]
    drawn = table([f"c{j} & more" for j in range(23)], rows)
    root = ET.fromstring("<div>" + str(drawn) + "</div>")
    assert len(list(root.iter("tr"))) == 1 + ROWS
    assert root.find("p").text == f"and {30 - ROWS} more rows and {23 - COLUMNS} more columns"
    assert next(root.iter("td")).text == "<0>"
