"""`explorer export`: accepted states, messages and refusals."""

import re
from html import unescape

import pytest
from helpers.naming import names_all, naming

from explorer.__main__ import main
from explorer.exports.widget import MARK, SCRIPT, Widget
from explorer.labs.shrinkage.lab import ShrinkageLab
from explorer.markup import markup
from explorer.workbench.content import content_of
from explorer.workbench.titles import titled

PRESETS = content_of("shrinkage").presets
STORIES = content_of("shrinkage").stories


def error_of(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main(["export", *words])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.fixture
def requested_states(monkeypatch):
    """The states that files were asked for, none of which is computed."""
    asked = []

    def one_file(lab, name=""):
        asked.append((lab, name))
        return markup("<p>{}</p>", name)

    monkeypatch.setattr("explorer.exports.state_pages.one_file", one_file)
    return asked


def test_it_says_what_it_wrote(tmp_path, capsys):
    out = tmp_path / "lab.html"
    main(["export", "shrinkage", "--preset", "hurts", "-o", str(out)])
    size = out.stat().st_size / 1e6
    assert capsys.readouterr().out == f"Wrote {out}, {size:.1f} MB.\n"
    hurts = next(preset for preset in PRESETS if preset.name == "When it hurts")
    title = titled("shrinkage", ShrinkageLab(**hurts.fields).result(wait=True))
    assert f"<title>{title}</title>" in unescape(out.read_text(encoding="utf-8"))


def test_what_was_there_is_replaced_and_that_is_said(tmp_path, capsys, requested_states):
    out = tmp_path / "lab.html"
    out.write_text("old")
    main(["export", "shrinkage", "-o", str(out)])
    assert re.search(naming(out), capsys.readouterr().out)
    assert out.read_text() == f"<p>{PRESETS[0].name}</p>"


@pytest.mark.parametrize(
    ("words", "fields", "name"),
    [
        ([], PRESETS[0].fields, PRESETS[0].name),
        (["--preset", "DECIDES"], PRESETS[2].fields, PRESETS[2].name),
        (["--preset", PRESETS[0].name.upper()], PRESETS[0].fields, PRESETS[0].name),
        (["--link", "n=50&lam=0.1"], {"n": 50, "lam": 0.1}, ""),
        (["--link", "http://localhost:5006/shrinkage?v=1&theme=dark&n=50"], {"n": 50}, ""),
        (["--link", "?story=stein&step=3&seed=9"], {**STORIES[0].steps[2].fields, "seed": 9}, ""),
        (["--link", ""], {}, ""),
        (["--story", "stein", "--step", "2"], STORIES[0].steps[1].fields, f"{STORIES[0].title}, 2 of 7"),
        (["--story", "stein"], STORIES[0].steps[0].fields, f"{STORIES[0].title}, 1 of 7"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_the_states_that_it_takes(requested_states, tmp_path, monkeypatch, words, fields, name):
    monkeypatch.chdir(tmp_path)
    main(["export", "shrinkage", *words])
    ((lab, called),) = requested_states
    assert {field: getattr(lab, field) for field in fields} == fields
    assert called == name
    assert (tmp_path / "shrinkage.html").exists()


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["nolab"], "lab must be one of"),
        (["dna"], "DNA has no slider that a browser can answer"),
        (["shrinkage", "--preset", "zebra"], f"'zebra' is the name of no preset; take one of {PRESETS[0].name}, "),
        (["shrinkage", "--preset", "it"], "'it' fits several presets; take one of A little helps, When it hurts"),
        (["shrinkage", "--link", "n=none"], "nothing was written: n=none in the link"),
        (["shrinkage", "--link", "bandwith=1"], "did you mean bandwidth?"),
        (["shrinkage", "--story", "nostory"], "There is no story 'nostory' here"),
        (["shrinkage", "--story", "stein", "--step", "9"], "steps 1 to 7"),
        (["shrinkage", "--step", "2"], "--step is a step of a story"),
        (["shrinkage", "--link", "n=9", "--preset", "hurts"], "not allowed with"),
        (["shrinkage", "-o", "nowhere/lab.html"], "the folder nowhere does not exist"),
        (["shrinkage", "-o", "."], "is a folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_it_refuses_in_a_sentence(capsys, tmp_path, monkeypatch, words, why):
    monkeypatch.chdir(tmp_path)
    said = error_of(capsys, *words)
    assert why in re.sub(r"\s+", " ", said)
    assert "Traceback" not in said


# widgets


@pytest.fixture
def widgets(monkeypatch):
    """The widgets that were asked for, none of which is computed: (lab, name, script, source)."""
    asked = []

    def widget(lab, name="", script="", source=""):
        asked.append((lab, name, script, source))
        return Widget(markup("<p>{}</p>", name), 51_234, 31, 61 if lab.n == 50 else 31)

    monkeypatch.setattr("explorer.exports.widget.widget", widget)
    monkeypatch.setattr("explorer.exports.widget.shared_script", lambda: f"{MARK} 1 */ begin()")
    return asked


def test_a_widget_and_the_script_beside_it_are_written_and_said(tmp_path, capsys, widgets):
    out, script = tmp_path / "w.html", tmp_path / SCRIPT
    main(["export", "shrinkage", "--widget", "-o", str(out)])
    said = capsys.readouterr().out
    first, second, *_ = said.splitlines()
    assert names_all(first, out, "51 kB")
    assert names_all(second, "share", SCRIPT, script, "written")
    assert out.read_text() == f"<p>{PRESETS[0].name}</p>"
    assert script.read_text().startswith(MARK)
    main(["export", "shrinkage", "--widget", "-o", str(out), "--link", "n=50"])
    said = capsys.readouterr().out
    assert re.search(naming(out, "31", "61"), said)
    assert f"{script} is unchanged" in said
    assert [(name, script, source) for _, name, script, source in widgets] == [
        (PRESETS[0].name, SCRIPT, ""), ("", SCRIPT, ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("script", "written"),
    [
        ("js/own.js", "js/own.js"),
        ("https://example.org/own.js", "own.js"),
        ("/static/own.js", "own.js"),
        ("inline", None),
    ],
)
def test_where_the_script_of_a_widget_is_written(tmp_path, monkeypatch, widgets, script, written):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "js").mkdir()
    main(["export", "shrinkage", "--widget", "--script", script, "--source", "https://example.org/lab"])
    assert [str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.js")] == ([written] if written else [])
    ((_, _, asked, source),) = widgets
    assert (asked, source) == (script, "https://example.org/lab")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--script", "x.js"], "--script and --source are options of a widget; add --widget"),
        (["--widget", "--script", "own"], "which ends in .js, or inline, not 'own'"),
        (["--widget", "--script", "nowhere/own.js"], "the folder nowhere does not exist"),
        (["--widget", "--script", "theirs.js"], "theirs.js is a different script, and would be overwritten"),
        (["--widget", "--source", " javascript:alert(1)"], "--source takes an address such as"),
    ],
    ids=" ".join,
)
def test_what_it_refuses_of_a_widget(capsys, tmp_path, monkeypatch, widgets, words, why):
    monkeypatch.chdir(tmp_path)
    tmp_path.joinpath("theirs.js").write_text("var jQuery")
    said = error_of(capsys, "shrinkage", *words)
    assert why in re.sub(r"\s+", " ", said)
    assert not (tmp_path / "shrinkage.html").exists()
    assert tmp_path.joinpath("theirs.js").read_text() == "var jQuery"
