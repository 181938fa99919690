"""Build the wheel, the source distribution and the core's wheel, and test each in a new environment.

`python tests/release/distributions.py` takes a minute, and asks the package index for what the package needs.
"""

import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.request import urlopen

from core_distribution import build

ROOT = Path(__file__).parents[2]
QUICK = """import explorer
print(explorer.__file__, explorer.__version__, explorer.KME().embed([[0.0], [1.0]]).weights.sum())"""
CORE = """import sys, explorer
explorer.mmd_test([0.0, 1.0, 2.0], [1.0, 2.0, 4.0], n_resamples=19)
print(explorer.__file__, "panel" in sys.modules, explorer.plot.__name__)"""
LEAST_SAVED = 0.5  # share of the installed bytes that the core saves
PATIENCE = 60  # seconds until a server must answer


def run(*command, cwd=None, fails=False):
    """Run a command in an environment without this checkout and return what it prints."""
    clean = {
        key: value for key, value in os.environ.items() if key not in ("PYTHONPATH", "VIRTUAL_ENV", "EXPLORER_DATA")
    }
    done = subprocess.run(command, cwd=cwd, env=clean, capture_output=True, text=True)
    if bool(done.returncode) is not fails:
        sys.exit(f"{' '.join(map(str, command))} ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def built(folder):
    """Build the wheel and the source distribution, check that an index would accept their metadata, and return them."""
    run("uv", "build", "--quiet", "--out-dir", folder, ROOT)
    files = [*folder.glob("*.whl"), *folder.glob("*.tar.gz")]
    said = run("uv", "tool", "run", "--quiet", "twine", "check", "--strict", *files)
    assert said.count("PASSED") == len(files) == 2, said
    return files


def installed(file, place):
    """Install a distribution alone, and return its interpreter and its command."""
    run("uv", "venv", "--quiet", "--python", sys.executable, place / "env")
    binaries = place / "env" / ("Scripts" if os.name == "nt" else "bin")
    run("uv", "pip", "install", "--quiet", "--python", binaries / "python", file)
    return binaries / "python", binaries / "explorer"


def megabytes(place):
    """Return the size of an environment."""
    return sum(each.lstat().st_size for each in (place / "env").rglob("*")) / 1e6


def tried_core(file, place):
    """Install the core alone, run a test and a command for tables, and ask for a page."""
    python, explorer = installed(file, place)
    where, loaded, name = run(python, "-c", CORE, cwd=place).split()
    assert Path(where).is_relative_to(place.resolve() / "env"), where
    assert (loaded, name) == ("False", "plot"), (loaded, name)
    (place / "a.csv").write_text("x,y\n" + "".join(f"{i},{i % 5}\n" for i in range(30)), encoding="utf-8")
    assert "No difference" in run(explorer, "test", "a.csv", "a.csv", cwd=place)
    said = run(explorer, "serve", "--no-open", cwd=place, fails=True)
    assert "python -m pip install 'kernel-mean-explorer-core[all]'" in said, said


def tried(file, place):
    """Install a distribution alone, and run the first commands of a new user."""
    python, explorer = installed(file, place)
    version = re.search(r"-(\d+\.\d+\.\d+)", file.name)[1]
    where, told, whole = run(python, "-c", QUICK, cwd=place).split()
    assert Path(where).is_relative_to(place.resolve() / "env"), where
    assert (told, float(whole)) == (version, 1.0), (told, whole)
    for words, expected in (
        (["--help"], "serve the labs"),
        (["list", "labs"], "/shrinkage"),
        (["cite", "FKMSE"], f"version = {{{version}}}"),
    ):
        assert expected in run(explorer, *words, cwd=place), words
    assert ".[site]" in run(explorer, "site", "-o", "public", cwd=place, fails=True)  # the extra is not installed
    assert served(explorer, place, "healthz").strip() == f"ok {version}"


def served(explorer, place, address):
    """Return the answer of an environment's lab server."""
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]
    with (place / "log").open("w") as log:
        command = [explorer, "serve", "--port", str(port), "--no-open"]
        server = subprocess.Popen(command, cwd=place, stdout=log, stderr=log)
    try:
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until and server.poll() is None:
            try:
                with urlopen(f"http://localhost:{port}/{address}") as answer:
                    return answer.read().decode()
            except OSError:
                time.sleep(0.2)
        sys.exit(f"{place.name}: no server answers:\n{(place / 'log').read_text()}")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        core = next(each for each in build(Path(folder, "core")) if each.suffix == ".whl")
        tries = [*((file, tried) for file in built(Path(folder))), (core, tried_core)]
        sizes = []
        for file, check in tries:
            place, begun = Path(folder, f"environment{len(sizes)}"), time.monotonic()
            place.mkdir()
            check(file, place)
            sizes.append(megabytes(place))
            taken, size = time.monotonic() - begun, file.stat().st_size / 1e6
            print(f"{file.name}: {size:.1f} MB, {sizes[-1]:.0f} MB installed, works alone ({taken:.0f} s)")  # noqa: T201
        assert sizes[-1] < (1 - LEAST_SAVED) * sizes[0], sizes
