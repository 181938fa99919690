"""A model is a value: its signature, its bounds in words, its key."""

import inspect
import math
import pickle

import numpy as np
import param
import pytest
from helpers.naming import names_all, naming
from kernels_and_estimators import PUBLIC

from explorer.model import Model, code
from explorer.parameters import Array, LogNumber, Real, RequiredReal, Whole


class Base(Model):
    first = Real(0.0, bounds=(-3, 3), symbol="f", unit="m", doc="the first")


class Toy(Base):
    scale = LogNumber(None, bounds=(0, None), inclusive_bounds=(False, True), softbounds=(0.1, 10), allow_None=True)
    count = Whole(2, bounds=(1, 9))
    top = Real(1.0, infinite=True)
    kind = param.Selector(default="a", objects=["a", "b"])
    data = Array(None, required=False)


class Needy(Model):
    data = Array(doc="has no default")
    factor = Real(1.0)


class Asking(Model):
    order = RequiredReal(bounds=(0.1, None), symbol="ν", doc="has no default")
    factor = Real(1.0)


class Preset(Model):
    data = Array([1, 2], required=False)


class Lab(Model):
    editable = True
    lam = LogNumber(0.1, bounds=(0, None))


class Ordered(Model):
    low, high = Real(0.0), Real(1.0)

    def _check(self):
        if self.low > self.high:
            raise ValueError("low must not be above high.")


def test_the_signature_is_the_declared_order_base_first():
    assert str(inspect.signature(Toy)) == "(first=0.0, scale=None, count=2, top=1.0, kind='a', data=None)"
    assert str(inspect.signature(Needy)) == "(data, factor=1.0)"


def test_the_docstring_has_no_second_table_of_parameters_in_a_notebook(monkeypatch):
    """In IPython param appends a table to the docstring of each class."""
    monkeypatch.setattr(param.parameterized, "param_pager", lambda cls: "a table of the parameters", raising=False)

    class Sized(Model):
        """A size.

        Notes
        -----
        It has no unit.
        """

        size: float = Real(default=1.0, doc="the size")

    assert Sized.__doc__ == "A size.\n\nNotes\n-----\nIt has no unit."

    class Undescribed(Model):
        size: float = Real(default=1.0, doc="the size")

    assert Undescribed.__doc__ is None


def test_positional_and_keyword_say_the_same():
    assert Toy(1.5, 2.0, 3) == Toy(count=3, first=1.5, scale=2.0)
    assert Toy(1.5).values() == {"first": 1.5, "scale": None, "count": 2, "top": 1.0, "kind": "a", "data": None}


@pytest.mark.parametrize(
    ("arguments", "fields", "said"),
    [
        ((1, 2, 3, 4, "a", None, 5), {}, "Toy first scale count top kind"),
        ((), {"nme": 1}, "Toy 'nme' first scale"),
        ((1,), {"first": 1}, "Toy 'first'"),
        ((), {"name": "x"}, "Toy 'name'"),
    ],
)
def test_a_wrong_call_is_told_the_right_names(arguments, fields, said):
    with pytest.raises(TypeError, match=naming(*said.split())):
        Toy(*arguments, **fields)


def test_a_required_array_is_required():
    with pytest.raises(TypeError, match=naming("Needy", "'data'")):
        Needy()
    with pytest.raises(TypeError, match=naming("Needy.data", "None")):
        Needy(None)


def test_a_given_number_is_required():
    assert str(inspect.signature(Asking)) == "(order, factor=1.0)"
    assert Asking(3).replace(factor=2.0) == Asking(3.0, 2.0)
    assert repr(Asking(3)) == "Asking(order=3.0)"
    with pytest.raises(TypeError, match=naming("Asking", "'order'")):
        Asking()
    with pytest.raises(TypeError, match=naming("Asking.order", "0.1", "None")):
        Asking(None)
    with pytest.raises(ValueError, match=naming("Asking.order", "0.1", "0.0")):
        Asking(0)


