"""How values are written: in full by `code`, in brief by `repr` and in refusals."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pytest
from kernels_and_estimators import PUBLIC

import explorer
from explorer import KME, SKMSE, Embedding, Gaussian, GaussianMixture, Precomputed
from explorer.model import code
from explorer.printing import ARRAY, ECHO, WHOLE, echo, join_list, model_text, printed, short_repr, truncate

RNG = np.random.default_rng(0)
FRONT = PUBLIC | {"array": np.array}
SMALL = [
    Gaussian(2.0),
    SKMSE(Gaussian(), 0.1),
    Precomputed(np.eye(2)),
    Embedding(Gaussian(1.0), [[0.0], [1.0]], [0.5, 0.5]),
]
SMALL += [SMALL[-1] + Embedding(Gaussian(1.0), [[2.0]], [1.0], 0.5)]
BIG = [
    Precomputed(np.eye(500)),
    KME(Precomputed(np.eye(50))),
    GaussianMixture.random(30, rng=0),
    Embedding(Gaussian(1.0), RNG.normal(size=(300, 5)), np.full(300, 1 / 300)),
    SKMSE(target=Embedding(Gaussian(1.0), RNG.normal(size=(300, 5)), np.full(300, 1 / 300))),
    Embedding(Gaussian(1.0), RNG.normal(size=(40, 2)), np.ones(40), np.array([np.eye(2) * (1 + i) for i in range(40)])),
]


@pytest.mark.parametrize("value", SMALL, ids=lambda value: type(value).__name__)
def test_a_short_repr_is_the_code(value):
    assert repr(value) == code(value)
    assert eval(repr(value), FRONT.copy()) == value


@pytest.mark.parametrize("value", BIG, ids=lambda value: type(value).__name__)
def test_a_long_repr_is_abbreviated_and_no_code(value):
    assert len(repr(value)) <= WHOLE < len(code(value))
    with pytest.raises(SyntaxError):
        eval(repr(value), FRONT.copy())
    assert eval(code(value), FRONT.copy()) == value


def test_abbreviations_say_the_kind_and_the_size():
    assert repr(Precomputed(np.eye(500))) == "Precomputed(gram=<500 x 500 numbers>)"
    assert repr(KME(Precomputed(np.eye(50)))) == "KME(kernel=Precomputed(gram=<50 x 50 numbers>))"
    assert repr(BIG[-1]) == "Embedding(kernel=Gaussian(bandwidth=1.0), blocks=<40 of 40 points in 2 dimensions>)"
    assert echo(np.array(["word"] * 500)) == "<500 strings>"
    assert echo(list(range(1000))) == "<list of 1000 entries>"
    assert echo(10**5000) == f"<a whole number of {(10**5000).bit_length()} bits>"
    assert echo("x" * 1000).endswith("... <1000 characters>")


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        3,
        1.5,
        float("nan"),
        "word",
        "it's",
        [1, 2],
        (1,),
        (),
        [],
        {},
        set(),
        {1},
        {"a": [1]},
        b"x",
        1j,
        [[1, [2]], ["a"]],
    ],
    ids=repr,
)
def test_short_values_are_shown_as_python_writes_them(value):
    assert echo(value) == repr(value)


class Rude:
    def __repr__(self):
        return "rude\n" * 5000


@dataclass
class Held:
    values: np.ndarray
    law: GaussianMixture


class Pair(NamedTuple):
    values: np.ndarray
    name: str


LOOP = []
LOOP.append(LOOP)


@pytest.mark.parametrize(
    "value",
    [
        *BIG,
        *SMALL,
        Rude(),
        [Rude()] * 3,
        {"a": Rude()},
        "\n" * 400,
        "\x00" * 100,
        LOOP,
        Pair(np.zeros(99), "n" * 999),
        range(10**9),
        Held(np.zeros(500), BIG[2]),
        np.array([Rude()], dtype=object),
        np.zeros((0, 3)),
        np.float64(1.5),
        10**30,
        [10**5000],
    ],
    ids=lambda value: type(value).__name__,
)
@pytest.mark.parametrize("most", [ARRAY, ECHO, 60])
def test_nothing_is_longer_than_asked(value, most):
    assert len(short_repr(value, most)) <= most
    assert "\n" not in short_repr(value, most)


def test_code_rebuilds_what_holds_models_and_arrays():
    """A sweep's store and seeds know a value by it: two that differ are written differently, however large."""
    space = FRONT | {"Held": Held}
    one, other = (GaussianMixture.random(30, rng=seed) for seed in (0, 1))
    assert repr(one) == repr(other)
    assert code(one) != code(other)
    for value in ([one, (other,)], {"law": one, "at": float("inf")}, (1, [Gaussian(2.0)])):
        assert eval(code(value), space | {"inf": float("inf")}) == value
    again = eval(code(Held(np.arange(5000.0), one)), space)
    assert again.law == one
    np.testing.assert_array_equal(again.values, np.arange(5000.0))


def test_printed_keeps_what_a_class_has_of_its_own():
    @printed
    @dataclass(frozen=True)
    class Result:
        values: np.ndarray

        def __str__(self):
            return "A sentence <b>."

    assert repr(Result(np.zeros(900))) == "Result(values=<900 numbers>)"
    assert "A sentence &lt;b&gt;." in Result(np.zeros(900))._repr_html_()


def test_a_list_in_a_sentence_ends_with_how_many_more():
    assert join_list(["a", "b"]) == "a, b"
    assert join_list([]) == ""
    said = join_list([f"name {i}" for i in range(500)])
    assert len(said) <= 320
    assert said.endswith(" more")
    shown_names = said.count("name")
    assert f"and {500 - shown_names} more" in said
    assert truncate("a\n b  c") == "a b c"


def test_a_model_in_a_sentence_has_four_digits():
    assert model_text(SKMSE(Gaussian(1.23456789), 1 / 3)).endswith("lam=0.3333)")
    assert len(model_text(BIG[4])) <= 60


def test_a_data_set_is_named_in_a_refusal_and_written_in_full_in_code():
    wine = explorer.load("wine")
    assert echo(wine) == repr(wine) == "<DataSet wine: 178 rows, 13 columns>"
    again = eval(code(wine), FRONT | {"DataSet": type(wine)})
    np.testing.assert_array_equal(again.X, wine.X)
    assert again.names == wine.names


def test_code_of_a_pair_with_names_rebuilds_it():
    again = eval(code(Pair(np.arange(2000.0), "n" * 999)), {"Pair": Pair})
    np.testing.assert_array_equal(again.values, np.arange(2000.0))
