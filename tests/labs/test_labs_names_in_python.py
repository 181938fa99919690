"""Copied Python of tables whose names are code, quotes or line breaks: apart from the names it equals that of name x.

Every lab that takes the user's tables, every role that a column, a group or a file has there, and the report's calls.
"""

from __future__ import annotations

import ast
import csv
import io
import json
import re
import tokenize
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from every_lab import ROWS, TAKING_TABLES, few_samples, finished_sweep
from helpers.page_helpers import open_page

from explorer.comparison import compare, compare_groups
from explorer.comparison.calls import call_of
from explorer.datasets import read_bags, read_string_classes, read_table, read_tables
from explorer.datasets.files.parsed_file import ParsedFile
from explorer.pages import page_class
from explorer.pages.report.comparison_request import ReportInput
from explorer.recipe import Name, Script, pasted, recipe
from explorer.workbench import registry
from explorer.workbench.study import subjects

PACKAGE = Path(__file__).parents[2] / "explorer"
CALL = "__import__('os')._exit(3)"
ENDS = ["\n", "\r", "\r\n", "\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"]
WORDS = (
    *(f"u{end}{CALL}#" for end in ENDS),
    *(f"u{quote}+{CALL}+{quote}" for quote in ("'", '"', "'''", '"""')),
    f"#{CALL}", "\\", "\\'", '\\"', "u\\\n" + CALL, "{}", "{0}", "{x!r}", "{{", "%s", "$x", "`x`", "f'{1}'", "\\u000a",
    "\\N{LINE SEPARATOR}", "\u202eu", "u\u200b", "\N{COMBINING ACUTE ACCENT}", "coding: utf-7", "\ufeffu", "\x7f", "🙂",
    "None", "1", "x # y",
)  # fmt: skip
WORST = "u\n" + CALL + "\u2028\x85\v\f\r" + "'\"\"\"'''#\\{}{0}%s"
UNREAD = ("\0", "\udc80", "\ud800\n")  # what no file has, and a link or a frame may


@pytest.fixture(autouse=True)
def few(monkeypatch):
    """Studies take few samples."""
    few_samples(monkeypatch)


