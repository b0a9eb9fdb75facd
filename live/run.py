#!/usr/bin/env python3
"""Owns the command that runs the scenarios in a real Claude Code and writes what they showed. See README.md."""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import shlex
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
if __name__ == "__main__":
    sys.path.insert(0, os.path.dirname(HERE))  # run as a file, the folder above is not on the path yet

from live import claude, scenario  # noqa: E402
from live.judge import judge, new_frames  # noqa: E402
from live.model import Model  # noqa: E402

JSON = dict[str, Any]
VERSION = "import segue; print(segue.__version__)"
#: events whose hooks go through the MCP server with --via-mcp; a session start cannot
BY_SERVER = ("UserPromptSubmit", "PostToolUse", "Stop")


class InstallError(Exception):
    """The product could not be installed into the scratch home."""


def main() -> int:
    """Run what was asked for; 0 if every scenario holds."""
    options = arguments()
    options.claude, options.work = os.path.abspath(options.claude), os.path.abspath(options.work)
    os.makedirs(options.work, exist_ok=True)
    rows = []
    for name in options.scenario or scenario.names():
        try:
            row = run(scenario.load(name), options)
        except InstallError as error:
            print(f"not installed: {error}", file=sys.stderr)
            return 2
        rows.append(row)
        print(line(row), flush=True)
    report = {**circumstances(options), "held": sum(row["ok"] for row in rows), "of": len(rows), "scenarios": rows}
    path = options.result or default_result(options, report)
    os.makedirs(os.path.dirname(os.path.abspath(path)), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(json.dumps(report, ensure_ascii=False, indent=1) + "\n")
    print(f"{report['held']} of {report['of']} scenarios hold; {path}")
    return 0 if report["held"] == report["of"] else 1


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description="Run the scenarios in a real Claude Code against a scripted model.")
    parser.add_argument("--claude", required=True, help="path of the Claude Code binary")
    parser.add_argument("--work", required=True, help="folder for scratch homes and logs; each scenario's is made anew")
    parser.add_argument("--scenario", action="append", choices=scenario.names(), help="only this one (repeatable)")
    parser.add_argument("--via-mcp", action="store_true", help="prompt, tool and stop hooks through the MCP server")
    parser.add_argument("--python", default=sys.executable, help="interpreter that has segue installed")
    parser.add_argument("--up", help="another command than `PYTHON -m segue up …` to install with")
    parser.add_argument(
        "--result", help="result file; by default under results/, or under --work with --scenario or --up"
    )
    return parser.parse_args()


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """Where a scenario is played: its folders, the model, the host, and the ids of the sessions so far."""

    story: scenario.Scenario
    scratch: claude.Scratch
    model: Model
    binary: str
    started: dict[str, str]

    def repo(self, session: scenario.Session) -> str:
        """The repository in which a session runs."""
        return self.scratch.repo(self.story.foreign_repo if session is self.story.foreign else self.story.repo)


def run(story: scenario.Scenario, options: argparse.Namespace) -> JSON:
    """Play one scenario from an empty home and judge it."""
    began = time.monotonic()
    repos = {story.foreign_repo: story.foreign_files, story.repo: story.files}
    root = os.path.join(options.work, story.name + ("-via-mcp" if options.via_mcp else ""))
    scratch = claude.prepare(root, repos, story.tools)
    os.symlink(options.claude, os.path.join(scratch.programs, "claude"))
    install(scratch, scratch.repo(story.repo), options)
    problems = [*scenario.complaints(story), *wrong_doors(hooks(scratch), options.via_mcp)]
    model = Model(os.path.join(scratch.seen, "requests"))
    stage = Stage(story=story, scratch=scratch, model=model, binary=options.claude, started={})
    times: JSON = {}
    try:
        for session in (story.foreign, *story.sessions):
            session_began = time.monotonic()
            problems += play(session, stage)
            times[session.name] = round(time.monotonic() - session_began, 2)
    finally:
        model.close()
    keep_briefs(stage)
    verdict = judge(story, model.requests)
    verdict["problems"] = [*problems, *verdict["problems"]]
    verdict["ok"] = verdict["ok"] and not verdict["problems"]
    seconds = round(time.monotonic() - began, 2)
    counts = {"seconds": seconds, "session_seconds": times, "model_requests": len(model.requests)}
    return {"name": story.name, "title": story.title, **counts, "hooks": hooks(scratch), **verdict}


def keep_briefs(stage: Stage) -> None:
    """Leave every brief as the model saw it beside the requests, for people to read."""
    for label, found in new_frames(stage.model.requests).items():
        with open(os.path.join(stage.scratch.seen, f"brief-{label}.txt"), "w", encoding="utf-8") as file:
            file.write("\n\n".join(frame.whole for frame in found) + "\n")


