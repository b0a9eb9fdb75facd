"""Owns the launcher: the one stable command that hosts call, whatever version of Segue is installed. Pure text.

A host's settings name only the launcher. When the interpreter, the package or the launcher itself is gone, half there
or of another age, a hook does nothing and ends with 0: an uninstalled Segue is silent, it never blocks a prompt.
"""

from __future__ import annotations

#: what the interpreter runs. The package's folder comes last on the path: it may hold modules named like the standard
#: library's, and what a hook imports is then not looked for among hundreds of other packages. A hook has written and
#: closed everything when it comes back: to take the interpreter apart as well would cost as much as its work.
BOOT = """\
import sys
sys.path.append({package!r})
try:
    from segue.__main__ import main
    code = main(sys.argv[1:])
except Exception as error:
    if sys.argv[1:2] != ["hook"]:
        raise
    code = 0
    try:
        import os
        flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NONBLOCK", 0)
        with open(os.open({log!r}, flags, 0o600), "a", encoding="utf-8", errors="replace") as log:
            if log.tell() < {limit}:
                log.write("launcher: %s: %.300s\\n" % (type(error).__name__, " ".join(str(error).split())))
    except OSError:
        pass
if sys.argv[1:2] == ["hook"]:
    import os
    os._exit(0)
sys.exit(code)
"""
#: bytes of the error log beyond which the launcher adds nothing
MAX_LOG = 65536

POSIX = """\
#!/bin/sh
# Runs Segue for coding agents' hooks and as MCP server. Written by `segue up`, removed by `segue down`.
P={python}
B={boot}
[ -x "$P" ] && [ -f "$B" ] && [ -r "$B" ] || exit 0
[ -n "${{SEGUE_HOME-}}" ] || SEGUE_HOME={home}
export SEGUE_HOME
exec "$P" -I -S -X utf8 "$B" "$@"
"""

WINDOWS = """\
@echo off\r
rem Runs Segue for coding agents' hooks and as MCP server. Written by `segue up`, removed by `segue down`.\r
{code_page}setlocal disabledelayedexpansion\r
set "P={python}"\r
set "B={boot}"\r
if not exist "%P%" exit /b 0\r
if not exist "%B%" exit /b 0\r
if not defined SEGUE_HOME set "SEGUE_HOME={home}"\r
"%P%" -I -S -X utf8 "%B%" %*\r
exit /b %ERRORLEVEL%\r
"""
#: cmd.exe reads a script in the console's code page; only a script that is not plain ASCII needs another one
UTF8_CODE_PAGE = "chcp 65001 >nul\r\n"
#: hosts that run hooks with a POSIX shell on Windows too (Claude Code: the one that comes with git)
POSIX_SHELL_HOSTS = ("claude-code",)
NAME = "segue-run"


def launcher_path(data_dir: str, platform: str) -> str:
    """Where the launcher lies: a path that no upgrade changes."""
    if platform == "win32":
        return f"{data_dir}\\bin\\{NAME}.cmd"
    return f"{data_dir}/bin/{NAME}"


def files(data_dir: str, python: str, package_parent: str, platform: str) -> dict[str, tuple[bytes, int]]:
    """The launcher's files: path → content and mode. On Windows one for each kind of shell."""
    sep = "\\" if platform == "win32" else "/"
    folder = f"{data_dir}{sep}bin{sep}"
    boot_path = f"{folder}boot.py"
    boot = BOOT.format(package=package_parent, log=f"{data_dir}{sep}hook-errors.log", limit=MAX_LOG)
    found = {boot_path: (boot.encode(), 0o600)}
    if platform == "win32":
        words = {"python": _in_batch(python), "boot": _in_batch(boot_path), "home": _in_batch(data_dir)}
        code_page = "" if "".join(words.values()).isascii() else UTF8_CODE_PAGE
        found[f"{folder}{NAME}.cmd"] = (WINDOWS.format(code_page=code_page, **words).encode(), 0o700)
        python, boot_path, data_dir = _forward(python), _forward(boot_path), _forward(data_dir)
    script = POSIX.format(python=posix_quote(python), boot=posix_quote(boot_path), home=posix_quote(data_dir))
    return {**found, f"{folder}{NAME}": (script.encode("utf-8", "surrogateescape"), 0o700)}


def hook_command(launcher: str, host: str, event: str, platform: str) -> str:
    """The shell command for a host's settings. Without the launcher it does nothing and ends with 0."""
    if platform == "win32" and host not in POSIX_SHELL_HOSTS:
        return f'if exist "{launcher}" "{launcher}" hook {host} {event}'
    if platform == "win32":
        launcher = _forward(launcher.removesuffix(".cmd"))
    quoted = posix_quote(launcher)
    return f"[ ! -x {quoted} ] || [ ! -f {quoted} ] || exec {quoted} hook {host} {event}"


def mcp_command(launcher: str, platform: str) -> tuple[str, list[str]]:
    """Program and arguments that start the MCP server, without a shell."""
    if platform == "win32":
        return "cmd", ["/d", "/c", "call", launcher, "mcp"]  # without `call`, cmd takes a path's quotes away
    return launcher, ["mcp"]


def _forward(path: str) -> str:
    return path.replace("\\", "/")


def posix_quote(text: str) -> str:
    """The text as one word of sh."""
    return "'" + text.replace("'", "'\"'\"'") + "'"


def _in_batch(text: str) -> str:
    """The text between double quotes in a batch file; a path cannot hold a quote."""
    return text.replace("%", "%%")


def is_ours(command: str) -> bool:
    """Whether a command is one that Segue wrote for a hook, for this home or for another, or the launcher itself."""
    path, _, words = command.replace("\\", "/").rstrip().rpartition(f"/bin/{NAME}")
    words = words.removeprefix(".cmd").lstrip("'\"")
    if not path or (words and not words.startswith(" hook ")):
        return False
    return path.startswith(("[ ! -x ", 'if exist "', "exec ", "'", '"', "/", "~", "$")) or path[1:3] == ":/"
