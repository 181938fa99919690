"""Tables in TOML files: what a row may be, and the refusal of each that is not, by its place."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import pytest
from helpers.naming import naming

from explorer.checks import Refusal
from explorer.files.toml_rows import read_rows


class Card(NamedTuple):
    name: str
    n: int
    words: tuple[str, ...] = ()
    number: int | None = None
    open: bool = False


@dataclass(frozen=True)
class Short:
    name: str


class Box(NamedTuple):
    name: str
    cards: tuple[Card, ...]


@pytest.fixture
def table(tmp_path):
    def write(text, kind=Card):
        path = tmp_path / "cards.toml"
        path.write_text(text, "utf-8")
        return read_rows(path, kind)

    return write


def test_rows_are_values_by_their_first_field_in_the_order_of_the_file(table):
    first = '[[card]]\nname = "µ"\nn = 3\nwords = ["a", "b"]\nopen = true\n'
    rows = table(f'{first}[[card]]\nname = "a"\nn = 1\nnumber = 7')
    assert list(rows.items()) == [("µ", Card("µ", 3, ("a", "b"), open=True)), ("a", Card("a", 1, number=7))]
    assert table('[[card]]\nname = "a"', Short) == {"a": Short("a")}


def test_a_row_may_have_rows_of_another_class(table):
    found = table('[[box]]\nname = "b"\ncards = [{name = "a", n = 1}, {name = "a", n = 2, words = ["c"]}]', Box)
    assert found == {"b": Box("b", (Card("a", 1), Card("a", 2, ("c",))))}
    for text, facts in (
        ('cards = [{name = "a", n = 1}, {name = "a"}]', ("row 1", "cards 2", "n")),
        ('cards = [{name = "a", n = 1, size = 2}]', ("row 1", "cards 1", "size")),
        ("cards = [1]", ("row 1", "cards 1", "Card")),
    ):
        with pytest.raises(Refusal, match=naming(*facts)):
            table(f'[[box]]\nname = "b"\n{text}', Box)


@pytest.mark.parametrize(
    ("text", "facts"),
    [
        ("[[card]", ("cards.toml", "TOML")),
        ("", ("cards.toml", "none")),
        ("a = 1", ("cards.toml", "a")),
        ("a = [1]", ("cards.toml", "a")),
        ('[[card]]\nname = "a"\nn = 1\n[[row]]\nname = "b"', ("card", "row")),
        ('[[card]]\nname = "a"\nn = 1\nsize = 2', ("row 1", "size", "words")),
        ('[[card]]\nname = "a"', ("row 1", "n")),
        ('[[card]]\nname = "a"\nn = 1\n[[card]]\nname = "b"\nn = "1"', ("row 2", "n", "int")),
        ('[[card]]\nname = "a"\nn = true', ("row 1", "n", "True")),
        ('[[card]]\nname = "a"\nn = 1\nwords = "b"', ("row 1", "words", "array")),
        ('[[card]]\nname = "a"\nn = 1\nwords = [1]', ("row 1", "words", "str")),
        ('[[card]]\nname = "a"\nn = 1\n[[card]]\nname = "a"\nn = 2', ("row 2", "a")),
    ],
)
def test_a_table_that_is_not_right_is_refused_by_its_place(table, text, facts):
    with pytest.raises(Refusal, match=naming(*facts)):
        table(text)