def install(scratch: claude.Scratch, repo: str, options: argparse.Namespace) -> None:
    """Run the product's own installer as a person in the repository would."""
    usual = [options.python, "-m", "segue", "up"]
    command = shlex.split(options.up) if options.up else usual
    command += ["--via-mcp"] if options.via_mcp else []
    env = claude.environment(scratch)
    done = subprocess.run(
        command, check=False, cwd=repo, env=env, capture_output=True, text=True, stdin=subprocess.DEVNULL
    )
    with open(os.path.join(scratch.seen, "up.txt"), "w", encoding="utf-8") as file:
        file.write(done.stdout + done.stderr)
    if done.returncode != 0:
        raise InstallError(f"exit {done.returncode}: {(done.stderr or done.stdout).strip()[-600:]}")


def play(session: scenario.Session, stage: Stage) -> list[str]:
    """Play one session to its end; what went wrong. Its id is kept so that a later one can resume it."""
    model, repo = stage.model, stage.repo(session)
    env = claude.environment(stage.scratch, model.url, stage.story.env)
    resume = stage.started[session.resume] if session.resume else None
    problems = []
    with claude.Running(stage.binary, repo, env, seen=stage.scratch.seen, name=session.name, resume=resume) as host:
        stage.started[session.name] = host.session_id
        for number, turn in enumerate(session.turns, start=1):
            label = f"{session.name}.{number}"
            model.play(label, list(turn.steps), repo, turn.summary)
            try:
                if session.killed and number == len(session.turns):
                    host.ask_and_kill(turn.prompt, model)
                else:
                    host.ask(turn.prompt)
            except claude.TurnError as error:
                problems.append(f"{label}: {error}")
                break
            if model.left or model.overrun:
                problems.append(f"{label}: {model.left} steps left over, {model.overrun} requests beyond the script")
    behind = claude.left_behind(stage.scratch)
    if behind:
        problems.append(f"{session.name}: {len(behind)} processes left behind")
        claude.end(behind)
    return problems


def hooks(scratch: claude.Scratch) -> dict[str, list[str]]:
    """Which kinds of hooks are installed for each event."""
    path = os.path.join(scratch.home, ".claude", "settings.json")
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        rows = json.load(file).get("hooks", {})
    return {event: sorted({hook["type"] for row in found for hook in row["hooks"]}) for event, found in rows.items()}


def wrong_doors(installed: dict[str, list[str]], via_mcp: bool) -> list[str]:
    """Hooks that do not go the way that was asked for."""
    wanted = {"SessionStart": ["command"], **{event: ["mcp_tool" if via_mcp else "command"] for event in BY_SERVER}}
    return [
        f"hook {event} is {installed.get(event)}, not {kinds}"
        for event, kinds in wanted.items()
        if installed.get(event) != kinds
    ]


def line(row: JSON) -> str:
    """One scenario on the terminal: its verdict, then only what is wrong."""
    shares = ", ".join(f"{brief['session']} {brief['share']:.2f}" for brief in row["briefs"])
    asked = f"answer {row['answer']['share']:.2f}"
    lines = [f"{'ok  ' if row['ok'] else 'FAIL'} {row['name']:<22} {shares}, {asked}, {row['seconds']:.1f} s"]
    for part in (*row["briefs"], row["answer"]):
        lines += [f"       {part['session']} lacks {item}" for item in part["missing"]]
        lines += [f"       {part['session']} has foreign {item}" for item in part["foreign"]]
        lines += [f"       {part['session']}: {problem}" for problem in part["problems"]]
    return "\n".join(lines + [f"       {problem}" for problem in row["problems"]])


def circumstances(options: argparse.Namespace) -> JSON:
    """When, with what and on what the run was made."""
    root = os.path.join(options.work, "version")
    told = claude.version(options.claude, claude.prepare(root, {}, {}))
    return {
        "date": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
        "host": {"name": "claude-code", "version": told},
        "via_mcp": options.via_mcp,
        "segue": "another product" if options.up else _output([options.python, "-c", VERSION]) or "unknown",
        "revision": _output(["git", "-C", HERE, "describe", "--always", "--dirty", "--abbrev=12"]) or "unknown",
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.machine()}, {os.cpu_count()} CPUs",
    }


def _output(command: list[str]) -> str:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    return done.stdout.strip() if done.returncode == 0 else ""


def default_result(options: argparse.Namespace, report: JSON) -> str:
    """Whole runs of the product itself are kept beside the scenarios, anything else with the scratch files."""
    mode = "via-mcp" if options.via_mcp else "commands"
    whole = not options.scenario and not options.up
    folder = os.path.join(HERE, "results") if whole else options.work
    return os.path.join(folder, f"claude-code-{report['host']['version']}-{mode}.json")


if __name__ == "__main__":
    sys.exit(main())
