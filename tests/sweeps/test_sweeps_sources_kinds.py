"""Each kind of code and value that a study may reach is a source: a change of it is noticed."""

import importlib
import sys

import pytest

from explorer.sweeps.sources import changes, sources_of

MINE = """
import functools, enum, dataclasses
import numpy as np
class Base:
    def run(self, x): return x + 1
class Child(Base):
    rate = 0.5
    @property
    def p(self): return 1
    @classmethod
    def c(cls, x): return x * 2
    @staticmethod
    def s(x): return x * 3
    def go(self, x): return self.run(x) * self.rate + self.p + self.c(x) + self.s(x)
class Slots:
    __slots__ = ("a",)
    def __init__(self, a): self.a = a
@dataclasses.dataclass
class Config:
    trim: float = 0.1
class Kind(enum.Enum):
    A = 1
    B = 2
def deco(f):
    @functools.wraps(f)
    def inner(*a, **k): return f(*a, **k) + 7
    return inner
@deco
def decorated(x): return x + 8
@functools.lru_cache
def memo(x): return x + 9
CONFIG = Config()
SLOTS = Slots(11)
TABLE = {"f": lambda x: x + 12, "k": Kind.A}
OBJ = Child()
PART = functools.partial(decorated, 3)
def gen(x): yield x + 13
def inside(x):
    def deep(y): return y + 14
    return sum(deep(i) for i in range(3)) + sum([i + 15 for i in range(3)])
def default(x, f=decorated): return f(x)
class Meta(type):
    def __call__(cls, *a): return super().__call__(*a)
class WithMeta(metaclass=Meta):
    value = 16
def uses_kind(x): return x if TABLE["k"] is Kind.A else 17
"""
STUDIES = """
from swept_kinds import *
import swept_kinds as m
def a(n, seed): return {"x": Child().go(n)}
def b(n, seed): return {"x": SLOTS.a + CONFIG.trim}
def c(n, seed): return {"x": TABLE["f"](n)}
def d(n, seed): return {"x": OBJ.go(n)}
def e(n, seed): return {"x": PART()}
def f(n, seed): return {"x": next(gen(n))}
def g(n, seed): return {"x": inside(n)}
def h(n, seed): return {"x": default(n)}
def i(n, seed): return {"x": m.memo(n)}
def j(n, seed): return {"x": WithMeta().value}
def k(n, seed): return {"x": uses_kind(n)}
def l(n, seed): return {"x": m.decorated(n)}
"""
CASES = [  # study, old text, new text
    ("a", "x + 1\n", "x + 2\n"),
    ("a", "rate = 0.5", "rate = 0.6"),
    ("a", "return 1\n", "return 2\n"),
    ("a", "x * 2", "x * 4"),
    ("a", "x * 3", "x * 5"),
    ("b", "Slots(11)", "Slots(12)"),
    ("b", "trim: float = 0.1", "trim: float = 0.2"),
    ("c", "x + 12", "x + 13"),
    ("d", "x + 1\n", "x + 3\n"),
    ("d", "rate = 0.5", "rate = 0.6"),
    ("e", "x + 8", "x + 9"),
    ("e", "decorated, 3", "decorated, 4"),
    ("e", "+ 7", "+ 6"),
    ("f", "x + 13", "x + 14"),
    ("g", "y + 14", "y + 15"),
    ("g", "i + 15", "i + 16"),
    ("h", "x + 8", "x + 9"),
    ("h", "f=decorated", "f=memo"),
    ("i", "x + 9", "x + 10"),
    ("j", "value = 16", "value = 18"),
    ("j", "super().__call__(*a)", "super().__call__()"),
    ("k", "A = 1", "A = 3"),
    ("k", '"k": Kind.A', '"k": Kind.B'),
    ("l", "+ 7", "+ 6"),
    ("l", "x + 8", "x + 1"),
]


@pytest.fixture
def load(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(tmp_path))

    def imported(mine):
        for name, text in (("swept_kinds", mine), ("swept_kinds_studies", STUDIES)):
            (tmp_path / f"{name}.py").write_text(text)
            sys.modules.pop(name, None)
        for cached in (tmp_path / "__pycache__").glob("*"):
            cached.unlink()
        importlib.invalidate_caches()
        return importlib.import_module("swept_kinds_studies")

    yield imported
    for name in ("swept_kinds", "swept_kinds_studies"):
        sys.modules.pop(name, None)


@pytest.mark.parametrize(("name", "old", "new"), CASES)
def test_a_change_of_any_kind_is_noticed(load, name, old, new):
    assert old in MINE
    first = sources_of(getattr(load(MINE), name))
    assert changes(first, sources_of(getattr(load(MINE), name))) == ""
    assert "changed since" in changes(first, sources_of(getattr(load(MINE.replace(old, new, 1)), name)))
