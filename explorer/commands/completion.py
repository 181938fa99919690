"""`explorer completion bash`: the script that lets a shell complete commands, options, names and files."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace

SHELLS = ("bash", "zsh", "fish")
EXAMPLES = (
    'eval "$(explorer completion bash)"  # in ~/.bashrc',
    'eval "$(explorer completion zsh)"  # in ~/.zshrc, after compinit',
    "explorer completion fish > ~/.config/fish/completions/explorer.fish",
)


def arguments(parser: ArgumentParser) -> None:
    """Add the argument that names the shell."""
    parser.add_argument("shell", choices=SHELLS, help="whose script is printed")


def run(options: Namespace) -> None:
    """Print the completion script."""
    from argcomplete.shell_integration import shellcode

    print(shellcode(["explorer"], shell=options.shell))  # noqa: T201
