"""Scaled numbers in their file's own units, with the name and unit of their column."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from explorer import load, read_table, read_tables
from explorer.datasets import DataSet
from explorer.datasets.columns.quantity import Quantity, coordinates, in_file_units
from explorer.marks.axes import file_unit_ticks

TABLE = "weight;when;kind;height (cm)\n" + "".join(
    f"{60 + i % 7},{i % 10} kg;2024-0{1 + i % 9}-11;{'ab'[i % 2]};{150 + i * i % 40}\n" for i in range(40)
)
FINITE = st.floats(-1e9, 1e9, allow_subnormal=False)


def columns(text):
    """Return the numbers of the table unchanged, without their unit."""
    rows = [line.split(";") for line in text.splitlines()[1:]]
    weight = [float(row[0].removesuffix(" kg").replace(",", ".")) for row in rows]
    return np.column_stack([weight, [float(row[3]) for row in rows]])


@pytest.mark.parametrize("standardise", [False, True])
def test_a_standardised_table_gives_back_the_numbers_that_were_written(standardise):
    data = read_table(TABLE.encode(), standardise=standardise, lenient=True)
    own = in_file_units(data.quantities, data.X)
    assert list(own) == ["weight", "height (cm)"]
    assert np.array_equal(np.column_stack(list(own.values())), columns(TABLE))
    assert [each.label for each in data.quantities] == ["weight (kg)", "height (cm)"]
    assert [each.is_scaled for each in data.quantities] == [standardise] * 2


def test_tables_in_common_scales_do_and_levels_have_none():
    tables = read_tables([TABLE.encode(), TABLE.replace(";150", ";190").encode()], lenient=True)
    for table, text in zip(tables.indicators(), (TABLE, TABLE.replace(";150", ";190")), strict=True):
        own = in_file_units(table.quantities, table.X)
        assert np.array_equal(np.column_stack([own["weight"], own["height (cm)"]]), columns(text))
        assert set(own["kind=a"]) == {0.0, 1.0}
    with pytest.raises(KeyError):
        tables[0].quantities_of(["kind=a"])


def test_a_column_of_dates_is_told_in_dates():
    data = read_table(TABLE.encode(), ["when"], standardise=True, lenient=True)
    (when,) = data.quantities
    assert when.dates
    assert [when.format(x) for x in data.X[:3, 0]] == ["2024-01-11", "2024-02-11", "2024-03-11"]


def test_a_set_of_ours_has_its_own_units_and_one_scaled_twice_keeps_them():
    plain, twice = load("wine"), load("wine").standardised().standardised()
    assert not any(each.is_scaled for each in plain.quantities)
    own = np.column_stack(list(in_file_units(twice.quantities, twice.X).values()))
    assert own == pytest.approx(plain.X, rel=1e-12)  # two roundings of a value of at most 1e4
    assert twice.quantities_of(["alcohol"])[0].name == "alcohol"


def test_degrees_celsius_of_a_file_in_fahrenheit():
    """Water freezes at 32 and boils at 212 °F; -40 is the same in both."""
    fahrenheit = Quantity("temperature", "°F", 32.0, 1.8)
    assert fahrenheit.from_file_units([32, 212, -40]).tolist() == [0, 100, -40]
    assert fahrenheit.to_file_units([0, 100, -40]).tolist() == [32, 212, -40]
    assert fahrenheit.over(100, 50).from_file_units([212, 302]).tolist() == [0, 1]  # 100 °C and 150 °C


@given(arrays(float, (7, 2), elements=FINITE))
def test_scaled_and_back(X):
    data = DataSet("t", X, ("a", "b")).standardised()
    for j, quantity in enumerate(data.quantities):
        largest = np.abs(X[:, j]).max()
        assert quantity.to_file_units(data.X[:, j]) == pytest.approx(X[:, j], abs=1e-13 * largest)  # fourteen digits
        assert quantity.from_file_units(quantity.to_file_units([0.5])) == pytest.approx(
            [0.5], abs=1e-9 + 1e-12 * largest / quantity.size
        )


@pytest.mark.parametrize("column", [[1.7e18, 1.7e18 + 1024], [0.0, 5e-324], [-1.7e308, 1.7e308], [3.0, 3.0]])
def test_columns_at_the_ends_of_the_floats_have_finite_quantities_and_no_axis_fails(column):
    data = DataSet("t", np.transpose([column]), ("a",)).standardised()
    (quantity,) = data.quantities
    assert np.isfinite(quantity.to_file_units(data.X)).all()
    assert quantity.size > 0
    assert quantity.format(data.X[0, 0])
    assert all(np.isfinite(place) for place in file_unit_ticks(-1.0, 1.0, quantity))


def test_said_to_a_hundredth_of_the_spread():
    assert Quantity("year", centre=2000, size=12.0).format(1.6251) == "2019.5"
    assert Quantity("mass", "g", 4000, 700.0).format(0.0012) == "4001"
    assert Quantity("share", centre=0.5, size=0.01).format(1.0) == "0.51"
    assert [each.name for each in coordinates(2)] == ["coordinate 1", "coordinate 2"]