def raw(names, rows):
    """Return the bytes of a CSV file."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n", quoting=csv.QUOTE_ALL)
    writer.writerow(names)
    writer.writerows(rows)
    return text.getvalue().encode()


@cache
def named(word):
    """Return files whose columns, groups and names begin with a word.

    They have rows in two groups, days, bags of five rows, and reads.
    """
    rng = np.random.default_rng(0)
    p, q, r, who, day, bag = names = [f"{word}{role}" for role in ("p", "q", "r", "who", "day", "bag")]
    a, b = labels = [f"{word}a", f"{word}b"]
    rows = [
        [
            *(f"{value:.4f}" for value in values),
            labels[i // 5 % 2],
            f"2026-{1 + i // 28:02}-{1 + i % 28:02}",
            f"{i // 5}",
        ]
        for i, values in enumerate(rng.standard_normal((40, 3)))
    ]
    classes = [re.sub('[\\s",]', "", label) for label in labels]  # a class is a word in a line
    reads = "".join(f"{classes[i % 2]},{''.join(rng.choice(list('ACGT'), 6))}\n" for i in range(40)).encode()
    some = dict(
        classes=classes, p=p, q=q, r=r, who=who, day=day, bag=bag, a=a, b=b, file=f"{word}.csv", other=f"{word}2.csv"
    )
    return SimpleNamespace(**some, rows=raw(names, rows), less=raw(names, rows[:30]), reads=reads)


def lab_of_one(name, on, chosen=("p", "q", "r"), **fields):
    """Return a lab of one table with the chosen columns."""
    lab = registry.entry(name).lab
    chosen = [getattr(on, role) for role in chosen]
    standardise = fields.get("standardise", "standardise" in lab.fields and name != "monk")
    time = {"time": fields["time"]} if "time" in fields else {}
    own = read_table(on.rows, chosen, "drop", standardise, name=on.file, lenient=True, **time)
    columns = {} if name in ("causes", "drift") else {"columns": json.dumps(chosen)}
    return own, {"n": 20, "columns": json.dumps(chosen), "rows": own.n, "hash": own.hash, **columns, **fields}


def lab_of_two(on, second=False, **fields):
    """Return a lab of two samples: the groups of one table, or two tables."""
    chosen = [on.p, on.q, on.r]
    target = {} if second else {"target": on.who}
    sources = ([on.rows, on.less], [on.file, on.other]) if second else ([on.rows], [on.file])
    tables = read_tables(sources[0], chosen, "drop", "none", names=sources[1], lenient=True, **target)
    named = {"file2": on.other, "hash2": tables[-1].hash} if second else {"group": on.who}
    return tables, {"columns": json.dumps(chosen), "rows": tables[0].n, "hash": tables[0].hash, **named, **fields}


def cases():
    """id -> (lab, a function of `named` to its table and its fields)."""
    rest = {"source": "file", "missing": "drop", "lenient": True}
    yield "drift", "drift", lambda on: lab_of_one("drift", on, **rest, time=on.day)
    roles = {"column_x": "q", "column_y": "r", "column_z": "p"}
    for asks in ("given", "joint", "direction"):
        yield (
            f"causes, {asks}",
            "causes",
            lambda on, asks=asks: lab_of_one(
                "causes", on, **rest, asks=asks, **{role: getattr(on, column) for role, column in roles.items()}
            ),
        )
    for name, pictures in {"conditional": ("cut", "bayes", "filter"), "independence": ("pair", "columns")}.items():
        for picture in pictures:
            more = {"path": "rows"} if picture == "filter" else {}
            yield f"{name}, {picture}", name, lambda on, name=name, picture=picture, more=more: lab_of_one(
                name, on, **rest, **more, picture=picture, x=json.dumps([on.r, on.p]),
                y=json.dumps([on.q]) if name == "conditional" else on.q,
            )  # fmt: skip
    both = {"laws": "file", "missing": "drop", "lenient": True, "outliers": 0}
    yield (
        "monk, columns",
        "monk",
        lambda on: lab_of_one("monk", on, **both, blocks=5, x=json.dumps([on.r]), y=json.dumps([on.p])),
    )
    for second in (False, True):
        word = "two files" if second else "groups"
        yield f"monk, {word}", "monk", lambda on, second=second: lab_of_two(on, second, **both, n=15, blocks=5)
        for name, states in {
            "twosample": ({}, {"dropped": '["P1"]', "moved_q": '{"1": [0, 1]}'}),
            "adaptation": ({}, {"picture": "treatment"}, {"picture": "domains"}, {"standardise": False}),
        }.items():
            for i, state in enumerate(states):
                yield (
                    f"{name}, {word}, {i}",
                    name,
                    lambda on, second=second, state=state: lab_of_two(on, second, **rest, n=15, m=12, **state),
                )
    yield "distributions, bags", "distributions", bags
    yield "distributions, cut", "distributions", cut
    yield "dna, classes", "dna", reads


def every_case():
    """Return {id: case}, for labs without cases of their own with a table whose columns have no roles."""
    rest = {"source": "file", "missing": "drop", "lenient": True}
    own = {word: case for word, *case in cases()}
    others = set(TAKING_TABLES) - {name for name, _ in own.values()}
    return own | {name: (name, lambda on, name=name: lab_of_one(name, on, **rest)) for name in sorted(others)}


def bags(on):
    own = read_bags(on.rows, on.bag, on.who, [on.p, on.q], missing="drop", lenient=True, standardise=True, name=on.file)
    fields = {"bag_column": on.bag, "label_column": on.who, "columns": json.dumps([on.p, on.q])}
    return own, {"source": "file", "rows": own.n, "hash": own.hash, "missing": "drop", "lenient": True, **fields}


def cut(on):
    own = read_table(on.rows, [on.p, on.q], "drop", True, target=on.who, name=on.file, lenient=True)
    fields = {"label_column": on.who, "columns": json.dumps([on.p, on.q]), "bags": 8, "n": 5}
    return own, {"source": "file", "rows": own.n, "hash": own.hash, "missing": "drop", "lenient": True, **fields}


def reads(on):
    own = read_string_classes(on.reads, on.file)
    groups = json.dumps(on.classes[::-1])
    return own, {"source": "file", "rows": own.n, "hash": own.hash, "groups": groups, "n": 6, "blocks": 1, "flips": 40}


CASES = every_case()


def python_of(case, word):
    """Return the script of a lab on files named after a word."""
    name, make = CASES[case]
    on = named(word)
    own, fields = make(on)
    taken = {"permutations": "199"} if "permutations" in registry.entry(name).lab.fields else {}
    lab = registry.entry(name).lab().replace(file=on.file, **taken, **fields)
    lab.own = own
    return registry.role(name, "script").python(lab.result())


class Blank(ast.NodeTransformer):
    """Text constants without their text."""

    def visit_Constant(self, node):
        return ast.Constant("") if isinstance(node.value, str) else node


def shape(python):
    """Return the tree of a script without its string constants, and the lines that have comments."""
    compile(python, "<copied>", "exec")
    tokens = tokenize.generate_tokens(io.StringIO(pasted(python), newline="\n").readline)
    return ast.dump(Blank().visit(ast.parse(python))), [t.start[0] for t in tokens if t.type == tokenize.COMMENT]


@cache
def plain_shape(case):
    return shape(python_of(case, "x"))


def test_every_lab_that_takes_a_file_has_cases():
    taking = {name for name in ROWS if "file" in registry.entry(name).lab.fields}
    assert {name for name, _ in CASES.values()} == taking


@pytest.mark.parametrize("case", CASES)
def test_the_worst_name_is_nothing_but_a_name(case):
    assert shape(python_of(case, WORST)) == plain_shape(case)


@pytest.mark.thorough
@pytest.mark.parametrize("word", WORDS, ids=ascii)
@pytest.mark.parametrize("case", CASES)
def test_any_name_is_nothing_but_a_name(case, word):
    assert shape(python_of(case, word)) == plain_shape(case)


# the report's, and what commands and notebooks repeat


def calls_of(word):
    """Yield the scripts of comparisons whose files, columns or groups are named after a word."""
    p, q, who, file, other = (f"{word}{role}" for role in ("p", "q", "who", ".csv", "2.csv"))
    frame = np.zeros((2, 2))
    given = [
        (file, other, {"columns": [p, q]}),
        (Path(p) / file, [other, file], {"within": who}),
        (file, None, {"by": who, "groups": [q, p], "reference": p}),
        (file, other, {"given": [q], "columns": (p,), "order": {p: [q]}}),
        (frame, [frame, frame], {"columns": {p: q}}),
    ]
    yield from (call_of(compare, a, b, rng=0, **options) for a, b, options in given)
    yield call_of(compare_groups, file, None, by=who, columns=[p])
    pages = [
        ReportInput(ParsedFile(file, b""), ParsedFile(other, b""), within=who),
        ReportInput(ParsedFile(file, b""), by=who, reference=q),
        ReportInput(ParsedFile(file, b""), ParsedFile(file, b"")),  # equal names in two folders
    ]
    yield from (page._python() for page in pages)


@pytest.mark.parametrize("word", [*WORDS, *UNREAD, WORST], ids=ascii)
def test_calls_of_the_report_hold_names_as_texts_alone(word):
    assert list(map(shape, calls_of(word))) == list(map(shape, calls_of("x")))


def test_a_sweep_holds_texts_alone():
    python = registry.role("sweep", "script").python
    first, second = (python(finished_sweep({"measure": measure}).result()) for measure in sweeps_measured())
    assert first != second
    assert shape(first) == shape(second)


def sweeps_measured():
    """Return two numbers of the lab that a sweep opens with."""
    return list(subjects()[registry.entry("sweep").lab().lab].measures)[:2]


# the type


def script_of(value):
    """Return a script that has a value as code and in a comment."""

    @recipe
    def steps():
        x = value  # {value}
        y = 1
        assert x is not y

    return steps.script()


@pytest.mark.parametrize("word", [*WORDS, *UNREAD, WORST], ids=ascii)
def test_a_value_is_read_back_and_a_comment_stays_in_its_line(word):
    python = script_of({word: [word, (word,)]})
    exec(compile(python, "<copied>", "exec"), space := {})
    assert space["x"] == {word: [word, (word,)]}
    assert space["y"] == 1
    assert len(python.splitlines()) == 3
    python.encode()  # it can be copied, and written into a file


class Named:
    """A value whose code is a name's."""

    def __init__(self, text):
        self.text = text

    def __repr__(self):
        return self.text


