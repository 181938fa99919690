"""Widgets: their size, their texts at every stop, what they leave out, and states that have none."""

import json
import re
from functools import cache
from html.parser import HTMLParser

import pytest
from helpers.naming import naming

from explorer.browser.standing import script
from explorer.checks import Refusal
from explorer.exports import widget as made_by
from explorer.exports.lab_state import exportable, is_auto
from explorer.exports.widget import MARK, MOST, shared_script, widget
from explorer.labs.shrinkage import ShrinkageLab
from explorer.languages import use_language
from explorer.workbench import registry
from explorer.workbench.content import content_of

EACH = pytest.mark.parametrize("name", exportable())
SCRIPT = 30_000  # bytes of the shared script at most
FETCHING = {"src", "srcset", "href", "data", "action", "poster", "background", "cite", "formaction"}


class Reader(HTMLParser):
    """Parser of a fragment: its tags with their attributes, and the content of each class of <script>."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.held, self.sheet, self._within = [], {}, "", None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append((tag, given))
        self._within = given.get("class") if tag == "script" else tag

    def handle_endtag(self, tag):
        self._within = None

    def handle_data(self, data):
        if self._within == "style":
            self.sheet += data
        self.held[self._within] = data


def lab_of(name, **fields):
    return registry.entry(name).lab(**content_of(name).presets[0].fields | fields)


@cache
def first(name):
    """Return (result, widget, its Reader) of a lab's first preset."""
    lab = lab_of(name)
    made = widget(lab, "first")
    return lab.result(wait=True), made, Reader(made.html)


@pytest.mark.few(3)
@pytest.mark.thorough(default=["shrinkage", "monk"])
@EACH
def test_a_widget_is_small_and_fetches_its_script_alone(name):
    result, made, read = first(name)
    assert made.size == len(made.html.encode()) <= MOST
    assert made.stops == made.of == len(result.stops)
    named = [value for _, given in read.tags for key, value in given.items() if key in FETCHING]
    assert [each for each in named if not each.startswith("data:image/")] == ["kernel-mean-widget.js"]
    assert not re.search(r"url\((?!#)|@import", read.sheet)
    assert "\n\n" not in made.html  # an empty line would end the HTML block in Markdown


def test_the_shared_script_is_small():
    assert shared_script().startswith(MARK)
    assert len(shared_script().encode()) < SCRIPT
    assert "Bokeh.embed" not in script("widget")


@pytest.mark.thorough(default=["shrinkage", "monk"])
@EACH
def test_it_says_what_the_lab_says_at_every_stop(name):
    result, _, read = first(name)
    words, held = registry.role(name, "words"), json.loads(read.held["texts"])
    states = [result.at(stop) for stop in (*result.stops, None)[: len(held["texts"])]]
    assert held["stops"] == len(result.stops)
    assert [each["headline"] for each in held["texts"]] == [words.headline(each, each.row) for each in states]
    values = [each["value"] for each in held["texts"][: held["stops"]]]
    assert len(set(values)) == len(values)
    assert held["start"] == result.row
    assert not any("still being computed" in each["headline"] for each in held["texts"])


@pytest.mark.thorough(default=["shrinkage", "monk"])
@EACH
def test_its_controls_have_names(name):
    result, _, read = first(name)
    (slider,) = [given for tag, given in read.tags if tag == "input"]
    assert slider["max"] == str(len(result.stops) - 1)
    field = type(result.lab).fields[result.lab.slider]
    assert slider["aria-label"].startswith(f"{field.symbol}, ")
    assert slider["aria-valuetext"]
    play, *_ = [given for tag, given in read.tags if tag == "button"]
    assert play["aria-label"] == f"Play {field.symbol}"
    (figure,) = [given for tag, given in read.tags if tag == "figure"]
    assert figure["aria-label"] == f"{registry.entry(name).title} · first"


def test_what_would_be_too_much_has_every_second_stop_or_none(monkeypatch):
    lab = lab_of("shrinkage", lam=0.1)
    whole = widget(lab)
    monkeypatch.setattr(made_by, "MOST", whole.size - 1)
    halved = widget(lab)
    assert halved.size < whole.size
    result = lab.result()
    assert halved.of == len(result.stops)
    assert halved.stops == len({*range(0, halved.of, 2), halved.of - 1, result.row})
    held = json.loads(Reader(halved.html).held["texts"])
    assert held["texts"][held["start"]]["value"] == "0.1"  # the stop of the state is kept
    monkeypatch.setattr(made_by, "MOST", 20_000)
    with pytest.raises(Refusal, match=naming("every second stop", "20 kB")):
        widget(lab)


def test_a_state_that_stands_still_has_none():
    with pytest.raises(Refusal, match=naming("DNA", "slider")):
        widget(registry.entry("dna").lab())


def test_the_script_stands_in_it_or_where_it_is_told(monkeypatch):
    lab = lab_of("monk")
    inside, beside = widget(lab, script="inline"), widget(lab, script="js/w.js", source="../labs/monk.html")
    assert shared_script() in inside.html
    assert inside.size == len(inside.html.encode()) - len(shared_script().encode()) < len(inside.html.encode())
    assert '<script src="js/w.js" defer></script>' in beside.html
    assert '<a href="../labs/monk.html">Open the lab</a>' in beside.html
    assert "<code>monk?" in inside.html


def test_it_speaks_the_language_that_is_spoken():
    with use_language("de"):
        made = widget(lab_of("shrinkage"), "A little helps", source="x.html").html
    assert '<kernel-mean-widget lang="de"' in made
    for words in ("Schrumpfung · Ein wenig hilft", "λ abspielen", "Das Labor öffnen"):
        assert words in made


def test_the_lab_chooses_the_value_of_the_row_after_the_last_stop():
    stops = ShrinkageLab(n=5).result().stops
    results = [ShrinkageLab(n=5, lam=lam).result() for lam in (stops[0], stops[-1], None)]
    assert [(result.row, is_auto(result)) for result in results] == [
        (0, False),
        (len(stops) - 1, False),
        (len(stops), True),
    ]
