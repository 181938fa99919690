"""Requirements on every lab in the table of labs: links, copied Python, presets, stories, pictures, texts, memory."""

from __future__ import annotations

import ast
import os
import re
import subprocess
import sys
from functools import cache
from html import unescape
from importlib import import_module
from pathlib import Path
from urllib.parse import parse_qsl, urlencode

import numpy as np
import pytest
from bokeh.document import Document
from bokeh.document.events import ColumnDataChangedEvent
from bokeh.models import GlyphRenderer
from every_lab import ROWS, complete_result, few_samples, lab_of, result_of, states
from helpers.lab_pictures import view_of

from explorer.marks.roles import LESS, MORE, colour
from explorer.markup import Markup, text_of
from explorer.parameters import Real, Whole
from explorer.views.bokeh_picture import same
from explorer.views.legend import legend
from explorer.views.style import words_of
from explorer.workbench import Result, registry
from explorer.workbench.cache import CACHE_BYTES, bytes_of
from explorer.workbench.content import content_of
from explorer.workbench.prose import tries

LABS = list(ROWS)
ANSWERED = [name for name in LABS if registry.entry(name).lab.slider]
FOLDER = Path(__file__).parents[2] / "explorer" / "labs"
ROLES = ("lab", "result", "words", "script", "figures", "page")
FILES = {"__init__.py", "content.toml", *(f"{role}.py" for role in ROLES)}


def words(name):
    return registry.role(name, "words")


@pytest.fixture(scope="module", autouse=True)
def drop_views_afterwards():
    """Views are kept until the module ends."""
    yield
    view_as_it_opens.cache_clear()


# the folder


def test_the_table_has_every_lab():
    assert set(ROWS) == set(registry.names())


@pytest.mark.parametrize("name", LABS)
def test_a_lab_is_one_folder_of_files_by_their_roles(name):
    assert {path.name for path in (FOLDER / name).iterdir()} >= FILES
    assert not [*(FOLDER / name).rglob("stories.py")]  # they are in the content


@pytest.mark.parametrize("name", LABS)
def test_no_page_reaches_into_the_chassis(name):
    tree = ast.parse((FOLDER / name / "page.py").read_text(encoding="utf-8"))
    from explorer.pages.page import LabPage

    private = {attribute for attribute in dir(LabPage) if attribute.startswith("_") and not attribute.startswith("__")}
    defined = {node.name for node in ast.walk(tree) if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))}
    used = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert private & (defined | used) == set()


