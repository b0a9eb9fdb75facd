"""Owns the command-line grammar, made from the table of operations. Never runs one."""

from __future__ import annotations

import argparse
import difflib
import shutil
import textwrap

import segue
from segue.errors import UsageError
from segue.model.operation import FLAG, NUMBER, TEXTS
from segue.operations.registry import OPERATIONS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn

    from segue.model.operation import Operation, Param

GROUPS = (
    ("start and stop", ("up", "down", "demo", "import")),
    ("look", ("search", "show", "trace", "brief", "why", "status")),
    ("keep", ("doctor", "verify", "export", "derive", "rebuild", "config")),
    ("forget", ("delete", "archive", "restore", "hold", "release", "retain", "audit")),
)


class _Parser(argparse.ArgumentParser):
    """Tells a wrong call like every other error."""

    def parse_known_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """Refuse here, with this command's own hint, what else only the parser above would refuse."""
        found, left = super().parse_known_args(args, namespace)
        if left:
            self.error(f"unrecognized arguments: {' '.join(left)}")
        return found, left

    def error(self, message: str) -> NoReturn:
        raise UsageError(_suggest(message), hint=f"{self.prog} --help shows an example.")


def _suggest(message: str) -> str:
    """The message, for an unknown command with the nearest one instead of the whole list."""
    word = message.partition("invalid choice: '")[2].partition("'")[0]
    if not word or not message.startswith("argument COMMAND"):
        return message
    near = difflib.get_close_matches(word, list(commands()), n=1)
    return f"there is no command {word!r}" + (f"; did you mean {near[0]}?" if near else "")


class _Help(argparse.RawDescriptionHelpFormatter):
    def __init__(self, prog: str) -> None:
        super().__init__(prog, max_help_position=28, width=min(shutil.get_terminal_size().columns, 100))


def commands() -> dict[str, Operation]:
    """The operations that are commands, by name."""
    return {operation.name: operation for operation in OPERATIONS if operation.tool is None}


def build() -> argparse.ArgumentParser:
    """The parser of the whole command line."""
    parser = _Parser(
        prog="segue",
        formatter_class=_Help,
        description="Memory across sessions for coding agents.",
        epilog=_overview() + "\n\nsegue COMMAND --help shows an example. Every command takes --json.",
        usage="segue COMMAND [...]",
    )
    parser.add_argument("--version", action="version", version=f"segue {segue.__version__}")
    subs = parser.add_subparsers(dest="command", metavar="COMMAND", help=argparse.SUPPRESS)
    for name, operation in commands().items():
        sub = subs.add_parser(
            name,
            prog=f"segue {name}",
            help=operation.help,
            description=operation.help[0].upper() + operation.help[1:] + ".",
            epilog=f"example:\n  {operation.example}",
            formatter_class=_Help,
        )
        for param in operation.params:
            _add(sub, param)
        sub.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _add(parser: argparse.ArgumentParser, param: Param) -> None:
    name = param.name if param.positional else "--" + param.name.replace("_", "-")
    if param.kind == FLAG:
        parser.add_argument(name, action="store_true", default=None, dest=param.name, help=param.help)
        return
    kind = int if param.kind == NUMBER else str
    several = "*" if param.kind == TEXTS else "+" if param.joined else None if param.required else "?"
    nargs = several if param.positional else None
    action = "append" if param.kind == TEXTS and not param.positional else "store"
    choices = param.choices or None
    metavar = param.name.upper()
    told = param.help + (f": {' or '.join(param.choices)}" if param.choices else "")
    told += "; may be given several times" if param.kind == TEXTS and not param.positional else ""
    if param.positional:
        parser.add_argument(name, type=kind, nargs=nargs, choices=choices, metavar=metavar, help=told)
    else:
        parser.add_argument(
            name, type=kind, action=action, dest=param.name, choices=choices, metavar=metavar, help=told
        )


def _overview() -> str:
    known = commands()
    width = max(len(name) for name in known) + 2
    lines = []
    for title, names in GROUPS:
        lines.append(f"{title}:")
        for name in names:
            text = textwrap.fill(
                known[name].help, width=76, initial_indent=f"  {name:<{width}}", subsequent_indent=" " * (width + 2)
            )
            lines.append(text)
    return "\n".join(lines)
