"""Properties of every lab's page: links, refusals, presets, stories, controls and themes."""

import re
from functools import cache
from html import unescape
from urllib.parse import parse_qsl

import pytest
from bokeh.document import Document
from bokeh.models import CustomJS
from every_lab import ALL, ROWS, few_samples
from helpers.page_helpers import error_at, headline_in, live_columns, notice, open_page, same_columns, type_in, unfold

from explorer.browser import EVENT
from explorer.labs.sweep.starting import START
from explorer.languages import translate, use_language
from explorer.markup import text_of
from explorer.pages import page_class
from explorer.pages.chrome import CHIPS_IN_ROW
from explorer.pages.layout.declarations import CLOSED
from explorer.pages.layout.markup_pane import plain
from explorer.pages.previews.first_paint import question_of
from explorer.pages.runtime import Runtime
from explorer.workbench import registry
from explorer.workbench.content import content_of

LABS = list(ROWS)
EACH = pytest.mark.parametrize("name", LABS)
CALLED = re.compile(r"explorer\.v\w+\.\w+\.\w+\(\{([\w, ]*)\}\)")  # a script's call, with its arguments
STORIES = [pytest.param(name, story, id=f"{name}: {story.key}") for name in LABS for story in content_of(name).stories]


def page_of(name, **words):
    return open_page(page_class(name), **{**ROWS[name].quick, **words})


@cache
def _kept(name):
    return page_of(name)


@pytest.fixture(scope="module", autouse=True)
def quick():
    """Limit the Independence lab to few σ, because a page without a document computes all; share the module's pages.

    Studies take few samples, and no process is started to know how long Sweep's take to start.
    """
    with pytest.MonkeyPatch.context() as patch:
        few_samples(patch)
        patch.setattr(registry.entry("independence").lab, "default_stops", [0.0, 0.2, 1.0, 5.0])
        patch.setattr(START, "seconds", 9.0)
        yield
    _kept.cache_clear()


def kept(name):
    """Return a lab's page in its opening state."""
    page = _kept(name)
    page.chrome.story.leave()
    page.move(None, **page.lab_class.from_flat(ROWS[name].quick)[0].values())
    page.chrome.say([])
    return page


def shows(page, told=False):
    """Return whether pictures, headline and code all show the lab, and, unless `told`, whether there is no message."""
    result = page.lab.result()
    return (
        same_columns(page.view.columns(result), live_columns(page))
        and page.chrome.headline.object == page.headline(result, result.row)
        and page.chrome.bar.share.code == page.python(result)
        and (notice(page) != "") == told
        # beside a slider without effect stands why it has none
        and all(error_at(page, name) == "" for name, each in page.controls.items() if not each.widgets[0].disabled)
    )


def names(part):
    """Return the names of the components in a part of a page, at any depth."""
    return {part} if isinstance(part, str) else {name for each in getattr(part, "inner", ()) for name in names(each)}


@EACH
def test_a_control_stands_in_one_place_for_each_field_with_a_label(name):
    page = page_class(name)
    folded = [part for parts in page.folds.values() for part in parts]
    placed = [names(part) for part in (page.top, page.left, page.right, *page.groups, *folded)]
    for field in page.lab_class.labelled():
        assert [field in each for each in placed].count(True) == 1


# the first screen

ABBREVIATED = re.compile(r"(?<![\w-])[A-Za-z]?-?[A-Z]{2,}[A-Za-z]*")
# names and formulas that stand for nothing longer, or that everybody knows
KNOWN = {"DNA", "UCI", "PP", "QQ", "PQ", "KHLH", "AB", "MMDQ"}


@pytest.mark.thorough(default=["shrinkage"])
@EACH
def test_the_page_states_its_question(name):
    entry = registry.entry(name)
    assert text_of(kept(name).chrome.question.object) == f"{entry.title}: {entry.question}"
    with use_language("de"):
        assert text_of(question_of(name)) == f"{translate(entry.title)}: {translate(entry.question)}"


@pytest.mark.thorough(default=["shrinkage", "fit", "dna"])
@EACH
def test_every_abbreviation_of_the_first_screen_is_spelt_out_once(name):
    page = kept(name)
    chrome, result = page.chrome, page.result
    spelt = re.findall("<b>(.*?)</b>", chrome.spelt_out.object)
    legends = [legend.object for legend in page.arranged.legends.values() if legend.visible]
    marked = (chrome.headline.object, chrome.hint.object, *legends)
    pictures = [page.view.pictures[each].of.translated_axes(result) for each in page.view.visible(result)]
    texts = [page.title, *chrome.presets.words[:CHIPS_IN_ROW], *(plain(each) for each in marked if each)]
    texts += [text for title, *axes in pictures for text in (title, *(axis.full_label for axis in axes))]
    found = {word for text in texts for word in ABBREVIATED.findall(text or "")} - KNOWN
    assert {word for word in found if spelt.count(word) != 1} == set()


