"""Print how much a new environment takes with this package, its core, and libraries for the same tests.

`python tests/release/installed_sizes.py` prints the table of the guide's page on installing; it asks the package index.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from core_distribution import ROOT, build


def size_of(what, place):
    """Return (megabytes, number of packages) of a new environment with a package, before it runs for the first time."""
    python = ("--python", place / "bin" / "python")
    subprocess.run(["uv", "venv", "--quiet", "--python", sys.executable, place], check=True)
    subprocess.run(["uv", "pip", "install", "--quiet", *python, what], check=True)
    listed = subprocess.run(["uv", "pip", "freeze", *python], check=True, capture_output=True, text=True).stdout
    return sum(each.lstat().st_size for each in place.rglob("*")) / 1e6, len(listed.splitlines())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        core = next(each for each in build(Path(folder, "core")) if each.suffix == ".whl")
        packages = {"kernel-mean-explorer": ROOT, "kernel-mean-explorer-core": core, "hyppo": "hyppo", "dcor": "dcor"}
        print("| Installed | MB | Packages |\n|---|---|---|")  # noqa: T201
        for name, what in packages.items():
            megabytes, count = size_of(what, Path(folder, name))
            print(f"| `{name}` | {megabytes:.0f} | {count} |")  # noqa: T201
