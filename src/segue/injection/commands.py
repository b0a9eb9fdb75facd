"""Owns what a shell command was for, and what its exit state proves. Pure; imports nothing slow.

An exit state is proof only where it is the check's own: behind a pipe, `||`, `;` or `&` it is another command's (I13).
"""

from __future__ import annotations

from segue.model.event import FAILED, OK, UNKNOWN

TEST, BUILD, CHECK = "test", "build", "check"

#: first words that name a tool, and what running it does
TOOLS = {
    "pytest": TEST, "tox": TEST, "nox": TEST, "jest": TEST, "vitest": TEST, "mocha": TEST, "rspec": TEST,
    "phpunit": TEST, "ctest": TEST, "playwright": TEST, "cypress": TEST, "ava": TEST, "behave": TEST,
    "make": BUILD, "cmake": BUILD, "ninja": BUILD, "bazel": BUILD, "tsc": BUILD, "webpack": BUILD, "vite": BUILD,
    "gcc": BUILD, "g++": BUILD, "clang": BUILD, "javac": BUILD, "rollup": BUILD, "esbuild": BUILD, "msbuild": BUILD,
    "ruff": CHECK, "mypy": CHECK, "eslint": CHECK, "flake8": CHECK, "pylint": CHECK, "pyright": CHECK,
    "prettier": CHECK, "shellcheck": CHECK, "golangci-lint": CHECK, "black": CHECK, "isort": CHECK,
}  # fmt: skip
#: first words whose second word decides
FAMILIES = {
    "cargo", "go", "npm", "pnpm", "yarn", "bun", "dotnet", "mvn", "gradle", "./gradlew", "gradlew", "mix", "swift",
    "rake", "poetry", "uv", "hatch", "deno", "zig", "sbt", "lein", "stack", "cabal", "flutter", "just", "task", "make",
}  # fmt: skip
VERBS = {
    "test": TEST, "tests": TEST, "check": CHECK, "build": BUILD, "compile": BUILD, "lint": CHECK, "clippy": CHECK,
    "vet": CHECK, "fmt": CHECK, "typecheck": CHECK, "verify": TEST, "package": BUILD, "install": BUILD, "spec": TEST,
    "e2e": TEST, "unit": TEST, "coverage": TEST, "types": CHECK, "format": CHECK,
}  # fmt: skip
WRAPPERS = {
    "sudo",
    "time",
    "env",
    "npx",
    "bunx",
    "command",
    "exec",
    "nice",
    "xvfb-run",
    "python",
    "python3",
    "-m",
    "run",
}
#: joins that hide an exit state, longest first
MASKS = ("||", "|", ";", "&")


def purpose(command: str) -> str | None:
    """Whether the command tests, builds or checks the project; None for anything else."""
    return next((found for part in _parts(command) if (found := _purpose_of(part)) is not None), None)


def proven(command: str, outcome: str | None) -> str:
    """What the exit state says about the check in this command: ok, failed or unknown."""
    if outcome not in (OK, FAILED):
        return UNKNOWN
    rest = command
    if "pipefail" not in command:
        unquoted = _without_quotes(rest).replace("2>&1", "").replace(">&2", "").replace("&>", ">")
        flat = unquoted.replace("&&", " ").strip().rstrip("\n")
        if any(mask in flat for mask in MASKS) or "\n" in flat:
            return UNKNOWN
    return outcome


def _parts(command: str) -> list[list[str]]:
    flat = _without_quotes(command)
    for mark in ("&&", "||", "|", ";", "\n", "&"):
        flat = flat.replace(mark, "\x00")
    return [part.split() for part in flat.split("\x00") if part.strip()]


def _purpose_of(words: list[str]) -> str | None:
    at = 0
    while at < len(words) and (words[at] in WRAPPERS or ("=" in words[at] and not words[at].startswith("-"))):
        at += 1
    if at >= len(words):
        return None
    name = words[at].rsplit("/", 1)[-1] if not words[at].startswith("./") else words[at]
    rest = [word for word in words[at + 1 :] if not word.startswith("-")]
    if name in FAMILIES:
        for word in rest[:3]:
            verb = word.split(":", 1)[0]
            if verb in VERBS:
                return VERBS[verb]
            if word in TOOLS:
                return TOOLS[word]
    if name in ("unittest", "pytest"):
        return TEST
    return TOOLS.get(name)


def _without_quotes(command: str) -> str:
    """The command with the insides of quotes taken out, so that no sign in them is read as a join."""
    out: list[str] = []
    quote = ""
    for sign in command:
        if quote:
            quote = "" if sign == quote else quote
        elif sign in "'\"":
            quote = sign
        else:
            out.append(sign)
    return "".join(out)
