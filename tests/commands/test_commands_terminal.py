"""The terminal: version, examples, exit codes, characters that it cannot show, and completion."""

from __future__ import annotations

import argparse
import errno
import inspect
import io
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import unicodedata

import argcomplete
import numpy as np
import pytest

import explorer
from explorer.__main__ import COMMANDS, command, main, parser_of
from explorer.checks import Refusal
from explorer.commands.spelling import HANDLER, WORDS
from explorer.public_names.help_text import VERSION, docstring, from_source
from explorer.workbench import registry
from explorer.workbench.content import content_of

ENCODINGS = ("ascii", "cp1252", "cp437", "latin-1", "shift-jis")


def exit_code(words):
    """Return the exit code of a command."""
    with pytest.raises(SystemExit) as end:
        main(words)
    return end.value.code


def examples_of(name):
    """Return the words after `explorer` in each example of a command's help."""
    lines = [re.search(r"explorer (?:[^)>#]|\)(?!\"))*", line)[0] for line in command(name).EXAMPLES]
    return [shlex.split(line)[1:] for line in lines]


EXAMPLES = [words for name in COMMANDS for words in examples_of(name)]


@pytest.mark.parametrize("option", ["--version", "-V"])
def test_it_says_its_version(option, capsys):
    assert exit_code([option]) == 0
    assert capsys.readouterr().out == f"explorer {VERSION}\n"


@pytest.mark.parametrize("name", COMMANDS)
def test_its_help_has_examples(name, capsys):
    assert exit_code([name, "--help"]) == 0
    out = capsys.readouterr().out
    assert len(command(name).EXAMPLES) >= 2
    assert all(line in out for line in command(name).EXAMPLES if len(line) < 70)