@pytest.mark.parametrize(
    ("field", "bad", "error", "said"),
    [
        ("first", True, TypeError, "Base.first -3 3 True"),
        ("first", np.True_, TypeError, "Base.first True"),
        ("first", "1", TypeError, "Base.first '1'"),
        ("first", None, TypeError, "Base.first None"),
        ("first", 3.1, ValueError, "Base.first 3 3.1"),
        ("first", -3.1, ValueError, "Base.first -3 3 -3.1"),
        ("first", math.nan, ValueError, "Base.first nan"),
        ("first", math.inf, ValueError, "Base.first inf"),
        ("scale", 0.0, ValueError, "Toy.scale 0 None 0.0"),
        ("scale", math.inf, ValueError, "Toy.scale inf"),
        ("scale", 1j, TypeError, "Toy.scale 1j"),
        ("count", 2.0, TypeError, "Toy.count 1 9 2.0"),
        ("count", True, TypeError, "Toy.count True"),
        ("count", 10, ValueError, "Toy.count 10"),
        ("top", math.nan, ValueError, "Toy.top nan"),
        ("kind", "c", ValueError, "Toy.kind 'c' a b"),
        ("data", [1.0, math.nan], ValueError, "data 1 NaN (1,)"),
        ("data", ["a"], TypeError, "data"),
    ],
)
def test_a_bad_value_is_refused_in_words(field, bad, error, said):
    with pytest.raises(error, match=naming(*said.split())):
        Toy(**{field: bad})
    with pytest.raises(error, match=naming(*said.split())):
        Toy().replace(**{field: bad})


def test_a_number_beyond_floats_is_refused_in_words():
    with pytest.raises(ValueError, match="first"):
        Toy(10**400)


def test_a_whole_number_beyond_floats_is_refused_in_words():
    class Bounded(Model):
        count = Whole(1, bounds=(0, 10**15))

    with pytest.raises(ValueError, match=naming("Bounded.count", 1000000000000000)):
        Bounded(10**400)


def test_numbers_have_one_python_type_whoever_set_them():
    for value in (2, 2.0, np.float64(2), np.int32(2), np.float32(2)):
        assert type(Toy(value).first) is float
        assert repr(Toy(value)) == "Toy(first=2.0)"
    assert type(Toy(count=np.int64(3)).count) is int
    assert Toy(top=-math.inf).top == -math.inf


@pytest.mark.parametrize("field", ["first", "scale", "count", "top", "kind", "data"])
def test_a_model_does_not_change(field):
    toy = Toy()
    before = toy.key
    with pytest.raises(TypeError, match=naming("Toy", f"model.replace({field}")):
        setattr(toy, field, 1)
    with pytest.raises(TypeError, match=naming("Toy")):
        toy.param.update(**{field: 1})
    assert toy.key == before


def test_replace_changes_a_copy():
    toy = Toy(1.0)
    assert toy.replace(count=5) == Toy(1.0, count=5)
    assert toy == Toy(1.0)
    with pytest.raises(TypeError, match=naming("'cuont'")):
        toy.replace(cuont=5)


def test_what_one_field_cannot_know_is_checked_whenever_a_model_is_built():
    with pytest.raises(ValueError, match=naming("low", "high")):
        Ordered(2.0)
    with pytest.raises(ValueError, match=naming("low", "high")):
        Ordered().replace(high=-1.0)


SOME = [
    Toy(),
    Toy(-1.0),
    Toy(-2.0),
    Toy(0.1 + 0.2, 1e-300, 9, math.inf, "b", [[1 / 3, 2.0]]),
    Toy(data=[1.0]),
    Toy(data=[[1.0]]),
    Toy(data=1.0),
    Toy(data=np.zeros((0, 2))),
    Base(),
    Needy([1, 2]),
    Needy([1, 2], -1.0),
    Preset(),
    Preset([3]),
]


@pytest.mark.parametrize("model", SOME, ids=type)
def test_pickle_keeps_a_model(model):
    again = pickle.loads(pickle.dumps(model))
    assert again == model
    assert hash(again) == hash(model)


@pytest.mark.parametrize("model", [m for m in SOME if np.size(getattr(m, "data", 1))], ids=type)
def test_the_printed_code_rebuilds_a_model(model):
    assert eval(code(model)) == model
    assert str(model) == repr(model)


def test_models_are_equal_where_their_keys_are():
    assert len({m.key for m in SOME}) == len(SOME) == len(set(SOME))
    for model in SOME:
        assert [m for m in SOME if m == model] == [model]
    assert Toy() != 1
    assert Toy() != Base()


def test_a_hash_that_collides_is_no_equality():
    assert hash(-1.0) == hash(-2.0)
    one, two = Toy(-1.0), Toy(-2.0)
    assert one != two
    assert one.key != two.key
    assert {one: "one", two: "two"}[Toy(-2.0)] == "two"