def test_a_lab_without_its_page_loads_nothing_that_draws():
    roles = [f"explorer.labs.{name}.{role}" for name in LABS for role in ("words", "script", "figures")]
    heavy = {"panel", "panel_material_ui", "holoviews", "bokeh", "sklearn"}
    code = f"""
import sys
from importlib import import_module
from explorer.workbench.content import content_of
for role in {roles}:
    import_module(role)
    content_of(role.split(".")[2])
    if drawing := {heavy} & set(sys.modules):
        sys.exit(f"{{role}} loads {{drawing}}")
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", LABS)
def test_every_field_has_words_and_every_number_a_lower_bound(name):
    for field_name, field in registry.entry(name).lab.fields.items():
        assert field.doc, field_name
        assert field_name not in ("v", "theme", "story", "step"), "a link has a word of that name already"
        if isinstance(field, Whole):
            assert field.bounds[0] is not None, field_name


# links


@pytest.mark.parametrize(("name", "fields"), states())
def test_a_state_goes_through_a_link_and_back(name, fields):
    lab = lab_of(name, **fields)
    link = dict(parse_qsl(urlencode(lab.flat()), keep_blank_values=True))
    assert type(lab).from_flat(link) == (lab, [])


@pytest.mark.parametrize("name", LABS)
def test_what_a_link_has_wrong_is_a_sentence_and_the_rest_is_kept(name):
    cls = registry.entry(name).lab
    number = next(field for field, p in cls.fields.items() if isinstance(p, Real) and p.default is not None)
    lab, refused = cls.from_flat({"seed": "7", number if number != "seed" else "bogus": "<b>", "bogus": "1"})
    assert lab.seed == 7
    assert refused
    assert all(sentence.endswith((".", "?")) for sentence in refused)


# stages


@cache
def view_as_it_opens(name, dark=False):
    """Return the view of a lab, made for its first state; it may have shown others since."""
    return view_of(result_of(name, {}), dark)


@pytest.mark.few(70)
@pytest.mark.parametrize(("name", "fields"), states())
def test_whoever_draws_a_result_computes_nothing(name, fields, monkeypatch):
    """A stage that a picture or a sentence read first would be computed on the event loop."""
    view, result = view_as_it_opens(name), result_of(name, fields)
    monkeypatch.setattr(Result, "_compute", None)
    view.show(result)
    view.tables(result)
    role = {each: registry.role(name, each) for each in ("words", "script")}
    role["words"].headline(result, result.row), role["words"].caption(result), role["words"].story_values(result)
    view.words(result, view.numbers(result)), view.legends(result, view.numbers(result))
    role["script"].python(result), role["script"].numbers(result)
    assert result.measures
    assert all(isinstance(value, float) for value in result.effects.values())


def equal_to_the_bit(a, b):
    """Return whether two values of a stage are equal to the last bit.

    Values that can only be compared by identity count as equal.
    """
    if isinstance(a, np.ndarray):
        return np.array_equal(a, b, equal_nan=a.dtype.kind == "f")
    if hasattr(a, "__dataclass_fields__"):
        return all(equal_to_the_bit(getattr(a, f), getattr(b, f)) for f in a.__dataclass_fields__)
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(equal_to_the_bit(a[key], b[key]) for key in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(equal_to_the_bit, a, b))
    if isinstance(a, (int, float, str, bool, type(None))):
        return a == b or (a != a and b != b)
    return type(a) is type(b)


@pytest.mark.few(4)
@pytest.mark.thorough(default=["shrinkage", "twosample"])
@pytest.mark.parametrize("name", LABS)
def test_what_is_remembered_is_what_would_be_computed(name):
    lab, walk = lab_of(name), [*ROWS[name].states.values(), *ROWS[name].moves]
    first, computed = lab.values(), {}
    for at in [*range(len(walk)), *reversed(range(len(walk)))]:
        step = walk[at]
        lab.move(**{**first, **step})
        if at not in computed:
            computed[at] = lab.replace().result()
        result, anew = lab.result(), computed[at]
        different = [s for s in result.stages() if not equal_to_the_bit(getattr(result, s), getattr(anew, s))]
        assert different == [], step
        assert result.measures == pytest.approx(anew.measures, nan_ok=True)


@pytest.mark.parametrize("name", LABS)
def test_going_back_computes_nothing(name, monkeypatch):
    lab = lab_of(name)
    lab.result()
    lab.move(**ROWS[name].moves[0])
    lab.result()
    lab.move(**{field: getattr(lab_of(name), field) for field in ROWS[name].moves[0]})
    monkeypatch.setattr(Result, "_compute", None)
    lab.result()


@pytest.mark.thorough(default=["shrinkage", "twosample"])
@pytest.mark.parametrize("name", LABS)
def test_all_that_a_state_shows_can_be_waited_for(name, monkeypatch):
    few_samples(monkeypatch)
    lab = lab_of(name)
    result = lab.result(wait=True)
    assert result.pending() == ()
    assert lab.result().arrived() == result.arrived()


@pytest.mark.few(4)
@pytest.mark.thorough(default=["shrinkage"])
@pytest.mark.parametrize("name", LABS)
def test_a_walk_is_held_within_the_limit(name):
    lab = lab_of(name)
    assert lab._cache.limit == CACHE_BYTES == 64 * 2**20
    lab.result()
    one = lab._cache.size
    for seed in range(12):
        lab._cache.limit = 2 * one if seed < 6 else one // 2  # what is oldest must go, and in the end most of each
        lab.move(seed=seed)
        lab.result()
        assert lab._cache.size <= lab._cache.limit
    assert lab._cache.size == sum(bytes_of((key, value)) for key, (value, _) in lab._cache._entries.items())
    lab.move(seed=0)  # long forgotten
    again, anew = lab.result(), lab.replace().result()
    assert all(equal_to_the_bit(getattr(again, stage), getattr(anew, stage)) for stage in anew.stages())


# presets, stories, copied Python


# what the Sweep lab promises takes hundreds of results of another lab, and these studies hundreds of fits
SLOW = {"sweep": "", "kernel_pca": ("errors", "ghosts"), "distributions": ("size",)}
PRESETS = [
    pytest.param(
        name,
        preset,
        id=f"{name}: {preset.name}",
        marks=pytest.mark.thorough if preset.fields.get("picture", "") in SLOW.get(name, ()) else (),
    )
    for name in LABS
    for preset in content_of(name).presets
]
SCRIPTS = [
    pytest.param(name, fields, id=f"{name}: {fields}", marks=pytest.mark.thorough)
    for name, row in ROWS.items()
    for fields in row.scripts
]
SCRIPTS += [  # a sweep's starts processes
    pytest.param(*case.values, id=case.id, marks=pytest.mark.thorough) for case in states(["sweep"])
]


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_preset_keeps_its_promise(name, preset):
    if preset.fields.get("source") == "splice" and not os.environ.get("EXPLORER_DATA"):
        pytest.skip("EXPLORER_DATA names no folder of data sets")
    result = result_of(name, preset.fields)
    if preset.effect not in result.effects:
        result = result_of(name, preset.fields, late=True)
    assert preset.is_claimed(result.effects[preset.effect])


@pytest.mark.parametrize(("name", "preset"), PRESETS)
def test_a_preset_proposes_what_leads_to_another_state_and_proposes_it_once(name, preset):
    assert not re.search(r"\bTry\b", preset.says)
    if preset.then:
        assert preset.then[0] in text_of(tries(registry.entry(name).lab(**preset.fields), preset.then))


@pytest.mark.few(90)
@pytest.mark.parametrize(("name", "fields"), states([name for name in LABS if name != "sweep"]) + SCRIPTS)
def test_copied_python_gives_the_screen_from_the_front_door(name, fields, capsys):
    result = result_of(name, fields)
    code, space = registry.role(name, "script").python(result), {}
    exec(compile(code, "<copied>", "exec"), space)
    assert capsys.readouterr().out  # it prints them too
    for copied, shown in ROWS[name].copied(space, result):
        assert copied == pytest.approx(shown, rel=1e-12, abs=1e-12, nan_ok=True)
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.ImportFrom) and node.module.startswith("explorer"):
            assert node.module.count(".") <= 1
            assert {each.name for each in node.names} <= set(dir(import_module(node.module)))


# pictures


@pytest.mark.parametrize(("name", "fields"), states())
def test_the_columns_of_a_source_have_one_length(name, fields):
    result = result_of(name, fields)
    for picture in registry.role(name, "figures").PICTURES:
        for source, data in picture.data(result).items():
            assert len({len(column) for column in data.values()}) <= 1, (picture.name, source)


@pytest.mark.few(60)
@pytest.mark.parametrize(("name", "fields"), states(ANSWERED))
def test_a_row_of_the_tables_is_the_picture_at_that_stop_and_nothing_else_follows_the_slider(name, fields):
    """Only the columns in the slider's tables follow the slider.

    Exceptions are deferred columns, curves that have a typed stop as well, and the side of a line on which its label
    stands, which the idle update corrects.
    """
    result = complete_result(name, fields)
    seen = [each for each in registry.role(name, "figures").PICTURES if each.is_visible(result)]
    pictures = [each for each in seen if each.table_is_complete]
    stops, tables = list(result.stops), [picture.table(result) for picture in pictures]
    first = [picture.data(result) for picture in pictures]
    for row in {0, len(stops) // 3, len(stops) - 1} if result.answers else ():
        there = result.at(stops[row])
        if not there.pending():  # a pending headline waits for a study
            assert words(name).headline(result, row) == words(name).headline(there, there.row)
        for picture, rows, here in zip(pictures, tables, first, strict=True):
            drawn = picture.data(there)
            for (source, column), table in rows.items():
                at = table[min(row, len(table) - 1)]
                if there.pending() and not same(at, drawn[source][column]):  # the table already has deferred columns
                    drawn = picture.data(complete_result(name, fields | {there.lab.slider: stops[row]}))
                assert same(at, drawn[source][column]), (picture.name, source, column, row)
            if pictures == seen and list(there.stops) == stops and not picture.waits(there):
                follows = {(s, c) for s in drawn for c in drawn[s] if not same(drawn[s][c], here[s][c])}
                assert {(s, c) for s, c in follows if c not in ("align", "shift")} <= set(rows), (picture.name, row)


def document_and_events(view):
    """Return a document that has a view's figures, and the events that it hears."""
    doc, events = Document(), []
    for figure in view.figures.values():
        doc.add_root(figure)
    doc.on_change(events.append)
    return doc, events


