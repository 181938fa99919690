"""A state of a lab as one file: its content, that it is self-contained, and states that have none."""

import json
import re
from functools import cache
from html.parser import HTMLParser

import numpy as np
import pytest
from every_lab import ROWS, lab_of
from helpers.lab_pictures import view_of
from helpers.naming import naming
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import escape

from explorer.checks import Refusal
from explorer.exports.lab_state import exportable
from explorer.exports.paper import foot
from explorer.exports.state_pages import one_file, pack
from explorer.public_names.help_text import LICENCE, VERSION
from explorer.views import rows
from explorer.workbench import registry
from explorer.workbench.content import content_of
from explorer.workbench.links import address
from explorer.workbench.prose import still

LARGEST = 6e6  # bytes of a file, small enough for e-mail
ADDRESS = re.compile(r"(?:https?:)?//", re.IGNORECASE)
FETCHING = {"src", "srcset", "href", "data", "action", "poster", "background", "cite", "formaction"}
EACH = pytest.mark.parametrize("name", exportable())


class Reader(HTMLParser):
    """Reader of a page: the addresses that it would fetch, its style sheets, its scripts and the text of its body."""

    def __init__(self, page):
        super().__init__()
        self.fetched, self.sheets, self.data, self.text, self.tags, self._within = [], "", {}, "", [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append((tag, given))
        self.fetched += [value for key, value in attributes if key in FETCHING and value]
        self._within = [tag, given.get("id")]

    def handle_endtag(self, tag):
        self._within = []

    def handle_data(self, data):
        tag, name = self._within or (None, None)
        if tag == "style":
            self.sheets += data
        elif tag == "script":
            self.data[name] = data
        else:
            self.text += data


def texts_of(read):
    """Return the texts of a file at each row."""
    held = json.loads(read.data["texts"])
    rows = range(len(held["said"]))
    html = [{name: unpacked(each, row) for name, each in held["html"].items()} for row in rows]
    return [{"said": held["said"][row], "html": html[row]} for row in rows]


def unpacked(held, row):
    """Return one row of packed texts, as exported.js reads it."""
    pattern = held["at"][row]
    place = held["at"][:row].count(pattern)
    return "".join(part if isinstance(part, str) else part[place] for part in held["patterns"][pattern])


@given(st.lists(st.text("ab <>\n1", max_size=12), min_size=1, max_size=6))
def test_packed_texts_are_the_texts(texts):
    held = json.loads(json.dumps(pack(texts)))
    assert [unpacked(held, row) for row in range(len(texts))] == texts


def test_what_rows_have_alike_is_held_once():
    texts = [f"<p>At λ = {row} it is <b>{row**2}</b> of 10</p>" for row in range(50)]
    assert len(json.dumps(pack(texts), ensure_ascii=False)) < 0.5 * len(json.dumps(texts, ensure_ascii=False))


@cache
def first(name):
    """Return (result, page, its Reader) of a lab's first preset."""
    preset = content_of(name).presets[0]
    lab = registry.entry(name).lab(**preset.fields)
    page = str(one_file(lab, preset.name))
    return lab.result(wait=True), page, Reader(page)


@pytest.mark.few(3)
@pytest.mark.thorough(default=["shrinkage", "conditional"])
@EACH
def test_a_file_is_small_and_fetches_nothing(name):
    _, page, read = first(name)
    assert len(page.encode()) < LARGEST
    assert read.fetched == ["data:,"]  # no icon
    assert not re.search(r"url\(|@import", read.sheets)
    (policy,) = [given["content"] for tag, given in read.tags if "http-equiv" in given]
    assert policy.startswith("default-src 'none'")
    assert not ADDRESS.search(policy)


@pytest.mark.thorough(default=["shrinkage", "conditional"])
@EACH
def test_it_says_what_the_page_says_at_every_stop(name):
    result, page, read = first(name)
    words, script = registry.role(name, "words"), registry.role(name, "script")
    every = texts_of(read)
    assert len(every) >= len(result.stops) > 1
    assert [each["html"]["headline"] for each in every] == [words.headline(result, row) for row in range(len(every))]
    assert len({each["html"]["value"] for each in every[: len(result.stops)]}) == len(result.stops)
    for value, each in zip((*result.stops, None), every, strict=False):
        state = result.at(value)
        assert each["html"]["caption"] == still(words.caption(state))
        assert each["html"]["python"] == escape(script.python(state))
        assert each["html"]["link"] == escape(address(name, state.lab))
        assert "still being computed" not in each["html"]["twin"]
    for each in (words.headline(result, result.row), still(words.caption(result)), foot(result.lab)):
        assert each in page
    assert script.python(result) in read.text
    assert address(name, result.lab) in read.text
    assert f"Explorer {VERSION} · {LICENCE}" in read.text


@pytest.mark.thorough(default=["shrinkage", "conditional"])
@EACH
def test_no_control_is_dead(name):
    result, _, read = first(name)
    (slider,) = [given for tag, given in read.tags if tag == "input"]
    assert slider["max"] == str(len(result.stops) - 1)
    assert slider["aria-label"]
    every = texts_of(read)
    assert slider["aria-valuetext"] == every[result.row]["said"]
    buttons = [given["id"] for tag, given in read.tags if tag == "button"]
    assert buttons in (["play"], ["auto", "play"])
    assert ("auto" in buttons) == (len(every) > len(result.stops))
    assert not any(tag in ("select", "textarea", "form", "a") for tag, _ in read.tags)
    assert "drag" not in read.text.split("The Python")[0].lower()


@pytest.mark.thorough(default=["shrinkage", "monk"])
@pytest.mark.parametrize("name", [name for name in ROWS if name != "sweep"])
def test_every_picture_has_a_name_for_paper(name):
    """No label tells the user to drag, click or point."""
    result = lab_of(name).result()
    for each in view_of(result).pictures.values():
        # a hidden picture whose title depends on the result has no title yet
        assert each.called != each.name or (callable(each.of.title) and not each.is_visible(result))
        assert not re.search("drag|click|point at", each.called.lower()), each.called


def test_the_packed_table_is_the_view_s():
    """Each row that a browser slices out of the flat table equals the view's, to the accuracy of a pixel."""
    result = lab_of("shrinkage").result()
    tables = view_of(result).tables(result)
    packed = rows.packed(tables)
    for (key, table), start, length in zip(tables.items(), packed.starts, packed.lengths, strict=True):
        assert length in (0, table.shape[1]), key
        for row in (0, result.row) if length else ():
            held = packed.flat[start + row * length :][:length]
            assert np.array_equal(held, table[row].astype(np.float32), equal_nan=True), key


def test_a_typed_value_has_a_stop_of_its_own_in_the_file():
    lab = lab_of("shrinkage", lam=0.0123)
    result, read = lab.result(), Reader(str(one_file(lab)))
    every, words = texts_of(read), registry.role("shrinkage", "words")
    assert [each["html"]["value"] for each in every[: len(result.stops)]].count("0.0123") == 1
    assert [each["html"]["headline"] for each in every] == [words.headline(result, row) for row in range(len(every))]


def test_the_thumb_waits_below_what_was_chosen():
    result, _, read = first("shrinkage")
    (slider,) = [given for tag, given in read.tags if tag == "input"]
    chosen, lams = result.simple.chosen, np.array(result.stops)
    assert int(slider["value"]) == np.abs(np.log(lams / chosen)).argmin()


@pytest.mark.parametrize(
    ("name", "fields", "parts"),
    [
        ("dna", {}, ("DNA", "slider")),
        ("dna", {}, ("shrinkage", "twosample")),
        ("monk", {"method": "bcd", "n": 20, "blocks": 5}, ("Q", "server")),
        ("conditional", {"picture": "bayes", "n": 20}, ("λ", "server")),
    ],
)
@pytest.mark.thorough
def test_a_state_whose_slider_needs_a_server_is_refused(name, fields, parts):
    with pytest.raises(Refusal, match=naming(*parts)):
        one_file(lab_of(name, **fields))


def test_a_choice_that_no_table_has_is_shown_until_the_slider_moves():
    """The Independence lab computes it for the current state only."""
    result = lab_of("independence", n=20, permutations="199", sigma=None).result(wait=True)
    page = one_file(lab_of("independence", n=20, permutations="199", sigma=None))
    read = Reader(page)
    assert registry.role("independence", "words").headline(result, result.row) in page
    assert len(texts_of(read)) == len(result.stops)
    assert "<span id='value'>auto</span>" in page
    assert [given["id"] for tag, given in read.tags if tag == "button"] == ["play"]


@pytest.mark.thorough
def test_a_picture_that_needs_a_server_is_left_out():
    fields = {"n": 12, "d": 2}
    kept, left = (one_file(lab_of("marginalized", picture=each, **fields)) for each in ("filter", "dice"))
    assert kept.count("<figure>") == 3
    assert left.count("<figure>") == 2


def test_every_lab_with_a_slider_of_its_own_has_a_file():
    assert set(exportable()) == {name for name in registry.names() if registry.entry(name).lab.slider}
    assert {"shrinkage", "twosample"} <= set(exportable())
    assert "sweep" not in exportable()