def is_visible(control):
    """Return whether a control or a row of buttons is visible before the user asks for rarely used settings."""
    return bool(control.visible and (not hasattr(control, "objects") or any(map(is_visible, control.objects))))


@pytest.mark.thorough(default=["shrinkage", "distributions"])
@EACH
def test_no_group_of_controls_is_empty(name):
    page = kept(name)
    for group in page.arranged.below.objects[0].objects if page.groups else ():
        is_more = any("not(.open)" in str(sheet) for sheet in group.stylesheets)
        shown = [part for part in group.objects[1:] if is_visible(part) and CLOSED not in part.stylesheets]
        buttons = hasattr(group.objects[0], "objects")
        assert not group.visible or is_more or shown or buttons, group.objects[0]


# opening


@pytest.mark.few(4)
@pytest.mark.thorough(default=["shrinkage", "sweep"])
@EACH
def test_it_opens_and_goes_into_a_document_with_all_it_needs(name):
    page, doc = unfold(page_of(name)), Document()
    assert shows(page)
    doc.add_root(page.__panel__().get_root(doc))
    ids, seen = {model.id for model in doc.models}, page.view.visible(page.result)
    assert {page.view.sources[source].id for source in page.view.columns(page.result)} <= ids
    assert {page.view.figures[picture].id for picture in seen} <= ids
    answers = {"TableVersion"} if page.lab.slider else set()
    assert {"Request", "Texts"} | answers <= {type(model).__name__ for model in doc.models}
    (repaint,) = [script for script in doc.select({"type": CustomJS}) if "painted" in script.args]
    assert repaint.args["painted"] == [list(each) for each in page.view.paint.painted]
    for script in doc.select({"type": CustomJS}):
        for names in CALLED.findall(script.code):
            assert set(names.split(", ")) <= {*EVENT, *script.args}  # any other name would be an error in the script
    there = set(page.chrome.page.select())
    for control in page.controls.values():
        assert {control.box, control.trouble} <= there
    assert {control.slider for control in page.sliders.values()} | set(page.choice.values()) <= there
    assert all(widget.label for widget in page.choice.values())
    headline = headline_in(page, doc)
    page.move(None, **ROWS[name].moves[0])
    assert unescape(headline.text) == page.chrome.headline.object


@pytest.mark.few(3)
@pytest.mark.thorough(default=["shrinkage", "marginalized", "sweep"])
@EACH
def test_a_link_leads_back_refuses_bad_words_and_the_two_pages_share_nothing(name):
    page = kept(name)
    page.move(None, **ROWS[name].moves[0])
    words = dict(parse_qsl(page.link(), keep_blank_values=True))
    assert page.lab_class.from_flat({key: word for key, word in words.items() if key != "v"}) == (page.lab, [])
    again = page_class(name)({**words, "theme": "dark", "bogus": "1", "v": "99", "seed": "<b>"})
    assert again.lab == page.lab
    assert again.chrome.page.dark_theme
    assert not page.chrome.page.dark_theme
    assert shows(again, told=True)
    assert same_columns(page.view.columns(page.result), live_columns(again))
    assert notice(again).count("<li>") == 3
    assert all(word in notice(again) for word in ("bogus", "seed", "version 99"))
    assert "<b>" not in notice(again)
    before, values = live_columns(again), again.lab.values()
    assert kept(name).lab.values() != values  # only one of the two pages is reset
    assert again.lab.values() == values
    assert same_columns(before, live_columns(again))
    assert {s.id for s in page.view.sources.values()} & {s.id for s in again.view.sources.values()} == set()
    again.move(None, **page.lab.values())
    assert notice(again) == ""


# input


@pytest.mark.thorough(default=["shrinkage", "dna", "twosample"])
@EACH
def test_a_word_that_is_no_number_is_refused_beside_its_box_and_nothing_is_lost(name):
    page = kept(name)
    before, pictures = page.lab.values(), live_columns(page)
    for control in page.controls:
        for word in ("abc", "1<2"):
            type_in(page, control, word)
            assert "<div role='alert'" in error_at(page, control)
            assert [each for each in page.controls if error_at(page, each)] == [control]
            assert page.controls[control].box.value == word  # the user can correct the text
            assert page.lab_class.__name__ not in error_at(page, control)
            assert "1<2" not in error_at(page, control)
            assert page.lab.values() == before
        page.controls[control].refuse("")
    assert same_columns(pictures, live_columns(page))


