"""`explorer film`: the written file, messages and refusals."""

import re

import pytest

from explorer.__main__ import main


def run(line):
    main(["film", *line.split(" ")])


def test_it_writes_a_gif_and_says_how_large_it_is(tmp_path, capsys):
    out = tmp_path / "a.gif"
    for before in ("", ", in place of the one that was there"):
        run(f"shrinkage --preset hurts --seconds 4 --width 320 --dark -o {out}")
        told = capsys.readouterr().out
        (size,) = re.findall(r"61 stops in 4 s, 320 × \d+ px, ([\d.]+) MB, in [\d.]+ s", told)
        assert told.endswith(f" s{before}.\n")
        assert float(size) == pytest.approx(out.stat().st_size / 1e6, abs=0.006)
        assert out.read_bytes().startswith(b"GIF89a")


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        ("shrinkage -o a.webm", "a film ends in .gif or .mp4, not 'a.webm'."),
        ("shrinkage -o nofolder/a.gif", "the folder nofolder does not exist"),
        ("shrinkage --seconds 0.1", "takes 1.83 to 60 seconds, not 0.1"),
        ("shrinkage --width 20", "320 to 1600 px wide, not 20"),
        ("sweep", "Sweep has no slider that plays"),
        ("nolab", "lab must be one of"),
        ("shrinkage --step 2", "--step is a step of a story"),
        ("shrinkage --preset none-such", "is the name of no preset"),
    ],
)
def test_what_it_refuses_in_a_sentence(line, sentence, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as ended:
        run(line)
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert sentence in told
    assert not list(tmp_path.iterdir())