@pytest.mark.parametrize("words", EXAMPLES, ids=" ".join)
def test_an_example_can_be_typed(words):
    assert parser_of(words).parse_args(words).command == words[0]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder with the files that the examples name."""
    rng = np.random.default_rng(0)
    for name in ("before", "after", "a", "b", "monday", "tuesday"):
        rows = np.round(rng.normal(size=(40, 2)), 3)
        np.savetxt(tmp_path / f"{name}.csv", rows, delimiter=",", header="age,weight", comments="")
    trial = [f"{rng.normal():.3f},{arm}" for arm in ("placebo", "drug") for _ in range(30)]
    (tmp_path / "trial.csv").write_text("\n".join(["dose,arm", *trial]) + "\n")
    sensor = [f"2026-03-{1 + i:02d},{rng.normal():.3f},{rng.normal():.3f}" for i in range(30)]
    (tmp_path / "sensor.csv").write_text("\n".join(["day,temperature,pressure", *sensor]) + "\n")
    (tmp_path / "example_study.py").write_text("def study(n, seed):\n    return {'loss': n + seed % 7}\n")
    (tmp_path / "study.toml").write_text("study = 'example_study:study'\nreplicates = 2\n[axes]\nn = [1, 2]\n")
    monkeypatch.chdir(tmp_path)
    return tmp_path


QUICK = ("list", "cite", "completion", "test", "report", "scan", "sketch", "sweep", "export")


@pytest.mark.thorough
@pytest.mark.parametrize("name", QUICK)
def test_examples_run(name, folder):
    """One after the other, as one is made of what another wrote; --fail may end with 1 and nothing else may."""
    for words in examples_of(name):
        words = [*words, "--executor", "serial"] if name == "sweep" else words
        try:
            main(words)
        except SystemExit as end:
            code = end.code
        else:
            code = 0
        assert code == 0 or (code == 1 and "--fail" in words)


@pytest.mark.parametrize("columns", ["40", "80", "3"])
def test_help_fits_the_terminal(columns, monkeypatch, capsys):
    monkeypatch.setenv("COLUMNS", columns)
    for name in COMMANDS:
        assert exit_code([name, "--help"]) == 0
    lines = capsys.readouterr().out.splitlines()
    texts = [line for line in lines if not line.startswith((" ", "usage"))]
    assert max(map(len, texts)) <= max(int(columns), 40)


# exit codes
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Refusal("no"), 2),
        (FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), "nowhere.csv"), 2),
        (PermissionError(errno.EACCES, os.strerror(errno.EACCES), "secret.csv"), 2),
        (OSError(errno.ENOSPC, os.strerror(errno.ENOSPC)), 2),
        (ConnectionError("openml.org cannot be reached."), 2),
        (MemoryError(), 2),
        (ZeroDivisionError("division by zero"), 3),
        (KeyError("lam"), 3),
        (AssertionError(), 3),
        (RecursionError(), 3),
    ],
)
def test_a_fault_of_the_program_is_no_refusal(error, code, monkeypatch, capsys):
    def fail(options):
        raise error

    monkeypatch.setattr(command("list"), "run", fail)
    assert exit_code(["list"]) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert ("Traceback" in err, VERSION in err) == (code == 3, code == 3)
    assert err.splitlines()[-1].startswith("explorer list: ")
    if getattr(error, "filename", None):
        assert error.filename in err


@pytest.mark.parametrize(
    "words",
    [[], ["nope"], ["list", "nope"], ["test"], ["test", "a.csv", "--nope"], ["--nope"], ["serve", "--port", "x"]],
    ids=" ".join,
)
def test_what_argparse_refuses_ends_with_two(words, capsys):
    assert exit_code(words) == 2
    assert "usage: explorer" in capsys.readouterr().err


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("streams", "code"), [(">/dev/full", 2), (">&-", 0), ("2>&-", 0), (">&- 2>&-", 0), ("2>/dev/full", 0)]
)
def test_a_stream_that_takes_nothing(streams, code):
    line = f"{shlex.quote(sys.executable)} -m explorer list kernels {streams}"
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True)
    assert done.returncode == code
    assert "Traceback" not in done.stderr


# letters
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "ascii_"),
    [
        ("λ ≤ σ² × 10⁻³", "lambda <= sigma^2 x 10^-3"),
        ("dσ², tr(Σ∇²), 2θ, γ_max, λ0", "d sigma^2, tr(Sigma grad^2), 2theta, gamma_max, lambda0"),
        ("−5 ± 1 °C, 3 µg", "-5 +/- 1 deg C, 3 ug"),
        ("Größe, Zürich, Łódź", "Grosse, Zurich, Lodz"),
        ("“a”… n\u00a0=\u20095", '"a"... n = 5'),
        ("x² ²", "x^2 ^2"),
        ("東 \udcff", "\\u6771 \\udcff"),
    ],
)
def test_letters_have_words(text, ascii_):
    assert text.encode("ascii", HANDLER).decode() == ascii_


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_what_an_encoding_has_stays(encoding):
    """And no text of Unicode is an error, or a question mark; digits never run into an exponent."""
    for text in ("λ ≤ σ² × 10⁻³", "10¹⁰", "naïve 東京 μm", *WORDS):
        said = text.encode(encoding, HANDLER).decode(encoding)
        assert "?" not in said
        for letter in text:
            known = letter.encode(encoding, "ignore") != b""
            assert not known or letter in said or letter in "³"  # which is written as ^-3 next to ⁻
    assert "10¹0" not in "10¹⁰".encode(encoding, HANDLER).decode(encoding)


def test_every_greek_letter_has_its_name():
    for number in [*range(0x391, 0x3A2), *range(0x3A3, 0x3AA), *range(0x3B1, 0x3C2), *range(0x3C3, 0x3CA)]:
        name = unicodedata.name(chr(number)).split()[-1].replace("LAMDA", "LAMBDA")
        expected = name.lower() if "SMALL" in unicodedata.name(chr(number)) else name.capitalize()
        assert chr(number).encode("ascii", HANDLER).decode() == expected


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("words", [["list", "labs", "shrinkage"], ["list", "errata", "E-4"], ["--help"]], ids=" ".join)
def test_a_terminal_of_few_letters(encoding, words, monkeypatch):
    written = io.BytesIO()
    monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, encoding))
    if words == ["--help"]:
        assert exit_code(words) == 0
    else:
        main(words)
    sys.stdout.flush()
    said = written.getvalue().decode(encoding)
    assert words[-1].strip("-") in said
    assert ("lambda" in said) == (words != ["--help"])


def test_a_table_on_a_terminal_of_few_letters(tmp_path, monkeypatch):
    """Sentences are spelled, JSON has escapes, and CSV is UTF-8 as in a file."""
    rng = np.random.default_rng(0)
    for name in "ab":
        rows = [f"{rng.normal():.3f},{rng.choice(['Köln', '東京'])}" for _ in range(20)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["σ_größe,stadt", *rows]) + "\n", encoding="utf-8")
    files = [str(tmp_path / "a.csv"), str(tmp_path / "b.csv"), "--resamples", "9"]
    (tmp_path / "letter_study.py").write_text("def study(σ, seed):\n    return {'λ': σ}\n", encoding="utf-8")
    (tmp_path / "s.toml").write_text("study = 'letter_study:study'\n[axes]\n'σ' = [1, 2]\n", encoding="utf-8")
    said = {}
    for kind, words in {
        "text": ["test", *files, "--all"],
        "json": ["test", *files, "--json"],
        "csv": ["sweep", str(tmp_path / "s.toml"), "--executor", "serial", "--csv", "-"],
    }.items():
        written = io.BytesIO()
        monkeypatch.setattr(sys, "stdout", io.TextIOWrapper(written, "ascii"))
        main(words)
        sys.stdout.flush()
        said[kind] = written.getvalue()
    assert b"sigma_grosse" in said["text"]
    assert json.loads(said["json"].decode("ascii"))["columns"] == ["σ_größe", "stadt"]
    assert said["csv"].decode("utf-8").splitlines()[0].startswith("σ,replicate,λ")


# python -OO
# ----------------------------------------------------------------------------------------------


def test_the_source_has_the_same_docstrings():
    things = [getattr(explorer, name) for name in dir(explorer) if not name.startswith("_")]
    own = [thing for thing in things if vars(thing).get("__doc__") or inspect.isfunction(thing)]
    assert len(own) > 100
    wrong = [thing for thing in own if inspect.getdoc(inspect.unwrap(thing)) not in (from_source(thing), None)]
    assert wrong == []
    assert docstring(explorer.FKMSE) == from_source(explorer.FKMSE)
    assert (from_source(len), from_source(5)) == ("", "")


@pytest.mark.thorough
@pytest.mark.parametrize("words", ["list kernels", "list", "list errata", "cite FKMSE mmd_test", "test --help"])
def test_without_docstrings_it_prints_the_same(words):
    """`python -OO -m explorer list` ended in IndexError, and cite found no papers."""
    outputs = [
        subprocess.run([sys.executable, *flags, "-m", "explorer", *words.split()], capture_output=True, text=True)
        for flags in (["-OO"], [])
    ]
    assert [(each.returncode, each.stderr) for each in outputs] == [(0, "")] * 2
    assert outputs[0].stdout == outputs[1].stdout


def test_nothing_rests_on_an_assertion():
    """python -O leaves assertions out; doctests and tests may have them, and the package has none."""
    root = os.path.dirname(explorer.__file__)
    found = []
    for folder, _, files in os.walk(root):
        for name in (name for name in files if name.endswith(".py")):
            with open(os.path.join(folder, name), encoding="utf-8") as file:
                found += [name for line in file if re.match(r"\s*assert\b", line)]
    assert found == []


# names of options
# ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("words", [["test", "a", "b"], ["report", "a", "b"], ["scan", "a"]], ids=lambda w: w[0])
def test_permutations_have_one_name_and_its_aliases(words):
    taken = [
        parser_of(words).parse_args([*words, option, "7"]).n_resamples
        for option in ("--n-resamples", "--resamples", "--permutations")
    ]
    assert taken == [7, 7, 7]
    function = explorer.scan if words[0] == "scan" else explorer.compare
    default = inspect.signature(function).parameters["n_resamples"].default
    assert parser_of(words).parse_args(words).n_resamples == default


# completion
# ----------------------------------------------------------------------------------------------


def completions(line, monkeypatch):
    """How a shell completes a line."""
    monkeypatch.setenv("_ARGCOMPLETE", "1")
    monkeypatch.setenv("_ARGCOMPLETE_IFS", "\n")
    monkeypatch.setenv("_ARGCOMPLETE_SUPPRESS_SPACE", "1")
    monkeypatch.setenv("COMP_LINE", line)
    monkeypatch.setenv("COMP_POINT", str(len(line)))
    said = io.StringIO()
    finder = argcomplete.CompletionFinder()
    finder._init_debug_stream = lambda: None  # it would take a descriptor of pytest's
    finder(parser_of(line.split()[1:]), exit_method=lambda code: None, output_stream=said)
    return said.getvalue().split("\n")


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("explorer re", {"report", "reproduce"}),
        ("explorer --v", {"--version"}),
        ("explorer test --gr", {"--groups"}),
        ("explorer test a.csv --missing ", {"value", "drop", "refuse"}),
        ("explorer export shr", {"shrinkage"}),
        ("explorer film kernel", {"kernel_pca"}),
        ("explorer list est", {"estimators"}),
        ("explorer list estimators FK", {"FKMSE"}),
        ("explorer list datasets wi", {"wine"}),
        ("explorer list labs twos", {"twosample"}),
        ("explorer cite hsicagg", {"hsicagg_test"}),
        ("explorer reproduce marginalized-table-", {f"marginalized-table-{i}" for i in (1, 2, 3, 4)}),
        ("explorer completion ", {"bash", "zsh", "fish"}),
    ],
)
def test_a_line_is_completed(line, found, monkeypatch):
    said = set(completions(line, monkeypatch)) - {"-h", "--help"}
    assert {each for each in said if not (line.endswith(" ") and each.startswith("-"))} == found


def test_files_and_presets_complete(tmp_path, monkeypatch):
    (tmp_path / "before.csv").touch()
    monkeypatch.chdir(tmp_path)
    for line in ("explorer report be", "explorer report x.csv be", "explorer sweep be", "explorer report x -o be"):
        assert completions(line, monkeypatch) == ["before.csv"]
    said = completions("explorer export shrinkage --preset ", monkeypatch)
    presets = [preset.name for preset in content_of("shrinkage").presets]
    assert [shlex.split(each)[0] for each in said] == presets
    keys = {story.key for story in content_of("twosample").stories}
    assert set(completions("explorer film twosample --story ", monkeypatch)) == keys


def test_completion_names_every_lab(monkeypatch):
    found = set(completions("explorer export ", monkeypatch))
    assert set(registry.names()) <= found


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_script_of_a_shell(shell, capsys):
    main(["completion", shell])
    script = capsys.readouterr().out
    assert "explorer" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=script, text=True, check=True)


@pytest.mark.thorough
@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_a_real_bash_completes(tmp_path):
    program = tmp_path / "explorer"
    program.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m explorer "$@"\n')
    program.chmod(0o755)
    asked = "COMP_LINE='explorer reprod'; COMP_POINT=15; COMP_TYPE=9; _python_argcomplete explorer"
    line = f'eval "$(explorer completion bash)"; {asked}; printf "%s\\n" "${{COMPREPLY[@]}}"'
    env = {**os.environ, "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(["bash", "-c", line], capture_output=True, text=True, env=env)
    assert done.stdout.split() == ["reproduce"], done.stderr


def test_only_the_command_that_is_named_is_loaded():
    """Help and completion of one command wait for no other's imports."""
    parser = parser_of(["list"])
    (commands,) = (each for each in parser._actions if isinstance(each, argparse._SubParsersAction))
    assert {name for name, each in commands.choices.items() if len(each._actions) > 1} == {"list"}


@pytest.mark.thorough
def test_a_package_that_cannot_be_loaded_is_a_fault(tmp_path):
    """It fails before the command line is there; Python's own exit code for it is 1."""
    (tmp_path / "numpy.py").write_text("raise ImportError('no library of linear algebra')\n")
    path = os.pathsep.join([str(tmp_path), *filter(None, sys.path)])
    line = [sys.executable, "-m", "explorer", "list"]
    done = subprocess.run(line, capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    assert done.returncode == 3
    assert done.stderr.splitlines()[-1] == "ImportError: no library of linear algebra"
