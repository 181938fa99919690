"""Build `kernel-mean-explorer-core`: the same package without what pages, plots and sweeps need.

`python tests/release/core_distribution.py dist` writes its wheel and source distribution into the folder. The
dependencies are those of pyproject.toml that [tool.explorer] names; the extra `all` has the others.
"""

import re
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[2]
NAME = "kernel-mean-explorer"
TREE = ("explorer", "notebooks", "README.md", "LICENSE")
ABOUT = "Kernel means, two-sample and independence tests: the mathematics of Kernel Mean Explorer, without its pages."


def metadata(text):
    """Return the text of a pyproject.toml as that of the core: its name, dependencies, extras and entry points."""
    given = tomllib.loads(text)
    core, needed = set(given["tool"]["explorer"]["core"]), given["project"]["dependencies"]
    light = [each for each in needed if re.match(r"[\w-]+", each)[0] in core]
    extras = {"all": [each for each in needed if each not in light], **given["project"]["optional-dependencies"]}
    del extras["dev"]
    text = text.replace(f'name = "{NAME}"', f'name = "{NAME}-core"', 1)
    text = re.sub(r'^description = ".*"$', f'description = "{ABOUT}"', text, count=1, flags=re.M)
    text = re.sub(r"^dependencies = \[\n.*?^\]\n", f"dependencies = {_listed(light)}\n", text, flags=re.M | re.S)
    lines = "".join(f"{name} = {_listed(packages)}\n" for name, packages in extras.items())
    text = re.sub(
        r"^\[project\.optional-dependencies\]\n.*?^(?=\[)",
        f"[project.optional-dependencies]\n{lines}\n",
        text,
        flags=re.M | re.S,
    )
    # Panel would load its plugin where another program has installed Panel
    return re.sub(r'^\[project\.entry-points\."panel\.io\.rest"\]\n.*?^(?=\[)', "", text, flags=re.M | re.S)


def _listed(packages):
    return "[" + ", ".join(f'"{each}"' for each in packages) + "]"


def build(out):
    """Build both distributions into a folder, and return the wheel and the source distribution."""
    with tempfile.TemporaryDirectory() as folder:
        for name in TREE:
            if (ROOT / name).is_dir():
                shutil.copytree(ROOT / name, Path(folder, name), ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(ROOT / name, folder)
        text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
        Path(folder, "pyproject.toml").write_text(metadata(text), encoding="utf-8")
        subprocess.run(["uv", "build", "--quiet", "--out-dir", Path(out).absolute(), folder], check=True)
    return [*Path(out).glob("kernel_mean_explorer_core-*.whl"), *Path(out).glob("kernel_mean_explorer_core-*.tar.gz")]


if __name__ == "__main__":
    for file in build(sys.argv[1]):
        print(file)  # noqa: T201