def sent_columns(view, events):
    """Return the (source, column) pairs of all columns in events."""
    names = {source.id: name for name, source in view.sources.items()}
    heard = [event for event in events if isinstance(event, ColumnDataChangedEvent) and event.model.id in names]
    return {(names[e.model.id], column) for e in heard for column in e.cols or e.model.data}


@pytest.mark.few(4)
@pytest.mark.thorough(default=["shrinkage", "dna", "independence"])
@pytest.mark.parametrize("name", LABS)
def test_what_changed_is_sent_and_nothing_else(name):
    lab = lab_of(name)
    view = view_of(lab.result())
    doc, events = document_and_events(view)
    view.show(lab.replace().result())
    assert sent_columns(view, events) == set()
    for move in ROWS[name].moves:
        before = {s: dict(data) for s, data in view.columns(lab.result()).items()}
        lab.move(**move)
        result = lab.result()
        events.clear()
        view.show(result)
        # deferred columns keep their old values
        late = tuple(f"{name}." for name, each in view.pictures.items() if each.waits(result))
        after = {s: data for s, data in view.columns(result).items() if not s.startswith(late)}
        known = {s: before.get(s, {}) for s in after}
        changed = {(s, c) for s in after for c in after[s] if not same(after[s][c], known[s].get(c, ()))}
        resized = {s for s in after if any(len(after[s][c]) != len(known[s].get(c, ())) for c in after[s])}
        assert {key for key in sent_columns(view, events) if key[0] not in resized} == {
            key for key in changed if key[0] not in resized
        }, move
        assert all(same(view.sources[s].data[c], v) for s, data in after.items() for c, v in data.items())
    assert doc