def test_plain_text_is_no_python():
    name = f"{CALL}  # a column"
    with pytest.raises(TypeError, match="takes a Script"):
        pasted(name)
    for wrong in (name, "exit(3)", "x", "lambda: 1", "[x for x in ()]", "1 +", "mmd_test(1, 2)", "load('wine')"):
        for value in (Named(wrong), [Named(wrong)], {1: Named(wrong)}):
            with pytest.raises(TypeError, match="cannot rebuild"):
                script_of(value)
    for wrong in (name, "a.b", "class", ""):
        with pytest.raises(ValueError, match="is no name"):
            script_of(Name(wrong))
    python = script_of(1)
    for lost in (python.upper(), python * 2, python[:1], python + name, f"{python}", "{}".join([python])):
        assert not isinstance(lost, Script)


def test_a_page_shows_no_script_of_plain_text(monkeypatch):
    page = open_page(page_class("marginalized"))
    plain = str(page.python(page.result))
    monkeypatch.setattr(page, "python", lambda result: plain)
    with pytest.raises(TypeError, match="takes a Script"):
        page.chrome.catch_up(page.result)


def test_scripts_are_what_recipes_print():
    """Nothing else makes a script of a text, which may contain names."""
    printed = 0
    for path in sorted(PACKAGE.rglob("*.py")):
        if "recipe" not in (source := path.read_text("utf-8")) or path.name == "recipe.py":
            continue
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.Call):
                called = getattr(node.func, "id", getattr(node.func, "attr", ""))
                assert called != "Script" or not node.args, (path, node.lineno)
                printed += called == "script"
    assert printed > 20