def plain(value):
    """Return whether a value consists of immutable values at all levels."""
    if isinstance(value, tuple):
        return all(map(plain, value))
    return isinstance(value, (str, int, float, bytes, type(None)))


@pytest.mark.parametrize("model", SOME, ids=type)
def test_a_key_holds_no_live_object(model):
    assert plain(model.key)
    assert hash(model.key) == hash(model.replace().key)


def test_arrays_are_read_only_float64_copies():
    given = np.array([[1, 2], [3, 4]], order="F")
    model = Needy(given)
    given[:] = 0
    np.testing.assert_array_equal(model.data, [[1.0, 2.0], [3.0, 4.0]])
    assert model.data.dtype == np.float64
    assert model.data.flags.c_contiguous
    for array in (model.data, pickle.loads(pickle.dumps(model)).data, model.replace(factor=2.0).data):
        with pytest.raises(ValueError, match="read-only"):
            array[0, 0] = 9.0


def test_a_default_array_is_as_read_only_as_a_given_one():
    array = Preset().data
    assert array.dtype == np.float64
    assert not array.flags.writeable
    assert Preset() == Preset([1, 2])


def test_equal_arrays_of_different_layout_are_equal_models():
    data = np.arange(6.0).reshape(2, 3)
    assert Needy(data) == Needy(np.asfortranarray(data)) == Needy(data.astype(np.int32)) == Needy(data.tolist())
    assert Needy(data) != Needy(data.T)
    assert Needy(data) != Needy(data.ravel())


def test_a_lab_changes_within_its_bounds_and_is_no_key():
    lab = Lab()
    before = lab.key
    lab.lam = 0.5
    assert lab.key != before
    assert lab == Lab(0.5)
    with pytest.raises(ValueError, match=naming("Lab.lam", "0", "-1.0")):
        lab.lam = -1.0
    assert lab.lam == 0.5
    with pytest.raises(TypeError, match=naming("Lab", ".key")):
        hash(lab)


def test_labels_stand_on_the_parameter():
    field = Toy.param["first"]
    assert (field.symbol, field.unit, field.doc) == ("f", "m", "the first")
    assert names_all(field.limits(), "number", "at least -3", "at most 3")
    assert names_all(Toy.param["scale"].limits(), "number", "above 0", "None")
    assert names_all(Toy.param["count"].limits(), "whole number", "at least 1", "at most 9")


def test_a_name_is_no_part_of_a_model():
    assert "name" not in Toy.fields
    assert "name" not in repr(Toy())


def test_fields_are_constant_where_a_model_does_not_change():
    """Panel and other readers of a model's fields get `constant` from param. Copies of editable models are editable."""

    class Draft(Toy):
        editable = True

    assert all(field.constant for cls in (Base, Toy, Needy, Preset) for field in cls.fields.values())
    assert not any(field.constant for cls in (Lab, Draft) for field in cls.fields.values())
    draft = Draft(count=3)
    draft.count = 4
    assert draft.count == 4
    assert Toy.fields["count"].constant


def test_a_check_may_write_a_field_and_nobody_later():
    class Rounded(Model):
        value = Real(0.0)

        def _check(self):
            self.value = round(self.value)

    model = Rounded(1.7)
    assert model.value == 2.0
    with pytest.raises(TypeError, match=naming("Rounded", "change")):
        model.value = 3.0
    assert model.replace(value=2.6).value == 3.0


def test_every_model_of_the_library_says_whether_it_changes():

    classes = [each for each in PUBLIC.values() if isinstance(each, type) and issubclass(each, Model)]
    assert len(classes) > 40
    assert all(field.constant for cls in classes for field in cls.fields.values())


@pytest.mark.parametrize("model", [Toy(), Lab()], ids=repr)
def test_an_attribute_that_is_no_field_is_refused_as_a_keyword_is(model):
    cls = type(model)
    near = "scale" if cls is Toy else "lam"
    with pytest.raises(TypeError) as built:
        cls(**{f"{near}x": 1})
    with pytest.raises(TypeError) as set_later:
        setattr(model, f"{near}x", 1)
    assert str(set_later.value) == str(built.value).replace("keyword argument", "attribute")
    assert f"did you mean {near}? It takes " in str(built.value)
    assert not hasattr(model, f"{near}x")


def test_an_attribute_of_the_code_s_own_may_be_set():
    model = Toy()
    model._cache, model.learnt_ = 1, 2
    assert (model._cache, model.learnt_) == (1, 2)
