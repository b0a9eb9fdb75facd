"""Owns the launcher: the one stable command that hosts call, whatever version of Segue is installed. Pure text.

A host's settings name only the launcher. When the interpreter, the package or the launcher itself is gone, the command
does nothing and ends with 0: an uninstalled Segue is silent, it never blocks a prompt.
"""

from __future__ import annotations

import os

#: what the interpreter runs: put the package on the path and dispatch; a broken installation is noted and ends with 0
BOOT = """\
import sys
sys.path.insert(0, {package!r})
try:
    from segue.__main__ import main
except Exception as error:
    if sys.argv[1:2] != ["hook"]:
        raise
    try:
        with open({log!r}, "a", encoding="utf-8") as log:
            log.write(f"{{type(error).__name__}}: {{error}}\\n") if log.tell() < 65536 else None
    except OSError:
        pass
    sys.exit(0)
sys.exit(main(sys.argv[1:]))
"""

POSIX = """\
#!/bin/sh
# Runs Segue for coding agents' hooks and as MCP server. Written by `segue up`, removed by `segue down`.
P={python}
B={boot}
[ -x "$P" ] && [ -r "$B" ] || exit 0
exec "$P" -I -S -X utf8 "$B" "$@"
"""

WINDOWS = """\
@echo off\r
rem Runs Segue for coding agents' hooks and as MCP server. Written by `segue up`, removed by `segue down`.\r
set "P={python}"\r
set "B={boot}"\r
if not exist "%P%" exit /b 0\r
if not exist "%B%" exit /b 0\r
"%P%" -I -S -X utf8 "%B%" %*\r
exit /b %ERRORLEVEL%\r
"""


def launcher_path(data_dir: str, platform: str) -> str:
    """Where the launcher lies: a path that no upgrade changes."""
    if platform == "win32":
        return f"{data_dir}\\bin\\segue-run.cmd"
    return f"{data_dir}/bin/segue-run"


def files(data_dir: str, python: str, package_parent: str, platform: str) -> dict[str, tuple[bytes, int]]:
    """The launcher's files: path → content and mode."""
    windows = platform == "win32"
    sep = "\\" if windows else "/"
    boot_path = f"{data_dir}{sep}bin{sep}boot.py"
    log = f"{data_dir}{sep}hook-errors.log"
    boot = BOOT.format(package=package_parent, log=log)
    quote = windows_quote if windows else posix_quote
    script = (WINDOWS if windows else POSIX).format(python=quote(python), boot=quote(boot_path))
    return {boot_path: (boot.encode(), 0o600), launcher_path(data_dir, platform): (script.encode(), 0o700)}


def hook_command(launcher: str, host: str, event: str, platform: str) -> str:
    """The shell command for a host's settings. Without the launcher it does nothing and ends with 0."""
    if platform == "win32":
        quoted = windows_quote(launcher)
        return f'if exist "{quoted}" ("{quoted}" hook {host} {event}) else exit /b 0'
    quoted = posix_quote(launcher)
    return f"[ ! -x {quoted} ] || exec {quoted} hook {host} {event}"


def mcp_command(launcher: str, platform: str) -> tuple[str, list[str]]:
    """Program and arguments that start the MCP server, without a shell."""
    if platform == "win32":
        return "cmd", ["/c", launcher, "mcp"]
    return launcher, ["mcp"]


def posix_quote(text: str) -> str:
    """The text as one word of sh."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def windows_quote(text: str) -> str:
    """The text inside double quotes of cmd.exe; a path cannot hold a quote, a percent sign is doubled."""
    return text.replace("%", "%%")


def is_ours(command: str) -> bool:
    """Whether a hook's command is a launcher of Segue, of this home or of another."""
    flat = command.replace("\\", "/")
    return "/bin/segue-run" in flat and (
        " hook " in flat or flat.rstrip().endswith(("segue-run", "segue-run.cmd", "segue-run'"))
    )


def exists(launcher: str) -> bool:
    """Whether the launcher can be run."""
    return os.access(launcher, os.X_OK)