@pytest.mark.few(4)
@pytest.mark.thorough(default=["shrinkage", "dna", "independence"])
@pytest.mark.parametrize("name", LABS)
def test_a_hidden_picture_is_neither_computed_nor_sent(name, monkeypatch):
    lab = lab_of(name)
    result = lab.result()
    view = view_of(result)
    hidden = {n: p for n, p in view.pictures.items() if not p.is_visible(result)}
    for picture in hidden.values():
        monkeypatch.setitem(vars(picture.of), "compute", lambda *given: pytest.fail("a hidden picture"))
    _, events = document_and_events(view)
    lab.move(**ROWS[name].moves[0])
    after = lab.result()
    view.show(after)
    still = {n for n, p in view.pictures.items() if not p.is_visible(after)}
    assert {s.split(".")[0] for s, _ in sent_columns(view, events)} & still == set()
    assert all(t.shape[1] == 0 for (s, _), t in view.tables(after).items() if s.split(".")[0] in still)


@pytest.mark.few(5)
@pytest.mark.thorough(default=["shrinkage"])
@pytest.mark.parametrize("name", LABS)
def test_any_state_follows_any_other(name):
    walk = [complete_result(name, fields) for fields in ({}, *ROWS[name].states.values())]
    view = view_as_it_opens(name)
    for result in walk + walk[::-1]:
        view.show(result)
        for source, data in view.columns(result).items():
            assert set(view.sources[source].data) >= set(data), (result.lab, source)
            assert all(same(view.sources[source].data[column], values) for column, values in data.items()), source
        for picture in view.visible(result):
            figure = view.figures[picture]
            assert figure.title.text, (result.lab, picture)
            for axis in figure.axis:
                named = axis.axis_label or words_of(axis) is not None  # or the picture labels what it draws itself
                assert named or not axis.visible, (result.lab, picture)