@pytest.mark.few(3)
@pytest.mark.thorough(default=["shrinkage", "dna"])
@EACH
def test_the_key_for_a_new_sample_takes_the_next_seed_and_it_is_undone(name):
    page = kept(name)
    if "n" not in page.shortcuts.actions:
        pytest.skip("no sample is drawn here by a key")
    page.rest()
    seed = page.lab.seed
    page.shortcuts.actions["n"][1]()
    assert page.lab.seed == seed + 1
    assert page.controls["seed"].box.value == str(seed + 1)
    assert shows(page)
    page.rest()
    page.shortcuts.actions["z"][1]()
    assert page.lab.seed == seed
    page.move(None, seed=(last := page.lab_class.fields["seed"].bounds[1]))
    page.shortcuts.actions["n"][1]()
    assert error_at(page, "seed")
    assert page.lab.seed == last
    page.controls["seed"].refuse("")


@pytest.mark.few(3)
@pytest.mark.thorough(default=["shrinkage"])
@pytest.mark.parametrize("name", [name for name in LABS if name not in ("dna", "sweep")])  # these show all pictures
def test_one_small_picture_is_seen_at_a_time(name):
    page = kept(name)
    pictures = [each for each in registry.role(name, "figures").PICTURES if each.slot]
    for picture in page.lab_class.fields["picture"].objects:
        page.move(None, picture=picture)
        seen = [each for each in pictures if page.arranged.pictures[each.name].visible]
        assert len({each.slot for each in seen}) == len(seen)
        assert seen == [each for each in pictures if each.is_visible(page.result)] != []
        assert shows(page)


# presets and stories


@pytest.mark.few(4)
@pytest.mark.thorough
@EACH
def test_a_preset_is_a_press_away_from_anywhere(name, monkeypatch):
    page = kept(name)
    monkeypatch.setattr(page.runtime, "finish", lambda work, stage: None)  # a press does not wait for deferred stages
    aside = {each: ROWS[name].quick.get(each, getattr(page.lab, each)) for each in page.lab.aside}
    page.move(None, **ROWS[name].moves[0])
    for preset in content_of(name).presets:  # each starts from the state that the last one left
        page.move(None, **aside)  # presets do not change these, and the last one's picture may take long
        page.navigation.go_to(preset)
        assert {field: getattr(page.lab, field) for field in preset.fields} == preset.fields
        assert page.navigation.preset() is preset
        assert page.chrome.presets.words[page.chrome.presets.chosen] == preset.name
        assert preset.sentence() in unescape(page.chrome.hint.object)
        # a deferred picture is dimmed; the sweep shows nothing before it is run
        assert shows(page) or page.runtime.is_awaited(page.result) or name == "sweep"
    page.move(None, seed=page.lab.seed + 1)
    assert page.navigation.preset() is None
    assert not any(preset.says in unescape(page.chrome.hint.object) for preset in page.presets)


@pytest.mark.few(9)
@pytest.mark.thorough(default=["marginalized: axes"])
@pytest.mark.parametrize(("name", "story"), STORIES)
def test_a_story_opens_step_by_step_and_every_step_is_a_link(name, story, monkeypatch):
    if ROWS[name].stories != ALL:  # no answer depends on deferred stages
        monkeypatch.setattr(Runtime, "finish", lambda carrier, work, stage: None)
    page = kept(name)
    page.chrome.story.open(story, 0)
    for step in story.steps:
        assert {field: getattr(page.lab, field) for field in step.fields} == step.fields
        assert page.chrome.story.card.shown["astray"] == ""
        assert page.chrome.story.card.shown["asks"] == step.asks
        page.chrome.story.on_action("guess", -1)
        assert page.chrome.story.card.shown["says"]
        if step is not story.steps[-1]:
            page.chrome.story.go(1)
    if story is content_of(name).stories[0]:  # links to other stories and steps have the same form
        last = page_class(name)({"story": story.key, "step": str(len(story.steps))})
        assert notice(last) == ""
        assert {field: getattr(last.lab, field) for field in step.fields} == step.fields
        last.chrome.story.on_action("guess", -1)
        assert last.chrome.story.card.shown == page.chrome.story.card.shown
    page.chrome.story.leave()
