"""`explorer export`: which states it takes, what it says, and what it refuses."""

import re

import pytest

from explorer.__main__ import main
from explorer.labs.shrinkage.stories import PRESETS, STORIES
from explorer.markup import markup


def refused(capsys, *words):
    with pytest.raises(SystemExit) as ended:
        main(["export", *words])
    assert ended.value.code == 2
    return capsys.readouterr().err


@pytest.fixture
def made(monkeypatch):
    """The states that files were asked for, none of which is computed."""
    asked = []

    def one_file(lab, name=""):
        asked.append((lab, name))
        return markup("<p>{}</p>", name)

    monkeypatch.setattr("explorer.exports.onefile.one_file", one_file)
    return asked


def test_it_says_what_it_wrote(tmp_path, capsys):
    out = tmp_path / "lab.html"
    main(["export", "shrinkage", "--preset", "hurts", "-o", str(out)])
    size = out.stat().st_size / 1e6
    assert capsys.readouterr().out == f"Wrote {out}, {size:.1f} MB.\n"
    assert "<title>Shrinkage · When it hurts · Kernel Mean Explorer</title>" in out.read_text()


def test_what_was_there_is_replaced_and_that_is_said(tmp_path, capsys, made):
    out = tmp_path / "lab.html"
    out.write_text("old")
    main(["export", "shrinkage", "-o", str(out)])
    assert capsys.readouterr().out.endswith("in place of the one that was there.\n")
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
def test_the_states_that_it_takes(made, tmp_path, monkeypatch, words, fields, name):
    monkeypatch.chdir(tmp_path)
    main(["export", "shrinkage", *words])
    ((lab, called),) = made
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
        (["shrinkage", "--step", "2"], "--step is of a story"),
        (["shrinkage", "--link", "n=9", "--preset", "hurts"], "not allowed with"),
        (["shrinkage", "-o", "nowhere/lab.html"], "there is no folder nowhere"),
        (["shrinkage", "-o", "."], "is a folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_it_refuses_in_a_sentence(capsys, tmp_path, monkeypatch, words, why):
    monkeypatch.chdir(tmp_path)
    said = refused(capsys, *words)
    assert why in re.sub(r"\s+", " ", said)
    assert "Traceback" not in said