@pytest.mark.parametrize("name", LABS)
@pytest.mark.thorough
def test_what_is_pinned_stays_until_it_is_let_go(name):
    lab = lab_of(name)
    first = lab.result()
    view = view_as_it_opens(name)
    view.pin(first)
    kept = {picture: each.pinned_data(first) for picture, each in view.pictures.items()}
    assert any(len(column) for each in kept.values() for data in each.values() for column in data.values())
    lab.move(**ROWS[name].moves[0])
    view.show(lab.result())
    for picture, each in view.pictures.items():
        for source, data in kept[picture].items():
            assert all(same(each.pinned[source].data[column], values) for column, values in data.items())
    view.pin(None)
    pinned = [source for each in view.pictures.values() for source in each.pinned.values()]
    assert not any(len(column) for source in pinned for column in source.data.values())


def plain_colours(glyph):
    """Yield the properties of a glyph that can be seen and have one colour for all of it."""
    for part in ("line", "fill", "text", "hatch"):
        value = getattr(glyph, f"{part}_color", None)
        unseen = (
            getattr(glyph, f"{part}_alpha", 1) == 0
            or (part == "line" and getattr(glyph, "line_width", 1) == 0)
            or (part == "fill" and getattr(glyph, "marker", "") in ("x", "dash"))
            or (part == "hatch" and getattr(glyph, "hatch_pattern", None) in (None, " ", "blank"))
        )
        if isinstance(value, str) and value not in (MORE, LESS) and not unseen:  # the signs of a function
            yield f"{part}_color"


@pytest.mark.thorough(default=["light-monk", "light-twosample"])
@pytest.mark.parametrize("name", LABS)
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_every_glyph_has_the_colour_of_its_role_and_columns_that_are_there(name, dark):
    view = view_as_it_opens(name, dark)
    for model, attribute, role in view.paint.painted:
        assert getattr(model, attribute) == colour(role, dark)
    for mapper, palettes in view.paint.shaded:
        assert mapper.palette == palettes[dark]
    painted = {(model.id, attribute) for model, attribute, _ in view.paint.painted}
    for picture, figure in view.figures.items():
        for renderer in figure.select({"type": GlyphRenderer}):
            glyph = renderer.glyph
            assert {each for each in plain_colours(glyph) if (glyph.id, each) not in painted} == set(), (picture, glyph)
            drawn = glyph.properties_with_values(include_defaults=False).values()
            assert {v.field for v in drawn if hasattr(v, "field")} <= set(renderer.data_source.data), (picture, glyph)


# words and tables


@pytest.mark.parametrize(("name", "fields"), states())
def test_every_state_has_words_and_tables(name, fields):
    result = result_of(name, fields)
    spoken = words(name)
    rows = [result.row] if not result.stops else [0, len(result.stops) - 1, result.row]
    shown = [*(spoken.headline(result, row) for row in rows), spoken.caption(result)]
    view = view_as_it_opens(name)
    numbers = view.numbers(result)
    described = [each for sentences in view.words(result, numbers).values() for each in sentences]
    for text in (*shown, *described):
        assert text
        assert "nan" not in text.lower().split()
        assert not re.search("None(?! of )", unescape(text))  # a value that is none, and no "None of 999 ..."
    for html in (
        *shown,
        Markup.escape(content_of(name).explanation),
        *map(legend, view.legends(result, numbers).values()),
    ):
        assert isinstance(html, Markup)
        assert not re.search("&amp;(amp|lt|gt|#)|&lt;/?(b|i|p|span|div|svg|math|button)", html)  # escaped once
    assert not any(isinstance(text, Markup) for text in (*described, *spoken.story_values(result).values()))
    for table, data in registry.role(name, "script").numbers(result).items():
        assert len({len(column) for column in data.values()}) == 1, table
