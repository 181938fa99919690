"""Try the pages with the releases of their libraries that no environment of continuous integration has.

`python tests/release/library_releases.py` asks the package index for all releases. Those between the oldest and the
newest that pyproject.toml allows must pass the tests of QUICK; `3/8` takes a share of them. A newer one that it
excludes must fail one of them; otherwise its bound is too low.
"""

import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.version import Version

ROOT = Path(__file__).parents[2]
LIBRARIES = ("bokeh", "panel", "holoviews", "param", "panel-material-ui")
QUICK = ["tests/pages/patches", "tests/pages/test_pages_wire.py", "tests/served/test_served_moves.py"]
PLUGINS = ("-benchmark", "-randomly", "-rerunfailures", "-timeout", "-xdist")
TOOLS = ["hypothesis", "playwright", *(f"pytest{part}" for part in ("", *PLUGINS))]


def bounds():
    """Return the versions of each library that pyproject.toml allows."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    required = map(Requirement, project["dependencies"])
    return {each.name: each.specifier for each in required if each.name in LIBRARIES}


def releases(name):
    """Return the releases of a library for this Python, the newest first."""
    said = subprocess.run(
        [sys.executable, "-m", "pip", "index", "versions", name], capture_output=True, text=True, check=True
    )
    return [Version(each) for each in re.search(r"Available versions: (.*)", said.stdout)[1].split(", ")]


def rounds(allowed):
    """Return as few sets of requirements as contain every release between the oldest and the newest once."""
    between = {name: each[1:-1] for name, each in allowed.items()}
    most = max(map(len, between.values()))
    return [[f"{name}=={each[i]}" for name, each in between.items() if i < len(each)] for i in range(most)]


def passes(wanted, bounded=True):
    """Return whether the quick tests pass with these releases, in an environment of their own."""
    with tempfile.TemporaryDirectory() as folder:
        python = Path(folder, "bin", "python")
        subprocess.run(["uv", "venv", "--quiet", "--python", sys.executable, folder], check=True)
        install = ["uv", "pip", "install", "--quiet", "--python", python, *TOOLS]
        if bounded:
            subprocess.run([*install, ROOT, *wanted], check=True)
        else:  # pip's own resolver would refuse what pyproject.toml excludes
            subprocess.run([*install, ROOT], check=True)
            subprocess.run([*install, *wanted], check=True)
        tests = [python, "-m", "pytest", "-q", "-p", "no:randomly", "--durations=0", "-m", "not slow", *QUICK]
        return subprocess.run(tests, cwd=ROOT, check=False).returncode == 0


def of_share(sets, share):
    """Return the sets of a share such as "3/8": eight shares in a row have all of them."""
    number, count = map(int, share.split("/"))
    return [each for i, each in enumerate(sets) if i % count == (number - 1) % min(count, len(sets))]


if __name__ == "__main__":
    failed, specifiers = [], bounds()
    found = {name: releases(name) for name in specifiers}
    sets = rounds({name: [*specifiers[name].filter(each)] for name, each in found.items()})
    for wanted in of_share(sets, sys.argv[1] if len(sys.argv) > 1 else "1/1"):
        print("==", *wanted, "==", flush=True)  # noqa: T201
        if not passes(wanted):
            failed.append(f"the tests fail with {' '.join(wanted)}")
    for name, each in found.items():
        if each[0] not in specifiers[name]:
            print("==", name, each[0], "==", flush=True)  # noqa: T201
            if passes([f"{name}=={each[0]}"], bounded=False):
                failed.append(f"{name} {each[0]} passes the tests, but pyproject.toml has {name}{specifiers[name]}")
    sys.exit("\n".join(failed) or None)
